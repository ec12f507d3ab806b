"""The table of the reference engine: what lies on it, what a seat may do, and what a seat may know.

A `Table` holds everything about a game in progress, with the actual cards; `legal_actions` and `view` look at it for a
seat, and `redealt` deals anew what a seat cannot see. The course of a game is in `reference`.
"""

import copy
from collections import Counter

import numpy as np

from simkit.contract import Rules
from simkit.games.sequence_stacks.rules import COLORS, NUMBERS, OPTIONS, copies
from simkit.games.sequence_stacks.state import (
    ACTION,
    ACTION_TABLE,
    ACTIONS,
    BLOCK,
    BLOCK_DECISION,
    CARDS,
    DECLINE_BLOCK,
    DISCARD,
    DISCARD_PILE,
    END,
    FIRST_ACTION_CARD,
    FIRST_WILD,
    HAND,
    NONE,
    PLAY,
    PLAY_BLOCK,
    REVERSE,
    SKIP,
    STEAL_CARD,
    TURN_DECISION,
    VIEW,
    Action,
)
from simkit.rng import CHOICE, LOTS
from simkit.rng.plain import Stream

VIEW_RECORD = np.dtype((np.record, VIEW))
PLAYS = [action for action in ACTIONS if action.kind == PLAY]
ACTION_CARDS = [action for action in ACTIONS if action.kind == ACTION]
ENDS_OF_TURN = [action for action in ACTIONS if action.kind in (DISCARD, END)]


class Table:
    """Everything about a game in progress, hidden or not. A new table has no cards on it yet."""

    def __init__(self, rules: Rules, seed: int, index: int):
        seats = range(rules.players)
        self.rules, self.seed, self.index = rules, seed, index

        # Where the cards are. Piles that are drawn from start with the next card; all others with the lowest one.
        self.draw_pile: list[int] = []
        self.hands: list[list[int]] = [[] for _ in seats]
        self.discards: list[list[int]] = [[] for _ in seats]
        self.piles: list[list[list[int]]] = [[] for _ in range(COLORS)]  # by colour: the piles that stand, oldest first
        self.special_discard: list[int] = []
        self.removed: list[int] = []  # in the order of removal; they become the next draw pile
        self.out_of_game: list[int] = []

        self.chips = [[0] * COLORS for _ in seats]
        self.supply = [rules.chips_per_color] * COLORS

        self.active = 0
        self.asked = NONE  # the seat that is asked for a Block
        self.direction = 1
        self.skips_this_turn = 0
        self.acted_this_turn = False
        self.turns_to_lose = [0] * rules.players
        self.idle_seats: set[int] = set()  # had a turn without a play or discard since anybody last made one

        self.streams = [Stream(seed, index, CHOICE, seat).record() for seat in seats]
        self.lots = Stream(seed, index, LOTS, 0)

        # The outcome so far
        self.status: int | None = None  # None while the game goes on
        self.winner = NONE
        self.turns = [0] * rules.players
        self.played: Counter[int] = Counter()  # cards played, by card type
        self.sequences = self.reshuffles = self.lead_changes = 0
        self.leader = NONE  # the last seat that was the sole holder of the most chips
        self.most_behind = [0] * rules.players

    @property
    def decision(self) -> int:
        """TURN_DECISION or BLOCK_DECISION: what is being decided."""
        return TURN_DECISION if self.asked == NONE else BLOCK_DECISION

    @property
    def decider(self) -> int:
        """The seat that decides now."""
        return self.active if self.asked == NONE else self.asked

    @property
    def plays(self) -> int:
        """Cards played so far by all, Blocks left out."""
        return self.played.total() - self.played[BLOCK]

    def after(self, seat: int) -> int:
        """The seat that follows `seat` in the current direction."""
        return (seat + self.direction) % self.rules.players

    def opponents(self) -> list[int]:
        """The others in turn order from the active seat."""
        return [(self.active + self.direction * step) % self.rules.players for step in range(1, self.rules.players)]

    def needed(self, color: int) -> set[int]:
        """The values that a card of this colour can be laid for."""
        values = {len(pile) + 1 for pile in self.piles[color] if len(pile) < NUMBERS}
        return values | {1} if len(self.piles[color]) < self.rules.piles_per_color else values

    def copy(self) -> "Table":
        """A table of its own with the same game in progress."""
        return copy.deepcopy(self, {id(self.rules): self.rules})


# Legal actions


def legal_actions(table: Table) -> list[Action]:
    """What the seat that decides may do, in the order of `state.ACTIONS`."""
    if table.decision == BLOCK_DECISION:
        return [Action(DECLINE_BLOCK), Action(PLAY_BLOCK, BLOCK, HAND)]
    plays = [action for action in PLAYS if _can_lay(table, action)]
    cards = [action for action in ACTION_CARDS if _can_play_action_card(table, action)]
    if plays and table.rules.stop_early == "forbidden":
        return plays + cards
    return plays + cards + [action for action in ENDS_OF_TURN if _can_end_turn_with(table, action)]


def _is_there(table: Table, action: Action) -> bool:
    """Whether the active seat has the action's card where the action takes it from."""
    if action.source == HAND:
        return action.card in table.hands[table.active]
    return table.discards[table.active][-1:] == [action.card]


def _can_lay(table: Table, action: Action) -> bool:
    return _is_there(table, action) and action.value in table.needed(action.color)


