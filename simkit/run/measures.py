"""What a run measures, derived from a game's outcome columns as its metadata describe them.

A measure has a whole-number value in every game (or NULL where it has no meaning); per-seat ones have one a seat. The
names are those of the JSON of `simkit run`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from simkit.contract import NULL, Game

QUANTILES = 10, 50, 90, 99


@dataclass(frozen=True)
class Measure:
    """`values(rows)` gives int64 (games,) from outcome rows; `scale` divides; a `rate` lies from 0 to 1.

    `label` marks a mean that only other programs want: of a column whose values are names.
    """

    metric: str
    seat: int | None
    values: Callable[[np.ndarray], np.ndarray]
    scale: int = 1
    rate: bool = False
    label: bool = False


def measures(game: Game, players: int) -> list[Measure]:
    """All measures of a game with so many players: shares and rates first, then the columns' means."""
    places = {(column.name, seat): i for i, (column, seat) in enumerate(game.flat_columns(players))}
    found = _shares(game, players, places) + _rates(game, places)
    for column, seat in game.flat_columns(players):
        if not column.words:
            value = _column(places[column.name, seat])
            name = f"mean_{column.name}"
            found.append(Measure(name, seat, value, column.scale, column.rate or column.truth, column.label))
    return found


def _column(place: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda rows: rows[:, place]


def _equals(place: int, value: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda rows: (rows[:, place] == value).astype(np.int64)


def _above(place: int, value: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda rows: (rows[:, place] > value).astype(np.int64)


def _shares(game: Game, players: int, places: dict) -> list[Measure]:
    """Each seat's share of the win, and what it would be had it won all undecided games."""
    if not game.seats:
        return []
    winner = places["winner", None]
    if ("win_share", 0) in places:
        scale = game.column("win_share").scale
        shares = [_column(places["win_share", seat]) for seat in range(players)]
    else:
        scale = 1
        shares = [_equals(winner, seat) for seat in range(players)]
    lost = [Measure("win_share", seat, share, scale, rate=True) for seat, share in enumerate(shares)]
    undecided = _equals(winner, -1)
    won = [
        Measure("win_share_high", seat, _sum(share, undecided, scale), scale, rate=True)
        for seat, share in enumerate(shares)
    ]
    return lost + won


def _sum(share: Callable, undecided: Callable, scale: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda rows: share(rows) + scale * undecided(rows)


def _rates(game: Game, places: dict) -> list[Measure]:
    status = places["status", None]
    _, *otherwise = game.column("status").words
    found = []
    if game.seats:
        found.append(Measure("undecided_rate", None, _equals(places["winner", None], -1), rate=True))
    else:
        found.append(Measure("solve_rate", None, _equals(status, 0), rate=True))
    if ("tied", None) in places:
        found.append(Measure("tie_rate", None, _above(places["tied", None], 1), rate=True))
    found += [Measure(f"{word}_rate", None, _equals(status, code), rate=True) for code, word in enumerate(otherwise, 1)]
    return found


def has_meaning(values: np.ndarray) -> np.ndarray:
    """Which games the measure has a meaning in, boolean (games,)."""
    return values != NULL
