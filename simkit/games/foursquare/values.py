"""The value of a position as a learned table sees it: the sum of some sixty entries.

- Each row and column: which four tops lie in it, with their ranks face up or face down (those were seen too), in any
  order, since the rules do not care for order. Twice: by the number of cards left, and by a coarse eighth of it, which
  learns sooner.
- Each 2x2 square, in the same way but with its shape.
- Each cell: empty, face down or face up, with what the other three cells of its row and of its column say about a card
  placed there: how many lie face up and face down, the lowest and the highest rank.
- Each cell that is not done (empty, or face down): the ranks that could be placed there and turn nothing.
- The share of the unseen cards that fit one of these cells, the share that fits anywhere, and how many cells that are
  not done no rank fits.
- The number of piles and of face-down tops.

Patterns that differ only by a symmetry of the grid, or by ranks counted from the other end (10 for 1, 9 for 2, ...),
share an entry. All are kept apart by the number of cards left: a value fitted over all stages at once has the wrong
sign, since losing games last longer. The sum goes through the logistic function where it stands for a chance, which
does not change which position is best. After Szubert & Jaskowski (2014), whose n-tuple networks learned 2048.
"""

from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

from simkit._jit import count_bits, float_at, inline
from simkit.games.foursquare.grid import DOWN, LIMITS, LINES, NONE_UP, col_line, nibbles_in, piles_of, row_line
from simkit.games.foursquare.rules import FRAME, PILES

STAGES = 40
"""One for each number of cards left, 0 to 39; larger decks count from 39 as well."""
COARSE, SQUARE_STAGES, CROSS_STAGES = 8, 10, 20
"""Stages of the patterns that would else be too many."""
TABLE_RANKS = 10
"""Ranks that a table tells apart: those of the default deck. Others are stretched or squeezed to them."""
SQUARES_IN_GRID = 9
SHARES = 32
MOST_DOWN = 8
MOST_STUCK = 8

SYMBOLS = 1 + 2 * TABLE_RANKS
"""What a cell can show: nothing, a rank face up, a rank face down."""
PAIRS = SYMBOLS * (SYMBOLS + 1) // 2
"""Two cells in any order."""
_PAIRED = np.array(list(combinations_with_replacement(range(SYMBOLS), 2)))
_OTHER_END = np.r_[0, TABLE_RANKS:0:-1, SYMBOLS - 1 : TABLE_RANKS : -1]


