"""What a study found, in plain words: a verdict for each contrast, a line for each question."""

from collections.abc import Iterable

from simkit.report.study_lookup import Lookup, Row, whole_text
from simkit.report.study_telling import told_otherwise

FEW = 6
"""Up to so many contrasts are named one by one in an answer."""


def verdict_text(lookup: Lookup, row: Row) -> str:
    """The verdict on one contrast: which way, whether it matters, whether it is wished for."""
    measure = lookup.measures[row["measure"]]
    if row["verdict"] not in ("higher", "lower"):
        return row["verdict"]
    words = [measure["more" if row["verdict"] == "higher" else "less"]]
    if row["favour"]:
        words.append(f"({row['favour']})")
    return " ".join(words) + (", it matters" if row["relevant"] else ", perhaps too little to matter")


def difference_text(lookup: Lookup, row: Row) -> str:
    """A difference with its unit and interval: −4.10 turns (−4.14 to −4.06)."""
    value = lookup.number(row, row["estimate"], signed=True)
    unit = lookup.unit(row, difference=True)
    if row["low"] is None:
        return f"{value} {unit}".strip()
    low, high = (lookup.number(row, row[end], signed=True) for end in ("low", "high"))
    return " ".join(f"{value} {unit} ({low} to {high})".split())


def margin_text(lookup: Lookup, row: Row) -> str:
    """A margin with its unit."""
    value = lookup.number(row, row["margin"])
    return f"{value} {lookup.unit(row, difference=True)}".strip()


def more_deals_text(row: Row) -> str:
    """How many more deals a contrast is likely to need; empty where it is decided or nothing can be said."""
    if row["more_deals"] is None:
        return ""
    return f"about {whole_text(row['more_deals'])} more deals"


def answers(lookup: Lookup) -> list[str]:
    """One line for each question of the study, then one for each fact."""
    lines = [f"**{question['ask']}** {_answer(lookup, question)}" for question in lookup.findings["questions"]]
    return lines + [fact["text"] for fact in lookup.findings["facts"]]


def _answer(lookup: Lookup, question: Row) -> str:
    if question["tell"] != "contrasts":
        return told_otherwise(lookup, question)
    rows = [row for row in lookup.findings["contrasts"] if _is_asked(question, row)]
    by_lineup = {name: [row for row in rows if row["lineup"] == name] for name in lookup.lineups}
    by_lineup = {name: found for name, found in by_lineup.items() if found}
    if question["lineups"]:
        by_lineup = {name: by_lineup[name] for name in question["lineups"] if name in by_lineup}
    if not by_lineup:
        return "Nothing was played that could tell."
    first, *others = by_lineup
    sentences = [lookup.sentence(first, _told(lookup, by_lineup[first]))]
    agreeing = [lookup.lineups[name] for name in others if _same(by_lineup[name], by_lineup[first])]
    if agreeing:
        sentences.append(f"The same with {' and with '.join(agreeing)}.")
    for name in others:
        if lookup.lineups[name] not in agreeing:
            sentences.append(lookup.sentence(name, _told(lookup, by_lineup[name])))
    return " ".join(sentences)


def _is_asked(question: Row, row: Row) -> bool:
    wanted = question["contrasts"]
    return (
        row["family"] == question["family"]
        and row["measure"] in question["measures"]
        and (wanted is None or row["contrast"] in wanted or row["kind"] in wanted)
    )


def _same(rows: list[Row], others: list[Row]) -> bool:
    """Whether two line-ups say the same about the same contrasts."""

    def said(rows: Iterable[Row]) -> dict:
        return {(row["contrast"], row["measure"]): (row["verdict"], row["relevant"], row["favour"]) for row in rows}

    return said(rows) == said(others)


def _told(lookup: Lookup, rows: list[Row]) -> str:
    """What one line-up says: differences one by one, then those that do not matter, then the open ones."""
    several = len({row["contrast"] for row in rows}) > 1
    differing = [row for row in rows if row["verdict"] in ("higher", "lower")]
    even = [row for row in rows if row["verdict"] == "no relevant difference"]
    open_ones = [row for row in rows if row["verdict"] == "undecided"]
    parts = _differing(lookup, differing, several)
    if even:
        parts.append(_even(lookup, even, several, everything=len(even) == len(rows)))
    if open_ones:
        parts.append(_open(lookup, open_ones, several))
    return "; ".join(parts)


