"""The kernel's lists of legal actions.

What can be laid is a mask: bit 5 * color + value - 1, for a value that a pile needs, is also the code of that card, so
that the legal plays of a hand are a few ands. Every list is made of such masks over the codes of `state.ACTIONS`.
"""

import numpy as np

from simkit._jit import copy_word, count_bits, inline, jit, lowest_bit
from simkit.games.sequence_stacks.rules import COLORS, MAX_PLAYERS, NUMBERS, code
from simkit.games.sequence_stacks.state import (
    ACTION,
    ACTION_TABLE,
    ACTIONS,
    BLOCK,
    BLOCK_DECISION,
    BLUE,
    DECLINE_BLOCK,
    DISCARD,
    END,
    FIRST_ACTION_CARD,
    FIRST_WILD,
    HAND,
    N_CARDS,
    NONE,
    PLAY,
    PLAY_BLOCK,
    RED,
    REVERSE,
    SKIP,
    STEAL_CARD,
    STEAL_CHIP,
    TURN_DECISION,
    Action,
)

STOP_FORBIDDEN = code("stop_early", "forbidden")
KEEP_ACTION_CARDS = code("discard_action_cards", "forbidden")
ACTIONS_FROM_HAND = code("play_action_from_discard", "forbidden")
ONE_SKIP = code("skip_stacking", "none")
REVERSE_SKIPS = code("two_player_reverse", "skips")
STEAL_ILLEGAL = code("steal_chip_win", "illegal")

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
    return not enough_chips(view.rules, red, blue)


@inline
def enough_chips(rules, red, blue):
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
    if view.rules.discard_action_cards == KEEP_ACTION_CARDS and hand & ~ACTION_CARDS:
        hand &= ~ACTION_CARDS
    return hand << SKIP_CODE


@inline
def list_turn(view):
    """Fill in the legal actions of the active seat's turn decision."""
    view.decision = TURN_DECISION
    hand = view.holding
    top_card = view.discard_tops[view.seat]
    top = (1 << top_card) if top_card != NONE else 0
    needs = view.needs[RED] | (view.needs[BLUE] << NUMBERS)
    plays = _plays(hand, needs) | (_plays(top, needs) << SECOND_SOURCE)
    view.n_plays = count_bits(plays)
    ends = 0
    if plays == 0 or view.rules.stop_early != STOP_FORBIDDEN:
        ends = _ends(view, hand)
    action_cards = 0
    if view.rules.play_action_from_discard == ACTIONS_FROM_HAND:
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
def list_block(view):
    view.decision = BLOCK_DECISION
    view.n_plays = view.n_action_cards = 0
    view.actions[0] = ACTION_TABLE[DECLINE_CODE]
    view.actions[1] = ACTION_TABLE[PLAY_BLOCK_CODE]
    _end_list(view, 2)
