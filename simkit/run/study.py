"""Play a study: every cell on the same deals, blocks on threads; what is kept are exact integer counters.

A block task plays all cells of an experiment on its deals, so that the counters hold the cross-moments between cells
and any contrast has its right variance, in memory that does not grow with the deals.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import merge

import numpy as np

from simkit.run.blocks import BLOCK, Seating, block_sizes, in_order
from simkit.run.spec import RunSpec
from simkit.run.study_design import Experiment
from simkit.run.study_endings import LOST_GAMES, SURVIVAL, ending_tallies, survival_places, survival_tally
from simkit.run.study_known import solver_rows
from simkit.run.study_spec import Study
from simkit.strategy import Player

GAMES_A_BLOCK = 2**15
"""About so many games are played for one block, so that Ctrl-C is heard soon."""
LEAST_BLOCK = 256
COSTLY_BLOCKS = 200
"""Where games take long, a stage of the deals is played in at least so many blocks."""
EXACT = 2**53
"""Whole numbers up to here are exact as floats."""


@dataclass(frozen=True)
class Counters:
    """What an experiment's games add up to, over its deals so far. Never changed, so that an interrupt spoils none.

    deals: played in every cell (that the stage of the deals has).
    sums, squares: shape (quantities, cells), of the deals' values and of their squares, Python integers.
    cross: shape (compared quantities, cells, cells): sums of products of two cells' values.
    histograms: (column, cell) -> games by value.
    tallies: (SURVIVAL or an ending table, cell) -> see `study_endings`.
    """

    deals: int
    sums: np.ndarray
    squares: np.ndarray
    cross: np.ndarray
    histograms: Mapping[tuple[str, int], Counter[int]]
    tallies: Mapping[tuple[str, int], Counter]

    def __add__(self, other: "Counters") -> "Counters":
        """The counters of the deals of both."""
        return Counters(
            self.deals + other.deals,
            self.sums + other.sums,
            self.squares + other.squares,
            self.cross + other.cross,
            {key: counts + other.histograms.get(key, Counter()) for key, counts in self.histograms.items()},
            {key: counts + other.tallies.get(key, Counter()) for key, counts in self.tallies.items()},
        )


def no_deals(experiment: Experiment) -> Counters:
    """The counters before the first deal."""
    shape = len(experiment.quantities), len(experiment.cells)
    cross = np.zeros((experiment.n_compared, shape[1], shape[1]), object)
    columns = {(name, cell) for cell, names in enumerate(experiment.histograms) for name, _ in names}
    histograms = {key: Counter() for key in sorted(columns)}
    names = [SURVIVAL] * experiment.family.survival + [table.name for table in experiment.endings]
    played = [place for place, cell in enumerate(experiment.cells) if not cell.solve]
    tallies = {(name, cell): Counter() for name in names for cell in played}
    return Counters(0, np.zeros(shape, object), np.zeros(shape, object), cross, histograms, tallies)


class Trial:
    """An experiment whose strategies are compiled: `block` can play."""

    def __init__(self, experiment: Experiment, seed: int, players: dict[str, Player]):
        self.experiment, self._seed = experiment, seed
        self._seatings = [[] if cell.solve else _seatings(cell.run, players) for cell in experiment.cells]
        game = experiment.cells[0].run.game
        if experiment.endings:
            game.part(LOST_GAMES)
        if any(cell.solve for cell in experiment.cells):
            game.part(game.solver)

    def block_size(self, stage: int) -> int:
        """Deals in a block of a stage: fewer, the more cells there are, and the longer their games take."""
        experiment = self.experiment
        usual = min(BLOCK, max(LEAST_BLOCK, GAMES_A_BLOCK // experiment.games_a_deal(stage)))
        if not experiment.costly:
            return usual
        return min(usual, -(-experiment.stages[stage] // COSTLY_BLOCKS))

    def block(self, stage: int, first: int, deals: int) -> Counters:
        """Counters of the deals first … first + deals - 1, which lie in the stage."""
        experiment = self.experiment
        values = np.zeros((len(experiment.quantities), len(experiment.cells), deals), np.int64)
        histograms, tallies = {}, {}
        for cell in experiment.playing(stage):
            rows = self._rows(cell, first, deals)
            for i, readings in enumerate(experiment.readings):
                if readings[cell] is not None:
                    values[i, cell] = readings[cell].by_deal(rows)
            for name, places in experiment.histograms[cell]:
                histograms[name, cell] = _histogram(rows, places)
            if not experiment.cells[cell].solve:
                tallies |= {(name, cell): tally for name, tally in self._endings(cell, first, rows[0])}
        products = np.array([_products(cells) for cells in values], object)
        squares, compared = products.diagonal(axis1=1, axis2=2), products[: experiment.n_compared]
        return Counters(deals, values.sum(axis=2).astype(object), squares, compared, histograms, tallies)

    def _rows(self, cell: int, first: int, deals: int) -> list[np.ndarray]:
        """Outcome rows of each rotation, or the solver's."""
        solve = self.experiment.cells[cell].solve
        if solve:
            return [solver_rows(solve, self._seed, first, deals)]
        return [seating.play(self._seed, first, deals) for seating in self._seatings[cell]]

    def _endings(self, cell: int, first: int, rows: np.ndarray) -> Iterator[tuple[str, Counter]]:
        experiment = self.experiment
        run = experiment.cells[cell].run
        if experiment.family.survival:
            yield SURVIVAL, survival_tally(rows, survival_places(run.game))
        if experiment.endings:
            (player,) = self._seatings[cell][0].players
            yield from ending_tallies(run, experiment.endings, player, self._seed, first, rows).items()


