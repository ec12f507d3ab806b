"""The value of a position as a learned table sees it: the sum of some forty entries.

- Patterns of four nibbles of what one sees (see `grid`), empty, a rank, or face down: each row, column and 2x2 square.
  Patterns that differ only by a mirror, a turn, or by ranks counted from the other end (10 for 1, 9 for 2, ...) share
  an entry, since the rules treat them alike. Rows and columns share a table, squares have another.
- Each cell that is not done (empty, or face down): the ranks that could be placed there and turn nothing.
- The share of the unseen cards that fit one of these cells, the share that fits anywhere, and how many cells that are
  not done no rank fits.
- The number of piles and of face-down tops.

All are kept apart by the number of cards left: a value fitted over all stages at once has the wrong sign, since losing
games last longer. The sum goes through the logistic function where it stands for a chance, which does not change which
position is best. After Szubert & Jaskowski (2014), whose n-tuple networks learned 2048.
"""

from pathlib import Path

import numpy as np

from simkit._jit import count_bits, float_at, inline
from simkit.games.foursquare.grid import DOWN, LIMITS, LINES, col_line, nibbles_in, piles_of, row_line
from simkit.games.foursquare.rules import FRAME, PILES

STAGES = 40
"""One for each number of cards left, 0 to 39; larger decks count from 39 as well."""
TABLE_RANKS = 10
"""Ranks that a table tells apart: those of the default deck. Others are stretched or squeezed to them."""
PATTERNS = 17
SHARES = 32
MOST_DOWN = 8
MOST_STUCK = 8

LINE_ORDERS = (0, 1, 2, 3), (3, 2, 1, 0)
TURNS = (0, 1, 2, 3), (1, 3, 0, 2), (3, 2, 1, 0), (2, 0, 3, 1)
SQUARE_ORDERS = TURNS + tuple((b, a, d, c) for a, b, c, d in TURNS)
"""The symmetries: where each nibble comes from. A square's nibbles are 0 1 above 2 3."""


def _shared(orders: tuple[tuple[int, ...], ...]) -> np.ndarray:
    """For every pattern of four nibbles the number of the entry that it shares with its like (uint16, LINES)."""
    nibbles = (np.arange(LINES)[:, None] >> np.arange(0, 16, 4)) & 15
    known = ((nibbles <= TABLE_RANKS) | (nibbles == DOWN)).all(1)
    other_end = np.where((nibbles > 0) & (nibbles <= TABLE_RANKS), TABLE_RANKS + 1 - nibbles, nibbles)
    alike = [(form[:, order] << np.arange(0, 16, 4)).sum(1) for form in (nibbles, other_end) for order in orders]
    entries = np.zeros(LINES, np.uint16)
    entries[known] = np.unique(np.min(alike, axis=0)[known], return_inverse=True)[1]
    return entries


LINE_ENTRY, SQUARE_ENTRY = _shared(LINE_ORDERS), _shared(SQUARE_ORDERS)
LINE_ENTRIES, SQUARE_ENTRIES = int(LINE_ENTRY.max()) + 1, int(SQUARE_ENTRY.max()) + 1
SQUARES = STAGES * LINE_ENTRIES
TEMPO = SQUARES + STAGES * SQUARE_ENTRIES
CELLS = TEMPO + STAGES * (PILES + 1) * MOST_DOWN
FITTING = CELLS + STAGES * 2 * 256
ANYWHERE = FITTING + STAGES * MOST_DOWN * SHARES
STUCK = ANYWHERE + STAGES * MOST_DOWN * SHARES
NOTHING = STUCK + STAGES * (PILES + 1) * MOST_STUCK
"""The entry of a cell that is done; always 0."""
ENTRIES = NOTHING + 1
"""A table's length (float32)."""
TERMS = PATTERNS + PILES + 4
"""How many entries make a position's value."""


def load(path: Path) -> np.ndarray:
    """A table as it ships: float32, (ENTRIES,)."""
    with np.load(path) as file:
        return file["values"].astype(np.float32)


@inline
def table_rank(rank, max_rank):
    """A deck's rank as one of the table's."""
    return (
        rank
        if max_rank == TABLE_RANKS
        else 1 + (2 * (rank - 1) * (TABLE_RANKS - 1) + max_rank - 1) // (2 * (max_rank - 1))
    )


@inline
def _table_word(seen, max_rank):
    """What one sees, in the table's ranks."""
    if max_rank == TABLE_RANKS:
        return seen
    word = 0
    for at in range(0, 4 * PILES, 4):
        nibble = (seen >> at) & 15
        word |= (nibble if nibble in (0, DOWN) else table_rank(nibble, max_rank)) << at
    return word


