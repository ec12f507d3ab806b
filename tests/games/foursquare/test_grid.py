"""The grid in machine words follows the same rules as the view's board."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simkit import registry
from simkit._jit import jit
from simkit.games.foursquare.grid import DOWN, may_place, piles_of, placed
from simkit.games.foursquare.state import RULES_RECORD, rank_of
from simkit.run.blocks import Seating
from tests.engines import Engines

from .positions import cell, position
from .test_reference import EXAMPLE

GAME = registry.game("foursquare")
ENGINES = Engines(GAME, Path(__file__).parent, None, {})
BOTH = f"{Path(__file__).parent / 'two_forms.py'}:choose"


@given(ENGINES.options(), st.integers(0, 2**64 - 1))
@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_placement_turns_the_same_tops_in_both_forms(chosen, seed):
    Seating(GAME, GAME.rules(1, chosen), [ENGINES.player(BOTH)]).play(seed, 0, 50)


@jit
def after_card(rules, words, row, col, card, after):
    after[0], after[1], after[2] = placed(rules, words[0], words[1], words[2], row, col, card)
    return may_place(rules, words[1], words[2], piles_of(words[2]), row, col)


def place_six(name):
    """Whether the 6 of the designer's example may be placed there, and what is seen then, row by row."""
    table = position(EXAMPLE, "6C 5H")
    words, after = np.zeros(3, np.int64), np.zeros(3, np.int64)
    for (row, col), pile in table.piles.items():
        at = 16 * row + 4 * col
        words |= np.array([rank_of(table.text(pile.cards[-1])), 0 if pile.face_up else DOWN, len(pile.cards)]) << at
    rules = np.array([GAME.codes(GAME.rules(1))], RULES_RECORD)[0]
    legal = after_card(rules, words, *cell(name), 6, after)
    tops = [((after[0] >> at) & 15, (after[1] >> at) & 15) for at in range(0, 48, 4)]
    seen = ["." if not rank else f"_{rank}" if down else str(rank) for rank, down in tops]
    return legal, " | ".join(" ".join(seen[row : row + 4]) for row in (0, 4, 8))


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("B3", "9 _10 . . | . 7 6 4 | . 6 _3 _2"),
        ("B1", "_9 6 . . | . 7 6 4 | . . 3 2"),
        ("B2", "9 _10 . . | . 6 6 4 | . . 3 2"),
        ("D1", "_9 _10 . 6 | . _7 6 _4 | . . 3 _2"),
    ],
)
def test_the_worked_example(name, seen):
    assert place_six(name) == (True, seen)


def test_the_worked_example_shows_what_is_not_legal():
    assert not place_six("A3")[0]
    assert place_six("A2")[0]
