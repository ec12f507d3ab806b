"""Choosing by trial games: each placement is followed by random games to the end, played by the weighted rule.

The unseen cards lie in a random order of the player's own lots in each trial, the same for all placements. What really
lies in the stock is not known here.
"""

from pathlib import Path

import numpy as np

from simkit._jit import float_at, inline, jit
from simkit.games.foursquare.grid import (
    first_free,
    is_solved,
    may_place,
    new_afters,
    new_values,
    piles_of,
    placed,
    spanned,
)
from simkit.games.foursquare.rules import FRAME, MOST_RANKS, MOST_SUITS
from simkit.games.foursquare.state import MOST_LEGAL
from simkit.games.foursquare.weighing import (
    FEATURES,
    LOST,
    PLACE,
    SOLVED,
    fill_shares,
    fill_values,
    load_weights,
    new_shares,
    new_weights,
    share_gone,
    unseen_planes,
    value_after,
)
from simkit.rng.jitted import draw_next


def weights_table(path: Path) -> np.ndarray:
    """The weights of a file as a table: float32, those of a full stock, then what changes until it is empty."""
    return np.array(list(load_weights(path).values()), np.float32)


@inline
def fill_from_table(table, gone, weights):
    """Like `weighing.fill_weights`, from the table."""
    weights[:] = 0
    for i in range(len(FEATURES)):
        weights[PLACE[i]] = float_at(table, i) + float_at(table, len(FEATURES) + i) * gone


@jit
def best_after(rules, position, card, weights, planes, shares, each):
    """The highest worth that placing the card can reach, and the position (ranks, down, heights) after it."""
    ranks, down, heights = position
    piles = piles_of(heights)
    rows, cols = spanned(piles)
    best, chosen = 2 * LOST, position
    for row in range(first_free(rules, rows), FRAME):
        for col in range(first_free(rules, cols), FRAME):
            if may_place(rules, down, heights, piles, row, col):
                after = placed(rules, ranks, down, heights, row, col, card)
                value = value_after(rules, after, weights, planes, shares, each)
                if value > best:
                    best, chosen = value, after
    return best, chosen


@jit
def is_solved_in_trial(rules, position, cards, n_cards, unseen, table, weights, shares):
    """Whether the weighted rule solves the position with these cards to come; `unseen` counts them and is used up."""
    for turn in range(n_cards):
        if is_solved(position[1], position[2]):
            return True
        stock = n_cards - turn - 1
        each = 1 / max(stock, 1)
        unseen[cards[turn]] -= 1
        fill_from_table(table, share_gone(rules, stock), weights)
        fill_shares(unseen, rules.max_rank, each, shares)
        planes = unseen_planes(unseen, rules.max_rank)
        best, position = best_after(rules, position, cards[turn], weights, planes, shares, each)
        if best <= LOST:
            return False
    return is_solved(position[1], position[2])


@jit
def fill_unseen(view, cards):
    """The unseen cards (int64), by rank; how many there are."""
    n_cards = 0
    for rank in range(1, view.rules.max_rank + 1):
        for _ in range(view.unseen[rank]):
            cards[n_cards] = rank
            n_cards += 1
    return n_cards


@jit
def by_rollouts(view, table, games):
    """The placement that is solved in most of its `games` trials; of equals the weighted rule's favourite."""
    weights, values, afters = new_weights(), new_values(), new_afters()
    fill_from_table(table, share_gone(view.rules, view.stock), weights)
    fill_values(view, weights, values, afters)
    favourite = np.argmax(values[: view.n_actions])
    if view.n_actions == 1 or view.stock == 0 or values[favourite] in (LOST, SOLVED):
        return favourite
    cards, unseen = np.empty(MOST_RANKS * MOST_SUITS, np.int64), np.empty(MOST_RANKS + 1, np.int64)
    shares = new_shares()
    n_cards, solved = fill_unseen(view, cards), np.zeros(MOST_LEGAL, np.int64)
    for _ in range(games):
        for position in range(n_cards):
            draw_next(cards, position, n_cards, view.stream)
        for i in range(view.n_actions):
            if values[i] > LOST:
                for rank in range(MOST_RANKS + 1):
                    unseen[rank] = view.unseen[rank]
                after = afters[i, 0], afters[i, 1], afters[i, 2]
                solved[i] += is_solved_in_trial(view.rules, after, cards, n_cards, unseen, table, weights, shares)
    choice = favourite
    for i in range(view.n_actions):
        if solved[i] > solved[choice] or (solved[i] == solved[choice] and values[i] > values[choice]):
            choice = i
    return choice
