"""A study's findings as matplotlib Figures: uncertainty drawn, a designer's words, colours that all can tell apart."""

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.report.study_lookup import Lookup, Row, seat_label
from simkit.stats import wilson

COLORS = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"
"""Okabe & Ito (2008), Color Universal Design; the strongest first."""
MARKERS = "o", "s", "D", "^", "v", "P", "X"
LINES = "-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 2)), (0, (7, 2))
SHADE = "0.90"
ACROSS = 3
"""Panels side by side."""
RARE = 0.002
"""Distributions are drawn up to the value that all but this share of games stay below."""


def charts(findings: Row) -> dict[str, Figure]:
    """All charts that the findings allow, by file name without ending, in the order in which a report shows them."""
    lookup = Lookup(findings)
    found: dict[str, Figure] = {}
    plain = [row for row in findings["contrasts"] if row["kind"] not in ("interaction", "level")]
    if plain:
        found["contrasts"] = forest(lookup, plain, "What the changes do")
    for family in dict.fromkeys(row["family"] for row in findings["histograms"]):
        for column in dict.fromkeys(row["column"] for row in findings["histograms"] if row["family"] == family):
            found[f"{column}-{family}"] = lengths(lookup, family, column)
    for family, measure in _seated(findings, lookup):
        found[f"{measure.replace('_', '-')}-{family}"] = seats(lookup, family, measure)
    for family, lineup in dict.fromkeys((row["family"], row["lineup"]) for row in findings["curves"]):
        found[f"curves-{family}-{lineup}"] = curves(lookup, family, lineup)
    crossed = [row for row in findings["contrasts"] if row["kind"] == "interaction"]
    if crossed:
        found["interactions"] = forest(lookup, crossed, "How the changes act on each other")
    return found


def _seated(findings: Row, lookup: Lookup) -> list[tuple[str, str]]:
    """(family, measure) of what is measured for each seat in families of listed cells."""
    return list(
        dict.fromkeys(
            (row["family"], row["measure"])
            for row in findings["cells"]
            if row["seat"] is not None
            and not lookup.measures[row["measure"]]["compare"]
            and lookup.families[row["family"]]["design"] == "cells"
        )
    )


def forest(lookup: Lookup, rows: Sequence[Row], title: str) -> Figure:
    """Contrasts with their intervals: a panel for each measure, a row for each contrast, a colour for each line-up.

    The shaded band holds the differences that do not matter.
    """
    order = list(lookup.measures)
    measures = sorted({(row["measure"], row["seat"]) for row in rows}, key=lambda key: order.index(key[0]))
    names = list(dict.fromkeys((row["family"], row["contrast"]) for row in rows))
    labels = [lookup.contrast({"family": family, "contrast": name})["label"] for family, name in names]
    lineups = [name for name in lookup.lineups if any(row["lineup"] == name for row in rows)]
    height = 0.26 * len(names) * max(2, len(lineups)) / 2 + 1.1
    figure, panels = _panels(len(measures), height, title, left=0.062 * max(map(len, labels)), sharey=True)
    for panel, measure in zip(panels, measures, strict=False):
        mine = [row for row in rows if (row["measure"], row["seat"]) == measure]
        factor = _factor(lookup, mine[0])
        panel.axvspan(-mine[0]["margin"] * factor, mine[0]["margin"] * factor, color=SHADE, zorder=0)
        panel.axvline(0, color="0.35", linewidth=0.8)
        for place, lineup in enumerate(lineups):
            drawn = [row for row in mine if row["lineup"] == lineup]
            shift = (place - (len(lineups) - 1) / 2) * 0.24
            heights = [names.index((row["family"], row["contrast"])) + shift for row in drawn]
            _intervals(panel, drawn, heights, factor, place, lookup.lineups[lineup], across=True)
        panel.set_title(_wrapped(lookup.measure_label(mine[0])))
        panel.set_xlabel(f"difference [{lookup.unit(mine[0], difference=True) or 'a game'}]")
        panel.grid(axis="x", color="0.93")
        panel.xaxis.set_major_locator(MaxNLocator(5))
    panels[0].set_yticks(range(len(names)), labels)
    panels[0].set_ylim(len(names) - 0.5, -0.5)
    _legend(figure, panels, _level_note(lookup, "shaded: differences too small to matter"))
    return figure


