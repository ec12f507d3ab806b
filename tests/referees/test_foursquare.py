"""The referee of Foursquare: what it makes of the page's example, and that it refuses whatever is wrong."""

import copy
from functools import cache

import pytest

from simkit import registry
from simkit.run.spec import RunSpec
from simkit.run.transcript import Replay
from simkit.strategy import resolve
from tests.referees.foursquare import CHOICES, RANGES, Grid, Rules, check
from tests.referees.transcripts import Disagreement

DEFAULTS = {name: values[0] for name, values in CHOICES.items()} | {
    "pile_height": 4,
    "face_down_limit": 4,
    "max_rank": 10,
    "suits": 4,
}

# The page's example. `_` marks a face-down top; the rank of B2 is not on the page.
EXAMPLE = """
9  10 .  .
.  _5 6  4
.  .  3  2
"""


def cells(names: str) -> list[tuple[int, int]]:
    """Cells by their names, as in a spreadsheet: A1 is (0, 0) and B1 to the right of it."""
    return [(int(name[1:]) - 1, "ABCD".index(name[0])) for name in names.split()]


def grid(drawing: str, **options) -> Grid:
    """A grid with these piles of one card each."""
    drawn = Grid(Rules(DEFAULTS | options))
    for row, words in enumerate(drawing.strip().splitlines()):
        for column, word in enumerate(words.split()):
            if word != ".":
                drawn.piles[row, column] = [int(word.strip("_"))]
            if "_" in word:
                drawn.face_down.add((row, column))
    return drawn


@pytest.mark.parametrize(
    ("place", "row_flips", "col_flips", "face_down", "options"),
    [
        ("B3", "C3 D3", "B1 B2", 3, {}),
        ("B1", "A1", "B2", 1, {}),
        ("B2", "", "B1", 1, {}),
        ("D1", "A1 B1", "D2 D3", 5, {}),
        ("B3", "B3 C3 D3", "B1 B2 B3", 3, {"flip_scope": "whole_line"}),
        ("B1", "A1 B1", "B1 B2", 1, {"flip_scope": "whole_line"}),
        ("B1", "A1 B1", "B1 B2", 1, {"flip_scope": "whole_line_all_up"}),
        ("A2", "", "A1 A2", 3, {"flip_scope": "whole_line"}),
        ("A3", "A3 C3 D3", "A1 A3", 4, {"flip_scope": "whole_line", "adjacency": "king"}),
        ("B3", "C3 D3", "", 3, {"compare_face_down": "include"}),
        ("B1", "A1", "B2", 1, {"compare_face_down": "include"}),
        ("B1", "A1", "", 2, {"lone_card": "none"}),
        ("B1", "A1", "", 2, {"lone_card": "flips_row_only"}),
        ("C1", "A1 B1", "", 3, {}),
        ("C1", "A1 B1", "C2 C3", 5, {"ties": "row_only"}),
        ("B2", "", "B1", 1, {"ties": "row_only"}),
        ("B3", "C3 D3", "", 3, {"loss_check": "each_line", "face_down_limit": 2}),
        ("B3", "C3 D3", "B1 B2", 3, {"loss_check": "each_line", "face_down_limit": 3}),
    ],
)
def test_a_six_in_the_example_turns(place, row_flips, col_flips, face_down, options):
    drawn = grid(EXAMPLE, **options)
    assert drawn.refusal(*cells(place)) is None
    assert drawn.place(*cells(place), rank=6) == (cells(row_flips), cells(col_flips))
    assert len(drawn.face_down) == face_down


def test_whole_line_all_up_leaves_no_card_of_a_lone_line_face_down():
    # Turned down by the row, the 1 is up again after a column in which nothing else was up.
    assert grid("5 _9\n. _2").refusal((0, 1)) is None
    turned = grid("5 _9\n. _2", flip_scope="whole_line_all_up").place((0, 1), rank=1)
    assert turned == (cells("A1 B1"), cells("B1 B2"))
    # Alone in its column and face up, it stays.
    assert grid("5 3", flip_scope="whole_line_all_up").place((0, 2), rank=1) == (cells("A1 B1 C1"), cells("C1"))
    assert grid("_5", flip_scope="whole_line_all_up").place((0, 1), rank=1) == (cells("A1"), [])


@pytest.mark.parametrize(
    ("place", "why", "options"),
    [
        ("A3", "not next to a pile", {}),
        ("A3", None, {"adjacency": "king"}),
        ("A4", "not next to a pile", {"adjacency": "king"}),
        ("A4", None, {"adjacency": "anywhere"}),
        ("A1", None, {}),
        ("A1", "full", {"pile_height": 1}),
        ("B2", None, {}),
        ("B2", "face down", {"stack_on_face_down": "forbidden"}),
    ],
)
def test_a_place_in_the_example_is_legal_or_not(place, why, options):
    refusal = grid(EXAMPLE, **options).refusal(*cells(place))
    assert refusal is None if why is None else why in refusal


