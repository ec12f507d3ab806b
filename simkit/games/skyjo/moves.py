"""Moves by number, for the thinking players: what can be done with a card that is at hand or that could be.

A move below CELLS exchanges the card with that cell; TURN + cell rejects it and turns that cell up; PASS rejects it and
turns none. Scores of moves are float64, (N_MOVES,), NEVER where a move is not legal.
"""

import numpy as np

from simkit._jit import count_bits, inline, jit, lowest_bit
from simkit.games.skyjo.grid import exchange_with
from simkit.games.skyjo.rules import CELLS, COLS, LOWEST, code
from simkit.games.skyjo.state import ALL_CELLS, COLUMN_MASKS, NONE, SOURCE_DECISION, USE_DECISION

TURN = CELLS
PASS = 2 * CELLS
N_MOVES = PASS + 1
NEVER = -1e30

OPTIONAL = code("reveal_after_reject", "optional")
ON_TOP = code("column_discard", "on_top")


@inline
def column_of(cell):
    """The mask of the column that a cell lies in."""
    return COLUMN_MASKS[0] << (cell & (COLS - 1))


@inline
def card_at_hand(view):
    """The card that can be used now; at `source` the one that can be taken."""
    return view.discard_top if view.decision == SOURCE_DECISION else view.card


@inline
def next_seat(view):
    """The seat whose turn is next."""
    return view.seat + 1 if view.seat + 1 < view.players else 0


@inline
def completes(view, seat, cell, card):
    """Whether a card on this cell would complete its column, which then leaves."""
    mates = column_of(cell) & ~(1 << cell)
    return view.rules.column_rule == 1 and (view.cells_of[seat, card - LOWEST] & mates) == mates


@inline
def ends_round(view, cell):
    """Whether a card laid or turned up on this cell is the last that the round waits for."""
    return view.ending == NONE and view.hidden_cells[view.seat] == 1 << cell


@jit
def exchanges(view):
    """Scores of the exchanges: 0 for each cell in play."""
    scores = np.full(N_MOVES, NEVER)
    in_play = view.hidden_cells[view.seat] | view.open_cells[view.seat]
    for cell in range(CELLS):
        if (in_play >> cell) & 1:
            scores[cell] = 0.0
    return scores


@jit
def allow_rejections(view, scores):
    """Let the rejections that are legal for a drawn card score 0."""
    hidden = view.hidden_cells[view.seat]
    for cell in range(CELLS):
        if (hidden >> cell) & 1:
            scores[TURN + cell] = 0.0
    if view.rules.reveal_after_reject == OPTIONAL or hidden == 0:
        scores[PASS] = 0.0


@jit
def open_moves(view):
    """Scores of the moves with the card at hand: 0 where it is legal."""
    scores = exchanges(view)
    if view.decision == USE_DECISION:
        allow_rejections(view, scores)
    return scores


@jit
def best_move(scores):
    """The move with the highest score, the first of equals."""
    best = 0
    for move in range(1, N_MOVES):
        if scores[move] > scores[best]:
            best = move
    return best


@jit
def action_of(view, move):
    """The index of a move among the legal actions at `exchange` or `use`."""
    if move < TURN:
        return exchange_with(view, move)
    if move == PASS:
        return view.n_actions - 1
    return view.n_exchanges + count_bits(view.hidden_cells[view.seat] & ((1 << (move - TURN)) - 1))


@jit
def answer(view, scores, least):
    """The action with the highest score; at `source` the take if one of its exchanges scores `least` or more."""
    best = best_move(scores)
    if view.decision == SOURCE_DECISION:
        return 0 if scores[best] >= least else 1
    return action_of(view, best)


@jit
def opening(view, same):
    """The cell to open: the first one; then one in its column if `same` is above 0, else in the next column."""
    hidden = view.hidden_cells[view.seat]
    opened = ALL_CELLS & ~hidden
    if opened == 0:
        return 0
    column = column_of(lowest_bit(opened))
    wanted = hidden & (column if same > 0 else ~column)
    return count_bits(hidden & ((1 << lowest_bit(wanted)) - 1))
