"""Asks a strategy at a decision in every way there is, and says with the author's line what is wrong."""

import ast
import inspect
import operator
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from simkit.contract import Game
from simkit.errors import StrategyError
from simkit.rng import LOTS
from simkit.rng.plain import Stream
from simkit.run.plain_view import PlainRecord, in_plain_python, own_copy
from simkit.strategy import Player

REDEALT_SHARE = 0.15
"""Share of the decisions at which the hidden cards are dealt anew."""
TRIES = 30
"""So often a strategy is asked again to tell one that is fickle from one whose two forms disagree."""

WRITES = "writes to the view, which is for reading only"


class Overdue(BaseException):
    """An answer takes too long; no `except Exception` of an author catches it."""


class Examiner:
    """Sits at the table in place of a strategy, for the reference engine; raises StrategyError for what is wrong.

    Each decision is put to the strategy in plain Python, then compiled, twice on the same view, and sometimes once
    more with the cards dealt anew that the seat cannot see. The compiled answer is played.
    """

    def __init__(self, game: Game, player: Player, patience: float):
        self._reference = game.part("reference")
        self._player, self._patience = player, patience
        chosen = player.strategy
        self._file = inspect.getsourcefile(chosen.function)
        self._shown = chosen.source or self._file
        self._head = chosen.function.__code__.co_firstlineno
        self._may_hang = any(isinstance(node, ast.While) for node in ast.walk(_tree(self._file)))
        self._function = in_plain_python(chosen.function)
        self._params = PlainRecord(chosen.params_record()[0], "params", set())
        self._rng = random.Random(1)
        self._table, self._seat = None, 0
        self._game_text, self._in_game = "", 0
        self.decisions = self.redealt = 0
        self.negative: set[tuple[str, int, str]] = set()
        self.truths: set[int] = set()

    def begin(self, game: str) -> None:
        """A new game begins; `game` names it in messages."""
        self._game_text, self._in_game = game, 0

    def watch(self, table: Any, seat: int, view: np.record) -> None:
        """What the reference engine calls before each choice, for dealing anew."""
        self._table, self._seat = table, seat

    def choose(self, view: np.record) -> int:
        """The compiled answer, after all checks of this decision."""
        self.decisions += 1
        self._in_game += 1
        n_actions = int(view["n_actions"])
        plain = self._in_plain_python(own_copy(view))
        if not 0 <= plain < n_actions:
            self._fail(self._line_of_answer(view), f"answers {plain}, allowed: 0 to {n_actions - 1}")
        asked = own_copy(view)
        answer, again = self._compiled(asked), self._player.choose(own_copy(view))
        if not answer == again == plain:
            self._explain(view, plain, answer)
        drawn_from = asked["stream"].copy()
        asked["stream"] = view["stream"]
        if asked.tobytes() != view.tobytes():
            self._fail(self._head, WRITES)
        if self._rng.random() < REDEALT_SHARE:
            self._deal_anew(view, answer)
        view["stream"] = drawn_from
        return answer

    def notes(self) -> list[str]:
        """What is no mistake but may be one, a line each."""
        lines = [
            f"{self._shown}:{line}: reads {what}, which counts from the end"
            for file, line, what in sorted(self.negative)
            if file == self._file
        ]
        return lines + [f"{self._shown}:{line}: answers True or False, taken as 1 or 0" for line in sorted(self.truths)]

    def _in_plain_python(self, view: np.record) -> int:
        """The answer in plain Python; lots are drawn from this view's stream."""
        seen = PlainRecord(view, "view", self.negative)
        try:
            with _alarm(self._patience), np.errstate(all="ignore"):
                answer = self._function(seen, self._params)
        except Overdue as problem:
            self._fail(self._line_in(problem), f"does not return: still busy after {self._patience:g} seconds")
        except Exception as problem:
            words = f"{type(problem).__name__}: {problem}".splitlines()[0]
            self._fail(self._line_in(problem), WRITES if "read-only" in words else words)
        if isinstance(answer, bool | np.bool_):
            self.truths.add(self._line_of_answer(view))
        try:
            return operator.index(int(answer) if isinstance(answer, np.bool_) else answer)
        except TypeError:
            self._fail(self._line_of_answer(view), f"answers {answer!r}, allowed: a whole number")

    def _compiled(self, view: np.record) -> int:
        """The compiled answer; a function that may loop without end is asked in a thread, as it cannot be stopped."""
        if not self._may_hang:
            return self._player.choose(view)
        answers: list[int] = []
        if not within(self._patience, lambda: 0, lambda: answers.append(self._player.choose(view))):
            self._fail(self._head, "does not return when it is compiled, though it does in plain Python")
        return answers[0]

    def _explain(self, view: np.record, plain: int, answer: int) -> None:
        """Say why answers to one view differ: the strategy is fickle, or its two forms disagree."""
        compiled = [self._player.choose(own_copy(view)) for _ in range(TRIES)]
        python = [self._in_plain_python(own_copy(view)) for _ in range(TRIES)]
        for answers in ([answer, *compiled], [plain, *python]):
            other = next((other for other in answers if other != answers[0]), None)
            if other is not None:
                self._fail(
                    self._line_of_chance() or self._line_of_answer(view),
                    f"asked again on the same view it answers {other} instead of {answers[0]}; a choice may "
                    "depend on the view alone, with lots from simkit.rng.jitted.below(view.stream, n)",
                )
        self._fail(
            self._line_of_answer(view),
            f"answers {plain} in plain Python but {answer} compiled, where whole numbers have 64 bits and divisions "
            "by zero and indices beyond an array pass in silence",
        )

    def _deal_anew(self, view: np.record, answer: int) -> None:
        """Ask once more at a table that differs in what the seat cannot see."""
        self.redealt += 1
        other = self._reference.redealt(self._table, self._seat, Stream(self.decisions, 0, LOTS))
        seen = self._reference.view(other, self._seat)
        if seen.tobytes() != view.tobytes():
            raise StrategyError(f"a bug of simkit: the view of seat {self._seat} shows hidden cards")
        changed = self._player.choose(seen)
        if changed != answer:
            self._fail(
                self._line_of_chance() or self._line_of_answer(view),
                f"with the hidden cards dealt anew it answers {changed} instead of {answer}; a choice may depend on "
                "the view alone",
            )

    def _fail(self, line: int, words: str) -> None:
        raise StrategyError(f"{self._shown}:{line}: {words} ({self._game_text}, decision {self._in_game})") from None

    def _line_in(self, problem: BaseException) -> int:
        """The last line of the author's file in an exception's traceback."""
        line, step = self._head, problem.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == self._file:
                line = step.tb_lineno
            step = step.tb_next
        return line

    def _line_of_answer(self, view: np.record) -> int:
        """The line from which the function returns at this view."""
        line, before = self._head, sys.getprofile()

        def profile(frame: Any, event: str, argument: Any) -> None:
            nonlocal line
            if event == "return" and frame.f_code is self._function.__code__:
                line = frame.f_lineno

        sys.setprofile(profile)
        try:
            self._function(PlainRecord(own_copy(view), "view", set()), self._params)
        finally:
            sys.setprofile(before)
        return line

    def _line_of_chance(self) -> int | None:
        """The first line of the author's file that names a module `random` inside of a function."""
        functions = [node for node in ast.walk(_tree(self._file)) if isinstance(node, ast.FunctionDef)]
        inside = [node for function in functions for node in ast.walk(function)]
        lines = [
            node.lineno
            for node in inside
            if "random" in (isinstance(node, ast.Attribute) and node.attr, isinstance(node, ast.Name) and node.id)
        ]
        return min(lines, default=None)


def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"))


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise Overdue inside if it takes longer, where the system has such an alarm and this is the main thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise Overdue

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)  # again and again, should a bare `except:` swallow it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def within(seconds: float, progress: Callable[[], int], work: Callable[[], None]) -> bool:
    """Do `work` in a thread that is left behind if `progress()` stands still for so long; whether it came to its end.

    Compiled code cannot be stopped from outside.
    """
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    before = -1
    while thread.is_alive():
        now = progress()
        if now == before:
            return False
        before = now
        thread.join(seconds)
    return True
