"""Strategies: how they are declared, found by name, and compiled.

A strategy is a function `choose(view, params)` that returns the index of one of `view.n_actions` legal actions, in
Python as numba compiles it. Built-in ones and those of installed packages are marked with `@strategy`, which names
their parameters; a function in a user's own file needs no mark unless it has parameters.
"""

import hashlib
import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import numpy as np

from simkit.contract import Game
from simkit.errors import StrategyError

_MARK = "__simkit_params__"


def strategy(**params: float) -> Callable[[Callable], Callable]:
    """Mark a function as a strategy, with its parameters' defaults; `choose` reads them as `params.name` (float)."""

    def mark(function: Callable) -> Callable:
        setattr(function, _MARK, {name: float(value) for name, value in params.items()})
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
        """Sixteen hex digits of the source file that holds the function."""
        path = inspect.getsourcefile(self.function)
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]

    def params_record(self) -> np.ndarray:
        """The parameters as the record that the compiled function reads, shape (1,)."""
        names = list(self.params) or ["none"]
        record = np.zeros(1, [(name, "f8") for name in names])
        for name, value in self.params.items():
            record[name] = value
        return record


def builtin(game: Game) -> dict[str, Strategy]:
    """The game's own strategies by name, in the order of their file."""
    found = vars(game.part("strategies")).items()
    return {
        name: Strategy(name, function, getattr(function, _MARK))
        for name, function in found
        if hasattr(function, _MARK)
    }


def resolve(game: Game, text: str) -> Strategy:
    """The strategy meant by `NAME`, `NAME:k=v,…`, `FILE.py:FUNCTION` or `FILE.py:FUNCTION:k=v,…`; raises StrategyError.

    A name is a built-in strategy or an entry point in the group `simkit.<game>` of an installed package.
    """
    file, _, rest = text.rpartition(".py:")
    name, _, settings = rest.partition(":")
    if file:
        found = from_file(Path(file + ".py"), name)
    else:
        found = _by_name(game, name)
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
        from numba.core.errors import NumbaError

        from simkit._jit import compile_choice

        _check_signature(chosen)
        self.strategy = chosen
        self._params = chosen.params_record()
        view = game.part("state").VIEW
        try:
            # A user's file may import a helper whose edits a cache would not notice, so only our own is cached.
            compiled = compile_choice(chosen.function, view, self._params.dtype, cache=chosen.source is None)
        except NumbaError as problem:
            raise StrategyError(_compile_message(chosen, problem)) from problem
        _check_return_type(chosen, str(compiled.return_type))
        self._dispatcher = compiled.dispatcher
        self.address = compiled.address
        self.params_address = self._params.ctypes.data

    def choose(self, view: np.record) -> int:
        """Ask the compiled function; for the reference engine."""
        return int(self._dispatcher(view, self._params[0]))


def _where(chosen: Strategy) -> str:
    """File and line of the strategy's function, as the user named the file."""
    path = chosen.source or Path(inspect.getsourcefile(chosen.function))
    return f"{path}:{chosen.function.__code__.co_firstlineno}"


def _check_signature(chosen: Strategy) -> None:
    try:
        inspect.signature(chosen.function).bind(None, None)
    except TypeError:
        name, given = chosen.function.__name__, inspect.signature(chosen.function)
        raise StrategyError(f"{_where(chosen)}: got {name}{given}, allowed: {name}(view, params)") from None


def _check_return_type(chosen: Strategy, inferred: str) -> None:
    if not re.fullmatch(r"u?int\d+|Literal\[int\]\(.*\)", inferred):
        words = {"none": "nothing", "bool": "True or False"}.get(inferred, inferred)
        raise StrategyError(
            f"{_where(chosen)}: {chosen.function.__name__} returns {words}, allowed: a whole number, "
            "the index of one of view.n_actions legal actions"
        )


def _compile_message(chosen: Strategy, problem: Exception) -> str:
    """One line of numba's report: the place in the author's file and what is wrong there."""
    report = re.sub(r"\x1b\[[0-9;]*m", "", str(problem))
    path = inspect.getsourcefile(chosen.function)
    lines = re.findall(re.escape(f'File "{path}", line ') + r"(\d+)", report)
    shown = chosen.source or path
    where = f"{shown}:{lines[-1]}" if lines else _where(chosen)
    return f"{where}: {_reason(report)}"


def _reason(report: str) -> str:
    """The sentence that helps most in numba's long report."""
    for pattern in (
        r"Field '(\w+)' was not found",
        r"NameError: [^\n]+",
        r"Unknown attribute '[^']+'",
        r"Can't unify return type[^\n]*",
        r"Cannot unify [^\n]{0,120}",
        r"Use of unsupported [^\n]+",
        r"Untyped global name '[^']+'[^\n]*",
        r"No implementation of function [^\n]{0,160}",
    ):
        found = re.search(pattern, report)
        if found:
            return "cannot be compiled: " + found.group(0)
    lines = [line.strip() for line in report.splitlines() if line.strip()]
    useful = [line for line in lines if not line.startswith(("Failed in", "During:", "File "))]
    return "cannot be compiled: " + (useful or lines)[0]
