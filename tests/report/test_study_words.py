"""Verdicts and answers in words."""

import pytest

from simkit.report.study_lookup import Lookup, number_text, whole_text
from simkit.report.study_words import answers, difference_text, more_deals_text, saved_text, verdict_text


def row_of(found, **wanted):
    (row,) = [row for row in found["contrasts"] if all(row[key] == value for key, value in wanted.items())]
    return row


def judged(found, verdict, relevant=None, favour=None, more_deals=None, **ends):
    """The difference in length between the two decks, with another verdict."""
    row = row_of(found, family="decks", lineup="eager", measure="turns")
    row.update(verdict=verdict, relevant=relevant, favour=favour, more_deals=more_deals, **ends)
    return row


@pytest.mark.parametrize(
    ("verdict", "relevant", "favour", "said"),
    [
        ("higher", True, None, "longer games, it matters"),
        ("lower", True, "better", "shorter games (better), it matters"),
        ("lower", None, "worse", "shorter games (worse), perhaps too little to matter"),
        ("no relevant difference", False, None, "no relevant difference"),
        ("undecided", None, None, "undecided"),
    ],
)
def test_verdict_in_words(found, verdict, relevant, favour, said):
    assert verdict_text(Lookup(found), judged(found, verdict, relevant, favour)) == said


def test_difference_with_unit_and_interval(found):
    row = judged(found, "lower", estimate=-4.104, low=-4.14, high=0.0)
    assert difference_text(Lookup(found), row) == "−4.10 turns (−4.14 to 0.00)"
    row = row_of(found, family="decks", lineup="eager", measure="first_seat")
    row.update(estimate=0.00742, low=-0.001, high=0.0158)
    assert difference_text(Lookup(found), row) == "+0.74 points (−0.10 to +1.58)"
    row.update(low=None, high=None)
    assert difference_text(Lookup(found), row) == "+0.74 points"


@pytest.mark.parametrize(
    ("verdict", "relevant", "said"),
    [
        ("higher", True, "longer games, +2.00 turns (+1.80 to +2.20), from 20.00 to 22.00 turns."),
        ("higher", None, "from 20.00 to 22.00 turns, perhaps too little to matter (margin 0.50 turns)."),
        ("no relevant difference", False, "no relevant difference (margin 0.50 turns): length +2.00 turns"),
        ("undecided", None, "undecided (350,000 more deals would tell): length +2.00 turns (+1.80 to +2.20)."),
    ],
)
def test_answer_to_a_question(found, verdict, relevant, said):
    judged(found, verdict, relevant, estimate=2.0, low=1.8, high=2.2, more_deals=350_000)
    for row in found["cells"]:
        if (row["family"], row["lineup"], row["measure"]) == ("decks", "eager", "turns"):
            row["estimate"] = {"many": 20.0, "none": 22.0}[row["cell"]]
    answer = answers(Lookup(found))[0]
    assert answer.startswith("**Shorter?** With two eager players: ") and said in answer


def test_line_ups_that_agree_are_told_together(found):
    for lineup in ("eager", "contest"):
        row_of(found, family="decks", lineup=lineup, measure="turns").update(verdict="lower", relevant=True)
    assert answers(Lookup(found))[0].endswith("The same with eager against random.")
    row_of(found, family="decks", lineup="contest", measure="turns").update(verdict="undecided", relevant=None)
    assert "With eager against random: undecided" in answers(Lookup(found))[0]
    assert "The same" not in answers(Lookup(found))[0]


def test_answer_names_the_contrasts_of_a_factorial(found):
    for row in found["contrasts"]:
        if row["family"] == "crossed" and row["kind"] == "main":
            even = row["contrast"] == "Early"
            row.update(verdict="no relevant difference" if even else "higher", relevant=not even)
    answer = answers(Lookup(found))[1]
    assert "Block: longer games" in answer and "Block: more for the first seat" in answer
    assert "no relevant difference (margin 0.50 turns, 1.00 points): Early (length), Early (first-seat adv" in (
        answer.replace("margin 1.00 points, 0.50 turns", "margin 0.50 turns, 1.00 points").replace(
            "Early (first-seat advantage), Early (length)", "Early (length), Early (first-seat advantage)"
        )
    )


def test_nothing_played_is_said(found):
    found["contrasts"] = [row for row in found["contrasts"] if row["family"] != "decks"]
    assert answers(Lookup(found))[0] == "**Shorter?** Nothing was played that could tell."


def test_facts_come_last(found):
    assert answers(Lookup(found))[-1] == f"No Reverse in {found['games']:,} games."


def test_saving_and_cost_of_common_deals(found):
    for row in found["contrasts"]:
        row["variance_ratio"] = {"cells": 0.6, "main": 1.5, "interaction": 0.25, "level": None}[row["kind"]]
    lines = saved_text(Lookup(found))
    assert lines[0] == "two decks, differences: 40 % saved in the median, from 40 % saved to 40 % saved"
    assert "both rules, main effects: 1.5 times the variance" in lines[1] and "75 % saved" in lines[2]
    assert len(lines) == 3


def test_numbers_in_words():
    assert number_text(-0.0004, 2) == "0.00" and number_text(-0.004, 2, percent=True, signed=True) == "−0.40"
    assert number_text(12345.678, 1) == "12,345.7" and number_text(None, 1) == ""
    assert [whole_text(n) for n in (7, 9_999, 12_001, 2_400_000, 10**12)] == [
        "7",
        "9,999",
        "13,000",
        "2.4 million",
        "1 million million",
    ]
    assert more_deals_text({"more_deals": None}) == ""
    assert more_deals_text({"more_deals": 350_000}) == "about 350,000 more deals"
