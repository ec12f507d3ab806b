"""What a placed card of Foursquare turns: the worked example, then option by option, by hand from the rules."""

import pytest

from simkit.games.foursquare.reference import legal_actions

from .positions import cell, drawing, legal, position, story, turned

# The worked example

EXAMPLE = """
9  2/10  .   .
.  _7    6   4/4/4
.  .     3   5/2
"""
"""The designer's example: a 6 is to be placed. Buried cards are chosen freely, and the rank of the face-down one."""


@pytest.mark.parametrize(
    ("place", "event", "tops"),
    [
        ("B3", "on empty B3 row C3 D3 column B1 B2, 3 down", "9 _10 . . | . 7 6 4 | . 6 _3 _2"),
        ("B1", "on face_up B1 row A1 column B2, 1 down", "_9 6 . . | . 7 6 4 | . . 3 2"),
        ("B2", "on face_down B2 row column B1, 1 down", "9 _10 . . | . 6 6 4 | . . 3 2"),
    ],
)
def test_the_worked_example(place, event, tops):
    table = position(EXAMPLE, "6C 5H")
    assert story(table, place) == [f"6C {event}"]
    assert drawing(table) == tops.replace(" | ", "\n")


def test_the_worked_example_lost():
    table = position(EXAMPLE, "6C 5H")
    assert story(table, "D1") == ["6C on empty D1 row A1 B1 column D2 D3, 5 down", "lost_face_down"]
    assert drawing(table) == "_9 _10 . 6\n. _7 6 _4\n. . 3 _2"


def test_the_worked_example_shows_what_is_not_legal():
    table = position(EXAMPLE, "6C 5H")
    assert legal(table) == "+ + . .\no o + +\n+ o o o\n. + o o\n. . + +"
    offered = {(action.row, action.col) for action in legal_actions(table)}
    assert cell("A3") not in offered and cell("E2") not in offered
    assert {cell(name) for name in ("B3", "B1", "B2", "D1")} <= offered


# Comparing and turning, one option at a time

HIGH = "9  7  _2"
"""A row with two cards up and one down; a card goes to D1."""


@pytest.mark.parametrize(
    ("card", "flips"),
    [("10", "A1 B1 C1"), ("6", "A1 B1 C1"), ("A", "A1 B1 C1"), ("8", ""), ("9", ""), ("7", "")],
)
def test_a_card_must_be_higher_or_lower_than_all_that_lie_face_up(card, flips):
    down = 2 if flips else 1
    assert turned(HIGH, f"{card} D1").split() == ["row", *flips.split(), "column,", str(down), "down"]


def test_the_column_is_looked_at_as_the_row_left_it():
    """A row and a column share only the placed card, which others turn never; so the column sees the same cards."""
    table = position("5 9\n_2 .", "10 A")
    assert story(table, "A1") == ["10S on face_up A1 row B1 column A2, 1 down"]


def test_only_tops_are_compared_and_turned():
    table = position("9/3 2/8", "6 5 A")
    assert story(table, "C1 B1")[0] == "6S on empty C1 row column, 0 down"
    assert drawing(table) == "3 5 6"  # the 5 lies on the 8 between 3 and 6: nothing turns


def test_what_was_covered_counts_no_more():
    table = position("9 3", "6 5 A")
    assert story(table, "A1 C1") == [
        "6S on face_up A1 row B1 column, 1 down",
        "5S on empty C1 row A1 B1 column, 1 down",
    ]
    assert drawing(table) == "_6 3 5"


def test_a_card_on_a_face_down_one_lies_face_up():
    table = position("_9 4", "5 A A")
    assert story(table, "A1") == ["5S on face_down A1 row B1 column, 1 down"]
    assert [pile.cards for pile in table.piles.values()] == [position("9/5 4").piles[0, c].cards for c in (0, 1)]


SCOPES = {
    # (drawing, card and cell): what `others`, `whole_line` and `whole_line_all_up` turn
    ("9 7 _2", "10 D1"): (
        "row A1 B1 C1 column, 2 down",
        "row A1 B1 C1 D1 column D1, 2 down",  # down by the row, up again by the column, alone in it
        "row A1 B1 C1 D1 column D1, 2 down",
    ),
    ("9 7 _2", "8 D1"): ("row column, 1 down", "row column D1, 2 down", "row column, 1 down"),
    ("_9 _7", "8 C1"): ("row A1 B1 column, 0 down", "row A1 B1 C1 column C1, 0 down", "row A1 B1 column, 0 down"),
    # In the column the card that went down is compared by its rank.
    ("5 .\n. 3", "6 B1"): (
        "row A1 column B2, 2 down",
        "row A1 B1 column B1 B2, 2 down",
        "row A1 B1 column B1 B2, 2 down",
    ),
    ("5 .\n. 4\n. 8", "6 B1"): ("row A1 column, 1 down", "row A1 B1 column, 2 down", "row A1 B1 column, 2 down"),
    # In the column no other card is face up: all end face up, the placed one too.
    ("5 .\n. _3", "6 B1"): (
        "row A1 column B2, 1 down",
        "row A1 B1 column B1 B2, 1 down",
        "row A1 B1 column B1 B2, 1 down",
    ),
    ("5 8 .\n. . _3", "6 C1"): ("row column C2, 0 down", "row column C1 C2, 1 down", "row column C2, 0 down"),
    ("_5 8\n. 3", "6 A2"): (
        "row B2 column A1, 1 down",
        "row A2 B2 column A1 A2, 1 down",
        "row A2 B2 column A1 A2, 1 down",
    ),
}


