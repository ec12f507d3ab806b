"""Choosing by value: the best placement by a table, and its average over the cards that may come next."""

import math
from typing import Any, NamedTuple

import numpy as np

from simkit._jit import jit, stack_array
from simkit.games.foursquare.grid import (
    first_free,
    grid_of,
    is_solved,
    may_place,
    new_afters,
    new_values,
    nibbles_in,
    piles_of,
    placed,
    spanned,
)
from simkit.games.foursquare.rules import FRAME
from simkit.games.foursquare.state import MOST_LEGAL
from simkit.games.foursquare.values import TERMS, planes_without, unseen_planes, value_of

new_entries = stack_array(np.int64, TERMS)

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
def best_answer(rules, table, position, stock, card, planes, entries):
    """The highest value that placing `card` can reach; `stock` cards are left then."""
    ranks, down, heights = position
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


class Search(NamedTuple):
    """What stays the same while `lookahead` thinks, and the space that it works in.

    `unseen` counts the cards by rank and is as it was after every call; `values` (float64, depth x MOST_LEGAL) and
    `afters` (int64, depth x MOST_LEGAL x 3) hold the candidates of each depth, `entries` as in `values.entries_of`.
    """

    rules: Any
    table: int
    scored: bool
    width: int
    unseen: np.ndarray
    values: np.ndarray
    afters: np.ndarray
    entries: np.ndarray


@jit
def fill_answers(search, position, stock, card, planes, depth):
    """Fill in the candidates of a depth by placing `card`, `stock` cards left then; returns how many there are."""
    rules, (ranks, down, heights), n = search.rules, position, 0
    piles = piles_of(heights)
    rows, cols = spanned(piles)
    for row in range(first_free(rules, rows), FRAME):
        for col in range(first_free(rules, cols), FRAME):
            if may_place(rules, down, heights, piles, row, col):
                after = placed(rules, ranks, down, heights, row, col, card)
                search.afters[depth, n, 0], search.afters[depth, n, 1], search.afters[depth, n, 2] = after
                search.values[depth, n] = value_after(
                    rules, search.table, after[0], after[1], after[2], stock, planes, search.entries
                )
                n += 1
    return n


@jit
def best_candidate(search, n, stock, planes, depth):
    """Which of the n candidates of a depth has the best average over the next card, and that average.

    Only the `width` with the highest values are looked at; they are used up. What can no longer be the best is left.
    An answer to the card is worth what the table says at depth 1, else its own average over the card after it.
    """
    rules, values, unseen = search.rules, search.values[depth, :n], search.unseen
    choice = np.argmax(values)
    if values[choice] == CERTAIN or values[choice] == HOPELESS or stock == 0:
        return choice, worth(values[choice], stock, search.scored)
    best, most = -1.0, worth(CERTAIN, stock - 1, search.scored)
    for _ in range(min(search.width, n)):
        i = np.argmax(values)
        if values[i] == HOPELESS:
            break
        values[i] = HOPELESS
        position = search.afters[depth, i, 0], search.afters[depth, i, 1], search.afters[depth, i, 2]
        total, cards = 0.0, stock
        for card in range(1, rules.max_rank + 1):
            if unseen[card] == 0 or total + cards * most <= best * stock:
                continue
            left = planes_without(planes, card, rules.max_rank)
            if depth == 1:
                value = best_answer(rules, search.table, position, stock - 1, card, left, search.entries)
                found = worth(value, stock - 1, search.scored)
            else:
                unseen[card] -= 1
                answers = fill_answers(search, position, stock - 1, card, left, depth - 1)
                found = best_candidate(search, answers, stock - 1, left, depth - 1)[1] if answers > 0 else 0.0
                unseen[card] += 1
            total, cards = total + unseen[card] * found, cards - unseen[card]
        if cards == 0 and total > best * stock:
            choice, best = i, total / stock
    return choice, best


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
    values, afters, entries = new_values(), new_afters(), new_entries()
    fill_afters(view, table, unseen_planes(view), entries, values, afters)
    return np.argmax(values[: view.n_actions])


@jit
def by_lookahead(view, table, width, depth, scored):
    """Of the `width` placements with the highest values the one with the best average over the next `depth` cards.

    Both count as 1 if they are less.
    """
    width, depth = max(width, 1), max(depth, 1)
    values, afters = np.empty((depth + 1, MOST_LEGAL)), np.empty((depth + 1, MOST_LEGAL, 3), np.int64)
    unseen, entries = view.unseen.astype(np.int64), np.empty(TERMS, np.int64)
    search = Search(view.rules, table, scored, width, unseen, values, afters, entries)
    planes = unseen_planes(view)
    fill_afters(view, table, planes, entries, values[depth], afters[depth])
    return best_candidate(search, view.n_actions, view.stock, planes, depth)[0]