def _differing(lookup: Lookup, rows: list[Row], several: bool) -> list[str]:
    shown = sorted(rows, key=lambda row: -abs(row["estimate"]) / (row["margin"] or 1))[:FEW]
    parts = []
    for row in shown:
        measure = lookup.measures[row["measure"]]
        subject = f"{row['contrast']}: " if several else ""
        way = measure["more" if row["verdict"] == "higher" else "less"]
        value = f"{difference_text(lookup, row)}{_from_to(lookup, row)}"
        judged = "" if row["relevant"] else f", perhaps too little to matter (margin {margin_text(lookup, row)})"
        favour = f" ({row['favour']})" if row["favour"] else ""
        parts.append(f"{subject}{way}{favour}, {value}{judged}")
    if len(rows) > len(shown):
        parts.append(f"and {len(rows) - len(shown)} smaller differences")
    return parts


def _from_to(lookup: Lookup, row: Row) -> str:
    """The two cells' own estimates where the contrast is the difference of two."""
    pair = lookup.contrast(row)
    if pair["cell"] is None:
        return ""
    before, after, deals = _both(row, *(lookup.estimate(row, pair[end]) for end in ("against", "cell")))
    unit = lookup.unit(row)
    return f", from {lookup.number(row, before)} to {lookup.number(row, after)} {unit}".rstrip() + deals


def _both(row: Row, against: Row, cell: Row) -> tuple[float, float, str]:
    """Two cells' estimates on the deals that they have in common, and which deals these are if one has more."""
    before, after = against["estimate"], cell["estimate"]
    if against["n"] == cell["n"]:
        return before, after, ""
    if against["n"] > cell["n"]:
        before = after - row["estimate"]
    else:
        after = before + row["estimate"]
    return before, after, f" on the {row['n']:,} deals of both"


def _even(lookup: Lookup, rows: list[Row], several: bool, everything: bool) -> str:
    margins = ", ".join(dict.fromkeys(margin_text(lookup, row) for row in rows))
    text = f"no relevant difference (margin {margins})"
    if everything and several:
        return f"{text} for any of the {len(rows)}" if len(rows) > 1 else text
    if several:
        return f"{text}: {_names(lookup, rows)}"
    labels = ", ".join(f"{lookup.measures[row['measure']]['label']} {difference_text(lookup, row)}" for row in rows)
    return f"{text}: {labels}"


def _open(lookup: Lookup, rows: list[Row], several: bool) -> str:
    needed = [row["more_deals"] for row in rows if row["more_deals"] is not None]
    text = "undecided"
    if needed:
        text += f" ({whole_text(max(needed))} more deals would tell)"
    if several:
        return f"{text}: {_names(lookup, rows)}"
    labels = ", ".join(f"{lookup.measures[row['measure']]['label']} {difference_text(lookup, row)}" for row in rows)
    return f"{text}: {labels}"


def _names(lookup: Lookup, rows: list[Row]) -> str:
    """The contrasts by name, or only their number if they are many."""
    if len(rows) > FEW:
        return f"{len(rows)} contrasts"
    measures = {row["measure"] for row in rows}
    if len(measures) == 1:
        return ", ".join(row["contrast"] for row in rows)
    return ", ".join(f"{row['contrast']} ({lookup.measures[row['measure']]['label']})" for row in rows)


def saved_text(lookup: Lookup) -> list[str]:
    """What common deals save in variance, one line for each family and kind of contrast."""
    groups: dict[tuple[str, str], list[float]] = {}
    for row in lookup.findings["contrasts"]:
        if row["variance_ratio"] is not None:
            groups.setdefault((row["family"], row["kind"]), []).append(row["variance_ratio"])
    lines = []
    for (family, kind), ratios in groups.items():
        middle = sorted(ratios)[len(ratios) // 2]
        label = {"main": "main effects", "interaction": "interactions"}.get(kind, "differences")
        lines.append(
            f"{lookup.families[family]['label']}, {label}: {_saving(middle)} in the median, "
            f"from {_saving(max(ratios))} to {_saving(min(ratios))}"
        )
    return lines


def _saving(ratio: float) -> str:
    return f"{100 * (1 - ratio):.0f} % saved" if ratio <= 1 else f"{ratio:.2g} times the variance"
