"""The fast engine of Skyjo: `play_block` plays many games into rows of outcome columns.

Its cards are in `kernel_cards`, its lists of legal actions in `kernel_legal`. The view is the table as all see it; when
another seat decides, only the stream in it changes.
"""

import numpy as np

from simkit._jit import block_types, call_choice, count_bits, inline, jit, kernel, lowest_bit, nth_bit
from simkit.games.skyjo.kernel_cards import (
    HIDDEN,
    clear_column,
    count_points,
    deal,
    draw,
    lay_open,
    look_from,
    put_discard,
    reshuffle,
    see,
)
from simkit.games.skyjo.kernel_legal import list_exchange, list_open, list_source, list_use, wipe_list
from simkit.games.skyjo.rules import CELLS, COLS, DECK_SIZE, LOWEST, OPENED, code
from simkit.games.skyjo.state import (
    CAPPED,
    COLUMN_MASKS,
    EXCHANGE,
    NONE,
    REJECT,
    RULES_RECORD,
    SHARES,
    VIEW,
    WON,
)
from simkit.rng import CHOICE, LOTS
from simkit.rng.jitted import below, copy_stream, open_stream

ROUND_ENDER, ROTATE, HIGHEST_OPEN = (code("next_starter", how) for how in ("round_ender", "rotate", "highest_open"))
BY_LOT = code("open_cells", "random")
TIE_BY_LOT = code("first_starter_tie", "lot")
NO_FINAL_TURNS = code("final_turns", "none")
EMPTY_ENDS = code("draw_empty", "end_round")

GOES_ON, BAD_ANSWER, PILE_EMPTY, ROUND_OVER, TURNS_CAPPED = range(-1, -6, -1)
"""Besides WON and CAPPED: what a turn, a round or a game can return."""


# ---------------------------------------------------------------- a turn


@inline
def _ask(hidden, view):
    """The index of the action that the seat chooses; BAD_ANSWER if it names none."""
    index = call_choice(hidden.choices[view.seat], view, hidden.params[view.seat])
    return index if 0 <= index < view.n_actions else BAD_ANSWER


@inline
def _take_turn(hidden, view):
    """One turn of the seat: GOES_ON, BAD_ANSWER, or PILE_EMPTY where that ends the round."""
    list_source(view)
    view.turn += 1
    index = _ask(hidden, view)
    if index == 0:
        view.card = view.discard_top
        list_exchange(view)
    elif index == BAD_ANSWER:
        return BAD_ANSWER
    else:
        if view.draw_pile == 0:
            if view.rules.draw_empty == EMPTY_ENDS:
                view.turn -= 1
                return PILE_EMPTY
            reshuffle(hidden, view)
        view.card = draw(hidden)
        view.draw_pile -= 1
        see(view, view.card, 1)
        list_use(view)
    taken = 1 - index
    index = _ask(hidden, view)
    if index == BAD_ANSWER:
        return BAD_ANSWER
    view.discard[view.card - LOWEST] -= taken
    view.discard_size -= taken
    _use_card(hidden, view, np.int64(view.actions[index].kind), np.int64(view.actions[index].cell))
    return GOES_ON


@inline
def _use_card(hidden, view, kind, cell):
    """Exchange or reject the view's card; a completed column leaves."""
    if kind == REJECT:
        put_discard(view, view.card)
        return
    # A rejection that turns a card up is an exchange in which the card comes back to where it lay.
    seat = view.seat
    old = np.int64(hidden.faces[seat, cell])
    shown = view.card if kind == EXCHANGE else old
    put_discard(view, view.card + old - shown)
    cells = lay_open(hidden, view, seat, cell, old, shown)
    column = COLUMN_MASKS[0] << (cell & (COLS - 1))
    if (cells & column) == column and view.rules.column_rule:
        clear_column(hidden, view, seat, cell & (COLS - 1), shown)


# ---------------------------------------------------------------- a round


@jit
def _open_two(hidden, view, seat):
    """A seat turns up two cards; GOES_ON or BAD_ANSWER."""
    by_lot = view.rules.open_cells == BY_LOT
    if not by_lot and seat != view.seat:
        look_from(hidden, view, seat)
    for opened in range(OPENED):
        if by_lot:
            cell = nth_bit(view.hidden_cells[seat], below(hidden.lots, CELLS - opened))
        else:
            list_open(view)
            index = _ask(hidden, view)
            if index == BAD_ANSWER:
                return BAD_ANSWER
            cell = np.int64(view.actions[index].cell)
        card = np.int64(hidden.faces[seat, cell])
        lay_open(hidden, view, seat, cell, card, card)
    return GOES_ON


@jit
def _find_starter(hidden, view):
    """The seat with the highest sum of opened cards."""
    tied, best = 0, -DECK_SIZE
    for seat in range(view.players):
        if view.open_sum[seat] > best:
            tied, best = 0, view.open_sum[seat]
        if view.open_sum[seat] == best:
            tied |= 1 << seat
    n = count_bits(tied)
    if n > 1 and view.rules.first_starter_tie == TIE_BY_LOT:
        return nth_bit(tied, below(hidden.lots, n))
    return lowest_bit(tied)


@jit
def _open_cards(hidden, view):
    """All turn up two cards, and the starter is found; GOES_ON or BAD_ANSWER."""
    for seat in range(view.players):
        if _open_two(hidden, view, seat) == BAD_ANSWER:
            return BAD_ANSWER
    if view.starter == NONE:
        view.starter = _find_starter(hidden, view)
    if view.round == 1:
        hidden.first_starter = view.starter
    if view.starter != view.seat:
        look_from(hidden, view, view.starter)
    return GOES_ON


