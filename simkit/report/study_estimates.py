"""Charts of the cells' own figures, all line-ups together: a row for each cell, or along the levels of curves."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.report.study_drawing import (
    COLORS,
    LINES,
    MARKERS,
    brackets,
    capital,
    factor_of,
    intervals,
    is_number,
    legend,
    level_note,
    panels_for,
    place_of,
    wrapped,
)
from simkit.report.study_lookup import Lookup, Row

CLOSE = 0.05
"""Levels nearer than this part of the axis would write over each other; such an axis has plain ticks."""
NOTE = "bars; thin lines: from all undecided deals lost to all of them won"


def estimates(lookup: Lookup, family: str) -> Figure:
    """A row for each cell, a panel for each compared measure, a colour for each line-up.

    Where cells have groups, the dotted lines show the first cell, with which the others are compared.
    """
    described = lookup.families[family]
    measures, lineups = _compared(lookup, family), lookup.playing(family, "cells")
    labels = {cell["name"]: _row_label(cell) for cell in described["cells"]}
    height = 0.2 * len(labels) * max(2, len(lineups)) * 0.75 + 0.8
    left = 0.062 * max(map(len, labels.values()))
    width = 4.2 if len(lineups) > 1 else 5.2
    figure, panels = panels_for(len(measures), height, capital(described["label"]), left=left, sharey=True, width=width)
    for panel, measure in zip(panels, measures, strict=True):
        for stripe in range(0, len(labels), 2):
            panel.axhspan(stripe - 0.5, stripe + 0.5, color="0.965", zorder=0)
        for place, lineup in enumerate(lineups):
            rows = _rows(lookup, family, lineup, measure)
            shift = (place - (len(lineups) - 1) / 2) * 0.62 / max(2, len(lineups))
            _row_of_dots(lookup, panel, rows, list(labels), place, shift)
            if any(cell["group"] for cell in described["cells"]):
                first = rows[0]["estimate"] * factor_of(lookup, rows[0])
                panel.axvline(first, color=COLORS[place], linestyle=":", linewidth=0.9, zorder=0)
            if len(lineups) == 1:
                _write_values(lookup, panel, rows, list(labels))
        _finish(lookup, panel, rows[0])
    panels[0].set_yticks(range(len(labels)), labels.values())
    panels[0].set_ylim(len(labels) - 0.5, -0.5)
    if len(lineups) > 1:
        legend(figure, panels, level_note(lookup, NOTE))
    else:
        figure.supxlabel(level_note(lookup, NOTE), fontsize=9)
    return figure


def _row_label(cell: Row) -> str:
    return f"{cell['group']}: {cell['label']}" if cell["group"] else cell["label"]


def _compared(lookup: Lookup, family: str) -> list[tuple[str, int | None]]:
    """(measure, seat) of the compared measures that the family's cells have."""
    rows = [row for row in lookup.findings["cells"] if row["family"] == family]
    found = dict.fromkeys((row["measure"], row["seat"]) for row in rows)
    return [key for key in found if lookup.measures[key[0]]["compare"]]


def _rows(lookup: Lookup, family: str, lineup: str, measure: tuple[str, int | None]) -> list[Row]:
    return [
        row
        for row in lookup.findings["cells"]
        if (row["family"], row["lineup"], (row["measure"], row["seat"])) == (family, lineup, measure)
    ]


def _row_of_dots(lookup: Lookup, panel: Axes, rows: list[Row], names: list[str], place: int, shift: float) -> None:
    heights = [names.index(row["cell"]) + shift for row in rows]
    factor, label = factor_of(lookup, rows[0]), lookup.lineups[rows[0]["lineup"]]
    brackets(panel, rows, heights, factor, place, across=True)
    intervals(panel, rows, heights, factor, place, label, across=True)


def _write_values(lookup: Lookup, panel: Axes, rows: list[Row], names: list[str]) -> None:
    """The figures themselves, right of the panel, with the deals that they are from."""
    style = {"xycoords": ("axes fraction", "data"), "va": "center", "fontsize": 8, "color": "0.25"}
    for row in rows:
        deals = f"{row['n']:,} deals"
        panel.annotate(f"{_value_text(lookup, row)}\n{deals}", (1.02, names.index(row["cell"])), **style)


