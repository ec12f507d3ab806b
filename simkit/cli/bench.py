"""`simkit bench`: games per second, start-up time and memory."""

import click

from simkit import registry
from simkit.cli.options import GAME, choice_of_format, note, print_json, print_table
from simkit.cli.progress import announce_compiling
from simkit.contract import Game


@click.command("bench", short_help="games per second, start-up, memory")
@click.argument("games", type=GAME, nargs=-1, metavar="[GAME]…")
@click.option("--no-cold", is_flag=True, help="Leave out what starts processes: start-up time and memory.")
@choice_of_format("table", "json")
def command(games: tuple[Game, ...], no_cold: bool, form: str) -> None:
    """Measure games a second on one core for the players that are defined to the letter (so that figures compare from
    version to version) and some that think, cold and warm start of `simkit run`, and its peak memory.
    """
    from simkit.run.bench import as_data, machine, speeds, starts

    found, started = [], []
    for game in games or registry.games():
        announce_compiling(game)
        for speed in speeds(game):
            note(f"{game.slug}: {speed.strategy}, {speed.players} players")
            found.append(speed)
        if not no_cold:
            note(f"{game.slug}: processes of their own, the first with nothing compiled (about a minute)")
            started += starts(game)
    if form == "json":
        print_json(as_data(found, started))
        return
    about = machine()
    print(f"{about['processor']}, {about['cores']} cores, Python {about['python']}, numba {about['numba']}\n")
    _print_speeds(found)
    if started:
        print()
        _print_starts(started)


def _print_speeds(found: list) -> None:
    rows = [
        (
            speed.game.replace("_", "-"),
            str(speed.players),
            speed.strategy,
            f"{speed.games_per_second:,.0f}",
            f"{speed.slowest:,.0f} – {speed.fastest:,.0f}",
        )
        for speed in found
    ]
    print_table(("game", "players", "strategy", "games/s a core", "slowest – fastest"), rows)


def _print_starts(started: list) -> None:
    rows = [
        (
            start.game.replace("_", "-"),
            start.what,
            f"{start.deals:,}",
            f"{start.seconds:.1f} s",
            f"{start.peak_mib:,.0f} MiB",
        )
        for start in started
    ]
    print_table(("game", "process", "deals", "from start to end", "peak memory"), rows)
