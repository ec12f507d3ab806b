"""What can still become of a position if the stock is known: a proof that it is lost, and a guess how good it is."""

import numpy as np

from simkit._jit import inline, jit
from simkit.games.foursquare.grid import LIMITS, LINE, NONE_UP, col_line, nibbles_in, row_line
from simkit.games.foursquare.position import ALL_UP
from simkit.games.foursquare.rules import FRAME, MOST_RANKS

LINE_SETS = np.array([sum(15 << (4 * i) for i in range(FRAME) if k >> i & 1) for k in range(1 << FRAME)])
"""Every choice of a line's four nibbles."""

LINE_COST = np.array(
    [
        (0, 0, 0, 0, 0),
        (16, -5, 0, 0, 0),
        (10, 4, -4, 0, 0),
        (26, 25, 4, 5, 0),
        (0, 0, 18, 42, 54),
    ]
)
"""How bad a row or column with so many piles (first index) and face-down tops (second) is: 40 times a logit. From a
logistic regression on 170,000 positions of 50 deals of which all positions were known to be won or lost; only how
soon a win is found depends on it."""
CALM_GAIN = np.array([0, 4, 35, 40, -19])
"""The same for the share of the cards to come that lie between a line's lowest and highest top, by piles."""
CALM_UNIT = 64


@inline
def repairs(rules, down, piles, spare):
    """At least so many placements on piles are needed to turn all tops up; counted up to `spare` + 1.

    Turning a line turns all its tops but the placed card's, so what is left to turn is a sum of a row's and a column's
    part, each once or not at all: tops that do not fit in must be covered. A full line turns only by a card placed on
    one of its piles. Of all choices of turned lines the cheapest counts. Not so where a line's tops are all turned *up*
    (`whole_line_all_up`); there, 0.
    """
    if rules.flip_scope == ALL_UP:
        return 0
    fewest = spare + 1
    full = row_line(piles, 0) & row_line(piles, 1) & row_line(piles, 2) & row_line(piles, 3)
    for turned in LINE_SETS:
        needed_in_cols = nibbles_in(full & turned)
        if needed_in_cols < fewest:
            fewest = min(fewest, max(needed_in_cols, _needed_in_rows(down, piles, turned, fewest)))
            if fewest == 0:
                return 0
    return fewest


@inline
def _needed_in_rows(down, piles, turned, enough):
    """Piles to cover if exactly these columns turn; not counted further than `enough`."""
    needed = 0
    for row in range(FRAME):
        tops = row_line(piles, row)
        odd = nibbles_in((row_line(down, row) ^ turned) & tops)
        even = nibbles_in(tops) - odd  # to cover if the row turns as well
        if tops == LINE and even == 0:
            even = 1
        needed += min(odd, even)
        if needed >= enough:
            break
    return needed


@jit
def fill_calm(stock, first, end, calm):
    """For limits of a line as in `grid.LIMITS`: the share of cards first … end - 1 from the lowest to the highest, in
    CALM_UNITs (int64, 256).
    """
    for lowest in range(1, MOST_RANKS + 1):
        for highest in range(lowest, MOST_RANKS + 1):
            between = 0
            for i in range(first, end):
                between += lowest <= stock[i] <= highest
            calm[lowest << 4 | highest] = CALM_UNIT * between // max(1, end - first)


@inline
def cost_of(ranks, down, piles, calm):
    """How bad a position looks: a sum over its lines, from about -500 to 500."""
    seen, cost = ranks | down, 0
    for i in range(FRAME):
        cost += _line_cost(row_line(seen, i), row_line(down, i), row_line(piles, i), calm)
        cost += _line_cost(col_line(seen, i), col_line(down, i), col_line(piles, i), calm)
    return cost


@inline
def _line_cost(seen, down, piles, calm):
    tops, limits = nibbles_in(piles), LIMITS[seen]
    cost = LINE_COST[tops, nibbles_in(down)]
    if limits != NONE_UP:
        cost -= CALM_GAIN[tops] * calm[limits] // CALM_UNIT
    return cost
