"""A study's report: a Markdown page that begins with the findings in plain words, its charts and its tables."""

from collections.abc import Iterator, Mapping
from io import BytesIO, StringIO

import matplotlib
from matplotlib.figure import Figure

from simkit.report import study_tables as tables
from simkit.report.study_charts import charts
from simkit.report.study_lookup import Lookup, Row, number_text
from simkit.report.study_words import answers, difference_text, saved_text, verdict_text

CHARTS, TABLES = "charts", "tables"
DOTS_PER_INCH = 110


def report_files(findings: Row) -> dict[str, str | bytes]:
    """All files of a report by their path in its directory; the same findings give the same bytes."""
    lookup = Lookup(findings)
    drawn = charts(findings)
    files: dict[str, str | bytes] = {"report.md": report_markdown(lookup, drawn)}
    for name, frame in tables.frames(findings).items():
        files[f"{TABLES}/{name}.csv"] = tables.as_csv(frame)
    for name, text in _table_pages(lookup).items():
        if text:
            files[f"{TABLES}/{name}.md"] = f"# {findings['title']}\n\n{text}\n"
    for name, figure in drawn.items():
        files[f"{CHARTS}/{name}.png"] = as_png(figure)
        figure.set_layout_engine("none")  # all is in its place now, and finding it takes half a second
        files[f"{CHARTS}/{name}.svg"] = as_svg(figure)
    return files


def as_png(figure: Figure) -> bytes:
    """A figure as PNG."""
    stream = BytesIO()
    figure.savefig(stream, format="png", dpi=DOTS_PER_INCH)
    return stream.getvalue()


def as_svg(figure: Figure) -> str:
    """A figure as SVG, without a date and with the same names inside each time."""
    stream = StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "simkit"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()


def _table_pages(lookup: Lookup) -> dict[str, str]:
    families = list(lookup.families)
    return {
        "cells": tables.cells_markdown(lookup, families),
        "contrasts": tables.contrasts_markdown(lookup, families, lambda row: row["kind"] != "level"),
        "curves": tables.curves_markdown(lookup, families),
        "percentiles": tables.percentiles_markdown(lookup),
    }


