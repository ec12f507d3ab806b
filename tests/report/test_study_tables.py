"""Tables: tidy frames, CSV, Markdown, the report's page."""

import io

import pandas as pd
import pytest

from simkit.report.study_lookup import Lookup
from simkit.report.study_report import report_files, report_markdown, summary
from simkit.report.study_tables import as_csv, cells_markdown, curves_markdown, effects_markdown, frames


def test_frames_hold_every_row(played_findings):
    found = frames(played_findings)
    assert set(found) == {"cells", "contrasts", "curves", "percentiles", "histograms"}
    assert len(found["cells"]) == len(played_findings["cells"])
    levels = sum(row["kind"] == "level" for row in played_findings["contrasts"])
    assert len(found["contrasts"]) == len(played_findings["contrasts"]) - levels
    assert found["curves"]["difference"].notna().sum() == levels
    assert found["histograms"]["games"].sum() == 900 * 2 * 3


def test_csv_reads_back(played_findings):
    frame = frames(played_findings)["curves"]
    text = as_csv(frame)
    assert "\r" not in text and "nan" not in text.lower()
    back = pd.read_csv(io.StringIO(text))
    assert back["estimate"].tolist() == pytest.approx(frame["estimate"].tolist(), rel=1e-6)
    reference = back[back["level"] == 2]
    assert reference["difference"].isna().all() and reference["verdict"].isna().all()
    compared = back[(back["level"] != 2) & (back["measure"] == "turns")]
    turns = {(row.curve, row.level): row.estimate for row in back[back["measure"] == "turns"].itertuples()}
    for row in compared.itertuples():
        assert row.difference == pytest.approx(turns[row.curve, row.level] - turns[row.curve, 2], abs=1e-4)


def test_markdown_shows_estimates_with_intervals(played_findings):
    lookup = Lookup(played_findings)
    text = cells_markdown(lookup, ["decks"])
    assert "#### two decks: two eager players (900 deals)" in text
    assert "| length [turns]" in text and "| share by seat: seat 2 [%]" in text
    (row,) = [
        row
        for row in played_findings["cells"]
        if (row["family"], row["lineup"], row["cell"], row["measure"]) == ("decks", "eager", "none", "turns")
    ]
    assert f"{row['estimate']:.2f} ({row['low']:.2f} to {row['high']:.2f})" in text


def test_marks_of_curves_and_effects(found):
    marks = {"▲": ("higher", True), "△": ("higher", None), "▼": ("lower", True), "▽": ("lower", None)}
    marks |= {"=": ("no relevant difference", False), "?": ("undecided", None)}
    for mark, (verdict, relevant) in marks.items():
        for row in found["contrasts"]:
            row.update(verdict=verdict, relevant=relevant)
        lookup = Lookup(found)
        lengths = curves_markdown(lookup, ["copies"]).split("**length")[1].split("**comebacks")[0]
        (line,) = [line for line in lengths.splitlines() if "Skip" in line]
        assert line.count(f") {mark} |") == 2 and line.count(") ref |") == 1
        effects = effects_markdown(lookup, ["crossed"])
        assert effects.count(f") {mark} |") == 2 * (3 + 4)


def test_report_begins_with_the_findings(found):
    files = report_files(found)
    lines = [line for line in files["report.md"].splitlines() if line]
    assert lines[:3] == ["# A small study", "What two rules do.", "## Findings"]
    assert lines[3].startswith("1. **Shorter?**") and lines[5].startswith("3. No Reverse")
    assert "Partial" not in files["report.md"]
    for name in ("contrasts", "turns-decks", "seat-share-decks", "curves-copies-eager", "interactions"):
        assert f"](charts/{name}.png)" in files["report.md"]
        assert isinstance(files[f"charts/{name}.png"], bytes) and isinstance(files[f"charts/{name}.svg"], str)
    for name in ("cells", "contrasts", "curves", "percentiles"):
        assert files[f"tables/{name}.csv"] and files[f"tables/{name}.md"].startswith("# A small study")
    assert not any("nan" in text.lower().split() for text in files.values() if isinstance(text, str))


def test_partial_report_says_so(found):
    found["complete"] = False
    for row in found["played"]:
        row["asked"] = 2 * row["deals"]
    text = report_markdown(Lookup(found), {})
    assert "**Partial: the study was stopped early.** Of the deals asked for, 50 % were played" in text
    assert "900 of 1,800" in text
    assert summary(found)[0] == "A small study (PARTIAL)"


def test_summary_for_a_terminal(found):
    title, lines, tables = summary(found)
    assert title == "A small study" and len(lines) == 3
    heading, header, rows = tables[0]
    assert heading == "two decks: two eager players" and header[1] == "difference (95 % interval)"
    assert [row[0] for row in rows] == ["first-seat advantage", "length", "comebacks"]
