"""The two engines agree game by game, and an independent referee accepts what the reference writes down."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simkit import registry
from simkit.run.blocks import Seating
from tests.engines import Engines, slow_size
from tests.referees.skyjo import check

GAME = registry.game("skyjo")
# Players that exchange at random play long rounds, and their totals may never reach the target.
ENGINES = Engines(GAME, Path(__file__).parent, check, {"max_turns": 40, "max_rounds": 2, "rounds": 2})
SHORT = {"max_turns": 40, "max_rounds": 2}
ANY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


def compare(data, players, chosen, seed, index):
    texts = data.draw(st.lists(ENGINES.texts, min_size=players, max_size=players))
    ENGINES.compare(SHORT | chosen, texts, seed, index)


@given(st.data(), st.integers(2, 8), ENGINES.options(), st.integers(0, 2**64 - 1), st.integers(0, 2**63 - 1))
@settings(max_examples=30, **ANY)
def test_engines_and_referee_agree_under_any_options(data, players, chosen, seed, index):
    compare(data, players, chosen, seed, index)


@pytest.mark.slow
@given(st.data(), st.integers(2, 8), ENGINES.options(), st.integers(0, 2**64 - 1))
@settings(max_examples=slow_size(1000), **ANY)
def test_engines_agree_in_a_thousand_more_games(data, players, chosen, seed):
    compare(data, players, chosen, seed, 0)


@pytest.mark.bounds
@pytest.mark.parametrize("players", range(2, 9))
def test_engines_agree_under_the_default_rules(players):
    ENGINES.compare({}, ["cutoff"] * players, seed=0, index=0, games=2)
    ENGINES.compare({}, [ENGINES.fingerprint] * players, seed=2**64 - 1, index=2**62, games=1)


@pytest.mark.bounds
@pytest.mark.parametrize("option", [option for option in GAME.options if option.values], ids=lambda o: o.name)
def test_engines_agree_for_every_named_value(option):
    for value in option.values:
        for players in (2, 5):
            ENGINES.compare(SHORT | {option.name: value}, ["cutoff"] * players, seed=3, index=10)
            ENGINES.compare(SHORT | {option.name: value}, [ENGINES.fingerprint] * players, seed=3, index=10)


def test_points_rounds_and_shares_balance_in_every_game():
    rules = GAME.rules(4, {"multiplier": 1})
    rows = Seating(GAME, rules, [ENGINES.player("cutoff")] * 4).play(6, 0, 5_000)
    columns = {
        name: rows[:, [i for i, (column, seat) in enumerate(GAME.flat_columns(4)) if (column.name, seat) in keys]]
        for name in ("rounds", "tied", "total", "raw", "ended", "doubled", "win_share")
        for keys in [{(name, seat) for seat in (None, *range(4))}]
    }
    assert (columns["total"] == columns["raw"]).all()
    assert (columns["ended"].sum(axis=1) == columns["rounds"][:, 0]).all()
    assert (columns["doubled"] <= columns["ended"]).all()
    assert ((columns["win_share"] > 0).sum(axis=1) == columns["tied"][:, 0]).all()
