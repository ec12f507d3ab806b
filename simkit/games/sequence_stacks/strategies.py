"""The players of Sequence Stacks.

`random` and `eager` are defined on the rules page. Each of the others is `eager` with one idea, but for `expert`, which
has all of them, and `planner`, which searches.
"""

import numpy as np

from simkit._jit import jit
from simkit.games.sequence_stacks.features import (
    ENDLESS,
    any_but,
    as_eager,
    best_theft,
    cards_at_hand,
    color_of,
    completed_color,
    completion,
    helpful_action,
    helps,
    short_with,
    soon,
    unless_played,
)
from simkit.games.sequence_stacks.planning import best_plan, cheapest_discard, chip_to_steal, sides
from simkit.games.sequence_stacks.rules import NUMBERS
from simkit.games.sequence_stacks.state import (
    BLOCK,
    BLOCK_DECISION,
    BLUE,
    DISCARD_PILE,
    FIRST_ACTION_CARD,
    FIRST_WILD,
    HAND,
    N_CARDS,
    NONE,
    RED,
    STEAL_CHIP,
)
from simkit.rng.jitted import below
from simkit.strategy import strategy


@strategy()
def random(view, params):
    """Any legal action, each equally likely; defined to the letter on the rules page."""
    return below(view.stream, view.n_actions)


@strategy()
def eager(view, params):
    """Lays a number or wild whenever one can be laid, else plays an action card, else discards; within each kind any
    choice is equally likely. Always blocks. Defined to the letter on the rules page.
    """
    if view.decision == BLOCK_DECISION:
        return 1
    if view.n_plays > 0:
        return below(view.stream, view.n_plays)
    if view.n_action_cards > 0:
        return view.n_plays + below(view.stream, view.n_action_cards)
    return below(view.stream, view.n_actions)


# ---------------------------------------------------------------- one idea each


@jit
def _completion(view):
    """`completion` with the cards at hand."""
    if view.n_plays == 0:
        return NONE
    return completion(view, cards_at_hand(view, RED), cards_at_hand(view, BLUE))


@jit
def _any_play(view, highest, wilds):
    """One of the plays up to this value, with or without wilds, each equally likely; NONE if there is none."""
    found, count = NONE, 0
    for i in range(view.n_plays):
        action = view.actions[i]
        if action.value <= highest and (wilds or action.card < FIRST_WILD):
            count += 1
            if below(view.stream, count) == 0:
                found = i
    return found


@strategy(keep_blocks=0)
def greedy(view, params):
    """Completes a sequence whenever its cards, wilds and own discard suffice and the chip is of use, the one with the
    fewest wilds first; else as eager. `keep_blocks`: a Block is played only against a chip that leaves its owner fewer
    chips short of a win than this; 0 always blocks.
    """
    if view.decision == BLOCK_DECISION:
        short = short_with(view, view.active, completed_color(view), 1)
        return 1 if params.keep_blocks == 0 or short < params.keep_blocks else 0
    play = _completion(view)
    return play if play != NONE else as_eager(view)


@strategy(height=4)
def holder(view, params):
    """Completes as greedy does, but else never leaves a pile of this `height` or more to the next player: it holds the
    card back. Else as eager.
    """
    if view.decision == BLOCK_DECISION:
        return 1
    play = _completion(view)
    if play == NONE:
        play = _any_play(view, params.height - 1, True)
    return unless_played(view, play)


@strategy(last=1)
def saver(view, params):
    """Saves its wilds: completes as greedy does, but else lays numbers only, and a wild only from a hand of at most
    `last` cards, where it may empty the hand for five new ones. Else as eager.
    """
    if view.decision == BLOCK_DECISION:
        return 1
    play = _completion(view)
    if play == NONE:
        play = _any_play(view, NUMBERS, view.hand_sizes[view.seat] <= params.last)
    return unless_played(view, play)


@strategy(useful=10, wild=0.5)
def builder(view, params):
    """Builds the highest pile that it can, those of a colour that it lacks first (`useful` is what that counts in
    cards) and with a number rather than a wild (`wild` is what a wild costs in cards). Else as eager.
    """
    if view.decision == BLOCK_DECISION:
        return 1
    most, best = -1e9, NONE
    for i in range(view.n_plays):
        action = view.actions[i]
        score = action.value - (params.wild if action.card >= FIRST_WILD else 0.0)
        if helps(view, view.seat, action.color):
            score += params.useful
        if score > most:
            most, best = score, i
    return unless_played(view, best)


