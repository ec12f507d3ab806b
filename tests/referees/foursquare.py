"""An independent referee for Foursquare transcripts.

Written from `rules/common.md` and `rules/foursquare.md` only; it shares no code with the engines, so
that a mistake in one of the two shows as a disagreement. It keeps the whole grid itself and leaves
nothing to the transcript but what is free: the order of the shuffle, and the cell of each card among
the legal ones.

    python -m tests.referees.foursquare FILE.jsonl
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.referees.transcripts import Transcript, is_whole, main

FRAME_SIDE = 4
PILES_TO_WIN = 16
SUITS = "SHDCTUVW"

CHOICES = {
    "flip_scope": ("others", "whole_line", "whole_line_all_up"),
    "compare_face_down": ("ignore", "include"),
    "lone_card": ("flips", "flips_row_only", "none"),
    "ties": ("strict", "row_only"),
    "stack_on_face_down": ("allowed", "forbidden"),
    "adjacency": ("orthogonal", "king", "anywhere"),
    "frame": ("floating", "fixed"),
    "loss_check": ("end_of_turn", "each_line"),
}
RANGES = {
    "pile_height": (1, 4),
    "face_down_limit": (0, 16),
    "max_rank": (4, 13),
    "suits": (2, 8),
}

KINDS = ("setup", "shuffle", "place", "outcome")

# A cell is (row, column); a line is the cells that share the coordinate at this place.
Cell = tuple[int, int]
ROW, COLUMN = 0, 1


def check(events) -> None:
    """Check one game's events, `setup` to `outcome`; raise `Disagreement` at the first that is wrong."""
    Referee(Transcript(events, KINDS)).follow_game()


class Rules:
    """The options of one game, each as an attribute."""

    def __init__(self, options: dict):
        for name, value in options.items():
            setattr(self, name, value)

    def ranks(self) -> dict[str, int]:
        """The rank of each card of the game, by its text."""
        return {
            f"{'A' if rank == 1 else rank}{suit}": rank
            for rank in range(1, self.max_rank + 1)
            for suit in SUITS[: self.suits]
        }


