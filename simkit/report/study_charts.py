"""A study's findings as matplotlib Figures: uncertainty drawn, a designer's words, colours that all can tell apart."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.report.study_drawing import (
    ACROSS,
    COLORS,
    LINES,
    MARKERS,
    SHADE,
    brackets,
    capital,
    column_words,
    factor_of,
    intervals,
    is_number,
    legend,
    level_note,
    panels_for,
    place_of,
    share_band,
    usual_end,
    wrapped,
)
from simkit.report.study_ends import ends_in_bars, ends_on_maps, enough_ended, spread, survival
from simkit.report.study_estimates import estimates, levels
from simkit.report.study_lookup import Lookup, Row


def charts(findings: Row) -> dict[str, Figure]:
    """All charts that the findings allow, by file name without ending, in the order in which a report shows them."""
    lookup = Lookup(findings)
    found: dict[str, Figure] = {}
    plain = [row for row in _differing(lookup) if row["kind"] not in ("interaction", "level")]
    if plain:
        found["contrasts"] = forest(lookup, plain, "What the changes do")
    for family in lookup.families:
        found |= _of_family(lookup, family)
    for family, measure in _seated(findings, lookup):
        found[f"{measure.replace('_', '-')}-{family}"] = seats(lookup, family, measure)
    for family, lineup in dict.fromkeys((row["family"], row["lineup"]) for row in findings["curves"]):
        if lookup.families[family]["chart"] == "differences":
            found[f"curves-{family}-{lineup}"] = curves(lookup, family, lineup)
    crossed = [row for row in findings["contrasts"] if row["kind"] == "interaction"]
    if crossed:
        found["interactions"] = forest(lookup, crossed, "How the changes act on each other")
    return found


def _differing(lookup: Lookup) -> list[Row]:
    """The contrasts of families whose main chart shows differences."""
    return [row for row in lookup.findings["contrasts"] if lookup.families[row["family"]]["chart"] == "differences"]


def _of_family(lookup: Lookup, family: str) -> dict[str, Figure]:
    """What is shown of a family by itself: its cells' own figures, distributions, how games live and end."""
    findings, found = lookup.findings, {}
    described = lookup.families[family]
    if described["chart"] == "estimates" and any(row["family"] == family for row in findings["cells"]):
        found[f"estimates-{family}"] = (levels if described["design"] == "curves" else estimates)(lookup, family)
    if any(row["family"] == family for row in findings["survival"]):
        found[f"survival-{family}"] = survival(lookup, family)
    for column in dict.fromkeys(row["column"] for row in findings["histograms"] if row["family"] == family):
        draw = lengths if column == findings["length"] else spread
        found[f"{column}-{family}"] = draw(lookup, family, column)
    for table in dict.fromkeys(row["table"] for row in findings["endings"] if row["family"] == family):
        draw = ends_on_maps if len(lookup.endings[table]["rows"]) > 1 else ends_in_bars
        if enough_ended(lookup, family, table):
            found[f"{table.replace('_', '-')}-{family}"] = draw(lookup, family, table)
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
    labels = _labels(lookup, names)
    lineups = [name for name in lookup.lineups if any(row["lineup"] == name for row in rows)]
    lines = [line for label in labels for line in label.split("\n")]
    height = 0.14 * max(len(names) * max(2, len(lineups)), 1.1 * len(lines)) + 1.1
    figure, panels = panels_for(len(measures), height, title, left=0.062 * max(map(len, lines)), sharey=True)
    for panel, measure in zip(panels, measures, strict=False):
        mine = [row for row in rows if (row["measure"], row["seat"]) == measure]
        factor = factor_of(lookup, mine[0])
        panel.axvspan(-mine[0]["margin"] * factor, mine[0]["margin"] * factor, color=SHADE, zorder=0)
        panel.axvline(0, color="0.35", linewidth=0.8)
        for place, lineup in enumerate(lineups):
            drawn = [row for row in mine if row["lineup"] == lineup]
            shift = (place - (len(lineups) - 1) / 2) * 0.24
            heights = [names.index((row["family"], row["contrast"])) + shift for row in drawn]
            intervals(panel, drawn, heights, factor, place, lookup.lineups[lineup], across=True)
        panel.set_title(wrapped(lookup.measure_label(mine[0])))
        panel.set_xlabel(f"difference [{lookup.unit(mine[0], difference=True) or 'a game'}]")
        panel.grid(axis="x", color="0.93")
        panel.xaxis.set_major_locator(MaxNLocator(5))
    panels[0].set_yticks(range(len(names)), labels)
    panels[0].set_ylim(len(names) - 0.5, -0.5)
    legend(figure, panels, level_note(lookup, "shaded: differences too small to matter"))
    return figure


def _labels(lookup: Lookup, names: Sequence[tuple[str, str]]) -> list[str]:
    """What contrasts (family, name) are called in a chart; with their family where another has one called the same."""
    labels = [lookup.contrast({"family": family, "contrast": name})["label"] for family, name in names]
    return [
        wrapped(f"{lookup.families[family]['label']}: {label}", 60) if labels.count(label) > 1 else label
        for (family, _), label in zip(names, labels, strict=True)
    ]


