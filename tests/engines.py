"""Playing the same games in both engines of a game, for every game's test_engines."""

import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from simkit.contract import Game, Option
from simkit.run.blocks import Seating
from simkit.run.spec import RunSpec
from simkit.run.transcript import Replay, outcome_row
from simkit.strategy import Player, resolve


def slow_size(full: int) -> int:
    """How many examples a slow test draws: its full size times SIMKIT_SLOW."""
    return max(1, round(full * float(os.environ.get("SIMKIT_SLOW") or 1)))


class Engines:
    """Both engines of a game, its referee if there is one, and the fingerprint strategy in the folder of its tests.

    `highest` holds values of options beyond which the reference engine would take too long.
    """

    def __init__(self, game: Game, folder: Path, referee: Callable[[Iterable], None] | None, highest: dict[str, int]):
        self.game, self._referee, self._highest = game, referee, highest
        self.fingerprint = f"{folder / 'fingerprint.py'}:choose"
        self.texts = st.sampled_from([self.fingerprint, *game.calibration])
        self.player = cache(lambda text: Player(game, resolve(game, text)))

    def options(self) -> st.SearchStrategy[dict[str, Any]]:
        """Any choice of options, many of them at their default."""
        return st.fixed_dictionaries({}, optional={option.name: self._values(option) for option in self.game.options})

    def _values(self, option: Option) -> st.SearchStrategy:
        if option.values:
            return st.sampled_from(option.values)
        return st.integers(option.low, min(option.high, self._highest.get(option.name, option.high)))

    def compare(self, chosen: dict[str, Any], texts: list[str], seed: int, index: int, games: int = 2) -> None:
        """The transcripts pass the referee and end in the kernel's rows."""
        game, players = self.game, len(texts)
        rules = game.rules(players, chosen)
        seats = [self.player(text) for text in texts]
        replay = Replay(RunSpec(game, rules, tuple(seat.strategy for seat in seats), games, seed))
        rows = Seating(game, rules, seats).play(seed, index, games)
        names = [(column.name, seat) for column, seat in game.flat_columns(players)]
        for i, row in enumerate(rows.tolist()):
            events = list(replay.events(index + i))
            if self._referee is not None:
                self._referee(events)
            told = outcome_row(game, players, events[-1])
            assert dict(zip(names, told, strict=True)) == dict(zip(names, row, strict=True)), (
                f"game {index + i} of seed {seed} under {chosen}, {texts}"
            )
