"""`simkit games`: the games that there are."""

import click

from simkit import registry
from simkit.cli.options import choice_of_format, print_json, print_table


@click.command("games")
@choice_of_format("table", "json")
def command(form: str) -> None:
    """List the games with their numbers of players."""
    found = registry.games()
    if form == "json":
        print_json([_data(game) for game in found])
    else:
        rows = [(game.slug, game.title, game.players_text, str(len(game.options))) for game in found]
        print_table(("game", "title", "players", "options"), rows)


def _data(game) -> dict:
    return {
        "game": game.name,
        "title": game.title,
        "least_players": game.least_players,
        "most_players": game.most_players,
        "rules_version": game.rules_version,
        "default_strategy": game.default_strategy,
        "columns": [{"name": c.name, "per_seat": c.per_seat, "help": c.help} for c in game.columns],
    }
