"""The referee of Skyjo: it passes games of every option value, and refuses whatever is wrong."""

import copy
from functools import cache
from types import SimpleNamespace

import pytest

from simkit import registry
from simkit.run.spec import RunSpec
from simkit.run.transcript import Replay
from simkit.strategy import resolve
from tests.referees.skyjo import CHOICES, RANGES, Rules, check
from tests.referees.transcripts import Disagreement

GAMES = 2


@cache
def _replay(strategy: str, players: int, *options: tuple) -> Replay:
    game = registry.game("skyjo")
    rules = game.rules(players, dict(options))
    return Replay(RunSpec(game, rules, (resolve(game, strategy),) * players, players, seed=5))


@cache
def _played(strategy: str, players: int, index: int, *options: tuple) -> list[dict]:
    return list(_replay(strategy, players, *options).events(index))


def played(strategy: str = "cutoff", players: int = 3, index: int = 0, **options) -> list[dict]:
    """The events of one game, free to be changed."""
    return copy.deepcopy(_played(strategy, players, index, *options.items()))


def is_refused(events: list) -> bool:
    try:
        check(events)
    except Disagreement:
        return True
    return False


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("strategy", ["random", "cutoff"])
def test_games_of_any_number_of_players_pass(players, strategy):
    for index in range(GAMES):
        check(played(strategy, players, index))


VALUES = [(name, value) for name, values in CHOICES.items() for value in values] + [
    ("target", 1),
    ("rounds", 3),
    ("multiplier", 1),
    ("multiplier", 5),
    ("max_turns", 2),
    ("max_rounds", 2),
]


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_games_under_every_option_value_pass(name, value):
    # Whole games take long; two rounds show what concerns a round.
    options = {"rounds": 2 if name in CHOICES else 0, name: value}
    for index in range(GAMES):
        check(played("random", 8, index, **options))
        check(played("cutoff", 3, index, **options))


@pytest.mark.parametrize("options", [{"max_turns": 2}, {"max_rounds": 1}])
def test_capped_games_were_met(options):
    assert any(played("cutoff", 2, index, **options)[-1]["status"] == "capped" for index in range(GAMES))


def test_an_empty_draw_pile_was_met():
    games = [played("random", 8, index, draw_empty="end_round") for index in range(GAMES)]
    assert any(event["event"] == "draw_empty" for events in games for event in events)


@pytest.mark.parametrize(
    ("scores", "doubled", "on_tie", "nonpositive"),
    [
        ([5, 3], True, False, False),
        ([5, 5], False, False, False),
        ([5, 5], True, True, False),
        ([5, 6], False, True, True),
        ([0, -1], False, True, False),
        ([-1, -2], True, False, True),
        ([-1, -1], True, True, True),
    ],
)
def test_when_the_score_of_the_ender_is_doubled(scores, doubled, on_tie, nonpositive):
    rules = SimpleNamespace(double_on_tie=on_tie, double_nonpositive=nonpositive)
    assert Rules.doubles(rules, scores, 0) == doubled


