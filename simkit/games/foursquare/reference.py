"""Foursquare played in the open: slow, readable, and the measure for the kernel.

`play` plays one game and yields its transcript, event by event. A `Table` holds everything about a game in progress;
`legal_actions` and `view` look at it for the player, and `redealt` deals anew what the player cannot see.
"""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simkit.contract import Rules, checked_answer
from simkit.games.foursquare.rules import FRAME, OPTIONS, PILES
from simkit.games.foursquare.state import (
    COLUMNS,
    EMPTY,
    FACE_DOWN,
    FACE_UP,
    LOST_FACE_DOWN,
    LOST_NO_PLACE,
    LOST_STOCK_EMPTY,
    ORIGIN,
    VIEW,
    WON,
    card_text,
    cell_at,
)
from simkit.rng import CHOICE, DEAL
from simkit.rng.plain import Stream

Cell = tuple[int, int]
"""Row and column, counted downwards and to the right from the first card's cell, (0, 0)."""
Chooser = Callable[[np.record], int]
Watcher = Callable[["Table", int, np.record], Any]
Event = dict[str, Any]

PLAYER = 0
"""The only seat."""
ROW, COLUMN = range(2)
"""Kinds of line: cells in a row share the first of their two numbers, cells in a column the second."""
START = (0, 0)
WITHIN_REACH = range(1 - FRAME, FRAME)
"""A pile in any other row or column would not fit in a frame with the first card."""
ON_WORDS = {EMPTY: "empty", FACE_UP: "face_up", FACE_DOWN: "face_down"}
STATUS_WORDS = next(column.words for column in COLUMNS if column.name == "status")
VIEW_RECORD = np.dtype((np.record, VIEW))


class Placement(NamedTuple):
    """One legal action: the cell that the card goes to, and what lies there: EMPTY, FACE_UP or FACE_DOWN."""

    row: int
    col: int
    on: int


@dataclass
class Pile:
    """The cards from the bottom to the top, and how the top one lies."""

    cards: list[int]
    face_up: bool = True


class Table:
    """Everything about a game in progress, hidden or not. A new table has no cards on it yet.

    A card is a whole number, (rank - 1) * suits + suit.
    """

    def __init__(self, rules: Rules, seed: int, index: int):
        self.rules, self.seed, self.index = rules, seed, index
        self.stock: list[int] = []  # the next card first
        self.card: int | None = None  # drawn, not placed yet
        self.piles: dict[Cell, Pile] = {}
        self.streams = [Stream(seed, index, CHOICE, PLAYER).record()]

        # The outcome so far
        self.status: int | None = None  # None while the game goes on
        self.placed = self.stacked = self.flips = self.max_face_down = 0

    @property
    def face_down(self) -> int:
        """Piles whose top card lies face down."""
        return sum(not pile.face_up for pile in self.piles.values())

    def rank(self, card: int) -> int:
        """The rank of a card, 1 for an ace."""
        return card // self.rules.suits + 1

    def top(self, cell: Cell) -> int:
        """The rank of the top card of the pile there."""
        return self.rank(self.piles[cell].cards[-1])

    def text(self, card: int) -> str:
        """The text of a card."""
        return card_text(self.rank(card), card % self.rules.suits)

    def line(self, cell: Cell, kind: int) -> list[Cell]:
        """The cells of all piles in the row or the column of `cell`, in their order."""
        return sorted(other for other in self.piles if other[kind] == cell[kind])

    def copy(self) -> "Table":
        """A table of its own with the same game in progress."""
        return copy.deepcopy(self, {id(self.rules): self.rules})


# The course of a game


def play(
    rules: Rules, seed: int, index: int, choosers: Sequence[Chooser], on_decision: Watcher | None = None
) -> Iterator[Event]:
    """Play game `index` of `seed` and yield its transcript from `shuffle` to `outcome`.

    `choosers[0](view)` answers with an index into the legal actions; `on_decision(table, 0, view)` is called before
    each choice. Raises StrategyError for an answer outside of the legal actions.
    """
    table = Table(rules, seed, index)
    table.stock = list(range(rules.max_rank * rules.suits))
    Stream(seed, index, DEAL, 1).shuffle(table.stock)
    yield {"event": "shuffle", "cards": [table.text(card) for card in table.stock]}
    yield from play_on(table, choosers, on_decision)


