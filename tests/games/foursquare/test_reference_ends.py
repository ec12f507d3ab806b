"""Where cards may go and how games of Foursquare end, in positions worked by hand from the rules."""

import pytest

from simkit.games.foursquare.reference import legal_actions
from simkit.games.foursquare.state import EMPTY

from .positions import follow, legal, line, position, story, turned

# Losing by face-down cards

CROSS = "9 8 .\n. . 4\n. . 3"
"""A 10 at C1 turns two cards of the row and two of the column."""


def test_face_down_limit():
    assert story(position(CROSS, "10 A", face_down_limit=4), "C1") == ["10S on empty C1 row A1 B1 column C2 C3, 4 down"]
    assert story(position(CROSS, "10 A", face_down_limit=3), "C1") == [
        *("10S on empty C1 row A1 B1 column C2 C3, 4 down", "lost_face_down")
    ]
    assert story(position("4", "5 A", face_down_limit=0), "B1")[-1] == "lost_face_down"
    assert story(position("4", "4 A", face_down_limit=0), "B1") == ["4S on empty B1 row column, 0 down"]


def test_sixteen_face_down_is_no_loss_with_a_limit_of_sixteen():
    grid = "_9 _9 _9 _9\n" * 3 + "_9 _9 _9 _9"
    assert story(position(grid, "5 A", face_down_limit=16, lone_card="none"), "A1")[-1].endswith("15 down")
    assert story(position(grid, "5 A", face_down_limit=14, lone_card="none"), "A1")[-1] == "lost_face_down"


def test_loss_check():
    told = {
        value: story(position(CROSS, "10 A", face_down_limit=1, loss_check=value), "C1")
        for value in ("end_of_turn", "each_line")
    }
    assert told["end_of_turn"] == ["10S on empty C1 row A1 B1 column C2 C3, 4 down", "lost_face_down"]
    assert told["each_line"] == ["10S on empty C1 row A1 B1 column, 2 down", "lost_face_down"]


def test_loss_check_of_each_line_forgives_nothing_that_the_column_would_turn_back():
    grid = "9 8 .\n. . _4\n. . _3"
    saved = "10S on empty C1 row A1 B1 column C2 C3, 2 down"
    assert story(position(grid, "10 A", face_down_limit=2), "C1") == [saved]
    assert story(position(grid, "10 A", face_down_limit=2, loss_check="each_line"), "C1") == [
        *("10S on empty C1 row A1 B1 column, 4 down", "lost_face_down")
    ]
    assert story(position(grid, "10 A", face_down_limit=4, loss_check="each_line"), "C1") == [saved]


def test_loss_check_of_each_line_counts_a_placed_card_that_the_row_turned_down():
    rules = {"flip_scope": "whole_line", "face_down_limit": 1}
    assert turned("9", "10 B1", **rules) == "row A1 B1 column B1, 1 down"
    assert turned("9", "10 B1", loss_check="each_line", **rules) == "row A1 B1 column, 2 down"


def test_a_row_within_the_limit_and_a_column_beyond_it():
    lost = story(position(CROSS, "10 A", face_down_limit=3, loss_check="each_line"), "C1")
    assert lost == ["10S on empty C1 row A1 B1 column C2 C3, 4 down", "lost_face_down"]


# Where a card may go


def test_the_first_card_has_one_action():
    for adjacency in ("orthogonal", "king", "anywhere"):
        for frame in ("floating", "fixed"):
            table = position("", "5", adjacency=adjacency, frame=frame)
            assert legal_actions(table) == [(0, 0, EMPTY)]


ADJACENCY = {
    ("orthogonal", "floating"): ". + .\n+ o +\n. + .",
    ("king", "floating"): "+ + +\n+ o +\n+ + +",
    ("anywhere", "floating"): "\n".join(["+ + + + + + +"] * 3 + ["+ + + o + + +"] + ["+ + + + + + +"] * 3),
    ("orthogonal", "fixed"): "o +\n+ .",
    ("king", "fixed"): "o +\n+ +",
    ("anywhere", "fixed"): "o + + +\n+ + + +\n+ + + +\n+ + + +",
}


