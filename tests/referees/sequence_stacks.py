"""An independent referee for Sequence Stacks transcripts.

Written from `rules/common.md` and `rules/sequence_stacks.md` only; it shares no code with the engine,
so that a mistake in one of the two shows as a disagreement. It follows a transcript event by event,
keeps the whole table itself, and leaves nothing to the transcript but what is free: the order of
the shuffles, the players' choices among the legal actions, and (under `block_priority = random`) the
order of asking.

    python -m tests.referees.sequence_stacks FILE.jsonl
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.referees.transcripts import Transcript, is_whole, main, same

COLORS = ("R", "B")
SEQUENCE_LENGTH = 5
NUMBERS = {f"{color}{value}": (color, value) for color in COLORS for value in range(1, SEQUENCE_LENGTH + 1)}
WILDS = {f"{color}W": color for color in COLORS}

# The option that counts each kind of action card, and the outcome column that counts those played.
ACTION_OPTIONS = {
    "Skip": "skip",
    "Reverse": "reverse",
    "StealCard": "steal_card",
    "Block": "block",
    "StealChip": "steal_chip",
}
ACTION_COLUMNS = {
    "Skip": "skips",
    "Reverse": "reverses",
    "StealCard": "steal_cards",
    "StealChip": "steal_chips",
}

COUNT_OPTIONS = ("numbers", "wilds", *ACTION_OPTIONS.values())
COUNTS_FOR_TWO = dict(zip(COUNT_OPTIONS, (9, 7, 2, 0, 2, 2, 2), strict=True))
COUNTS_FOR_MORE = dict(zip(COUNT_OPTIONS, (9, 7, 3, 3, 3, 3, 4), strict=True))

CHOICES = {
    "hand_refill": ("start_of_turn", "end_of_turn", "when_empty", "seed_literal"),
    "stop_early": ("allowed", "forbidden"),
    "discard_action_cards": ("allowed", "forbidden"),
    "play_action_from_discard": ("allowed", "forbidden"),
    "skip_stacking": ("cumulative", "none"),
    "block_priority": ("turn_order", "random"),
    "blocked_pile_to": ("removed", "out_of_game"),
    "steal_chip_win": ("illegal", "no_win_until_next", "wins"),
    "two_player_reverse": ("no_effect", "skips"),
}
RANGES = {
    "piles_per_color": (1, 4),
    "chips_per_color": (1, 100),
    "win_chips": (1, 20),
    "win_each_color": (0, 10),
    "hand_size": (1, 10),
    "max_turns": (1, 10**6),
    "max_plays": (1, 10**6),
    **dict.fromkeys(COUNT_OPTIONS, (0, 9)),
}

MOVES = ("play", "action", "discard", "pass")
KINDS = ("setup", "shuffle", "draw", "reshuffle", "turn", *MOVES, "complete", "block", "chip", "skipped", "outcome")


def check(events) -> None:
    """Check one game's events, `setup` to `outcome`; raise `Disagreement` at the first that is wrong."""
    Referee(Transcript(events, KINDS)).follow_game()


class Rules:
    """The options of one game as its setup gives them, each as an attribute."""

    def __init__(self, transcript: Transcript):
        setup = transcript.setup("sequence_stacks", 2, 6)
        self.players = setup["players"]
        # No count given means the count by the number of players.
        usual_counts = COUNTS_FOR_TWO if self.players == 2 else COUNTS_FOR_MORE
        for name, value in transcript.options(setup, CHOICES, RANGES, usual_counts).items():
            setattr(self, name, value)
        self._refuse(transcript)

    def _refuse(self, transcript: Transcript) -> None:
        transcript.require(self.win_each_color <= self.chips_per_color, "setup: win_each_color cannot be reached")
        transcript.require(self.win_chips <= 2 * self.chips_per_color, "setup: win_chips cannot be reached")
        transcript.require(
            self.deck().total() >= self.players * self.hand_size, "setup: the deck is too small to deal every hand"
        )

    def deck(self) -> Counter:
        """How many of each card are in the game."""
        counts = dict.fromkeys(NUMBERS, self.numbers) | dict.fromkeys(WILDS, self.wilds)
        counts |= {card: getattr(self, option) for card, option in ACTION_OPTIONS.items()}
        return Counter(counts)

    def acts_as_skip(self, card: str) -> bool:
        """Skip, and with two players Reverse where an option makes it one."""
        return card == "Skip" or (card == "Reverse" and self.players == 2 and self.two_player_reverse == "skips")


