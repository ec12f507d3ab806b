"""Names and numbers of a study's findings in a designer's words. Findings: see `simkit.run.study_findings`."""

from collections.abc import Mapping
from typing import Any

Row = Mapping[str, Any]
MINUS = "\N{MINUS SIGN}"


class Lookup:
    """Finds the labels that rows of the findings refer to by name."""

    def __init__(self, findings: Row):
        self.findings = findings
        self.measures = {row["name"]: row for row in findings["measures"]}
        self.lineups = {row["name"]: row["label"] for row in findings["lineups"]}
        self.families = {row["name"]: row for row in findings["families"]}
        self.endings = {row["name"]: row for row in findings["ending_tables"]}
        self._contrasts = {
            (family["name"], row["name"]): row for family in findings["families"] for row in family["contrasts"]
        }
        self._cells = {
            (family["name"], row["name"]): row["label"] for family in findings["families"] for row in family["cells"]
        }
        self._tests = {(row["family"], row["lineup"]): row["tests"] for row in findings["played"]}
        self._estimates = {
            (row["family"], row["lineup"], row["cell"], row["measure"], row["seat"]): row for row in findings["cells"]
        }

    def contrast(self, row: Row) -> Row:
        """The contrast that a row is about: name, label, kind, and the two cells of a plain difference."""
        return self._contrasts[row["family"], row["contrast"]]

    def cell_label(self, row: Row) -> str:
        """The label of a row's cell."""
        return self._cells[row["family"], row["cell"]]

    def tests(self, row: Row) -> int:
        """How many contrasts a row was judged together with."""
        return self._tests[row["family"], row["lineup"]]

    def estimate(self, row: Row, cell: str) -> Row:
        """The estimate of a row's measure in a cell of its family and line-up."""
        return self._estimates[row["family"], row["lineup"], cell, row["measure"], row["seat"]]

    def playing(self, family: str, kind: str) -> list[str]:
        """The line-ups of which the findings have rows of a kind for a family, in their order."""
        found = {row["lineup"] for row in self.findings[kind] if row["family"] == family}
        return [name for name in self.lineups if name in found]

    def groups(self, family: str) -> dict[str, list[tuple[str, str]]]:
        """(cell, label) pairs of a family by group: by curve, or as the cells say.

        The cell that all others are compared with is in every group, and first: the reference of curves, or the cells
        without a group where others have one. Without groups all cells are in one, called "".
        """
        described = self.families[family]
        if described["design"] == "curves":
            return {curve["label"]: self._on_curve(family, curve) for curve in described["curves"]}
        cells = [(cell["group"], (cell["name"], cell["label"])) for cell in described["cells"]]
        shared = [cell for group, cell in cells if not group]
        named = dict.fromkeys(group for group, _ in cells if group)
        return {name: shared + [cell for group, cell in cells if group == name] for name in named} or {"": shared}

    def _on_curve(self, family: str, curve: Row) -> list[tuple[str, str]]:
        rows = [row for row in self.findings["curves"] if (row["family"], row["curve"]) == (family, curve["name"])]
        levels = {row["level"]: row["cell"] for row in rows}
        first = [level for level in levels if level == curve["reference"]]
        others = [level for level in levels if level != curve["reference"]]
        words = [f"{level} (reference)" for level in first] + [str(level) for level in others]
        return [(levels[level], word) for level, word in zip(first + others, words, strict=True)]

    def sentence(self, lineup: str, said: str) -> str:
        """What is said of a line-up; it is named where the study has others."""
        return f"With {self.lineups[lineup]}: {said}." if len(self.lineups) > 1 else f"{said[:1].upper()}{said[1:]}."

    def measure_label(self, row: Row) -> str:
        """The label of a row's measure, with its seat where there is one for each."""
        measure = self.measures[row["measure"]]
        if row["seat"] is None or measure["compare"]:
            return measure["label"]
        return f"{measure['label']}: {self.seat_label(row['measure'], row['seat'])}"

    def seat_label(self, measure: str, seat: int) -> str:
        """A seat of a measure as people count them: 'seat 1' sits first; or how far it is from the one named."""
        start = self.measures[measure]["counted_from"]
        if start is None:
            return f"seat {seat + 1}"
        return start.replace("_", " ") if seat == 0 else f"+{seat}"

    def unit(self, row: Row, difference: bool = False) -> str:
        """The unit that a row's numbers are shown in."""
        measure = self.measures[row["measure"]]
        if measure["percent"]:
            return "points" if difference or measure["minus"] else "%"
        return measure["unit"]

    def number(self, row: Row, value: float | None, signed: bool = False) -> str:
        """A number of a row's measure as text, without its unit."""
        measure = self.measures[row["measure"]]
        return number_text(value, measure["decimals"], measure["percent"], signed)


def number_text(value: float | None, decimals: int, percent: bool = False, signed: bool = False) -> str:
    """A number with its decimals and a real minus sign; empty for None."""
    if value is None:
        return ""
    shown = round(100 * value if percent else value, decimals) + 0.0  # no -0.0
    sign = MINUS if shown < 0 else "+" if signed and shown > 0 else ""
    return f"{sign}{abs(shown):,.{decimals}f}"


def whole_text(number: int) -> str:
    """A large number of deals in few words: 1,200, 350,000, 2.4 million."""
    for size, word in ((10**12, "million million"), (10**9, "thousand million"), (10**6, "million")):
        if number >= size:
            return f"{number / size:.3g} {word}"
    rounded = -(-number // 1000) * 1000 if number >= 10_000 else number
    return f"{rounded:,}"
