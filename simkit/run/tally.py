"""What is kept of the games played: exact integer sums by deal, small whatever the number of deals."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from simkit.run.measures import Measure, has_meaning, measures
from simkit.run.spec import RunSpec

SAFE = 2**25
"""Values up to here can be squared and summed over a block in int64."""


@dataclass(frozen=True)
class Quantity:
    """A reported figure: a measure in several games of each deal, given as (rotation, index of the measure)."""

    measure: Measure
    seat: int | None
    strategy: str | None
    games: tuple[tuple[int, int], ...]


def quantities(spec: RunSpec) -> list[Quantity]:
    """Every figure of a run that is a mean or a rate: by seat, and with rotation by strategy as well."""
    found = []
    all_measures = measures(spec.game, spec.players)
    by_name: dict[str, dict[int, int]] = {}
    for i, measure in enumerate(all_measures):
        seated = measure.seat is not None
        strategy = spec.seats[measure.seat].text if seated and not spec.rotate else None
        found.append(Quantity(measure, measure.seat, strategy, tuple((r, i) for r in range(spec.rotations))))
        if seated:
            by_name.setdefault(measure.metric, {})[measure.seat] = i
    if spec.rotate:
        for by_seat in by_name.values():
            found += _by_strategy(spec, all_measures, by_seat)
    return found


def _by_strategy(spec: RunSpec, all_measures: list[Measure], by_seat: dict[int, int]) -> list[Quantity]:
    """The same measure of each strategy, wherever it sits: the mean over its seats."""
    found = []
    for name in dict.fromkeys(seat.text for seat in spec.seats):
        games = tuple(
            (rotation, by_seat[(entry + rotation) % spec.players])
            for rotation in range(spec.rotations)
            for entry, seat in enumerate(spec.seats)
            if seat.text == name
        )
        found.append(Quantity(all_measures[by_seat[0]], None, name, games))
    return found


class Tally:
    """Sums over deals, for each quantity: of x, m, x², xm, m², where x adds up a deal's values and m counts them.

    `deals` counts those with m > 0. Sums are Python integers (exact). `lengths` counts games by their length.
    """

    def __init__(self, n_quantities: int):
        self.played = 0
        self.deals = np.zeros(n_quantities, object)
        self.sums = np.zeros((5, n_quantities), object)
        self.lengths: Counter[int] = Counter()

    def add(self, other: "Tally") -> None:
        """Take in another tally, of further deals."""
        self.played += other.played
        self.deals = self.deals + other.deals
        self.sums = self.sums + other.sums
        self.lengths.update(other.lengths)


class Tallier:
    """Makes tallies of blocks of one run."""

    def __init__(self, spec: RunSpec):
        self.quantities = quantities(spec)
        self._measures = measures(spec.game, spec.players)
        names = [(column.name, seat) for column, seat in spec.game.flat_columns(spec.players)]
        self._length = names.index((spec.game.length, None))

    def tally(self, rows: list[np.ndarray]) -> Tally:
        """Tally of a block: `rows` holds an int64 array (deals, columns) for each rotation."""
        values = [[measure.values(block) for measure in self._measures] for block in rows]
        tally = Tally(len(self.quantities))
        tally.played = len(rows[0])
        for i, quantity in enumerate(self.quantities):
            x, m = _by_deal([values[rotation][measure] for rotation, measure in quantity.games])
            tally.deals[i] = int(np.count_nonzero(m))
            tally.sums[:, i] = int(x.sum()), int(m.sum()), _dot(x, x), _dot(x, m), _dot(m, m)
        lengths, counts = np.unique(np.concatenate([block[:, self._length] for block in rows]), return_counts=True)
        tally.lengths.update(dict(zip(lengths.tolist(), counts.tolist(), strict=True)))
        return tally


def _by_deal(values: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Sum of the values that have a meaning, and their number, in each deal: int64 (deals,)."""
    x = np.zeros(len(values[0]), np.int64)
    m = np.zeros(len(values[0]), np.int64)
    for games in values:
        meant = has_meaning(games)
        x += np.where(meant, games, 0)
        m += meant
    return x, m


def _dot(a: np.ndarray, b: np.ndarray) -> int:
    if max(np.abs(a).max(initial=0), np.abs(b).max(initial=0)) <= SAFE:
        return int(a @ b)
    return sum(int(p) * int(q) for p, q in zip(a, b, strict=True))
