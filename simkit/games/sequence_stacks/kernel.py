"""The fast engine of Sequence Stacks: `play_block` plays many games into rows of outcome columns.

Its cards are in `kernel_cards`, its lists of legal actions in `kernel_legal`. The view is the table as all see it;
what is private to the seat that decides (hand, stream) is moved in and out of it.
"""

import numpy as np

from simkit._jit import block_types, call_choice, inline, jit, kernel
from simkit.contract import NULL
from simkit.games.sequence_stacks.kernel_cards import (
    HIDDEN,
    draw,
    draw_up_to,
    leave_hand,
    look_from,
    new_deck,
    pop_discard,
    put_discard,
    set_copies,
    take_in_hand,
)
from simkit.games.sequence_stacks.kernel_legal import (
    DISCARD_CODE,
    END_CODE,
    PLAY_BLOCK_CODE,
    VALUES,
    enough_chips,
    list_block,
    list_turn,
)
from simkit.games.sequence_stacks.rules import COLORS, NUMBERS, code
from simkit.games.sequence_stacks.state import (
    ACTION_TABLE,
    BLOCK,
    BLUE,
    CAPPED,
    FIRST_WILD,
    HAND,
    N_CARDS,
    NONE,
    PLAY,
    RED,
    REVERSE,
    RULES_RECORD,
    SKIP,
    STALEMATE,
    STEAL_CARD,
    STEAL_CHIP,
    VIEW,
    WON,
)
from simkit.rng import CHOICE, LOTS
from simkit.rng.jitted import below, copy_stream, open_stream

END_OF_TURN = code("hand_refill", "end_of_turn")
START_OF_TURN = code("hand_refill", "start_of_turn")
WHEN_EMPTY = code("hand_refill", "when_empty")
RANDOM_ORDER = code("block_priority", "random")
OUT_OF_GAME = code("blocked_pile_to", "out_of_game")
STEAL_WINS = code("steal_chip_win", "wins")

GOES_ON, BAD_ANSWER = -1, -2
"""Besides WON, STALEMATE and CAPPED: what a step of the game can return."""


@inline
def _ask(hidden, view):
    """The code of the action that the seat chooses; BAD_ANSWER if it names none."""
    index = call_choice(hidden.choices[view.seat], view, hidden.params[view.seat])
    if index < 0 or index >= view.n_actions:
        return BAD_ANSWER
    return np.int64(view.actions[index].code)


@jit
def _look_at_lead(hidden, view):
    """Note the lead and how far each seat is behind; called after every chip that moved."""
    most, holders, leader = 0, 0, NONE
    for seat in range(view.players):
        total = hidden.totals[seat]
        if total > most:
            most, holders, leader = total, 1, seat
        elif total == most:
            holders += 1
    for seat in range(view.players):
        hidden.deficits[seat] = max(hidden.deficits[seat], most - hidden.totals[seat])
    if holders == 1 and leader != hidden.leader:
        if hidden.leader != NONE:
            hidden.lead_changes += 1
        hidden.leader = leader


@jit
def _wins(view, seat):
    return enough_chips(view.rules, view.chips[seat, RED], view.chips[seat, BLUE])


@inline
def _find_needs(view, color):
    needs = 1 if view.piles[color] < view.rules.piles_per_color else 0
    for pile in range(view.piles[color]):
        needs |= 1 << view.heights[color, pile]
    view.needs[color] = needs & VALUES


@inline
def _lay(hidden, view, card, value, color):
    """Lay a card that has left its source; the place of the pile it went to."""
    pile = view.piles[color]
    if value == 1:
        view.piles[color] += 1
        view.wild_spots[color, pile] = 0
    else:
        pile = 0
        while view.heights[color, pile] != value - 1:
            pile += 1
    view.heights[color, pile] = value
    if card >= FIRST_WILD:
        view.wild_spots[color, pile] |= 1 << (value - 1)
    _find_needs(view, color)
    hidden.laid += 1
    view.plays += 1
    return pile


