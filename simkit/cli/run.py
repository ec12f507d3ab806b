"""`simkit run`: play many games and report what was measured."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from simkit.cli.options import (
    GAME,
    SEED,
    Count,
    choice_of_format,
    default_threads,
    drawn_seed,
    game_options,
    note,
    parsed_rules,
    raising_on_term,
)
from simkit.cli.progress import Progress, announce_compiling
from simkit.contract import LARGEST_DEALS, Game
from simkit.errors import BadInput

FORMATS = "table", "json", "csv", "md"


@click.command("run", short_help="play many games")
@click.argument("game", type=GAME, required=False)
@game_options
@click.option("-n", "--deals", type=Count(1, LARGEST_DEALS), default="1e5", show_default=True, help="Deals to play.")
@click.option("--rotate", is_flag=True, help="Play each deal in all rotations of the strategies over the seats.")
@SEED
@click.option("--threads", type=Count(1, 1024), default=default_threads, help="Threads [default: one a core].")
@click.option("--level", type=float, default=0.95, show_default=True, help="Level of the intervals.")
@choice_of_format(*FORMATS)
@click.option("--out", type=click.Path(path_type=Path), help="Directory for the results and their record.")
@click.option("--games-out", type=click.Path(path_type=Path), help="Parquet file with one row a game.")
@click.option("--force", is_flag=True, help="Replace results that are there already.")
@click.option("--from", "source", type=click.Path(path_type=Path), help="A record.json: run the same again.")
def command(
    game: Game | None,
    players: int | None,
    seats: tuple[str, ...],
    rules: tuple[str, ...],
    preset: str,
    deals: int,
    rotate: bool,
    seed: int | None,
    threads: int,
    level: float,
    form: str,
    out: Path | None,
    games_out: Path | None,
    force: bool,
    source: Path | None,
) -> int:
    """Play GAME many times and report win rates, lengths and every outcome column, each with its interval."""
    from simkit.run.spec import run_spec

    record = None
    if source is not None:
        spec, record = _recorded(source)
    elif game is None:
        raise BadInput("GAME: got nothing, allowed: a game (see `simkit games`), or --from record.json")
    else:
        chosen = parsed_rules(rules)
        spec = run_spec(game, seats, deals, 0 if seed is None else seed, players, chosen, preset, rotate, level)
        if seed is None:
            spec = run_spec(game, seats, deals, drawn_seed(), players, chosen, preset, rotate, level)
    return _play(spec, record, threads, form, out, games_out, force)


def _recorded(source: Path) -> tuple[Any, dict]:
    from simkit.run.provenance import differences
    from simkit.run.spec import from_data
    from simkit.run.store import read_record

    record = read_record(source)
    if "run" not in record:
        raise BadInput(f"--from: {source} is no record of a run (a study's goes to `simkit study --from`)")
    spec = from_data(record["run"])
    for line in differences(record, spec.seats):
        note(f"note: {line}")
    return spec, record


def _play(
    spec: Any, record: dict | None, threads: int, form: str, out: Path | None, games_out: Path | None, force: bool
) -> int:
    from simkit.run.store import GamesFile, new_directory

    if out is not None:
        new_directory(out, force)
    announce_compiling(spec.game)
    from simkit.run.simulate import Simulation

    simulation = Simulation(spec)
    games = GamesFile(games_out, spec.game, spec.players, force) if games_out else nullcontext()
    with games as file, raising_on_term(), Progress(spec.deals, spec.rotations) as progress:
        keep = file.add if file else (lambda first, rows: None)
        result = simulation.play(threads, progress.advance, keep)
    command = record["command"] if record else ["simkit", *sys.argv[1:]]
    _report(result, command, form, out)
    return 0 if result.complete else 130


def _report(result: Any, command: list[str], form: str, out: Path | None) -> None:
    from simkit.report.run import as_csv, as_markdown, as_table, result_data, stored_files, warnings

    for line in warnings(result):
        note(line)
    if out is not None:
        from simkit.run.store import write_files

        write_files(out, stored_files(result, command))
        note(f"results in {out}")
    if form == "table":
        as_table(result)
    elif form == "json":
        from simkit.run.store import as_json

        sys.stdout.write(as_json(result_data(result)))
    else:
        sys.stdout.write(as_csv(result) if form == "csv" else as_markdown(result))