@pytest.mark.parametrize(("values", "board"), ADJACENCY.items())
def test_adjacency_and_frame(values, board):
    adjacency, frame = values
    assert legal(position("7", adjacency=adjacency, frame=frame)) == board


def test_the_frame_floats_until_the_piles_span_it():
    assert legal(position("7 7 7")) == ". + + + .\n+ o o o +\n. + + + ."
    assert legal(position("7 7 7 7")) == "+ + + +\no o o o\n+ + + +"
    assert legal(position("7\n7\n7\n7", corner=(-2, 0))) == "+ o +\n+ o +\n+ o +\n+ o +"
    assert legal(position("7 7 7 7", corner=(0, -3), adjacency="anywhere")) == "\n".join(
        [*["+ + + +"] * 3, "o o o o", *["+ + + +"] * 3]
    )


def test_the_whole_reach_around_the_first_card():
    table = position("7", "7 7 7 7 7 7 7")
    follow(table, "-1,0 -2,0 -3,0 -3,-1 -3,-2 -3,-3")
    assert legal(table) == "o o o o\n+ + + o\n. . + o\n. . + o"


def test_a_diagonal_of_piles_under_king_and_anywhere():
    grid = "7 . .\n. 7 .\n. . 7"
    assert legal(position(grid, adjacency="king")) == "+ + + . .\n+ o + + .\n+ + o + +\n. + + o +\n. . + + +"
    assert legal(position(grid, adjacency="orthogonal")) == ". + . . .\n+ o + . .\n. + o + .\n. . + o +\n. . . + ."
    assert legal(position(grid, adjacency="anywhere")) == "\n".join(
        ["+ + + + +", "+ o + + +", "+ + o + +", "+ + + o +", "+ + + + +"]
    )


@pytest.mark.parametrize("height", [1, 2, 3, 4])
def test_pile_height(height):
    piles = ["7", "7/7", "7/7/7", "7/7/7/7"][:height]
    marks = ["o"] * (height - 1) + ["x"]
    assert legal(position(" ".join(piles), pile_height=height, adjacency="orthogonal")).splitlines()[1].split() == [
        *(["+"] if height < 4 else []),
        *marks,
        *(["+"] if height < 4 else []),
    ]


def test_full_piles_are_neighbours_and_turn_like_others():
    table = position("9/9/9/9", "10 A")
    assert legal(table) == ". + .\n+ x +\n. + ."
    assert story(table, "B1") == ["10S on empty B1 row A1 column, 1 down"]


@pytest.mark.parametrize(("value", "board"), [("allowed", "o o o"), ("forbidden", "o x o")])
def test_stack_on_face_down(value, board):
    table = position("7 _7 7\n. _7/_8 .\n. . .", stack_on_face_down=value)
    assert legal(table).splitlines()[1].strip("+ ") == board


def test_losing_placements_are_legal():
    table = position(CROSS, "10 A", face_down_limit=0)
    assert legal(table) == legal(position(CROSS))
    for action in legal_actions(table):
        assert follow(table.copy(), f"{action.row},{action.col}")[0]["event"] == "place"


# How a game ends

ALMOST = "5 5 5 5\n5 5 5 5\n5 5 5 5\n5 5 5 ."


def outcome(table, script):
    """The outcome event of a script that ends the game."""
    return follow(table, script)[-1]


def test_sixteen_face_up_piles_win():
    table = position(ALMOST, "5H 7 8 9")
    table.max_face_down = 2
    assert outcome(table, "D4") == {
        "event": "outcome",
        "won": True,
        "status": "won",
        "score": 3,
        "score_or_zero": 3,
        "placed": 16,
        "piles": 16,
        "stacked": 0,
        "flips": 0,
        "max_face_down": 2,
        "face_down": 0,
    }


