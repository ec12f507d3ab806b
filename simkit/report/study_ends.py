"""Charts of how long games live, what they end with, and how lost ones ended: for solitaires most of all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.report.study_drawing import (
    COLORS,
    capital,
    column_words,
    headline,
    legend,
    level_note,
    panels_for,
    share_band,
    style_of,
)
from simkit.report.study_lookup import Lookup, Row
from simkit.report.study_telling import FEW_GAMES

REFERENCE = {"color": "0.15", "linestyle": "-"}
SHADES = colormaps["viridis"]
MAPS_ACROSS = 12


def survival(lookup: Lookup, family: str) -> Figure:
    """The share of games that are not lost after each step; where it ends is the share that is won.

    Cells that are all in one panel have a second one: the share of games still being played.
    """
    rows = [row for row in lookup.findings["survival"] if row["family"] == family]
    steps = np.arange(max(row["after"] for row in rows) + 1)
    axis, _ = column_words(lookup, lookup.findings["length"])
    views = [_View("not lost [%]", axis, lambda panel, *drawn: _draw_alive(panel, steps, *drawn))]
    if len(lookup.groups(family)) == 1:
        views.append(_View("still being played [%]", axis, lambda panel, *drawn: _draw_going(panel, steps, *drawn)))
    title = f"How long games live: {lookup.families[family]['label']}"
    return _by_group(lookup, family, rows, title, views)


def _draw_alive(panel: Axes, steps: np.ndarray, rows: Sequence[Row], label: str, style: dict) -> None:
    won = next(iter(rows[0]["ended"]))
    lost = np.cumsum([sum(row["ended"].values()) - row["ended"][won] for row in rows])
    games = rows[0]["games"]
    share_band(panel, steps, games - _longer(lost, len(steps)), games, label, style, games)


def _draw_going(panel: Axes, steps: np.ndarray, rows: Sequence[Row], label: str, style: dict) -> None:
    going, games = np.array([row["going"] for row in rows]), rows[0]["games"]
    share_band(panel, steps, _longer(going, len(steps)), games, label, style, games)


def _longer(values: np.ndarray, count: int) -> np.ndarray:
    """The values, the last of them repeated until there are so many."""
    return np.concatenate([values, np.repeat(values[-1], count - len(values))])


def spread(lookup: Lookup, family: str, column: str) -> Figure:
    """The share of games with so many of a column, or more; in a second panel, if there is room, of just so many."""
    rows = [row for row in lookup.findings["histograms"] if (row["family"], row["column"]) == (family, column)]
    values = np.unique(np.concatenate([row["values"] for row in rows]))
    name, unit = column_words(lookup, column)

    def draw(panel: Axes, mine: Sequence[Row], label: str, style: dict, exact: bool) -> None:
        games = dict(zip(mine[0]["values"], mine[0]["games"], strict=True))
        counts = np.array([games.get(value, 0) for value in values.tolist()])
        shown = counts if exact else counts[::-1].cumsum()[::-1]
        # All games have the least value or more; and it may be most of them, beside which no other would be seen.
        share_band(panel, values[1:], shown[1:], mine[0]["deals"], label, style, counts.sum())

    views = [_View("so many or more [%]", unit or column, lambda panel, *drawn: draw(panel, *drawn, exact=False))]
    if len(lookup.groups(family)) == 1:
        label = f"just so many, above {values[0]:g} [%]"
        views.append(_View(label, unit or column, lambda panel, *drawn: draw(panel, *drawn, exact=True), whole=False))
    return _by_group(lookup, family, rows, f"{capital(name)}: {lookup.families[family]['label']}", views)


@dataclass(frozen=True)
class _View:
    """A way to show cells in a panel: labels of both axes, what draws a cell, and whether the axis shows 0 to 100."""

    label: str
    axis: str
    draw: Callable[[Axes, Sequence[Row], str, dict], None]
    whole: bool = True


def _by_group(lookup: Lookup, family: str, rows: Sequence[Row], title: str, views: Sequence[_View]) -> Figure:
    """A row of panels for each group of cells, a column for each view and line-up.

    The reference is in every panel of a group.
    """
    groups = lookup.groups(family)
    lineups = [name for name in lookup.lineups if any(row["lineup"] == name for row in rows)]
    columns = [(view, lineup) for view in views for lineup in lineups]
    size = {"height": 1.9, "width": 3.3} if len(groups) > 1 else {"height": 3.9, "width": 5.2}
    figure, panels = panels_for(len(groups) * len(columns), title=title, across=len(columns), **size)
    for number, panel in enumerate(panels):
        group, cells = list(groups.items())[number // len(columns)]
        view, lineup = columns[number % len(columns)]
        _draw_cells(lookup, panel, [row for row in rows if row["lineup"] == lineup], cells, view, family)
        first, last = number % len(columns) == 0, number % len(columns) == len(columns) - 1
        if number < len(columns) and len(lineups) > 1:
            panel.set_title(lookup.lineups[lineup])
        if first or len(views) > 1:
            panel.set_ylabel(f"{fill(group, 20)}\n{view.label}" if group else view.label, fontsize=9)
        if number >= len(panels) - len(columns):
            panel.set_xlabel(view.axis)
        if last and len(groups) > 1:
            panel.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False, fontsize=8)
    if len(groups) > 1:
        figure.supxlabel(level_note(lookup, "band"), fontsize=9)
    else:
        legend(figure, panels, level_note(lookup, "band"))
    return figure


def _draw_cells(
    lookup: Lookup, panel: Axes, rows: Sequence[Row], cells: Sequence[tuple[str, str]], view: _View, family: str
) -> None:
    styles = _styles(lookup, family, len(cells))
    for (cell, label), style in zip(cells, styles, strict=True):
        mine = [row for row in rows if row["cell"] == cell]
        if mine:
            view.draw(panel, mine, label, style)
    panel.set_xlim(left=min(0, panel.dataLim.x0))
    if view.whole:
        panel.set_ylim(-3, 103)
    else:
        panel.set_ylim(bottom=0)
    panel.grid(color="0.93")


def _styles(lookup: Lookup, family: str, count: int) -> list[dict[str, Any]]:
    """The reference dark; levels of a curve from dark to light; other cells in colours that all can tell apart."""
    if len(lookup.groups(family)) == 1:
        return [style_of(number) for number in range(count)]
    if lookup.families[family]["design"] == "curves":
        shades = [SHADES(place) for place in np.linspace(0.1, 0.95, count - 1)]
        return [REFERENCE, *({"color": shade, "linestyle": "-"} for shade in shades)]
    return [REFERENCE, *(style_of(number) for number in range(count - 1))]


def ends_on_maps(lookup: Lookup, family: str, table: str) -> Figure:
    """A table as maps: a block for each cell, in it a map for each line-up, darker where the share is larger."""
    described = lookup.endings[table]
    rows, cells, lineups = _ends(lookup, family, table)
    across = max(1, min(len(cells), MAPS_ACROSS // len(lineups)))
    down = -(-len(cells) // across)
    figure = Figure(figsize=(1.4 * across * len(lineups) + 0.3, 1.9 * down + 1.2), layout="constrained")
    headline(figure, _ends_title(lookup, family, table))
    figure.supxlabel(_ends_note(lookup, described, figure), fontsize=9)
    blocks = figure.subfigures(down, across, squeeze=False)
    most = max(_shares(row, described).max() for row in rows)
    for block, (cell, label) in zip(blocks.flat, cells.items(), strict=False):
        panels = block.subplots(1, len(lineups), squeeze=False)[0]
        if len(lineups) > 1:
            block.suptitle(label, fontsize=10)
        for panel, lineup in zip(panels, lineups, strict=True):
            found = [row for row in rows if (row["cell"], row["lineup"]) == (cell, lineup)]
            _map(panel, _shares(found[0], described) if found else None, most)
            games = f"{found[0]['games']:,} games" if found else f"under {FEW_GAMES} games"
            panel.set_title(f"{lookup.lineups[lineup] if len(lineups) > 1 else label}\n{games}", fontsize=8)
    return figure


def _ends(lookup: Lookup, family: str, table: str) -> tuple[list[Row], dict[str, str], list[str]]:
    """Rows of a table that are about enough games to be shown, and the cells (name: label) and line-ups in them."""
    wanted = family, table
    rows = [row for row in lookup.findings["endings"] if (row["family"], row["table"]) == wanted]
    rows = [row for row in rows if row["games"] >= FEW_GAMES]
    cells = {
        cell["name"]: f"{cell['group']}: {cell['label']}" if cell["group"] else cell["label"]
        for cell in lookup.families[family]["cells"]
        if any(row["cell"] == cell["name"] for row in rows)
    }
    return rows, cells, [name for name in lookup.lineups if any(row["lineup"] == name for row in rows)]


def _ends_title(lookup: Lookup, family: str, table: str) -> str:
    return f"{capital(lookup.endings[table]['label'])}: {lookup.families[family]['label']}"


def _shares(row: Row, table: Row) -> np.ndarray:
    """A table's shares of the games that it is about, in per cent."""
    return 100 * np.array(row["counts"], float) / (table["parts"] * row["games"])


