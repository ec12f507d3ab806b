"""From a study's description to what is played: experiments, each with its cells and contrasts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from simkit import registry
from simkit.contract import Game
from simkit.errors import BadInput
from simkit.run.spec import RunSpec, run_spec
from simkit.run.study_readings import Quantity, Reading, quantities, reading
from simkit.run.study_spec import Cell, Curve, Family, LineUp, Study
from simkit.stats import factorial


@dataclass(frozen=True)
class PlayedCell:
    """One variant of an experiment, ready to be played; `run` holds rules, strategies and rotations."""

    name: str
    label: str
    run: RunSpec


@dataclass(frozen=True)
class PlannedContrast:
    """A weighted sum of cells' means, one weight a cell. `kind`: main, interaction, whole, cells or level."""

    name: str
    label: str
    kind: str
    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class Point:
    """A place on a curve: the cell that has this level, and the contrast against the reference (none there)."""

    curve: str
    level: Any
    cell: int
    contrast: int | None


@dataclass(frozen=True)
class Design:
    """The cells of an experiment and what is to be compared. `points` are those of curves."""

    cells: tuple[PlayedCell, ...]
    contrasts: tuple[PlannedContrast, ...]
    points: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """A family of cells, played by one line-up: all cells on the same deals.

    quantities: what is counted, compared ones first. readings: for each quantity, its reading in each cell (None where
    the cell lacks the seat). histograms: for each cell, the wanted columns with their places in an outcome row.
    """

    family: Family
    lineup: LineUp
    cells: tuple[PlayedCell, ...]
    contrasts: tuple[PlannedContrast, ...]
    points: tuple[Point, ...]
    quantities: tuple[Quantity, ...]
    readings: tuple[tuple[Reading | None, ...], ...]
    histograms: tuple[tuple[tuple[str, int], ...], ...]

    @property
    def n_compared(self) -> int:
        """How many of the quantities are compared."""
        return sum(quantity.compared for quantity in self.quantities)

    @property
    def deals(self) -> int:
        """Deals asked for."""
        return self.family.deals

    @property
    def games_a_deal(self) -> int:
        """Games played for one deal: every cell in each rotation."""
        return sum(cell.run.rotations for cell in self.cells)


def experiments(study: Study, seed: int, source: str) -> list[Experiment]:
    """All experiments of a study; raises BadInput, one line with the source, for what cannot be played."""
    try:
        game = registry.game(study.game)
    except BadInput as problem:
        raise BadInput(f"{source}: game: {problem}") from problem
    found = []
    for family in study.family:
        for lineup in study.lineup:
            if family.lineups is None or lineup.name in family.lineups:
                found.append(_experiment(_Context(study, game, seed, source, family, lineup)))
    _check_questions(study, found, source)
    return found


def _check_questions(study: Study, found: Sequence[Experiment], source: str) -> None:
    """Raise BadInput for a question about a contrast that its family does not have."""
    for question in study.question:
        contrasts = [
            one for experiment in found if experiment.family.name == question.family for one in experiment.contrasts
        ]
        allowed = dict.fromkeys([*(one.kind for one in contrasts), *(one.name for one in contrasts)])
        for name in question.contrasts or []:
            if name not in allowed:
                place = f"question {question.ask!r}: contrasts"
                raise BadInput(f"{source}: {place}: got {name!r}, allowed: {', '.join(allowed)}")


@dataclass(frozen=True)
class _Context:
    """What cells of one experiment have in common."""

    study: Study
    game: Game
    seed: int
    source: str
    family: Family
    lineup: LineUp

    def cell(self, cell: Cell) -> PlayedCell:
        """Check and complete one cell."""
        study, family = self.study, self.family
        try:
            run = run_spec(
                self.game,
                tuple(cell.seats or self.lineup.seats),
                family.deals,
                self.seed,
                study.players if cell.players is None else cell.players,
                {**family.rules, **cell.rules},
                study.preset,
                self.lineup.rotate,
                study.level,
            )
        except BadInput as problem:
            place = f"family {family.name}: cell {cell.name}: line-up {self.lineup.name}"
            raise BadInput(f"{self.source}: {place}: {problem}") from problem
        return PlayedCell(cell.name, cell.label, run)


