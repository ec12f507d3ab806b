"""The players of Sequence Stacks: for each idea a position in which it shows; and that all keep to the rules."""

import random
from collections import Counter
from functools import cache
from itertools import chain

import numpy as np
import pytest

from simkit.games.sequence_stacks import GAME
from simkit.games.sequence_stacks.reference import view
from simkit.games.sequence_stacks.state import ACTIONS
from simkit.rng import CHOICE
from simkit.rng.plain import Stream
from simkit.run.blocks import Seating
from simkit.strategy import Player, builtin, resolve

from .positions import position, random_rules, say

ALL = tuple(builtin(GAME))
THINKING = tuple(name for name in ALL if name not in GAME.calibration)


@cache
def player(text):
    return Player(GAME, resolve(GAME, text))


def stocked(*hands, **rest):
    """A position in which all cards that are nowhere else are in the draw pile."""
    table = position(*hands, **rest)
    seen = view(table, table.decider)
    left = Counter(dict(enumerate((seen["deck"] - seen["visible"]).tolist())))
    left.subtract(chain.from_iterable(table.hands))
    table.draw_pile = list(left.elements())
    return table


def answers(text, table, draws=40):
    """All that this player answers in a position, in words, over so many streams of its own randomness."""
    found = set()
    for draw in range(draws):
        table.streams[table.decider] = Stream(1, draw, CHOICE, table.decider).record()
        seen = view(table, table.decider)
        found.add(say(ACTIONS[seen["actions"]["code"][player(text).choose(seen)]]))
    return found


def asked_to_block(chips):
    """Seat 1 holds a Block and seat 0, with these chips, has completed a red sequence."""
    table = position("B3 B4", "Block", red="R1 R2 R3 R4 R5", chips={0: chips})
    table.asked = 1
    return table


# Completing


def test_greedy_completes_where_eager_lays_anything():
    table = position("R4 R5 B1 B1", "", red="R1 R2 R3 | R1")
    assert answers("greedy", table) == {"R4"}
    assert answers("eager", table) == {"R4", "B1"}


def test_greedy_completes_with_the_own_discard_and_the_fewest_wilds():
    table = position("RW B5 BW R1", "", discards={0: "B2 B4"}, red="R1 R2 R3 R4", blue="B1 B2 B3")
    assert answers("greedy", table) == {"B4 from discard"}


def test_greedy_leaves_a_chip_of_no_use():
    table = position("R5 B5", "", red="R1 R2 R3 R4", blue="B1 B2 B3 B4", chips={0: "R R R"})
    assert answers("greedy", table) == {"B5"}


def test_greedy_keeps_blocks_for_chips_that_matter():
    assert answers("greedy", asked_to_block("R")) == {"block"}
    assert answers("greedy:keep_blocks=2", asked_to_block("R")) == {"no block"}
    assert answers("greedy:keep_blocks=2", asked_to_block("R B B")) == {"block"}


# What to lay


def test_holder_holds_back_the_4_that_hands_on_a_5():
    table = position("R4 B1 B2", "", red="R1 R2 R3")
    assert answers("holder", table) == {"B1"}
    assert "R4" in answers("eager", table)


def test_saver_saves_a_wild_but_for_a_sequence_or_a_new_hand():
    table = position("RW B4 B4", "", red="R1 R2")
    assert answers("saver", table) == {"discard RW", "discard B4"}
    assert answers("eager", table) == {"RW as 1", "RW as 3"}
    assert answers("saver", position("RW", "", red="R1 R2")) == {"RW as 1", "RW as 3"}
    assert answers("saver", position("RW R5", "", red="R1 R2 R3")) == {"RW as 4"}


def test_builder_builds_the_highest_pile_of_the_colour_it_lacks():
    table = position("R4 B1 B2", "", red="R1 R2 R3", blue="B1", chips={0: "R R R"})
    assert answers("builder", table) == {"B2"}
    assert answers("builder:useful=0", table) == {"R4"}


def test_counter_lays_where_nobody_can_hold_the_rest():
    table = position("R4 B4", "", red="R1 R2 R3", blue="B1 B2 B3", removed="R5 " * 9 + "RW " * 7)
    assert answers("counter", table) == {"R4"}
    assert answers("holder", table) == {"discard R4", "discard B4"}