def test_the_frame_floats_or_is_fixed():
    four_columns = grid(EXAMPLE)
    assert four_columns.refusal((1, 4)) == four_columns.refusal((0, -1)) == "outside the frame"
    assert four_columns.refusal((-1, 0)) is None
    assert grid(EXAMPLE, frame="fixed").refusal((-1, 0)) == "outside the frame"
    assert grid("1 . .", frame="fixed").refusal((0, -1)) == "outside the frame"
    assert grid("1", frame="floating", adjacency="anywhere").refusal((-3, 3)) is None
    assert grid("1", frame="floating", adjacency="anywhere").refusal((-4, 3)) == "outside the frame"


@cache
def _replay(strategy: str, *options: tuple) -> Replay:
    game = registry.game("foursquare")
    rules = game.rules(1, dict(options))
    return Replay(RunSpec(game, rules, (resolve(game, strategy),), 1, seed=5))


def played(strategy: str, index: int, **options) -> list[dict]:
    """The events of one game, free to be changed."""
    return copy.deepcopy(list(_replay(strategy, *options.items()).events(index)))


ENDS = {
    "won": {"face_down_limit": 16, "suits": 8, "flip_scope": "whole_line_all_up"},
    "lost_face_down": {},
    "lost_stock_empty": {"max_rank": 4},
    "lost_no_place": {"pile_height": 1, "face_down_limit": 16},
}


@cache
def _ended(status: str) -> list[dict]:
    games = (played("cautious", index, **ENDS[status]) for index in range(1000))
    return next(events for events in games if events[-1]["status"] == status)


def ended(status: str) -> list[dict]:
    """A game that ends so; its events are free to be changed."""
    return copy.deepcopy(_ended(status))


@pytest.mark.parametrize("status", ENDS)
def test_games_of_every_end_pass(status):
    check(ended(status))


