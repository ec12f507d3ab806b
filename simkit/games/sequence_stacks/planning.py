"""Planning a turn: the best line of plays in each colour, by search, and what it leaves to the next players.

A line is worth its chips, less the worth of the cards that it spends, plus the prospect of the piles that it leaves:
hope to complete them in the next turn, less the risk that an opponent does. All of it is counted in chips.
"""

from typing import NamedTuple

import numpy as np

from simkit._jit import count_bits, inline, jit, lowest_bit
from simkit.games.sequence_stacks.features import (
    EACH,
    ENDLESS,
    WILDS,
    cards_of,
    chips_short,
    color_of,
    helps,
    lay,
    nonzero,
    piles_of,
    short_of,
    short_with,
    spot_of,
)
from simkit.games.sequence_stacks.rules import NUMBERS, code
from simkit.games.sequence_stacks.state import (
    BLOCK,
    BLUE,
    FIRST_ACTION_CARD,
    FIRST_WILD,
    HAND,
    NONE,
    RED,
    REVERSE,
    SKIP,
    STEAL_CARD,
    STEAL_CHIP,
)

START_OF_TURN, END_OF_TURN = code("hand_refill", "start_of_turn"), code("hand_refill", "end_of_turn")
REVERSE_SKIPS = code("two_player_reverse", "skips")
TOP_SPOT = 4 * (NUMBERS - 1)
IMPOSSIBLE = -1e9
WIN = 6.0
"""Worth of the chip that wins; a chip far from a win is worth 1."""


class Side(NamedTuple):
    """One colour as a turn begins to be planned. Risks are those of a pile of height 1, 2, 3, 4."""

    color: int
    piles: int  # as in features.piles_of
    cards: int  # as in features.cards_of
    chip: float  # worth of a chip
    risk1: float
    risk2: float
    risk3: float
    risk4: float
    hope: float  # worth of a pile for which the hand holds all that it lacks
    number: float  # worth of a number in the hand
    luck: float  # factor on `hope` for each card that the hand lacks


@inline
def _power(base, exponent):
    """`base` to a whole power, by squaring."""
    value = 1.0
    while exponent:
        if exponent & 1:
            value *= base
        base *= base
        exponent >>= 1
    return value


@inline
def worth(rules, red, blue, color, near, win, useless):
    """What one more chip of this colour is worth to a seat that has so many."""
    short = chips_short(rules, red + (color == RED), blue + (color == BLUE))
    if short == 0:
        return win
    return 1.0 + near / short if short < chips_short(rules, red, blue) else useless


@inline
def _odds(view, card, wilds, each, draws):
    """Chance that at least one of `draws` unseen cards is this number or one of `wilds`."""
    good = wilds + view.deck[card] - view.visible[card] - view.hand[card]
    return 1.0 - _power(1.0 - good * each, draws)


@inline
def _any(chance, times):
    """Chance that what has this chance happens at least once in so many times."""
    return 1.0 - _power(1.0 - chance, times)


@jit
def _side(view, params, color, each, draws, danger, hope, number):
    """What there is to know of a colour; `each` is the chance of one unseen card to be the next."""
    rules, me = view.rules, view.seat
    chip = loss = 0.0
    for seat in range(view.players):
        red, blue = view.chips[seat, RED], view.chips[seat, BLUE]
        if seat == me:
            chip = worth(rules, red, blue, color, params.near, WIN, params.useless)
        else:
            loss += worth(rules, red, blue, color, params.threat, params.loss, params.useless)
    if view.supply[color] == 0:
        chip = loss = 0.0
    first, wild = NUMBERS * color, FIRST_WILD + color
    wilds = view.deck[wild] - view.visible[wild] - view.hand[wild]
    top = view.discard_tops[(me + view.direction) % view.players]
    has4 = _odds(view, first + 3, wilds, each, draws)
    has5 = 1.0 if top == first + 4 or top == wild else _odds(view, first + 4, wilds, each, draws)
    step = has4 * params.together
    risk3 = has5 * (params.together if top == first + 3 else step)
    risk2 = risk3 * step
    loss *= danger
    opponents = view.players - 1
    return Side(
        color,
        piles_of(view, color),
        cards_of(view, color),
        chip,
        loss * _any(risk2 * step, opponents),
        loss * _any(risk2, opponents),
        loss * _any(risk3, opponents),
        loss * _any(has5, opponents),
        hope * min(chip, 1.0 + params.near),
        number,
        params.luck,
    )


