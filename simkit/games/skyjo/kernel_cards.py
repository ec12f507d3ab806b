"""The kernel's cards: the pile, the grids, and whose stream the view holds.

All but the faces of the cards, and the random streams, lies open and is in the view and nowhere else. The pile is
shuffled only as far as it is drawn (`rng.jitted.draw_next`).
"""

import numpy as np

from simkit._jit import inline, jit
from simkit.games.skyjo.rules import CELLS, COLS, COPIES, DECK_SIZE, LOWEST, MAX_PLAYERS, N_VALUES, ROWS, code
from simkit.games.skyjo.state import ALL_CELLS, COLUMN_MASKS, DECK, NONE
from simkit.rng import DEAL, RESHUFFLE, STREAM
from simkit.rng.jitted import copy_stream, draw_next, open_stream

ON_TOP = code("column_discard", "on_top")

HIDDEN = np.dtype(
    [
        ("seed", "u8"),
        ("game", "u8"),
        ("choices", "i8", (MAX_PLAYERS,)),  # addresses of the strategies, one a seat
        ("params", "i8", (MAX_PLAYERS,)),
        ("faces", "i1", (MAX_PLAYERS, CELLS)),  # the card on each cell, face down or not; 0 where it is gone
        ("cards", "i1", (DECK_SIZE,)),  # the pile: drawn so far, then the rest in no order yet
        ("size", "i8"),  # cards in it at its shuffle
        ("drawn", "i8"),
        ("pile_stream", STREAM),
        ("lots", STREAM),
        ("streams", STREAM, (MAX_PLAYERS,)),  # of the seats that do not decide now
        ("scores", "i8", (MAX_PLAYERS,)),  # of the round
        ("turns", "i8"),  # of the rounds before
        ("first_starter", "i8"),
        ("doubled", "i8", (MAX_PLAYERS,)),
        ("cleared", "i8", (MAX_PLAYERS,)),
        ("raw", "i8", (MAX_PLAYERS,)),
    ],
    align=True,
)

DECK_TABLE = np.array(DECK, np.int8)
COPIES_TABLE = np.array(COPIES, np.int8)
DECK_SUM = sum(DECK)


@inline
def draw(hidden):
    """The next card of the pile, which must not be empty."""
    card = np.int64(draw_next(hidden.cards, hidden.drawn, hidden.size, hidden.pile_stream))
    hidden.drawn += 1
    return card


@inline
def see(view, card, times):
    """Somebody sees a card that nobody had seen, `times` 0 or 1."""
    view.unseen[card - LOWEST] -= times
    view.unseen_cards -= times
    view.unseen_sum -= card * times


@inline
def put_discard(view, card):
    view.discard[card - LOWEST] += 1
    view.discard_size += 1
    view.discard_top = card


@jit
def reshuffle(hidden, view):
    """The discard pile but its top becomes the draw pile."""
    view.discard[view.discard_top - LOWEST] -= 1
    size = 0
    for place in range(N_VALUES):
        for _ in range(view.discard[place]):
            hidden.cards[size] = place + LOWEST
            size += 1
        view.unseen[place] = view.unseen[place] + view.discard[place]
        view.unseen_sum += (place + LOWEST) * view.discard[place]
        view.discard[place] = 0
    view.discard[view.discard_top - LOWEST] = 1
    view.discard_size = 1
    view.unseen_cards += size
    view.draw_pile = size
    hidden.size = size
    hidden.drawn = 0
    view.reshuffles += 1
    open_stream(hidden.pile_stream, hidden.seed, hidden.game, RESHUFFLE, view.reshuffles)


@jit
def clear_column(hidden, view, seat, col, value):
    """A column of three cards of this value, all face up, leaves for the discard pile."""
    cells = COLUMN_MASKS[0] << col
    view.open_cells[seat] &= ~cells
    place = value - LOWEST
    view.cells_of[seat, place] &= ~cells
    if view.cells_of[seat, place] == 0:
        view.showing[seat] &= ~(1 << place)
    view.open_sum[seat] -= ROWS * value
    for row in range(ROWS):
        view.open_values[seat, COLS * row + col] = 0
        hidden.faces[seat, COLS * row + col] = 0
    view.discard[place] += ROWS
    view.discard_size += ROWS
    if view.rules.column_discard == ON_TOP:
        view.discard_top = value
    hidden.cleared[seat] += 1


@inline
def lay_open(hidden, view, seat, cell, old, card):
    """Let `card` lie face up on a cell where `old` lies, which may be the same card, face up or down."""
    bit = 1 << cell
    covered = (view.hidden_cells[seat] >> cell) & 1
    see(view, old, covered)
    view.hidden_cells[seat] &= ~bit
    view.open_cells[seat] |= bit
    view.open_sum[seat] += card - old * (1 - covered)
    hidden.faces[seat, cell] = card
    view.open_values[seat, cell] = card
    left = view.cells_of[seat, old - LOWEST] & ~bit
    view.cells_of[seat, old - LOWEST] = left
    gone = 1 if left == 0 else 0
    cells = view.cells_of[seat, card - LOWEST] | bit
    view.cells_of[seat, card - LOWEST] = cells
    view.showing[seat] = (view.showing[seat] & ~(gone << (old - LOWEST))) | (1 << (card - LOWEST))
    return cells


@jit
def deal(hidden, view):
    """A new round: wipe the table, deal, turn up the first discard."""
    players = view.players
    for place in range(DECK_SIZE):
        hidden.cards[place] = DECK_TABLE[place]
    for place in range(N_VALUES):
        view.unseen[place] = COPIES_TABLE[place]
        view.discard[place] = 0
    view.unseen_cards = DECK_SIZE
    view.unseen_sum = DECK_SUM
    view.turn = view.card = 0
    view.ending = NONE
    for seat in range(players):
        view.hidden_cells[seat] = ALL_CELLS
        view.open_cells[seat] = view.showing[seat] = view.open_sum[seat] = 0
        for cell in range(CELLS):
            view.open_values[seat, cell] = 0
        for place in range(N_VALUES):
            view.cells_of[seat, place] = 0
    open_stream(hidden.pile_stream, hidden.seed, hidden.game, DEAL, view.round)
    hidden.size = DECK_SIZE
    hidden.drawn = 0
    for cell in range(CELLS):
        for seat in range(players):
            hidden.faces[seat, cell] = draw(hidden)
    view.draw_pile = DECK_SIZE - CELLS * players - 1
    view.discard_size = 0
    card = draw(hidden)
    see(view, card, 1)
    put_discard(view, card)


@jit
def count_points(hidden, view, seat):
    """The points of a seat's grid, all cards turned up and complete columns gone."""
    points = 0
    for cell in range(CELLS):
        points += hidden.faces[seat, cell]
    if view.rules.column_rule and view.rules.column_at_final_reveal:
        in_play = view.hidden_cells[seat] | view.open_cells[seat]
        for col in range(COLS):
            card = hidden.faces[seat, col]
            alike = 1
            for row in range(1, ROWS):
                alike &= hidden.faces[seat, COLS * row + col] == card
            alike &= in_play >> col
            points -= alike * ROWS * card
            hidden.cleared[seat] += alike
    return points


@inline
def look_from(hidden, view, seat):
    """Make it `seat` that decides."""
    copy_stream(hidden.streams[view.seat], view.stream)
    copy_stream(view.stream, hidden.streams[seat])
    view.seat = seat
