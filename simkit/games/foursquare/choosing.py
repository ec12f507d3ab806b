"""Choosing by value: the best placement by a table, and its average over the cards that may come next."""

import math

import numpy as np

from simkit._jit import jit
from simkit.games.foursquare.grid import (
    first_free,
    grid_of,
    is_solved,
    may_place,
    nibbles_in,
    piles_of,
    placed,
    spanned,
)
from simkit.games.foursquare.rules import FRAME
from simkit.games.foursquare.state import MOST_LEGAL
from simkit.games.foursquare.values import TERMS, planes_without, unseen_planes, value_of

CERTAIN, HOPELESS = 1e30, -1e30
"""Values of a won and of a lost position."""
BEST_SCORE = 24
"""What a chance of 1 stands for in a table of scores: the score of a win without a placement on a pile."""


@jit
def value_after(rules, table, ranks, down, heights, stock, planes, entries):
    """The value of a position with `stock` cards left, ends of the game included."""
    if nibbles_in(down) > rules.face_down_limit:
        return HOPELESS
    if is_solved(down, heights):
        return CERTAIN
    return np.float64(value_of(rules, table, ranks, down, heights, stock, planes, entries)) if stock > 0 else HOPELESS


@jit
def best_answer(rules, table, ranks, down, heights, stock, card, planes, entries):
    """The highest value that placing `card` can reach; `stock` cards are left then."""
    piles = piles_of(heights)
    rows, cols = spanned(piles)
    best = HOPELESS
    for row in range(first_free(rules, rows), FRAME):
        for col in range(first_free(rules, cols), FRAME):
            if may_place(rules, down, heights, piles, row, col):
                after = placed(rules, ranks, down, heights, row, col, card)
                best = max(best, value_after(rules, table, after[0], after[1], after[2], stock, planes, entries))
                if best == CERTAIN:
                    return best
    return best


@jit
def worth(value, score, scored):
    """A value as a chance; where a table of scores is asked (`scored`), a win is worth its score."""
    if value == CERTAIN:
        return score / BEST_SCORE if scored else 1.0
    return 0.0 if value == HOPELESS else 1 / (1 + math.exp(-value))


@jit
def average_worth(view, table, ranks, down, heights, planes, entries, scored):
    """The average over the cards that may come next of the best answer's worth."""
    stock, total = view.stock, 0.0
    for card in range(1, view.rules.max_rank + 1):
        if view.unseen[card] > 0:
            left = planes_without(planes, card, view.rules.max_rank)
            value = best_answer(view.rules, table, ranks, down, heights, stock - 1, card, left, entries)
            total += view.unseen[card] * worth(value, stock - 1, scored)
    return total / stock


@jit
def fill_afters(view, table, planes, entries, values, afters):
    """Value (float64, n_actions) and position (int64, n_actions x 3) after each legal placement."""
    ranks, down, heights = grid_of(view)
    for i in range(view.n_actions):
        cell = np.int64(view.actions[i].cell)
        row = (cell >> 3) - view.first_row if view.occupied else 0
        col = (cell & 7) - view.first_col if view.occupied else 0
        after = placed(view.rules, ranks, down, heights, row, col, view.card)
        values[i] = value_after(view.rules, table, after[0], after[1], after[2], view.stock, planes, entries)
        afters[i, 0], afters[i, 1], afters[i, 2] = after


@jit
def by_value(view, table):
    """The placement with the highest value."""
    values, afters, entries = np.empty(MOST_LEGAL), np.empty((MOST_LEGAL, 3), np.int64), np.empty(TERMS, np.int64)
    fill_afters(view, table, unseen_planes(view), entries, values, afters)
    return np.argmax(values[: view.n_actions])


@jit
def by_lookahead(view, table, width, scored):
    """Of the `width` placements with the highest values the one with the best average over the next card."""
    values, afters, entries = np.empty(MOST_LEGAL), np.empty((MOST_LEGAL, 3), np.int64), np.empty(TERMS, np.int64)
    planes = unseen_planes(view)
    fill_afters(view, table, planes, entries, values, afters)
    choice, best = np.argmax(values[: view.n_actions]), -1.0
    if values[choice] == CERTAIN or view.stock == 0 or view.n_actions == 1:
        return choice
    for _ in range(min(width, view.n_actions)):
        i = np.argmax(values[: view.n_actions])
        if values[i] == HOPELESS:
            break
        values[i] = HOPELESS
        average = average_worth(view, table, afters[i, 0], afters[i, 1], afters[i, 2], planes, entries, scored)
        if average > best:
            choice, best = i, average
    return choice
