"""Solve deals whose order is known: the deals of a run, one answer each, and the rates that follow from them."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from simkit import registry
from simkit.contract import LARGEST_BEAM, LARGEST_BUDGET, LARGEST_DEALS, SOLVED, UNDECIDED, UNSOLVABLE, Answer, Game
from simkit.errors import BadInput
from simkit.run.blocks import block_sizes, in_order
from simkit.run.spec import RunSpec, run_spec
from simkit.run.summary import Metric
from simkit.stats import Estimate, bracket, mean, wilson

DEALS_A_CALL = 1
"""A deal may take a second, and jitted code does not hear Ctrl-C."""


@dataclass(frozen=True)
class SolveSpec:
    """Which deals to solve, as many as `run` plays from number `first` on, and with how much effort (see a solver)."""

    run: RunSpec
    first: int
    beam: int
    budget: int
    best: bool

    @property
    def game(self) -> Game:
        """The game whose deals are solved."""
        return self.run.game

    def as_data(self) -> dict[str, Any]:
        """All settings as plain data."""
        run = self.run.as_data()
        settings = {name: run[name] for name in ("game", "deals", "seed", "preset", "rules", "level")}
        return settings | {"first": self.first, "beam": self.beam, "budget": self.budget, "best": self.best}


def solve_spec(
    game: Game,
    deals: int,
    seed: int,
    rules: Mapping[str, Any] | None = None,
    preset: str = "seed",
    first: int = 0,
    beam: int = 1000,
    budget: int = 2_000_000,
    best: bool = False,
    level: float = 0.95,
) -> SolveSpec:
    """Check all settings; raises BadInput for the first that is wrong, or for a game without a solver."""
    if not game.solver:
        able = ", ".join(other.slug for other in registry.games() if other.solver)
        raise BadInput(f"GAME: {game.slug} has no solver, allowed: {able}")
    limits = (
        ("--first", first, 0, LARGEST_DEALS),
        ("--beam", beam, 1, LARGEST_BEAM),
        ("--budget", budget, 0, LARGEST_BUDGET),
    )
    for option, given, least, most in limits:
        if not least <= given <= most:
            raise BadInput(f"{option}: got {given}, allowed: a whole number from {least} to {most:,}")
    return SolveSpec(run_spec(game, (), deals, seed, None, rules, preset, level=level), first, beam, budget, best)


@dataclass(frozen=True)
class SolveResult:
    """What was found: deals by status, and metrics. Not `complete` if fewer deals were solved than asked for."""

    spec: SolveSpec
    counts: Mapping[str, int]
    complete: bool
    seconds: float
    metrics: list[Metric]

    @property
    def deals(self) -> int:
        """Deals looked at."""
        return sum(self.counts.values())


class Tally:
    """Counts and exact sums over answers."""

    def __init__(self):
        self.counts = Counter(dict.fromkeys((SOLVED, UNSOLVABLE, UNDECIDED), 0))
        self._scores, self._bounds = [0, 0], [0, 0]

    def add(self, answer: Answer) -> None:
        """One more deal; a deal that is not solved counts as score 0 found."""
        self.counts[answer.status] += 1
        for sums, value in ((self._scores, answer.score or 0), (self._bounds, answer.bound)):
            sums[0] += value
            sums[1] += value * value

    def metrics(self, level: float) -> list[Metric]:
        """Rates and means with their intervals; none without deals."""
        n = self.counts.total()
        if n == 0:
            return []
        low, high = bracket(self.counts[SOLVED], self.counts[UNDECIDED], n, level)
        return [
            _metric("winnable_rate_low", low, rate=True),
            _metric("winnable_rate_high", high, rate=True),
            _metric("undecided_rate", wilson(self.counts[UNDECIDED], n, level), rate=True),
            _metric("mean_best_score", mean(n, *self._scores, level=level)),
            _metric("mean_score_bound", mean(n, *self._bounds, level=level)),
        ]


def _metric(name: str, found: Estimate, rate: bool = False) -> Metric:
    return Metric(name, None, None, found.value, found.low, found.high, found.level, found.n, rate)


class Solving:
    """A solver that is compiled: `solve` can start at once."""

    def __init__(self, spec: SolveSpec):
        self.spec = spec
        self._solver = spec.game.part(spec.game.solver).Solver(spec.run.rules, spec.beam, spec.budget, spec.best)

    def solve(
        self,
        threads: int = 1,
        progress: Callable[[int], None] = lambda deals: None,
        keep: Callable[[int, Answer], None] = lambda deal, answer: None,
    ) -> SolveResult:
        """Solve all deals. `progress` hears of the deals of each call, `keep` gets each deal's answer, both in order.

        KeyboardInterrupt ends it early; the result then holds the first so many deals and is not complete.
        """
        tally, complete, deals = Tally(), True, self.spec.run.deals
        start = time.perf_counter()
        try:
            for first, answers in in_order(self._call, block_sizes(deals, DEALS_A_CALL), threads):
                for deal, answer in enumerate(answers, first):
                    keep(deal, answer)
                    tally.add(answer)
                progress(len(answers))
        except KeyboardInterrupt:
            complete = tally.counts.total() == deals
        seconds = time.perf_counter() - start
        return SolveResult(self.spec, tally.counts, complete, seconds, tally.metrics(self.spec.run.level))

    def _call(self, first: int, deals: int) -> tuple[int, list[Answer]]:
        first += self.spec.first
        return first, self._solver.solve(self.spec.run.seed, first, deals)
