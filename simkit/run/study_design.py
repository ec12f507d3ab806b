"""From a study's description to what is played: experiments, each with its cells and contrasts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from simkit import registry
from simkit.contract import EndingTable, Game
from simkit.errors import BadInput
from simkit.run.solve import SolveSpec, solve_spec
from simkit.run.spec import RunSpec, run_spec
from simkit.run.study_endings import ending_tables, survival_places
from simkit.run.study_known import solver_histograms, solver_reading
from simkit.run.study_readings import Quantity, Reading, quantities, reading
from simkit.run.study_spec import Cell, Curve, Family, LineUp, Study
from simkit.stats import factorial
from simkit.strategy import Strategy


@dataclass(frozen=True)
class PlayedCell:
    """One variant of an experiment, ready to be played; `run` holds rules, strategies, rotations and deals.

    solve: how a solver plays it, which knows the order of the stock; None if the strategies do.
    """

    name: str
    label: str
    group: str
    run: RunSpec
    solve: SolveSpec | None = None

    @property
    def seats(self) -> tuple[Strategy, ...]:
        """The strategies that play it."""
        return () if self.solve else self.run.seats


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
    the cell lacks the seat, or is solved by a solver that does not tell it). histograms: for each cell, the wanted
    columns with their places in an outcome row. endings: tables of how lost games ended.
    """

    family: Family
    lineup: LineUp
    cells: tuple[PlayedCell, ...]
    contrasts: tuple[PlannedContrast, ...]
    points: tuple[Point, ...]
    quantities: tuple[Quantity, ...]
    readings: tuple[tuple[Reading | None, ...], ...]
    histograms: tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]
    endings: tuple[EndingTable, ...]

    @property
    def n_compared(self) -> int:
        """How many of the quantities are compared."""
        return sum(quantity.compared for quantity in self.quantities)

    @property
    def deals(self) -> int:
        """Deals asked for, in the cell with the most."""
        return self.stages[-1]

    @cached_property
    def stages(self) -> tuple[int, ...]:
        """Where stages of the deals end: in each stage other cells are played, fewer and fewer of them."""
        return tuple(sorted({cell.run.deals for cell in self.cells}))

    def playing(self, stage: int) -> list[int]:
        """The cells that are played in a stage."""
        return [place for place, cell in enumerate(self.cells) if cell.run.deals >= self.stages[stage]]

    def games_a_deal(self, stage: int) -> int:
        """Games played for one deal of a stage: every cell in each rotation."""
        return sum(self.cells[place].run.rotations for place in self.playing(stage))

    def stage_deals(self, deals: int) -> list[int]:
        """How many of the first so many deals lie in each stage."""
        ends = [min(end, deals) for end in self.stages]
        return [end - start for start, end in pairwise([0, *ends])]

    def games(self, deals: int) -> int:
        """Games played for so many deals."""
        return sum(count * self.games_a_deal(stage) for stage, count in enumerate(self.stage_deals(deals)))

    @property
    def costly(self) -> bool:
        """Whether some games take long: of a solver, or of players that get fewer deals than others."""
        fewer = any(cell.run.deals < self.family.deals for cell in self.cells)
        return fewer or any(cell.solve for cell in self.cells)

    def told(self, contrast: PlannedContrast, i: int) -> bool:
        """Whether all cells of a contrast have quantity i."""
        pairs = zip(contrast.weights, self.readings[i], strict=True)
        return all(read is not None for weight, read in pairs if weight)


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
        study, family, lineup = self.study, self.family, self.lineup
        deals = min(part.deals for part in (family, lineup, cell) if part.deals)
        rules = {**family.rules, **cell.rules}
        known = cell.known or (lineup.known and not cell.seats)
        try:
            run = run_spec(
                self.game,
                tuple(cell.seats or lineup.seats),
                deals,
                self.seed,
                study.players if cell.players is None else cell.players,
                rules,
                study.preset,
                lineup.rotate,
                study.level,
            )
            effort = study.solver.model_dump()
            solve = solve_spec(self.game, deals, self.seed, rules, study.preset, **effort) if known else None
        except BadInput as problem:
            place = f"family {family.name}: cell {cell.name}: line-up {lineup.name}"
            raise BadInput(f"{self.source}: {place}: {problem}") from problem
        return PlayedCell(cell.name, cell.label, cell.group, run, solve)


def _experiment(context: _Context) -> Experiment:
    family, lineup = context.family, context.lineup
    design = {"cells": _listed, "factorial": _factorial, "curves": _curves}[family.design](context)
    most_players = max(cell.run.players for cell in design.cells)
    counted = quantities(context.study, lineup.rotate, most_players, any(cell.solve for cell in design.cells))
    try:
        readings = tuple(tuple(_reading(quantity, cell) for cell in design.cells) for quantity in counted)
    except BadInput as problem:
        raise BadInput(f"{context.source}: {problem}") from problem
    try:
        histograms = tuple(_histograms(context, cell) for cell in design.cells)
        if family.survival:
            survival_places(context.game)
        endings = ending_tables(context.game, family.endings)
    except BadInput as problem:
        raise BadInput(f"{context.source}: family {family.name}: {problem}") from problem
    return Experiment(
        family, lineup, design.cells, design.contrasts, design.points, tuple(counted), readings, histograms, endings
    )


def _reading(quantity: Quantity, cell: PlayedCell) -> Reading | None:
    return solver_reading(quantity) if cell.solve else reading(quantity, cell.run)


def _histograms(context: _Context, cell: PlayedCell) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The places of each wanted column in the cell's rows: of one that every seat has, all of them."""
    run, names = cell.run, context.family.histograms
    whole: dict[str, list[int]] = {}
    by_seat: dict[str, list[int]] = {}
    for i, (column, seat) in enumerate(run.game.flat_columns(run.players)):
        if column.numeric:
            (whole if seat is None else by_seat).setdefault(column.name, []).append(i)
    places = whole | by_seat | whole  # a column of the whole game comes before one of the seats with the same name
    for name in names:
        if name not in places:
            raise BadInput(f"histograms: got {name!r}, allowed: {', '.join(places)}")
    if cell.solve:
        return solver_histograms(context.study, names)
    return tuple((name, tuple(places[name])) for name in names)


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
