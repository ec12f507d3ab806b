"""The fast engine of Sequence Stacks: `play_block` plays many games into rows of outcome columns.

The view is the table as all see it: what is public lives there and nowhere else, what is private to the seat that
decides (hand, stream) is moved in and out of it. Hidden cards, and counters, live in HIDDEN.

Cards are shuffled only as far as they are drawn (`rng.jitted.draw_next`). What can be laid is a mask: bit 5 * color +
value - 1 for a value that a pile needs is also the code of that card, so the legal plays of a hand are a few ands.
"""

import numpy as np

from simkit._jit import block_types, call_choice, copy_word, count_bits, inline, jit, kernel, lowest_bit
from simkit.contract import NULL
from simkit.games.sequence_stacks.rules import (
    ACTION_KINDS,
    COLORS,
    MAX_COPIES,
    MAX_PLAYERS,
    NUMBERS,
    code,
)
from simkit.games.sequence_stacks.state import (
    ACTION,
    ACTION_TABLE,
    ACTIONS,
    BLOCK,
    BLOCK_DECISION,
    BLUE,
    CAPPED,
    DECLINE_BLOCK,
    DISCARD,
    END,
    FIRST_ACTION_CARD,
    FIRST_WILD,
    FULL_DECK,
    HAND,
    N_CARDS,
    NONE,
    PLAY,
    PLAY_BLOCK,
    RED,
    REVERSE,
    RULES_RECORD,
    SKIP,
    STALEMATE,
    STEAL_CARD,
    STEAL_CHIP,
    TURN_DECISION,
    VIEW,
    WON,
    Action,
)
from simkit.rng import CHOICE, DEAL, LOTS, RESHUFFLE, STREAM
from simkit.rng.jitted import below, draw_next, open_stream

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

END_OF_TURN = code("hand_refill", "end_of_turn")
START_OF_TURN = code("hand_refill", "start_of_turn")
WHEN_EMPTY = code("hand_refill", "when_empty")
FORBIDDEN = 1
assert code("stop_early", "forbidden") == FORBIDDEN
assert code("discard_action_cards", "forbidden") == FORBIDDEN
assert code("play_action_from_discard", "forbidden") == FORBIDDEN
ONE_SKIP = code("skip_stacking", "none")
RANDOM_ORDER = code("block_priority", "random")
OUT_OF_GAME = code("blocked_pile_to", "out_of_game")
STEAL_ILLEGAL, STEAL_WINS = code("steal_chip_win", "illegal"), code("steal_chip_win", "wins")
REVERSE_SKIPS = code("two_player_reverse", "skips")

# Codes of the first action of each group, see state.ACTIONS.
SECOND_SOURCE = ACTIONS.index(Action(PLAY, 0, 1, 1, 0))
SKIP_CODE = ACTIONS.index(Action(ACTION, SKIP, HAND))
REVERSE_CODE = ACTIONS.index(Action(ACTION, REVERSE, HAND))
STEAL_CARD_CODE = ACTIONS.index(Action(ACTION, STEAL_CARD, HAND, target=0))
STEAL_CHIP_CODE = ACTIONS.index(Action(ACTION, STEAL_CHIP, HAND, color=RED, target=0))
DISCARD_CODE = ACTIONS.index(Action(DISCARD, 0, HAND))
END_CODE = ACTIONS.index(Action(END))
DECLINE_CODE = ACTIONS.index(Action(DECLINE_BLOCK))
PLAY_BLOCK_CODE = ACTIONS.index(Action(PLAY_BLOCK, BLOCK, HAND))


# Most decisions offer no action card: one loop over one table then lists all.
PLAYS_AND_ENDS = np.concatenate([ACTION_TABLE[:SKIP_CODE], ACTION_TABLE[DISCARD_CODE : END_CODE + 1]])
ACTION_CARD_TABLE = ACTION_TABLE[SKIP_CODE:DISCARD_CODE].copy()
NO_ACTION = np.zeros(1, ACTION_TABLE.dtype)
VALUES = (1 << NUMBERS) - 1
ACTION_CARDS = ((1 << N_CARDS) - 1) & ~((1 << FIRST_ACTION_CARD) - 1)
PLAYABLE_ACTIONS = ACTION_CARDS & ~(1 << BLOCK)

