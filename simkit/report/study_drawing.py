"""What the charts of a study have in common: panels, a legend, colours that all can tell apart, bands."""

from collections.abc import Iterable, Sequence
from math import ceil
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.report.study_lookup import Lookup, Row
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


def panels_for(
    count: int,
    height: float,
    title: str,
    across: int = ACROSS,
    left: float = 0.0,
    sharey: bool = False,
    width: float = 3.5,
) -> tuple[Figure, list[Axes]]:
    """A figure with so many panels, each so many inches high and wide; `left` leaves room for long row labels."""
    across = min(across, count)
    down = ceil(count / across)
    figure = Figure(figsize=(left + width * across + 0.4, height * down + 1.1), layout="constrained")
    grid = figure.subplots(down, across, sharey=sharey, squeeze=False)
    panels = list(grid.flat)
    for spare in panels[count:]:
        spare.set_visible(False)
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
        panel.title.set_fontsize(10)
    headline(figure, title)
    return figure, panels[:count]


def headline(figure: Figure, title: str) -> None:
    """Write the title over the figure, in lines as long as it is wide."""
    figure.suptitle(wrapped(title, int(figure.get_size_inches()[0] * 8)), fontsize=13, fontweight="bold")


def legend(figure: Figure, panels: Iterable[Axes], note: str) -> None:
    """One legend under all panels, each label once, and a note on how to read the chart."""
    panels, found = list(panels), {}
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    width = figure.get_size_inches()[0]
    columns = max(1, min(len(found), int(width * 9 / max(map(len, found)) / 1.2)))
    figure.legend(
        found.values(), found.keys(), loc="outside lower center", ncols=columns, frameon=False, title=note
    ).get_title().set_fontsize(9)


def level_note(lookup: Lookup, what: str) -> str:
    """What the intervals are, and whether the study is partial."""
    partial = "" if lookup.findings["complete"] else "; PARTIAL: the study was stopped early"
    return f"{100 * lookup.findings['level']:g} % intervals ({what}){partial}"


def factor_of(lookup: Lookup, row: Row) -> float:
    """What a measure's numbers are multiplied by to be shown."""
    return 100.0 if lookup.measures[row["measure"]]["percent"] else 1.0


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def wrapped(text: str, width: int = 34) -> str:
    """The text in lines of so many letters."""
    return fill(text, width)


def is_number(level: Any) -> bool:
    """Whether a level is a number."""
    return isinstance(level, int | float) and not isinstance(level, bool)


def place_of(level: Any, levels: list) -> float:
    """Where a level stands on the axis: at its value, or in line if levels are words."""
    return level if all(map(is_number, levels)) else levels.index(level)


def or_other(value: float | None, other: float) -> float:
    """The value, or the other where there is none."""
    return other if value is None else value


def style_of(number: int) -> dict[str, Any]:
    """A colour and a line, different for several times as many as there are colours."""
    again = number // len(COLORS)
    return {"color": COLORS[number % len(COLORS)], "linestyle": LINES[(number + again) % len(LINES)]}


def intervals(
    panel: Axes, rows: Sequence[Row], places: Sequence[float], factor: float, number: int, label: str, across: bool
) -> None:
    """Points with their intervals, across or upright."""
    values = np.array([row["estimate"] * factor for row in rows])
    ends = [[or_other(row[end], row["estimate"]) * factor for row in rows] for end in ("low", "high")]
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


def brackets(
    panel: Axes, rows: Sequence[Row], places: Sequence[float], factor: float, number: int, across: bool = False
) -> None:
    """Thin lines from all undecided games lost to all of them won."""
    for row, place in zip(rows, places, strict=True):
        if row["bracket_low"] is not None:
            ends = [row["bracket_low"] * factor, row["bracket_high"] * factor]
            line = (ends, [place, place]) if across else ([place, place], ends)
            panel.plot(*line, color=COLORS[number % len(COLORS)], linewidth=0.8)


def share_band(
    panel: Axes, values: np.ndarray, games: np.ndarray, deals: int, label: str, style: dict, total: int | None = None
) -> None:
    """The share of games at each value, in per cent, with Wilson's interval over deals as a band."""
    total = int(games.sum()) if total is None else int(total)
    shares = games / total
    ends = [wilson(min(1.0, share) * deals, deals) for share in shares]
    low, high = ([100 * getattr(end, name) for end in ends] for name in ("low", "high"))
    panel.plot(values, 100 * shares, label=label, linewidth=1.3, **style)
    panel.fill_between(values, low, high, color=style["color"], alpha=0.25, linewidth=0)


def usual_end(row: Row) -> float:
    """The value that all but a few rare games stay below."""
    games = np.cumsum(row["games"])
    return float(row["values"][int(np.searchsorted(games, (1 - RARE) * games[-1]))])


def column_words(lookup: Lookup, column: str) -> tuple[str, str]:
    """The label and unit of the measure that is the mean of a column, or what the column means."""
    for measure in lookup.measures.values():
        if measure["column"] == column and not measure["percent"]:
            return measure["label"], measure["unit"]
    meaning = lookup.findings["columns"].get(column, column)
    return meaning, meaning
