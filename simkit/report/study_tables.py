"""A study's findings as tables: tidy pandas frames for programs, Markdown for people."""

from collections.abc import Callable, Iterable

import pandas as pd

from simkit.report.study_lookup import Lookup, Row
from simkit.report.study_words import difference_text, margin_text, more_deals_text, verdict_text

PLACE = ["family", "lineup"]


def frames(findings: Row) -> dict[str, pd.DataFrame]:
    """Tidy frames by name: cells, contrasts, curves, percentiles, histograms, survival, endings; none without rows.

    The contrasts of curves stand with the curves.
    """
    found = {
        "cells": pd.DataFrame(findings["cells"]),
        "contrasts": pd.DataFrame(row for row in findings["contrasts"] if row["kind"] != "level"),
        "curves": _curves(findings),
        "percentiles": pd.DataFrame(
            {**_keys(row, "cell", "column", "deals"), **point}
            for row in findings["histograms"]
            for point in row["percentiles"]
        ),
        "histograms": pd.DataFrame(
            {**_keys(row, "cell", "column", "deals"), "value": value, "games": games}
            for row in findings["histograms"]
            for value, games in zip(row["values"], row["games"], strict=True)
        ),
        "survival": pd.DataFrame(
            {**_keys(row, "cell", "after", "going"), **row["ended"]} for row in findings["survival"]
        ),
        "endings": pd.DataFrame(_ending_rows(findings)),
    }
    return {name: _whole_numbers(frame) for name, frame in found.items() if len(frame)}


def _keys(row: Row, *names: str) -> dict:
    return {name: row[name] for name in (*PLACE, *names)}


def _ending_rows(findings: Row) -> Iterable[dict]:
    """Each count of each ending table; a share is a count divided by `parts` times `games`."""
    tables = {table["name"]: table for table in findings["ending_tables"]}
    for row in findings["endings"]:
        table = tables[row["table"]]
        for down, counts in zip(table["rows"], row["counts"], strict=True):
            for across, count in zip(table["columns"], counts, strict=True):
                place = {"row": down, "column": across, "count": count, "parts": table["parts"]}
                yield {**_keys(row, "cell", "table", "games"), **place}


def _curves(findings: Row) -> pd.DataFrame:
    """Each measure at each level of each curve, with its difference from the reference level."""
    points, cells = pd.DataFrame(findings["curves"]), pd.DataFrame(findings["cells"])
    if points.empty:
        return points
    joined = points.merge(cells, on=[*PLACE, "cell"])
    wanted = ["estimate", "low", "high", "p_holm", "verdict", "relevant", "favour", "more_deals", "variance_ratio"]
    compared = pd.DataFrame(findings["contrasts"])[[*PLACE, "contrast", "measure", "seat", *wanted]]
    compared = compared.rename(columns={"estimate": "difference", "low": "difference_low", "high": "difference_high"})
    return joined.merge(compared, how="left", on=[*PLACE, "contrast", "measure", "seat"])


def _whole_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Whole numbers that may be missing stay whole."""
    whole = [name for name in ("seat", "n", "more_deals") if name in frame]
    return frame.astype(dict.fromkeys(whole, "Int64"))


def as_csv(frame: pd.DataFrame) -> str:
    """A frame as CSV, numbers to seven digits; what is missing is empty."""
    return frame.to_csv(index=False, lineterminator="\n", float_format="%.7g")


def markdown_table(header: Iterable[str], rows: Iterable[Iterable[str]], left: int = 1) -> str:
    """A Markdown table; the first `left` columns are aligned left, the others right."""
    from tabulate import tabulate

    header, rows = list(header), [list(row) for row in rows]
    align = ["left"] * left + ["right"] * (len(header) - left)
    return tabulate(rows, headers=header, tablefmt="github", disable_numparse=True, colalign=align)


def cells_markdown(lookup: Lookup, families: Iterable[str]) -> str:
    """Every measure in every cell with its interval, a table for each family and line-up."""
    return _sections(lookup, "cells", families, _cells_table)


def _cells_table(lookup: Lookup, rows: list[Row]) -> str:
    """Measures down and cells across; the other way round if there are more cells than fit."""
    cells = list(dict.fromkeys(lookup.cell_label(row) for row in rows))
    measures = list(dict.fromkeys(with_unit(lookup, row) for row in rows))
    texts = {(lookup.cell_label(row), with_unit(lookup, row)): estimate_text(lookup, row) for row in rows}
    if len(cells) <= 3:
        body = [[measure, *(texts.get((cell, measure), "") for cell in cells)] for measure in measures]
        return markdown_table(["", *cells], body)
    deals = {lookup.cell_label(row): [f"{row['n']:,}"] for row in rows}
    header, shown = (["deals"], deals) if len({row["n"] for row in rows}) > 1 else ([], {})
    body = [[cell, *shown.get(cell, []), *(texts.get((cell, measure), "") for measure in measures)] for cell in cells]
    return markdown_table(["", *header, *measures], body)


def with_unit(lookup: Lookup, row: Row, difference: bool = False) -> str:
    """A row's measure with its unit in brackets."""
    unit = lookup.unit(row, difference)
    return f"{lookup.measure_label(row)} [{unit}]" if unit else lookup.measure_label(row)


def estimate_text(lookup: Lookup, row: Row) -> str:
    """An estimate with its interval, and the bracket of undecided games if that is wider in the digits shown."""
    value = lookup.number(row, row["estimate"])
    interval = _range_text(lookup, row, "low", "high")
    bracket = _range_text(lookup, row, "bracket_low", "bracket_high")
    return value + interval + (f" bracket{bracket}" if bracket and bracket != interval else "")