# What to discard, steal and block


def test_stocker_discards_low_twins_and_plays_from_its_stock_first():
    assert answers("stocker", position("R3 R3 R5 B4 B5", "")) == {"discard R3"}
    assert answers("stocker", position("B1 R4", "", discards={0: "R1"})) == {"R1 from discard"}
    assert answers("eager", position("B1 R4", "", discards={0: "R1"})) == {"B1", "R1 from discard"}


def test_thief_steals_what_helps_and_hurts_most_before_it_lays():
    table = position("StealChip R1", "", "", chips={0: "R R R", 1: "R R B B", 2: "B"})
    assert answers("thief", table) == {"StealChip B of 1"}
    assert answers("eager", table) == {"R1"}


def test_thief_keeps_its_blocks():
    table = position("Block R5 B4", "")
    assert answers("thief", table) == {"discard R5", "discard B4"}
    assert "discard Block" in answers("eager", table)


# All together


@pytest.mark.parametrize("name", ["expert", "planner"])
def test_all_ideas_together(name):
    assert answers(name, stocked("R4 R5 B1 B1", "", red="R1 R2 R3 | R1")) == {"R4"}
    assert "R4" not in answers(name, stocked("R4 B1 B2 B4 Block", "", red="R1 R2 R3"))
    assert answers(name, stocked("B1 StealChip", "", chips={1: "R"})) == {"StealChip R of 1"}
    assert answers(name, stocked("Block StealChip R2 R2 RW", "")) == {"discard R2"}
    assert answers(name, asked_to_block("R R R")) == {"no block"}
    assert answers(name, asked_to_block("R R")) == {"block"}


@pytest.mark.parametrize("name", ["expert", "planner"])
def test_where_nothing_is_left_to_draw_no_card_is_held_back(name):
    table = position("R4 B4", "", red="R1 R2 R3")
    assert answers(name, table) == {"R4"}


def test_planner_looks_down_its_discard_pile():
    table = stocked("B4 Block", "", discards={0: "R5 R4"}, red="R1 R2 R3")
    assert answers("planner", table) == {"R4 from discard"}
    assert answers("expert", table) == {"discard B4"}


def test_planner_holds_nothing_back_where_all_its_cards_draw_a_new_hand():
    table = stocked("R4 B4", "", red="R1 R2 R3", blue="B1 B2 B3")
    assert answers("planner", table) == {"R4"}
    assert answers("expert", table) == {"discard R4"}


# All players


@pytest.mark.parametrize("name", ALL)
def test_every_player_is_described_with_its_parameters(name):
    strategy = builtin(GAME)[name]
    assert len(strategy.description) > 40
    for param in strategy.params:
        assert f"`{param}`" in strategy.description or param in ("lay2", "lay3", "lay4")


@pytest.mark.parametrize("name", ALL)
def test_every_player_survives_odd_rules(name):
    rng = random.Random(name)
    for game in range(40):
        rules = random_rules(rng)
        rows = Seating(GAME, rules, [player(name)] * rules.players).play(3, 10 * game, 10)
        assert rows[:, 2].min() > 0


def share_of_wins(name, other, deals):
    """The share of two-player games that `name` wins, both seats on each deal."""
    seating = Seating(GAME, GAME.rules(2, {}), [player(name), player(other)])
    return np.mean([seating.rotated(seat).play(7, 0, deals)[:, 0] == seat for seat in (0, 1)])


LEAST = {"greedy": 0.56, "holder": 0.58, "saver": 0.66, "builder": 0.57, "stocker": 0.55, "thief": 0.52}
LEAST |= {"counter": 0.60, "expert": 0.83, "planner": 0.86}


@pytest.mark.parametrize("name", THINKING)
def test_thinking_beats_eager(name):
    assert share_of_wins(name, "eager", 2000) > LEAST[name]


def test_planner_beats_expert():
    assert share_of_wins("planner", "expert", 2000) > 0.55


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("name", THINKING)
def test_games_among_equals_are_decided(name, players):
    rows = Seating(GAME, GAME.rules(players, {}), [player(name)] * players).play(11, 0, 500)
    assert np.mean(rows[:, 0] < 0) < 0.01
