"""The options of Sequence Stacks and what of them can be played. RULES.md says where each comes from."""

from simkit.contract import Option, Rules
from simkit.errors import BadInput

RULES_VERSION = "1"

COLORS = 2
NUMBERS = 5
"""A sequence runs from 1 to this number."""
MAX_PLAYERS = 6
MAX_COPIES = 9
"""The shuffled full deck has this many copies of every kind; those above an option's count are passed over."""
ACTION_KINDS = "skip", "reverse", "steal_card", "block", "steal_chip"
"""The options that count action cards, in the order of the card types."""


def _named(name: str, values: tuple, help: str, source: str) -> Option:
    return Option(name, help, source, seed=values[0], official=values[0], values=values)


def _number(name: str, default: int, low: int, high: int, help: str, source: str, two_players=None) -> Option:
    by_players = {} if two_players is None else {2: two_players}
    return Option(name, help, source, seed=default, official=default, low=low, high=high, by_players=by_players)


OPTIONS = (
    _named(
        "hand_refill",
        ("start_of_turn", "end_of_turn", "when_empty", "seed_literal"),
        "when the hand is filled up, besides at once when a card played empties it",
        "the source names only the emptied hand (seed_literal), under which games starve; start_of_turn is the "
        "workable, unverified reading, by analogy with Skip-Bo",
    ),
    _number("piles_per_color", 2, 1, 4, "sequence piles of a colour that may stand at a time", "explicit"),
    _named(
        "stop_early",
        ("allowed", "forbidden"),
        "whether a turn may end while a number or wild can be played",
        "'may play as many'; an independent source: as many or as few as you want",
    ),
    _named(
        "discard_action_cards",
        ("allowed", "forbidden"),
        "whether an action card may be discarded (from a hand of action cards only it always may)",
        "silent",
    ),
    _named(
        "play_action_from_discard",
        ("allowed", "forbidden"),
        "whether an action card may be played from the own discard pile",
        "'the top card can be used'",
    ),
    _named("skip_stacking", ("cumulative", "none"), "whether a turn may hold several Skips", "silent"),
    _named(
        "block_priority",
        ("turn_order", "random"),
        "the order in which holders of a Block are asked",
        "silent",
    ),
    _named(
        "blocked_pile_to",
        ("removed", "out_of_game"),
        "where the cards of a blocked sequence go: reshuffled later, or never seen again",
        "'discarded'",
    ),
    _named(
        "steal_chip_win",
        ("illegal", "no_win_until_next", "wins"),
        "whether a chip that completes the winning condition may be stolen, and whether it wins at once",
        "'cannot be used to win'",
    ),
    _number("chips_per_color", 20, 1, 100, "chips of each colour in the supply", "40 chips, the split is unstated"),
    _number("win_chips", 5, 1, 20, "chips needed to win", "explicit"),
    _number("win_each_color", 2, 0, 10, "chips of each colour needed to win", "explicit"),
    _number("hand_size", 5, 1, 10, "cards dealt, and drawn up to", "explicit; a designer's knob"),
    _named(
        "two_player_reverse",
        ("no_effect", "skips"),
        "what Reverse does with two players: not legal, or it acts as a Skip",
        "only where Reverse is put back into the deck for two",
    ),
    _number("max_turns", 2000, 1, 10**6, "turns after which a game is capped, undecided", "a guard"),
    _number(
        "max_plays",
        2000,
        1,
        10**6,
        "cards played (Blocks not counted) after which a game is capped, undecided",
        "a guard: where all cards in circulation are playable a turn need never end",
    ),
    _number("numbers", 9, 0, MAX_COPIES, "copies of each number in each colour", "explicit"),
    _number("wilds", 7, 0, MAX_COPIES, "wilds in each colour", "explicit"),
    _number("skip", 3, 0, MAX_COPIES, "Skip cards", "explicit; two players leave out 1", two_players=2),
    _number("reverse", 3, 0, MAX_COPIES, "Reverse cards", "explicit; two players leave out all", two_players=0),
    _number("steal_card", 3, 0, MAX_COPIES, "Steal a Card cards", "explicit; two players leave out 1", two_players=2),
    _number("block", 3, 0, MAX_COPIES, "Block cards", "explicit; two players leave out 1", two_players=2),
    _number("steal_chip", 4, 0, MAX_COPIES, "Steal a Chip cards", "explicit; two players leave out 2", two_players=2),
)

_BY_NAME = {option.name: option for option in OPTIONS}


def code(option: str, value: str) -> int:
    """What the kernel's record holds for this value of an option."""
    return _BY_NAME[option].code(value)


def copies(rules: Rules) -> list[int]:
    """Cards in the game of each card type, in the order of `state.CARDS`."""
    return [rules.numbers] * (COLORS * NUMBERS) + [rules.wilds] * COLORS + [rules[kind] for kind in ACTION_KINDS]


def check_rules(rules: Rules) -> None:
    """Raise BadInput for a deck too small to deal and for a win that the chips do not allow."""
    cards, needed = sum(copies(rules)), rules.players * rules.hand_size
    if cards < needed:
        raise BadInput(
            f"rule hand_size: a deck of {cards} cards is too small for {rules.players} hands of {rules.hand_size}, "
            f"allowed: at most {cards // rules.players}"
        )
    if rules.win_each_color > rules.chips_per_color:
        raise BadInput(
            f"rule win_each_color: got {rules.win_each_color}, allowed: at most chips_per_color, "
            f"{rules.chips_per_color}"
        )
    if rules.win_chips > COLORS * rules.chips_per_color:
        raise BadInput(
            f"rule win_chips: got {rules.win_chips}, allowed: at most the chips of both colours, "
            f"{COLORS * rules.chips_per_color}"
        )
