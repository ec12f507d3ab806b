"""Which positions are alike for the rest of a known stock, so that a solver looks at one of them only.

Positions are those of `grid`: ranks, down, heights. All of this is exact: alike positions can be won with the same
numbers of cards. Three things make positions alike:

- a top's rank only matters where cards to come compare with it, so that ranks between two of them are one;
- a pile's height only matters as far as cards can be spared for piles;
- a mirror image (and, under some rules, the transposed grid) is played like its original. Once the frame has its place
  and every free cell may be used, so is any order of the rows and of the columns: only lines count from then on.
"""

import numpy as np

from simkit._jit import inline, jit
from simkit.games.foursquare.grid import COL, ONES, cells_of, col_line, piles_of, row_line, spanned
from simkit.games.foursquare.position import (
    ALL_UP,
    ANYWHERE,
    EACH_LINE,
    FIXED,
    KING,
    LONE_FLIPS,
    LONE_ROW_ONLY,
    TIES_ROW_ONLY,
)
from simkit.games.foursquare.rules import FRAME, MOST_RANKS

DOWN_BIT = (ONES << 3) - (1 << 64)
"""In a position's second word (see `packed`): the bits of the face-down tops (as a signed word)."""
MARK = ONES * 7
"""What the free cells of the second word hold where rows and columns have no order; no pile is seven high."""
FIRST, LAST = ONES & COL, ONES & (COL << 12)
"""The cells of the first and of the last column."""
MOST_ROOM = 3
"""So many cards more a pile can hold at most."""
MIX = np.random.default_rng(4).integers(0, 2**61, 256)
"""Numbers that stand for what a cell may hold. Four of them add up without overflow."""


@inline
def packed(down, heights):
    """Face-down tops and heights as one word: a nibble holds the height, and 8 more if the top lies face down."""
    return heights | (down & DOWN_BIT)


@inline
def unpacked(second):
    """Face-down tops and heights again."""
    return piles_of((second & DOWN_BIT) >> 1), second & ~DOWN_BIT


@jit
def fill_alike(stock, first, end, alike):
    """For two ranks in a byte: the lowest ranks that compare like them with the cards first … end - 1 (uint8, 256)."""
    comes = 0
    for i in range(first, end):
        comes |= 1 << stock[i]
    lowest = 0
    for rank in range(16):
        # A rank is like the one below it if neither of them comes.
        if rank <= 1 or rank > MOST_RANKS or (comes >> (rank - 1)) & 3:
            lowest = rank
        alike[rank] = lowest
    for byte in range(255, -1, -1):
        alike[byte] = alike[byte & 15] | alike[byte >> 4] << 4


@inline
def alike_ranks(ranks, alike):
    """Every rank as `fill_alike` has it."""
    found = 0
    for shift in range(0, 64, 8):
        found |= np.int64(alike[(ranks >> shift) & 0xFF]) << shift
    return found


@inline
def alike_heights(heights, tallest, spare):
    """The greatest heights that leave as much room on every pile as `spare` placements on piles can use."""
    if spare >= MOST_ROOM:
        return heights
    cells = cells_of(heights)
    room = cells * tallest - heights  # 0 to MOST_ROOM in every nibble
    one, two = room & ONES, (room >> 1) & ONES
    if spare == 2:
        room -= one & two
    else:
        room = (one | two) * spare
    return cells * tallest - room


@inline
def key_of(rules, ranks, second):
    """Two words that only alike positions share; not all alike positions do."""
    heights = second & ~DOWN_BIT
    cells = cells_of(heights)
    rows, cols = spanned(piles_of(heights))
    may_transpose = transposable(rules)
    if _is_open(rules, cells, rows, cols):
        return _key_of_lines(ranks, second | (MARK & ~piles_of(heights)), may_transpose)
    least = _least_mirror(rules, ranks, second, rows, cols)
    if may_transpose:
        other = _least_mirror(rules, transposed(ranks), transposed(second), cols, rows)
        if _is_less(other[0], other[1], least[0], least[1]):
            return other
    return least


@inline
def transposable(rules):
    """Whether the grid with rows and columns exchanged is played alike.

    The row comes before the column, but what either turns does not depend on the other: it is decided by tops that the
    other line does not hold. Only these options treat the two differently; where a line's tops are turned *up*, the
    later line decides how the placed card lies.
    """
    return (
        not (rules.flip_scope == ALL_UP and rules.lone_card == LONE_FLIPS)
        and rules.lone_card != LONE_ROW_ONLY
        and rules.ties != TIES_ROW_ONLY
        and rules.loss_check != EACH_LINE
    )