# Said to be played under the other value, some game of the first is refused. (A lot may fall on the lowest
# seat, and cells opened at random may have been chosen.)
TELLTALE = [
    ("next_starter", "round_winner", "round_ender"),
    ("next_starter", "round_ender", "rotate"),
    ("next_starter", "rotate", "highest_open"),
    ("next_starter", "highest_open", "round_winner"),
    ("reveal_after_reject", "optional", "forced"),
    ("double_on_tie", False, True),
    ("double_on_tie", True, False),
    ("column_rule", True, False),
    ("column_rule", False, True),
    ("column_at_final_reveal", True, False),
    ("column_at_final_reveal", False, True),
    ("column_discard", "on_top", "under"),
    ("column_discard", "under", "on_top"),
    ("first_starter_tie", "lot", "lowest_seat"),
    ("final_turns", "one_each", "none"),
    ("final_turns", "none", "one_each"),
    ("draw_empty", "reshuffle", "end_round"),
    ("draw_empty", "end_round", "reshuffle"),
    ("target", 50, 100),
    ("rounds", 3, 4),
    ("multiplier", 2, 3),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value", "other"), TELLTALE)
def test_a_game_under_one_value_is_not_one_under_another(name, value, other):
    # Many short games: what tells the two apart may be rare.
    short = {"rounds": 2} if name not in ("target", "rounds") else {}
    for index in range(300):
        for strategy, players in (("random", 8), ("cutoff", 2)):
            events = played(strategy, players, index, **short, **{name: value})
            events[0]["rules"] = events[0]["rules"] | {name: other}
            if is_refused(events):
                return
    pytest.fail("no game was refused")


# Each corruption changes a game and returns the number of the event that is then wrong, counted from 1.


def find(events: list[dict], kind: str, condition=lambda event: True) -> tuple[int, dict]:
    """The first event of this kind for which the condition holds, and its number."""
    return next(
        (number, event) for number, event in enumerate(events, start=1) if event["event"] == kind and condition(event)
    )


def a_card_missing(events):
    number, event = find(events, "shuffle")
    del event["cards"][-1]
    return number


def a_card_of_no_value(events):
    number, event = find(events, "shuffle")
    event["cards"][-1] = 13
    return number


def another_deal(events):
    number, event = find(events, "deal", lambda event: len(set(event["cards"])) > 1)
    event["cards"].sort(reverse=event["cards"] == sorted(event["cards"]))
    return number


def another_upcard(events):
    number, event = find(events, "upcard")
    event["card"] += 1
    return number


def one_cell_opened_twice(events):
    number, event = find(events, "open")
    event["cells"][1], event["values"][1] = event["cells"][0], event["values"][0]
    return number


def a_cell_too_many_opened(events):
    number, event = find(events, "open")
    event["cells"].append(next(cell for cell in range(12) if cell not in event["cells"]))
    return number


def another_starter(events):
    opened = [sum(event["values"]) for event in events[:10] if event["event"] == "open"]
    number, event = find(events, "starter")
    event["seat"] = opened.index(min(opened))
    return number


def a_turn_of_another_seat(events):
    number, event = find(events, "draw")
    event["seat"] = (event["seat"] + 1) % 3
    return number


def another_card_taken(events):
    number, event = find(events, "take")
    event["card"] += 1
    return number


def another_card_replaced(events):
    number, event = find(events, "exchange")
    event["replaced"] += 1
    return number


def a_cell_that_is_none(events):
    number, event = find(events, "take")
    event["cell"] = 12
    return number


def a_face_up_card_turned_up(events):
    number, event = find(events, "reject", lambda event: event["cell"] is not None)
    _, opened = find(events, "open", lambda opened: opened["seat"] == event["seat"])
    event["cell"], event["value"] = opened["cells"][0], opened["values"][0]
    return number


def a_column_left_standing(events):
    number, _ = find(events, "clear")
    del events[number - 1]
    return number


def another_column_cleared(events):
    number, event = find(events, "clear")
    event["column"] = (event["column"] + 1) % 4
    return number


def no_ending(events):
    number, _ = find(events, "ending")
    del events[number - 1]
    return number


def a_wrong_score(events):
    number, event = find(events, "score")
    event["scores"][1] += 1
    return number


def a_wrong_total(events):
    number, event = find(events, "score")
    event["totals"][0] -= 1
    return number


def another_seat_doubled(events):
    number, event = find(events, "score", lambda event: event["doubled"] is not None)
    event["doubled"] = None
    return number


def a_round_too_few(events):
    first = max(number for number, event in enumerate(events) if event["event"] == "round")
    del events[first:-1]
    return first + 1


def no_end(events):
    del events[-1]
    return len(events) + 1


def something_after_the_outcome(events):
    events.append(events[-1])
    return len(events)


CORRUPTIONS = [
    a_card_missing,
    a_card_of_no_value,
    another_deal,
    another_upcard,
    one_cell_opened_twice,
    a_cell_too_many_opened,
    another_starter,
    a_turn_of_another_seat,
    another_card_taken,
    another_card_replaced,
    a_cell_that_is_none,
    a_face_up_card_turned_up,
    a_column_left_standing,
    another_column_cleared,
    no_ending,
    a_wrong_score,
    a_wrong_total,
    another_seat_doubled,
    a_round_too_few,
    no_end,
    something_after_the_outcome,
]


@cache
def _eventful() -> list[dict]:
    """A game with a column cleared and a score doubled."""
    for index in range(1000):
        outcome = _played("cutoff", 3, index)[-1]
        if all(any(seat[name] for seat in outcome["seats"]) for name in ("cleared", "doubled")):
            return _played("cutoff", 3, index)
    pytest.fail("no such game")


@pytest.mark.parametrize("corrupt", CORRUPTIONS, ids=lambda corrupt: corrupt.__name__)
def test_a_corrupted_game_is_refused_where_it_is_wrong(corrupt):
    events = copy.deepcopy(_eventful())
    check(events)
    number = corrupt(events)
    with pytest.raises(Disagreement) as refused:
        check(events)
    assert refused.value.number == number, refused.value


def test_every_column_of_the_outcome_is_checked():
    whole = _eventful()
    for column, seat in registry.game("skyjo").flat_columns(3):
        for wrong in (None, True, "capped", 7.5):
            outcome = copy.deepcopy(whole[-1])
            (outcome if seat is None else outcome["seats"][seat])[column.name] = wrong
            assert is_refused([*whole[:-1], outcome]), f"{column.name} of {seat}: {wrong!r}"


@pytest.mark.parametrize("name", [*CHOICES, *RANGES])
def test_every_option_must_be_given_and_allowed(name):
    for wrong in ("perhaps", None, -1, 2.5, 1 if name in CHOICES else True):
        events = played()
        events[0]["rules"] = events[0]["rules"] | {name: wrong}
        with pytest.raises(Disagreement, match=name):
            check(events)