class Grid:
    """The piles by cell, and where a card may be placed and what it turns."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.piles: dict[Cell, list[int]] = {}  # ranks, the top stands last
        self.face_down: set[Cell] = set()  # the piles whose top is face down

    def lies_on(self, cell: Cell) -> str:
        """What a card placed on the cell comes to lie on."""
        if cell not in self.piles:
            return "empty"
        return "face_down" if cell in self.face_down else "face_up"

    def too_many_face_down(self) -> bool:
        """Is the game lost by face-down tops?"""
        return len(self.face_down) > self.rules.face_down_limit

    def is_won(self) -> bool:
        """Sixteen piles, all with a face-up top."""
        return len(self.piles) == PILES_TO_WIN and not self.face_down

    # Where a card may be placed

    def refusal(self, cell: Cell) -> str | None:
        """Why the next card may not be placed on the cell; None where it may."""
        if not self.piles:
            return None if cell == (0, 0) else "the first card has the coordinates (0, 0)"
        if cell in self.piles:
            return self._pile_refusal(cell)
        if not self._fits_frame(cell):
            return "outside the frame"
        return None if self._is_adjacent(cell) else "not next to a pile"

    def has_place(self) -> bool:
        """Is any placement legal?"""
        cells = self.piles or [(0, 0)]
        reach = range(-FRAME_SIDE, FRAME_SIDE + 1)
        return any(
            self.refusal((row + down, column + right)) is None
            for row, column in cells
            for down in reach
            for right in reach
        )

    def _pile_refusal(self, cell: Cell) -> str | None:
        if len(self.piles[cell]) >= self.rules.pile_height:
            return "the pile is full"
        if cell in self.face_down and self.rules.stack_on_face_down == "forbidden":
            return "the top of the pile is face down"
        return None

    def _fits_frame(self, cell: Cell) -> bool:
        if self.rules.frame == "fixed":
            return all(0 <= place < FRAME_SIDE for place in cell)
        cells = [*self.piles, cell]
        spans = [max(places) - min(places) + 1 for places in zip(*cells, strict=True)]
        return max(spans) <= FRAME_SIDE

    def _is_adjacent(self, cell: Cell) -> bool:
        if self.rules.adjacency == "anywhere":
            return True
        distances = [(abs(cell[ROW] - row), abs(cell[COLUMN] - column)) for row, column in self.piles]
        if self.rules.adjacency == "king":
            return any(max(distance) == 1 for distance in distances)
        return any(sum(distance) == 1 for distance in distances)

    # What it turns

    def place(self, cell: Cell, rank: int) -> tuple[list[Cell], list[Cell]]:
        """Place a card and turn its row, then its column; returns the cells turned in each, sorted."""
        self.piles.setdefault(cell, []).append(rank)
        self.face_down.discard(cell)
        row_flips = self._turn(cell, ROW)
        if self.rules.loss_check == "each_line" and self.too_many_face_down():
            return row_flips, []
        return row_flips, self._turn(cell, COLUMN)

    def _turn(self, cell: Cell, axis: int) -> list[Cell]:
        turned = self._turned(cell, axis)
        self.face_down ^= set(turned)
        return turned

    def _turned(self, cell: Cell, axis: int) -> list[Cell]:
        line = sorted(other for other in self.piles if other[axis] == cell[axis])
        others = [other for other in line if other != cell]
        face_up = [other for other in others if other not in self.face_down]
        scope = self.rules.flip_scope
        if not face_up:
            if not self._lone_card_turns(axis):
                return []
            if scope == "whole_line_all_up":
                return [other for other in line if other in self.face_down]
        elif not self._is_extreme(cell, others if self.rules.compare_face_down == "include" else face_up, axis):
            return []
        return others if scope == "others" else line

    def _lone_card_turns(self, axis: int) -> bool:
        return self.rules.lone_card == "flips" or (self.rules.lone_card == "flips_row_only" and axis == ROW)

    def _is_extreme(self, cell: Cell, compared: list[Cell], axis: int) -> bool:
        """Is the placed card higher than all compared tops, or lower than all?"""
        placed = self.piles[cell][-1]
        tops = [self.piles[other][-1] for other in compared]
        if self.rules.ties == "row_only" and axis == COLUMN:
            return placed >= max(tops) or placed <= min(tops)
        return placed > max(tops) or placed < min(tops)


class Referee:
    """Follows one game from `setup` to `outcome`, keeping the whole grid itself."""

    def __init__(self, transcript: Transcript):
        self.transcript = transcript
        setup = transcript.setup("foursquare", 1, 1)
        self.rules = Rules(transcript.options(setup, CHOICES, RANGES, {}))
        self.ranks = self.rules.ranks()
        self.grid = Grid(self.rules)
        self.stock: list[str] = []  # the card drawn first stands first
        self.counts = Counter()
        self.max_face_down = 0

    def follow_game(self) -> None:
        """Follow the whole transcript; raises `Disagreement` where it leaves the rules."""
        self.stock = self.transcript.cards(self.transcript.next("shuffle"), Counter(self.ranks.keys()))
        status = None
        while status is None:
            self._follow_turn()
            status = self._status()
        self._check_outcome(status)
        self.transcript.end()

    def _follow_turn(self) -> None:
        card = self.stock.pop(0)
        event = self.transcript.expect("place", turn=self.counts["placed"] + 1, card=card)
        cell = self._cell(event)
        refusal = self.grid.refusal(cell)
        self.transcript.require(refusal is None, f"place: {card} cannot be placed on {cell}: {refusal}")
        on = self.grid.lies_on(cell)
        self.transcript.require_field(event, "on", on)
        row_flips, col_flips = self.grid.place(cell, self.ranks[card])
        self.transcript.require_field(event, "row_flips", [list(flipped) for flipped in row_flips])
        self.transcript.require_field(event, "col_flips", [list(flipped) for flipped in col_flips])
        face_down = len(self.grid.face_down)
        self.transcript.require_field(event, "face_down", face_down)
        self.counts["placed"] += 1
        self.counts["stacked"] += on != "empty"
        self.counts["flips"] += len(row_flips) + len(col_flips)
        self.max_face_down = max(self.max_face_down, face_down)

    def _cell(self, event: dict) -> Cell:
        row, column = self.transcript.field(event, "row"), self.transcript.field(event, "col")
        self.transcript.require(is_whole(row) and is_whole(column), f"place: no such cell: ({row!r}, {column!r})")
        return row, column

    def _status(self) -> str | None:
        """How the game ended with the turn just followed; None if it goes on."""
        if self.grid.is_won():
            return "won"
        if self.grid.too_many_face_down():
            return "lost_face_down"
        if not self.stock:
            return "lost_stock_empty"
        return None if self.grid.has_place() else "lost_no_place"

    def _check_outcome(self, status: str) -> None:
        won = status == "won"
        event = self.transcript.expect(
            "outcome",
            won=won,
            status=status,
            score=len(self.stock) if won else None,
            score_or_zero=len(self.stock) if won else 0,
            placed=self.counts["placed"],
            piles=len(self.grid.piles),
            stacked=self.counts["stacked"],
            flips=self.counts["flips"],
            max_face_down=self.max_face_down,
            face_down=len(self.grid.face_down),
        )
        self.transcript.require("seats" not in event, "outcome: a solitaire has no seats")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], check))
