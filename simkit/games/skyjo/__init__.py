"""Skyjo: 2 to 8 players want few points in a grid of face-down cards, by Alexander Bernhardt. See RULES.md."""

from simkit.contract import Game
from simkit.games.skyjo.rules import MAX_PLAYERS, OPTIONS, RULES_VERSION, check_rules
from simkit.games.skyjo.state import COLUMNS

GAME = Game(
    name="skyjo",
    title="Skyjo",
    folder=__name__,
    rules_version=RULES_VERSION,
    least_players=2,
    most_players=MAX_PLAYERS,
    options=OPTIONS,
    columns=COLUMNS,
    check_rules=check_rules,
    default_strategy="cutoff",
    length="turns",
    calibration=("random", "cutoff"),
    bench_strategies=("greedy", "counting", "expert"),
    bench_players=(2, 4),
)
