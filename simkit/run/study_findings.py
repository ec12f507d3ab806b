"""From a study's counters to its findings as plain data: what JSON prints, and all that reports are made from.

The findings hold only strings, numbers, true, false and None in lists and dictionaries; rows of a kind are tidy. They
depend on the study, the seed and the deals played, and on nothing else: no times, no threads.
"""

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from simkit import __version__
from simkit.run.study import Played, StudyResult
from simkit.run.study_design import Experiment, PlannedContrast, PlayedCell
from simkit.run.study_endings import GAMES, SURVIVAL, ending_counts, survival_rows
from simkit.run.study_readings import Quantity
from simkit.run.study_spec import Measure
from simkit.stats import (
    Contrast,
    Estimate,
    Moments,
    Verdict,
    contrast,
    deals_needed,
    holm,
    proportion,
    quantile,
    ratio,
    verdict,
)

Row = dict[str, Any]
PERCENTILES = 10, 50, 90


def findings(result: StudyResult) -> Row:
    """All that a study found. Experiments of which nothing was played have no rows."""
    study, game = result.study, result.played[0].experiment.cells[0].run.game
    started = [one for one in result.played if one.counters.deals]
    return {
        "study": study.name,
        "title": study.title,
        "about": study.about,
        "game": game.name,
        "game_title": game.title,
        "length": game.length,
        "rules_version": game.rules_version,
        "version": __version__,
        "preset": study.preset,
        "seed": result.seed,
        "level": study.level,
        "complete": result.complete,
        "games": result.games,
        "lineups": [lineup.model_dump(exclude={"deals", "quick_deals"}) for lineup in study.lineup],
        "measures": [_measure(measure) for measure in study.measure],
        "families": [_family(study.name, one) for one in _first_of_each_family(result)],
        "played": [_played(one) for one in result.played],
        "questions": [question.model_dump() for question in study.question],
        "facts": [_fact(fact, started) for fact in study.fact] if started else [],
        "cells": [row for one in started for row in _cells(one, study.level)],
        "contrasts": [row for one in started for row in _contrasts(one, study.level)],
        "curves": [row for one in started for row in _points(one)],
        "columns": _columns(started),
        "histograms": [row for one in started for row in _histograms(one, study.level)],
        "survival": [row for one in started for row in _survival(one)],
        "ending_tables": _ending_tables(started),
        "endings": [row for one in started for row in _endings(one)],
    }


def _measure(measure: Measure) -> Row:
    read_off = {"metric", "columns", "divide_by", "over", "seat", "player", "at_least", "at_most", "equals", "known"}
    # The measure of a column over all seats, such as their range, is not that column's mean.
    return measure.model_dump(exclude=read_off) | {"column": None if measure.over else measure.column}


def _columns(started: list[Played]) -> Row:
    """What the outcome columns mean whose distributions are kept."""
    if not started:
        return {}
    game = started[0].experiment.cells[0].run.game
    wanted = {name for one in started for name in one.experiment.family.histograms}
    return {name: game.column(name).help for name in sorted(wanted)}


def _first_of_each_family(result: StudyResult) -> list[Experiment]:
    return list({one.experiment.family.name: one.experiment for one in reversed(result.played)}.values())[::-1]


def _family(study: str, experiment: Experiment) -> Row:
    """A family with the labels of its cells and contrasts, and what each cell's rules are."""
    family = experiment.family
    return {
        "name": family.name,
        "label": family.label,
        "design": family.design,
        "axis": family.axis,
        "chart": family.chart,
        "cells": [_cell(cell) for cell in experiment.cells],
        "contrasts": [_planned(one, experiment) for one in experiment.contrasts],
        "curves": [{"name": curve.name, "label": curve.label, "reference": curve.reference} for curve in family.curve],
    }


def _cell(cell: PlayedCell) -> Row:
    return {
        "name": cell.name,
        "label": cell.label,
        "group": cell.group,
        "players": cell.run.players,
        "rules": dict(cell.run.rules),
    }


def _planned(one: PlannedContrast, experiment: Experiment) -> Row:
    """A contrast, with its two cells if it is the plain difference of two."""
    weighted = {weight: cell.name for weight, cell in zip(one.weights, experiment.cells, strict=True) if weight}
    pair = sum(weight != 0 for weight in one.weights) == 2 and set(weighted) == {1, -1}
    ends = {"cell": weighted[1], "against": weighted[-1]} if pair else {"cell": None, "against": None}
    return {"name": one.name, "label": one.label, "kind": one.kind, **ends}


def _played(one: Played) -> Row:
    experiment = one.experiment
    return {
        "family": experiment.family.name,
        "lineup": experiment.lineup.name,
        "asked": experiment.deals,
        "deals": one.counters.deals,
        "games": one.games,
        "tests": sum(
            experiment.told(planned, i) for planned in experiment.contrasts for i in range(experiment.n_compared)
        ),
    }