def play_on(table: Table, choosers: Sequence[Chooser], on_decision: Watcher | None = None) -> Iterator[Event]:
    """Play a game to its end from where the next card is about to be drawn."""
    while table.status is None:
        table.card = table.stock.pop(0)
        yield _place(table, _ask(table, choosers[PLAYER], on_decision))
        table.status = _status(table)
    yield _outcome(table)


def _ask(table: Table, choose: Chooser, on_decision: Watcher | None) -> Placement:
    legal, seen = legal_actions(table), view(table, PLAYER)
    if on_decision is not None:
        on_decision(table, PLAYER, seen)
    answer = choose(seen)
    table.streams[PLAYER] = np.array(seen["stream"])  # as far as the strategy has drawn from it
    return legal[checked_answer(answer, PLAYER, len(legal))]


def _place(table: Table, action: Placement) -> Event:
    """Place the drawn card and turn the cards of its row, then of its column."""
    cell, card = (action.row, action.col), table.card
    if action.on == EMPTY:
        table.piles[cell] = Pile([card])
    else:
        table.piles[cell].cards.append(card)
        table.piles[cell].face_up = True
        table.stacked += 1
    table.card = None
    table.placed += 1

    row_flips = _turn_line(table, cell, ROW)
    lost_by_row = table.rules.loss_check == "each_line" and _too_many_face_down(table)
    col_flips = [] if lost_by_row else _turn_line(table, cell, COLUMN)
    table.max_face_down = max(table.max_face_down, table.face_down)
    return {
        "event": "place",
        "turn": table.placed,
        "card": table.text(card),
        "row": action.row,
        "col": action.col,
        "on": ON_WORDS[action.on],
        "row_flips": [list(turned) for turned in row_flips],
        "col_flips": [list(turned) for turned in col_flips],
        "face_down": table.face_down,
    }


def _turn_line(table: Table, cell: Cell, kind: int) -> list[Cell]:
    """Turn over what the card placed on `cell` turns in its row or column; returns the cells of the turned cards."""
    turned = _cells_to_turn(table, cell, kind)
    for other in turned:
        table.piles[other].face_up = not table.piles[other].face_up
    table.flips += len(turned)
    return turned


def _cells_to_turn(table: Table, cell: Cell, kind: int) -> list[Cell]:
    rules, line = table.rules, table.line(cell, kind)
    others = [other for other in line if other != cell]
    if any(table.piles[other].face_up for other in others):
        if not _is_highest_or_lowest(table, cell, others, kind):
            return []
    elif rules.lone_card == "none" or (rules.lone_card == "flips_row_only" and kind == COLUMN):
        return []
    elif rules.flip_scope == "whole_line_all_up":
        return [there for there in line if not table.piles[there].face_up]
    return others if rules.flip_scope == "others" else line


def _is_highest_or_lowest(table: Table, cell: Cell, others: list[Cell], kind: int) -> bool:
    """Whether the card placed on `cell` is higher than all that it is compared with, or lower than all of them."""
    rules, rank = table.rules, table.top(cell)
    ranks = [table.top(other) for other in others if table.piles[other].face_up or rules.compare_face_down == "include"]
    if rules.ties == "row_only" and kind == COLUMN:
        return rank >= max(ranks) or rank <= min(ranks)
    return rank > max(ranks) or rank < min(ranks)


def _too_many_face_down(table: Table) -> bool:
    return table.face_down > table.rules.face_down_limit


def _status(table: Table) -> int | None:
    """How the game has ended, after both lines of a turn; None if it goes on."""
    if len(table.piles) == PILES and table.face_down == 0:
        return WON
    if _too_many_face_down(table):
        return LOST_FACE_DOWN
    if not table.stock:
        return LOST_STOCK_EMPTY
    return None if legal_actions(table) else LOST_NO_PLACE


def _outcome(table: Table) -> Event:
    won, left = table.status == WON, len(table.stock)
    return {
        "event": "outcome",
        "won": won,
        "status": STATUS_WORDS[table.status],
        "score": left if won else None,
        "score_or_zero": left if won else 0,
        "placed": table.placed,
        "piles": len(table.piles),
        "stacked": table.stacked,
        "flips": table.flips,
        "max_face_down": table.max_face_down,
        "face_down": table.face_down,
    }