def _seatings(run: RunSpec, players: dict[str, Player]) -> list[Seating]:
    """One seating for each rotation; a strategy is compiled when it is met for the first time."""
    for seat in run.seats:
        if seat.text not in players:
            players[seat.text] = Player(run.game, seat)
    seating = Seating(run.game, run.rules, [players[seat.text] for seat in run.seats])
    return [seating.rotated(steps) for steps in range(run.rotations)]


def _histogram(rows: list[np.ndarray], places: tuple[int, ...]) -> Counter[int]:
    values, counts = np.unique([block[:, place] for block in rows for place in places], return_counts=True)
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
    """What became of one experiment, stage by stage of its deals."""

    experiment: Experiment
    stages: tuple[Counters, ...]

    @cached_property
    def counters(self) -> Counters:
        """Over all deals; cells that have fewer of them add nothing to the others."""
        return sum(self.stages, no_deals(self.experiment))

    def common(self, cells: Iterable[int]) -> Counters:
        """Over the deals that all of these cells have."""
        least = min(self.experiment.cells[cell].run.deals for cell in cells)
        return self._first_stages(self.experiment.stages.index(least) + 1)

    def _first_stages(self, count: int) -> Counters:
        return self.counters if count == len(self.stages) else sum(self.stages[:count], no_deals(self.experiment))

    @property
    def games(self) -> int:
        """Games played."""
        return self.experiment.games(self.counters.deals)


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
        counters = [[no_deals(experiment) for _ in experiment.stages] for experiment in self.experiments]
        wanted = deals or self.deals
        start = time.perf_counter()
        try:
            for place, stage, part in in_order(self._block, self._tasks(wanted), threads):
                counters[place][stage] = counters[place][stage] + part
                progress(part.deals * self.experiments[place].games_a_deal(stage))
        except KeyboardInterrupt:
            pass
        seconds = time.perf_counter() - start
        played = tuple(map(Played, self.experiments, map(tuple, counters)))
        return StudyResult(self.study, self.seed, played, seconds)

    def _block(self, place: int, stage: int, first: int, deals: int) -> tuple[int, int, Counters]:
        return place, stage, self._trials[place].block(stage, first, deals)

    def _tasks(self, wanted: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
        """(experiment, stage, first deal, deals) of each block, experiments advancing in step."""
        parts = (self._blocks(place, deals) for place, deals in enumerate(wanted))
        return (task for _, *task in merge(*parts))

    def _blocks(self, place: int, wanted: int) -> Iterator[tuple[float, int, int, int, int]]:
        """The blocks of an experiment, each with a key to order by: every stage has the same share of the time."""
        start, counts = 0, self.experiments[place].stage_deals(wanted)
        for stage, count in enumerate(counts):
            for first, deals in block_sizes(count, self._trials[place].block_size(stage)):
                yield (stage + first / count) / len(counts), place, stage, start + first, deals
            start += count
