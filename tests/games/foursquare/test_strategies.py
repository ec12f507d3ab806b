"""The players that think do better than those that do not, on the same deals."""

import numpy as np
import pytest

from simkit import registry
from simkit._jit import jit
from simkit.games.foursquare.grid import DOWN
from simkit.games.foursquare.rules import FRAME, PILES
from simkit.games.foursquare.state import RULES_RECORD
from simkit.games.foursquare.values import ENTRIES, NOTHING, TABLE_RANKS, TERMS, entries_of, table_rank
from simkit.run.blocks import Seating
from simkit.strategy import Player, resolve

GAME = registry.game("foursquare")


def column(text, name, deals, rules=None):
    rows = Seating(GAME, GAME.rules(1, rules or {}), [Player(GAME, resolve(GAME, text))]).play(11, 0, deals)
    return rows[:, [column.name for column, _ in GAME.flat_columns(1)].index(name)]


def test_learned_players_solve_most_deals():
    assert column("cautious", "won", 1000).mean() < 0.05
    assert column("learned", "won", 1000).mean() > 0.97
    assert column("lookahead", "won", 150).mean() > 0.97
    assert column("lookahead:depth=2,width=2", "won", 20).mean() > 0.9


def test_the_table_of_scores_scores_more():
    assert column("learned_score", "score_or_zero", 1000).mean() > column("learned", "score_or_zero", 1000).mean() + 2


@pytest.mark.parametrize("rules", [{"max_rank": 13}, {"max_rank": 4, "suits": 8}, {"pile_height": 1}, {"suits": 8}])
def test_learned_players_play_other_decks_too(rules):
    for text in ("learned", "lookahead:width=3"):
        assert (column(text, "placed", 30, rules) >= 1).all()


RULES = np.array([GAME.codes(GAME.rules(1))], RULES_RECORD)[0]
PATTERNS = 4 * FRAME + 9
MIRROR = np.arange(PILES).reshape(FRAME, FRAME)[:, ::-1].ravel()
TURN = np.arange(PILES).reshape(FRAME, FRAME).T[::-1].ravel()


@jit
def fill(rules, words, stock, planes, entries):
    entries_of(rules, words[0], words[1], words[2], stock, planes, entries)


def entries(ranks, down, heights):
    """The entries of a grid given as sixteen numbers each, with 20 unseen cards: two of each rank."""
    found, words = np.zeros(TERMS, np.int64), np.zeros(3, np.uint64)
    for word, cells in enumerate((ranks, down * DOWN, heights)):
        words[word] = sum(int(cell) << (4 * i) for i, cell in enumerate(cells))
    fill(RULES, words.view(np.int64), 20, (0, 2046, 0, 0), found)
    return found


def grids(count):
    rng = np.random.default_rng(4)
    for _ in range(count):
        heights = rng.integers(0, 4, PILES)
        piles = heights > 0
        yield rng.integers(1, 11, PILES) * piles, (rng.random(PILES) < 0.3) & piles, heights


def test_grids_turned_or_mirrored_have_the_same_entries():
    for grid in grids(200):
        expected = sorted(entries(*grid))
        assert expected[0] >= 0 and expected[-1] < ENTRIES
        for moved in (MIRROR, TURN):
            assert sorted(entries(*(cells[moved] for cells in grid))) == expected


def test_patterns_are_the_same_counted_from_the_other_end():
    for ranks, down, heights in grids(200):
        other = np.where(heights > 0, 11 - ranks, 0)
        assert (entries(other, down, heights)[:PATTERNS] == entries(ranks, down, heights)[:PATTERNS]).all()


def test_every_change_that_matters_is_seen():
    for ranks, down, heights in grids(200):
        known = tuple(entries(ranks, down, heights))
        for cell in np.flatnonzero(heights):
            turned = down ^ (np.arange(PILES) == cell)
            assert tuple(entries(ranks, turned, heights)) != known
            other = np.where(np.arange(PILES) == cell, ranks % 10 + 1, ranks)
            assert tuple(entries(other, down, heights)) != known


def test_a_line_is_the_same_in_any_order():
    lines = [[3, 0, 7, 2], [2, 7, 3, 0], [9, 8, 4, 0]]
    (first, *others) = (entries(*_one_line(line)) for line in lines)
    for found in others:
        assert found[0] == first[0] < NOTHING


def _one_line(line):
    ranks = np.array(line + [0] * 12)
    return ranks, np.zeros(PILES, bool), (ranks > 0).astype(int)


def test_decks_are_squeezed_into_the_table_in_order():
    for max_rank in range(4, 14):
        ranks = [table_rank(rank, max_rank) for rank in range(1, max_rank + 1)]
        assert ranks[0] == 1 and ranks[-1] == TABLE_RANKS and ranks == sorted(ranks)


def test_tables_are_small_and_whole():
    for name in ("learned", "learned_score"):
        table = resolve(GAME, name)._table
        assert table.shape == (ENTRIES,) and table.dtype == np.float32 and np.isfinite(table).all()
