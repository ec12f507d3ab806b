"""What strategies see in the kernel, decision by decision: to say where two engines part ways."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simkit.contract import Game, Rules
from simkit.run.blocks import Seating
from simkit.run.plain_view import own_copy
from simkit.strategy import Player, Strategy

if TYPE_CHECKING:
    from simkit._jit import CompiledChoice

MOST_DECISIONS = 4096
"""Decisions of a seat that are kept; further ones are not looked at."""


class Witness:
    """A strategy that writes down each view before it answers, in the kernel too; a player for a `Seating`."""

    def __init__(self, strategy: Strategy, compiled: "CompiledChoice", log: np.ndarray):
        self.strategy = strategy
        self._compiled, self._log = compiled, log
        self.address = compiled.address
        self.params_address = log.ctypes.data

    @property
    def views(self) -> np.ndarray:
        """The views at the decisions since the last `clear`, shape (decisions,)."""
        return self._log[0]["views"][: self._log[0]["n"]]

    def clear(self) -> None:
        """Forget the decisions."""
        self._log["n"] = 0


def witnesses(game: Game, seats: Sequence[Strategy]) -> list[Witness]:
    """A witness for each seat; every strategy is compiled once."""
    view = game.part("state").VIEW
    compiled: dict[str, CompiledChoice] = {}
    found = []
    for strategy in seats:
        params = strategy.params_record()
        log = np.zeros(1, [("params", params.dtype), ("n", "i8"), ("views", view, (MOST_DECISIONS,))])
        log["params"] = params
        if strategy.text not in compiled:
            compiled[strategy.text] = _compiled(strategy.function, view, log.dtype)
        found.append(Witness(strategy, compiled[strategy.text], log))
    return found


def _compiled(function: Callable, view: np.dtype, log: np.dtype) -> "CompiledChoice":
    from simkit._jit import compile_choice, jit

    inner, most = jit(function), MOST_DECISIONS

    def choose(view, log):
        if log.n < most:
            log.views[log.n] = view
            log.n += 1
        return inner(view, log.params)

    return compile_choice(choose, view, log, cache=False)


@dataclass(frozen=True)
class Parting:
    """The first decision at which the views of the two engines differ, counted for its seat from 0, and how."""

    seat: int
    decision: int
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return f"decision {self.decision} of seat {self.seat}: {', '.join(self.differences)}"


def compare_views(
    game: Game, rules: Rules, seated: Sequence[Witness], players: Sequence[Player], seed: int, index: int
) -> tuple[int, Parting | None]:
    """Play a game in both engines, the same strategies as witnesses and as players; compare the views byte by byte.

    Returns the number of decisions, and the first that differs or None.
    """
    for witness in seated:
        witness.clear()
    Seating(game, rules, seated).play(seed, index, 1)
    asked: list[tuple[int, np.record]] = []
    choosers = [player.choose for player in players]

    def watch(table, seat: int, view: np.record) -> None:
        asked.append((seat, own_copy(view)))

    for _ in game.part("reference").play(rules, seed, index, choosers, watch):
        pass
    return len(asked), _first_difference(asked, [witness.views for witness in seated])


def _first_difference(asked: list[tuple[int, np.record]], in_kernel: list[np.ndarray]) -> Parting | None:
    seen: Counter[int] = Counter()
    for seat, view in asked:
        number = seen[seat]
        seen[seat] += 1
        if number >= MOST_DECISIONS:
            continue
        if number >= len(in_kernel[seat]):
            return Parting(seat, number, ("the kernel does not ask it",))
        if in_kernel[seat][number].tobytes() != view.tobytes():
            return Parting(seat, number, _differences(in_kernel[seat][number], view))
    for seat, views in enumerate(in_kernel):
        if len(views) > seen[seat]:
            return Parting(seat, seen[seat], ("the reference engine does not ask it",))
    return None


def _differences(kernel: np.void, reference: np.void) -> tuple[str, ...]:
    """Each field that differs, with both values; of an array the first element that does."""
    found = []
    for name in kernel.dtype.names:
        ours, theirs = np.atleast_1d(kernel[name]), np.atleast_1d(reference[name])
        places = [place for place in np.ndindex(ours.shape) if ours[place].tobytes() != theirs[place].tobytes()]
        if places:
            where = "".join(f"[{i}]" for i in places[0]) if kernel.dtype[name].shape else ""
            found.append(f"{name}{where} {ours[places[0]]} in the kernel, {theirs[places[0]]} in the reference engine")
    return tuple(found) or ("bytes between the fields",)
