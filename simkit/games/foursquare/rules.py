"""The options of Foursquare. RULES.md says where each comes from."""

from simkit.contract import Option, Rules

RULES_VERSION = "1"

FRAME = 4
"""All piles together span at most so many rows and columns."""
PILES = FRAME * FRAME
"""So many face-up piles win."""
MOST_RANKS = 13
MOST_SUITS = 8


def _named(name: str, values: tuple, help: str, source: str) -> Option:
    return Option(name, help, source, seed=values[0], official=values[0], values=values)


def _number(name: str, default: int, low: int, high: int, help: str, source: str) -> Option:
    return Option(name, help, source, seed=default, official=default, low=low, high=high)


OPTIONS = (
    _named(
        "flip_scope",
        ("others", "whole_line", "whole_line_all_up"),
        "which tops of a line turn over: those of the other piles, all with the placed card's, or all where a line "
        "without another face-up top ends face up",
        "the source turns 'every pile in the row', the designer the other piles",
    ),
    _named(
        "compare_face_down",
        ("ignore", "include"),
        "whether face-down tops are compared, by their rank",
        "the source is silent; the designer ignores them",
    ),
    _named(
        "lone_card",
        ("flips", "flips_row_only", "none"),
        "whether a line turns over that has no other face-up top",
        "the source says it for the row only",
    ),
    _named(
        "ties",
        ("strict", "row_only"),
        "whether an equal rank is neither higher nor lower everywhere, or in the row only (in the column it is both)",
        "the source says it for the row only",
    ),
    _named(
        "stack_on_face_down",
        ("allowed", "forbidden"),
        "whether a card may be placed on a face-down top",
        "the designer's example does",
    ),
    _named(
        "adjacency",
        ("orthogonal", "king", "anywhere"),
        "which free cells may be used: next to a pile, diagonally too, or any",
        "the designer: orthogonal",
    ),
    _named(
        "frame",
        ("floating", "fixed"),
        "whether the 4x4 frame floats, or the first card lies in its top left corner",
        "the designer's example floats",
    ),
    _named(
        "loss_check",
        ("end_of_turn", "each_line"),
        "when too many face-down tops lose: after both lines, or after the row already",
        "the designer: after both",
    ),
    _number("pile_height", 4, 1, 4, "cards that a pile may hold", "explicit"),
    _number("face_down_limit", 4, 0, 16, "more face-down tops than this lose", "explicit"),
    _number("max_rank", 10, 4, MOST_RANKS, "highest rank", "explicit; a designer's knob"),
    _number("suits", 4, 2, MOST_SUITS, "cards of each rank", "explicit; a designer's knob"),
)

_BY_NAME = {option.name: option for option in OPTIONS}


def code(option: str, value: str) -> int:
    """What the kernel's record holds for this value of an option."""
    return _BY_NAME[option].code(value)


def check_rules(rules: Rules) -> None:
    """Every combination of options can be played; some can never be won."""
