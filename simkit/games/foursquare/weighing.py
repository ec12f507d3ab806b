"""A position's worth as a weighted sum of what a player could count on the table.

Each weight changes linearly with the share of the deck that is gone: `name` holds with a full stock, `name + name_late`
with an empty one. What is counted, rows and columns alike, all of it the same for a mirrored or turned grid and for
ranks counted from the other end:

- `line_UD`: lines with U face-up and D face-down tops; `calm_UD`: for each of these the share of the unseen cards that
  lie from its lowest to its highest face-up top, which turn nothing in it;
- `fit_empty`, `fit_down`: for each empty cell, for each face-down top, the share of the unseen cards that do no harm
  there (see `HARMLESS`); `stuck_empty`, `stuck_down`: those of them where no card does;
- `take_empty`, `take_down`, `take_up`: the share of the unseen cards that do no harm on at least one empty cell next to
  a pile; on one of these or a face-down top; on any cell; `need_empty`, `need_down`, `need_up`: these, times the
  number of face-down tops;
- `down_3`, `down_4`: whether three, or four or more, tops lie face down;
- `full_up`, `full_down`: piles that take no more card, by their top;
- `spread`: rows times columns that the piles span.

The weights that ship are in `tables/weighted.json`, with the record of their tuning by `scripts/tune.py`.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from simkit._jit import count_bits, inline, jit, stack_array
from simkit.games.foursquare.grid import (
    COL,
    DOWN,
    LIMITS,
    LINES,
    NONE_UP,
    ONES,
    cells_of,
    col_line,
    grid_of,
    is_solved,
    new_afters,
    new_values,
    nibbles_in,
    piles_of,
    placed,
    row_line,
    spanned,
)
from simkit.games.foursquare.rules import FRAME, MOST_RANKS, PILES

KINDS = tuple((up, tops - up) for tops in range(1, FRAME + 1) for up in range(tops, -1, -1))
"""Lines that hold a pile, by face-up and face-down tops. A line's kind is its place here plus one, 0 without piles."""
CALM_KINDS = tuple(kind for kind in KINDS if kind[0])
LINE_FEATURES = tuple(f"line_{up}{down}" for up, down in KINDS)
CALM_FEATURES = tuple(f"calm_{up}{down}" for up, down in CALM_KINDS)
CELL_FEATURES = (
    *("fit_empty", "fit_down", "stuck_empty", "stuck_down", "take_empty", "take_down", "take_up"),
    *("need_empty", "need_down", "need_up", "down_3", "down_4", "full_up", "full_down", "spread"),
)
FEATURES = LINE_FEATURES + CALM_FEATURES + CELL_FEATURES
LATE_FEATURES = tuple(f"{name}_late" for name in FEATURES)
(FIT_EMPTY, FIT_DOWN, STUCK_EMPTY, STUCK_DOWN, TAKE_EMPTY, TAKE_DOWN, TAKE_UP) = range(32, 39)
(NEED_EMPTY, NEED_DOWN, NEED_UP, DOWN_3, DOWN_4, FULL_UP, FULL_DOWN, SPREAD) = range(39, 47)
"""Where a weight lies among those of a stage: a line kind's at its number, its calm's 16 further, then the cells'."""
CALM, PLACES = 16, 47
PLACE = np.array(
    [1 + i for i in range(len(KINDS))]
    + [CALM + 1 + KINDS.index(kind) for kind in CALM_KINDS]
    + list(range(FIT_EMPTY, PLACES))
)
"""The same for each of the FEATURES; what else there is stays 0."""

LANE = 16
LANES = sum(1 << (LANE * i) for i in range(FRAME))
"""A word of four lanes, one for each nibble of a line, has a bit for each rank in each lane, 1 to MOST_RANKS."""
ANY_RANK = (1 << (MOST_RANKS + 1)) - 2
EVERY_SECOND, LOWER_HALF = 0xFFFF_0000_FFFF, 0xFFFF_FFFF
LOST, SOLVED = -1e30, 1e30
SHARES = 256

