"""An independent referee for Skyjo transcripts.

Written from `rules/common.md` and `rules/skyjo.md` only; it shares no code with the engines, so that a
mistake in one of the two shows as a disagreement. It keeps the whole table itself and leaves nothing to
the transcript but what is free: the order of the shuffles, the players' choices among the legal actions,
the lot between tied starters, and the order in which the columns of the final reveal are named.

    python -m tests.referees.skyjo FILE.jsonl
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.referees.transcripts import Transcript, is_whole, main, same

COUNTS = {-2: 5, -1: 10, 0: 15} | dict.fromkeys(range(1, 13), 10)
ROWS, COLUMNS = 3, 4
CELLS = ROWS * COLUMNS
OPENED = 2

CHOICES = {
    "next_starter": ("round_winner", "round_ender", "rotate", "highest_open"),
    "reveal_after_reject": ("optional", "forced"),
    "double_on_tie": (False, True),
    "double_nonpositive": (False, True),
    "column_rule": (True, False),
    "column_at_final_reveal": (True, False),
    "column_discard": ("on_top", "under"),
    "open_cells": ("choose", "random"),
    "first_starter_tie": ("lot", "lowest_seat"),
    "final_turns": ("one_each", "none"),
    "draw_empty": ("reshuffle", "end_round"),
}
RANGES = {
    "target": (1, 1000),
    "rounds": (0, 100),
    "multiplier": (1, 5),
    "max_turns": (1, 10**6),
    "max_rounds": (1, 10**6),
}

SEAT_COUNTS = ("ended", "doubled", "cleared")
KINDS = (
    *("setup", "round", "shuffle", "deal", "upcard", "open", "starter"),
    *("take", "draw", "exchange", "reject", "clear", "ending", "draw_empty", "reshuffle"),
    *("score", "outcome"),
)


def check(events) -> None:
    """Check one game's events, `setup` to `outcome`; raise `Disagreement` at the first that is wrong."""
    Referee(Transcript(events, KINDS)).follow_game()


class Rules:
    """The options of one game, each as an attribute."""

    def __init__(self, transcript: Transcript):
        setup = transcript.setup("skyjo", 2, 8)
        self.players = setup["players"]
        for name, value in transcript.options(setup, CHOICES, RANGES, {}).items():
            # To Python, 1 is among (False, True).
            allowed = name not in CHOICES or type(value) is type(CHOICES[name][0])
            transcript.require(allowed, f"setup: option {name} cannot be {value!r}")
            setattr(self, name, value)

    def doubles(self, scores: list[int], ender: int) -> bool:
        """Is the score of the seat that ended the round doubled?"""
        own = scores[ender]
        if own <= 0 and not self.double_nonpositive:
            return False
        lowest_other = min(score for seat, score in enumerate(scores) if seat != ender)
        return lowest_other < own or (self.double_on_tie and lowest_other == own)


class Grid:
    """One seat's twelve cells; those of a column that has left are in play no more."""

    def __init__(self, cards: list[int]):
        self.cards = dict(enumerate(cards))  # by cell, the cells in play only
        self.face_down = set(self.cards)

    def exchange(self, cell: int, card: int) -> int:
        """Lay a card face up on a cell; returns the card it replaces."""
        replaced = self.cards[cell]
        self.cards[cell] = card
        self.face_down.discard(cell)
        return replaced

    def turn_up(self, cell: int) -> int:
        """Turn up a face-down card; returns it."""
        self.face_down.remove(cell)
        return self.cards[cell]

    def complete_columns(self) -> list[int]:
        """The columns in play of three face-up cards of one value."""
        return [column for column in range(COLUMNS) if self._is_complete(column)]

    def remove_column(self, column: int) -> list[int]:
        """Take a column out of play; returns its cards."""
        return [self.cards.pop(cell) for cell in range(column, CELLS, COLUMNS)]

    def points(self) -> int:
        """The sum of the cards in play."""
        return sum(self.cards.values())

    def _is_complete(self, column: int) -> bool:
        cells = range(column, CELLS, COLUMNS)
        if any(cell not in self.cards or cell in self.face_down for cell in cells):
            return False
        return len({self.cards[cell] for cell in cells}) == 1


