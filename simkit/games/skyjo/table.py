"""The table of the reference engine: what lies on it, what a seat may do, and what a seat may know.

A `Table` holds everything about a game in progress, with the actual cards; `legal_actions` and `view` look at it for a
seat, and `redealt` deals anew what a seat cannot see. The course of a game is in `reference`.
"""

import copy
from collections import Counter
from dataclasses import dataclass

import numpy as np

from simkit.contract import Rules
from simkit.games.skyjo.rules import CELLS, COLS, LOWEST, OPTIONS
from simkit.games.skyjo.state import (
    DRAW,
    EXCHANGE,
    EXCHANGE_DECISION,
    NONE,
    OPEN,
    OPEN_DECISION,
    REJECT,
    REJECT_AND_TURN,
    SOURCE_DECISION,
    TAKE,
    USE_DECISION,
    VALUES,
    VIEW,
    Action,
)
from simkit.rng import CHOICE, LOTS
from simkit.rng.plain import Stream

VIEW_RECORD = np.dtype((np.record, VIEW))


@dataclass
class Card:
    """A card in a grid and how it lies."""

    value: int
    face_up: bool = False


Grid = dict[int, Card]
"""The cards of a seat by cell, from 0 to 11; a cell that is gone is missing."""


class Table:
    """Everything about a game in progress, hidden or not. A new table has no cards on it yet."""

    def __init__(self, rules: Rules, seed: int, index: int):
        seats = range(rules.players)
        self.rules, self.seed, self.index = rules, seed, index

        # Where the cards are
        self.draw_pile: list[int] = []  # the next card first
        self.discard: list[int] = []  # the top card last
        self.grids: list[Grid] = [{} for _ in seats]
        self.drawn: int | None = None  # drawn, neither exchanged nor rejected yet

        # The round
        self.round = 0
        self.turn = 0  # the turn of this round that is going on or was the last one; 0 before the first
        self.starter = NONE
        self.ender = NONE  # the seat that was the first to have no face-down card
        self.cut_short = False  # ended by the empty draw pile or the cap on turns
        self.decision = OPEN_DECISION
        self.active = 0  # the seat that decides now
        self.scores = [0] * rules.players  # of the last round, after doubling

        self.streams = [Stream(seed, index, CHOICE, seat).record() for seat in seats]
        self.lots = Stream(seed, index, LOTS, 0)

        # The outcome so far
        self.status: int | None = None  # None while the game goes on
        self.first_starter = NONE
        self.turns = self.reshuffles = 0
        self.totals = [0] * rules.players
        self.ended = [0] * rules.players
        self.doubled = [0] * rules.players
        self.cleared = [0] * rules.players
        self.raw = [0] * rules.players

    def face_down(self, seat: int) -> list[int]:
        """The cells of a seat whose cards lie face down."""
        return [cell for cell in range(CELLS) if cell in self.grids[seat] and not self.grids[seat][cell].face_up]

    def in_play(self, seat: int) -> list[int]:
        """The cells of a seat that are not gone."""
        return sorted(self.grids[seat])

    def open_sum(self, seat: int) -> int:
        """The sum of a seat's face-up cards."""
        return sum(card.value for card in self.grids[seat].values() if card.face_up)

    def from_seat_on(self, seat: int) -> list[int]:
        """All seats in turn order, this one first."""
        return [(seat + step) % self.rules.players for step in range(self.rules.players)]

    def copy(self) -> "Table":
        """A table of its own with the same game in progress."""
        return copy.deepcopy(self, {id(self.rules): self.rules})


def complete_columns(grid: Grid) -> list[int]:
    """The columns in which three face-up cards of one value lie."""
    return [col for col in range(COLS) if _is_complete([grid.get(cell) for cell in range(col, CELLS, COLS)])]


def _is_complete(cards: list[Card | None]) -> bool:
    return all(card is not None and card.face_up and card.value == cards[0].value for card in cards)


# Legal actions


