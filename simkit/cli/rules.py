"""`simkit rules GAME`: the options of a game."""

import click

from simkit.cli.options import GAME, choice_of_format, print_json
from simkit.contract import PRESETS, Game, Option


@click.command("rules")
@click.argument("game", type=GAME)
@click.option("-p", "--players", type=int, help="Show the defaults for this number of players.")
@choice_of_format("table", "json")
def command(game: Game, players: int | None, form: str) -> None:
    """List the options of GAME: values, defaults by preset, meaning, and what the sources say."""
    players = game.least_players if players is None else players
    defaults = {preset: game.rules(players, preset=preset) for preset in PRESETS}
    if form == "json":
        print_json(
            [
                _data(option, {preset: rules[option.name] for preset, rules in defaults.items()})
                for option in game.options
            ]
        )
        return
    click.echo(f"{game.title}, rules version {game.rules_version}; defaults for {players} players\n")
    for option in game.options:
        seed, official = (str(defaults[preset][option.name]).lower() for preset in PRESETS)
        preset = seed if seed == official else f"{seed} (official: {official})"
        click.echo(f"{option.name} = {preset}")
        click.echo(click.wrap_text(f"{option.help}. Allowed: {option.allowed}.", 78, "    ", "    "))
        click.echo(click.wrap_text(f"Source: {option.source}.", 78, "    ", "    "))


def _data(option: Option, defaults: dict) -> dict:
    values = list(option.values) or {"low": option.low, "high": option.high}
    return {
        "option": option.name,
        "values": values,
        "default": defaults,
        "by_players": {str(players): value for players, value in option.by_players.items()},
        "help": option.help,
        "source": option.source,
    }
