"""`simkit warmup`: compile everything now, so that later commands start at once."""

import time
from collections.abc import Callable

import click

from simkit import registry
from simkit.cli.options import GAME, note
from simkit.contract import Game


@click.command("warmup", short_help="compile everything now")
@click.argument("games", type=GAME, nargs=-1, metavar="[GAME]…")
def command(games: tuple[Game, ...]) -> None:
    """Compile the kernels and built-in strategies of all games, or of those named. Called again it takes no time."""
    from simkit._jit import cache_dir

    start = time.perf_counter()
    parts = sum(_compile(game) for game in games or registry.games())
    print(f"{parts} parts ready in {time.perf_counter() - start:.1f} s, in {cache_dir()}")


def _compile(game: Game) -> int:
    """Compile one game; the number of its parts."""
    from simkit.strategy import Player, builtin

    _timed(f"{game.title}: kernel", lambda: game.part("kernel"))
    if game.solver:
        _timed(f"{game.title}: solver", lambda: game.part(game.solver))
    found = builtin(game)
    for name, strategy in found.items():
        _timed(f"{game.title}: {name}", lambda strategy=strategy: Player(game, strategy))
    return 1 + bool(game.solver) + len(found)


def _timed(what: str, work: Callable) -> None:
    start = time.perf_counter()
    work()
    note(f"{what}, {time.perf_counter() - start:.1f} s")
