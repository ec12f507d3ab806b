"""The fast engine of Foursquare: `play_block` plays many games into rows of outcome columns.

The view is the whole position; only the order of the stock is hidden. The stock is shuffled as far as it is drawn.
"""

import numpy as np

from simkit._jit import block_types, call_choice, copy_word, count_bits, inline, jit, kernel, lowest_bit
from simkit.contract import NULL
from simkit.games.foursquare.position import EACH_LINE, col_turns, row_turns, tally_of, usable
from simkit.games.foursquare.rules import MOST_RANKS, MOST_SUITS, PILES
from simkit.games.foursquare.state import (
    ACTION_RECORD,
    CELLS,
    EMPTY,
    FACE_DOWN,
    FACE_UP,
    LOST_FACE_DOWN,
    LOST_NO_PLACE,
    LOST_STOCK_EMPTY,
    ORIGIN,
    RULES_RECORD,
    SIDE,
    VIEW,
    WON,
)
from simkit.rng import CHOICE, DEAL, STREAM
from simkit.rng.jitted import draw_next, open_stream

HIDDEN = np.dtype(
    [
        ("cards", "i1", (MOST_RANKS * MOST_SUITS,)),  # ranks: drawn so far, then the rest in no order yet
        ("drawn", "i8"),
        ("stream", STREAM),
        ("stacked", "i8"),
        ("flips", "i8"),
        ("max_face_down", "i8"),
    ],
    align=True,
)

