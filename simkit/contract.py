"""What a game exports: its options, columns and players as data. Nothing heavy is imported here.

A game's folder exports one `GAME`. Command line, reports and tests read what they need to know from it, so that a
further game is one folder and one line in the registry.
"""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any

from simkit.errors import BadInput, StrategyError

NULL = -(2**63)
"""In a row of outcome columns (int64): the column has no meaning for this game."""

PRESETS = "seed", "official"
SOLVED, UNSOLVABLE, UNDECIDED = "solved", "unsolvable", "undecided"
LARGEST_DEALS = 1_000_000_000
LARGEST_BEAM, LARGEST_BUDGET = 100_000, 20_000_000
"""Of a solver: a thread then needs about 1 GB."""


@dataclass(frozen=True)
class Option:
    """A rule that can be set: one of the named `values`, or a whole number from `low` to `high`.

    `seed` and `official` are the presets' values; `by_players` replaces them for some numbers of players.
    """

    name: str
    help: str
    source: str
    seed: Any
    official: Any
    values: tuple = ()
    low: int = 0
    high: int = 0
    by_players: Mapping[int, Any] = field(default_factory=dict)

    def default(self, preset: str, players: int) -> Any:
        """The value under a preset for this number of players."""
        return self.by_players.get(players, getattr(self, preset))

    def code(self, value: Any) -> int:
        """The whole number that stands for `value` in a kernel's record."""
        return self.values.index(value) if self.values else value

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.values:
            return ", ".join(_text(value) for value in self.values)
        return f"a whole number from {self.low} to {self.high}"

    def check(self, given: Any) -> Any:
        """The value meant by `given` (text or a value); raises BadInput."""
        for value in self.values:
            if (given == value and type(given) is type(value)) or _text(value) == given:
                return value
        if not self.values:
            number = _whole(given)
            if number is not None and self.low <= number <= self.high:
                return number
        raise BadInput(f"rule {self.name}: got {_text(given)}, allowed: {self.allowed}")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _whole(given: Any) -> int | None:
    if isinstance(given, str):
        text = given.removeprefix("-")
        return int(given) if text.isascii() and text.isdigit() and len(text) < 20 else None
    return given if isinstance(given, int) and not isinstance(given, bool) else None


@dataclass(frozen=True)
class Column:
    """An outcome column: a whole number a game, or one a seat.

    `scale` divides it, `words` name its values. A `rate` is 0 to 1; a `label` is a number that only names something
    (a seat); `truth` is shown as true or false.
    """

    name: str
    help: str
    per_seat: bool = False
    nullable: bool = False
    scale: int = 1
    words: tuple[str, ...] = ()
    truth: bool = False
    rate: bool = False
    label: bool = False

    @property
    def numeric(self) -> bool:
        """Whether it is a number in every game, of which a mean says something."""
        return not (self.nullable or self.words or self.label)


@dataclass(frozen=True)
class EndingTable:
    """Something about how lost games ended that outcome columns cannot tell, counted by row and column.

    `count_endings(rules, seed, games, player)` plays lost games once more (their numbers, int64) and returns by name
    (number of the games that the table is about, int64 (rows, columns): counts of such games, each `parts` times).
    `note` says what is counted.
    """

    name: str
    label: str
    note: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    parts: int = 1


class Rules(Mapping):
    """A full and checked choice of every option for a number of players; options are attributes too. Frozen."""

    def __init__(self, players: int, values: Mapping[str, Any]):
        self.__dict__.update(players=players, _values=MappingProxyType(dict(values)))

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("rules are frozen")

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self):
        return Rules, (self.players, dict(self._values))


def checked_answer(answer: Any, seat: int, n_actions: int) -> int:
    """A strategy's answer as an index into its legal actions; raises StrategyError for anything else."""
    try:
        index = operator.index(answer)
    except TypeError:
        index = -1
    if not 0 <= index < n_actions:
        raise StrategyError(
            f"strategy of seat {seat}: answered {answer!r}, allowed: a whole number from 0 to {n_actions - 1}"
        )
    return index


