"""One turn ahead by the odds: what each move saves, and what a draw saves on average.

Scores are in points, 0 for doing nothing. `places` and `before` are the seat's cells and the costs of its columns,
`last` the cell whose turning up ends the round and is judged by the row END, NONE if there is none.
"""

import numpy as np

from simkit._jit import inline, stack_array
from simkit.games.skyjo.moves import NEVER, ON_TOP, OPTIONAL, PASS, TURN, action_of
from simkit.games.skyjo.odds import (
    COST,
    COVERED_PAIR,
    DRAW,
    END,
    GIFT,
    GONE,
    HIDDEN,
    N_PLACES,
    PAIR,
    UNSEEN,
    USE,
    column_cost,
    is_trio,
    mates_of,
)
from simkit.games.skyjo.rules import CELLS, COLS, LOWEST, N_VALUES, code
from simkit.games.skyjo.state import NONE, SOURCE_DECISION, USE_DECISION

EMPTY_ENDS = code("draw_empty", "end_round")

new_column_costs = stack_array(np.float64, COLS)


@inline
def fill_column_costs(odds, places, costs):
    """Fill in the cost of each column, float64, (COLS,)."""
    for col in range(COLS):
        costs[col] = column_cost(odds, places[col], places[COLS + col], places[2 * COLS + col])


@inline
def exchange_score(view, odds, places, before, last, cell, place):
    """The score of the exchange of a card of this place with a cell in play."""
    one, other = mates_of(cell)
    left, after = places[cell], 0.0
    if view.rules.column_rule and is_trio(places[one], places[other], place):
        left = place if view.rules.column_discard == ON_TOP else left
    else:
        after = column_cost(odds, places[one], places[other], place)
    saved = odds[END, place] if cell == last else before[cell & (COLS - 1)] - after
    return saved - odds[GIFT, left]


@inline
def best_exchange(view, odds, places, before, last, place):
    """The cell and the score of the best exchange for a card of this place; NONE if no cell is in play."""
    best, most = NONE, NEVER
    for cell in range(CELLS):
        if places[cell] != GONE:
            score = exchange_score(view, odds, places, before, last, cell, place)
            if score > most:
                best, most = cell, score
    return best, most


@inline
def is_pair(a, b):
    """Whether these two places are open cards of one value."""
    return a == b and a < HIDDEN


@inline
def add_use(odds, place, score):
    """An exchange for a card of this place scores so much."""
    odds[USE, place] = max(odds[USE, place], score)


@inline
def rid_of(odds, places, last, cell):
    """What the card on a cell costs as long as it is kept, less what it gives away; NEVER on the `last` cell."""
    return NEVER if cell == last else odds[COST, places[cell]] - odds[GIFT, places[cell]]


@inline
def add_match(odds, rid, place, mate):
    """Lay a card beside its like at `place`, on the cell that is got rid of for `rid`; `mate` is the third."""
    chance = odds[COVERED_PAIR if mate == HIDDEN else PAIR, place]
    cost = odds[COST, place]
    add_use(odds, place, rid - cost + chance * (2.0 * cost + odds[COST, mate]))


@inline
def add_pair_uses(view, odds, places, before, last, third, pair):
    """Uses of cards in a column of a `third` cell and a pair of this place.

    Returns what it saves, but for the cost of the card laid, to break the pair.
    """
    gift = odds[GIFT, places[third]]
    if third != last:
        kept = 1.0 - odds[PAIR, pair]
        saved = before - 2.0 * kept * odds[COST, pair] - gift
        for place in range(N_VALUES):
            if place != pair:
                add_use(odds, place, saved - kept * odds[COST, place])
        trio = before - (0.0 if view.rules.column_rule else 3.0 * odds[COST, pair])
        add_use(odds, pair, trio - (odds[GIFT, pair] if view.rules.column_discard == ON_TOP else gift))
    rid = before - odds[COST, pair] - odds[COST, places[third]] - odds[GIFT, pair]
    add_match(odds, rid, places[third], pair)
    return rid


