"""Rules drawn at random, for checks that want every option in every company."""

import random

from simkit.contract import Game, Option, Rules
from simkit.errors import BadInput


def random_rules(game: Game, rng: random.Random, players: int | None = None) -> Rules:
    """Rules that can be played: every named option at random, every count at its default or anything that is allowed.

    Counts go up to twice their default, so that a cap or a size of thousands does not turn up.
    """
    while True:
        seats = rng.randint(game.least_players, game.most_players) if players is None else players
        try:
            return game.rules(seats, {option.name: _value(option, seats, rng) for option in game.options})
        except BadInput:
            continue


def _value(option: Option, players: int, rng: random.Random):
    if option.values:
        return rng.choice(option.values)
    usual = option.default("seed", players)
    if rng.random() < 0.5:
        return usual
    return rng.randint(option.low, min(option.high, max(2 * usual, option.low + 2)))
