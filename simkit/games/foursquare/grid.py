"""The grid in machine words, for players that look at many positions. `position` has the same rules on the view.

Sixteen cells, four bits each, row by row from the top left corner of what the piles span: cell (row, col) is nibble
4 * row + col. Three words (int64) make a position: `ranks` of the tops, `down` with 15 where a top lies face down, and
`heights` of the piles. `ranks | down` is what one sees: 0 for no pile, a rank, or 15.
"""

import numpy as np

from simkit._jit import count_bits, inline, lowest_bit, stack_array
from simkit.games.foursquare.position import (
    ALL_UP,
    ANYWHERE,
    EACH_LINE,
    FIXED,
    INCLUDE,
    KING,
    LONE_FLIPS,
    LONE_ROW_ONLY,
    NOT_ON_FACE_DOWN,
    TIES_ROW_ONLY,
)
from simkit.games.foursquare.rules import FRAME, PILES
from simkit.games.foursquare.state import MOST_LEGAL

DOWN = 15
"""The nibble of a face-down top."""
LINE = 0xFFFF
"""A line's four nibbles; the row above is 16 bits lower."""
COL = 0x000F_000F_000F_000F
ONES = 0x1111_1111_1111_1111
LINES = LINE + 1
"""How many different lines four nibbles can say."""

new_values = stack_array(np.float64, MOST_LEGAL)
new_afters = stack_array(np.int64, MOST_LEGAL, 3)
"""For each legal placement what it is worth, and the three words of the position after it."""


def _limits() -> np.ndarray:
    """For every line, lowest << 4 | highest of its face-up tops; 15 << 4 if there are none (uint8)."""
    nibbles = (np.arange(LINES)[:, None] >> np.arange(0, 16, 4)) & 15
    up = (nibbles > 0) & (nibbles < DOWN)
    return (np.where(up, nibbles, 15).min(1) << 4 | np.where(up, nibbles, 0).max(1)).astype(np.uint8)


LIMITS = _limits()
NONE_UP = 15 << 4


@inline
def row_line(word, row):
    """The four nibbles of a row."""
    return (word >> (16 * row)) & LINE


@inline
def col_line(word, col):
    """The four nibbles of a column."""
    column = (word >> (4 * col)) & COL
    return (column | (column >> 12) | (column >> 24) | (column >> 36)) & LINE


@inline
def cells_of(heights):
    """1 in every nibble that has a pile."""
    return (heights | (heights >> 1) | (heights >> 2)) & ONES


@inline
def piles_of(heights):
    """15 in every nibble that has a pile."""
    piles = cells_of(heights)
    piles |= piles << 1  # a product with 15 would overflow in the last nibble, which compilers take for impossible
    return piles | (piles << 2)


@inline
def nibbles_in(mask):
    """How many nibbles of a mask of whole nibbles are set."""
    return count_bits(mask) >> 2


@inline
def grid_of(view):
    """The view's position: ranks, down, heights."""
    ranks = down = heights = 0
    cells = view.occupied
    while cells:
        cell = lowest_bit(cells)
        at = 16 * ((cell >> 3) - view.first_row) + 4 * ((cell & 7) - view.first_col)
        ranks |= view.top[cell] << at
        heights |= view.height[cell] << at
        if (view.face_down >> cell) & 1:
            down |= DOWN << at
        cells &= cells - 1
    return ranks, down, heights


@inline
def _line_turns(rules, seen, every, rank, is_col):
    """Whether the line turns; `seen` and `every` are its nibbles without the placed card's, face up and all."""
    if LIMITS[seen] == NONE_UP:
        return rules.lone_card == LONE_FLIPS or (rules.lone_card == LONE_ROW_ONLY and is_col == 0)
    limits = LIMITS[every] if rules.compare_face_down == INCLUDE else LIMITS[seen]
    ties = 1 if is_col == 1 and rules.ties == TIES_ROW_ONLY else 0
    return rank + ties > (limits & 15) or rank - ties < (limits >> 4)


@inline
def _turned(rules, seen, line, own, down):
    """Mask of what turns in a line that does."""
    if rules.flip_scope == 0:
        return line & ~own
    return line & down if rules.flip_scope == ALL_UP and LIMITS[seen] == NONE_UP else line


@inline
def room_for(row, col):
    """How far a position must be shifted so that a row or column of -1 or less comes to lie in it, in bits."""
    return 16 * max(0, -row) + 4 * max(0, -col)


@inline
def placed(rules, ranks, down, heights, row, col, card):
    """The position after placing a card: row and column counted from the position's corner, -3 to 3."""
    shift = room_for(row, col)
    row, col = max(row, 0), max(col, 0)
    at = 16 * row + 4 * col
    own = DOWN << at
    ranks, down, heights = ranks << shift, (down << shift) & ~own, (heights << shift) + (1 << at)
    ranks = (ranks & ~own) | (card << at)
    piles = piles_of(heights)
    seen, every = row_line((ranks | down) & ~own, row), row_line(ranks & ~own, row)
    if _line_turns(rules, seen, every, card, 0):
        down ^= _turned(rules, seen, piles & (LINE << (16 * row)), own, down)
    if rules.loss_check == EACH_LINE and nibbles_in(down) > rules.face_down_limit:
        return ranks, down, heights
    seen, every = col_line((ranks | down) & ~own, col), col_line(ranks & ~own, col)
    if _line_turns(rules, seen, every, card, 1):
        down ^= _turned(rules, seen, piles & (COL << (4 * col)), own, down)
    return ranks, down, heights


@inline
def is_solved(down, heights):
    """Whether all piles are there with a face-up top."""
    return down == 0 and count_bits(cells_of(heights)) == PILES


@inline
def spanned(piles):
    """Rows and columns that the piles span."""
    rows = 4 if piles >> 48 else 3 if piles >> 32 else 2 if piles >> 16 else 1
    line = (piles | (piles >> 16) | (piles >> 32) | (piles >> 48)) & LINE
    cols = 4 if line >> 12 else 3 if line >> 8 else 2 if line >> 4 else 1
    return rows, cols


@inline
def first_free(rules, span):
    """The lowest row (or column) that may be used where `span` of them are spanned: 0 or less."""
    return 0 if rules.frame == FIXED else span - FRAME


@inline
def may_place(rules, down, heights, piles, row, col):
    """Whether a card may be placed there; row and column lie within what the frame allows."""
    if row >= 0 and col >= 0:
        at = 16 * row + 4 * col
        if (piles >> at) & 1:
            covers_down = (down >> at) & 1
            full = (heights >> at) & 15 == rules.pile_height
            return not (full or (covers_down == 1 and rules.stack_on_face_down == NOT_ON_FACE_DOWN))
    if rules.adjacency == ANYWHERE:
        return True
    beside = _pile_at(piles, row - 1, col) | _pile_at(piles, row + 1, col)
    beside |= _pile_at(piles, row, col - 1) | _pile_at(piles, row, col + 1)
    if rules.adjacency == KING:
        beside |= _pile_at(piles, row - 1, col - 1) | _pile_at(piles, row - 1, col + 1)
        beside |= _pile_at(piles, row + 1, col - 1) | _pile_at(piles, row + 1, col + 1)
    return beside == 1


@inline
def _pile_at(piles, row, col):
    inside = row >= 0 and row < FRAME and col >= 0 and col < FRAME
    return (piles >> (16 * row + 4 * col)) & 1 if inside else 0