def lengths(lookup: Lookup, family: str, column: str) -> Figure:
    """How long games are: their distribution above, and below the share still going; a column for each line-up."""
    rows = [row for row in lookup.findings["histograms"] if (row["family"], row["column"]) == (family, column)]
    lineups = [name for name in lookup.lineups if any(row["lineup"] == name for row in rows)]
    label, unit = _column_words(lookup, column)
    title = f"{_capital(label)}: {lookup.families[family]['label']}"
    figure, panels = _panels(2 * len(lineups), 2.9, title, across=len(lineups))
    for place, lineup in enumerate(lineups):
        above, below = panels[place], panels[place + len(lineups)]
        mine = [row for row in rows if row["lineup"] == lineup]
        for number, row in enumerate(mine):
            values = np.array(row["values"])
            games = np.array(row["games"])
            style = {"color": COLORS[number % len(COLORS)], "linestyle": LINES[number % len(LINES)]}
            _share_band(above, values, games, row["deals"], lookup.cell_label(row), style)
            after = games.sum() - np.cumsum(games)
            _share_band(below, values, after, row["deals"], lookup.cell_label(row), style, games.sum())
        end = max(_usual_end(row) for row in mine)
        for panel in (above, below):
            panel.set_xlim(0, end)
            panel.set_ylim(bottom=0)
            panel.grid(color="0.93")
        above.set_title(lookup.lineups[lineup])
        below.set_xlabel(unit or column)
    panels[0].set_ylabel(f"games of just so many\n{unit or column} [%]")
    panels[len(lineups)].set_ylabel("games still going\nafter so many [%]")
    _legend(figure, panels, _level_note(lookup, "band"))
    return figure


def seats(lookup: Lookup, family: str, measure: str) -> Figure:
    """What each seat gets, with intervals and the fair share; a panel for each line-up, a colour for each cell."""
    rows = [row for row in lookup.findings["cells"] if (row["family"], row["measure"]) == (family, measure)]
    lineups = [name for name in lookup.lineups if any(row["lineup"] == name for row in rows)]
    players = {cell["name"]: cell["players"] for cell in lookup.families[family]["cells"]}
    title = f"{_capital(lookup.measures[measure]['label'])}: {lookup.families[family]['label']}"
    figure, panels = _panels(len(lineups), 3.2, title, across=min(ACROSS, len(lineups)), sharey=True)
    factor = 100 if lookup.measures[measure]["percent"] else 1
    for panel, lineup in zip(panels, lineups, strict=False):
        mine = [row for row in rows if row["lineup"] == lineup]
        cells = list(dict.fromkeys(row["cell"] for row in mine))
        for place, cell in enumerate(cells):
            drawn = [row for row in mine if row["cell"] == cell]
            shift = (place - (len(cells) - 1) / 2) * 0.5 / max(2, len(cells))
            places = [row["seat"] + shift for row in drawn]
            _brackets(panel, drawn, places, factor, place)
            _intervals(panel, drawn, places, factor, place, lookup.cell_label(drawn[0]), across=False)
        if len(set(players.values())) == 1:
            panel.axhline(factor / max(players.values()), color="0.35", linestyle="--", linewidth=1, label="fair share")
        most = max(row["seat"] for row in mine) + 1
        panel.set_xticks(range(most), [seat_label(seat) for seat in range(most)])
        panel.set_xlim(-0.5, most - 0.5)
        panel.set_title(lookup.lineups[lineup])
        panel.grid(axis="y", color="0.93")
        panel.margins(y=0.15)
    panels[0].set_ylabel(f"{lookup.measures[measure]['label']} [{'%' if factor == 100 else ''}]")
    _legend(figure, panels, _level_note(lookup, "bars, wider where games are undecided"))
    return figure