def report_markdown(lookup: Lookup, drawn: Mapping[str, Figure]) -> str:
    """The page: findings, charts, tables, how to read them."""
    findings = lookup.findings
    parts = [f"# {findings['title']}", " ".join(findings["about"].split())]
    if not findings["complete"]:
        parts.append(f"**Partial: the study was stopped early.** {_share_played(findings)}")
    parts += ["## Findings", _numbered(answers(lookup)), "## Charts"]
    parts += [_shown(name, figure) for name, figure in drawn.items()]
    parts += ["## Tables", _links(lookup), _listed_cells(lookup), *_effects(lookup)]
    parts += ["## What was played, and how to read it", *_played(lookup)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _shown(name: str, figure: Figure) -> str:
    title = " ".join(figure.get_suptitle().split())
    return f"### {title}\n\n![{title}]({CHARTS}/{name}.png)\n\n([as SVG]({CHARTS}/{name}.svg))"


def _share_played(findings: Row) -> str:
    asked = sum(row["asked"] for row in findings["played"])
    deals = sum(row["deals"] for row in findings["played"])
    return f"Of the deals asked for, {100 * deals / asked:.0f} % were played; all intervals are right, but wider."


def _numbered(lines: list[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _links(lookup: Lookup) -> str:
    """Where the full tables are."""
    words = {
        "cells": "every measure in every cell",
        "contrasts": "every contrast with interval and verdict",
        "curves": "every level of every curve",
        "percentiles": "how the distributions lie",
    }
    pages = _table_pages(lookup)
    lines = [
        f"- {text}: [{name}.md]({TABLES}/{name}.md), [{name}.csv]({TABLES}/{name}.csv)"
        for name, text in words.items()
        if pages[name]
    ]
    data = {"survival": "how long games live and how they end", "endings": "how lost games ended"}
    lines += [f"- {text}: [{name}.csv]({TABLES}/{name}.csv)" for name, text in data.items() if lookup.findings[name]]
    return "\n".join(lines)


def _of_design(lookup: Lookup, design: str) -> list[str]:
    return [name for name, family in lookup.families.items() if family["design"] == design]


def _listed_cells(lookup: Lookup) -> str:
    """Families of listed cells in full: the cells' own figures, then the differences."""
    families = _of_design(lookup, "cells")
    return "\n\n".join(
        part
        for family in families
        for part in (
            tables.cells_markdown(lookup, [family]),
            tables.contrasts_markdown(lookup, [family], lambda row: True),
        )
        if part
    )


def _effects(lookup: Lookup) -> list[str]:
    """Factorial designs: main effects in full, of the interactions those that are not irrelevant."""
    families = _of_design(lookup, "factorial")
    main = tables.effects_markdown(lookup, families)
    crossed = tables.contrasts_markdown(
        lookup, families, lambda row: row["kind"] == "interaction" and row["verdict"] in ("higher", "lower")
    )
    parts = [main]
    if any(row["kind"] == "interaction" for row in lookup.findings["contrasts"]):
        parts += ["### Interactions that are different from zero", crossed or "There are none."]
    return parts


def _played(lookup: Lookup) -> list[str]:
    findings = lookup.findings
    level = f"{100 * findings['level']:g} %"
    header = ["cells", "line-up", "deals, each in all cells", "games", "contrasts judged together"]
    rows = [
        [lookup.families[row["family"]]["label"], lookup.lineups[row["lineup"]], *_counts(lookup, row)]
        for row in findings["played"]
    ]
    saved = "\n".join(f"- {line}" for line in saved_text(lookup))
    margins = [
        [row["label"], f"{number_text(row['margin'], row['decimals'], row['percent'])} {_margin_unit(row)}", row["why"]]
        for row in findings["measures"]
        if row["compare"]
    ]
    seats = "\n".join(f"- {row['label']}: {_seats(row)}" for row in findings["lineups"])
    return [
        f"{findings['games']:,} games of {findings['game_title']} (rules {findings['preset']}, version "
        f"{findings['rules_version']}), seed {findings['seed']}, simkit {findings['version']}. The record beside this "
        "page is enough to play them again.",
        seats,
        tables.markdown_table(header, rows, left=2),
        f"Intervals are {level} intervals, each for itself, clustered by deal. A verdict holds for all contrasts that "
        f"are judged together, at {level} (Holm's adjustment for whether there is a difference, Bonferroni's for "
        "whether it matters). *No relevant difference*: the whole interval lies within the margin. *It matters*: the "
        "whole interval lies beyond it. The number of further deals is a rough guide.",
        tables.markdown_table(["measure", "margin", "why"], margins, left=3),
        "What it saves in variance, or costs, that all cells were played on the same deals instead of each on deals of "
        "its own (an average over many cells of one deal shares that deal's luck, and may vary more):",
        saved,
    ]


def _counts(lookup: Lookup, row: Row) -> list[str]:
    deals = f"{row['deals']:,}" if row["deals"] == row["asked"] else f"{row['deals']:,} of {row['asked']:,}"
    wanted = row["family"], row["lineup"]
    fewest = min(
        (cell["n"] for cell in lookup.findings["cells"] if (cell["family"], cell["lineup"]) == wanted),
        default=row["deals"],
    )
    if fewest < row["deals"]:
        deals += f", in some only the first {fewest:,}"
    return [deals, f"{row['games']:,}", str(row["tests"])]


def _margin_unit(measure: Row) -> str:
    return "points" if measure["percent"] else measure["unit"]


def _seats(lineup: Row) -> str:
    seats = lineup["seats"]
    if lineup["known"]:
        return "a solver, which knows the order of the stock"
    if not seats:
        return "the players that the cells name"
    text = f"`{seats[0]}` in every seat" if len(seats) == 1 else ", ".join(f"`{seat}`" for seat in seats)
    return text + (", every deal in all rotations" if lineup["rotate"] else "")


def summary(findings: Row) -> tuple[str, list[str], list[tuple[str, list[str], list[list[str]]]]]:
    """What is shown on a terminal: a title, the findings, and tables (heading, header, rows) of the listed cells."""
    lookup = Lookup(findings)
    title = findings["title"] + ("" if findings["complete"] else " (PARTIAL)")
    shown = []
    for family in _of_design(lookup, "cells"):
        if lookup.families[family]["chart"] == "estimates":
            shown += _summary_of_estimates(lookup, family)
        else:
            shown += _summary_of_differences(lookup, family)
    return title, answers(lookup), shown


def _summary_of_differences(lookup: Lookup, family: str) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """A table of the contrasts for each line-up."""
    header = ["", f"difference ({100 * lookup.findings['level']:g} % interval)", "verdict"]
    for lineup, label in lookup.lineups.items():
        rows = [row for row in lookup.findings["contrasts"] if (row["family"], row["lineup"]) == (family, lineup)]
        several = len({row["contrast"] for row in rows}) > 1
        body = [_summary_row(lookup, row, several) for row in rows]
        if body:
            yield f"{lookup.families[family]['label']}: {label}", header, body


def _summary_of_estimates(lookup: Lookup, family: str) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """A table for each compared measure: a row for each cell, a column for each line-up."""
    lineups = lookup.playing(family, "cells")
    header = ["", *(lookup.lineups[name] for name in lineups)]
    for measure in lookup.measures.values():
        rows = [row for row in lookup.findings["cells"] if (row["family"], row["measure"]) == (family, measure["name"])]
        if not measure["compare"] or not rows:
            continue
        texts = {(row["cell"], row["lineup"]): tables.estimate_text(lookup, row) for row in rows}
        cells = dict.fromkeys(row["cell"] for row in rows)
        body = [[cell, *(texts.get((cell, lineup), "") for lineup in lineups)] for cell in cells]
        yield f"{lookup.families[family]['label']}: {tables.with_unit(lookup, rows[0])}", header, body


def _summary_row(lookup: Lookup, row: Row, several: bool) -> list[str]:
    subject = f"{row['contrast']}: " if several else ""
    return [subject + lookup.measure_label(row), difference_text(lookup, row), verdict_text(lookup, row)]