new_weights = stack_array(np.float64, PLACES)
new_shares = stack_array(np.float64, SHARES)


def _nibbles() -> np.ndarray:
    return (np.arange(LINES)[:, None] >> np.arange(0, 16, 4)) & 15


def _kinds() -> np.ndarray:
    """For every line its kind (uint8, LINES)."""
    nibbles = _nibbles()
    down = (nibbles == DOWN).sum(1)
    up = (nibbles > 0).sum(1) - down
    number = np.zeros((FRAME + 1, FRAME + 1), np.uint8)
    for kind, (n_up, n_down) in enumerate(KINDS, start=1):
        number[n_up, n_down] = kind
    return number[up, down]


def _harmless() -> np.ndarray:
    """For every line four lanes (int64, LINES): the ranks that may be placed on each of its cells without harm.

    These turn nothing, or at least as many face-down tops of the other piles as face-up ones.
    """
    nibbles, lanes = _nibbles(), np.zeros(LINES, np.int64)
    up, down = (nibbles > 0) & (nibbles < DOWN), nibbles == DOWN
    for i in range(FRAME):
        other = np.arange(FRAME) != i
        lowest = np.where(up & other, nibbles, DOWN).min(1)
        highest = np.where(up & other, nibbles, 0).max(1)
        between = np.where(lowest <= highest, (2 << highest) - (1 << lowest), 0)
        turns_well = (up & other).sum(1) <= (down & other).sum(1)
        lanes |= np.where(turns_well, ANY_RANK, between & ANY_RANK) << (LANE * i)
    return lanes


KIND, HARMLESS = _kinds(), _harmless()


def load_weights(path: Path) -> dict[str, float]:
    """The weights of a file that `scripts/tune.py` wrote; those that it leaves out are 0.

    Raises ValueError for a name that is none of the FEATURES or LATE_FEATURES.
    """
    given, names = json.loads(path.read_text())["params"], FEATURES + LATE_FEATURES
    if not given.keys() <= set(names):
        raise ValueError(f"{path}: no weights are called {', '.join(sorted(given.keys() - set(names)))}")
    return {name: float(given.get(name, 0)) for name in names}


@inline
def _crossed(a, b, c, d):
    """Four words of four lanes with rows and columns exchanged: the first holds the first lanes of all four."""
    even_ab, odd_ab = (
        (a & EVERY_SECOND) | ((b & EVERY_SECOND) << LANE),
        ((a >> LANE) & EVERY_SECOND) | (b & ~EVERY_SECOND),
    )
    even_cd, odd_cd = (
        (c & EVERY_SECOND) | ((d & EVERY_SECOND) << LANE),
        ((c >> LANE) & EVERY_SECOND) | (d & ~EVERY_SECOND),
    )
    return (
        (even_ab & LOWER_HALF) | (even_cd << 32),
        (odd_ab & LOWER_HALF) | (odd_cd << 32),
        (even_ab >> 32) | (even_cd & ~LOWER_HALF),
        (odd_ab >> 32) | (odd_cd & ~LOWER_HALF),
    )


@inline
def harmless_ranks(seen):
    """For each row a word of four lanes: the ranks that do no harm on its cells, in their rows and columns."""
    across = _crossed(
        HARMLESS[col_line(seen, 0)],
        HARMLESS[col_line(seen, 1)],
        HARMLESS[col_line(seen, 2)],
        HARMLESS[col_line(seen, 3)],
    )
    return (
        HARMLESS[row_line(seen, 0)] & across[0],
        HARMLESS[row_line(seen, 1)] & across[1],
        HARMLESS[row_line(seen, 2)] & across[2],
        HARMLESS[row_line(seen, 3)] & across[3],
    )


@inline
def lanes_of(cells, row):
    """Full lanes for the cells of a row; `cells` has a 1 in each nibble meant."""
    line = row_line(cells, row)
    lanes = (line & 1) | ((line & 0x10) << 12) | ((line & 0x100) << 24) | ((line & 0x1000) << 36)
    return (lanes << (MOST_RANKS + 1)) - lanes


