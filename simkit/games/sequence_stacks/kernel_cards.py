"""The kernel's cards: draw pile, hands, discard piles, and whose private part the view holds.

What is public lives in the view and nowhere else; what is hidden, and counters, live in HIDDEN. Cards are shuffled
only as far as they are drawn (`rng.jitted.draw_next`): most of a deck never is.
"""

import numpy as np

from simkit._jit import inline, jit
from simkit.games.sequence_stacks.rules import MAX_COPIES, MAX_PLAYERS
from simkit.games.sequence_stacks.state import (
    BLOCK,
    FIRST_ACTION_CARD,
    FIRST_WILD,
    FULL_DECK,
    N_CARDS,
    NONE,
    REVERSE,
    SKIP,
    STEAL_CARD,
    STEAL_CHIP,
)
from simkit.rng import DEAL, RESHUFFLE, STREAM
from simkit.rng.jitted import copy_stream, draw_next, open_stream

HIDDEN = np.dtype(
    [
        ("seed", "u8"),
        ("game", "u8"),
        ("choices", "i8", (MAX_PLAYERS,)),  # addresses of the strategies, one a seat
        ("params", "i8", (MAX_PLAYERS,)),
        ("cards", "i1", (FULL_DECK,)),  # the draw pile: drawn so far, then the rest in no order yet
        ("size", "i8"),  # cards in it at its shuffle, those not in the game included
        ("drawn", "i8"),
        ("pile_stream", STREAM),
        ("lots", STREAM),
        ("removed", "i1", (FULL_DECK,)),  # in the order of their removal; view.removed of them
        ("hands", "i1", (MAX_PLAYERS, N_CARDS)),  # of the seats that do not decide now
        ("holdings", "i8", (MAX_PLAYERS,)),
        ("streams", STREAM, (MAX_PLAYERS,)),
        ("totals", "i8", (MAX_PLAYERS,)),  # chips of both colours
        ("deficits", "i8", (MAX_PLAYERS,)),  # most chips that the seat was ever behind
        ("leader", "i8"),  # last sole holder of the most chips
        ("idle", "i8"),  # bit s: seat s had a turn without playing or discarding since anybody did
        ("active_played", "i8"),
        ("sequences", "i8"),
        ("laid", "i8"),  # numbers and wilds
        ("blocks", "i8"),
        ("played_actions", "i8", (N_CARDS,)),
        ("lead_changes", "i8"),
        ("seat_turns", "i8", (MAX_PLAYERS,)),
    ],
    align=True,
)


@jit
def set_copies(view):
    rules = view.rules
    for card in range(FIRST_WILD):
        view.deck[card] = rules.numbers
    for card in range(FIRST_WILD, FIRST_ACTION_CARD):
        view.deck[card] = rules.wilds
    view.deck[SKIP] = rules.skip
    view.deck[REVERSE] = rules.reverse
    view.deck[STEAL_CARD] = rules.steal_card
    view.deck[BLOCK] = rules.block
    view.deck[STEAL_CHIP] = rules.steal_chip


@jit
def new_deck(hidden, view):
    position = 0
    for card in range(N_CARDS):
        for copy in range(MAX_COPIES):
            hidden.cards[position] = card if copy < view.deck[card] else NONE
            position += 1
        view.draw_pile += view.deck[card]
    hidden.size = FULL_DECK
    hidden.drawn = 0
    open_stream(hidden.pile_stream, hidden.seed, hidden.game, DEAL, 1)


@jit
def _reshuffle(hidden, view):
    for i in range(view.removed):
        card = hidden.removed[i]
        hidden.cards[i] = card
        view.visible[card] -= 1
    hidden.size = view.removed
    hidden.drawn = 0
    view.draw_pile = view.removed
    view.removed = 0
    view.reshuffles += 1
    open_stream(hidden.pile_stream, hidden.seed, hidden.game, RESHUFFLE, view.reshuffles)


@inline
def draw(hidden, view):
    """The next card of the draw pile, reshuffled if need be; NONE if there is no card."""
    if view.draw_pile == 0:
        if view.removed == 0:
            return NONE
        _reshuffle(hidden, view)
    card = NONE
    while card == NONE:
        card = draw_next(hidden.cards, hidden.drawn, hidden.size, hidden.pile_stream)
        hidden.drawn += 1
    view.draw_pile -= 1
    return card


@inline
def take_in_hand(view, card):
    view.hand[card] += 1
    view.holding |= 1 << card
    view.hand_sizes[view.seat] += 1


@inline
def leave_hand(view, card):
    view.hand[card] -= 1
    if view.hand[card] == 0:
        view.holding &= ~(1 << card)
    view.hand_sizes[view.seat] -= 1
    view.visible[card] += 1


@jit
def draw_up_to(hidden, view, size):
    while view.hand_sizes[view.seat] < size:
        card = draw(hidden, view)
        if card == NONE:
            return
        take_in_hand(view, card)


@inline
def pop_discard(view, seat):
    size = view.discard_sizes[seat] - 1
    card = view.discards[seat, size]
    view.discards[seat, size] = 0
    view.discard_sizes[seat] = size
    view.discard_tops[seat] = view.discards[seat, size - 1] if size > 0 else NONE
    return card


@inline
def put_discard(view, seat, card):
    size = view.discard_sizes[seat]
    view.discards[seat, size] = card
    view.discard_sizes[seat] = size + 1
    view.discard_tops[seat] = card


@inline
def look_from(hidden, view, seat):
    """Make it `seat` that decides: what is private moves out of the view, and what is private to `seat` into it."""
    before = view.seat
    if seat == before:
        return
    for card in range(N_CARDS):
        hidden.hands[before, card] = view.hand[card]
        view.hand[card] = hidden.hands[seat, card]
    hidden.holdings[before] = view.holding
    view.holding = hidden.holdings[seat]
    copy_stream(hidden.streams[before], view.stream)
    copy_stream(view.stream, hidden.streams[seat])
    view.seat = seat
