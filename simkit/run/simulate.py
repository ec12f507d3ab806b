"""Play a run: blocks on threads, merged in order; interrupted, what was played is kept."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from simkit.run.blocks import Seating, block_sizes, in_order
from simkit.run.spec import RunSpec
from simkit.run.summary import Metric, metrics
from simkit.run.tally import Tallier, Tally
from simkit.strategy import Player

Rows = list[np.ndarray]


@dataclass(frozen=True)
class RunResult:
    """What a run found. `deals` were played, fewer than asked if it is not `complete`; `seconds` of playing alone."""

    spec: RunSpec
    deals: int
    complete: bool
    seconds: float
    metrics: list[Metric]

    @property
    def games(self) -> int:
        """Games played: every deal in each rotation."""
        return self.deals * self.spec.rotations


class Simulation:
    """A run whose kernel and strategies are compiled: `play` can start at once."""

    def __init__(self, spec: RunSpec):
        self.spec = spec
        found = {text: Player(spec.game, seat) for text, seat in {seat.text: seat for seat in spec.seats}.items()}
        seating = Seating(spec.game, spec.rules, [found[seat.text] for seat in spec.seats])
        self._seatings = [seating.rotated(steps) for steps in range(spec.rotations)]
        self._tallier = Tallier(spec)

    def block(self, first: int, deals: int) -> tuple[int, Rows, Tally]:
        """First deal, outcome rows of each rotation, and tally of one block."""
        rows = [seating.play(self.spec.seed, first, deals) for seating in self._seatings]
        return first, rows, self._tallier.tally(rows)

    def play(
        self,
        threads: int = 1,
        progress: Callable[[int], None] = lambda deals: None,
        keep_rows: Callable[[int, Rows], None] = lambda first, rows: None,
    ) -> RunResult:
        """Play all deals. `progress` hears of each block's deals, `keep_rows` gets its rows, both in order.

        KeyboardInterrupt ends the playing early; the result then holds the first so many deals and is not complete.
        """
        tally = Tally(len(self._tallier.quantities))
        complete = True
        start = time.perf_counter()
        try:
            for first, rows, part in in_order(self.block, block_sizes(self.spec.deals), threads):
                tally.add(part)
                keep_rows(first, rows)
                progress(part.played)
        except KeyboardInterrupt:
            complete = tally.played == self.spec.deals
        seconds = time.perf_counter() - start
        found = metrics(self.spec, self._tallier.quantities, tally)
        return RunResult(self.spec, tally.played, complete, seconds, found)
