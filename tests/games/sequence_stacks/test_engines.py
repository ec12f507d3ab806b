"""The two engines agree game by game, and an independent referee accepts what the reference writes down."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from simkit import registry
from simkit.errors import BadInput
from simkit.run.blocks import Seating
from tests.engines import Engines, slow_size
from tests.referees.sequence_stacks import check

GAME = registry.game("sequence_stacks")
ENGINES = Engines(GAME, Path(__file__).parent, check, {"max_turns": 300, "max_plays": 400})
ANY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


def compare_if_playable(data, players, chosen, seed, index):
    texts = data.draw(st.lists(ENGINES.texts, min_size=players, max_size=players))
    try:
        ENGINES.compare(chosen, texts, seed, index)
    except BadInput:
        assume(False)


@given(st.data(), st.integers(2, 6), ENGINES.options(), st.integers(0, 2**64 - 1), st.integers(0, 2**63 - 1))
@settings(max_examples=60, **ANY)
def test_engines_and_referee_agree_under_any_options(data, players, chosen, seed, index):
    compare_if_playable(data, players, chosen, seed, index)


@pytest.mark.slow
@given(st.data(), st.integers(2, 6), ENGINES.options(), st.integers(0, 2**64 - 1))
@settings(max_examples=slow_size(1000), **ANY)
def test_engines_agree_in_a_thousand_more_games(data, players, chosen, seed):
    compare_if_playable(data, players, chosen, seed, 0)


@pytest.mark.bounds
@pytest.mark.parametrize("players", range(2, 7))
def test_engines_agree_under_the_default_rules(players):
    ENGINES.compare({}, [ENGINES.fingerprint] * players, seed=0, index=0, games=6)
    ENGINES.compare({}, ["random"] * players, seed=2**64 - 1, index=2**62, games=6)


@pytest.mark.bounds
@pytest.mark.parametrize("option", [option for option in GAME.options if option.values], ids=lambda o: o.name)
def test_engines_agree_for_every_named_value(option):
    for value in option.values:
        for players in (2, 5):
            ENGINES.compare({option.name: value}, [ENGINES.fingerprint] * players, seed=3, index=10)


def test_swapping_the_colours_changes_nothing_but_the_colours():
    """Red and blue are alike: over many games their mean chips agree."""
    seating = Seating(GAME, GAME.rules(2), [ENGINES.player("eager")] * 2)
    rows = seating.play(5, 0, 40_000).astype(float)
    names = [(column.name, seat) for column, seat in GAME.flat_columns(2)]
    for seat in range(2):
        difference = rows[:, names.index(("red", seat))] - rows[:, names.index(("blue", seat))]
        assert abs(difference.mean()) < 4.5 * difference.std() / len(rows) ** 0.5


def test_chips_and_sequences_balance_in_every_game():
    rows = Seating(GAME, GAME.rules(4), [ENGINES.player("random")] * 4).play(6, 0, 5_000)
    names = [column.name for column, _ in GAME.flat_columns(4)]
    chips = sum(rows[:, i] for i, name in enumerate(names) if name in ("red", "blue"))
    by_name = {name: rows[:, i] for i, name in reversed(list(enumerate(names)))}
    unblocked = by_name["sequences"] - by_name["blocks"]
    assert (chips <= unblocked).all()
    assert (chips == unblocked)[unblocked <= 20].all(), "only a colour that is out gives no chip"
    turns = sum(rows[:, i] for i, name in enumerate(names) if name == "turns") - by_name["turns"]
    assert (turns == by_name["turns"]).all()
