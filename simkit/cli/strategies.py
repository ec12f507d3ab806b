"""`simkit strategies GAME`: the players of a game."""

import click

from simkit.cli.options import GAME, choice_of_format, print_json
from simkit.contract import Game


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
        params = ", ".join(f"{name}={value:g}" for name, value in strategy.params.items())
        click.echo(strategy.name + (f"  ({params})" if params else ""))
        click.echo(click.wrap_text(strategy.description, 78, "    ", "    ") + "\n")
