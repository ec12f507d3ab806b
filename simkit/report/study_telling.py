"""Answers to questions that are not about contrasts: cells' own figures, when games are lost, how lost ones ended."""

from simkit.report.study_lookup import Lookup, Row

FEW_GAMES = 30
"""Shares of fewer lost games are not told or drawn: they would only show chance."""
FEW_SHARES = 3
"""So many of the largest shares are told."""


def told_otherwise(lookup: Lookup, question: Row) -> str:
    """The answer to a question, for each line-up by itself."""
    kind = {"cells": "cells", "survival": "survival"}.get(question["tell"], "endings")
    tell = {"cells": _cells, "survival": _survival, "endings": _endings}[kind]
    sentences = []
    for lineup in question["lineups"] or lookup.playing(question["family"], kind):
        wanted = question["family"], lineup
        rows = [row for row in lookup.findings[kind] if (row["family"], row["lineup"]) == wanted]
        if rows:
            sentences.append(lookup.sentence(lineup, tell(lookup, question, rows)))
    return " ".join(sentences) or "Nothing was played that could tell."


def _by_cell(lookup: Lookup, rows: list[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(lookup.cell_label(row), []).append(row)
    return found


def _cells(lookup: Lookup, question: Row, rows: list[Row]) -> str:
    """Each cell's estimates with their intervals, or brackets."""
    rows = [row for row in rows if row["measure"] in question["measures"]]
    parts = []
    for label, mine in _by_cell(lookup, rows).items():
        parts.append(f"{label} {', '.join(_estimate(lookup, row) for row in mine)}")
    return "; ".join(parts)


def _estimate(lookup: Lookup, row: Row) -> str:
    value, unit = lookup.number(row, row["estimate"]), lookup.unit(row)
    ends = [row[f"bracket_{end}"] if row[f"bracket_{end}"] is not None else row[end] for end in ("low", "high")]
    if None in ends:
        return f"{value} {unit}".rstrip()
    low, high = (lookup.number(row, end) for end in ends)
    undecided = " with undecided deals both ways" if row["bracket_low"] is not None else ""
    return " ".join(f"{value} {unit} ({low} to {high}{undecided})".split())


def _survival(lookup: Lookup, question: Row, rows: list[Row]) -> str:
    """After how many steps half and nine tenths of the lost games were lost."""
    parts = []
    for label, mine in _by_cell(lookup, rows).items():
        lost = {row["after"]: sum(row["ended"].values()) - next(iter(row["ended"].values())) for row in mine}
        total = sum(lost.values())
        if total < FEW_GAMES:
            parts.append(f"{label} lost {total:,} of {mine[0]['games']:,}")
            continue
        half, most = (_reached(lost, share * total) for share in (0.5, 0.9))
        parts.append(f"{label} lost {total:,} of {mine[0]['games']:,}, half of them by {half} and 90 % by {most}")
    return f"{lookup.findings['length']}: " + "; ".join(parts)


def _reached(lost: dict[int, int], wanted: float) -> int:
    """The first step by which so many games were lost."""
    so_far = 0
    for after, games in lost.items():
        so_far += games
        if so_far >= wanted:
            return after
    raise ValueError(f"{wanted} of {so_far} games")


def _endings(lookup: Lookup, question: Row, rows: list[Row]) -> str:
    """The largest shares of a table in each cell that has enough lost games."""
    table = lookup.endings[question["tell"]]
    parts = []
    for label, mine in _by_cell(lookup, [row for row in rows if row["table"] == table["name"]]).items():
        (row,) = mine
        if row["games"] >= FEW_GAMES:
            shares = ", ".join(f"{name} {share:.0f} %" for name, share in _largest(row, table))
            parts.append(f"{label} {shares} (of {row['games']:,} games)")
    return f"{table['note']}: " + ("; ".join(parts) or "too few games were lost to tell")


def _largest(row: Row, table: Row) -> list[tuple[str, float]]:
    shares = {
        " ".join(f"{down} {across}".split()): 100 * count / (table["parts"] * row["games"])
        for down, counts in zip(table["rows"], row["counts"], strict=True)
        for across, count in zip(table["columns"], counts, strict=True)
    }
    return sorted(shares.items(), key=lambda item: -item[1])[:FEW_SHARES]
