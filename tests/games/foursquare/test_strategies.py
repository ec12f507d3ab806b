"""The players that think do better than those that do not, on the same deals."""

import numpy as np
import pytest

from simkit import registry
from simkit.games.foursquare.values import ENTRIES, LINE_ENTRY, TABLE_RANKS, table_rank
from simkit.run.blocks import Seating
from simkit.strategy import Player, resolve

GAME = registry.game("foursquare")


def column(text, name, deals, rules=None):
    rows = Seating(GAME, GAME.rules(1, rules or {}), [Player(GAME, resolve(GAME, text))]).play(11, 0, deals)
    return rows[:, [column.name for column, _ in GAME.flat_columns(1)].index(name)]


def test_learned_players_solve_most_deals():
    assert column("cautious", "won", 1000).mean() < 0.05
    assert column("learned", "won", 1000).mean() > 0.9
    assert column("lookahead", "won", 150).mean() > 0.95


def test_the_table_of_scores_scores_more():
    assert column("learned_score", "score_or_zero", 1000).mean() > column("learned", "score_or_zero", 1000).mean() + 2


@pytest.mark.parametrize("rules", [{"max_rank": 13}, {"max_rank": 4, "suits": 8}, {"pile_height": 1}, {"suits": 8}])
def test_learned_players_play_other_decks_too(rules):
    for text in ("learned", "lookahead:width=3"):
        assert (column(text, "placed", 30, rules) >= 1).all()


def test_patterns_alike_share_an_entry():
    assert LINE_ENTRY[0x12F0] == LINE_ENTRY[0x0F21] == LINE_ENTRY[0xA9F0] != LINE_ENTRY[0x13F0]


def test_decks_are_squeezed_into_the_table_in_order():
    for max_rank in range(4, 14):
        ranks = [table_rank(rank, max_rank) for rank in range(1, max_rank + 1)]
        assert ranks[0] == 1 and ranks[-1] == TABLE_RANKS and ranks == sorted(ranks)


def test_tables_are_small_and_whole():
    for name in ("learned", "learned_score"):
        table = resolve(GAME, name)._table
        assert table.shape == (ENTRIES,) and table.dtype == np.float32 and np.isfinite(table).all()
