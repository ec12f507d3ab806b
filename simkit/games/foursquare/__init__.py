"""Foursquare: a solitaire on a 4x4 grid, by Wil Su. See RULES.md."""

from simkit.contract import Game
from simkit.games.foursquare.endings import ENDINGS
from simkit.games.foursquare.rules import OPTIONS, RULES_VERSION, check_rules
from simkit.games.foursquare.state import COLUMNS

GAME = Game(
    name="foursquare",
    title="Foursquare",
    folder=__name__,
    rules_version=RULES_VERSION,
    least_players=1,
    most_players=1,
    options=OPTIONS,
    columns=COLUMNS,
    check_rules=check_rules,
    default_strategy="cautious",
    length="placed",
    calibration=("random", "cautious"),
    bench_strategies=("weighted", "learned", "lookahead"),
    bench_players=(1,),
    solver="solver",
    endings=ENDINGS,
)
