"""What the thinking players of Sequence Stacks look at: a colour's piles and cards packed in words, chips, odds.

A word of a colour holds small counts in nibbles (four bits each), so that what a hand can do with the piles is a few
shifts and ands.
"""

import numpy as np

from simkit._jit import count_bits, inline, jit
from simkit.games.sequence_stacks.rules import COLORS, NUMBERS
from simkit.games.sequence_stacks.state import (
    BLOCK,
    BLUE,
    FIRST_ACTION_CARD,
    FIRST_WILD,
    NONE,
    RED,
    REVERSE,
    SKIP,
    STEAL_CARD,
    STEAL_CHIP,
)
from simkit.rng.jitted import below

EACH = 0x11111
"""1 in the nibble of each number."""
WILDS = 4 * NUMBERS
"""The shift of the wilds' nibble."""
ENDLESS = 6
"""After so many reshuffles, sequences whose chip is of no use are left alone: a turn could go on with them for ever."""


# ---------------------------------------------------------------- piles and cards


@inline
def nonzero(word):
    """1 in each of the six nibbles of `word` that is not 0."""
    word |= word >> 2
    word |= word >> 1
    return word & 0x111111


@jit
def piles_of(view, color):
    """The piles of a colour: nibble h counts those of height h, nibble 0 those that may yet be started."""
    piles = view.rules.piles_per_color - view.piles[color]
    for i in range(view.piles[color]):
        piles += 1 << (4 * view.heights[color, i])
    return piles


@jit
def cards_of(view, color):
    """The hand's cards of a colour: nibble v - 1 counts the numbers v, nibble 5 the wilds."""
    cards = np.int64(view.hand[FIRST_WILD + color]) << WILDS
    for place in range(NUMBERS):
        cards |= np.int64(view.hand[NUMBERS * color + place]) << (4 * place)
    return cards


@inline
def spot_of(card, color):
    """The shift of the nibble in which `cards_of` counts a card of this colour."""
    return WILDS if card >= FIRST_WILD else 4 * (card - NUMBERS * color)


@inline
def color_of(card):
    """The colour of a number or wild."""
    return card // NUMBERS if card < FIRST_WILD else card - FIRST_WILD


@inline
def of_color(card, color):
    """Whether a card is a number or wild of this colour; not so of NONE."""
    return (card >= NUMBERS * color and card < NUMBERS * (color + 1)) or card == FIRST_WILD + color


@jit
def cards_at_hand(view, color):
    """`cards_of` a colour, and the top of the own discard pile with them."""
    cards, top = cards_of(view, color), view.discard_tops[view.seat]
    return cards + (1 << spot_of(top, color)) if of_color(top, color) else cards


@inline
def lay(piles, value):
    """The piles after a card of this value was laid; a completed pile makes room for a new one."""
    piles -= 1 << (4 * (value - 1))
    return piles + (1 if value == NUMBERS else 1 << (4 * value))


@inline
def lacking(cards, height):
    """How many of the numbers from `height` + 1 to 5 these cards do not hold."""
    return count_bits((EACH & ~nonzero(cards)) >> (4 * height))


@jit
def can_lay(view, card):
    """Whether a number could be laid now."""
    return (view.needs[color_of(card)] >> (card % NUMBERS)) & 1


# ---------------------------------------------------------------- chips


@inline
def chips_short(rules, red, blue):
    """The least number of chips that are missing to a win; 0 if none is."""
    each = rules.win_each_color
    return max(rules.win_chips - red - blue, max(each - red, 0) + max(each - blue, 0))


@inline
def short_of(view, seat):
    """Chips that a seat misses to a win."""
    return chips_short(view.rules, view.chips[seat, RED], view.chips[seat, BLUE])


@jit
def short_with(view, seat, color, change):
    """Chips that a seat would miss with `change` more chips of a colour."""
    red = view.chips[seat, RED] + (change if color == RED else 0)
    blue = view.chips[seat, BLUE] + (change if color == BLUE else 0)
    return chips_short(view.rules, red, blue)


@jit
def helps(view, seat, color):
    """Whether a completed sequence of this colour brings the seat nearer to a win, or would win."""
    short = short_with(view, seat, color, 1)
    return view.supply[color] > 0 and (short < short_of(view, seat) or short == 0)


@jit
def completed_color(view):
    """The colour of the sequence that a Block is asked for."""
    for i in range(view.piles[RED]):
        if view.heights[RED, i] == NUMBERS:
            return RED
    return BLUE


