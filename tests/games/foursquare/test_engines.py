"""The two engines agree game by game, and an independent referee accepts what the reference writes down."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simkit import registry
from tests.engines import Engines, slow_size
from tests.referees.foursquare import check

GAME = registry.game("foursquare")
ENGINES = Engines(GAME, Path(__file__).parent, check, {})
ANY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


@given(ENGINES.texts, ENGINES.options(), st.integers(0, 2**64 - 1), st.integers(0, 2**63 - 1))
@settings(max_examples=150, **ANY)
def test_engines_agree_under_any_options(text, chosen, seed, index):
    ENGINES.compare(chosen, [text], seed, index, games=3)


@pytest.mark.slow
@given(ENGINES.texts, ENGINES.options(), st.integers(0, 2**64 - 1))
@settings(max_examples=slow_size(2000), **ANY)
def test_engines_agree_in_thousands_more_games(text, chosen, seed):
    ENGINES.compare(chosen, [text], seed, 0, games=3)


@pytest.mark.bounds
@pytest.mark.parametrize("text", [ENGINES.fingerprint, "random", "cautious"], ids=["fingerprint", "random", "cautious"])
def test_engines_agree_under_the_default_rules(text):
    ENGINES.compare({}, [text], seed=2**64 - 1, index=2**62, games=20)


@pytest.mark.bounds
@pytest.mark.parametrize("option", [option for option in GAME.options if option.values], ids=lambda o: o.name)
def test_engines_agree_for_every_named_value(option):
    for value in option.values:
        ENGINES.compare({option.name: value}, ["cautious"], seed=3, index=10, games=5)
        ENGINES.compare({option.name: value}, [ENGINES.fingerprint], seed=3, index=10, games=10)