def _range_text(lookup: Lookup, row: Row, low: str, high: str) -> str:
    if row[low] is None or row[high] is None:
        return ""
    return f" ({lookup.number(row, row[low])} to {lookup.number(row, row[high])})"


def contrasts_markdown(lookup: Lookup, families: Iterable[str], keep: Callable[[Row], bool]) -> str:
    """The contrasts that are kept, with interval and verdict, a table for each family and line-up."""
    return _sections(lookup, "contrasts", families, _contrasts_table, keep)


def _contrasts_table(lookup: Lookup, rows: list[Row]) -> str:
    several = len({row["contrast"] for row in rows}) > 1
    header = ["", "difference", "verdict", "margin", "more deals to tell", "variance saved"]
    body = []
    for row in rows:
        subject = lookup.measure_label(row)
        if several:
            subject = f"{lookup.contrast(row)['label']}: {subject}"
        saved = "" if row["variance_ratio"] is None else f"{100 * (1 - row['variance_ratio']):.0f} %"
        verdict = verdict_text(lookup, row)
        texts = difference_text(lookup, row), verdict, margin_text(lookup, row), more_deals_text(row), saved
        body.append([subject, *texts])
    tests = lookup.tests(rows[0])
    judged = f"{tests} contrasts are judged together (Holm; Bonferroni for relevance); each interval stands alone."
    return f"{judged}\n\n{markdown_table(header, body)}"


def effects_markdown(lookup: Lookup, families: Iterable[str]) -> str:
    """Main effects with interval and mark: measures down, contrasts across, for each family and line-up."""
    return _sections(lookup, "contrasts", families, _effects_table, lambda row: row["kind"] in ("main", "whole"))


def _effects_table(lookup: Lookup, rows: list[Row]) -> str:
    contrasts = {row["contrast"]: lookup.contrast(row)["label"] for row in rows}
    body = []
    for label in dict.fromkeys(with_unit(lookup, row, difference=True) for row in rows):
        mine = {row["contrast"]: row for row in rows if with_unit(lookup, row, difference=True) == label}
        body.append([label, *(_effect_text(lookup, mine[name]) for name in contrasts)])
    return f"{MARKS}\n\n{markdown_table(['', *contrasts.values()], body)}"


def _effect_text(lookup: Lookup, row: Row) -> str:
    value = lookup.number(row, row["estimate"], signed=True)
    return f"{value}{_range_text(lookup, row, 'low', 'high')} {_mark(row)}"


def curves_markdown(lookup: Lookup, families: Iterable[str]) -> str:
    """Each measure along each curve, a table for each measure."""
    frame = _curves(lookup.findings)
    records = [] if frame.empty else frame.astype(object).where(frame.notna(), None).to_dict("records")
    return _sections(lookup, None, families, _curves_tables, rows=records)


def _curves_tables(lookup: Lookup, rows: list[Row]) -> str:
    levels = list(dict.fromkeys(row["level"] for row in rows))
    parts = []
    for heading in dict.fromkeys(with_unit(lookup, row) for row in rows):
        mine = [row for row in rows if with_unit(lookup, row) == heading]
        texts = {(row["curve"], row["level"]): f"{estimate_text(lookup, row)} {_mark(row)}".rstrip() for row in mine}
        curves = dict.fromkeys(row["curve"] for row in mine)
        body = [[curve, *(texts.get((curve, level), "") for level in levels)] for curve in curves]
        parts.append(f"**{heading}**\n\n{markdown_table(['', *map(str, levels)], body)}")
    return "\n\n".join([f"Against the reference level (ref). {MARKS}", *parts])


MARKS = (
    "▲ higher and ▼ lower by more than the margin, △ and ▽ by an amount that may be too little to matter, "
    "= no relevant difference, ? undecided."
)


def _mark(row: Row) -> str:
    """A sign for the verdict; "ref" for a curve's reference, nothing for what is not compared."""
    if row["contrast"] is None:
        return "ref"
    marks = {"higher": "▲" if row["relevant"] else "△", "lower": "▼" if row["relevant"] else "▽", "undecided": "?"}
    return "" if row["verdict"] is None else marks.get(row["verdict"], "=")


def percentiles_markdown(lookup: Lookup) -> str:
    """When so many games in a hundred are over: a table for each family and line-up."""
    return _sections(lookup, "histograms", lookup.families, _percentiles_table)


def _percentiles_table(lookup: Lookup, rows: list[Row]) -> str:
    points = [point["percent"] for point in rows[0]["percentiles"]]
    body = []
    for row in rows:
        texts = [
            f"{point['estimate']:g} ({_end(point['low'])} to {_end(point['high'])})" for point in row["percentiles"]
        ]
        body.append([f"{lookup.cell_label(row)}, {row['column']}", *texts])
    return markdown_table(["", *(f"{point} % of games are at or below" for point in points)], body)


def _end(value: float | None) -> str:
    return "?" if value is None else f"{value:g}"


def _sections(
    lookup: Lookup,
    kind: str | None,
    families: Iterable[str],
    table: Callable[[Lookup, list[Row]], str],
    keep: Callable[[Row], bool] = lambda row: True,
    rows: list[Row] | None = None,
) -> str:
    """A heading and a table for each family and line-up that has rows."""
    rows = lookup.findings[kind] if rows is None else rows
    parts = []
    for family in families:
        for lineup, label in lookup.lineups.items():
            mine = [row for row in rows if (row["family"], row["lineup"]) == (family, lineup) and keep(row)]
            if mine:
                deals = sorted({row.get("n", row.get("deals")) for row in mine})
                played = " to ".join(f"{count:,}" for count in dict.fromkeys((deals[0], deals[-1])))
                heading = f"#### {lookup.families[family]['label']}: {label} ({played} deals)"
                parts.append(f"{heading}\n\n{table(lookup, mine)}")
    return "\n\n".join(parts)
