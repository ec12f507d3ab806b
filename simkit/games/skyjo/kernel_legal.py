"""The kernel's lists of legal actions, copied from tables in pieces of one size.

A decision's list is blank beyond its end because pieces are padded with blank actions, and because `source` comes
before every `exchange` and `use` and writes a whole list.
"""

import numpy as np

from simkit._jit import copy_word, count_bits, inline
from simkit.games.skyjo.rules import CELLS, COLS, ROWS, code
from simkit.games.skyjo.state import (
    ACTION_RECORD,
    DRAW,
    EXCHANGE,
    EXCHANGE_DECISION,
    MOST_LEGAL,
    NONE,
    OPEN,
    OPEN_DECISION,
    REJECT,
    REJECT_AND_TURN,
    SOURCE_DECISION,
    TAKE,
    USE_DECISION,
)

OPTIONAL = code("reveal_after_reject", "optional")


def _list(kind: int, cells: list[int], length: int) -> list[tuple]:
    """An action for each cell, then blank ones up to `length`."""
    actions = [(kind, cell, *(0 for _ in range(6))) for cell in cells]
    return actions + [(0,) * 8] * (length - len(cells))


def _row_lists(kind: int) -> np.ndarray:
    """For each row and each mask of its columns the list of actions with these cells, padded to a whole row."""
    masks = [(row, mask) for row in range(ROWS) for mask in range(1 << COLS)]
    cells = [[COLS * row + col for col in range(COLS) if mask >> col & 1] for row, mask in masks]
    return np.array([action for some in cells for action in _list(kind, some, COLS)], ACTION_RECORD)


def _grid_lists(kind: int) -> np.ndarray:
    """For each mask of columns the list of actions with all their cells, padded to a whole grid."""
    cells = [[cell for cell in range(CELLS) if mask >> cell % COLS & 1] for mask in range(1 << COLS)]
    return np.array([action for some in cells for action in _list(kind, some, CELLS)], ACTION_RECORD)


OPEN_ROWS, TURN_ROWS = _row_lists(OPEN), _row_lists(REJECT_AND_TURN)
EXCHANGE_GRIDS = _grid_lists(EXCHANGE)
SOURCE_LIST = np.array(_list(TAKE, [NONE], 1) + _list(DRAW, [NONE], MOST_LEGAL - 1), ACTION_RECORD)
REJECT_LIST = np.array(_list(REJECT, [NONE], 1), ACTION_RECORD)
NO_ACTIONS = np.zeros(MOST_LEGAL, ACTION_RECORD)
ROW = (1 << COLS) - 1


@inline
def _add_rows(view, n, cells, table):
    """Add the actions of a table of rows for a mask of cells, row by row; how many there are then."""
    for row in range(ROWS):
        columns = (cells >> (COLS * row)) & ROW
        for i in range(COLS):
            copy_word(view.actions[n + i], table[((row << COLS) + columns) * COLS + i])
        n += count_bits(columns)
    return n


@inline
def wipe_list(view):
    """No legal actions: before the first `open` decision of a round."""
    view.n_actions = view.n_exchanges = 0
    for i in range(MOST_LEGAL):
        copy_word(view.actions[i], NO_ACTIONS[i])


@inline
def list_open(view):
    """Fill in the legal actions of an `open` decision, which follows an empty list or another of at most one more."""
    view.decision = OPEN_DECISION
    view.n_actions = _add_rows(view, 0, view.hidden_cells[view.seat], OPEN_ROWS)
    copy_word(view.actions[view.n_actions], NO_ACTIONS[0])


@inline
def list_source(view):
    """Fill in the legal actions of a `source` decision, and wipe what the turn before listed."""
    view.decision = SOURCE_DECISION
    view.card = 0
    view.n_exchanges = 0
    view.n_actions = 2
    for i in range(MOST_LEGAL):
        copy_word(view.actions[i], SOURCE_LIST[i])


@inline
def _list_exchanges(view):
    # A column leaves as a whole, so the cells in play of the first row stand for all.
    columns = (view.hidden_cells[view.seat] | view.open_cells[view.seat]) & ROW
    for i in range(CELLS):
        copy_word(view.actions[i], EXCHANGE_GRIDS[columns * CELLS + i])
    view.n_exchanges = ROWS * count_bits(columns)
    return view.n_exchanges


@inline
def list_exchange(view):
    """Fill in the legal actions of an `exchange` decision, which follows a `source` decision."""
    view.decision = EXCHANGE_DECISION
    view.n_actions = _list_exchanges(view)


@inline
def list_use(view):
    """Fill in the legal actions of a `use` decision, which follows a `source` decision."""
    view.decision = USE_DECISION
    hidden = view.hidden_cells[view.seat]
    n = _add_rows(view, _list_exchanges(view), hidden, TURN_ROWS)
    if view.rules.reveal_after_reject == OPTIONAL or hidden == 0:
        copy_word(view.actions[n], REJECT_LIST[0])
        n += 1
    view.n_actions = n