@inline
def _is_open(rules, cells, rows, cols):
    """Whether only lines count: every free cell of a frame that does not float may be used, now and from now on."""
    if rules.adjacency == ANYWHERE:
        return True  # in a floating frame too: a card may start any line as long as there are no four
    if rules.frame != FIXED and (rows < FRAME or cols < FRAME):
        return False
    beside = ((cells << 4) & ~FIRST) | ((cells >> 4) & ~LAST)
    across = cells | beside if rules.adjacency == KING else cells
    return ONES & ~(cells | beside | (across << 16) | (across >> 16)) == 0


@inline
def _is_less(first, second, other_first, other_second):
    return first < other_first or (first == other_first and second < other_second)


@inline
def transposed(word):
    """Rows as columns."""
    return col_line(word, 0) | (col_line(word, 1) << 16) | (col_line(word, 2) << 32) | (col_line(word, 3) << 48)


@inline
def rows_reversed(word, rows):
    """The lowest row first, moved up again if only so many rows are in use."""
    turned = row_line(word, 3) | (row_line(word, 2) << 16) | (row_line(word, 1) << 32) | (row_line(word, 0) << 48)
    return _moved(turned, 16 * (FRAME - rows))


@inline
def cols_reversed(word, cols):
    """The last column first, moved to the left again if only so many columns are in use."""
    turned = ((word & COL) << 12) | (((word >> 4) & COL) << 8) | (((word >> 8) & COL) << 4) | ((word >> 12) & COL)
    return _moved(turned, 4 * (FRAME - cols))


@inline
def _moved(word, bits):
    """Shifted to the right, with zeros from the left."""
    return (word >> bits) & ((1 << (64 - bits)) - 1) if bits else word


@inline
def _least_mirror(rules, first, second, rows, cols):
    """The least of a position's four mirror images, two words each."""
    if rules.frame == FIXED:
        rows = cols = FRAME
    upside, upside_second = rows_reversed(first, rows), rows_reversed(second, rows)
    side, side_second = cols_reversed(first, cols), cols_reversed(second, cols)
    both, both_second = cols_reversed(upside, cols), cols_reversed(upside_second, cols)
    if _is_less(upside, upside_second, first, second):
        first, second = upside, upside_second
    if _is_less(side, side_second, first, second):
        first, second = side, side_second
    if _is_less(both, both_second, first, second):
        first, second = both, both_second
    return first, second


@inline
def _key_of_lines(first, second, may_transpose):
    """The position with its rows and columns ordered by what they hold (where two hold the same, as they lie)."""
    r0, c00, c01, c02, c03 = _mixed_row(first, second, 0)
    r1, c10, c11, c12, c13 = _mixed_row(first, second, 1)
    r2, c20, c21, c22, c23 = _mixed_row(first, second, 2)
    r3, c30, c31, c32, c33 = _mixed_row(first, second, 3)
    rows, row_order = _sorted(r0, r1, r2, r3)
    cols, col_order = _sorted(
        c00 + c10 + c20 + c30, c01 + c11 + c21 + c31, c02 + c12 + c22 + c32, c03 + c13 + c23 + c33
    )
    first, second = _ordered(first, row_order, col_order), _ordered(second, row_order, col_order)
    if may_transpose and cols < rows:
        return transposed(first), transposed(second)
    return first, second


@inline
def _mixed_row(first, second, row):
    """A number for what a row holds, in any order, and one for each of its cells."""
    a, b = _mixed(first, second, row, 0), _mixed(first, second, row, 1)
    c, d = _mixed(first, second, row, 2), _mixed(first, second, row, 3)
    return a + b + c + d, a, b, c, d


@inline
def _mixed(first, second, row, col):
    at = 16 * row + 4 * col
    return MIX[((first >> at) & 15) | (((second >> at) & 15) << 4)]


@inline
def _sorted(a, b, c, d):
    """Four numbers in rising order, and their places before."""
    i, j, k, m = 0, 1, 2, 3
    if b < a:
        a, b, i, j = b, a, j, i
    if d < c:
        c, d, k, m = d, c, m, k
    if c < a:
        a, c, i, k = c, a, k, i
    if d < b:
        b, d, j, m = d, b, m, j
    if c < b:
        b, c, j, k = c, b, k, j
    return (a, b, c, d), (i, j, k, m)


@inline
def _ordered(word, rows, cols):
    """The word's rows, then its columns, in this order."""
    word = (
        row_line(word, rows[0])
        | (row_line(word, rows[1]) << 16)
        | (row_line(word, rows[2]) << 32)
        | (row_line(word, rows[3]) << 48)
    )
    return (
        ((word >> (4 * cols[0])) & COL)
        | (((word >> (4 * cols[1])) & COL) << 4)
        | (((word >> (4 * cols[2])) & COL) << 8)
        | (((word >> (4 * cols[3])) & COL) << 12)
    )
