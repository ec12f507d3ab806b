"""What a move is known to gain at once in points, and what the card that it discards is worth to the next player."""

import numpy as np

from simkit._jit import inline, jit
from simkit.games.skyjo.moves import NEVER, ON_TOP, PASS, TURN, completes, next_seat, open_moves
from simkit.games.skyjo.rules import CELLS, HIGHEST, LOWEST, N_VALUES


@inline
def mean_unseen(view):
    """The average of the cards that nobody has seen."""
    return view.unseen_sum / max(view.unseen_cards, 1)


@inline
def cell_value(view, seat, cell, mean):
    """A cell's points, at the average where its card lies face down."""
    return mean if (view.hidden_cells[seat] >> cell) & 1 else np.float64(view.open_values[seat, cell])


@inline
def exchange_gain(view, seat, cell, card, mean):
    """The points that a seat is known to get rid of by this exchange, with the column that it completes."""
    old = cell_value(view, seat, cell, mean)
    return old + 2 * card if completes(view, seat, cell, card) else old - card


@jit
def known_gains(view, card, turn):
    """Scores of all moves with this card: the known gain, `turn` where a card is turned up."""
    gains, mean = open_moves(view), mean_unseen(view)
    for cell in range(CELLS):
        if gains[cell] > NEVER:
            gains[cell] = exchange_gain(view, view.seat, cell, card, mean)
        if gains[TURN + cell] > NEVER:
            gains[TURN + cell] = turn
    return gains


# ---------------------------------------------------------------- what the next player gets


@jit
def best_gain(view, seat, card, mean):
    """The most points that a seat is known to get rid of by an exchange for this card."""
    in_play, most = view.hidden_cells[seat] | view.open_cells[seat], -1.0 * HIGHEST
    for cell in range(CELLS):
        if (in_play >> cell) & 1:
            most = max(most, exchange_gain(view, seat, cell, card, mean))
    return most


@jit
def gifts(view, least):
    """By value: the next player's gain from that card on the discard pile, over the `least` that a draw brings."""
    worth, mean = np.zeros(N_VALUES), mean_unseen(view)
    seat = next_seat(view)
    if seat != view.ending:
        for place in range(N_VALUES):
            worth[place] = max(best_gain(view, seat, place + LOWEST, mean) - least, 0.0)
    return worth


@inline
def average_of_unseen(view, by_value):
    """The average over the cards that nobody has seen of a number for each value."""
    total = 0.0
    for place in range(N_VALUES):
        total += view.unseen[place] * by_value[place]
    return total / max(view.unseen_cards, 1)


@jit
def left_by(view, cell, card, by_value, average):
    """The number of the card that an exchange leaves on the discard pile; `average` for one that lies face down."""
    if completes(view, view.seat, cell, card) and view.rules.column_discard == ON_TOP:
        return by_value[card - LOWEST]
    if (view.hidden_cells[view.seat] >> cell) & 1:
        return average
    return by_value[view.open_values[view.seat, cell] - LOWEST]


@jit
def charge_for_gifts(view, card, scores, worth, weight):
    """Take off each move's score `weight` times what the card that it discards is worth to the next player."""
    average = average_of_unseen(view, worth)
    for cell in range(CELLS):
        if scores[cell] > NEVER:
            scores[cell] -= weight * left_by(view, cell, card, worth, average)
        if scores[TURN + cell] > NEVER:
            scores[TURN + cell] -= weight * worth[card - LOWEST]
    if scores[PASS] > NEVER:
        scores[PASS] -= weight * worth[card - LOWEST]