class Chips:
    """The supply, every seat's chips, and the course of the lead."""

    def __init__(self, rules: Rules):
        self._rules = rules
        self.supply = dict.fromkeys(COLORS, rules.chips_per_color)
        self.held = [dict.fromkeys(COLORS, 0) for _ in range(rules.players)]
        self.lead_changes = 0
        self.worst_deficit = [0] * rules.players
        self._last_sole_leader = None

    def take_from_supply(self, seat: int, color: str) -> None:
        """A chip for a completed sequence."""
        self.supply[color] -= 1
        self.held[seat][color] += 1
        self._look_at_the_lead()

    def steal(self, thief: int, victim: int, color: str) -> None:
        """A chip changes hands: one moment for the lead, not two."""
        self.held[victim][color] -= 1
        self.held[thief][color] += 1
        self._look_at_the_lead()

    def fulfils_win(self, seat: int, extra: str | None = None) -> bool:
        """Has the seat the chips that win, counting one more of colour `extra`?"""
        counts = [self.held[seat][color] + (color == extra) for color in COLORS]
        return sum(counts) >= self._rules.win_chips and min(counts) >= self._rules.win_each_color

    def _look_at_the_lead(self) -> None:
        totals = [sum(chips.values()) for chips in self.held]
        most = max(totals)
        for seat, total in enumerate(totals):
            self.worst_deficit[seat] = max(self.worst_deficit[seat], most - total)
        if totals.count(most) > 1:
            return
        leader = totals.index(most)
        if self._last_sole_leader not in (None, leader):
            self.lead_changes += 1
        self._last_sole_leader = leader


