"""`simkit strategies GAME`: the players of a game."""

from collections.abc import Mapping

import click

from simkit.cli.options import GAME, choice_of_format, print_json
from simkit.contract import Game

MANY = 20
"""Parameters; of more than these only some are told, all by JSON."""


def _told(params: Mapping[str, float]) -> str:
    """Parameters with their defaults, in brackets."""
    told = [f"{name}={value:g}" for name, value in params.items()]
    if len(told) > MANY:
        told = [*told[:3], f"and {len(told) - 3} more: --format json"]
    return f"  ({', '.join(told)})" if told else ""


@click.command("strategies")
@click.argument("game", type=GAME)
@choice_of_format("table", "json")
def command(game: Game, form: str) -> None:
    """List the players of GAME: name, parameters with their defaults, and the idea."""
    from simkit.strategy import builtin, installed

    found = [*builtin(game).values(), *installed(game).values()]
    if form == "json":
        print_json([{"name": s.name, "params": dict(s.params), "description": s.description} for s in found])
        return
    for strategy in found:
        click.echo(click.wrap_text(strategy.name + _told(strategy.params), 80, "", "  "))
        click.echo(click.wrap_text(strategy.description, 78, "    ", "    ") + "\n")