def _pair_of(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The number of the pair that two symbols make."""
    numbers = np.zeros((SYMBOLS, SYMBOLS), np.int64)
    numbers[_PAIRED[:, 0], _PAIRED[:, 1]] = numbers[_PAIRED[:, 1], _PAIRED[:, 0]] = np.arange(PAIRS)
    return numbers[first, second]


def _pair_table() -> np.ndarray:
    """For two nibbles of ranks and, above them, two bits that say face down: the number of the pair (uint8, 1024)."""
    bits = np.arange(1024)
    ranks, down = np.array([bits & 15, (bits >> 4) & 15]), np.array([(bits >> 8) & 1, bits >> 9])
    known = ((ranks <= TABLE_RANKS) & ((ranks > 0) | (down == 0))).all(0)
    symbols = np.where(known, ranks + TABLE_RANKS * down, 0)
    return _pair_of(*symbols).astype(np.uint8)


def _classes(keys: np.ndarray) -> np.ndarray:
    """Equal keys numbered from 0 (uint16)."""
    return np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.uint16)


def _line_table() -> np.ndarray:
    """For two pairs, the number of the four symbols in any order and from either end (uint16, PAIRS * PAIRS)."""
    four = np.concatenate([np.repeat(_PAIRED, PAIRS, 0), np.tile(_PAIRED, (PAIRS, 1))], 1)
    places = SYMBOLS ** np.arange(4)
    return _classes(np.minimum(np.sort(four, 1) @ places, np.sort(_OTHER_END[four], 1) @ places))


def _square_table() -> np.ndarray:
    """For the pairs on a square's two diagonals, its number (uint16, PAIRS * PAIRS).

    A square's turns and mirrors are just those that swap the ends of a diagonal, or the diagonals.
    """
    first, second = np.repeat(np.arange(PAIRS), PAIRS), np.tile(np.arange(PAIRS), PAIRS)
    other = _pair_of(*_OTHER_END[_PAIRED].T)
    keys = [np.minimum(a, b) * PAIRS + np.maximum(a, b) for a, b in ((first, second), (other[first], other[second]))]
    return _classes(np.minimum(*keys))


def _others_table() -> np.ndarray:
    """For a line as seen, without one cell: the number of what the three others say (uint8, LINES); 0 for no such."""
    nibbles = (np.arange(LINES)[:, None] >> np.arange(0, 16, 4)) & 15
    up, down = ((nibbles > 0) & (nibbles < DOWN)).sum(1), (nibbles == DOWN).sum(1)
    known = ((nibbles <= TABLE_RANKS) | (nibbles == DOWN)).all(1) & (up + down < FRAME)
    return np.where(known, _classes(np.where(known, LIMITS + (up << 8) + (down << 10), NONE_UP)), 0).astype(np.uint8)


PAIR, LINE_CLASS, SQUARE_CLASS, OTHERS = _pair_table(), _line_table(), _square_table(), _others_table()
LINE_CLASSES, SQUARE_CLASSES, OTHER_CLASSES = (int(table.max()) + 1 for table in (LINE_CLASS, SQUARE_CLASS, OTHERS))
EMPTY, FACE_DOWN, FACE_UP = range(3)
COARSE_LINES = STAGES * LINE_CLASSES
SQUARES = COARSE_LINES + COARSE * LINE_CLASSES
CROSSES = SQUARES + SQUARE_STAGES * SQUARE_CLASSES
CELLS = CROSSES + CROSS_STAGES * 3 * OTHER_CLASSES * OTHER_CLASSES
TEMPO = CELLS + STAGES * 2 * 256
FITTING = TEMPO + STAGES * (PILES + 1) * MOST_DOWN
ANYWHERE = FITTING + STAGES * MOST_DOWN * SHARES
STUCK = ANYWHERE + STAGES * MOST_DOWN * SHARES
NOTHING = STUCK + STAGES * (PILES + 1) * MOST_STUCK
"""The entry of a cell that is done; always 0."""
ENTRIES = NOTHING + 1
"""A table's length (float32)."""
PATTERNS = 4 * FRAME + SQUARES_IN_GRID
TERMS = PATTERNS + 2 * PILES + 4
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
def _table_word(ranks, max_rank):
    """The grid's ranks as the table's."""
    if max_rank == TABLE_RANKS:
        return ranks
    word = 0
    for at in range(0, 4 * PILES, 4):
        nibble = (ranks >> at) & 15
        word |= (nibble if nibble == 0 else table_rank(nibble, max_rank)) << at
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
def _flags(nibbles):
    """One bit for each of four nibbles that are 0 or 15."""
    return (nibbles & 1) | ((nibbles >> 3) & 2) | ((nibbles >> 6) & 4) | ((nibbles >> 9) & 8)


@inline
def _line_class(ranks, down):
    """The number of a line, given as nibbles."""
    flags = _flags(down)
    first, second = (ranks & 0xFF) | ((flags & 3) << 8), (ranks >> 8) | ((flags >> 2) << 8)
    return np.int64(LINE_CLASS[np.int64(PAIR[first]) * PAIRS + np.int64(PAIR[second])])


@inline
def _diagonal(ranks, down, at, other):
    """The pair of the cells whose nibbles start at these bits."""
    pair = ((ranks >> at) & 15) | (((ranks >> other) & 15) << 4)
    return np.int64(PAIR[pair | (((down >> at) & 1) << 8) | (((down >> other) & 1) << 9)])


@inline
def _pattern_entries(ranks, down, stock, entries):
    """Write the entries of rows, columns and squares."""
    stage = min(stock, STAGES - 1) * LINE_CLASSES
    coarse = COARSE_LINES + min(stock * COARSE // STAGES, COARSE - 1) * LINE_CLASSES
    for i in range(FRAME):
        row = _line_class(row_line(ranks, i), row_line(down, i))
        col = _line_class(col_line(ranks, i), col_line(down, i))
        entries[i], entries[FRAME + i] = stage + row, stage + col
        entries[2 * FRAME + i], entries[3 * FRAME + i] = coarse + row, coarse + col
    squares = SQUARES + min(stock * SQUARE_STAGES // STAGES, SQUARE_STAGES - 1) * SQUARE_CLASSES
    for i in range(SQUARES_IN_GRID):
        at = 4 * (FRAME * (i // 3) + i % 3)
        falling, rising = _diagonal(ranks, down, at, at + 20), _diagonal(ranks, down, at + 4, at + 16)
        entries[4 * FRAME + i] = squares + np.int64(SQUARE_CLASS[falling * PAIRS + rising])


@inline
def _cross_entry(stock, shown, in_row, in_col):
    """The entry of a cell by the lines that cross in it, given without it."""
    stage = min(stock * CROSS_STAGES // STAGES, CROSS_STAGES - 1)
    state = EMPTY if shown == 0 else (FACE_DOWN if shown == DOWN else FACE_UP)
    a, b = np.int64(OTHERS[in_row]), np.int64(OTHERS[in_col])
    return CROSSES + ((stage * 3 + state) * OTHER_CLASSES + min(a, b)) * OTHER_CLASSES + max(a, b)


@inline
def _cell_entries(rules, seen, heights, stock, entries):
    """Write two entries for every cell; returns the ranks that fit a cell that is not done, those that fit any cell
    (masks), and how many cells that are not done nothing fits.
    """
    fitting = anywhere = stuck = 0
    stage = min(stock, STAGES - 1)
    for i in range(PILES):
        others, shown = seen & ~(DOWN << (4 * i)), (seen >> (4 * i)) & 15
        in_row, in_col = row_line(others, i >> 2), col_line(others, i & 3)
        entries[PATTERNS + i] = _cross_entry(stock, shown, in_row, in_col)
        row_limits, col_limits = np.int64(LIMITS[in_row]), np.int64(LIMITS[in_col])
        lowest, highest = max(row_limits >> 4, col_limits >> 4), min(row_limits & 15, col_limits & 15)
        full = (heights >> (4 * i)) & 15 >= rules.pile_height
        fits = (2 << highest) - (1 << lowest) if lowest <= highest and not full else 0
        anywhere |= fits
        if shown not in (0, DOWN):
            entries[PATTERNS + PILES + i] = NOTHING
            continue
        fitting |= fits
        stuck += 1 if fits == 0 else 0
        limits = lowest << 4 | highest if fits != 0 else (1 if full else 0)
        entries[PATTERNS + PILES + i] = CELLS + (stage * 2 + (1 if shown == DOWN else 0)) * 256 + limits
    return fitting, anywhere, stuck


@inline
def entries_of(rules, ranks, down, heights, stock, planes, entries):
    """Write the TERMS entries of a position with `stock` cards left into `entries` (int64)."""
    ranks, stage = _table_word(ranks, rules.max_rank), min(stock, STAGES - 1)
    _pattern_entries(ranks, down, stock, entries)
    fitting, anywhere, stuck = _cell_entries(rules, ranks | down, heights, stock, entries)
    n_piles, n_down, at = nibbles_in(piles_of(heights)), min(nibbles_in(down), MOST_DOWN - 1), PATTERNS + 2 * PILES
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