@jit
def _clear_pile(hidden, view, color, pile, out_of_game):
    """The five cards of a completed pile leave; younger piles move up."""
    if not out_of_game:
        for value in range(1, NUMBERS + 1):
            wild = view.wild_spots[color, pile] & (1 << (value - 1))
            hidden.removed[view.removed] = FIRST_WILD + color if wild else NUMBERS * color + value - 1
            view.removed += 1
    last = view.piles[color] - 1
    for i in range(pile, last):
        view.heights[color, i] = view.heights[color, i + 1]
        view.wild_spots[color, i] = view.wild_spots[color, i + 1]
    view.heights[color, last] = 0
    view.wild_spots[color, last] = 0
    view.piles[color] = last
    _find_needs(view, color)


@jit
def _is_blocked(hidden, view):
    """Ask the opponents who hold a Block: 1 if one plays it, 0 if not, or BAD_ANSWER."""
    active, players, direction = view.seat, view.players, view.direction
    holders = np.int64(0)  # seats in the order of asking, three bits each
    count = 0
    for step in range(1, players):
        seat = (active + step * direction) % players
        if hidden.holdings[seat] & (1 << BLOCK):
            holders |= seat << (3 * count)
            count += 1
    if view.rules.block_priority == RANDOM_ORDER:
        holders = _shuffled(holders, count, hidden.lots)
    answer = np.int64(0)
    for i in range(count):
        look_from(hidden, view, (holders >> (3 * i)) & 7)
        list_block(view)
        code = _ask(hidden, view)
        if code == BAD_ANSWER:
            return code
        if code == PLAY_BLOCK_CODE:
            leave_hand(view, BLOCK)
            hidden.blocks += 1
            answer = 1
            break
    look_from(hidden, view, active)
    return answer


@jit
def _shuffled(holders, count, lots):
    for i in range(count - 1):
        j = i + below(lots, count - i)
        at_i, at_j = (holders >> (3 * i)) & 7, (holders >> (3 * j)) & 7
        holders ^= ((at_i ^ at_j) << (3 * i)) | ((at_i ^ at_j) << (3 * j)) if i != j else 0
    return holders


@jit
def _complete(hidden, view, color, pile):
    """A pile has its fifth card: Blocks, the chip, the win."""
    hidden.sequences += 1
    blocked = _is_blocked(hidden, view)
    if blocked == BAD_ANSWER:
        return BAD_ANSWER
    chip = blocked == 0 and view.supply[color] > 0
    if chip:
        view.supply[color] -= 1
        view.chips[view.seat, color] += 1
        hidden.totals[view.seat] += 1
        _look_at_lead(hidden, view)
    _clear_pile(hidden, view, color, pile, blocked == 1 and view.rules.blocked_pile_to == OUT_OF_GAME)
    return WON if chip and _wins(view, view.seat) else GOES_ON


@jit
def _play_action_card(hidden, view, card, color, target):
    hidden.played_actions[card] += 1
    view.plays += 1
    me = view.seat
    if card == SKIP or (card == REVERSE and view.players == 2):
        view.skips += 1
    elif card == REVERSE:
        view.direction = -view.direction
    elif card == STEAL_CARD:
        stolen = pop_discard(view, target)
        view.visible[stolen] -= 1
        take_in_hand(view, stolen)
    else:
        view.chips[target, color] -= 1
        view.chips[me, color] += 1
        hidden.totals[target] -= 1
        hidden.totals[me] += 1
        _look_at_lead(hidden, view)
        if view.rules.steal_chip_win == STEAL_WINS and _wins(view, me):
            return WON
    return GOES_ON


@inline
def _play(hidden, view, code):
    """Play a number, a wild or an action card and resolve it wholly."""
    action = ACTION_TABLE[code]
    card, color = np.int64(action.card), np.int64(action.color)
    if action.source == HAND:
        leave_hand(view, card)
    else:
        pop_discard(view, view.seat)
    hidden.active_played = 1
    if action.kind == PLAY:
        value = np.int64(action.value)
        pile = _lay(hidden, view, card, value, color)
        ends = GOES_ON
        if value == NUMBERS:
            ends = _complete(hidden, view, color, pile)
    else:
        ends = _play_action_card(hidden, view, card, color, np.int64(action.target))
    if ends != GOES_ON:
        return ends
    if view.plays >= view.rules.max_plays:
        return CAPPED
    if view.hand_sizes[view.seat] == 0:
        draw_up_to(hidden, view, view.rules.hand_size)
    return GOES_ON


