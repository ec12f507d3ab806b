"""What a user sees while games are played: a bar on a terminal, nothing in a log file."""

import sys
from types import TracebackType

from simkit.cli.options import note
from simkit.contract import Game


class Progress:
    """A bar with games per second and the time left, on standard error if that is a terminal."""

    def __init__(self, deals: int, games_a_deal: int = 1, label: str = "playing", unit: str = "games"):
        self._deals, self._games, self._label, self._unit = deals, games_a_deal, label, unit
        self._bar = None

    def __enter__(self) -> "Progress":
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                TaskProgressColumn(),
                TextColumn("{task.fields[speed]}"),
                TimeRemainingColumn(),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(self._label, total=self._deals, speed="")
            self._bar.start()
        return self

    def advance(self, deals: int) -> None:
        """So many more deals are played."""
        if self._bar is None:
            return
        task = self._bar.tasks[0]
        speed = f"{task.speed * self._games:,.0f} {self._unit}/s" if task.speed else ""
        self._bar.update(self._task, advance=deals, speed=speed)

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def announce_compiling(game: Game, module: str = "kernel") -> None:
    """Say so before the minute in which a kernel, or a solver, is compiled for the first time."""
    from simkit._jit import is_cached

    if not is_cached(game.folder, module):
        note(f"compiling {game.title} for this machine (once; up to a minute)")
