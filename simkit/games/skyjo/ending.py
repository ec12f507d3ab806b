"""When to end the round: what the others will have by then, and what doubling may cost."""

import math

import numpy as np

from simkit._jit import count_bits, inline, jit, stack_array
from simkit.games.skyjo.gains import mean_unseen
from simkit.games.skyjo.moves import NEVER, TURN, completes, ends_round
from simkit.games.skyjo.rules import CELLS, LOWEST, MAX_PLAYERS, N_VALUES, ROWS, code

NO_FINAL_TURNS = code("final_turns", "none")
LEAST_SPREAD = 0.1

new_forecasts = stack_array(np.float64, 2, MAX_PLAYERS)


@inline
def chance_below(limit, mean, spread):
    """The chance that a normal number with this mean and standard deviation is below `limit`."""
    return 0.5 * math.erfc((mean - limit) / (spread * math.sqrt(2.0)))


@jit
def variance_unseen(view):
    """The variance of a card that nobody has seen."""
    mean, total = mean_unseen(view), 0.0
    for place in range(N_VALUES):
        total += view.unseen[place] * (place + LOWEST - mean) ** 2
    return total / max(view.unseen_cards, 1)


@inline
def points_now(view, seat, mean):
    """A seat's points, a face-down card at the average."""
    return view.open_sum[seat] + mean * count_bits(view.hidden_cells[seat])


@inline
def fill_forecasts(view, last, spread, found):
    """By seat: mean and standard deviation of the points at the end if the round is ended now, (2, MAX_PLAYERS).

    A last turn improves them by `last`, and adds the variance of `spread` to that of the face-down cards.
    """
    mean, variance = mean_unseen(view), variance_unseen(view)
    turns = 0 if view.rules.final_turns == NO_FINAL_TURNS else 1
    for seat in range(view.players):
        hidden = count_bits(view.hidden_cells[seat])
        found[0, seat] = points_now(view, seat, mean) - turns * last
        found[1, seat] = math.sqrt(hidden * variance + turns * spread * spread) + LEAST_SPREAD


@jit
def chance_of_doubling(view, score, forecast):
    """The chance that the seat is doubled if it ends the round with this score."""
    if score <= 0 and not view.rules.double_nonpositive:
        return 0.0
    limit = score + (0.5 if view.rules.double_on_tie else -0.5)
    safe = 1.0
    for seat in range(view.players):
        if seat != view.seat:
            safe *= 1.0 - chance_below(limit, forecast[0, seat], forecast[1, seat])
    return 1.0 - safe


@inline
def cost_of_ending(view, score, forecast):
    """The points that doubling is expected to cost who ends the round with this score."""
    return chance_of_doubling(view, score, forecast) * (view.rules.multiplier - 1) * score


@inline
def score_laid(view, cell, card):
    """The own score after `card`, laid or turned up on the last face-down cell, ends the round."""
    return view.open_sum[view.seat] + card - (ROWS * card if completes(view, view.seat, cell, card) else 0)


@jit
def cost_of_turning(view, cell, forecast):
    """`cost_of_ending` by turning up the last card, averaged over what it may be."""
    total = 0.0
    for place in range(N_VALUES):
        if view.unseen[place] > 0:
            total += view.unseen[place] * cost_of_ending(view, score_laid(view, cell, place + LOWEST), forecast)
    return total / max(view.unseen_cards, 1)


@jit
def charge_for_ending(view, card, scores, forecast, caution, hurry):
    """Take off the scores of moves that end the round `caution` times the cost of doubling, and add `hurry`."""
    for cell in range(CELLS):
        if ends_round(view, cell):
            if scores[cell] > NEVER:
                scores[cell] += hurry - caution * cost_of_ending(view, score_laid(view, cell, card), forecast)
            if scores[TURN + cell] > NEVER:
                scores[TURN + cell] += hurry - caution * cost_of_turning(view, cell, forecast)


@inline
def is_patient(view, patience):
    """Whether so few turns of the round have been taken that it may still be drawn out."""
    return view.turn <= patience * view.players