@inline
def _take_turn(hidden, view):
    """One turn of the active seat, from its draw to its discard and what follows."""
    rules = view.rules
    view.turn += 1
    hidden.seat_turns[view.seat] += 1
    hidden.active_played = 0
    refill = rules.hand_refill
    if refill == START_OF_TURN or (refill == WHEN_EMPTY and view.hand_sizes[view.seat] == 0):
        draw_up_to(hidden, view, rules.hand_size)
    code = np.int64(0)
    while code < DISCARD_CODE:
        list_turn(view)
        code = _ask(hidden, view)
        if code == BAD_ANSWER:
            return BAD_ANSWER
        if code < DISCARD_CODE:
            ends = _play(hidden, view, code)
            if ends != GOES_ON:
                return ends
    if code != END_CODE:
        card = code - DISCARD_CODE
        leave_hand(view, card)
        put_discard(view, view.seat, card)
        hidden.active_played = 1
    if refill == END_OF_TURN:
        draw_up_to(hidden, view, rules.hand_size)
    hidden.idle = 0 if hidden.active_played else hidden.idle | (1 << view.seat)
    if hidden.idle == (1 << view.players) - 1:
        return STALEMATE
    return CAPPED if view.turn >= rules.max_turns else GOES_ON


@inline
def _next_turn(hidden, view):
    """Deal out the Skips of the turn that is over and find the seat whose turn it is."""
    active, players, direction = view.active, view.players, view.direction
    step = 0
    for _ in range(view.skips):
        step = step % (players - 1) + 1
        view.turns_to_lose[(active + step * direction) % players] += 1
    view.skips = 0
    seat = (active + direction) % players
    while view.turns_to_lose[seat] > 0:
        view.turns_to_lose[seat] -= 1
        seat = (seat + direction) % players
    look_from(hidden, view, seat)
    view.active = seat


@jit
def _set_up(hidden, view, players):
    view.players = players
    view.direction = 1
    hidden.leader = NONE
    set_copies(view)
    new_deck(hidden, view)
    for color in range(COLORS):
        view.supply[color] = view.rules.chips_per_color
        _find_needs(view, color)
    for seat in range(players):
        view.discard_tops[seat] = NONE
        open_stream(hidden.streams[seat], hidden.seed, hidden.game, CHOICE, seat)
    open_stream(hidden.lots, hidden.seed, hidden.game, LOTS, 0)
    for _ in range(view.rules.hand_size):
        for seat in range(players):
            card = draw(hidden, view)
            hidden.hands[seat, card] += 1
            hidden.holdings[seat] |= 1 << card
            view.hand_sizes[seat] += 1
    for card in range(N_CARDS):
        view.hand[card] = hidden.hands[0, card]
    view.holding = hidden.holdings[0]
    copy_stream(view.stream, hidden.streams[0])


@jit
def play_one(hidden, view, players):
    """Play one game on wiped records that hold only seed, game and rules; how it ended, or BAD_ANSWER."""
    _set_up(hidden, view, players)
    status = GOES_ON
    while status == GOES_ON:
        status = _take_turn(hidden, view)
        if status == GOES_ON:
            _next_turn(hidden, view)
    return status


@jit
def _write_row(hidden, view, status, row):
    """The outcome columns in the order of state.COLUMNS."""
    won = status == WON
    row[0] = view.seat if won else NONE
    row[1] = status
    row[2] = view.turn
    row[3] = hidden.laid
    row[4] = hidden.sequences
    row[5] = hidden.blocks
    row[6] = hidden.played_actions[SKIP]
    row[7] = hidden.played_actions[REVERSE]
    row[8] = hidden.played_actions[STEAL_CARD]
    row[9] = hidden.played_actions[STEAL_CHIP]
    row[10] = view.reshuffles
    row[11] = hidden.lead_changes
    row[12] = hidden.deficits[view.seat] if won else NULL
    for seat in range(view.players):
        row[13 + seat] = view.chips[seat, RED]
        row[13 + view.players + seat] = view.chips[seat, BLUE]
        row[13 + 2 * view.players + seat] = hidden.seat_turns[seat]


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