def _experiment(context: _Context) -> Experiment:
    family, lineup = context.family, context.lineup
    design = {"cells": _listed, "factorial": _factorial, "curves": _curves}[family.design](context)
    runs = [cell.run for cell in design.cells]
    counted = quantities(context.study, lineup.rotate, max(run.players for run in runs))
    try:
        readings = tuple(tuple(reading(quantity, run) for run in runs) for quantity in counted)
    except BadInput as problem:
        raise BadInput(f"{context.source}: {problem}") from problem
    try:
        histograms = tuple(_histograms(run, family.histograms) for run in runs)
    except BadInput as problem:
        raise BadInput(f"{context.source}: family {family.name}: {problem}") from problem
    return Experiment(
        family, lineup, design.cells, design.contrasts, design.points, tuple(counted), readings, histograms
    )


def _histograms(run: RunSpec, names: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """The place of each column in an outcome row."""
    columns = enumerate(run.game.flat_columns(run.players))
    places = {
        column.name: i
        for i, (column, seat) in columns
        if seat is None and not (column.nullable or column.words or column.label)
    }
    for name in names:
        if name not in places:
            raise BadInput(f"histograms: got {name!r}, allowed: {', '.join(places)}")
    return tuple((name, places[name]) for name in names)


def _listed(context: _Context) -> Design:
    """The cells as the file lists them; contrasts as listed, or each cell against the first."""
    family = context.family
    cells = tuple(context.cell(cell) for cell in family.cell)
    first, *others = family.cell
    asked = [(contrast.name, contrast.label, contrast.weights) for contrast in family.contrast] or [
        (cell.name, f"{cell.label} against {first.label}", {cell.name: 1.0, first.name: -1.0}) for cell in others
    ]
    contrasts = tuple(
        PlannedContrast(name, label, "cells", tuple(Fraction(weights.get(cell.name, 0.0)) for cell in family.cell))
        for name, label, weights in asked
    )
    return Design(cells, contrasts)


def _factorial(context: _Context) -> Design:
    """Every combination of the factors, with the wanted kinds of effect."""
    family = context.family
    design = factorial([factor.name for factor in family.factor])
    labels = {factor.name: factor.label for factor in family.factor}
    cells = []
    for present in design.cells:
        names = [factor.name for factor, done in zip(family.factor, present, strict=True) if done]
        rules: dict[str, Any] = {}
        for factor, done in zip(family.factor, present, strict=True):
            rules.update(factor.done if done else factor.not_done)
        name = " + ".join(names) or family.none
        cells.append(context.cell(Cell(name=name, label=name, rules=rules)))
    contrasts = tuple(
        PlannedContrast(name, labels.get(name, name), effect.kind, tuple(map(Fraction, effect.weights)))
        for effect in design.effects
        if effect.kind in family.effects
        for name in [_effect_name(effect.name, effect.kind)]
    )
    return Design(tuple(cells), contrasts)


def _effect_name(factors: Sequence[str], kind: str) -> str:
    return "all of them" if kind == "whole" else " × ".join(factors)


def _curves(context: _Context) -> Design:
    """The levels of each curve against its reference. A cell that several curves share is played once."""
    cells: list[PlayedCell] = []
    places: dict[tuple, int] = {}
    points: list[Point] = []
    contrasts: list[tuple[str, int, int]] = []
    for curve in context.family.curve:
        found = {}
        for level in curve.levels:
            cell = context.cell(_at_level(curve, level))
            place = places.setdefault(_identity(cell.run), len(cells))
            if place == len(cells):
                cells.append(cell)
            found[level] = place
        for level, place in found.items():
            at_reference = place == found[curve.reference]
            points.append(Point(curve.name, level, place, None if at_reference else len(contrasts)))
            if not at_reference:
                contrasts.append((f"{curve.name} {level}", place, found[curve.reference]))
    planned = tuple(
        PlannedContrast(name, name, "level", _difference(len(cells), place, reference))
        for name, place, reference in contrasts
    )
    return Design(tuple(cells), planned, tuple(points))


def _at_level(curve: Curve, level: Any) -> Cell:
    name = f"{curve.name} {level}"
    if curve.rule is not None:
        return Cell(name=name, label=name, rules={curve.rule: level})
    if curve.seats is not None:
        return Cell(name=name, label=name, seats=[seat.replace("{level}", str(level)) for seat in curve.seats])
    return Cell(name=name, label=name, players=level)


def _identity(run: RunSpec) -> tuple:
    """What makes two cells of an experiment the same."""
    values: Mapping[str, Any] = run.rules
    return run.players, tuple(values.items()), tuple(seat.text for seat in run.seats)


def _difference(cells: int, plus: int, minus: int) -> tuple[Fraction, ...]:
    return tuple(Fraction((place == plus) - (place == minus)) for place in range(cells))