GOES_ON, BAD_ANSWER = -1, -2
"""Besides WON, STALEMATE and CAPPED: what a step of the game can return."""


# ---------------------------------------------------------------- cards


@jit
def _set_copies(view):
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
def _new_deck(hidden, view):
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
def _draw(hidden, view):
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
def _take_in_hand(view, card):
    view.hand[card] += 1
    view.holding |= 1 << card
    view.hand_sizes[view.seat] += 1


@inline
def _leave_hand(view, card):
    view.hand[card] -= 1
    if view.hand[card] == 0:
        view.holding &= ~(1 << card)
    view.hand_sizes[view.seat] -= 1
    view.visible[card] += 1


@jit
def _draw_up_to(hidden, view, size):
    while view.hand_sizes[view.seat] < size:
        card = _draw(hidden, view)
        if card == NONE:
            return
        _take_in_hand(view, card)


@inline
def _pop_discard(view, seat):
    size = view.discard_sizes[seat] - 1
    card = view.discards[seat, size]
    view.discards[seat, size] = 0
    view.discard_sizes[seat] = size
    view.discard_tops[seat] = view.discards[seat, size - 1] if size > 0 else NONE
    return card


@jit
def _put_discard(view, seat, card):
    size = view.discard_sizes[seat]
    view.discards[seat, size] = card
    view.discard_sizes[seat] = size + 1
    view.discard_tops[seat] = card


@inline
def _copy_stream(to, source):
    for i in range(2):
        to.key[i] = source.key[i]
        to.upper[i] = source.upper[i]
    to.block = source.block
    to.used = source.used
    for i in range(8):
        to.words[i] = source.words[i]


@jit
def _look_from(hidden, view, seat):
    """Make it `seat` that decides: what is private moves out of the view, and what is private to `seat` into it."""
    before = view.seat
    if seat == before:
        return
    for card in range(N_CARDS):
        hidden.hands[before, card] = view.hand[card]
        view.hand[card] = hidden.hands[seat, card]
    hidden.holdings[before] = view.holding
    view.holding = hidden.holdings[seat]
    _copy_stream(hidden.streams[before], view.stream)
    _copy_stream(view.stream, hidden.streams[seat])
    view.seat = seat


# ---------------------------------------------------------------- legal actions


@inline
def _end_list(view, n):
    """Set the number of legal actions, and wipe what an earlier decision, perhaps another seat's, listed beyond."""
    for i in range(n, view.n_actions):
        copy_word(view.actions[i], NO_ACTION[0])
    view.n_actions = n


@inline
def _plays(cards, needs):
    """Mask over the codes of plays from one source that holds the card types `cards`."""
    wild_red = -((cards >> FIRST_WILD) & 1) & needs & VALUES
    wild_blue = -((cards >> (FIRST_WILD + 1)) & 1) & needs & ~VALUES
    return (cards & needs) | ((wild_red | wild_blue) << FIRST_WILD)


@inline
def _add_all(view, n, codes, table):
    """Add the actions of `table` that are set in the mask `codes`; how many there are then."""
    while codes:
        copy_word(view.actions[n], table[lowest_bit(codes)])
        n += 1
        codes &= codes - 1
    return n


@jit
def _steals_of_cards(view):
    """Mask over the opponents who have a discard."""
    seats = 0
    for seat in range(view.players):
        if seat != view.seat and view.discard_sizes[seat] > 0:
            seats |= 1 << seat
    return seats


@jit
def _steals_of_chips(view):
    """Mask over (seat, colour) of the chips that the deciding seat may take."""
    may_red, may_blue = _may_steal(view, RED), _may_steal(view, BLUE)
    chips = 0
    for seat in range(view.players):
        if seat != view.seat:
            red, blue = view.chips[seat, RED] > 0 and may_red, view.chips[seat, BLUE] > 0 and may_blue
            chips |= (red | (blue << 1)) << (COLORS * seat)
    return chips