def curves(lookup: Lookup, family: str, lineup: str) -> Figure:
    """Each measure along each curve with its interval as a band; a panel for each measure, a colour for each curve.

    Where all curves share their reference, the shaded band holds the values that differ from it too little to matter.
    """
    points = [row for row in lookup.findings["curves"] if (row["family"], row["lineup"]) == (family, lineup)]
    cells = [row for row in lookup.findings["cells"] if (row["family"], row["lineup"]) == (family, lineup)]
    measures = [
        key
        for key in dict.fromkeys((row["measure"], row["seat"]) for row in cells)
        if lookup.measures[key[0]]["compare"]
    ]
    names = list(dict.fromkeys(row["curve"] for row in points))
    levels = list(dict.fromkeys(row["level"] for row in points))
    described = lookup.families[family]
    title = f"{_capital(described['label'])}: {lookup.lineups[lineup]}"
    figure, panels = _panels(len(measures), 2.7, title)
    for panel, (measure, seat) in zip(panels, measures, strict=False):
        by_cell = {row["cell"]: row for row in cells if (row["measure"], row["seat"]) == (measure, seat)}
        row = next(iter(by_cell.values()))
        factor = _factor(lookup, row)
        _reference_band(panel, points, by_cell, lookup.measures[measure]["margin"], factor)
        for place, name in enumerate(names):
            mine = [(point["level"], by_cell[point["cell"]]) for point in points if point["curve"] == name]
            _curve(panel, [_at(level, levels) for level, _ in mine], [cell for _, cell in mine], factor, place, name)
        if min(cell["low"] or 0.0 for cell in by_cell.values()) >= 0:
            panel.set_ylim(bottom=max(0.0, panel.get_ylim()[0]))
        if not all(_is_number(level) for level in levels):
            panel.set_xticks(range(len(levels)), map(str, levels))
        elif len(levels) <= 12:
            panel.set_xticks(levels)
        panel.set_title(_wrapped(lookup.measure_label(row)))
        panel.set_ylabel(lookup.unit(row) or "a game")
        panel.grid(color="0.93")
    for panel in panels[-min(ACROSS, len(panels)) :]:
        panel.set_xlabel(described["axis"] if len(names) > 1 else described["curves"][0]["label"])
    shared = "; shaded: too near the reference to matter" if _shared_reference(points) else ""
    _legend(figure, panels, _level_note(lookup, "bands") + shared)
    return figure


def _curve(panel: Axes, places: Sequence[float], cells: Sequence[Row], factor: float, place: int, label: str) -> None:
    color = COLORS[place % len(COLORS)]
    values = [cell["estimate"] * factor for cell in cells]
    if all(cell["low"] is not None for cell in cells):
        ends = [[cell[end] * factor for cell in cells] for end in ("low", "high")]
        panel.fill_between(places, *ends, color=color, alpha=0.22, linewidth=0)
    style = {"color": color, "marker": MARKERS[place % len(MARKERS)], "linestyle": LINES[place % len(LINES)]}
    panel.plot(places, values, label=label, markersize=4, linewidth=1.4, **style)


def _shared_reference(points: Sequence[Row]) -> str | None:
    """The one cell that is the reference of all curves, if there is one."""
    references = {point["cell"] for point in points if point["contrast"] is None}
    return references.pop() if len(references) == 1 else None


def _reference_band(panel: Axes, points: Sequence[Row], by_cell: dict[str, Row], margin: float, factor: float) -> None:
    reference = _shared_reference(points)
    if reference is not None:
        middle = by_cell[reference]["estimate"]
        panel.axhspan((middle - margin) * factor, (middle + margin) * factor, color=SHADE, zorder=0)


def _intervals(
    panel: Axes, rows: Sequence[Row], places: Sequence[float], factor: float, number: int, label: str, across: bool
) -> None:
    """Points with their intervals, across or upright."""
    values = np.array([row["estimate"] * factor for row in rows])
    ends = [[_or(row[end], row["estimate"]) * factor for row in rows] for end in ("low", "high")]
    errors = np.abs(np.array(ends) - values)
    style = {
        "color": COLORS[number % len(COLORS)],
        "marker": MARKERS[number % len(MARKERS)],
        "linestyle": "none",
        "markersize": 4.5,
        "elinewidth": 1.6,
        "capsize": 2.5,
    }
    if across:
        panel.errorbar(values, places, xerr=errors, label=label, **style)
    else:
        panel.errorbar(places, values, yerr=errors, label=label, **style)