def lengths(lookup: Lookup, family: str, column: str) -> Figure:
    """How long games are: their distribution above, and below the share still going; a column for each line-up."""
    rows = [row for row in lookup.findings["histograms"] if (row["family"], row["column"]) == (family, column)]
    lineups = [name for name in lookup.lineups if any(row["lineup"] == name for row in rows)]
    label, unit = column_words(lookup, column)
    title = f"{capital(label)}: {lookup.families[family]['label']}"
    figure, panels = panels_for(2 * len(lineups), 2.9, title, across=len(lineups))
    for place, lineup in enumerate(lineups):
        above, below = panels[place], panels[place + len(lineups)]
        mine = [row for row in rows if row["lineup"] == lineup]
        for number, row in enumerate(mine):
            values = np.array(row["values"])
            games = np.array(row["games"])
            style = {"color": COLORS[number % len(COLORS)], "linestyle": LINES[number % len(LINES)]}
            share_band(above, values, games, row["deals"], lookup.cell_label(row), style)
            after = games.sum() - np.cumsum(games)
            share_band(below, values, after, row["deals"], lookup.cell_label(row), style, games.sum())
        end = max(usual_end(row) for row in mine)
        for panel in (above, below):
            panel.set_xlim(0, end)
            panel.set_ylim(bottom=0)
            panel.grid(color="0.93")
        above.set_title(lookup.lineups[lineup])
        below.set_xlabel(unit or column)
    panels[0].set_ylabel(f"games of just so many\n{unit or column} [%]")
    panels[len(lineups)].set_ylabel("games still going\nafter so many [%]")
    legend(figure, panels, level_note(lookup, "band"))
    return figure


def seats(lookup: Lookup, family: str, measure: str) -> Figure:
    """What each seat gets, with intervals and the fair share; a panel for each line-up, a colour for each cell."""
    rows = [row for row in lookup.findings["cells"] if (row["family"], row["measure"]) == (family, measure)]
    lineups = [name for name in lookup.lineups if any(row["lineup"] == name for row in rows)]
    players = {cell["name"]: cell["players"] for cell in lookup.families[family]["cells"]}
    title = f"{capital(lookup.measures[measure]['label'])}: {lookup.families[family]['label']}"
    figure, panels = panels_for(len(lineups), 3.2, title, across=min(ACROSS, len(lineups)), sharey=True)
    factor = 100 if lookup.measures[measure]["percent"] else 1
    for panel, lineup in zip(panels, lineups, strict=False):
        mine = [row for row in rows if row["lineup"] == lineup]
        cells = list(dict.fromkeys(row["cell"] for row in mine))
        for place, cell in enumerate(cells):
            drawn = [row for row in mine if row["cell"] == cell]
            shift = (place - (len(cells) - 1) / 2) * 0.5 / max(2, len(cells))
            places = [row["seat"] + shift for row in drawn]
            brackets(panel, drawn, places, factor, place)
            intervals(panel, drawn, places, factor, place, lookup.cell_label(drawn[0]), across=False)
        if len(set(players.values())) == 1:
            panel.axhline(factor / max(players.values()), color="0.35", linestyle="--", linewidth=1, label="fair share")
        most = max(row["seat"] for row in mine) + 1
        panel.set_xticks(range(most), [lookup.seat_label(measure, seat) for seat in range(most)])
        panel.set_xlim(-0.5, most - 0.5)
        panel.set_title(lookup.lineups[lineup])
        panel.grid(axis="y", color="0.93")
        panel.margins(y=0.15)
    panels[0].set_ylabel(wrapped(f"{lookup.measures[measure]['label']} [{'%' if factor == 100 else ''}]"))
    legend(figure, panels, level_note(lookup, "bars, wider where games are undecided"))
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
    title = f"{capital(described['label'])}: {lookup.lineups[lineup]}"
    figure, panels = panels_for(len(measures), 2.7, title)
    for panel, (measure, seat) in zip(panels, measures, strict=False):
        by_cell = {row["cell"]: row for row in cells if (row["measure"], row["seat"]) == (measure, seat)}
        row = next(iter(by_cell.values()))
        factor = factor_of(lookup, row)
        _reference_band(panel, points, by_cell, lookup.measures[measure]["margin"], factor)
        for place, name in enumerate(names):
            mine = [(point["level"], by_cell[point["cell"]]) for point in points if point["curve"] == name]
            _curve(
                panel, [place_of(level, levels) for level, _ in mine], [cell for _, cell in mine], factor, place, name
            )
        if min(cell["low"] or 0.0 for cell in by_cell.values()) >= 0:
            panel.set_ylim(bottom=max(0.0, panel.get_ylim()[0]))
        if not all(is_number(level) for level in levels):
            panel.set_xticks(range(len(levels)), map(str, levels))
        elif len(levels) <= 12:
            panel.set_xticks(levels)
        panel.set_title(wrapped(lookup.measure_label(row)))
        panel.set_ylabel(lookup.unit(row) or "a game")
        panel.grid(color="0.93")
    for panel in panels[-min(ACROSS, len(panels)) :]:
        panel.set_xlabel(described["axis"] if len(names) > 1 else described["curves"][0]["label"])
    shared = "; shaded: too near the reference to matter" if _shared_reference(points) else ""
    legend(figure, panels, level_note(lookup, "bands") + shared)
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