@inline
def fill_uses(view, odds, places, before, last):
    """Fill in the row USE.

    A card that matches nothing in a column saves what its own cost leaves of the rest, so one number stands for all
    such exchanges; only pairs, and cards that make one, are looked at one by one.
    """
    plain = NEVER
    for place in range(N_PLACES):
        odds[USE, place] = NEVER
    for top in range(COLS):
        middle, bottom = top + COLS, top + 2 * COLS
        a, b, c = places[top], places[middle], places[bottom]
        if a == GONE:
            continue
        if is_pair(a, b):
            plain = max(plain, add_pair_uses(view, odds, places, before[top], last, bottom, a))
        elif is_pair(a, c):
            plain = max(plain, add_pair_uses(view, odds, places, before[top], last, middle, a))
        elif is_pair(b, c):
            plain = max(plain, add_pair_uses(view, odds, places, before[top], last, top, b))
        else:
            rid_a, rid_b = rid_of(odds, places, last, top), rid_of(odds, places, last, middle)
            rid_c = rid_of(odds, places, last, bottom)
            plain = max(plain, rid_a, rid_b, rid_c)
            add_match(odds, rid_b, a, c)
            add_match(odds, rid_c, a, b)
            add_match(odds, rid_a, b, c)
            add_match(odds, rid_c, b, a)
            add_match(odds, rid_a, c, b)
            add_match(odds, rid_b, c, a)
    for place in range(N_VALUES):
        add_use(odds, place, plain - odds[COST, place])
    if last != NONE:
        for place in range(N_VALUES):
            add_use(odds, place, exchange_score(view, odds, places, before, last, last, place))


@inline
def average(odds, row):
    """The average of a row over what a face-down card may be."""
    total = 0.0
    for place in range(N_VALUES):
        total += odds[UNSEEN, place] * odds[row, place]
    return total


@inline
def cost_turned(view, odds, a, b, mean_cost):
    """The average cost of a column of two places and a card that is turned up, of the average cost `mean_cost`."""
    plain = odds[COST, a] + odds[COST, b]
    if a == b and a < HIDDEN:
        kept = 1.0 - odds[PAIR, a]
        trio = 0.0 if view.rules.column_rule else plain + odds[COST, a]
        return kept * (plain + mean_cost) + odds[UNSEEN, a] * (trio - kept * (plain + odds[COST, a]))
    cost = plain + mean_cost
    for mate in (a, b):
        if mate < HIDDEN:
            chance, whole = odds[UNSEEN, mate], plain + odds[COST, mate]
            cost += chance * (column_cost(odds, a, b, mate) - whole)
    return cost


@inline
def best_rejection(view, odds, places, before, last):
    """The rejecting move with the best score and that score, but for what the rejected card gives."""
    best, most, columns = PASS, NEVER, 0
    mean_cost = average(odds, COST)
    for cell in range(CELLS):
        col = cell & (COLS - 1)
        # The face-down cells of a column are all alike.
        if places[cell] == HIDDEN and not (columns >> col) & 1:
            columns |= 1 << col
            one, other = mates_of(cell)
            if cell == last:
                score = average(odds, END)
            else:
                score = before[col] - cost_turned(view, odds, places[one], places[other], mean_cost)
            if score > most:
                best, most = TURN + cell, score
    if most < 0.0 and (view.rules.reveal_after_reject == OPTIONAL or columns == 0):
        best, most = PASS, 0.0
    return best, most


@inline
def draw_score(view, odds, places, before, last):
    """The average score of the best use of a card from the draw pile."""
    if view.draw_pile == 0 and view.rules.draw_empty == EMPTY_ENDS:
        return 0.0
    fill_uses(view, odds, places, before, last)
    rejection = best_rejection(view, odds, places, before, last)[1]
    total = 0.0
    for place in range(N_VALUES):
        total += odds[DRAW, place] * max(odds[USE, place], rejection - odds[GIFT, place])
    return total


@inline
def choose_by_score(view, odds, places, last, eager):
    """The action with the best score; at `source` the take if it scores `eager` more than a draw, or better."""
    before = new_column_costs()
    fill_column_costs(odds, places, before)
    place = (view.discard_top if view.decision == SOURCE_DECISION else view.card) - LOWEST
    cell, score = best_exchange(view, odds, places, before, last, place)
    if view.decision == SOURCE_DECISION:
        return 0 if score >= eager + draw_score(view, odds, places, before, last) else 1
    if view.decision == USE_DECISION:
        move, rejected = best_rejection(view, odds, places, before, last)
        if rejected - odds[GIFT, place] >= score:
            return action_of(view, move)
    return action_of(view, cell)