@jit
def best_theft(view):
    """The theft of a chip that helps the player and hurts the victim most; NONE if none does either."""
    most, best = 0, NONE
    for i in range(view.n_plays, view.n_plays + view.n_action_cards):
        action = view.actions[i]
        if action.card == STEAL_CHIP:
            own, theirs = short_of(view, view.seat), short_of(view, action.target)
            gain = own - short_with(view, view.seat, action.color, 1)
            loss = short_with(view, action.target, action.color, -1) - theirs
            # Among equal ones, the victim that is nearest to a win.
            score = 100 * (gain + loss) - theirs
            if score > most:
                most, best = score, i
    return best


# ---------------------------------------------------------------- choices that several players share


@jit
def find_play(view, color, value):
    """The play of this value: a number rather than a wild, from the hand rather than the discard; NONE if none."""
    found = NONE
    for i in range(view.n_plays):
        action = view.actions[i]
        if action.color == color and action.value == value:
            if action.card < FIRST_WILD:
                return i
            if found == NONE:
                found = i
    return found


@jit
def completion(view, red, blue):
    """The next play for the sequence that can be completed at once with the fewest wilds; NONE if there is none.

    `red` and `blue` are the cards at hand. Only sequences whose chip is of use count.
    """
    best, least = NONE, NUMBERS + 1
    for color in range(COLORS):
        cards = red if color == RED else blue
        wilds = cards >> WILDS
        if (wilds == 0 and (cards >> (WILDS - 4)) == 0) or not helps(view, view.seat, color):
            continue
        piles = piles_of(view, color)
        for height in range(NUMBERS - 1, -1, -1):
            lack = lacking(cards, height)
            if (piles >> (4 * height)) & 15 and lack <= wilds and lack < least:
                play = find_play(view, color, height + 1)
                if play != NONE:
                    best, least = play, lack
    return best


@jit
def any_action_card(view):
    """One of the action cards, each play equally likely."""
    return view.n_plays + below(view.stream, view.n_action_cards)


@jit
def any_end(view):
    """One of the discards (or the end), each equally likely; any action where the turn may not end."""
    first = view.n_plays + view.n_action_cards
    return first + below(view.stream, view.n_actions - first) if first < view.n_actions else below(view.stream, first)


@jit
def any_but(view, kept):
    """One of the discards, each equally likely, of those whose card is not in the mask `kept` if there are any."""
    found, count = NONE, 0
    for i in range(view.n_plays + view.n_action_cards, view.n_actions):
        card = view.actions[i].card
        if card != NONE and not (kept >> card) & 1:
            count += 1
            if below(view.stream, count) == 0:
                found = i
    return found if found != NONE else any_end(view)


@jit
def unless_played(view, play):
    """`play` if there is one, else any action card, else any discard."""
    if play != NONE:
        return play
    return any_action_card(view) if view.n_action_cards > 0 else any_end(view)


@jit
def as_eager(view):
    """What `eager` does in a turn."""
    return unless_played(view, below(view.stream, view.n_plays) if view.n_plays > 0 else NONE)


@jit
def helpful_action(view):
    """Skip or Reverse, else the best number or wild to steal from a discard pile, else NONE."""
    most, best = -1, NONE
    for i in range(view.n_plays, view.n_plays + view.n_action_cards):
        action = view.actions[i]
        if action.card == SKIP or action.card == REVERSE:
            return i
        card = view.discard_tops[action.target] if action.card == STEAL_CARD else NONE
        if card != NONE and card < FIRST_ACTION_CARD:
            # A wild before what can be laid now, that before others, and then the higher number.
            score = 20 if card >= FIRST_WILD else 10 * can_lay(view, card) + card % NUMBERS
            if score > most:
                most, best = score, i
    return best


@jit
def soon(view, card, gap, wild, action):
    """How likely a card on top of the own discard pile can be played in the next turn: 1 if it could be now.

    Each number that a pile lacks below it counts `gap`; wilds and action cards have a chance of their own.
    """
    if card >= FIRST_ACTION_CARD:
        return action if card != BLOCK else 0.0
    if card >= FIRST_WILD:
        return wild
    piles = piles_of(view, color_of(card))
    chance = 1.0
    for height in range(card % NUMBERS, -1, -1):
        if (piles >> (4 * height)) & 15:
            return chance
        chance *= gap
    return 0.0
