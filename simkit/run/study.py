"""Play a study: every cell on the same deals, blocks on threads; what is kept are exact integer counters.

A block task plays all cells of an experiment on its deals, so that the counters hold the cross-moments between cells
and any contrast has its right variance, in memory that does not grow with the deals.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge

import numpy as np

from simkit.run.blocks import BLOCK, Seating, block_sizes, in_order
from simkit.run.spec import RunSpec
from simkit.run.study_design import Experiment
from simkit.run.study_spec import Study
from simkit.strategy import Player

GAMES_A_BLOCK = 2**15
"""About so many games are played for one block, so that Ctrl-C is heard soon."""
LEAST_BLOCK = 256
EXACT = 2**53
"""Whole numbers up to here are exact as floats."""


@dataclass(frozen=True)
class Counters:
    """What an experiment's games add up to, over its deals so far. Never changed, so that an interrupt spoils none.

    deals: played in every cell.
    sums, squares: shape (quantities, cells), of the deals' values and of their squares, Python integers.
    cross: shape (compared quantities, cells, cells): sums of products of two cells' values.
    histograms: (column, cell) -> games by value.
    """

    deals: int
    sums: np.ndarray
    squares: np.ndarray
    cross: np.ndarray
    histograms: Mapping[tuple[str, int], Counter[int]]

    def __add__(self, other: "Counters") -> "Counters":
        """The counters of the deals of both."""
        return Counters(
            self.deals + other.deals,
            self.sums + other.sums,
            self.squares + other.squares,
            self.cross + other.cross,
            {key: counts + other.histograms[key] for key, counts in self.histograms.items()},
        )


def no_deals(experiment: Experiment) -> Counters:
    """The counters before the first deal."""
    shape = len(experiment.quantities), len(experiment.cells)
    cross = np.zeros((experiment.n_compared, shape[1], shape[1]), object)
    columns = {(name, cell) for cell, names in enumerate(experiment.histograms) for name, _ in names}
    histograms = {key: Counter() for key in sorted(columns)}
    return Counters(0, np.zeros(shape, object), np.zeros(shape, object), cross, histograms)


class Trial:
    """An experiment whose strategies are compiled: `block` can play."""

    def __init__(self, experiment: Experiment, seed: int, players: dict[str, Player]):
        self.experiment, self._seed = experiment, seed
        self._seatings = [_seatings(cell.run, players) for cell in experiment.cells]

    @property
    def block_size(self) -> int:
        """Deals in a block: fewer, the more cells there are."""
        return min(BLOCK, max(LEAST_BLOCK, GAMES_A_BLOCK // self.experiment.games_a_deal))

    def block(self, first: int, deals: int) -> Counters:
        """Counters of the deals first … first + deals - 1."""
        experiment = self.experiment
        values = np.zeros((len(experiment.quantities), len(self._seatings), deals), np.int64)
        histograms = {}
        for cell, seatings in enumerate(self._seatings):
            rows = [seating.play(self._seed, first, deals) for seating in seatings]
            for i, readings in enumerate(experiment.readings):
                if readings[cell] is not None:
                    values[i, cell] = readings[cell].by_deal(rows)
            for name, place in experiment.histograms[cell]:
                histograms[name, cell] = _histogram(rows, place)
        products = np.array([_products(cells) for cells in values], object)
        squares = products.diagonal(axis1=1, axis2=2)
        return Counters(
            deals, values.sum(axis=2).astype(object), squares, products[: experiment.n_compared], histograms
        )


def _seatings(run: RunSpec, players: dict[str, Player]) -> list[Seating]:
    """One seating for each rotation; a strategy is compiled when it is met for the first time."""
    for seat in run.seats:
        if seat.text not in players:
            players[seat.text] = Player(run.game, seat)
    seating = Seating(run.game, run.rules, [players[seat.text] for seat in run.seats])
    return [seating.rotated(steps) for steps in range(run.rotations)]


def _histogram(rows: list[np.ndarray], place: int) -> Counter[int]:
    values, counts = np.unique(np.concatenate([block[:, place] for block in rows]), return_counts=True)
    return Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))


def _products(values: np.ndarray) -> np.ndarray:
    """Sums of products of rows, exact: int64 (rows, deals) -> objects (rows, rows)."""
    largest = int(max(values.max(initial=0), -values.min(initial=0)))
    if largest * largest * values.shape[1] < EXACT:
        floats = values.astype(np.float64)  # the fast multiplication, of whole numbers that floats hold exactly
        return (floats @ floats.T).astype(np.int64).astype(object)
    whole = values.astype(object)
    return whole @ whole.T


@dataclass(frozen=True)
class Played:
    """What became of one experiment."""

    experiment: Experiment
    counters: Counters

    @property
    def games(self) -> int:
        """Games played."""
        return self.counters.deals * self.experiment.games_a_deal


@dataclass(frozen=True)
class StudyResult:
    """All experiments; `seconds` of playing alone."""

    study: Study
    seed: int
    played: tuple[Played, ...]
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether all deals that were asked for are played."""
        return all(one.counters.deals == one.experiment.deals for one in self.played)

    @property
    def deals(self) -> list[int]:
        """Deals played in each experiment."""
        return [one.counters.deals for one in self.played]

    @property
    def games(self) -> int:
        """Games played."""
        return sum(one.games for one in self.played)


class StudyRun:
    """A study whose kernel and strategies are compiled: `play` can start at once."""

    def __init__(self, study: Study, experiments: Sequence[Experiment], seed: int):
        self.study, self.seed, self.experiments = study, seed, tuple(experiments)
        players: dict[str, Player] = {}
        self._trials = [Trial(experiment, seed, players) for experiment in experiments]

    @property
    def deals(self) -> list[int]:
        """Deals asked for in each experiment."""
        return [experiment.deals for experiment in self.experiments]

    def play(
        self,
        threads: int = 1,
        progress: Callable[[int], None] = lambda games: None,
        deals: Sequence[int] | None = None,
    ) -> StudyResult:
        """Play all experiments side by side, so that a study that is stopped early has something on every question.

        progress: hears of the games of each block, in order. deals: how many to play in each experiment, if fewer
        than asked (to repeat a run that was stopped). KeyboardInterrupt ends the playing; what was played is kept.
        """
        counters = [no_deals(experiment) for experiment in self.experiments]
        wanted = deals or self.deals
        start = time.perf_counter()
        try:
            for place, part in in_order(self._block, self._tasks(wanted), threads):
                counters[place] = counters[place] + part
                progress(part.deals * self.experiments[place].games_a_deal)
        except KeyboardInterrupt:
            pass
        seconds = time.perf_counter() - start
        played = tuple(Played(experiment, count) for experiment, count in zip(self.experiments, counters, strict=True))
        return StudyResult(self.study, self.seed, played, seconds)

    def _block(self, place: int, first: int, deals: int) -> tuple[int, Counters]:
        return place, self._trials[place].block(first, deals)

    def _tasks(self, wanted: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """(experiment, first deal, deals) of each block, experiments advancing in step."""
        parts = (self._blocks(place, deals) for place, deals in enumerate(wanted))
        return (task for _, *task in merge(*parts))

    def _blocks(self, place: int, wanted: int) -> Iterator[tuple[float, int, int, int]]:
        for first, deals in block_sizes(wanted, self._trials[place].block_size):
            yield first / wanted, place, first, deals
