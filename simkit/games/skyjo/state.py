"""The words that both engines of Skyjo share: cards, actions, the view, the outcome columns, and what is drawn how.

Streams and how they are used:

- DEAL, number = round (from 1): the deck, arranged by value from the lowest on (`DECK`), is shuffled. With p players
  card i of it goes to seat i % p, cell i // p, for i < 12 * p; the next is turned up; the others are the draw pile, the
  next card first.
- RESHUFFLE, number = reshuffle (from 1, over the whole game): the cards of the discard pile but its top, arranged by
  value from the lowest on, are shuffled; they are the draw pile, the next card first. So the order in which cards
  were discarded has no part in it.
- LOTS, number 0, one stream for the game, used in the order in which things happen. Under `open_cells = random` each
  seat, from 0 on, opens two cells: the k-th of its twelve face-down cells, k = below(12), then the k-th of the other
  eleven, k = below(11), cells ascending and k counted from 0. Where n > 1 seats are tied for the start and
  `first_starter_tie = lot`, the k-th of them starts, k = below(n), seats ascending.
- CHOICE, number = seat: what strategies draw from.

The order of things:

- At `open` a card is turned up and seen by all before the seat chooses its second, and before the next seat opens.
- A turn counts in `turns` when its action is complete: after take and exchange, or after draw and use. Then come: the
  cleared column, the ending (the seat has no face-down card left, and nobody had ended the round before; this is when
  `ended` counts it), the end of the round, the cap on turns.
- The end of a round: face-down cards are turned up, complete columns cleared, points added up in `raw`, the score of
  who ended it doubled if it is to be, totals; after that the end of the game, by `rounds`, or by `target` and then
  `max_rounds`.
"""

from typing import NamedTuple

import numpy as np

from simkit.contract import Column
from simkit.games.skyjo.rules import CELLS, COLS, COPIES, HIGHEST, LOWEST, MAX_PLAYERS, N_VALUES, OPTIONS, ROWS
from simkit.rng import STREAM

VALUES = tuple(range(LOWEST, HIGHEST + 1))
"""The values of cards; a card is its value. An array with one number a value holds that of value v at v - LOWEST."""

NONE = -1
"""No cell, no seat."""

ALL_CELLS = (1 << CELLS) - 1
"""A mask of cells has bit c set for cell c; this is the mask of a whole grid."""
COLUMN_MASKS = tuple(sum(1 << (COLS * row + col) for row in range(ROWS)) for col in range(COLS))
"""The cells of each column as a mask."""

OPEN_DECISION, SOURCE_DECISION, EXCHANGE_DECISION, USE_DECISION = range(4)

OPEN, TAKE, DRAW, EXCHANGE, REJECT_AND_TURN, REJECT = range(6)
"""Kinds of action. OPEN, EXCHANGE and REJECT_AND_TURN have a cell."""


class Action(NamedTuple):
    """One legal action; `cell` is NONE where the kind has none."""

    kind: int
    cell: int = NONE


ACTION_FIELDS = (*Action._fields, "spare0", "spare1", "spare2", "spare3", "spare4", "spare5")
ACTION_RECORD = np.dtype([(name, "i1") for name in ACTION_FIELDS])
"""One action as a strategy sees it, eight bytes; the spare ones are 0.

The order of legal actions. At `open`: the face-down cells. At `source`: take, draw. At `exchange`: the cells in play.
At `use`: exchanges with the cells in play, then a rejection for each face-down cell to turn up, then the rejection that
turns none, where it is legal. Cells ascend.
"""
MOST_LEGAL = CELLS + CELLS + 1

RULES_RECORD = np.dtype([(option.name, "i8") for option in OPTIONS])

