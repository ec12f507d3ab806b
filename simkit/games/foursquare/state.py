"""The words that both engines of Foursquare share: cards, cells, actions, the view, the outcome columns."""

import numpy as np

from simkit.contract import Column
from simkit.games.foursquare.rules import FRAME, MOST_RANKS, OPTIONS
from simkit.rng import STREAM

SUITS = "SHDCTUVW"

SIDE = 8
"""Cells are numbered on a board of 8 x 8 on which every position fits: 8 * (row + 3) + column + 3."""
ORIGIN = FRAME - 1
"""The first card, at (0, 0), lies in row and column 3 of that board."""
FIRST_CELL = SIDE * ORIGIN + ORIGIN
CELLS = SIDE * SIDE
REACH = 2 * FRAME - 1
"""Rows and columns -3 to 3 can be reached."""
MOST_LEGAL = REACH * REACH

EMPTY, FACE_UP, FACE_DOWN = range(3)
"""What an action places its card on."""


def cell_at(row: int, col: int) -> int:
    """The number of a cell, rows and columns counted from the first card."""
    return SIDE * (row + ORIGIN) + col + ORIGIN


ACTION_FIELDS = "row", "col", "on", "cell", "spare0", "spare1", "spare2", "spare3"
ACTION_RECORD = np.dtype([(name, "i1") for name in ACTION_FIELDS])
"""One placement, eight bytes: row and column from the first card, what lies there, the cell; the rest is 0."""

RULES_RECORD = np.dtype([(option.name, "i8") for option in OPTIONS])

VIEW = np.dtype(
    [
        # The decision: where to place `card`
        ("n_actions", "i8"),  # legal placements; the answer is an index below it
        ("actions", ACTION_RECORD, (MOST_LEGAL,)),  # by row, then column; all zero beyond n_actions
        ("card", "i8"),  # rank of the card to place
        # The piles
        ("occupied", "i8"),  # bit c is set if there is a pile on cell c
        ("face_down", "i8"),  # bit c is set if its top card lies face down
        ("full", "i8"),  # bit c is set if its pile is as high as `pile_height` allows
        ("top", "i1", (CELLS,)),  # rank of the top card, face down or not (it was seen); 0 if there is no pile
        ("height", "i1", (CELLS,)),  # cards in the pile
        ("up_in_row", "i8", (SIDE,)),  # face-up tops of each row of the board: bits 4 * k … count those of rank k
        ("up_in_col", "i8", (SIDE,)),
        ("all_in_row", "i8", (SIDE,)),  # the same for all tops
        ("all_in_col", "i8", (SIDE,)),
        ("first_row", "i8"),  # the rows and columns that the piles span, on the board of 8 x 8; 0 before the first
        ("last_row", "i8"),
        ("first_col", "i8"),
        ("last_col", "i8"),
        ("placed", "i8"),  # cards placed so far
        # The stock
        ("stock", "i8"),  # cards left in it, `card` not counted
        ("unseen", "i1", (MOST_RANKS + 1,)),  # cards of each rank in it
        ("rules", RULES_RECORD),
        ("stream", STREAM),  # the player's own randomness: simkit.rng.jitted.below(view.stream, n)
    ],
    align=True,
)
"""What the player may know. Two deals that differ in the order of the stock only give the same bytes."""

COLUMNS = (
    Column("won", "whether the game was solved", truth=True),
    Column("status", "how the game ended", words=("won", "lost_face_down", "lost_stock_empty", "lost_no_place")),
    Column("score", "cards left in the stock, of won games", nullable=True),
    Column("score_or_zero", "cards left in the stock, a loss as 0"),
    Column("placed", "cards placed"),
    Column("piles", "piles at the end"),
    Column("stacked", "placements on a pile"),
    Column("flips", "cards turned over"),
    Column("max_face_down", "most face-down tops after a turn"),
    Column("face_down", "face-down tops at the end"),
)

WON, LOST_FACE_DOWN, LOST_STOCK_EMPTY, LOST_NO_PLACE = range(4)


def card_text(rank: int, suit: int) -> str:
    """The text of a card: AS, 2H, 10C."""
    return ("A" if rank == 1 else str(rank)) + SUITS[suit]


def rank_of(text: str) -> int:
    """The rank of a card's text."""
    return 1 if text[0] == "A" else int(text[:-1])


NARRATION_KEYS = ("on",)
NARRATION = {
    "place": "{turn}. {card} at ({row}, {col}) on a {on} card; row turns {row_flips}; column turns {col_flips}; "
    "{face_down} down",
    "place:empty": "{turn}. {card} at ({row}, {col}); row turns {row_flips}; column turns {col_flips}; "
    "{face_down} down",
}
"""How `simkit replay` tells an event, see `simkit.report.narrate`."""