@jit
def _take_turns(hidden, view):
    """Turns until the round is over: ROUND_OVER, PILE_EMPTY, TURNS_CAPPED or BAD_ANSWER."""
    most = view.players * view.rules.max_turns
    while True:
        ends = _take_turn(hidden, view)
        if ends != GOES_ON:
            return ends
        seat = view.seat
        if view.hidden_cells[seat] == 0 and view.ending == NONE:
            view.ending = seat
            view.ended[seat] += 1
            if view.rules.final_turns == NO_FINAL_TURNS:
                return ROUND_OVER
        following = seat + 1 if seat + 1 < view.players else 0
        if following == view.ending:
            return ROUND_OVER
        if view.turn >= most:
            return TURNS_CAPPED
        look_from(hidden, view, following)


@jit
def _is_doubled(hidden, view):
    """Whether the score of who ended the round is doubled."""
    score, lowest = hidden.scores[view.ending], 1 << 30
    for seat in range(view.players):
        if seat != view.ending:
            lowest = min(lowest, hidden.scores[seat])
    if score <= 0 and not view.rules.double_nonpositive:
        return False
    return lowest < score or (lowest == score and view.rules.double_on_tie == 1)


@jit
def _score(hidden, view, ends):
    """Add up the round's points."""
    hidden.turns += view.turn
    for seat in range(view.players):
        hidden.scores[seat] = count_points(hidden, view, seat)
        hidden.raw[seat] += hidden.scores[seat]
    if ends == ROUND_OVER and _is_doubled(hidden, view):
        hidden.scores[view.ending] *= view.rules.multiplier
        hidden.doubled[view.ending] += 1
    for seat in range(view.players):
        view.totals[seat] += hidden.scores[seat]


@jit
def _next_starter(hidden, view):
    """Who starts the next round; NONE if the cards will tell."""
    how = view.rules.next_starter
    if how == HIGHEST_OPEN:
        return NONE
    if how == ROTATE:
        return (view.starter + 1) % view.players
    if how == ROUND_ENDER and view.ending != NONE:
        return view.ending
    winner = view.starter
    for step in range(1, view.players):
        seat = (view.starter + step) % view.players
        if hidden.scores[seat] < hidden.scores[winner]:
            winner = seat
    return winner


# ---------------------------------------------------------------- a game


@jit
def _status(view):
    """After a round: WON, CAPPED or GOES_ON."""
    rules = view.rules
    if rules.rounds > 0:
        return WON if view.round == rules.rounds else GOES_ON
    for seat in range(view.players):
        if view.totals[seat] >= rules.target:
            return WON
    return CAPPED if view.round >= rules.max_rounds else GOES_ON


@jit
def play_one(hidden, view, players):
    """Play one game on wiped records that hold only addresses, seed, game and rules; WON, CAPPED or BAD_ANSWER."""
    view.players = players
    view.starter = NONE
    for seat in range(players):
        open_stream(hidden.streams[seat], hidden.seed, hidden.game, CHOICE, seat)
    copy_stream(view.stream, hidden.streams[0])
    open_stream(hidden.lots, hidden.seed, hidden.game, LOTS, 0)
    status = GOES_ON
    while status == GOES_ON:
        view.round += 1
        deal(hidden, view)
        wipe_list(view)
        if _open_cards(hidden, view) == BAD_ANSWER:
            return BAD_ANSWER
        ends = _take_turns(hidden, view)
        if ends == BAD_ANSWER:
            return BAD_ANSWER
        _score(hidden, view, ends)
        if ends == TURNS_CAPPED:
            return CAPPED
        status = _status(view)
        view.starter = _next_starter(hidden, view)
    return status


@jit
def _write_row(hidden, view, status, row):
    """The outcome columns in the order of state.COLUMNS."""
    players, lowest = view.players, view.totals[0]
    winner = tied = 0
    for seat in range(players):
        if view.totals[seat] < lowest:
            winner, tied, lowest = seat, 0, view.totals[seat]
        tied += view.totals[seat] == lowest
    won = status == WON
    row[0] = winner if won else NONE
    row[1] = tied if won else 0
    row[2] = status
    row[3] = view.round
    row[4] = hidden.turns
    row[5] = hidden.first_starter
    row[6] = view.reshuffles
    for seat in range(players):
        per_seat = row[7 + seat :: players]
        per_seat[0] = view.totals[seat]
        per_seat[1] = SHARES // tied if won and view.totals[seat] == lowest else 0
        per_seat[2] = view.ended[seat]
        per_seat[3] = hidden.doubled[seat]
        per_seat[4] = hidden.cleared[seat]
        per_seat[5] = hidden.raw[seat]


def play_block(rules, players, seed, first, choices, params, rows):
    """Play the games first, first + 1, … of `seed`, one for each row of `rows` (int64, games x columns).

    `choices` and `params` hold addresses, one a seat, see `simkit._jit.block_types`. Returns NONE, or the seat whose
    strategy answered outside of its legal actions; the rows from that game on are then not written.
    """
    views, blank_view = np.zeros(1, VIEW), np.zeros(1, VIEW)
    hiddens, blank = np.zeros(1, HIDDEN), np.zeros(1, HIDDEN)
    blank_view[0].rules = rules
    blank[0].seed = seed
    for seat in range(players):
        blank[0].choices[seat] = choices[seat]
        blank[0].params[seat] = params[seat]
    for i in range(rows.shape[0]):
        views[0] = blank_view[0]
        hiddens[0] = blank[0]
        hiddens[0].game = first + np.uint64(i)
        status = play_one(hiddens[0], views[0], players)
        if status == BAD_ANSWER:
            return views[0].seat
        _write_row(hiddens[0], views[0], status, rows[i])
    return NONE


play_block = kernel(*block_types(RULES_RECORD))(play_block)
