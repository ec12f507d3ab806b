"""The grid in machine words follows the same rules as the view's board."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simkit import registry
from simkit.run.blocks import Seating
from tests.engines import Engines

GAME = registry.game("foursquare")
ENGINES = Engines(GAME, Path(__file__).parent, None, {})
BOTH = f"{Path(__file__).parent / 'two_forms.py'}:choose"


@given(ENGINES.options(), st.integers(0, 2**64 - 1))
@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_placement_turns_the_same_tops_in_both_forms(chosen, seed):
    Seating(GAME, GAME.rules(1, chosen), [ENGINES.player(BOTH)]).play(seed, 0, 50)
