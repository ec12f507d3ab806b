"""`simkit replay`: single games, step by step."""

import json

import click

from simkit.cli.options import GAME, SEED, choice_of_format, drawn_seed, game_options, parsed_rules
from simkit.cli.progress import announce_compiling
from simkit.contract import Game
from simkit.errors import BadInput

MOST_GAMES = 100_000


@click.command("replay", short_help="print single games")
@click.argument("game", type=GAME)
@game_options
@SEED
@click.option("--game", "index", default="0", help="Which game of the run, counted from 0.  [default: 0]")
@click.option("--games", "span", metavar="A:B", help="Several games, from A up to but not with B.")
@click.option("--rotation", type=int, default=0, help="With `run --rotate`: seats turned by so many.")
@choice_of_format("text", "jsonl")
def command(
    game: Game,
    players: int | None,
    seats: tuple[str, ...],
    rules: tuple[str, ...],
    preset: str,
    seed: int | None,
    index: str,
    span: str | None,
    rotation: int,
    form: str,
) -> None:
    """Print games of a run with the same settings: as a text, or as JSON Lines for programs."""
    first, last = _range(index, span)
    from simkit.run.spec import run_spec

    seed = drawn_seed() if seed is None else seed
    spec = run_spec(game, seats, 1, seed, players, parsed_rules(rules), preset)
    if not 0 <= rotation < spec.players:
        raise BadInput(f"--rotation: got {rotation}, allowed: 0 to {spec.players - 1}")
    announce_compiling(game)
    from simkit.report.narrate import narrate
    from simkit.run.transcript import Replay

    replay = Replay(spec, rotation)
    for number in range(first, last):
        if form == "jsonl":
            for event in replay.events(number):
                click.echo(json.dumps(event, allow_nan=False))
        else:
            for line in narrate(game, replay.events(number)):
                click.echo(line)


def _range(index: str, span: str | None) -> tuple[int, int]:
    first, colon, last = (span if span is not None else index).partition(":")
    option = "--games" if span is not None else "--game"
    try:
        start = int(first)
        end = int(last) if span is not None else start + 1
    except ValueError:
        start, end = -1, -1
    if (bool(colon) != (span is not None)) or not 0 <= start < end < 2**63 or end - start > MOST_GAMES:
        allowed = f"A:B with 0 <= A < B, at most {MOST_GAMES:,} games" if span is not None else "a whole number from 0"
        raise BadInput(f"{option}: got {span if span is not None else index}, allowed: {allowed}")
    return start, end