VIEW = np.dtype(
    [
        # The decision
        ("decision", "i8"),  # OPEN_DECISION, SOURCE_DECISION, EXCHANGE_DECISION or USE_DECISION
        ("n_actions", "i8"),  # legal actions; the answer is an index below it
        ("n_exchanges", "i8"),  # the first so many of them are exchanges: cells in play at `exchange` and `use`, else 0
        ("actions", ACTION_RECORD, (MOST_LEGAL,)),  # all zero beyond n_actions
        ("card", "i8"),  # value of the card to exchange: taken at `exchange`, drawn at `use`; else 0
        ("players", "i8"),
        ("seat", "i8"),  # who decides
        ("stream", STREAM),  # this seat's own randomness: simkit.rng.jitted.below(view.stream, n)
        # The grids, by seat; all zero for seats that nobody has
        ("hidden_cells", "i8", (MAX_PLAYERS,)),  # mask of the cells whose card lies face down
        ("open_cells", "i8", (MAX_PLAYERS,)),  # mask of those whose card lies face up; a cell in neither is gone
        ("open_values", "i1", (MAX_PLAYERS, CELLS)),  # value of the face-up card on each cell, else 0
        ("cells_of", "i2", (MAX_PLAYERS, N_VALUES)),  # by value: mask of the cells on which it lies face up
        ("showing", "i8", (MAX_PLAYERS,)),  # bit v - LOWEST is set if some card of value v lies face up
        ("open_sum", "i8", (MAX_PLAYERS,)),  # sum of the face-up cards
        # The piles, and what nobody has seen
        ("discard_top", "i8"),  # value of the top card; at `exchange` the taken card still lies there
        ("discard_size", "i8"),  # cards in the discard pile, the top one included
        ("discard", "i1", (N_VALUES,)),  # by value: cards in it
        ("unseen", "i1", (N_VALUES,)),  # by value: cards in the draw pile or face down in a grid; `card` is not one
        ("unseen_cards", "i8"),  # how many these are, and the sum of their values
        ("unseen_sum", "i8"),
        ("draw_pile", "i8"),  # cards in it
        ("reshuffles", "i8"),  # in this game
        # The round and the game
        ("round", "i8"),  # from 1
        ("turn", "i8"),  # of this round, from 1, over all seats; 0 at `open`
        ("starter", "i8"),  # who has the round's first turn; NONE until that is known
        ("ending", "i8"),  # who turned up the last card, so that the others have their last turns; NONE if nobody
        ("totals", "i8", (MAX_PLAYERS,)),  # points of the rounds before
        ("ended", "i8", (MAX_PLAYERS,)),  # rounds that the seat ended by turning up its last card, this one too
        ("rules", RULES_RECORD),
    ],
    align=True,
)
"""What a player may know at a decision. Two deals that differ in nothing this player can see give the same bytes.

All is open but the cards that lie face down, which their owner has not seen either, the order of the draw pile, and
at `use` the drawn card. The starter is known from the beginning of a round, but for a first round and under
`next_starter = highest_open`, where it is known when all have opened.
"""

SHARES = 840
"""A win is shared by 1 to 8 seats: all their parts are whole numbers of 840ths."""

COLUMNS = (
    Column("winner", "seat with the lowest total, the first of a tie; -1 if capped", label=True),
    Column("tied", "seats that share the win, 0 if capped"),
    Column("status", "how the game ended", words=("won", "capped")),
    Column("rounds", "rounds played"),
    Column("turns", "turns taken by all, all rounds"),
    Column("first_starter", "seat that had the first turn of the first round", label=True),
    Column("reshuffles", "times the discard pile became a new draw pile"),
    Column("total", "points at the end", per_seat=True),
    Column("win_share", "part of the win", per_seat=True, scale=SHARES, rate=True),
    Column("ended", "rounds that the seat ended by turning up its last card", per_seat=True),
    Column("doubled", "rounds in which the seat's score was doubled", per_seat=True),
    Column("cleared", "columns that left the seat's grid", per_seat=True),
    Column("raw", "points before doubling, all rounds", per_seat=True),
)

WON, CAPPED = range(2)

DECK = tuple(value for value, copies in zip(VALUES, COPIES, strict=True) for _ in range(copies))
"""All cards, arranged by value."""

NARRATION_KEYS = "cell", "doubled"
NARRATION = {
    "round": "\nRound {round}",
    "deal": "seat {seat} is dealt {cards}",
    "upcard": "the discard pile begins with {card}",
    "open": "seat {seat} turns up cells {cells}: {values}",
    "starter": "seat {seat} starts",
    "take": "seat {seat} takes {card} for cell {cell}, discards {replaced}",
    "draw": "seat {seat} draws {card}",
    "exchange": "  for cell {cell}, discards {replaced}",
    "reject": "  discards it",
    "clear": "  column {column} of seat {seat}, three times {value}, leaves",
    "ending": "  that was the last face-down card of seat {seat}",
    "draw_empty": "seat {seat} finds the draw pile empty: the round ends",
    "reshuffle": "the discard pile is shuffled into a new draw pile",
    "score": "scores {scores}; totals {totals}",
    **{f"reject:{cell}": "  discards it, turns up cell {cell}: {value}" for cell in range(CELLS)},
    **{f"score:{seat}": "scores {scores}, doubled for seat {doubled}; totals {totals}" for seat in range(MAX_PLAYERS)},
}
"""How `simkit replay` tells an event, see `simkit.report.narrate`."""
