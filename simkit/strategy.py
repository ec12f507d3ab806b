"""Strategies: how they are declared, found by name, and compiled.

A strategy is a function `choose(view, params)` that returns the index of one of `view.n_actions` legal actions, in
Python as numba compiles it. Built-in ones and those of installed packages are marked with `@strategy`, which names
their parameters; a function in a user's own file needs no mark unless it has parameters.
"""

import hashlib
import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simkit.contract import Game
from simkit.diagnosis import compile_fault, return_fault, signature_fault, where
from simkit.errors import StrategyError

if TYPE_CHECKING:
    from simkit._jit import CompiledChoice

_MARK = "__simkit_params__"
_TABLE = "__simkit_table__"


def strategy(**params: float) -> Callable[[Callable], Callable]:
    """Mark a function as a strategy, with its parameters' defaults; `choose` reads them as `params.name` (float)."""

    def mark(function: Callable) -> Callable:
        setattr(function, _MARK, {name: float(value) for name, value in params.items()})
        return function

    return mark


def with_table(file: Path, load: Callable[[Path], np.ndarray]) -> Callable[[Callable], Callable]:
    """Mark a strategy that reads a table too large to be compiled in: `load(file)`, one contiguous array.

    `choose` finds its address as `params.table` (see `simkit._jit.float_at`).
    """

    def mark(function: Callable) -> Callable:
        setattr(function, _TABLE, (file, load))
        return function

    return mark


@dataclass(frozen=True)
class Strategy:
    """A strategy with its parameters' values. `source` is the file it came from, None for a built-in one."""

    name: str
    function: Callable
    params: Mapping[str, float]
    source: Path | None = None

    @property
    def description(self) -> str:
        """The docstring as one paragraph."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @property
    def text(self) -> str:
        """What `--seat` takes to name exactly this strategy: parameters that are not at their default are written."""
        defaults = getattr(self.function, _MARK, {})
        changed = [f"{name}={value:g}" for name, value in self.params.items() if value != defaults[name]]
        return ":".join([self.name, ",".join(changed)] if changed else [self.name])

    @cached_property
    def source_hash(self) -> str:
        """Sixteen hex digits of the source file that holds the function, and of its table."""
        paths = [Path(inspect.getsourcefile(self.function))]
        paths += [getattr(self.function, _TABLE)[0]] if hasattr(self.function, _TABLE) else []
        return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]

    @cached_property
    def _table(self) -> np.ndarray | None:
        file, load = getattr(self.function, _TABLE, (None, None))
        return load(file) if load else None

    def params_record(self) -> np.ndarray:
        """The parameters as the record that the compiled function reads, shape (1,); valid as long as the strategy."""
        fields = [(name, "f8") for name in self.params]
        if self._table is not None:
            fields.append(("table", "i8"))
        record = np.zeros(1, fields or [("none", "f8")])
        if self._table is not None:
            record["table"] = self._table.ctypes.data
        for name, value in self.params.items():
            record[name] = value
        return record


def builtin(game: Game) -> dict[str, Strategy]:
    """The game's own strategies by name, in the order of their file."""
    found = vars(game.part("strategies")).items()
    return {
        name: Strategy(name, function, getattr(function, _MARK)) for name, function in found if hasattr(function, _MARK)
    }


def resolve(game: Game, text: str) -> Strategy:
    """The strategy meant by `NAME`, `NAME:k=v,…`, `FILE.py:FUNCTION` or `FILE.py:FUNCTION:k=v,…`; raises StrategyError.

    A name is a built-in strategy or an entry point in the group `simkit.<game>` of an installed package.
    """
    file, _, rest = text.rpartition(".py:")
    name, _, settings = rest.partition(":")
    found = from_file(Path(file + ".py"), name) if file else _by_name(game, name)
    return Strategy(found.name, found.function, _set_params(found, settings), found.source)


def installed(game: Game) -> dict[str, Strategy]:
    """Strategies of installed packages, by the names of their entry points in the group `simkit.<game>`."""
    return {entry.name: _load(entry) for entry in entry_points(group=f"simkit.{game.name}")}


def _load(entry: EntryPoint) -> Strategy:
    try:
        function = entry.load()
    except Exception as problem:
        raise StrategyError(f"--seat: {entry.name!r} of an installed package cannot be loaded: {problem}") from problem
    return Strategy(entry.name, function, getattr(function, _MARK, {}), Path(inspect.getsourcefile(function)))


