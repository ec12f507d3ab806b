"""The standings of the whole game: whether it ends with this round, and whom that suits."""

import numpy as np

from simkit._jit import count_bits, jit
from simkit.games.skyjo.moves import NEVER, TURN, ends_round
from simkit.games.skyjo.rules import CELLS, MAX_PLAYERS


@jit
def totals_ahead(view, hidden_value):
    """By seat: the total if the seat that decides ends the round now, (MAX_PLAYERS,), with its doubling if it has more
    points than another; each face-down card is at `hidden_value` points.
    """
    totals, lowest = np.zeros(MAX_PLAYERS), np.inf
    for seat in range(view.players):
        totals[seat] = view.open_sum[seat] + hidden_value * count_bits(view.hidden_cells[seat])
        if seat != view.seat:
            lowest = min(lowest, totals[seat])
    if totals[view.seat] > max(lowest, 0.0):
        totals[view.seat] *= view.rules.multiplier
    for seat in range(view.players):
        totals[seat] += view.totals[seat]
    return totals


@jit
def is_last_round(view, totals):
    """Whether the game is over after this round, by these totals."""
    rules = view.rules
    if rules.rounds > 0:
        return view.round == rules.rounds
    for seat in range(view.players):
        if totals[seat] >= rules.target:
            return True
    return view.round >= rules.max_rounds


@jit
def lead(view, totals):
    """By how many points the seat is ahead of the best of the others; below 0 if it is behind."""
    best = np.inf
    for seat in range(view.players):
        if seat != view.seat:
            best = min(best, totals[seat])
    return best - totals[view.seat]


@jit
def favour_ending(view, scores, bonus):
    """Add `bonus` to the scores of the moves that end the round."""
    for cell in range(CELLS):
        if ends_round(view, cell):
            if scores[cell] > NEVER:
                scores[cell] += bonus
            if scores[TURN + cell] > NEVER:
                scores[TURN + cell] += bonus