def legal_actions(table: Table) -> list[Action]:
    """What the seat that decides may do, in the order that `state` gives."""
    face_down, in_play = table.face_down(table.active), table.in_play(table.active)
    if table.decision == OPEN_DECISION:
        return [Action(OPEN, cell) for cell in face_down]
    if table.decision == SOURCE_DECISION:
        return [Action(TAKE), Action(DRAW)]
    exchanges = [Action(EXCHANGE, cell) for cell in in_play]
    if table.decision == EXCHANGE_DECISION:
        return exchanges
    rejections = [Action(REJECT_AND_TURN, cell) for cell in face_down]
    if table.rules.reveal_after_reject == "optional" or not face_down:
        rejections.append(Action(REJECT))
    return exchanges + rejections


# What a seat may know


def view(table: Table, seat: int) -> np.record:
    """The VIEW record of what `seat` may know; the legal actions are in it if it is this seat that decides."""
    seen = np.zeros(1, VIEW_RECORD)[0]
    rules = table.rules
    actions = legal_actions(table) if seat == table.active else []
    seen.decision, seen.n_actions = table.decision, len(actions)
    seen.n_exchanges = sum(action.kind == EXCHANGE for action in actions)
    for place, (kind, cell) in enumerate(actions):
        seen["actions"][place] = (kind, cell, 0, 0, 0, 0, 0, 0)
    if table.decision == EXCHANGE_DECISION:
        seen.card = table.discard[-1]
    elif table.decision == USE_DECISION and seat == table.active:
        seen.card = table.drawn
    seen.players, seen.seat, seen.stream = rules.players, seat, table.streams[seat]
    _show_piles(table, seat, seen)
    seen.round, seen.turn, seen.starter, seen.ending = table.round, table.turn, table.starter, table.ender
    seen.rules = tuple(option.code(rules[option.name]) for option in OPTIONS)
    for other in range(rules.players):
        _show_grid(table.grids[other], other, seen)
        seen["totals"][other], seen["ended"][other] = table.totals[other], table.ended[other]
    return seen


def _by_value(cards: list[int]) -> list[int]:
    count = Counter(cards)
    return [count[value] for value in VALUES]


def _unseen(table: Table, seat: int) -> list[int]:
    """The cards in the draw pile and face down in the grids, and the card that another seat has drawn."""
    unseen = table.draw_pile + [card.value for grid in table.grids for card in grid.values() if not card.face_up]
    return unseen + ([table.drawn] if table.drawn is not None and seat != table.active else [])


def _show_piles(table: Table, seat: int, seen: np.record) -> None:
    unseen = _unseen(table, seat)
    seen.discard_top, seen.discard_size = table.discard[-1], len(table.discard)
    seen["discard"][:] = _by_value(table.discard)
    seen["unseen"][:] = _by_value(unseen)
    seen.unseen_cards, seen.unseen_sum = len(unseen), sum(unseen)
    seen.draw_pile, seen.reshuffles = len(table.draw_pile), table.reshuffles


def _show_grid(grid: Grid, seat: int, seen: np.record) -> None:
    for cell, card in grid.items():
        if not card.face_up:
            seen["hidden_cells"][seat] |= 1 << cell
            continue
        place = card.value - LOWEST
        seen["open_cells"][seat] |= 1 << cell
        seen["open_values"][seat, cell] = card.value
        seen["cells_of"][seat, place] |= 1 << cell
        seen["showing"][seat] |= 1 << place
        seen["open_sum"][seat] += card.value


def redealt(table: Table, seat: int, stream: Stream) -> Table:
    """A copy in which all that `seat` cannot see is dealt anew from `stream`.

    That is the draw pile, the cards that lie face down, and a card that another seat has drawn.
    """
    other = table.copy()
    # Sorted first, so that nothing of how the cards lie leaks into how they are dealt.
    hidden = sorted(_unseen(other, seat))
    stream.shuffle(hidden)
    for owner, grid in enumerate(other.grids):
        for cell in other.face_down(owner):
            grid[cell].value = hidden.pop()
    if other.drawn is not None and seat != other.active:
        other.drawn = hidden.pop()
    other.draw_pile = hidden
    return other