@strategy(twin=1, low=0.2, gap=0.5, wild=0.5, action=1)
def stocker(view, params):
    """Stocks its discard pile: discards what can soon be played from there (each missing number counts `gap`, a `wild`
    and an `action` card have values of their own), twins (`twin`) and `low` numbers first, Blocks last, and plays from
    there before it plays from the hand. Else as eager.
    """
    if view.decision == BLOCK_DECISION:
        return 1
    for i in range(view.n_plays):
        if view.actions[i].source == DISCARD_PILE:
            return i
    if view.n_plays > 0 or view.n_action_cards > 0:
        return as_eager(view)
    most, best = -1e9, 0
    for i in range(view.n_actions):
        card = view.actions[i].card
        if card == NONE:
            return i
        score = soon(view, card, params.gap, params.wild, params.action) - (1.0 if card == BLOCK else 0.0)
        if card < FIRST_WILD:
            score += (params.twin if view.hand[card] > 1 else 0.0) - params.low * (card % NUMBERS)
        if score > most:
            most, best = score, i
    return best


@strategy(keep=1)
def thief(view, params):
    """Plays for the action cards: steals the chip that helps it and hurts most before anything else, and never discards
    a Block or a Steal a Chip while it has another card (`keep` = 0: as eager discards). Else as eager.
    """
    if view.decision == BLOCK_DECISION:
        return 1
    if view.n_action_cards > 0:
        theft = best_theft(view)
        if theft != NONE:
            return theft
    if view.n_plays > 0 or view.n_action_cards > 0 or params.keep == 0:
        return as_eager(view)
    return any_but(view, (1 << BLOCK) | (1 << STEAL_CHIP))


@jit
def _odds_to_complete(view, color, height, unseen):
    """Chance, by the cards not yet seen, that the next player holds what a pile of this height lacks."""
    wild = FIRST_WILD + color
    wilds = view.deck[wild] - view.visible[wild] - view.hand[wild]
    chance = 1.0
    for card in range(NUMBERS * color + height, NUMBERS * (color + 1)):
        good = wilds + view.deck[card] - view.visible[card] - view.hand[card]
        chance *= 1.0 - (1.0 - good / unseen) ** view.rules.hand_size
    return chance


@strategy(risk=0.3, wild=0.05)
def counter(view, params):
    """Counts cards: completes as greedy does, but else lays only what leaves the next player a chance below `risk` to
    complete that pile, by the cards not yet seen, the least chance first; a wild counts `wild` more. Else as eager.
    """
    if view.decision == BLOCK_DECISION:
        return 1
    play = _completion(view)
    if play != NONE or view.n_plays == 0:
        return unless_played(view, play)
    unseen = 0
    for card in range(N_CARDS):
        unseen += view.deck[card] - view.visible[card] - view.hand[card]
    least = params.risk
    for i in range(view.n_plays):
        action = view.actions[i]
        chance = _odds_to_complete(view, action.color, action.value, max(unseen, 1)) if action.value < NUMBERS else 0.0
        if action.card >= FIRST_WILD:
            chance += params.wild
        if chance < least:
            least, play = chance, i
    return unless_played(view, play)


# ---------------------------------------------------------------- all ideas together


@jit
def _best_lay(view, params):
    """The play that is best to lay, NONE if it is better not to lay."""
    worths = (params.lay1, params.lay2, params.lay3, params.lay4 + params.crowd * (view.players - 2), params.lay5)
    most, best = 0.0, NONE
    if view.draw_pile + view.removed == 0:
        most = -1e6  # nothing is left to draw: cards held back would end the game without a winner
    if view.n_plays + view.n_action_cards == view.n_actions:
        most = -1e9
    for i in range(view.n_plays):
        action = view.actions[i]
        score = worths[action.value - 1]
        if action.card >= FIRST_WILD:
            score -= params.wild
        if action.source == HAND and view.hand_sizes[view.seat] == 1:
            score += params.last
        if action.value == NUMBERS and view.reshuffles > ENDLESS and not helps(view, view.seat, action.color):
            score = -1e8
        if score > most:
            most, best = score, i
    return best


