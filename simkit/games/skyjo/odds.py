"""The distribution of the unseen cards, and what cells and columns cost by it.

A cell's place is that of its value (`value - LOWEST`), HIDDEN where its card lies face down, GONE where the cell is
gone. Odds are float64, (N_ROWS, N_PLACES), a row for each of the quantities below, made once for a decision.
"""

import math

import numpy as np

from simkit._jit import inline, stack_array
from simkit.games.skyjo.gains import mean_unseen
from simkit.games.skyjo.rules import CELLS, COLS, COPIES, LOWEST, N_VALUES

HIDDEN = N_VALUES
GONE = N_VALUES + 1
N_PLACES = N_VALUES + 2
MOST_COPIES = max(COPIES)

UNSEEN, DRAW, COST, PAIR, COVERED_PAIR, GIFT, END, USE, MISSED = range(9)
"""Rows: the chance that a face-down card, and that the next card drawn, has this value; the points that a cell is
expected to cost in the end; the chance that a pair of this value, its third cell open or face down, is completed; what
it costs to leave this card to the next player; the score of ending the round with this card on the last cell; the score
of the best exchange for this card; and by number of copies the chance to see none of them in the turns left."""
N_ROWS = 9

new_odds = stack_array(np.float64, N_ROWS, N_PLACES)
new_places = stack_array(np.int64, CELLS)


@inline
def copies_to_draw(view, place):
    """How many cards of this value may come next; an empty draw pile will be the discard pile without its top."""
    if view.draw_pile > 0:
        return np.int64(view.unseen[place])
    return np.int64(view.discard[place]) - (1 if place == view.discard_top - LOWEST else 0)


@inline
def cards_to_draw(view):
    """How many cards `copies_to_draw` counts for all values together, at least 1."""
    return max(view.unseen_cards if view.draw_pile > 0 else view.discard_size - 1, 1)


@inline
def fill_chances(view, odds):
    """Fill in the rows UNSEEN and DRAW, and 0 elsewhere."""
    odds[:] = 0
    each, drawn = 1.0 / max(view.unseen_cards, 1), 1.0 / cards_to_draw(view)
    for place in range(N_VALUES):
        odds[UNSEEN, place] = view.unseen[place] * each
        odds[DRAW, place] = copies_to_draw(view, place) * drawn
    return odds


@inline
def fill_costs(view, odds, level, relief, cover):
    """Fill in the row COST: an open card above `level` is expected to lose the part `relief` of what it is above.

    A face-down card counts at the average of the unseen ones, `cover` added.
    """
    for place in range(N_VALUES):
        value = np.float64(place + LOWEST)
        odds[COST, place] = value - relief * max(value - level, 0.0)
    mean = mean_unseen(view)
    odds[COST, HIDDEN] = mean - relief * max(mean - level, 0.0) + cover


@inline
def fill_pairs(view, odds, turns, sight):
    """Fill in the rows PAIR and COVERED_PAIR: `turns` further turns of one's own, `sight` cards on offer in each.

    Only values above 0: a column of others is not worth completing.
    """
    if not view.rules.column_rule:
        return
    final = 1 if view.rules.column_at_final_reveal else 0
    one_missed = math.exp(-turns * sight / cards_to_draw(view))
    odds[MISSED, 0] = 1.0
    for copies in range(1, MOST_COPIES + 1):
        odds[MISSED, copies] = odds[MISSED, copies - 1] * one_missed
    for place in range(1 - LOWEST, N_VALUES):
        missed = odds[MISSED, copies_to_draw(view, place)]
        odds[PAIR, place] = 1.0 - missed
        odds[COVERED_PAIR, place] = 1.0 - missed * (1.0 - final * odds[UNSEEN, place])


@inline
def fill_places(view, seat, places):
    """Fill in the place of each cell of a seat, int64, (CELLS,)."""
    for cell in range(CELLS):
        if (view.open_cells[seat] >> cell) & 1:
            places[cell] = view.open_values[seat, cell] - LOWEST
        else:
            places[cell] = HIDDEN if (view.hidden_cells[seat] >> cell) & 1 else GONE


@inline
def is_trio(a, b, c):
    """Whether these three places are open cards of one value."""
    return a == b and b == c and a < HIDDEN


@inline
def column_cost(odds, a, b, c):
    """The points that a column of these three places is expected to cost in the end."""
    pair, third = HIDDEN, c
    if a == b:
        pair = a
    elif a == c:
        pair, third = a, b
    elif b == c:
        pair, third = b, a
    cost = odds[COST, a] + odds[COST, b] + odds[COST, c]
    return cost * (1.0 - odds[COVERED_PAIR if third == HIDDEN else PAIR, pair])


@inline
def mates_of(cell):
    """The other two cells of the cell's column."""
    one, other = cell + COLS, cell + 2 * COLS
    return one - (CELLS if one >= CELLS else 0), other - (CELLS if other >= CELLS else 0)


@inline
def cost_with(odds, rule, places, cell, place):
    """The cost of the cell's column with another card on the cell; 0 where that completes it under the column rule."""
    one, other = mates_of(cell)
    if rule and is_trio(places[one], places[other], place):
        return 0.0
    return column_cost(odds, places[one], places[other], place)


@inline
def grid_cost(odds, places):
    """The points that a grid is expected to cost in the end."""
    total = 0.0
    for col in range(COLS):
        total += column_cost(odds, places[col], places[COLS + col], places[2 * COLS + col])
    return total
