"""Blocks of games: the unit of work, of progress, of interruption. A block is a pure function of its number."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from simkit.contract import Game, Rules
from simkit.errors import StrategyError
from simkit.strategy import Player

BLOCK = 4096
"""Deals in a block. Jitted code does not hear Ctrl-C, so a block takes well under half a second."""

Result = TypeVar("Result")


class Seating:
    """A game, its rules, and a compiled player in each seat: what is needed to play any number of deals."""

    def __init__(self, game: Game, rules: Rules, players: Sequence[Player]):
        self.game, self.rules, self.players = game, rules, tuple(players)
        self.width = len(game.flat_columns(rules.players))
        self._record = np.array([game.codes(rules)], game.part("state").RULES_RECORD)
        self._choices = np.array([player.address for player in players], np.int64)
        self._params = np.array([player.params_address for player in players], np.int64)
        self._play_block = game.part("kernel").play_block

    def rotated(self, steps: int) -> "Seating":
        """The same players `steps` seats further on: seat 0's player sits in seat `steps`."""
        turned = [self.players[(seat - steps) % len(self.players)] for seat in range(len(self.players))]
        return Seating(self.game, self.rules, turned)

    def play(self, seed: int, first: int, deals: int) -> np.ndarray:
        """Outcome rows of games first … first + deals - 1: int64, (deals, columns as in `Game.flat_columns`).

        Raises StrategyError if a strategy answers with an index that is no legal action, or raises by itself.
        """
        rows = np.empty((deals, self.width), np.int64)
        arguments = self._record[0], len(self.players), np.uint64(seed), np.uint64(first)
        try:
            seat = self._play_block(*arguments, self._choices, self._params, rows)
        except Exception as problem:
            names = ", ".join(dict.fromkeys(player.strategy.name for player in self.players))
            raise StrategyError(f"a strategy failed ({names}): {type(problem).__name__}: {problem}") from problem
        if seat >= 0:
            raise StrategyError(
                f"{self.players[seat].strategy.name} in seat {seat} answered with an index outside of its legal "
                "actions, allowed: 0 to view.n_actions - 1"
            )
        return rows


def block_sizes(deals: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """(first deal, number of deals) of each block."""
    for first in range(0, deals, size):
        yield first, min(size, deals - first)


def in_order(work: Callable[..., Result], tasks: Iterator[tuple], threads: int) -> Iterator[Result]:
    """Results of `work(*task)` in the order of the tasks, computed on threads, a few blocks ahead of the consumer.

    When the consumer stops early (Ctrl-C), blocks under way are finished and thrown away.
    """
    pool = ThreadPoolExecutor(threads)
    waiting: list[Future] = []
    try:
        for task in tasks:
            waiting.append(pool.submit(work, *task))
            if len(waiting) > 2 * threads:
                yield waiting.pop(0).result()
        while waiting:
            yield waiting.pop(0).result()
    finally:
        pool.shutdown(cancel_futures=True)