def _map(panel: Axes, shares: np.ndarray | None, most: float) -> None:
    """Shares as a map with its numbers; an empty frame where too few games were lost."""
    panel.set_xticks([])
    panel.set_yticks([])
    panel.spines[:].set_color("0.8")
    panel.set_aspect("equal", adjustable="box")
    if shares is None:
        return
    panel.imshow(shares, cmap="Blues", vmin=0, vmax=most or 1.0)
    for (down, across), share in np.ndenumerate(shares):
        shade = "white" if share > 0.6 * most else "0.15"
        panel.text(across, down, f"{share:.0f}", ha="center", va="center", fontsize=8, color=shade)


def _ends_note(lookup: Lookup, table: Row, figure: Figure) -> str:
    """What is counted, in lines as long as the figure is wide, and whether the study is partial."""
    partial = "" if lookup.findings["complete"] else "; PARTIAL: the study was stopped early"
    return fill(f"In per cent: {table['note']}{partial}.", int(figure.get_size_inches()[0] * 13))


def ends_in_bars(lookup: Lookup, family: str, table: str) -> Figure:
    """A table of one row as bars: a panel for each cell, a colour for each line-up."""
    described = lookup.endings[table]
    rows, cells, lineups = _ends(lookup, family, table)
    used = int(np.flatnonzero(sum(np.array(row["counts"][0]) for row in rows)).max()) + 1
    title, width = _ends_title(lookup, family, table), 0.8 / len(lineups)
    figure, panels = panels_for(len(cells), 1.8, title, across=min(5, len(cells)), sharey=True, width=2.5)
    for panel, (cell, label) in zip(panels, cells.items(), strict=True):
        mine = {row["lineup"]: row for row in rows if row["cell"] == cell}
        for place, lineup in enumerate(lineups):
            if lineup in mine:
                places = np.arange(used) + (place - (len(lineups) - 1) / 2) * width
                shares = _shares(mine[lineup], described)[0, :used]
                panel.bar(places, shares, width, color=COLORS[place % len(COLORS)], label=lookup.lineups[lineup])
        games = ", ".join(f"{row['games']:,}" for row in mine.values())
        panel.set_title(f"{label}\n({games} games)", fontsize=9)
        panel.set_xticks(range(used), described["columns"][:used], fontsize=8)
        panel.grid(axis="y", color="0.93")
        panel.set_axisbelow(True)
    for panel in panels[:: min(5, len(cells))]:
        panel.set_ylabel("%")
    note = _ends_note(lookup, described, figure)
    if len(lineups) > 1:
        legend(figure, panels, note)
    else:
        figure.supxlabel(note, fontsize=9)
    return figure


def enough_ended(lookup: Lookup, family: str, table: str) -> bool:
    """Whether enough games were lost for a chart of the table."""
    return bool(_ends(lookup, family, table)[0])
