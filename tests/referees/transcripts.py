"""What the referees share: reading a transcript event by event, disagreeing with it, the command line.

Nothing here knows a game. Each referee brings the kinds of event that its rules page names, and a
`check(events)` that raises `Disagreement` at the first event that is wrong.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable


class Disagreement(Exception):
    """The transcript breaks the rules at event `number` (the first event of a game is number 1).

    Where events are missing at the end, `number` is one more than the last event's.
    """

    def __init__(self, number: int, message: str):
        super().__init__(number, message)
        self.number = number
        self.message = message

    def __str__(self) -> str:
        return f"event {self.number}: {self.message}"


def is_whole(value) -> bool:
    """True for an integer that is not a boolean: to Python, `True` is a 1."""
    return isinstance(value, int) and not isinstance(value, bool)


def plain(value):
    """Lists and tuples as lists, at any depth; an event that was never written to a file may hold either."""
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def same(found, expected) -> bool:
    """Equality that does not take a boolean for a number, nor a 1.0 for a 1, within lists either."""
    if type(found) is not type(expected):
        return False
    if isinstance(found, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    return found == expected


class Transcript:
    """Hands out one game's events in order, passing over all but the kinds that the game's rules page names."""

    def __init__(self, events: Iterable, kinds: Container[str]):
        self._events = iter(events)
        self._kinds = kinds
        self.number = 0

    def fail(self, message: str):
        """Disagree with the event read last."""
        raise Disagreement(self.number, message)

    def require(self, condition, message: str) -> None:
        """Disagree with the event read last unless the condition holds."""
        if not condition:
            self.fail(message)

    def _read(self, wanted: str) -> dict:
        self.number += 1
        for event in self._events:
            self.require(isinstance(event, dict), f"not an event: {event!r}")
            self.require(isinstance(event.get("event"), str), "an event without a kind")
            return event
        self.fail(f"the transcript stops where there should be {wanted}")

    def setup(self, game: str, least_players: int, most_players: int) -> dict:
        """The setup, all but its options looked at; nothing may stand before it."""
        event = self._read("setup")
        self.require(event["event"] == "setup", f"setup should come first, not {event['event']}")
        for name in ("rules_version", "seed", "index"):
            self.field(event, name)
        self.require_field(event, "game", game)
        players = self.field(event, "players")
        self.require(is_whole(players) and least_players <= players <= most_players, f"{players!r} players")
        strategies = self.field(event, "strategies")
        self.require(isinstance(strategies, list) and len(strategies) == players, "setup: not one strategy a seat")
        return event

    def options(self, setup: dict, choices: dict[str, tuple], ranges: dict[str, tuple], usual: dict) -> dict:
        """Every option of the setup: one of its `choices`, or whole and in its range (ends included).

        An option without a value (null) takes the one in `usual`, where there is one.
        """
        found = self.field(setup, "rules")
        self.require(isinstance(found, dict), "setup: rules is not an object")
        options = {}
        for name in (*choices, *ranges):
            self.require(name in found, f"setup: option {name} is missing")
            value = usual.get(name) if found[name] is None else found[name]
            if name in choices:
                allowed = value in choices[name]
            else:
                lowest, highest = ranges[name]
                allowed = is_whole(value) and lowest <= value <= highest
            self.require(allowed, f"setup: option {name} cannot be {value!r}")
            options[name] = value
        return options

    def next(self, *kinds: str) -> dict:
        """The next event the rules know, which must be of one of these kinds."""
        wanted = " or ".join(kinds)
        event = self._read(wanted)
        while event["event"] not in self._kinds:
            event = self._read(wanted)
        self.require(event["event"] in kinds, f"{event['event']} where there should be {wanted}: {event}")
        return event

    def expect(self, kind: str, **fields) -> dict:
        """The next event, which leaves no choice: this kind, with these fields."""
        event = self.next(kind)
        for name, expected in fields.items():
            self.require_field(event, name, expected)
        return event

    def field(self, event: dict, name: str):
        """A field that must be there."""
        self.require(name in event, f"{event['event']} has no {name}")
        return plain(event[name])

    def require_field(self, event: dict, name: str, expected) -> None:
        """A field that must be there with this value."""
        found = self.field(event, name)
        self.require(same(found, expected), f"{event['event']}: {name} should be {expected!r}, not {found!r}")

    def cards(self, event: dict, expected: Counter) -> list[str]:
        """The cards of a shuffle or reshuffle, in their order: exactly those expected."""
        kind = event["event"]
        cards = self.field(event, "cards")
        self.require(isinstance(cards, list), f"{kind}: cards is not a list")
        for card in cards:
            self.require(isinstance(card, str), f"{kind}: no such card: {card!r}")
        found = Counter(cards)
        missing, extra = sorted((expected - found).elements()), sorted((found - expected).elements())
        self.require(not missing and not extra, f"{kind}: {missing} missing, {extra} too many")
        return cards

    def end(self) -> None:
        """Nothing may follow the outcome."""
        for event in self._events:
            self.number += 1
            self.fail(f"something follows the outcome: {event!r}")


def parse_line(line: str):
    """The event on a line; a line that is not JSON stays text, which no game accepts as an event."""
    try:
        return json.loads(line)
    except ValueError:
        return line


def read_games(lines):
    """Split the lines of a file at each `setup`; yield each game as its (line number, event) pairs."""
    game = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        event = parse_line(line)
        if game and isinstance(event, dict) and event.get("event") == "setup":
            yield game
            game = []
        game.append((number, event))
    if game:
        yield game


def check_file(path: str, check: Callable[[Iterable], None]) -> int:
    """Check every game of a file, printing what was found; returns the exit code."""
    passed = 0
    with open(path, encoding="utf-8") as lines:
        for game in read_games(lines):
            try:
                check(event for _, event in game)
            except Disagreement as error:
                # Events missing at the end have no line of their own: the last line is named.
                line, _ = game[min(error.number, len(game)) - 1]
                print(f"{path}:{line}: {error.message} ({passed} games passed before)")
                return 1
            passed += 1
    print(f"{path}: {passed} games passed")
    # A file without a game has shown nothing.
    return 0 if passed else 1


def main(arguments: list[str], check: Callable[[Iterable], None]) -> int:
    """Run a referee from the command line on one file; returns the exit code."""
    if len(arguments) != 1:
        print("usage: python -m tests.referees.GAME FILE.jsonl", file=sys.stderr)
        return 2
    return check_file(arguments[0], check)