@jit
def sides(view, params):
    """Both colours, see Side."""
    opponents = view.players - 1
    after = (view.seat + view.direction) % view.players
    unseen = view.draw_pile - view.hand_sizes[view.seat]
    for seat in range(view.players):
        unseen += view.hand_sizes[seat]
    refill = view.rules.hand_refill
    draws = view.rules.hand_size if refill == START_OF_TURN else max(view.hand_sizes[after], 1)
    idle = view.skips + view.turns_to_lose[after]
    if opponents == 1:
        idle += view.hand[SKIP] + (view.hand[REVERSE] if view.rules.two_player_reverse == REVERSE_SKIPS else 0)
    danger = params.danger / (opponents * (1.0 + params.crowd * (opponents - 1)))
    if idle > 0:
        danger *= params.idle
    hope = params.hope * _power(params.alone, opponents - 1)
    # Where nothing is left to draw, cards held back would end the game without a winner.
    if view.draw_pile + view.removed == 0:
        danger = 0.0
    # A card that is played is worth a new one only where the hand is filled up every turn.
    number = params.number if refill in (START_OF_TURN, END_OF_TURN) else 0.0
    each = 1.0 / max(unseen, 1)
    return (
        _side(view, params, RED, each, draws, danger, hope, number),
        _side(view, params, BLUE, each, draws, danger, hope, number),
    )


@inline
def prospect(side, piles, cards):
    """What the piles are worth when the turn ends with these cards in the hand."""
    value = 0.0
    wilds = cards >> WILDS
    lacks = EACH & ~nonzero(cards)
    standing = piles >> 4 << 4
    while standing:
        spot = lowest_bit(standing) & ~3
        count = (standing >> spot) & 15
        standing &= ~(15 << spot)
        lack = count_bits(lacks >> spot) - wilds
        mine = side.hope
        mine *= side.luck if lack > 0 else 1.0
        mine *= side.luck if lack > 1 else 1.0
        mine *= side.luck if lack > 2 else 1.0
        mine *= side.luck if lack > 3 else 1.0
        low = side.risk1 if spot == 4 else side.risk2
        high = side.risk3 if spot == 12 else side.risk4
        value += count * (mine - (low if spot < 12 else high))
    return value


LINE = np.dtype(
    [
        ("piles", "i8"),
        ("cards", "i8"),
        ("depth", "i8"),  # own discards left
        ("last", "i8"),  # where the last card was laid
        ("start", "i8"),  # where the first card of its run was laid
        ("value", "f8"),  # gained so far
    ]
)
"""A line of plays of one colour that may go on. A run is what is laid on one pile; places are shifts as in `cards_of`.

So that no set of plays is looked at in two orders, the next card from the hand goes on with the run or starts one on a
pile no higher than the last run did.
"""

MOST_LINES = 256
"""Lines that may wait at a time; what goes beyond is not looked at."""


@inline
def _push(lines, waiting, piles, cards, depth, last, start, value):
    """Add a line to those that wait; how many wait then."""
    if waiting == MOST_LINES:
        return waiting
    line = lines[waiting]
    line.piles, line.cards, line.depth = piles, cards, depth
    line.last, line.start, line.value = last, start, value
    return waiting + 1


@jit
def _push_next(view, params, side, lines, waiting, line):
    """Add the lines that are one card longer; how many wait then. `line` is a copy: its place may be taken."""
    piles, cards, depth, last, start, value = line
    needs = nonzero(piles) & EACH
    if depth > 0:
        spot = 4 * (view.discards[view.seat, depth - 1] - NUMBERS * side.color)
        if spot >= 0 and spot <= TOP_SPOT and (needs >> spot) & 1:
            gain = side.chip if spot == TOP_SPOT else 0.0
            after = lay(piles, (spot >> 2) + 1)
            waiting = _push(lines, waiting, after, cards, depth - 1, WILDS, WILDS, value + gain)
    if cards >> WILDS == 0:
        needs &= nonzero(cards)
    while needs:
        spot = lowest_bit(needs)
        needs &= needs - 1
        if spot > start and spot != last + 4:
            continue
        is_number = (cards >> spot) & 15 > 0
        gain = side.chip if spot == TOP_SPOT else 0.0
        gain -= side.number + params.high * (spot >> 2) if is_number else params.wild
        left = cards - (1 << (spot if is_number else WILDS))
        after, run = lay(piles, (spot >> 2) + 1), start if spot == last + 4 else spot
        waiting = _push(lines, waiting, after, left, depth, spot, run, value + gain)
    return waiting


@jit
def _explore(view, params, side, lines, waiting):
    """Values of the best of the waiting lines and all that go on from them, and of the best that plays all cards."""
    best = emptied = IMPOSSIBLE
    while waiting > 0:
        waiting -= 1
        top = lines[waiting]
        piles, cards, value = top.piles, top.cards, top.value
        best = max(best, value + prospect(side, piles, cards))
        if cards == 0:
            emptied = max(emptied, value)
        line = piles, cards, top.depth, top.last, top.start, value
        waiting = _push_next(view, params, side, lines, waiting, line)
    return best, emptied


class Found(NamedTuple):
    """What a search found: values, and the plays that they begin with (NONE: end the turn)."""

    stop: float  # without any play
    best: float
    play: int
    emptied: float  # of the best line that plays all cards of the colour
    emptied_play: int
    forced: float  # of the best line with a play
    forced_play: int