@inline
def _may_steal(view, color):
    if view.rules.steal_chip_win != STEAL_ILLEGAL:
        return True
    red = view.chips[view.seat, RED] + (color == RED)
    blue = view.chips[view.seat, BLUE] + (color == BLUE)
    return not _enough_chips(view.rules, red, blue)


@inline
def _enough_chips(rules, red, blue):
    return red + blue >= rules.win_chips and red >= rules.win_each_color and blue >= rules.win_each_color


@inline
def _from_both(hand, top, card, codes, width):
    """`codes` once for each source that holds the card, the hand's first."""
    return (-((hand >> card) & 1) & codes) | ((-((top >> card) & 1) & codes) << width)


@jit
def _action_cards(view, hand, top):
    """Mask over the codes, from SKIP_CODE on, of the action cards that the hand and the own discard pile offer."""
    both, rules = hand | top, view.rules
    may_skip = view.skips == 0 or rules.skip_stacking != ONE_SKIP
    codes = 0
    if may_skip:
        codes |= _from_both(hand, top, SKIP, 1, 1)
    if view.players > 2 or (rules.two_player_reverse == REVERSE_SKIPS and may_skip):
        codes |= _from_both(hand, top, REVERSE, 1, 1) << (REVERSE_CODE - SKIP_CODE)
    if both & (1 << STEAL_CARD):
        steals = _from_both(hand, top, STEAL_CARD, _steals_of_cards(view), MAX_PLAYERS)
        codes |= steals << (STEAL_CARD_CODE - SKIP_CODE)
    if both & (1 << STEAL_CHIP):
        steals = _from_both(hand, top, STEAL_CHIP, _steals_of_chips(view), MAX_PLAYERS * COLORS)
        codes |= steals << (STEAL_CHIP_CODE - SKIP_CODE)
    return codes


@inline
def _ends(view, hand):
    """Mask over the codes that end a turn, in PLAYS_AND_ENDS."""
    if hand == 0:
        return 1 << (SKIP_CODE + END_CODE - DISCARD_CODE)
    if view.rules.discard_action_cards == FORBIDDEN and hand & ~ACTION_CARDS:
        hand &= ~ACTION_CARDS
    return hand << SKIP_CODE


@jit
def _list_turn(view):
    """Fill in the legal actions of the active seat's turn decision."""
    view.decision = TURN_DECISION
    hand = view.holding
    top_card = view.discard_tops[view.seat]
    top = (1 << top_card) if top_card != NONE else 0
    needs = view.needs[RED] | (view.needs[BLUE] << NUMBERS)
    plays = _plays(hand, needs) | (_plays(top, needs) << SECOND_SOURCE)
    view.n_plays = count_bits(plays)
    ends = 0
    if plays == 0 or view.rules.stop_early != FORBIDDEN:
        ends = _ends(view, hand)
    action_cards = 0
    if view.rules.play_action_from_discard == FORBIDDEN:
        top = 0
    if (hand | top) & PLAYABLE_ACTIONS:
        action_cards = _action_cards(view, hand, top)
    view.n_action_cards = count_bits(action_cards)
    if action_cards:
        n = _add_all(view, 0, plays, PLAYS_AND_ENDS)
        n = _add_all(view, n, action_cards, ACTION_CARD_TABLE)
        n = _add_all(view, n, ends, PLAYS_AND_ENDS)
    else:
        n = _add_all(view, 0, plays | ends, PLAYS_AND_ENDS)
    _end_list(view, n)


@jit
def _list_block(view):
    view.decision = BLOCK_DECISION
    view.n_plays = view.n_action_cards = 0
    view.actions[0] = ACTION_TABLE[DECLINE_CODE]
    view.actions[1] = ACTION_TABLE[PLAY_BLOCK_CODE]
    _end_list(view, 2)


@inline
def _ask(hidden, view):
    """The code of the action that the seat chooses; BAD_ANSWER if it names none."""
    index = call_choice(hidden.choices[view.seat], view, hidden.params[view.seat])
    if index < 0 or index >= view.n_actions:
        return BAD_ANSWER
    return np.int64(view.actions[index].code)