class Referee:
    """Follows one game from `setup` to `outcome`, keeping the whole table itself."""

    def __init__(self, transcript: Transcript):
        self.transcript = transcript
        self.rules = rules = Rules(transcript)
        self.seats = range(rules.players)
        self.counts = Counter()
        self.seat_counts = {name: [0] * rules.players for name in SEAT_COUNTS}
        self.totals = [0] * rules.players
        self.raw = [0] * rules.players
        self.first_starter = -1
        # The round in hand.
        self.draw_pile: list[int] = []  # the card drawn first stands first
        self.discard_pile: list[int] = []  # the top stands last
        self.grids: list[Grid] = []
        self.starter = -1
        self.scores: list[int] = []
        self.ender: int | None = None
        self.cut_off: str | None = None  # what stopped the round before its end: "draw_empty" or "capped"

    def follow_game(self) -> None:
        """Follow the whole transcript; raises `Disagreement` where it leaves the rules."""
        status = None
        while status is None:
            self._follow_round()
            status = self._status()
        self._check_outcome(status)
        self.transcript.end()

    def _status(self) -> str | None:
        """How the game ended with the round just followed; None if it goes on."""
        if self.cut_off == "capped":
            return "capped"
        played = self.counts["rounds"]
        if self.rules.rounds:
            return "won" if played == self.rules.rounds else None
        if max(self.totals) >= self.rules.target:
            return "won"
        return "capped" if played == self.rules.max_rounds else None

    # A round

    def _follow_round(self) -> None:
        self.counts["rounds"] += 1
        self.transcript.expect("round", round=self.counts["rounds"])
        self._shuffle_and_deal()
        for seat in self.seats:
            self._follow_open(seat)
        self._follow_starter()
        self.ender, self.cut_off = None, None
        self._follow_turns()
        self._follow_final_reveal()
        self._follow_score()

    def _shuffle_and_deal(self) -> None:
        pile = self._cards(self.transcript.next("shuffle"), Counter(COUNTS))
        players = self.rules.players
        dealt = players * CELLS
        self.grids = []
        for seat in self.seats:
            cards = pile[seat:dealt:players]
            self.transcript.expect("deal", seat=seat, cards=cards)
            self.grids.append(Grid(cards))
        self.transcript.expect("upcard", card=pile[dealt])
        self.discard_pile = [pile[dealt]]
        self.draw_pile = pile[dealt + 1 :]

    def _cards(self, event: dict, expected: Counter) -> list[int]:
        """The cards of a shuffle or reshuffle, in their order: exactly those expected."""
        kind, cards = event["event"], self.transcript.field(event, "cards")
        self.transcript.require(isinstance(cards, list), f"{kind}: cards is not a list")
        for card in cards:
            self.transcript.require(is_whole(card), f"{kind}: no such card: {card!r}")
        found = Counter(cards)
        missing, extra = sorted((expected - found).elements()), sorted((found - expected).elements())
        self.transcript.require(not missing and not extra, f"{kind}: {missing} missing, {extra} too many")
        return cards

    def _follow_open(self, seat: int) -> None:
        event = self.transcript.expect("open", seat=seat)
        cells = self.transcript.field(event, "cells")
        self.transcript.require(isinstance(cells, list) and len(cells) == OPENED, f"open: cells is {cells!r}")
        values = []
        for cell in cells:
            self._require_cell(event, cell, self.grids[seat].face_down)
            values.append(self.grids[seat].turn_up(cell))
        self.transcript.require_field(event, "values", values)

    def _require_cell(self, event: dict, cell, legal) -> None:
        allowed = is_whole(cell) and cell in legal
        self.transcript.require(allowed, f"{event['event']}: cell {cell!r} is not one of {sorted(legal)}")

    # Who starts

    def _follow_starter(self) -> None:
        event = self.transcript.next("starter")
        allowed = self._possible_starters()
        seat = self.transcript.field(event, "seat")
        self.transcript.require(
            is_whole(seat) and seat in allowed, f"starter: seat should be one of {allowed}, not {seat!r}"
        )
        self.starter = seat
        if self.counts["rounds"] == 1:
            self.first_starter = seat

    def _possible_starters(self) -> list[int]:
        """The seat that starts the round; several only where the lot decides. `ender` is the last round's."""
        way = self.rules.next_starter
        if self.counts["rounds"] == 1 or way == "highest_open":
            return self._highest_open()
        if way == "rotate":
            return [(self.starter + 1) % self.rules.players]
        if way == "round_ender" and self.ender is not None:
            return [self.ender]
        lowest = min(self.scores)
        return [next(seat for seat in self._seats_from(self.starter) if self.scores[seat] == lowest)]

    def _highest_open(self) -> list[int]:
        sums = [sum(card for cell, card in grid.cards.items() if cell not in grid.face_down) for grid in self.grids]
        tied = [seat for seat in self.seats if sums[seat] == max(sums)]
        return tied if self.rules.first_starter_tie == "lot" else tied[:1]

    def _seats_from(self, first: int) -> list[int]:
        return [(first + step) % self.rules.players for step in self.seats]

    # Turns

    def _follow_turns(self) -> None:
        """All turns of the round, up to its end or to what cuts it off."""
        turns, seat, final_turns = 0, self.starter, None
        while final_turns != 0:
            if turns == self.rules.players * self.rules.max_turns:
                self.cut_off = "capped"
                return
            if not self._follow_turn(seat):
                self.cut_off = "draw_empty"
                return
            turns += 1
            self.counts["turns"] += 1
            if final_turns is not None:
                final_turns -= 1
            elif not self.grids[seat].face_down:
                self._follow_ending(seat)
                final_turns = self.rules.players - 1 if self.rules.final_turns == "one_each" else 0
            seat = (seat + 1) % self.rules.players

    def _follow_ending(self, seat: int) -> None:
        self.transcript.expect("ending", seat=seat)
        self.ender = seat
        self.seat_counts["ended"][seat] += 1

    def _follow_turn(self, seat: int) -> bool:
        """One turn with its clear; False if the seat drew from an empty pile and so ended the round."""
        if self.draw_pile:
            event = self.transcript.next("take", "draw")
        elif self.rules.draw_empty == "reshuffle":
            event = self.transcript.next("take", "reshuffle")
            if event["event"] == "reshuffle":
                self._reshuffle(event)
                event = self.transcript.next("draw")
        else:
            event = self.transcript.next("take", "draw_empty")
        self.transcript.require_field(event, "seat", seat)
        if event["event"] == "draw_empty":
            return False
        if event["event"] == "take":
            self._follow_take(seat, event)
        else:
            self._follow_draw(seat, event)
        self._follow_clear(seat)
        return True

    def _reshuffle(self, event: dict) -> None:
        *rest, top = self.discard_pile
        self.draw_pile = self._cards(event, Counter(rest))
        self.discard_pile = [top]
        self.counts["reshuffles"] += 1

    def _follow_take(self, seat: int, event: dict) -> None:
        card = self.discard_pile.pop()
        self.transcript.require_field(event, "card", card)
        self._exchange(seat, event, card)

    def _follow_draw(self, seat: int, event: dict) -> None:
        card = self.draw_pile.pop(0)
        self.transcript.require_field(event, "card", card)
        event = self.transcript.next("exchange", "reject")
        self.transcript.require_field(event, "seat", seat)
        if event["event"] == "exchange":
            self._exchange(seat, event, card)
        else:
            self.discard_pile.append(card)
            self._follow_reveal(self.grids[seat], event)

    def _exchange(self, seat: int, event: dict, card: int) -> None:
        grid = self.grids[seat]
        cell = self.transcript.field(event, "cell")
        self._require_cell(event, cell, grid.cards)
        replaced = grid.exchange(cell, card)
        self.transcript.require_field(event, "replaced", replaced)
        self.discard_pile.append(replaced)

    def _follow_reveal(self, grid: Grid, event: dict) -> None:
        """The card turned up, or not, after a reject."""
        cell = self.transcript.field(event, "cell")
        if cell is None:
            may_leave = self.rules.reveal_after_reject == "optional" or not grid.face_down
            self.transcript.require(may_leave, "reject: a face-down card must be turned up")
            self.transcript.require_field(event, "value", None)
        else:
            self._require_cell(event, cell, grid.face_down)
            self.transcript.require_field(event, "value", grid.turn_up(cell))

    def _follow_clear(self, seat: int) -> None:
        """A turn changes one cell, so it completes one column at most."""
        if not self.rules.column_rule:
            return
        for column in self.grids[seat].complete_columns():
            cards = self.grids[seat].remove_column(column)
            self.transcript.expect("clear", seat=seat, column=column, value=cards[0])
            self.seat_counts["cleared"][seat] += 1
            if self.rules.column_discard == "on_top":
                self.discard_pile += cards
            else:
                self.discard_pile[-1:-1] = cards

    # The end of a round

    def _follow_final_reveal(self) -> None:
        for grid in self.grids:
            grid.face_down.clear()
        if not (self.rules.column_rule and self.rules.column_at_final_reveal):
            return
        left = [(seat, column) for seat in self.seats for column in self.grids[seat].complete_columns()]
        while left:
            event = self.transcript.next("clear")
            place = self.transcript.field(event, "seat"), self.transcript.field(event, "column")
            known = all(map(is_whole, place)) and place in left
            self.transcript.require(known, f"clear: (seat, column) should be one of {left}, not {place}")
            left.remove(place)
            seat, column = place
            cards = self.grids[seat].remove_column(column)
            self.transcript.require_field(event, "value", cards[0])
            self.seat_counts["cleared"][seat] += 1

    def _follow_score(self) -> None:
        scores = [grid.points() for grid in self.grids]
        self.raw = [raw + score for raw, score in zip(self.raw, scores, strict=True)]
        doubled = None
        if self.cut_off is None and self.rules.doubles(scores, self.ender):
            doubled = self.ender
            scores[doubled] *= self.rules.multiplier
            self.seat_counts["doubled"][doubled] += 1
        self.scores = scores
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        self.transcript.expect("score", round=self.counts["rounds"], scores=scores, doubled=doubled, totals=self.totals)

    # The outcome

    def _check_outcome(self, status: str) -> None:
        lowest = min(self.totals)
        winners = [seat for seat in self.seats if self.totals[seat] == lowest] if status == "won" else []
        event = self.transcript.expect(
            "outcome",
            winner=winners[0] if winners else -1,
            tied=len(winners),
            status=status,
            rounds=self.counts["rounds"],
            turns=self.counts["turns"],
            first_starter=self.first_starter,
            reshuffles=self.counts["reshuffles"],
        )
        seats = self.transcript.field(event, "seats")
        self.transcript.require(
            isinstance(seats, list) and len(seats) == self.rules.players, "outcome: not one entry a seat"
        )
        for seat, found in enumerate(seats):
            self.transcript.require(isinstance(found, dict), f"outcome: seat {seat} is not an object")
            self._check_seat(seat, found, 1 / len(winners) if seat in winners else 0)

    def _check_seat(self, seat: int, found: dict, win_share: float) -> None:
        columns = {"total": self.totals[seat], "raw": self.raw[seat]}
        columns |= {name: counts[seat] for name, counts in self.seat_counts.items()}
        for name, expected in columns.items():
            self.transcript.require(
                name in found and same(found[name], expected),
                f"outcome: seat {seat}: {name} should be {expected!r}, not {found.get(name)!r}",
            )
        share = found.get("win_share")
        # A fraction: 1 and 1.0, 0 and 0.0 are one value here.
        is_number = is_whole(share) or isinstance(share, float)
        self.transcript.require(
            is_number and share == win_share,
            f"outcome: seat {seat}: win_share should be {win_share!r}, not {share!r}",
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], check))