# Legal actions


def legal_actions(table: Table) -> list[Placement]:
    """Where the next card may be placed, whichever it is: by row, then by column."""
    if not table.piles:
        return [Placement(*START, EMPTY)]
    cells = [(row, col) for row in WITHIN_REACH for col in WITHIN_REACH]
    return [Placement(*cell, _lies_on(table, cell)) for cell in cells if _may_use(table, cell)]


def _lies_on(table: Table, cell: Cell) -> int:
    """EMPTY, FACE_UP or FACE_DOWN: what lies on a cell."""
    if cell not in table.piles:
        return EMPTY
    return FACE_UP if table.piles[cell].face_up else FACE_DOWN


def _may_use(table: Table, cell: Cell) -> bool:
    if cell not in table.piles:
        return _fits_frame(table, cell) and _is_beside_a_pile(table, cell)
    pile = table.piles[cell]
    return len(pile.cards) < table.rules.pile_height and (pile.face_up or table.rules.stack_on_face_down == "allowed")


def _fits_frame(table: Table, cell: Cell) -> bool:
    """Whether a frame of four rows and four columns can hold all piles and this cell."""
    if table.rules.frame == "fixed":
        return all(0 <= number < FRAME for number in cell)
    rows, cols = zip(cell, *table.piles, strict=True)
    return max(rows) - min(rows) < FRAME and max(cols) - min(cols) < FRAME


def _is_beside_a_pile(table: Table, cell: Cell) -> bool:
    """Whether a free cell is near enough to some pile, as `adjacency` has it."""
    if table.rules.adjacency == "anywhere":
        return True
    steps = [(abs(row - cell[0]), abs(col - cell[1])) for row, col in table.piles]
    if table.rules.adjacency == "king":
        return any(max(down, across) == 1 for down, across in steps)
    return any(down + across == 1 for down, across in steps)


# What the player may know


def view(table: Table, seat: int) -> np.record:
    """The VIEW record of what the player, `seat` 0, may know."""
    seen = np.zeros(1, VIEW_RECORD)[0]
    actions = [] if table.card is None else legal_actions(table)
    seen.n_actions = len(actions)
    for place, (row, col, on) in enumerate(actions):
        seen["actions"][place] = (row, col, on, cell_at(row, col), 0, 0, 0, 0)
    seen.card = 0 if table.card is None else table.rank(table.card)
    seen.placed, seen.stock = table.placed, len(table.stock)
    for card in table.stock:
        seen["unseen"][table.rank(card)] += 1
    _show_piles(table, seen)
    seen.rules = tuple(option.code(table.rules[option.name]) for option in OPTIONS)
    seen.stream = table.streams[seat]
    return seen


def _show_piles(table: Table, seen: np.record) -> None:
    for (row, col), pile in table.piles.items():
        rank, number = table.top((row, col)), cell_at(row, col)
        seen.occupied |= 1 << number
        seen.face_down |= 0 if pile.face_up else 1 << number
        seen.full |= 1 << number if len(pile.cards) == table.rules.pile_height else 0
        seen["top"][number], seen["height"][number] = rank, len(pile.cards)
        one_more = 1 << (4 * rank)
        seen["all_in_row"][row + ORIGIN] += one_more
        seen["all_in_col"][col + ORIGIN] += one_more
        if pile.face_up:
            seen["up_in_row"][row + ORIGIN] += one_more
            seen["up_in_col"][col + ORIGIN] += one_more
    if table.piles:
        rows, cols = zip(*table.piles, strict=True)
        seen.first_row, seen.last_row = min(rows) + ORIGIN, max(rows) + ORIGIN
        seen.first_col, seen.last_col = min(cols) + ORIGIN, max(cols) + ORIGIN


def redealt(table: Table, seat: int, stream: Stream) -> Table:
    """A copy in which all that the player cannot see, the order of the stock, is dealt anew from `stream`."""
    other = table.copy()
    # Sorted first, so that nothing of how the cards lie leaks into how they are dealt.
    other.stock.sort()
    stream.shuffle(other.stock)
    return other