@jit
def _worth_discarding(view, params, card):
    """How good it is to discard this card: number, wild or action card."""
    if card >= FIRST_ACTION_CARD:
        if card == BLOCK:
            return -params.keep_block
        return -params.keep_chip if card == STEAL_CHIP else params.action
    if card >= FIRST_WILD:
        return -params.keep_wild
    score = -params.high * (card % NUMBERS)
    if view.hand[card] > 1:
        score += params.twin
    if not helps(view, view.seat, color_of(card)):
        score += params.useless
    return score


@jit
def _best_discard(view, params):
    """The card that is best to discard; the end, or any action, if there is none."""
    most, best = -1e9, 0
    for i in range(view.n_plays + view.n_action_cards, view.n_actions):
        card = np.int64(view.actions[i].card)
        if card == NONE:
            return i
        score = _worth_discarding(view, params, card)
        if score > most:
            most, best = score, i
    return best


@strategy(
    lay1=0.28,
    lay2=0.64,
    lay3=0.4,
    lay4=-0.34,
    lay5=0.68,
    crowd=0.3,
    wild=1.7,
    last=1.9,
    action=0.6,
    keep_chip=0.57,
    keep_block=1.5,
    keep_wild=0.8,
    high=0.11,
    twin=1.2,
    useless=0.37,
)
def expert(view, params):
    """All ideas together, by rules that are quick to look at. Blocks, completes and steals only for chips that are of
    use; completes with the fewest wilds. Else lays numbers worth more than 0 (`lay1` to `lay5`; a 4 is worth `crowd`
    more for each further opponent), wilds at `wild` less, and `last` more where that empties the hand. Steals any
    number or wild that it can. Discards by worth: `twin`s, `action` cards and colours of no use (`useless`) first, then
    the lower numbers (`high` a step), last Steals a Chip (`keep_chip`), wilds (`keep_wild`) and Blocks (`keep_block`).
    """
    if view.decision == BLOCK_DECISION:
        return 1 if helps(view, view.active, completed_color(view)) else 0
    action = best_theft(view) if view.n_action_cards > 0 else NONE
    if action == NONE and view.n_plays > 0:
        action = _completion(view)
        if action == NONE:
            action = _best_lay(view, params)
    if action == NONE and view.n_action_cards > 0:
        action = helpful_action(view)
    return action if action != NONE else _best_discard(view, params)


@strategy(
    together=0.924,
    hope=0.146,
    danger=0.492,
    useless=0.365,
    near=0.5,
    threat=0.5,
    loss=6,
    luck=0.634,
    wild=0.229,
    number=-0.154,
    high=0.037,
    empty=0.236,
    idle=0.356,
    keep=1.33,
    twin=0.141,
    keep_action=0.049,
    keep_block=0.467,
    keep_chip=0.223,
    steal=0.5,
    crowd=4,
    alone=0.3,
)
def planner(view, params):
    """Searches all lines of plays of each colour, from the hand and the own discard pile, for the one worth most in
    chips; plays all its cards where that is worth it for a new hand (`empty`). A line is worth its chips (`near` more
    the nearer a win, `useless` where a chip does not help), less the worth of each `number` (`high` more a step) and
    `wild` spent, plus `hope` for each pile left (times `luck` for each card that the hand lacks, times `alone` for each
    further opponent), less `danger` for each that an opponent may complete, by the cards not yet seen (several are held
    `together`; a chip is worth `threat` more to him the nearer his win, the last one `loss`; less by `crowd` with
    further opponents; times `idle` where the next player loses a turn). Discards what costs least by the same measure
    (`keep` is the weight of the piles' part, `twin`s cost less; `keep_chip`, `keep_block` and `keep_action` are the
    costs of those cards) and steals chips worth `steal`. Blocks chips that are of use. Stronger than expert, three
    times slower.
    """
    if view.decision == BLOCK_DECISION:
        return 1 if helps(view, view.active, completed_color(view)) else 0
    action = chip_to_steal(view, params) if view.n_action_cards > 0 else NONE
    if action == NONE and view.n_plays == 0:
        action = helpful_action(view)
    if action != NONE:
        return action
    red, blue = sides(view, params)
    if view.n_plays > 0:
        action = best_plan(view, params, red, blue)
        if action == NONE:
            action = helpful_action(view)
    return action if action != NONE else cheapest_discard(view, params, red, blue)