class Referee:
    """Follows one game from `setup` to `outcome`, keeping the whole table itself."""

    def __init__(self, transcript: Transcript):
        self.transcript = transcript
        self.rules = rules = Rules(transcript)
        self.seats = range(rules.players)
        self.chips = Chips(rules)
        self.draw_pile: list[str] = []  # the card drawn first stands first
        self.removed: list[str] = []
        self.hands: list[list[str]] = [[] for _ in self.seats]
        self.discard_piles: list[list[str]] = [[] for _ in self.seats]  # the top stands last
        self.piles: dict[str, list[list[str]]] = {color: [] for color in COLORS}  # older piles first
        self.direction = 1
        self.turns_to_lose = [0] * rules.players
        self.idle_seats: set[int] = set()  # had a turn without a card since a card was last played or discarded
        self.turns_of = [0] * rules.players
        self.counts = Counter()
        self.status: str | None = None
        self.winner = -1
        # The turn in hand.
        self.seat = 0
        self.turn_over = False
        self.idle_turn = True
        self.skips_this_turn = 0

    def follow_game(self) -> None:
        """Follow the whole transcript; raises `Disagreement` where it leaves the rules."""
        self._shuffle_and_deal()
        while self.status is None:
            self._follow_turn()
        self._check_outcome()
        self.transcript.end()

    # Drawing

    def _shuffle_and_deal(self) -> None:
        self.draw_pile = self.transcript.cards(self.transcript.next("shuffle"), self.rules.deck())
        for _ in range(self.rules.hand_size):
            for seat in self.seats:
                self._draw(seat, 1, "deal")

    def _draw(self, seat: int, number: int, reason: str) -> None:
        left = number - self._draw_from_pile(seat, number, reason)
        if left > 0 and self.removed:
            self._reshuffle()
            self._draw_from_pile(seat, left, reason)

    def _draw_from_pile(self, seat: int, number: int, reason: str) -> int:
        cards = self.draw_pile[: max(number, 0)]
        if cards:
            self.transcript.expect("draw", seat=seat, cards=cards, reason=reason)
            del self.draw_pile[: len(cards)]
            self.hands[seat] += cards
        return len(cards)

    def _reshuffle(self) -> None:
        self.draw_pile = self.transcript.cards(self.transcript.next("reshuffle"), Counter(self.removed))
        self.removed = []
        self.counts["reshuffles"] += 1

    # A turn

    def _follow_turn(self) -> None:
        self._begin_turn()
        while not self.turn_over and self.status is None:
            self._follow_decision()
        if self.status is None:
            self._end_turn()

    def _begin_turn(self) -> None:
        self.counts["turns"] += 1
        self.turns_of[self.seat] += 1
        self.turn_over = False
        self.idle_turn = True
        self.skips_this_turn = 0
        self.transcript.expect("turn", seat=self.seat, turn=self.counts["turns"])
        refill = self.rules.hand_refill
        if refill == "start_of_turn" or (refill == "when_empty" and not self._hand()):
            self._fill_hand("turn")

    def _follow_decision(self) -> None:
        event = self.transcript.next(*MOVES)
        self.transcript.require_field(event, "seat", self.seat)
        if event["event"] == "play":
            self._follow_play(event)
        elif event["event"] == "action":
            self._follow_action(event)
        elif event["event"] == "discard":
            self._follow_discard(event)
        else:
            self._follow_pass()

    def _end_turn(self) -> None:
        if self.rules.hand_refill == "end_of_turn":
            self._fill_hand("turn_end")
        if self.idle_turn:
            self.idle_seats.add(self.seat)
        if len(self.idle_seats) == self.rules.players:
            self.status = "stalemate"
        elif self.counts["turns"] >= self.rules.max_turns:
            self.status = "capped"
        else:
            self._deal_out_skips()
            self._find_next_seat()

    def _deal_out_skips(self) -> None:
        opponents = self._opponents_in_turn_order()
        for number in range(self.skips_this_turn):
            self.turns_to_lose[opponents[number % len(opponents)]] += 1

    def _find_next_seat(self) -> None:
        self.seat = self._seat_after(1)
        while self.turns_to_lose[self.seat]:
            self.transcript.expect("skipped", seat=self.seat)
            self.turns_to_lose[self.seat] -= 1
            self.seat = self._seat_after(1)

    def _seat_after(self, steps: int) -> int:
        return (self.seat + self.direction * steps) % self.rules.players

    def _opponents_in_turn_order(self) -> list[int]:
        return [self._seat_after(steps) for steps in range(1, self.rules.players)]

    def _hand(self) -> list[str]:
        return self.hands[self.seat]

    def _fill_hand(self, reason: str) -> None:
        self._draw(self.seat, self.rules.hand_size - len(self._hand()), reason)

    # Ending a turn

    def _follow_discard(self, event: dict) -> None:
        card = self.transcript.field(event, "card")
        self.transcript.require(card in self._hand(), f"discard of {card!r}, which is not in the hand")
        if self.rules.discard_action_cards == "forbidden" and card in ACTION_OPTIONS:
            only_actions = all(held in ACTION_OPTIONS for held in self._hand())
            self.transcript.require(only_actions, f"discard of {card}: action cards may not be discarded")
        self._require_may_stop()
        self._hand().remove(card)
        self.discard_piles[self.seat].append(card)
        self._note_activity()
        self.turn_over = True

    def _follow_pass(self) -> None:
        self.transcript.require(not self._hand(), "pass with cards in the hand")
        self._require_may_stop()
        self.turn_over = True

    def _require_may_stop(self) -> None:
        if self.rules.stop_early == "forbidden":
            playable = [card for card in self._cards_at_hand() if self._values(card)]
            self.transcript.require(not playable, f"the turn may not end while {playable} can be played")

    def _note_activity(self) -> None:
        self.idle_turn = False
        self.idle_seats.clear()

    # Numbers and wilds

    def _cards_at_hand(self) -> list[str]:
        return self._hand() + self.discard_piles[self.seat][-1:]

    def _values(self, card: str) -> list[int]:
        """The values that the card can be played as; none for an action card."""
        if card in WILDS:
            return [value for value in range(1, SEQUENCE_LENGTH + 1) if self._fits(WILDS[card], value)]
        if card in NUMBERS and self._fits(*NUMBERS[card]):
            return [NUMBERS[card][1]]
        return []

    def _fits(self, color: str, value: int) -> bool:
        piles = self.piles[color]
        if value == 1:
            return len(piles) < self.rules.piles_per_color
        return any(len(pile) == value - 1 for pile in piles)

    def _follow_play(self, event: dict) -> None:
        card = self._take_played_card(event)
        self.transcript.require(card in NUMBERS or card in WILDS, f"{card} cannot be laid on a pile")
        value = self.transcript.field(event, "value")
        self.transcript.require(
            is_whole(value) and value in self._values(card), f"{card} cannot be played as {value!r}: {self.piles}"
        )
        color = card[0]
        pile = self._lay(card, color, value)
        self.transcript.require_field(event, "pile", pile)
        self.counts["plays"] += 1
        if len(pile) == SEQUENCE_LENGTH:
            self._complete(color, pile)
        self._resolve_card()

    def _lay(self, card: str, color: str, value: int) -> list[str]:
        if value == 1:
            self.piles[color].append([])
        # The first that is found is the oldest of equal piles.
        pile = next(pile for pile in self.piles[color] if len(pile) == value - 1)
        pile.append(card)
        return pile

    def _take_played_card(self, event: dict) -> str:
        """Take the card of a play or action from where it is said to come from."""
        card = self.transcript.field(event, "card")
        source = self.transcript.field(event, "from")
        if source == "hand":
            self.transcript.require(card in self._hand(), f"{card!r} is not in the hand: {self._hand()}")
            self._hand().remove(card)
        else:
            self.transcript.require(source == "discard", f"a card cannot come from {source!r}")
            top = self.discard_piles[self.seat][-1:]
            self.transcript.require(top == [card], f"{card!r} is not on top of the discard pile: {top}")
            self.discard_piles[self.seat].pop()
        return card

    def _resolve_card(self) -> None:
        """What follows once a card is wholly resolved: an end of the game, or cards for an empty hand."""
        self._note_activity()
        cards_played = self.counts["plays"] + sum(self.counts[column] for column in ACTION_COLUMNS.values())
        if self.status is None and cards_played >= self.rules.max_plays:
            self.status = "capped"
        if self.status is None and not self._hand():
            self._fill_hand("hand_empty")

    # A completed sequence

    def _complete(self, color: str, pile: list[str]) -> None:
        self.transcript.expect("complete", seat=self.seat, color=color)
        self.counts["sequences"] += 1
        blocked = self._ask_for_blocks()
        # By identity: another pile could hold the very same cards.
        self.piles[color] = [other for other in self.piles[color] if other is not pile]
        if not blocked or self.rules.blocked_pile_to == "removed":
            self.removed += pile
        if not blocked and self.chips.supply[color]:
            self.transcript.expect("chip", seat=self.seat, color=color)
            self.chips.take_from_supply(self.seat, color)
            self._look_for_win()

    def _ask_for_blocks(self) -> bool:
        holders = [seat for seat in self._opponents_in_turn_order() if "Block" in self.hands[seat]]
        while holders:
            event = self.transcript.next("block")
            if self.rules.block_priority == "turn_order":
                self.transcript.require_field(event, "seat", holders[0])
            seat = self.transcript.field(event, "seat")
            self.transcript.require(
                is_whole(seat) and seat in holders, f"block asked of seat {seat!r}, when only {holders} are to be asked"
            )
            holders.remove(seat)
            played = self.transcript.field(event, "played")
            self.transcript.require(isinstance(played, bool), f"block: played should be a boolean, not {played!r}")
            if played:
                self.hands[seat].remove("Block")
                self.counts["blocks"] += 1
                return True
        return False

    def _look_for_win(self) -> None:
        if self.chips.fulfils_win(self.seat):
            self.status = "won"
            self.winner = self.seat

    # Action cards

    def _follow_action(self, event: dict) -> None:
        card = self._take_played_card(event)
        self.transcript.require(card in ACTION_COLUMNS, f"{card} cannot be played as an action")
        if self.rules.play_action_from_discard == "forbidden":
            self.transcript.require(event["from"] == "hand", "action cards may not be played from the discard pile")
        if self.rules.acts_as_skip(card):
            self._skip()
        elif card == "Reverse":
            self._reverse()
        elif card == "StealCard":
            self._steal_card(event)
        else:
            self._steal_chip(event)
        self.counts[ACTION_COLUMNS[card]] += 1
        self._resolve_card()

    def _skip(self) -> None:
        if self.rules.skip_stacking == "none":
            self.transcript.require(not self.skips_this_turn, "a second Skip in one turn")
        self.skips_this_turn += 1

    def _reverse(self) -> None:
        self.transcript.require(self.rules.players > 2, "Reverse has no effect with two players")
        self.direction = -self.direction

    def _target(self, event: dict) -> int:
        target = self.transcript.field(event, "target")
        is_opponent = is_whole(target) and target in self.seats and target != self.seat
        self.transcript.require(is_opponent, f"target {target!r} is not an opponent")
        return target

    def _steal_card(self, event: dict) -> None:
        target = self._target(event)
        self.transcript.require(self.discard_piles[target], f"seat {target} has no discard to steal")
        self.transcript.require_field(event, "stolen", self.discard_piles[target][-1])
        self._hand().append(self.discard_piles[target].pop())

    def _steal_chip(self, event: dict) -> None:
        target = self._target(event)
        color = self.transcript.field(event, "color")
        self.transcript.require(isinstance(color, str) and color in COLORS, f"no such colour: {color!r}")
        self.transcript.require(self.chips.held[target][color], f"seat {target} has no {color} chip to steal")
        if self.rules.steal_chip_win == "illegal":
            wins = self.chips.fulfils_win(self.seat, extra=color)
            self.transcript.require(not wins, f"stealing a {color} chip would win")
        self.chips.steal(self.seat, target, color)
        if self.rules.steal_chip_win == "wins":
            self._look_for_win()

    # The outcome

    def _check_outcome(self) -> None:
        event = self.transcript.expect("outcome", **self._outcome_columns())
        seats = self.transcript.field(event, "seats")
        self.transcript.require(
            isinstance(seats, list) and len(seats) == self.rules.players, "outcome: not one entry a seat"
        )
        for seat, found in enumerate(seats):
            self.transcript.require(isinstance(found, dict), f"outcome: seat {seat} is not an object")
            for name, expected in self._seat_columns(seat).items():
                self.transcript.require(
                    name in found and same(found[name], expected),
                    f"outcome: seat {seat}: {name} should be {expected!r}, not {found.get(name)!r}",
                )

    def _outcome_columns(self) -> dict:
        counted = ("turns", "plays", "sequences", "blocks", *ACTION_COLUMNS.values(), "reshuffles")
        return {
            "winner": self.winner,
            "status": self.status,
            **{column: self.counts[column] for column in counted},
            "lead_changes": self.chips.lead_changes,
            "winner_deficit": self.chips.worst_deficit[self.winner] if self.status == "won" else None,
        }

    def _seat_columns(self, seat: int) -> dict:
        held = self.chips.held[seat]
        return {"red": held["R"], "blue": held["B"], "turns": self.turns_of[seat]}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], check))
