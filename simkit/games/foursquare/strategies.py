"""The players of Foursquare. `random` and `cautious` are defined on the rules page.

The tables of the learned players come from `scripts/train_foursquare.py`, under the default rules; their training is on
record beside them. Under other rules they play by what they learned there.
"""

from pathlib import Path

from simkit._jit import count_bits, nth_bit
from simkit.games.foursquare.choosing import by_lookahead, by_value
from simkit.games.foursquare.position import face_down_after
from simkit.games.foursquare.rolling import by_rollouts, weights_table
from simkit.games.foursquare.rules import PILES
from simkit.games.foursquare.values import load
from simkit.games.foursquare.weighing import by_weights, load_weights
from simkit.rng.jitted import below
from simkit.strategy import strategy, with_table

TABLES = Path(__file__).parent / "tables"


@strategy()
def random(view, params):
    """Any legal placement, each equally likely; defined to the letter on the rules page."""
    return below(view.stream, view.n_actions)


@strategy()
def cautious(view, params):
    """One of the placements that leave the fewest tops face down, each equally likely; defined to the letter on the
    rules page.
    """
    fewest, good = 99, 0
    for i in range(view.n_actions):
        down = count_bits(face_down_after(view, view.actions[i].cell))
        if down < fewest:
            fewest, good = down, 0
        if down == fewest:
            good |= 1 << i
    return nth_bit(good, below(view.stream, count_bits(good)))


@strategy(down=0)
def greedy(view, params):
    """The placement that leaves the most tops face up, less `down` for each face-down one; of equals one at random. One
    step deep: what the placement does to later cards is no matter. Below 0, `down` makes it start new piles sooner.
    """
    best, good = -1e9, 0
    for i in range(view.n_actions):
        after = view.occupied | (1 << view.actions[i].cell)
        n_down = count_bits(face_down_after(view, view.actions[i].cell))
        if n_down > view.rules.face_down_limit:
            value = -1e8
        elif n_down == 0 and count_bits(after) == PILES:
            value = 1e8
        else:
            value = count_bits(after) - n_down - params.down * n_down
        if value > best:
            best, good = value, 0
        if value == best:
            good |= 1 << i
    return nth_bit(good, below(view.stream, count_bits(good)))


@with_table(TABLES / "weighted.json", weights_table)  # so that a record knows which weights were the default
@strategy(**load_weights(TABLES / "weighted.json"))
def weighted(view, params):
    """The placement whose position has the highest weighted sum of what a player could count; the weights are the
    parameters, tuned under the default rules. One step deep.
    """
    return by_weights(view, params)


@with_table(TABLES / "weighted.json", weights_table)
@strategy(games=20)
def rollout(view, params):
    """The placement that is solved in most of `games` games each, played to the end by `weighted` with random orders of
    the unseen cards, the same for all placements; for comparison.
    """
    return by_rollouts(view, params.table, int(params.games))


@with_table(TABLES / "solve.npz", load)
@strategy()
def learned(view, params):
    """The placement whose position has the highest chance to be solved, by a table learned from millions of games."""
    return by_value(view, params.table)


@with_table(TABLES / "score.npz", load)
@strategy()
def learned_score(view, params):
    """Like `learned`, by a table of the expected score, a loss as 0."""
    return by_value(view, params.table)


@with_table(TABLES / "solve.npz", load)
@strategy(depth=1, width=12)
def lookahead(view, params):
    """Of the `width` placements that `learned` likes most the one with the best answers to the next card, averaged over
    the cards that it may be. With a `depth` above 1 the answers are judged in the same way, by the card after them.
    """
    return by_lookahead(view, params.table, int(params.width), int(params.depth), False)


@with_table(TABLES / "score.npz", load)
@strategy(depth=1, width=12)
def lookahead_score(view, params):
    """Like `lookahead`, on the table of `learned_score`."""
    return by_lookahead(view, params.table, int(params.width), int(params.depth), True)
