"""What the expert looks at before it weighs its moves: the turns left, its gifts, the end of the round."""

import math

from simkit._jit import count_bits, inline, lowest_bit
from simkit.games.skyjo.ending import cost_of_ending, fill_forecasts, is_patient, new_forecasts, score_laid
from simkit.games.skyjo.lookahead import fill_column_costs, fill_uses, new_column_costs
from simkit.games.skyjo.moves import next_seat
from simkit.games.skyjo.odds import (
    DRAW,
    END,
    GIFT,
    HIDDEN,
    UNSEEN,
    USE,
    fill_chances,
    fill_costs,
    fill_pairs,
    fill_places,
    grid_cost,
    new_places,
)
from simkit.games.skyjo.rules import CELLS, LOWEST, N_VALUES
from simkit.games.skyjo.state import NONE


@inline
def turns_left(view, start, pace, own):
    """About how many turns the seat has after this one: `start`, and more by the face-down cards of who has fewest."""
    if view.ending != NONE:
        return 0.0
    fewest = CELLS
    for seat in range(view.players):
        if seat != view.seat:
            fewest = min(fewest, count_bits(view.hidden_cells[seat]))
    return start + min(pace * fewest, own * count_bits(view.hidden_cells[view.seat]))


@inline
def fill_gifts(view, odds, weight):
    """Fill in the row GIFT: `weight` times what each card saves the next player, over what a draw would."""
    seat = next_seat(view)
    if seat == view.ending or weight <= 0:
        return
    places = new_places()
    before = new_column_costs()
    fill_places(view, seat, places)
    fill_column_costs(odds, places, before)
    fill_uses(view, odds, places, before, NONE)
    drawn = 0.0
    for place in range(N_VALUES):
        drawn += odds[DRAW, place] * max(odds[USE, place], 0.0)
    for place in range(N_VALUES):
        odds[GIFT, place] = weight * max(odds[USE, place] - drawn, 0.0)
        odds[GIFT, HIDDEN] += odds[UNSEEN, place] * odds[GIFT, place]


@inline
def denied(view, odds, forecast):
    """The points that the others, on average, would still get rid of if the round were not ended now."""
    total, places = 0.0, new_places()
    for seat in range(view.players):
        if seat != view.seat:
            fill_places(view, seat, places)
            total += forecast[0, seat] - grid_cost(odds, places)
    return total / (view.players - 1)


@inline
def fill_ending(view, odds, places, params):
    """Fill in the row END for the last face-down cell, and return that cell; NONE if more than one is left.

    NONE also once the patience is used up: the last cell is then like any other, so that no round goes on for ever.
    """
    if count_bits(view.hidden_cells[view.seat]) != 1 or view.ending != NONE or not is_patient(view, params.patience):
        return NONE
    last = lowest_bit(view.hidden_cells[view.seat])
    forecast = new_forecasts()
    fill_forecasts(view, params.last, params.spread, forecast)
    gained = grid_cost(odds, places) + params.rival * denied(view, odds, forecast) + params.hurry
    for place in range(N_VALUES):
        score = score_laid(view, last, place + LOWEST)
        odds[END, place] = gained - score - params.caution * cost_of_ending(view, score, forecast)
    return last


@inline
def prepare(view, params, odds, places):
    """Fill in all odds of a decision and the own places; returns the last face-down cell or NONE."""
    turns = turns_left(view, params.start, params.pace, params.own)
    fill_chances(view, odds)
    relief = 1.0 - math.exp(-params.relief * turns)
    fill_costs(view, odds, params.level, relief, params.cover if turns > 0 else 0.0)
    fill_pairs(view, odds, turns, params.sight)
    fill_gifts(view, odds, params.gift / (1.0 + params.crowd * (view.players - 2)))
    fill_places(view, view.seat, places)
    return fill_ending(view, odds, places, params)