@pytest.mark.parametrize(("case", "told"), SCOPES.items())
def test_flip_scope(case, told):
    drawn, card = case
    scopes = "others", "whole_line", "whole_line_all_up"
    assert tuple(turned(drawn, card, flip_scope=scope) for scope in scopes) == told


@pytest.mark.parametrize(
    ("scope", "events"),
    [
        ("others", "row column, 0 down"),
        ("whole_line", "row A1 column A1, 0 down"),
        ("whole_line_all_up", "row column, 0 down"),
    ],
)
def test_flip_scope_and_the_first_card(scope, events):
    table = position("", "5 6", flip_scope=scope)
    assert story(table, "A1") == [f"5S on empty A1 {events}"]
    assert table.flips == events.count("A1")


def test_whole_line_counts_the_placed_card_among_those_face_down():
    lost = story(
        position("9 8 7", "10 5", flip_scope="whole_line", lone_card="flips_row_only", face_down_limit=3), "D1"
    )
    assert lost == ["10S on empty D1 row A1 B1 C1 D1 column, 4 down", "lost_face_down"]


COMPARED = {
    # (drawing, card and cell): with face-down cards ignored, and included by their rank
    ("5 _8", "6 C1"): ("row A1 B1 column, 1 down", "row column, 1 down"),
    ("5 _8", "9 C1"): ("row A1 B1 column, 1 down", "row A1 B1 column, 1 down"),
    ("5 _8", "8 C1"): ("row A1 B1 column, 1 down", "row column, 1 down"),
    ("5 _8", "4 C1"): ("row A1 B1 column, 1 down", "row A1 B1 column, 1 down"),
    ("_5 _8", "6 C1"): ("row A1 B1 column, 0 down", "row A1 B1 column, 0 down"),  # lone all the same
    ("4 .\n_7 .", "5 A3"): ("row column A1 A2, 1 down", "row column, 1 down"),
}


@pytest.mark.parametrize(("case", "told"), COMPARED.items())
def test_compare_face_down(case, told):
    drawn, card = case
    assert tuple(turned(drawn, card, compare_face_down=value) for value in ("ignore", "include")) == told


def test_compare_face_down_leaves_lone_lines_to_lone_card():
    assert turned("_5 _8", "9 C1", compare_face_down="include", lone_card="none") == "row column, 2 down"


LONE = {
    # (drawing, card and cell): `flips`, `flips_row_only`, `none`
    ("_5 _8", "6 C1"): ("row A1 B1 column, 0 down", "row A1 B1 column, 0 down", "row column, 2 down"),
    ("_5\n_8", "6 A3"): ("row column A1 A2, 0 down", "row column, 2 down", "row column, 2 down"),
    ("_5 .\n. _8", "6 B1"): ("row A1 column B2, 0 down", "row A1 column, 1 down", "row column, 2 down"),
    ("5 .\n. 8", "6 B1"): ("row A1 column B2, 2 down", "row A1 column B2, 2 down", "row A1 column B2, 2 down"),
}


@pytest.mark.parametrize(("case", "told"), LONE.items())
def test_lone_card(case, told):
    drawn, card = case
    values = "flips", "flips_row_only", "none"
    assert tuple(turned(drawn, card, lone_card=value) for value in values) == told


ALONE = {
    # What the first card turns under (flip_scope, lone_card)
    ("whole_line", "flips"): "row A1 column A1, 0 down",
    ("whole_line", "flips_row_only"): "row A1 column, 1 down",
    ("whole_line", "none"): "row column, 0 down",
    ("whole_line_all_up", "flips_row_only"): "row column, 0 down",
    ("whole_line_all_up", "none"): "row column, 0 down",
}


@pytest.mark.parametrize(("values", "told"), ALONE.items())
def test_lone_card_where_the_placed_card_is_alone_in_its_line(values, told):
    scope, lone = values
    assert turned("", "5 A1", flip_scope=scope, lone_card=lone) == told


def test_lone_card_none_leaves_a_card_down_that_the_row_turned():
    rules = {"flip_scope": "whole_line_all_up", "lone_card": "none"}
    assert turned("5 .\n. _3", "6 B1", **rules) == "row A1 B1 column, 3 down"


TIES = {
    # (drawing, card and cell): `strict`, `row_only`
    ("6 4", "6 C1"): ("row column, 0 down", "row column, 0 down"),
    ("6\n4", "6 A3"): ("row column, 0 down", "row column A1 A2, 2 down"),
    ("6\n4", "4 A3"): ("row column, 0 down", "row column A1 A2, 2 down"),
    ("6\n6", "6 A3"): ("row column, 0 down", "row column A1 A2, 2 down"),
    ("6\n4", "5 A3"): ("row column, 0 down", "row column, 0 down"),
    ("6\n4\n8", "6 A4"): ("row column, 0 down", "row column, 0 down"),
    ("6\n4\n8", "9 A4"): ("row column A1 A2 A3, 3 down", "row column A1 A2 A3, 3 down"),
}


@pytest.mark.parametrize(("case", "told"), TIES.items())
def test_ties(case, told):
    drawn, card = case
    assert tuple(turned(drawn, card, ties=value) for value in ("strict", "row_only")) == told


def test_ties_with_face_down_cards_included():
    rules = {"compare_face_down": "include"}
    assert turned("4\n_8", "8 A3", **rules) == "row column, 1 down"
    assert turned("4\n_8", "8 A3", ties="row_only", **rules) == "row column A1 A2, 1 down"