ACTION_TABLE = np.array(
    [
        (cell // SIDE - ORIGIN, cell % SIDE - ORIGIN, on, cell, 0, 0, 0, 0)
        for on in (EMPTY, FACE_UP, FACE_DOWN)
        for cell in range(CELLS)
    ],
    ACTION_RECORD,
)
NO_ACTION = np.zeros(1, ACTION_RECORD)

GOES_ON, BAD_ANSWER = -1, -2
"""Besides the four ways to end: what a turn can return."""


@inline
def list_placements(view):
    """Fill in the legal placements, and wipe what the turn before listed beyond them."""
    cells, occupied, face_down = usable(view), view.occupied, view.face_down
    n = 0
    while cells:
        cell = lowest_bit(cells)
        on = ((occupied >> cell) & 1) + ((face_down >> cell) & 1)
        copy_word(view.actions[n], ACTION_TABLE[on * CELLS + cell])
        n += 1
        cells &= cells - 1
    for i in range(n, view.n_actions):
        copy_word(view.actions[i], NO_ACTION[0])
    view.n_actions = n


@inline
def _put(hidden, view, cell):
    """Lay the card face up on the cell; it is not yet counted among its line's tops."""
    if (view.occupied >> cell) & 1:
        hidden.stacked += 1
        covered = tally_of(view.top[cell])
        view.all_in_row[cell >> 3] -= covered
        view.all_in_col[cell & 7] -= covered
        if not (view.face_down >> cell) & 1:
            view.up_in_row[cell >> 3] -= covered
            view.up_in_col[cell & 7] -= covered
        view.face_down &= ~(1 << cell)
    elif view.occupied == 0:
        view.first_row = view.last_row = view.first_col = view.last_col = ORIGIN
    else:
        view.first_row, view.last_row = min(view.first_row, cell >> 3), max(view.last_row, cell >> 3)
        view.first_col, view.last_col = min(view.first_col, cell & 7), max(view.last_col, cell & 7)
    view.occupied |= 1 << cell
    view.top[cell] = view.card
    view.height[cell] += 1
    if view.height[cell] == view.rules.pile_height:
        view.full |= 1 << cell
    tally = tally_of(view.card)
    view.all_in_row[cell >> 3] += tally
    view.all_in_col[cell & 7] += tally
    view.up_in_row[cell >> 3] += tally
    view.up_in_col[cell & 7] += tally


@inline
def _turn_over(hidden, view, cards):
    """Turn over the tops of a mask."""
    hidden.flips += count_bits(cards)
    view.face_down ^= cards
    while cards:
        cell = lowest_bit(cards)
        tally = tally_of(view.top[cell])
        tally = -tally if (view.face_down >> cell) & 1 else tally
        view.up_in_row[cell >> 3] += tally
        view.up_in_col[cell & 7] += tally
        cards &= cards - 1


@inline
def place(hidden, view, cell):
    """Place the view's card and turn over what turns; how the game ends, or GOES_ON."""
    rules, card = view.rules, view.card
    in_row = row_turns(view, cell, card)
    down = (view.face_down & ~(1 << cell)) ^ in_row
    in_col = 0
    if rules.loss_check != EACH_LINE or count_bits(down) <= rules.face_down_limit:
        in_col = col_turns(view, down, cell, card)
    _put(hidden, view, cell)
    if in_row:
        _turn_over(hidden, view, in_row)
    if in_col:
        _turn_over(hidden, view, in_col)
    view.placed += 1
    face_down = count_bits(view.face_down)
    hidden.max_face_down = max(hidden.max_face_down, face_down)
    if face_down > rules.face_down_limit:
        return LOST_FACE_DOWN
    if face_down == 0 and count_bits(view.occupied) == PILES:
        return WON
    return LOST_STOCK_EMPTY if view.stock == 0 else GOES_ON


@inline
def draw(hidden, view, size):
    card = draw_next(hidden.cards, hidden.drawn, size, hidden.stream)
    hidden.drawn += 1
    view.card = card
    view.stock -= 1
    view.unseen[card] -= 1


@jit
def fill_stock(hidden, view):
    """The stock before its shuffle: rank by rank, in each suit by suit."""
    suits = view.rules.suits
    view.stock = view.rules.max_rank * suits
    for position in range(view.stock):
        rank = position // suits + 1
        hidden.cards[position] = rank
        view.unseen[rank] = suits


@jit
def play_one(hidden, view, seed, game, choice, params):
    """Play one game on wiped records of which the view holds the rules; how it ended, or BAD_ANSWER."""
    open_stream(hidden.stream, seed, game, DEAL, 1)
    open_stream(view.stream, seed, game, CHOICE, 0)
    size = view.stock
    status = GOES_ON
    while status == GOES_ON:
        draw(hidden, view, size)
        list_placements(view)
        if view.n_actions == 0:
            return LOST_NO_PLACE
        index = call_choice(choice, view, params)
        if index < 0 or index >= view.n_actions:
            return BAD_ANSWER
        status = place(hidden, view, np.int64(view.actions[index].cell))
    return status


@jit
def _write_row(hidden, view, status, row):
    """The outcome columns in the order of state.COLUMNS."""
    won = status == WON
    row[0] = won
    row[1] = status
    row[2] = view.stock if won else NULL
    row[3] = view.stock if won else 0
    row[4] = view.placed
    row[5] = count_bits(view.occupied)
    row[6] = hidden.stacked
    row[7] = hidden.flips
    row[8] = hidden.max_face_down
    row[9] = count_bits(view.face_down)


def play_block(rules, players, seed, first, choices, params, rows):
    """Play the games first, first + 1, … of `seed`, one for each row of `rows` (int64, games x columns).

    `choices` and `params` hold one address each, see `simkit._jit.block_types`. Returns -1, or 0 (the seat) if the
    strategy answered outside of the legal placements; the rows from that game on are then not written.
    """
    views, blank_view = np.zeros(1, VIEW), np.zeros(1, VIEW)
    hiddens, blank = np.zeros(1, HIDDEN), np.zeros(1, HIDDEN)
    blank_view[0].rules = rules
    fill_stock(blank[0], blank_view[0])
    for i in range(rows.shape[0]):
        views[0] = blank_view[0]
        hiddens[0] = blank[0]
        status = play_one(hiddens[0], views[0], seed, first + np.uint64(i), choices[0], params[0])
        if status == BAD_ANSWER:
            return 0
        _write_row(hiddens[0], views[0], status, rows[i])
    return -1


play_block = kernel(*block_types(RULES_RECORD))(play_block)
