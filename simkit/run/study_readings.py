"""What is read off the games of a cell for each measure of a study: whole numbers by deal, to be added up."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from simkit.contract import NULL, Game
from simkit.errors import BadInput
from simkit.run.measures import measures
from simkit.run.spec import RunSpec
from simkit.run.study_spec import Measure, Study

GameValues = Callable[[np.ndarray], np.ndarray]
SHARES_WITH_BRACKET = {"win_share": "win_share_high"}
"""Metrics in which undecided games count as lost, and the same with them counted as won."""


@dataclass(frozen=True)
class Quantity:
    """A measure as it is counted: one seat of it where the study asks for each. `bracket`: with undecided games won."""

    measure: Measure
    seat: int | None
    bracket: bool = False

    @property
    def compared(self) -> bool:
        """Whether contrasts need its cross-moments."""
        return self.measure.compare and not self.bracket


@dataclass(frozen=True)
class Reading:
    """A quantity in one cell.

    games: (rotation, function) pairs; a deal's value is the sum of `function(outcome rows of that rotation)`, int64.
    scale: the mean a game is a deal's value divided by this. minus: what is then taken away. rate: lies from 0 to 1.
    """

    games: tuple[tuple[int, GameValues], ...]
    scale: int
    minus: Fraction
    rate: bool

    def by_deal(self, rows: Sequence[np.ndarray]) -> np.ndarray:
        """Values of a block, int64 (deals,); `rows` holds the outcome rows of each rotation."""
        return sum(function(rows[rotation]) for rotation, function in self.games)


def quantities(study: Study, rotates: bool, most_players: int, solved: bool = False) -> list[Quantity]:
    """What is counted in an experiment, compared ones first. `solved`: a solver plays some of its cells."""
    found = []
    for measure in study.measure:
        if measure.player is not None and not rotates:
            continue
        for seat in range(most_players) if measure.seat == "each" else [measure.seat]:
            found.append(Quantity(measure, seat))
            if measure.metric in SHARES_WITH_BRACKET or (solved and measure.known == "solved"):
                found.append(Quantity(measure, seat, bracket=True))
    return sorted(found, key=lambda quantity: not quantity.compared)


def reading(quantity: Quantity, run: RunSpec) -> Reading | None:
    """The quantity in a cell, None where the cell has no such seat; raises BadInput for what the game cannot give."""
    try:
        return _reading(quantity, run)
    except BadInput as problem:
        raise BadInput(f"measure {quantity.measure.name}: {problem}") from problem


def _reading(quantity: Quantity, run: RunSpec) -> Reading | None:
    measure = quantity.measure
    if quantity.seat is not None and quantity.seat >= run.players:
        if measure.compare:
            raise BadInput(f"seat: got {quantity.seat}, allowed: 0 to {run.players - 1}")
        return None
    if measure.player is not None and measure.player >= run.players:
        raise BadInput(f"player: got {measure.player}, allowed: 0 to {run.players - 1}")
    games, scale, rate = [], 1, True
    for rotation in range(run.rotations):
        seat = quantity.seat if measure.player is None else (measure.player + rotation) % run.players
        function, scale, rate = _of_game(quantity, run.game, run.players, seat)
        games.append((rotation, function))
    minus = Fraction(1, run.players) if measure.minus else Fraction(0)
    return Reading(tuple(games), scale * run.rotations, minus, rate)


def _of_game(quantity: Quantity, game: Game, players: int, seat: int | None) -> tuple[GameValues, int, bool]:
    """Values by game, what divides them, and whether they are rates."""
    measure = quantity.measure
    if measure.columns:
        return _weighted_sum(measure, game, players)
    if measure.over is not None:
        each, scale, _ = _of_all_seats(quantity, game, players)
        return _over_seats(each, measure.over), scale, False
    if measure.counted_from is not None:
        each, scale, rate = _of_all_seats(quantity, game, players)
        return _counted(each, _place_of_seat(measure.counted_from, game, players), seat), scale, rate
    return _of_seat(quantity, game, players, seat)


def _of_all_seats(quantity: Quantity, game: Game, players: int) -> tuple[list[GameValues], int, bool]:
    found = [_of_seat(quantity, game, players, seat) for seat in range(players)]
    return [function for function, _, _ in found], *found[0][1:]


def _over_seats(each: list[GameValues], over: str) -> GameValues:
    reduced = {"sum": np.sum, "highest": np.max, "lowest": np.min, "range": np.ptp}[over]
    return lambda rows: reduced([function(rows) for function in each], axis=0)


def _counted(each: list[GameValues], start: int, seat: int) -> GameValues:
    """The values of the seat that comes so many after the one that outcome column `start` names; 0 if it names none."""

    def values(rows: np.ndarray) -> np.ndarray:
        named = rows[:, start]
        by_seat = np.array([function(rows) for function in each])
        found = np.take_along_axis(by_seat, (named[None] + seat) % len(each), axis=0)[0]
        return np.where(named >= 0, found, 0)

    return values


def _place_of_seat(name: str, game: Game, players: int) -> int:
    """Where in an outcome row the column stands that names a seat."""
    columns = game.flat_columns(players)
    allowed = [column.name for column, seat in columns if column.label and seat is None]
    if name not in allowed:
        raise BadInput(f"counted_from: got {name!r}, allowed: {', '.join(allowed)}")
    return next(place for place, (column, _) in enumerate(columns) if column.name == name)


def _weighted_sum(measure: Measure, game: Game, players: int) -> tuple[GameValues, int, bool]:
    """The columns' values, weighted; their scales are made the same."""
    columns = {column.name: (place, column) for place, (column, seat) in enumerate(game.flat_columns(players))}
    usable = {name: found for name, found in columns.items() if found[1].numeric and not found[1].per_seat}
    for name in measure.columns:
        if name not in usable:
            raise BadInput(f"columns: got {name!r}, allowed: {', '.join(usable)}")
    scale = math.lcm(*(usable[name][1].scale for name in measure.columns))
    weights = [(usable[name][0], weight * scale // usable[name][1].scale) for name, weight in measure.columns.items()]
    return lambda rows: sum(weight * rows[:, place] for place, weight in weights), scale * measure.divide_by, False


def _of_seat(quantity: Quantity, game: Game, players: int, seat: int | None) -> tuple[GameValues, int, bool]:
    if quantity.measure.column is not None:
        return _of_column(quantity.measure, game, players, seat)
    metric = quantity.measure.metric
    wanted = SHARES_WITH_BRACKET.get(metric, metric) if quantity.bracket else metric
    partly = {f"mean_{column.name}" for column in game.columns if column.nullable}
    if wanted in partly:
        raise BadInput(f"metric: {wanted} has no meaning in some games, allowed: its column with at_least or equals")
    known = [found for found in measures(game, players) if not found.label and found.metric not in partly]
    for found in known:
        if found.metric == wanted and found.seat == seat:
            return found.values, found.scale, found.rate
    names = dict.fromkeys(found.metric for found in known if (found.seat is None) == (seat is None))
    raise BadInput(f"metric: got {wanted!r} {_seated(seat)}, allowed: {', '.join(names)}")


def _of_column(measure: Measure, game: Game, players: int, seat: int | None) -> tuple[GameValues, int, bool]:
    columns = game.flat_columns(players)
    for place, (column, at) in enumerate(columns):
        if column.name != measure.column or at != seat:
            continue
        if measure.at_least is not None or measure.at_most is not None or measure.equals is not None:
            return _indicator(measure, place, column.scale), 1, True
        if not column.numeric:
            raise BadInput(f"column: {column.name} has no mean in every game, allowed: with at_least or equals")
        return _plain(place), column.scale, column.rate
    names = dict.fromkeys(column.name for column, at in columns if (at is None) == (seat is None))
    raise BadInput(f"column: got {measure.column!r} {_seated(seat)}, allowed: {', '.join(names)}")


def _plain(place: int) -> GameValues:
    return lambda rows: rows[:, place]


def _indicator(measure: Measure, place: int, scale: int) -> GameValues:
    """1 where the column has a meaning and lies in the range, else 0."""
    low, high = NULL + 1, 2**63 - 1
    if measure.at_least is not None:
        low = measure.at_least * scale
    if measure.at_most is not None:
        high = measure.at_most * scale
    if measure.equals is not None:
        low = high = measure.equals * scale
    return lambda rows: ((rows[:, place] >= low) & (rows[:, place] <= high)).astype(np.int64)


def _seated(seat: int | None) -> str:
    return "for the whole game" if seat is None else f"for seat {seat}"