def test_a_win_with_the_last_card_is_a_win_with_score_0():
    end = outcome(position(ALMOST, "5H"), "D4")
    assert (end["won"], end["status"], end["score"], end["score_or_zero"]) == (True, "won", 0, 0)


def test_a_lost_game_has_no_score():
    end = outcome(position("5 5", "6 7", face_down_limit=0), "C1")
    assert (end["won"], end["status"], end["score"], end["score_or_zero"]) == (False, "lost_face_down", None, 0)
    assert (end["placed"], end["piles"], end["flips"], end["face_down"], end["max_face_down"]) == (3, 3, 2, 2, 2)


def test_a_card_that_turns_the_last_ones_up_wins():
    grid = "5 5 5 _5\n5 5 5 _5\n5 5 5 _5\n6 7 8 9/5"
    assert story(position(grid, "7 A"), "D4") == ["7S on face_up D4 row column D1 D2 D3, 0 down", "won"]


def test_sixteen_piles_with_one_face_down_go_on():
    grid = "5 5 5 _5\n5 5 5 5\n5 5 5 5\n5 5 5 ."
    table = position(grid, "5 6 7")
    assert story(table, "D4 A1")[0] == "5S on empty D4 row column, 1 down"


def test_fifteen_face_up_piles_do_not_win_and_the_stock_runs_out():
    grid = ALMOST.replace(".", "_5", 1).replace("5 5 5 5", "5 5 5 .", 1)
    assert story(position(grid, "5H"), "A1") == ["5H on face_up A1 row column, 1 down", "lost_stock_empty"]


def test_too_many_face_down_with_the_last_card_is_a_loss_by_face_down_cards():
    assert story(position("5", "6", face_down_limit=0), "B1")[-1] == "lost_face_down"
    assert story(position("5", "6"), "B1")[-1] == "lost_stock_empty"


def test_an_empty_stock_comes_before_no_place():
    full = "5 5 5 5\n5 5 5 5\n5 5 5 5\n5 5 _5 ."
    assert story(position(full, "5H", pile_height=1), "D4")[-1] == "lost_stock_empty"
    assert story(position(full, "5H A", pile_height=1), "D4")[-1] == "lost_no_place"


def test_no_place_where_no_pile_may_be_built_on():
    grid = "_5 _5 _5 _5\n_5 _5 _5 _5\n_5 _5 _5 _5\n_5 _5 _5 5/5/5"
    rules = {"stack_on_face_down": "forbidden", "face_down_limit": 16, "lone_card": "none"}
    assert story(position(grid, "6 7", **rules), "D4") == ["6S on face_up D4 row column, 15 down", "lost_no_place"]
    rules["stack_on_face_down"] = "allowed"
    assert len(follow(position(grid, "6 7", **rules), "D4")) == 1


def test_the_first_card_can_end_the_game():
    rules = {"flip_scope": "whole_line", "lone_card": "flips_row_only", "face_down_limit": 0}
    assert story(position("", "5 6", **rules), "A1") == ["5S on empty A1 row A1 column, 1 down", "lost_face_down"]


def test_the_outcome_counts_what_was_done():
    *places, end = follow(position("", "5 6 7 A 4 4"), "A1 B1 B1 B2 A2 A2")
    assert [line(event) for event in places] == [
        "5S on empty A1 row column, 0 down",
        "6S on empty B1 row A1 column, 1 down",
        "7S on face_up B1 row A1 column, 0 down",
        "AS on empty B2 row column B1, 1 down",
        "4S on empty A2 row B2 column A1, 3 down",
        "4S on face_up A2 row B2 column A1, 1 down",
    ]
    assert end["status"] == "lost_stock_empty"
    assert [end[name] for name in ("placed", "piles", "stacked", "flips", "max_face_down", "face_down")] == [
        *(6, 4, 2, 7, 3, 1)
    ]