def _value_text(lookup: Lookup, row: Row) -> str:
    """An estimate with its interval, or with the bracket if games are undecided."""
    low, high = (_end(row, name) for name in ("low", "high"))
    return f"{lookup.number(row, row['estimate'])} ({lookup.number(row, low)} to {lookup.number(row, high)})"


def _finish(lookup: Lookup, panel: Axes, row: Row) -> None:
    panel.set_title(wrapped(lookup.measure_label(row), 44))
    panel.set_xlabel(lookup.unit(row) or "a game")
    panel.grid(axis="x", color="0.93")
    low, high = panel.get_xlim()
    if lookup.measures[row["measure"]]["percent"] and low < 20 and high > 80:
        panel.set_xlim(-3, 103)


def levels(lookup: Lookup, family: str) -> Figure:
    """A row of panels for each curve, a panel for each compared measure, a colour for each line-up; bands."""
    described = lookup.families[family]
    measures, lineups = _compared(lookup, family), lookup.playing(family, "cells")
    count = len(described["curves"]) * len(measures)
    figure, panels = panels_for(count, 2.4, capital(described["label"]), across=len(measures), width=4.6)
    for number, panel in enumerate(panels):
        curve, measure = described["curves"][number // len(measures)], measures[number % len(measures)]
        for place, lineup in enumerate(lineups):
            rows = {row["cell"]: row for row in _rows(lookup, family, lineup, measure)}
            _line(lookup, panel, _points(lookup, family, lineup, curve["name"]), rows, place)
        row = next(iter(rows.values()))
        panel.axvline(_reference(lookup, family, curve), color="0.6", linestyle=":", linewidth=1, zorder=0)
        panel.set_xlabel(f"{curve['label']} (dotted: {curve['reference']})")
        panel.set_ylabel(lookup.unit(row) or "a game")
        panel.grid(color="0.93")
        if number < len(measures):
            panel.set_title(wrapped(lookup.measure_label(row), 44))
        if lookup.measures[row["measure"]]["percent"]:
            panel.set_ylim(-4, 104)
    legend(figure, panels, level_note(lookup, "bands; up to all undecided deals won"))
    return figure


def _points(lookup: Lookup, family: str, lineup: str, curve: str) -> dict[object, str]:
    """The cell at each level of a curve."""
    rows = [row for row in lookup.findings["curves"] if (row["family"], row["lineup"]) == (family, lineup)]
    return {row["level"]: row["cell"] for row in rows if row["curve"] == curve}


def _reference(lookup: Lookup, family: str, curve: Row) -> float:
    rows = [row for row in lookup.findings["curves"] if (row["family"], row["curve"]) == (family, curve["name"])]
    return place_of(curve["reference"], list(dict.fromkeys(row["level"] for row in rows)))


def _line(lookup: Lookup, panel: Axes, points: dict[object, str], rows: dict[str, Row], place: int) -> None:
    places = [place_of(level, list(points)) for level in points]
    mine = [rows[cell] for cell in points.values()]
    factor, color = factor_of(lookup, mine[0]), COLORS[place % len(COLORS)]
    low = [factor * _end(row, "low") for row in mine]
    high = [factor * _end(row, "high") for row in mine]
    panel.fill_between(places, low, high, color=color, alpha=0.22, linewidth=0)
    style = {"marker": MARKERS[place % len(MARKERS)], "linestyle": LINES[place % len(LINES)], "markersize": 4}
    values = [factor * row["estimate"] for row in mine]
    panel.plot(places, values, color=color, linewidth=1.4, label=lookup.lineups[mine[0]["lineup"]], **style)
    if not all(map(is_number, points)):
        panel.set_xticks(places, map(str, points))
    elif min(np.diff(sorted(places)), default=0) > CLOSE * (max(places) - min(places)):
        panel.set_xticks(places)


def _end(row: Row, name: str) -> float:
    """An end of the bracket if games are undecided, else of the interval, else the value itself."""
    return next(value for value in (row[f"bracket_{name}"], row[name], row["estimate"]) if value is not None)