@jit
def search(view, params, side, lines):
    """Look through the lines of plays of one colour; `lines` is room for them."""
    depth, cards = view.discard_sizes[view.seat], side.cards
    stop = prospect(side, side.piles, cards)
    emptied, emptied_play = 0.0 if cards == 0 else IMPOSSIBLE, NONE
    forced, forced_play = IMPOSSIBLE, NONE
    for i in range(view.n_plays):
        action = view.actions[i]
        if action.color != side.color:
            continue
        spot = 4 * (action.value - 1)
        is_number = action.card < FIRST_WILD
        gain = side.chip if spot == TOP_SPOT else 0.0
        if action.source == HAND:
            if not is_number and (cards >> spot) & 15:
                continue  # the number does the same
            left, deep, start = cards - (1 << (spot if is_number else WILDS)), depth, spot
            gain -= side.number + params.high * (spot >> 2) if is_number else params.wild
        else:
            left, deep, start = cards, depth - 1, WILDS
        waiting = _push(lines, 0, lay(side.piles, action.value), left, deep, start, start, gain)
        found, found_emptied = _explore(view, params, side, lines, waiting)
        if found > forced:
            forced, forced_play = found, i
        if found_emptied > emptied:
            emptied, emptied_play = found_emptied, i
    if view.reshuffles > ENDLESS and not helps(view, view.seat, side.color):
        return Found(stop, stop, NONE, 0.0 if cards == 0 else IMPOSSIBLE, NONE, forced, forced_play)
    if forced > stop:
        return Found(stop, forced, forced_play, emptied, emptied_play, forced, forced_play)
    return Found(stop, stop, NONE, emptied, emptied_play, forced, forced_play)


@jit
def _may_empty_hand(view):
    """Whether no action card of the hand is in the way of playing all cards."""
    stuck = view.hand[BLOCK] + view.hand[STEAL_CARD] + view.hand[STEAL_CHIP] + view.hand[SKIP] + view.hand[REVERSE]
    for i in range(view.n_plays, view.n_plays + view.n_action_cards):
        action = view.actions[i]
        if action.source == HAND and (action.card == SKIP or action.card == REVERSE):
            stuck -= view.hand[action.card]
    return stuck == 0


@jit
def best_plan(view, params, red, blue):
    """The next play of the best plan; NONE to lay nothing more."""
    lines = np.empty(MOST_LINES, LINE)
    in_red, in_blue = search(view, params, red, lines), search(view, params, blue, lines)
    emptied = in_red.emptied + in_blue.emptied + params.empty
    play = NONE
    if emptied > in_red.best + in_blue.best and _may_empty_hand(view):
        play = in_red.emptied_play if in_red.emptied_play != NONE else in_blue.emptied_play
    if play == NONE:
        play = in_red.play if in_red.play != NONE else in_blue.play
    if play == NONE and view.n_plays + view.n_action_cards == view.n_actions:
        red_first = in_red.forced - in_red.stop > in_blue.forced - in_blue.stop
        play = in_red.forced_play if red_first else in_blue.forced_play
    return play


@jit
def chip_to_steal(view, params):
    """The theft of a chip that is worth most to both seats, in chips; NONE if it is worth less than `steal`."""
    best, found = params.steal, NONE
    red, blue = view.chips[view.seat, RED], view.chips[view.seat, BLUE]
    for i in range(view.n_plays, view.n_plays + view.n_action_cards):
        action = view.actions[i]
        if action.card == STEAL_CHIP:
            gain = worth(view.rules, red, blue, action.color, params.near, WIN, params.useless)
            short = short_of(view, action.target)
            if short_with(view, action.target, action.color, -1) > short:
                gain += 1.0 + params.threat / max(short, 1)
            if gain > best:
                best, found = gain, i
    return found


@jit
def _loss(view, params, red, blue, card):
    """What the hand loses with a card, in chips."""
    if card >= FIRST_ACTION_CARD:
        if card == BLOCK:
            return params.keep_block
        return params.keep_chip if card == STEAL_CHIP else params.keep_action
    side = red if color_of(card) == RED else blue
    spot = spot_of(card, side.color)
    loss = prospect(side, side.piles, side.cards) - prospect(side, side.piles, side.cards - (1 << spot))
    loss = params.keep * loss + (params.wild if card >= FIRST_WILD else side.number + params.high * (spot >> 2))
    return loss - params.twin if card < FIRST_WILD and view.hand[card] > 1 else loss


@jit
def cheapest_discard(view, params, red, blue):
    """The discard that costs the hand least; or the end, or any action where the turn may not end."""
    least, found = -IMPOSSIBLE, 0
    for i in range(view.n_plays + view.n_action_cards, view.n_actions):
        card = np.int64(view.actions[i].card)
        if card == NONE:
            return i
        loss = _loss(view, params, red, blue, card)
        if loss < least:
            least, found = loss, i
    return found