def _by_name(game: Game, name: str) -> Strategy:
    strategies = builtin(game)
    if name in strategies:
        return strategies[name]
    entries = entry_points(group=f"simkit.{game.name}")
    if name not in entries.names:
        allowed = ", ".join([*strategies, *sorted(entries.names)])
        raise StrategyError(f"--seat: got {name!r}, allowed for {game.slug}: {allowed}, or FILE.py:FUNCTION")
    return _load(entries[name])


def from_file(path: Path, name: str) -> Strategy:
    """The function `name` of a Python file; raises StrategyError with file and line."""
    try:
        code = compile(path.read_text(), str(path.resolve()), "exec")
    except OSError as problem:
        raise StrategyError(f"--seat: {path} cannot be read: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise StrategyError(f"--seat: {path} is not a text file in UTF-8") from problem
    except (SyntaxError, ValueError) as problem:
        line = getattr(problem, "lineno", None) or 1
        raise StrategyError(f"{path}:{line}: {getattr(problem, 'msg', problem)}") from problem
    names: dict[str, Any] = {"__name__": path.stem, "__file__": str(path.resolve())}
    try:
        exec(code, names)
    except Exception as problem:
        raise StrategyError(f"{path}:{_line_in(path, problem)}: {_named(problem)}") from problem
    function = names.get(name)
    function = getattr(function, "py_func", function)  # one that its author has marked with @njit already
    if not inspect.isfunction(function):
        functions = [key for key, value in names.items() if inspect.isfunction(value) and value.__module__ == path.stem]
        raise StrategyError(f"--seat: {path} has no function {name!r}, allowed: {', '.join(functions) or 'none'}")
    return Strategy(f"{path}:{name}", function, getattr(function, _MARK, {}), path)


def _line_in(path: Path, problem: BaseException) -> int:
    """The last line of this file in the exception's traceback."""
    line, step = 1, problem.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == str(path.resolve()):
            line = step.tb_lineno
        step = step.tb_next
    return line


def _named(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}".splitlines()[0]


def _set_params(found: Strategy, settings: str) -> dict[str, float]:
    params = dict(found.params)
    for setting in settings.split(",") if settings else []:
        name, _, given = setting.partition("=")
        if name not in params:
            raise StrategyError(
                f"--seat: {found.name} has no parameter {name!r}, allowed: {', '.join(params) or 'none'}"
            )
        try:
            value = float(given)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise StrategyError(f"--seat: {found.name}:{name} got {given!r}, allowed: a number")
        params[name] = value
    return params


class Player:
    """A strategy compiled for a game: an address for kernels, a function for the reference engine."""

    def __init__(self, game: Game, chosen: Strategy):
        self.strategy = chosen
        self._params = chosen.params_record()
        compiled = _compiled(chosen, game.part("state").VIEW, self._params.dtype)
        self._dispatcher = compiled.dispatcher
        self.address = compiled.address
        self.params_address = self._params.ctypes.data

    def choose(self, view: np.record) -> int:
        """Ask the compiled function; for the reference engine."""
        return int(self._dispatcher(view, self._params[0]))


def _compiled(chosen: Strategy, view: np.dtype, params: np.dtype) -> "CompiledChoice":
    """The strategy's machine code; raises StrategyError with file, line and reason."""
    from simkit._jit import compile_choice

    function, path = chosen.function, chosen.source or inspect.getsourcefile(chosen.function)
    fault = signature_fault(function)
    if fault is not None:
        raise StrategyError(f"{where(function, chosen.source)}: {fault}")
    try:
        # A user's file may import a helper whose edits a cache would not notice, so only our own is cached.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = compile_choice(function, view, params, cache=chosen.source is None)
    except Exception as problem:  # numba's own errors, and what its insides raise for some mistakes
        records = dict(zip(inspect.signature(function).parameters, (view, params), strict=True))
        line, words = compile_fault(function, records, problem)
        raise StrategyError(f"{path}:{line}: {words}") from problem
    wrong = return_fault(function, str(compiled.return_type))
    if wrong is not None:
        raise StrategyError(f"{path}:{wrong[0]}: {wrong[1]}")
    return compiled