def _fact(fact, started: list[Played]) -> Row:
    """Whether the measure was 0 in every game played, with its total."""
    total = Fraction(0)
    for one in started:
        experiment = one.experiment
        for i, quantity in enumerate(experiment.quantities):
            if quantity.measure.name == fact.measure and not quantity.bracket:
                for cell, read in enumerate(experiment.readings[i]):
                    if read is not None:
                        total += Fraction(one.counters.sums[i, cell] * len(read.games), read.scale)
    games = sum(one.games for one in started)
    text = fact.otherwise if total else fact.never
    text = text.replace("{games}", f"{games:,}").replace("{total}", f"{float(total):,.10g}")
    return {"measure": fact.measure, "never": not total, "total": float(total), "games": games, "text": text}


def _place(one: Played) -> Row:
    return {"family": one.experiment.family.name, "lineup": one.experiment.lineup.name}


def _estimate(one: Played, i: int, cell: int, level: float) -> Estimate:
    """The mean a game of quantity i in a cell, before anything is taken away."""
    read, counters = one.experiment.readings[i][cell], one.common([cell])
    deals, total, squares = counters.deals, counters.sums[i, cell], counters.squares[i, cell]
    games = len(read.games)
    estimator = proportion if read.rate else ratio
    scale = read.scale // games
    return estimator(deals, total, deals * games, squares, games * total, deals * games * games, scale, level)


def _cells(one: Played, level: float) -> Iterator[Row]:
    """Each measure in each cell, with its interval; where games are undecided, the bracket around it."""
    experiment = one.experiment
    for i, quantity in enumerate(experiment.quantities):
        if quantity.bracket:
            continue
        for cell, played in enumerate(experiment.cells):
            if experiment.readings[i][cell] is None:
                continue
            minus = float(experiment.readings[i][cell].minus)
            estimate = _estimate(one, i, cell, level)
            yield {
                **_place(one),
                "cell": played.name,
                "measure": quantity.measure.name,
                "seat": quantity.seat,
                **_ends(estimate, minus),
                **_bracket(one, quantity, cell, estimate, minus, level),
                "n": estimate.n,
            }


def _ends(estimate: Estimate, minus: float = 0.0) -> Row:
    ends = {"estimate": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: None if end is None else end - minus for name, end in ends.items()}


def _bracket(one: Played, quantity: Quantity, cell: int, lost: Estimate, minus: float, level: float) -> Row:
    """From the interval's low end with all undecided games lost to its high end with all of them won."""
    for i, partner in enumerate(one.experiment.quantities):
        if partner.bracket and partner.seat == quantity.seat and partner.measure is quantity.measure:
            won = _estimate(one, i, cell, level)
            if won.value != lost.value:
                return {"bracket_low": lost.low - minus, "bracket_high": won.high - minus}
    return {"bracket_low": None, "bracket_high": None}


