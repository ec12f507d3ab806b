"""The games that there are. A further game is one folder and one line here."""

from importlib import import_module

from simkit.contract import Game
from simkit.errors import BadInput

GAMES = {
    "sequence_stacks": "simkit.games.sequence_stacks",
    "foursquare": "simkit.games.foursquare",
    "skyjo": "simkit.games.skyjo",
}


def game(name: str) -> Game:
    """The game of that name, hyphens or underscores; raises BadInput."""
    folder = GAMES.get(name.replace("-", "_"))
    if folder is None:
        raise BadInput(f"GAME: got {name!r}, allowed: {', '.join(key.replace('_', '-') for key in GAMES)}")
    return import_module(folder).GAME


def games() -> list[Game]:
    """All games."""
    return [game(name) for name in GAMES]
