"""How the games of a study end: how long they live, and what a game's own tables tell of those that are lost.

Outcome columns suffice for the lengths. For the tables, the game plays its lost games once more (see
`simkit.contract.EndingTable`); the outcome columns of its engines stay as they are.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from simkit.contract import EndingTable, Game
from simkit.errors import BadInput
from simkit.run.spec import RunSpec
from simkit.strategy import Player

LOST_GAMES = "lost_games"
"""The module of a game's folder that plays lost games once more."""
SURVIVAL = "survival"
GAMES = "games"
"""The key of a table's tally that holds the number of games it is about."""

Row = dict[str, Any]


def survival_places(game: Game) -> tuple[int, int]:
    """Places of a game's length and of its status in an outcome row; raises BadInput for a game with several seats."""
    if game.seats:
        raise BadInput(f"survival: got {game.slug}, allowed: a solitaire")
    names = [column.name for column, _ in game.flat_columns(1)]
    return names.index(game.length), names.index("status")


def survival_tally(rows: np.ndarray, places: tuple[int, int]) -> Counter[tuple[int, int]]:
    """Games by (length, code of the status)."""
    pairs, counts = np.unique(rows[:, places], axis=0, return_counts=True)
    return Counter(dict(zip(map(tuple, pairs.tolist()), counts.tolist(), strict=True)))


def ending_tables(game: Game, names: Sequence[str]) -> tuple[EndingTable, ...]:
    """The game's tables of these names; raises BadInput."""
    known = {table.name: table for table in game.endings}
    for name in names:
        if name not in known:
            raise BadInput(f"endings: got {name!r}, allowed for {game.slug}: {', '.join(known) or 'none'}")
    return tuple(known[name] for name in names)


def ending_tallies(
    run: RunSpec, tables: Sequence[EndingTable], player: Player, seed: int, first: int, rows: np.ndarray
) -> dict[str, Counter]:
    """What each table counts over the lost games among those of these outcome rows, the first of them game `first`."""
    _, status = survival_places(run.game)
    lost = np.flatnonzero(rows[:, status]) + first
    found = run.game.part(LOST_GAMES).count_endings(run.rules, seed, lost, player)
    tallies = {}
    for table in tables:
        games, counts = found[table.name]
        tallies[table.name] = Counter({GAMES: games})
        for place in np.argwhere(counts).tolist():
            tallies[table.name][tuple(place)] = int(counts[tuple(place)])
    return tallies


def survival_rows(tally: Counter[tuple[int, int]], words: Sequence[str]) -> Iterator[Row]:
    """Tidy rows of a survival tally: after so many steps, games still going and those that just ended, by status."""
    going = tally.total()
    for after in range(max(length for length, _ in tally) + 1):
        ended = {word: tally[after, code] for code, word in enumerate(words)}
        going -= sum(ended.values())
        yield {"after": after, "going": going, "ended": ended}


def ending_counts(tally: Counter, table: EndingTable) -> list[list[int]]:
    """A table's counts by row and column."""
    return [[tally[row, column] for column in range(len(table.columns))] for row in range(len(table.rows))]
