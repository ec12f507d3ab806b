"""Sequence Stacks: 2 to 6 players build sequences 1 to 5 for chips of two colours. See RULES.md."""

from simkit.contract import Game
from simkit.games.sequence_stacks.rules import OPTIONS, RULES_VERSION, check_rules
from simkit.games.sequence_stacks.state import COLUMNS

GAME = Game(
    name="sequence_stacks",
    title="Sequence Stacks",
    folder=__name__,
    rules_version=RULES_VERSION,
    least_players=2,
    most_players=6,
    options=OPTIONS,
    columns=COLUMNS,
    check_rules=check_rules,
    default_strategy="eager",
    length="turns",
    calibration=("random", "eager"),
    bench_strategies=("expert",),
    bench_players=(2, 4),
)
