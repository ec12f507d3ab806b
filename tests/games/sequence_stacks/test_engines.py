"""The two engines agree game by game, and an independent referee accepts what the reference writes down."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from simkit import registry
from simkit.errors import BadInput
from simkit.run.blocks import Seating
from simkit.run.spec import RunSpec
from simkit.run.transcript import Replay, outcome_row
from simkit.strategy import Player, resolve
from tests.referees.sequence_stacks import check

GAME = registry.game("sequence_stacks")
FINGERPRINT = f"{Path(__file__).parent / 'fingerprint.py'}:choose"
SMALL = {"max_turns": 300, "max_plays": 400}
"""Caps low enough for the reference engine to reach them now and then."""


@cache
def player(text: str) -> Player:
    return Player(GAME, resolve(GAME, text))


def option_values(option):
    if option.values:
        return st.sampled_from(option.values)
    return st.integers(option.low, min(option.high, SMALL.get(option.name, option.high)))


RULES = st.fixed_dictionaries({}, optional={option.name: option_values(option) for option in GAME.options})
TEXTS = st.sampled_from([FINGERPRINT, "random", "eager"])


class Seated(Replay):
    """A replay whose compiled players are shared between tests."""

    def __init__(self, spec):
        self.spec, self._seats, self.players = spec, spec.seats, [player(seat.text) for seat in spec.seats]


def compare(players, chosen, texts, seed, index, games=2):
    """Play the same games in both engines; the transcripts pass the referee and end in the kernel's rows."""
    try:
        rules = GAME.rules(players, chosen)
    except BadInput:
        assume(False)
    spec = RunSpec(GAME, rules, tuple(player(text).strategy for text in texts), games, seed)
    replay = Seated(spec)
    rows = Seating(GAME, rules, replay.players).play(seed, index, games)
    for i, row in enumerate(rows):
        events = list(replay.events(index + i))
        check(events)
        names = [(column.name, seat) for column, seat in GAME.flat_columns(players)]
        told = dict(zip(names, outcome_row(GAME, players, events[-1]), strict=True))
        assert told == dict(zip(names, row.tolist(), strict=True)), f"game {index + i} of seed {seed}"


@given(st.data(), st.integers(2, 6), RULES, st.integers(0, 2**64 - 1), st.integers(0, 2**63 - 1))
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_engines_and_referee_agree_under_any_options(data, players, chosen, seed, index):
    texts = data.draw(st.lists(TEXTS, min_size=players, max_size=players))
    compare(players, chosen, texts, seed, index)


@pytest.mark.bounds
@pytest.mark.parametrize("players", range(2, 7))
def test_engines_agree_under_the_default_rules(players):
    compare(players, {}, [FINGERPRINT] * players, seed=0, index=0, games=6)
    compare(players, {}, ["random"] * players, seed=2**64 - 1, index=2**62, games=6)


@pytest.mark.bounds
@pytest.mark.parametrize("option", [option for option in GAME.options if option.values], ids=lambda o: o.name)
def test_engines_agree_for_every_named_value(option):
    for value in option.values:
        for players in (2, 5):
            compare(players, {option.name: value}, [FINGERPRINT] * players, seed=3, index=10)


@pytest.mark.slow
@given(st.data(), st.integers(2, 6), RULES, st.integers(0, 2**64 - 1))
@settings(max_examples=1000, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_engines_agree_in_a_thousand_more_games(data, players, chosen, seed):
    texts = data.draw(st.lists(TEXTS, min_size=players, max_size=players))
    compare(players, chosen, texts, seed, 0)


def test_swapping_the_colours_changes_nothing_but_the_colours():
    """Red and blue are alike: over many games their mean chips agree."""
    seating = Seating(GAME, GAME.rules(2), [player("eager")] * 2)
    rows = seating.play(5, 0, 40_000).astype(float)
    names = [(column.name, seat) for column, seat in GAME.flat_columns(2)]
    for seat in range(2):
        difference = rows[:, names.index(("red", seat))] - rows[:, names.index(("blue", seat))]
        assert abs(difference.mean()) < 4.5 * difference.std() / len(rows) ** 0.5


def test_chips_and_sequences_balance_in_every_game():
    rows = Seating(GAME, GAME.rules(4), [player("random")] * 4).play(6, 0, 5_000)
    names = [column.name for column, _ in GAME.flat_columns(4)]
    chips = sum(rows[:, i] for i, name in enumerate(names) if name in ("red", "blue"))
    by_name = {name: rows[:, i] for i, name in reversed(list(enumerate(names)))}
    unblocked = by_name["sequences"] - by_name["blocks"]
    assert (chips <= unblocked).all()
    assert (chips == unblocked)[unblocked <= 20].all(), "only a colour that is out gives no chip"
    turns = sum(rows[:, i] for i, name in enumerate(names) if name == "turns") - by_name["turns"]
    assert (turns == by_name["turns"]).all()