def common_moments(one: Played, i: int, cells: Iterable[int] | None = None) -> tuple[Moments, int]:
    """The moments of compared quantity i, all cells in the same whole units, and the scale that divides them.

    Cells may differ in scale (rotations) and in what is taken away (players): a deal's value v becomes a v - b. Those
    that lack the quantity are 0. cells: the moments are over the deals that these have in common; all if left out.
    """
    readings = one.experiment.readings[i]
    counters = one.common(range(len(readings)) if cells is None else cells)
    told = [read for read in readings if read is not None]
    scale = math.lcm(*(math.lcm(read.scale, read.minus.denominator) for read in told))
    a = np.array([0 if read is None else scale // read.scale for read in readings], object)
    b = np.array([0 if read is None else int(read.minus * scale) for read in readings], object)
    sums, n = counters.sums[i], counters.deals
    mixed = np.outer(a * sums, b)
    cross = np.outer(a, a) * counters.cross[i] - mixed - mixed.T + np.outer(b, b) * n
    return Moments(n, a * sums - b * n, cross), scale


def _measured(one: Played, level: float) -> Iterator[tuple[Quantity, PlannedContrast, Contrast, float | None]]:
    """Every contrast of every compared measure that its cells have, and how much further from zero it leads."""
    experiment = one.experiment
    for i, quantity in enumerate(experiment.quantities[: experiment.n_compared]):
        found: dict[int, tuple[Moments, int]] = {}
        for planned in experiment.contrasts:
            if not experiment.told(planned, i):
                continue
            cells = [place for place, weight in enumerate(planned.weights) if weight]
            least = min(experiment.cells[place].run.deals for place in cells)
            if least not in found:
                found[least] = common_moments(one, i, cells)
            moments, scale = found[least]
            means = [total / (moments.deals * scale) for total in moments.sums]
            measured = contrast(moments, planned.weights, scale, level)
            yield quantity, planned, measured, _change(planned, means)


def _contrasts(one: Played, level: float) -> Iterator[Row]:
    """Every contrast of every compared measure, judged together: one family of tests for an experiment."""
    found = list(_measured(one, level))
    adjusted = holm([measured.p_value for _, _, measured, _ in found])
    for (quantity, planned, measured, change), p_value in zip(found, adjusted, strict=True):
        margin = quantity.measure.margin
        judged = verdict(measured, margin, p_value, len(found))
        yield {
            **_place(one),
            "contrast": planned.name,
            "kind": planned.kind,
            "measure": quantity.measure.name,
            "seat": quantity.seat,
            **_ends(measured.estimate),
            "p_holm": p_value,
            "margin": margin,
            "verdict": judged.word,
            "relevant": judged.relevant,
            "favour": _favour(quantity.measure, judged, change),
            "more_deals": deals_needed(measured, margin, p_value, len(found)),
            "variance_ratio": measured.variance_ratio,
            "n": measured.estimate.n,
        }


def _change(planned: PlannedContrast, means: list[float]) -> float | None:
    """How much further from zero the cells with positive weights are than the others.

    None if one side is above and the other below zero, and for an interaction, which has no such sides.
    """
    if planned.kind == "interaction":
        return None
    weights = np.array([float(weight) for weight in planned.weights])
    plus = np.average(means, weights=np.maximum(weights, 0))
    minus = np.average(means, weights=np.maximum(-weights, 0))
    return float(abs(plus) - abs(minus)) if plus * minus > 0 else None


def _favour(measure: Measure, judged: Verdict, change: float | None) -> str | None:
    """'better' or 'worse', where the measure has a wished-for direction and a difference is certain."""
    if measure.better is None or judged.word not in ("higher", "lower"):
        return None
    if measure.better != "nearer zero":
        return "better" if judged.word == measure.better else "worse"
    return None if change is None else "better" if change < 0 else "worse"


def _points(one: Played) -> Iterator[Row]:
    """Where on which curve the cells lie; estimates are among the cells, differences among the contrasts."""
    experiment = one.experiment
    for point in experiment.points:
        yield {
            **_place(one),
            "curve": point.curve,
            "level": point.level,
            "cell": experiment.cells[point.cell].name,
            "contrast": None if point.contrast is None else experiment.contrasts[point.contrast].name,
        }


def _histograms(one: Played, level: float) -> Iterator[Row]:
    """Games by the value of a column, for each cell, with percentiles."""
    for (column, cell), games in one.counters.histograms.items():
        played, deals = one.experiment.cells[cell], one.common([cell]).deals
        scale = played.run.game.column(column).scale
        values = sorted(games)
        counts = [games[value] for value in values]
        percentiles = [
            {"percent": percent, **_scaled(quantile(values, counts, percent / 100, level, deals), scale)}
            for percent in PERCENTILES
        ]
        yield {
            **_place(one),
            "cell": played.name,
            "column": column,
            "deals": deals,
            "values": values if scale == 1 else [value / scale for value in values],
            "games": counts,
            "percentiles": percentiles,
        }


def _scaled(estimate: Estimate, scale: int) -> Row:
    return {name: None if end is None else end / scale for name, end in _ends(estimate).items()}


def _survival(one: Played) -> Iterator[Row]:
    """How long the games of each cell live, and how they end: tidy, a row for each length."""
    for (name, cell), tally in one.counters.tallies.items():
        if name == SURVIVAL:
            played = one.experiment.cells[cell]
            words = played.run.game.column("status").words
            for row in survival_rows(tally, words):
                yield {**_place(one), "cell": played.name, "games": tally.total(), **row}


def _ending_tables(started: list[Played]) -> list[Row]:
    """The tables that the study asked for: what they count, and the words of their rows and columns."""
    tables = {table.name: table for one in started for table in one.experiment.endings}
    return [
        {
            "name": table.name,
            "label": table.label,
            "note": table.note,
            "rows": list(table.rows),
            "columns": list(table.columns),
            "parts": table.parts,
        }
        for table in tables.values()
    ]


def _endings(one: Played) -> Iterator[Row]:
    """What the tables count in each cell; `games` are those that the table is about."""
    for table in one.experiment.endings:
        for cell, played in enumerate(one.experiment.cells):
            if not played.solve:
                tally = one.counters.tallies[table.name, cell]
                counts = ending_counts(tally, table)
                yield {**_place(one), "cell": played.name, "table": table.name, "games": tally[GAMES], "counts": counts}