def _can_play_action_card(table: Table, action: Action) -> bool:
    """Whether the card is there, may be played from there, and has an effect."""
    rules = table.rules
    if not _is_there(table, action):
        return False
    if action.source == DISCARD_PILE and rules.play_action_from_discard == "forbidden":
        return False
    may_skip = rules.skip_stacking == "cumulative" or table.skips_this_turn == 0
    if action.card == SKIP:
        return may_skip
    if action.card == REVERSE:
        return may_skip if reverse_skips(rules) else rules.players > 2
    if action.target not in table.opponents():
        return False
    if action.card == STEAL_CARD:
        return bool(table.discards[action.target])
    return table.chips[action.target][action.color] > 0 and _may_steal_chip(table, action.color)


def reverse_skips(rules: Rules) -> bool:
    """Whether Reverse acts as a Skip."""
    return rules.players == 2 and rules.two_player_reverse == "skips"


def _may_steal_chip(table: Table, color: int) -> bool:
    """Whether a chip of this colour may be stolen, from whomever: not to complete the winning condition."""
    chips = list(table.chips[table.active])
    chips[color] += 1
    return table.rules.steal_chip_win != "illegal" or not is_winning(table.rules, chips)


def is_winning(rules: Rules, chips: list[int]) -> bool:
    """Whether these chips, counted by colour, are enough to win."""
    return sum(chips) >= rules.win_chips and min(chips) >= rules.win_each_color


def _can_end_turn_with(table: Table, action: Action) -> bool:
    hand = table.hands[table.active]
    if action.kind == END:
        return not hand
    if action.card not in hand:
        return False
    free = table.rules.discard_action_cards == "allowed" or action.card < FIRST_ACTION_CARD
    return free or min(hand) >= FIRST_ACTION_CARD


# What a seat may know


def view(table: Table, seat: int) -> np.record:
    """The VIEW record of what `seat` may know; the legal actions are in it if it is this seat that decides."""
    seen = np.zeros(1, VIEW_RECORD)[0]
    rules = table.rules
    actions = legal_actions(table) if seat == table.decider else []
    seen.decision = table.decision
    seen.n_actions = len(actions)
    seen.n_plays = sum(action.kind == PLAY for action in actions)
    seen.n_action_cards = sum(action.kind == ACTION for action in actions)
    for place, action in enumerate(actions):
        seen["actions"][place] = ACTION_TABLE[ACTIONS.index(action)]

    hand = Counter(table.hands[seat])
    seen["hand"][:] = _by_type(hand)
    seen.holding = sum(1 << card for card in hand)
    seen.stream = table.streams[seat]

    seen.players, seen.seat, seen.active, seen.direction = rules.players, seat, table.active, table.direction
    seen.turn, seen.plays, seen.skips = sum(table.turns), table.plays, table.skips_this_turn
    seen["supply"][:] = table.supply
    seen.draw_pile, seen.removed, seen.reshuffles = len(table.draw_pile), len(table.removed), table.reshuffles
    seen["visible"][:] = _by_type(_open_cards(table))
    seen["deck"][:] = copies(rules)
    seen.rules = tuple(option.code(rules[option.name]) for option in OPTIONS)
    _show_piles(table, seen)
    _show_seats(table, seen)
    return seen


def _by_type(cards: Counter) -> list[int]:
    return [cards[card] for card in range(len(CARDS))]


def _open_cards(table: Table) -> Counter:
    """The cards that lie open or are known to be out of play."""
    standing = [pile for piles in table.piles for pile in piles]
    return Counter(sum([*table.discards, *standing], table.special_discard + table.removed + table.out_of_game))


def _show_piles(table: Table, seen: np.record) -> None:
    for color, piles in enumerate(table.piles):
        seen["needs"][color] = sum(1 << (value - 1) for value in table.needed(color))
        seen["piles"][color] = len(piles)
        for place, pile in enumerate(piles):
            seen["heights"][color, place] = len(pile)
            seen["wild_spots"][color, place] = sum(1 << spot for spot, card in enumerate(pile) if card >= FIRST_WILD)


def _show_seats(table: Table, seen: np.record) -> None:
    """Fill in what is known of every seat; seats that no player sits at stay zero."""
    for seat in range(table.rules.players):
        discard = table.discards[seat]
        seen["turns_to_lose"][seat] = table.turns_to_lose[seat]
        seen["chips"][seat] = table.chips[seat]
        seen["hand_sizes"][seat] = len(table.hands[seat])
        seen["discard_tops"][seat] = discard[-1] if discard else NONE
        seen["discard_sizes"][seat] = len(discard)
        seen["discards"][seat, : len(discard)] = discard


def redealt(table: Table, seat: int, stream: Stream) -> Table:
    """A copy in which all that `seat` cannot see, the draw pile and the other hands, is dealt anew from `stream`."""
    other = table.copy()
    hidden = other.draw_pile + [card for owner, hand in enumerate(other.hands) if owner != seat for card in hand]
    # Sorted first, so that nothing of how the cards lie leaks into how they are dealt.
    hidden.sort()
    stream.shuffle(hidden)
    for owner, hand in enumerate(other.hands):
        if owner != seat:
            hand[:] = [hidden.pop() for _ in hand]
    other.draw_pile = hidden
    return other
