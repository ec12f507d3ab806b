"""The options of Skyjo. RULES.md says where each comes from."""

from typing import Any

from simkit.contract import Option, Rules

RULES_VERSION = "1"

MAX_PLAYERS = 8
ROWS = 3
COLS = 4
CELLS = ROWS * COLS
"""Cards that a seat is dealt. Cell c lies in row c // COLS and column c % COLS."""
OPENED = 2
"""Cards that every seat turns up before the first turn."""

LOWEST, HIGHEST = -2, 12
COPIES = (5, 10, 15, *(10 for _ in range(1, HIGHEST + 1)))
"""Cards of each value, from the lowest on."""
N_VALUES = len(COPIES)
DECK_SIZE = sum(COPIES)


def _named(name: str, values: tuple, help: str, source: str, official: Any = None) -> Option:
    """The first of the values is the seed preset's, and the official one's unless that is given."""
    official = values[0] if official is None else official
    return Option(name, help, source, seed=values[0], official=official, values=values)


def _truth(name: str, seed: bool, official: bool, help: str, source: str) -> Option:
    return Option(name, help, source, seed=seed, official=official, values=(False, True))


def _number(name: str, default: int, low: int, high: int, help: str, source: str) -> Option:
    return Option(name, help, source, seed=default, official=default, low=low, high=high)


OPTIONS = (
    _named(
        "next_starter",
        ("round_winner", "round_ender", "rotate", "highest_open"),
        "who starts a later round: who won the last one, who ended it, the seat after its starter, or the highest sum "
        "of the opened cards, as in the first round",
        "in conflict: the source says the winner, the manual who ended it",
        official="round_ender",
    ),
    _named(
        "reveal_after_reject",
        ("optional", "forced"),
        "whether a face-down card may or must be turned up after a drawn card is rejected",
        "in conflict: the source says may, the manual must",
        official="forced",
    ),
    _truth(
        "double_on_tie",
        False,
        True,
        "whether the score of who ended the round is doubled too where another's is equal to it",
        "the source: 'does not have the lowest score'; the manual's example doubles a tie",
    ),
    _truth(
        "double_nonpositive",
        False,
        False,
        "whether scores of zero and below are doubled too",
        "the manual doubles positive scores only",
    ),
    _truth(
        "column_rule",
        True,
        True,
        "whether three face-up cards of one value in a column leave the grid",
        "the source calls it optional",
    ),
    _truth(
        "column_at_final_reveal",
        True,
        True,
        "whether columns completed when all cards are turned up at the end of a round leave too",
        "the manual",
    ),
    _named(
        "column_discard",
        ("on_top", "under"),
        "where the cards of a column go: on the card that the turn put on the discard pile, or under it",
        "the manual: on it",
    ),
    _named(
        "open_cells",
        ("choose", "random"),
        "whether players choose the two cards that they turn up, or lots do",
        "'turn two of your cards'",
    ),
    _named(
        "first_starter_tie",
        ("lot", "lowest_seat"),
        "who starts where several have the highest sum of opened cards",
        "silent",
    ),
    _named(
        "final_turns",
        ("one_each", "none"),
        "whether the others have one more turn each when somebody has no face-down card left",
        "the source says both",
    ),
    _named(
        "draw_empty",
        ("reshuffle", "end_round"),
        "what a draw from the empty draw pile does: the discard pile is shuffled, or the round ends at once",
        "silent",
    ),
    _number("target", 100, 1, 1000, "a total of so many points ends the game", "explicit"),
    _number("rounds", 0, 0, 100, "exactly so many rounds, whatever the totals; 0: to the target", "a designer's knob"),
    _number("multiplier", 2, 1, 5, "what doubling multiplies by", "a designer's knob"),
    _number(
        "max_turns",
        500,
        1,
        10**6,
        "turns of a round, a player, after which the game is capped, undecided",
        "a guard: face-up cards can be exchanged for ever",
    ),
    _number(
        "max_rounds",
        1000,
        1,
        10**6,
        "rounds after which the game is capped, undecided; without effect where `rounds` is set",
        "a guard: totals can sink for ever",
    ),
)

_BY_NAME = {option.name: option for option in OPTIONS}


def code(option: str, value: str) -> int:
    """What the kernel's record holds for this value of an option."""
    return _BY_NAME[option].code(value)


def check_rules(rules: Rules) -> None:
    """Every combination of options can be played."""
