"""Single games of a run, step by step, from the reference engine."""

from collections.abc import Iterator
from typing import Any

from simkit.contract import NULL, Game
from simkit.run.spec import RunSpec
from simkit.strategy import Player

Event = dict[str, Any]


class Replay:
    """A run whose games can be written out: the same games, card by card, as the kernel plays."""

    def __init__(self, spec: RunSpec, rotation: int = 0):
        self.spec = spec
        found = {text: Player(spec.game, seat) for text, seat in {seat.text: seat for seat in spec.seats}.items()}
        self._seats = [spec.seats[(seat - rotation) % spec.players] for seat in range(spec.players)]
        self.players = [found[seat.text] for seat in self._seats]

    def events(self, index: int) -> Iterator[Event]:
        """The transcript of game `index`, from `setup` to `outcome`."""
        spec = self.spec
        yield {
            "event": "setup",
            "game": spec.game.name,
            "rules_version": spec.game.rules_version,
            "players": spec.players,
            "rules": dict(spec.rules),
            "strategies": [seat.text for seat in self._seats],
            "seed": spec.seed,
            "index": index,
        }
        choosers = [player.choose for player in self.players]
        yield from spec.game.part("reference").play(spec.rules, spec.seed, index, choosers)


def outcome_row(game: Game, players: int, outcome: Event) -> list[int]:
    """An `outcome` event as the kernel writes it: one whole number a column, see `Game.flat_columns`."""
    row = []
    for column, seat in game.flat_columns(players):
        value = outcome[column.name] if seat is None else outcome["seats"][seat][column.name]
        if column.words:
            value = column.words.index(value)
        row.append(NULL if value is None else round(value * column.scale))
    return row