@inline
def unseen_planes(view):
    """The unseen cards of each of the table's ranks as four words: bit r of the first is the count's lowest bit, ..."""
    ones = twos = fours = eights = 0
    for rank in range(1, view.rules.max_rank + 1):
        bit = 1 << table_rank(rank, view.rules.max_rank)
        for _ in range(view.unseen[rank]):
            carry = ones & bit
            ones ^= bit
            carry, twos = twos & carry, twos ^ carry
            carry, fours = fours & carry, fours ^ carry
            eights |= carry
    return ones, twos, fours, eights


@inline
def planes_without(planes, rank, max_rank):
    """The same with one card of a rank of the deck less."""
    ones, twos, fours, eights = planes
    borrow = 1 << table_rank(rank, max_rank)
    ones, borrow = ones ^ borrow, borrow & ~ones
    twos, borrow = twos ^ borrow, borrow & ~twos
    fours, borrow = fours ^ borrow, borrow & ~fours
    return ones, twos, fours, eights ^ borrow


@inline
def _cards_among(mask, planes):
    """How many unseen cards have a rank in the mask."""
    few = count_bits(mask & planes[0]) + 2 * count_bits(mask & planes[1])
    return few + 4 * count_bits(mask & planes[2]) + 8 * count_bits(mask & planes[3])


@inline
def _square(word, corner):
    """The four nibbles of the 2x2 square whose top left cell is nibble `corner`."""
    low = word >> (4 * corner)
    return (low & 0xFF) | ((low >> 8) & 0xFF00)


@inline
def entries_of(rules, ranks, down, heights, stock, planes, entries):
    """Write the TERMS entries of a position with `stock` cards left into `entries` (int64)."""
    seen, piles = _table_word(ranks | down, rules.max_rank), piles_of(heights)
    stage = min(stock, STAGES - 1)
    for i in range(FRAME):
        entries[i] = stage * LINE_ENTRIES + LINE_ENTRY[row_line(seen, i)]
        entries[FRAME + i] = stage * LINE_ENTRIES + LINE_ENTRY[col_line(seen, i)]
    for i in range(9):
        corner = FRAME * (i // 3) + i % 3
        entries[2 * FRAME + i] = SQUARES + stage * SQUARE_ENTRIES + SQUARE_ENTRY[_square(seen, corner)]
    fitting = anywhere = stuck = 0
    for i in range(PILES):
        others = seen & ~(DOWN << (4 * i))
        in_row, in_col = np.int64(LIMITS[row_line(others, i >> 2)]), np.int64(LIMITS[col_line(others, i & 3)])
        lowest, highest = max(in_row >> 4, in_col >> 4), min(in_row & 15, in_col & 15)
        full = (heights >> (4 * i)) & 15 >= rules.pile_height
        fits = (2 << highest) - (1 << lowest) if lowest <= highest and not full else 0
        anywhere |= fits
        is_pile, is_down = (piles >> (4 * i)) & 1, (down >> (4 * i)) & 1
        if is_pile > is_down:
            entries[PATTERNS + i] = NOTHING
            continue
        fitting |= fits
        stuck += 1 if fits == 0 else 0
        limits = lowest << 4 | highest if fits != 0 else (1 if full else 0)
        entries[PATTERNS + i] = CELLS + (stage * 2 + is_down) * 256 + limits
    n_piles, n_down, at = nibbles_in(piles), min(nibbles_in(down), MOST_DOWN - 1), PATTERNS + PILES
    entries[at] = TEMPO + (stage * (PILES + 1) + n_piles) * MOST_DOWN + n_down
    share = _cards_among(fitting, planes) * (SHARES - 1) // max(stock, 1)
    entries[at + 1] = FITTING + (stage * MOST_DOWN + n_down) * SHARES + share
    share = _cards_among(anywhere, planes) * (SHARES - 1) // max(stock, 1)
    entries[at + 2] = ANYWHERE + (stage * MOST_DOWN + n_down) * SHARES + share
    entries[at + 3] = STUCK + (stage * (PILES + 1) + n_piles) * MOST_STUCK + min(stuck, MOST_STUCK - 1)


@inline
def value_of(rules, table, ranks, down, heights, stock, planes, entries):
    """The table's sum for a position; `entries` is left as by `entries_of`."""
    entries_of(rules, ranks, down, heights, stock, planes, entries)
    total = float_at(table, entries[0])
    for k in range(1, TERMS):
        total += float_at(table, entries[k])
    return total