# Where the first value only forbids what the second allows, its games are games of the second too.
WITHIN = {
    ("forbidden", "allowed"),
    ("orthogonal", "king"),
    ("orthogonal", "anywhere"),
    ("king", "anywhere"),
    ("fixed", "floating"),
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_game_under_one_value_is_not_one_under_another(name):
    for value in CHOICES[name]:
        games = [played("random", index, **{name: value}) for index in range(60)]
        for other in set(CHOICES[name]) - {value}:
            refused = any(is_refused(relabelled(events, name, other)) for events in games)
            assert refused == ((value, other) not in WITHIN), f"{value} taken for {other}"


def relabelled(events: list[dict], name: str, value) -> list[dict]:
    """The same game, said to be played under another option."""
    events[0]["rules"] = events[0]["rules"] | {name: value}
    return events


def is_refused(events: list) -> bool:
    try:
        check(events)
    except Disagreement:
        return True
    return False


# Each corruption changes a game and returns the number of the event that is then wrong, counted from 1.


def place_with(events: list[dict], condition) -> tuple[int, dict]:
    """The first `place` for which the condition holds, and its event number."""
    return next(
        (number, event)
        for number, event in enumerate(events, start=1)
        if event["event"] == "place" and condition(event)
    )


def a_card_missing(events):
    del events[1]["cards"][-1]
    return 2


def a_card_twice(events):
    events[1]["cards"][-1] = events[1]["cards"][0]
    return 2


def a_card_of_another_deck(events):
    events[1]["cards"][-1] = "11S"
    return 2


def another_card_than_the_top(events):
    events[4]["card"] = events[5]["card"]
    return 5


def another_suit(events):
    cards = events[1]["cards"]
    top, twin = 2, next(i for i, card in enumerate(cards) if i > 2 and card[:-1] == cards[2][:-1])
    cards[top], cards[twin] = cards[twin], cards[top]
    return 5


def a_missing_turn(events):
    del events[4]
    return 5


def a_turn_twice(events):
    events.insert(4, events[4])
    return 6


def a_wrong_turn_number(events):
    events[4]["turn"] += 1
    return 5


def a_first_card_elsewhere(events):
    events[2]["row"] = 1
    return 3


def a_cell_far_away(events):
    events[4]["col"] = 40
    return 5


def a_cell_that_is_none(events):
    events[2]["col"] = False
    return 3


def a_flip_too_few(events):
    number, event = place_with(events, lambda event: event["row_flips"])
    event["row_flips"] = event["row_flips"][1:]
    return number


def a_flip_too_many(events):
    number, event = place_with(events, lambda event: event["on"] != "empty")
    event["col_flips"] = [*event["col_flips"], [event["row"], event["col"]]]
    return number


def flips_out_of_order(events):
    number, event = place_with(events, lambda event: len(event["col_flips"]) > 1)
    event["col_flips"] = event["col_flips"][::-1]
    return number


def row_and_column_exchanged(events):
    number, event = place_with(events, lambda event: event["row_flips"] or event["col_flips"])
    event["row_flips"], event["col_flips"] = event["col_flips"], event["row_flips"]
    return number


def a_wrong_count_of_face_down_tops(events):
    events[5]["face_down"] += 1
    return 6


def a_wrong_on(events):
    number, event = place_with(events, lambda event: event["on"] != "empty")
    event["on"] = "face_up" if event["on"] == "face_down" else "face_down"
    return number


def a_pile_for_a_free_cell(events):
    events[2]["on"] = "face_up"
    return 3


def no_col_flips(events):
    del events[3]["col_flips"]
    return 4


def an_end_too_early(events):
    del events[8:-1]
    return 9


def no_end(events):
    del events[-1]
    return len(events) + 1


def a_turn_after_the_end(events):
    events.insert(-1, events[-2] | {"turn": events[-2]["turn"] + 1})
    return len(events) - 1


def something_after_the_outcome(events):
    events.append(events[-1])
    return len(events)


def seats_in_the_outcome(events):
    events[-1]["seats"] = []
    return len(events)


def a_text_for_an_event(events):
    events[3] = "place"
    return 4


def an_event_without_a_kind(events):
    del events[3]["event"]
    return 4


def nothing_before_the_shuffle(events):
    del events[0]
    return 1


def another_game(events):
    events[0]["game"] = "skyjo"
    return 1


def two_players(events):
    events[0] |= {"players": 2, "strategies": ["random", "random"]}
    return 1


CORRUPTIONS = [
    a_card_missing,
    a_card_twice,
    a_card_of_another_deck,
    another_card_than_the_top,
    another_suit,
    a_missing_turn,
    a_turn_twice,
    a_wrong_turn_number,
    a_first_card_elsewhere,
    a_cell_far_away,
    a_cell_that_is_none,
    a_flip_too_few,
    a_flip_too_many,
    flips_out_of_order,
    row_and_column_exchanged,
    a_wrong_count_of_face_down_tops,
    a_wrong_on,
    a_pile_for_a_free_cell,
    no_col_flips,
    an_end_too_early,
    no_end,
    a_turn_after_the_end,
    something_after_the_outcome,
    seats_in_the_outcome,
    a_text_for_an_event,
    an_event_without_a_kind,
    nothing_before_the_shuffle,
    another_game,
    two_players,
]


@pytest.mark.parametrize("corrupt", CORRUPTIONS, ids=lambda corrupt: corrupt.__name__)
@pytest.mark.parametrize("status", ["won", "lost_face_down"])
def test_a_corrupted_game_is_refused_where_it_is_wrong(corrupt, status):
    events = ended(status)
    number = corrupt(events)
    with pytest.raises(Disagreement) as refused:
        check(events)
    assert refused.value.number == number, refused.value


@pytest.mark.parametrize("status", ["won", "lost_face_down", "lost_stock_empty"])
def test_every_column_of_the_outcome_is_checked(status):
    whole = ended(status)
    for column in registry.game("foursquare").columns:
        right = whole[-1][column.name]
        for wrong in (not right, "won" if right != "won" else "lost_face_down", None if right is not None else 0):
            assert is_refused([*whole[:-1], whole[-1] | {column.name: wrong}]), f"{column.name}: {wrong!r}"
        outcome = {name: value for name, value in whole[-1].items() if name != column.name}
        assert is_refused([*whole[:-1], outcome]), f"no {column.name}"


@pytest.mark.parametrize("name", [*CHOICES, *RANGES])
def test_every_option_must_be_given_and_allowed(name):
    events = played("random", 0)
    for wrong in ("perhaps", None, True, 99, 2.0):
        changed = relabelled(copy.deepcopy(events), name, wrong)
        with pytest.raises(Disagreement, match=name):
            check(changed)
    del events[0]["rules"][name]
    with pytest.raises(Disagreement, match=f"{name} is missing"):
        check(events)


def test_more_events_and_fields_are_allowed():
    events = played("random", 0)
    events[3]["comment"] = "bold"
    check([*events[:3], {"event": "comment"}, *events[3:]])