# ---------------------------------------------------------------- chips


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
    return _enough_chips(view.rules, view.chips[seat, RED], view.chips[seat, BLUE])


# ---------------------------------------------------------------- plays


@inline
def _find_needs(view, color):
    needs = 1 if view.piles[color] < view.rules.piles_per_color else 0
    for pile in range(view.piles[color]):
        needs |= 1 << view.heights[color, pile]
    view.needs[color] = needs & VALUES


@jit
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
        _look_from(hidden, view, (holders >> (3 * i)) & 7)
        _list_block(view)
        code = _ask(hidden, view)
        if code == BAD_ANSWER:
            return code
        if code == PLAY_BLOCK_CODE:
            _leave_hand(view, BLOCK)
            hidden.blocks += 1
            answer = 1
            break
    _look_from(hidden, view, active)
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
        stolen = _pop_discard(view, target)
        view.visible[stolen] -= 1
        _take_in_hand(view, stolen)
    else:
        view.chips[target, color] -= 1
        view.chips[me, color] += 1
        hidden.totals[target] -= 1
        hidden.totals[me] += 1
        _look_at_lead(hidden, view)
        if view.rules.steal_chip_win == STEAL_WINS and _wins(view, me):
            return WON
    return GOES_ON


@jit
def _play(hidden, view, code):
    """Play a number, a wild or an action card and resolve it wholly."""
    action = ACTION_TABLE[code]
    card, color = np.int64(action.card), np.int64(action.color)
    if action.source == HAND:
        _leave_hand(view, card)
    else:
        _pop_discard(view, view.seat)
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
        _draw_up_to(hidden, view, view.rules.hand_size)
    return GOES_ON


# ---------------------------------------------------------------- turns


@jit
def _take_turn(hidden, view):
    """One turn of the active seat, from its draw to its discard and what follows."""
    rules = view.rules
    view.turn += 1
    hidden.seat_turns[view.seat] += 1
    hidden.active_played = 0
    refill = rules.hand_refill
    if refill == START_OF_TURN or (refill == WHEN_EMPTY and view.hand_sizes[view.seat] == 0):
        _draw_up_to(hidden, view, rules.hand_size)
    code = np.int64(0)
    while code < DISCARD_CODE:
        _list_turn(view)
        code = _ask(hidden, view)
        if code == BAD_ANSWER:
            return BAD_ANSWER
        if code < DISCARD_CODE:
            ends = _play(hidden, view, code)
            if ends != GOES_ON:
                return ends
    if code != END_CODE:
        card = code - DISCARD_CODE
        _leave_hand(view, card)
        _put_discard(view, view.seat, card)
        hidden.active_played = 1
    if refill == END_OF_TURN:
        _draw_up_to(hidden, view, rules.hand_size)
    hidden.idle = 0 if hidden.active_played else hidden.idle | (1 << view.seat)
    if hidden.idle == (1 << view.players) - 1:
        return STALEMATE
    return CAPPED if view.turn >= rules.max_turns else GOES_ON


@jit
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
    _look_from(hidden, view, seat)
    view.active = seat


@jit
def _set_up(hidden, view, players):
    view.players = players
    view.direction = 1
    hidden.leader = NONE
    _set_copies(view)
    _new_deck(hidden, view)
    for color in range(COLORS):
        view.supply[color] = view.rules.chips_per_color
        _find_needs(view, color)
    for seat in range(players):
        view.discard_tops[seat] = NONE
        open_stream(hidden.streams[seat], hidden.seed, hidden.game, CHOICE, seat)
    open_stream(hidden.lots, hidden.seed, hidden.game, LOTS, 0)
    for _ in range(view.rules.hand_size):
        for seat in range(players):
            card = _draw(hidden, view)
            hidden.hands[seat, card] += 1
            hidden.holdings[seat] |= 1 << card
            view.hand_sizes[seat] += 1
    for card in range(N_CARDS):
        view.hand[card] = hidden.hands[0, card]
    view.holding = hidden.holdings[0]
    _copy_stream(view.stream, hidden.streams[0])


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