def _brackets(panel: Axes, rows: Sequence[Row], places: Sequence[float], factor: float, number: int) -> None:
    """Thin lines from all undecided games lost to all of them won."""
    for row, place in zip(rows, places, strict=True):
        if row["bracket_low"] is not None:
            ends = [row["bracket_low"] * factor, row["bracket_high"] * factor]
            panel.plot([place, place], ends, color=COLORS[number % len(COLORS)], linewidth=0.8)


def _share_band(
    panel: Axes, values: np.ndarray, games: np.ndarray, deals: int, label: str, style: dict, total: int | None = None
) -> None:
    """The share of games at each value, in per cent, with Wilson's interval over deals as a band."""
    total = int(games.sum()) if total is None else int(total)
    shares = games / total
    ends = [wilson(min(1.0, share) * deals, deals) for share in shares]
    low, high = ([100 * getattr(end, name) for end in ends] for name in ("low", "high"))
    panel.plot(values, 100 * shares, label=label, linewidth=1.3, **style)
    panel.fill_between(values, low, high, color=style["color"], alpha=0.25, linewidth=0)


def _usual_end(row: Row) -> float:
    """The value that all but a few rare games stay below."""
    games = np.cumsum(row["games"])
    return float(row["values"][int(np.searchsorted(games, (1 - RARE) * games[-1]))])


def _column_words(lookup: Lookup, column: str) -> tuple[str, str]:
    """The label and unit of the measure that is the mean of a column, or the column's name."""
    for measure in lookup.measures.values():
        if measure["column"] == column and not measure["percent"]:
            return measure["label"], measure["unit"]
    return column, column


def _panels(
    count: int, height: float, title: str, across: int = ACROSS, left: float = 0.0, sharey: bool = False
) -> tuple[Figure, list[Axes]]:
    """A figure with so many panels, each so many inches high; `left` leaves room for long row labels."""
    across = min(across, count)
    down = ceil(count / across)
    figure = Figure(figsize=(left + 3.5 * across + 0.4, height * down + 1.1), layout="constrained")
    grid = figure.subplots(down, across, sharey=sharey, squeeze=False)
    panels = list(grid.flat)
    for spare in panels[count:]:
        spare.set_visible(False)
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
        panel.title.set_fontsize(10)
    figure.suptitle(title, fontsize=13, fontweight="bold")
    return figure, panels[:count]


def _legend(figure: Figure, panels: Iterable[Axes], note: str) -> None:
    """One legend under all panels, each label once, and a note on how to read the chart."""
    found: dict[str, Any] = {}
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    width = figure.get_size_inches()[0]
    columns = max(1, min(len(found), int(width * 9 / max(map(len, found)) / 1.2)))
    figure.legend(
        found.values(), found.keys(), loc="outside lower center", ncols=columns, frameon=False, title=note
    ).get_title().set_fontsize(9)


def _level_note(lookup: Lookup, what: str) -> str:
    partial = "" if lookup.findings["complete"] else "; PARTIAL: the study was stopped early"
    return f"{100 * lookup.findings['level']:g} % intervals ({what}){partial}"


def _factor(lookup: Lookup, row: Row) -> float:
    return 100.0 if lookup.measures[row["measure"]]["percent"] else 1.0


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _wrapped(text: str, width: int = 34) -> str:
    from textwrap import fill

    return fill(text, width)


def _is_number(level: Any) -> bool:
    return isinstance(level, int | float) and not isinstance(level, bool)


def _at(level: Any, levels: list) -> float:
    """Where a level stands on the axis: at its value, or in line if levels are words."""
    return level if all(map(_is_number, levels)) else levels.index(level)


def _or(value: float | None, other: float) -> float:
    return other if value is None else value