@dataclass(frozen=True)
class Game:
    """One game. `folder` is its package; engines and strategies are imported only when they are asked for."""

    name: str
    title: str
    folder: str
    rules_version: str
    least_players: int
    most_players: int
    options: tuple[Option, ...]
    columns: tuple[Column, ...]
    check_rules: Callable[[Rules], None]
    default_strategy: str
    length: str
    """The column that says how long a game was."""
    calibration: tuple[str, ...] = ()
    """Strategies defined to the letter on the rules page."""
    bench_strategies: tuple[str, ...] = ()
    """What `simkit bench` times besides, for each of these numbers of players."""
    bench_players: tuple[int, ...] = ()
    solver: str = ""
    """The module of the folder with a `Solver(rules, beam, budget, best)`, see `Answer`; "" if there is none."""
    endings: tuple[EndingTable, ...] = ()
    """What studies can ask of lost games; `count_endings` of the folder's `lost_games` counts it."""

    @property
    def slug(self) -> str:
        """The name as it is typed on the command line."""
        return self.name.replace("_", "-")

    @property
    def seats(self) -> bool:
        """Whether several seats play against each other (a solitaire has none)."""
        return self.most_players > 1

    def part(self, name: str) -> ModuleType:
        """One module of the game's folder: `kernel`, `reference`, `state`, `strategies`, `rules`, or the solver's."""
        return import_module(f"{self.folder}.{name}")

    def option(self, name: str) -> Option:
        """The option of that name; raises BadInput."""
        for option in self.options:
            if option.name == name:
                return option
        names = ", ".join(option.name for option in self.options)
        raise BadInput(f"--rule: {self.slug} has no option {name!r}, allowed: {names}")

    def rules(self, players: int, chosen: Mapping[str, Any] = MappingProxyType({}), preset: str = "seed") -> Rules:
        """The full rules: a preset with some options chosen otherwise; raises BadInput for what cannot be played."""
        if preset not in PRESETS:
            raise BadInput(f"--preset: got {preset!r}, allowed: {', '.join(PRESETS)}")
        if not self.least_players <= players <= self.most_players:
            raise BadInput(f"--players: got {players}, allowed for {self.slug}: {self.players_text}")
        values = {option.name: option.default(preset, players) for option in self.options}
        for name, given in chosen.items():
            values[name] = self.option(name).check(given)
        rules = Rules(players, values)
        self.check_rules(rules)
        return rules

    @property
    def players_text(self) -> str:
        """The allowed numbers of players in words."""
        if self.least_players == self.most_players:
            return str(self.least_players)
        return f"{self.least_players} to {self.most_players}"

    def codes(self, rules: Rules) -> tuple[int, ...]:
        """The rules as a kernel's record holds them: one whole number an option, in the order of `options`."""
        return tuple(option.code(rules[option.name]) for option in self.options)

    def column(self, name: str) -> Column:
        """The outcome column of that name (the one for the whole game, if there is one per seat as well)."""
        return next(column for column in self.columns if column.name == name)

    def flat_columns(self, players: int) -> list[tuple[Column, int | None]]:
        """A row's columns in order: each with its seat, or None; those per seat come after the others."""
        whole = [(column, None) for column in self.columns if not column.per_seat]
        seats = [(column, seat) for column in self.columns if column.per_seat for seat in range(players)]
        return whole + seats


@dataclass(frozen=True)
class Answer:
    """What `Solver.solve(seed, first, deals)` of a game says of one deal whose order is known.

    `status` is SOLVED, UNSOLVABLE (proved) or UNDECIDED; `score` is that of the best play found, None if it is not
    solved; no play has a higher one than `bound` (0 if unsolvable); `placements` are the play's.
    """

    status: str
    score: int | None
    bound: int
    placements: list[list[int]]