@inline
def _used_lanes(lanes):
    """How many lanes have any rank."""
    return count_bits((lanes + LANES * ANY_RANK + LANES) & (LANES << (MOST_RANKS + 1)))


@inline
def _all_lanes(lanes):
    """The ranks of all lanes together, as one lane."""
    lanes |= lanes >> 32
    return (lanes | (lanes >> LANE)) & ANY_RANK


@inline
def _cards_in(lanes, planes):
    """How many unseen cards the lanes stand for, summed over the lanes."""
    cards = count_bits(lanes & planes[0]) + 2 * count_bits(lanes & planes[1]) + 4 * count_bits(lanes & planes[2])
    return cards + 8 * count_bits(lanes & planes[3]) if planes[3] else cards


@inline
def beside(cells):
    """1 in every nibble next to one with a 1."""
    first, last = COL & ONES, (COL << 12) & ONES
    return (cells << 16) | (cells >> 16) | ((cells & ~last) << 4) | ((cells & ~first) >> 4)


@inline
def unseen_planes(unseen, max_rank):
    """The unseen cards of each rank as four words: bit r of each lane of the first is the count's lowest bit, ..."""
    ones = twos = fours = eights = 0
    for rank in range(1, max_rank + 1):
        count = np.int64(unseen[rank])
        ones |= (count & 1) << rank
        twos |= ((count >> 1) & 1) << rank
        fours |= ((count >> 2) & 1) << rank
        eights |= ((count >> 3) & 1) << rank
    return LANES * ones, LANES * twos, LANES * fours, LANES * eights


@inline
def fill_shares(unseen, max_rank, each, shares):
    """For limits of a line as in `grid.LIMITS` the share of the unseen cards within (float64, SHARES)."""
    shares[NONE_UP] = 0
    for lowest in range(1, max_rank + 1):
        cards = 0
        for highest in range(lowest, max_rank + 1):
            cards += unseen[highest]
            shares[lowest << 4 | highest] = cards * each


@inline
def _lines_worth(seen, weights, shares):
    total = 0.0
    for i in range(FRAME):
        row, col = row_line(seen, i), col_line(seen, i)
        total += weights[KIND[row]] + weights[CALM + KIND[row]] * shares[LIMITS[row]]
        total += weights[KIND[col]] + weights[CALM + KIND[col]] * shares[LIMITS[col]]
    return total


@inline
def _cells_worth(seen, cells, down, full, weights, planes, each):
    """What the cells are worth by the cards that do no harm there; `each` is an unseen card's share."""
    ranks = harmless_ranks(seen)
    near = beside(cells)
    a = _row_cells(ranks[0], cells, down, full, near, planes, 0)
    b = _row_cells(ranks[1], cells, down, full, near, planes, 1)
    c = _row_cells(ranks[2], cells, down, full, near, planes, 2)
    d = _row_cells(ranks[3], cells, down, full, near, planes, 3)
    cards_empty, cards_down = a[0] + b[0] + c[0] + d[0], a[1] + b[1] + c[1] + d[1]
    free_empty, free_down = a[2] + b[2] + c[2] + d[2], a[3] + b[3] + c[3] + d[3]
    on_empty, on_down = _all_lanes(a[4] | b[4] | c[4] | d[4]), _all_lanes(a[5] | b[5] | c[5] | d[5])
    on_up = _all_lanes(a[6] | b[6] | c[6] | d[6])
    total = weights[FIT_EMPTY] * cards_empty + weights[FIT_DOWN] * cards_down
    n_down = count_bits(down)
    total += (weights[TAKE_EMPTY] + n_down * weights[NEED_EMPTY]) * _cards_in(on_empty, planes)
    total += (weights[TAKE_DOWN] + n_down * weights[NEED_DOWN]) * _cards_in(on_empty | on_down, planes)
    total += (weights[TAKE_UP] + n_down * weights[NEED_UP]) * _cards_in(on_empty | on_up, planes)
    stuck_empty, stuck_down = PILES - count_bits(cells) - free_empty, n_down - free_down
    return total * each + weights[STUCK_EMPTY] * stuck_empty + weights[STUCK_DOWN] * stuck_down


@inline
def _row_cells(ranks, cells, down, full, near, planes, row):
    taken, open_piles = lanes_of(cells, row), ranks & ~lanes_of(full, row)
    empty, covered = ranks & ~taken, open_piles & lanes_of(down, row)
    return (
        _cards_in(empty, planes),
        _cards_in(covered, planes),
        _used_lanes(empty),
        _used_lanes(covered),
        empty & lanes_of(near, row),
        covered,
        open_piles & taken,
    )


@inline
def worth_of(rules, ranks, down, heights, weights, planes, shares, each):
    """The weighted sum of a position that is neither won nor lost."""
    seen, cells, down_cells = ranks | down, cells_of(heights), down & ONES
    full = ONES & ~cells_of(heights ^ (ONES * rules.pile_height))
    total = _lines_worth(seen, weights, shares)
    total += _cells_worth(seen, cells, down_cells, full, weights, planes, each)
    n_down = count_bits(down_cells)
    total += weights[DOWN_4] if n_down > 3 else weights[DOWN_3] if n_down == 3 else 0.0
    rows, cols = spanned(piles_of(heights))
    total += weights[SPREAD] * (rows * cols)
    return (
        total + weights[FULL_UP] * count_bits(full & ~down_cells) + weights[FULL_DOWN] * count_bits(full & down_cells)
    )


def _reader(names: Iterable[str]) -> Callable:
    """A compiled function that reads these parameters into a tuple: compiled code finds them by written names only."""
    return inline(eval(f"lambda params: ({', '.join(f'params.{name}' for name in names)},)"))


_early, _late = _reader(FEATURES), _reader(LATE_FEATURES)


@inline
def fill_weights(params, gone, weights):
    """The weights where this share of the deck is gone (float64, PLACES), each at its PLACE."""
    early, late = _early(params), _late(params)
    weights[:] = 0
    for i in range(len(early)):
        weights[PLACE[i]] = early[i] + late[i] * gone


@inline
def share_gone(rules, stock):
    """The share of the deck that is no longer in the stock."""
    return 1 - stock / (rules.max_rank * rules.suits)


@inline
def value_after(rules, after, weights, planes, shares, each):
    """The worth of the position (ranks, down, heights) after a placement, ends of the game included."""
    if nibbles_in(after[1]) > rules.face_down_limit:
        return LOST
    if is_solved(after[1], after[2]):
        return SOLVED
    return worth_of(rules, after[0], after[1], after[2], weights, planes, shares, each)


@inline
def fill_values(view, weights, values, afters):
    """Worth (float64, n_actions) and position (int64, n_actions x 3) after each legal placement."""
    rules, each, shares = view.rules, 1 / max(view.stock, 1), new_shares()
    fill_shares(view.unseen, rules.max_rank, each, shares)
    planes = unseen_planes(view.unseen, rules.max_rank)
    ranks, down, heights = grid_of(view)
    for i in range(view.n_actions):
        cell = np.int64(view.actions[i].cell)
        row = (cell >> 3) - view.first_row if view.occupied else 0
        col = (cell & 7) - view.first_col if view.occupied else 0
        after = placed(rules, ranks, down, heights, row, col, view.card)
        values[i] = value_after(rules, after, weights, planes, shares, each)
        afters[i, 0], afters[i, 1], afters[i, 2] = after


@jit
def by_weights(view, params):
    """The placement whose position has the highest weighted sum; of equals the first."""
    weights, values, afters = new_weights(), new_values(), new_afters()
    fill_weights(params, share_gone(view.rules, view.stock), weights)
    fill_values(view, weights, values, afters)
    return np.argmax(values[: view.n_actions])
