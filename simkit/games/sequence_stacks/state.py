"""The words that both engines of Sequence Stacks share: cards, actions, the view, the outcome columns."""

from typing import NamedTuple

import numpy as np

from simkit.contract import Column
from simkit.games.sequence_stacks.rules import COLORS, MAX_COPIES, MAX_PLAYERS, NUMBERS, OPTIONS
from simkit.rng import STREAM

CARDS = (
    *(f"R{value}" for value in range(1, NUMBERS + 1)),
    *(f"B{value}" for value in range(1, NUMBERS + 1)),
    "RW",
    "BW",
    "Skip",
    "Reverse",
    "StealCard",
    "Block",
    "StealChip",
)
"""Card types by their code. A number of colour c and value v has code 5 * c + v - 1."""

RED, BLUE = range(COLORS)
COLOR_NAMES = "R", "B"
FIRST_WILD = CARDS.index("RW")
FIRST_ACTION_CARD = SKIP = CARDS.index("Skip")
REVERSE, STEAL_CARD, BLOCK, STEAL_CHIP = (CARDS.index(name) for name in CARDS[SKIP + 1 :])
N_CARDS = len(CARDS)
FULL_DECK = N_CARDS * MAX_COPIES
MOST_PILES = next(option.high for option in OPTIONS if option.name == "piles_per_color")
NONE = -1
"""No card, no colour, no seat."""

TURN_DECISION, BLOCK_DECISION = range(2)

PLAY, ACTION, DISCARD, END, DECLINE_BLOCK, PLAY_BLOCK = range(6)
"""Kinds of action. PLAY lays a number or wild on a pile; ACTION plays an action card; END passes with no hand."""

HAND, DISCARD_PILE = range(2)


class Action(NamedTuple):
    """One legal action; what does not apply is NONE. `target` is a seat; `value` and `color` are a pile's or chip's."""

    kind: int
    card: int = NONE
    source: int = NONE
    value: int = NONE
    color: int = NONE
    target: int = NONE


def color_of(card: int) -> int:
    """The colour of a number or wild."""
    return card // NUMBERS if card < FIRST_WILD else card - FIRST_WILD


def _all_actions() -> list[Action]:
    """Every action there is, in the order in which legal actions are listed."""
    sources = HAND, DISCARD_PILE
    numbers = range(FIRST_WILD)
    wilds = [(FIRST_WILD + color, value) for color in (RED, BLUE) for value in range(1, NUMBERS + 1)]
    actions = []
    for source in sources:
        actions += [Action(PLAY, card, source, card % NUMBERS + 1, color_of(card)) for card in numbers]
        actions += [Action(PLAY, card, source, value, color_of(card)) for card, value in wilds]
    for card in (SKIP, REVERSE):
        actions += [Action(ACTION, card, source) for source in sources]
    seats = range(MAX_PLAYERS)
    actions += [Action(ACTION, STEAL_CARD, source, target=seat) for source in sources for seat in seats]
    actions += [
        Action(ACTION, STEAL_CHIP, source, color=color, target=seat)
        for source in sources
        for seat in seats
        for color in (RED, BLUE)
    ]
    actions += [Action(DISCARD, card, HAND) for card in range(N_CARDS)]
    return [*actions, Action(END), Action(DECLINE_BLOCK), Action(PLAY_BLOCK, BLOCK, HAND)]


ACTIONS = tuple(_all_actions())
"""Every action; its place here is its code. Legal actions are listed in this order: plays, action cards, discards."""

MOST_LEGAL = len(ACTIONS) - 2
"""No decision offers more actions than this (a turn's; a block decision offers two)."""

ACTION_FIELDS = (*Action._fields, "code", "filler")
ACTION_RECORD = np.dtype([(name, "i1") for name in ACTION_FIELDS])
"""One action as a strategy sees it, eight bytes. `filler` is 0."""

ACTION_TABLE = np.array([(*action, code, 0) for code, action in enumerate(ACTIONS)], ACTION_RECORD)

RULES_RECORD = np.dtype([(option.name, "i8") for option in OPTIONS])

VIEW = np.dtype(
    [
        # The decision
        ("decision", "i8"),  # TURN_DECISION or BLOCK_DECISION
        ("n_actions", "i8"),  # legal actions; the answer is an index below it
        ("n_plays", "i8"),  # the first so many of them lay a number or wild
        ("n_action_cards", "i8"),  # the next so many play an action card
        ("actions", ACTION_RECORD, (MOST_LEGAL,)),  # all zero beyond n_actions
        # What only this player knows
        ("hand", "i1", (N_CARDS,)),  # cards of each type
        ("holding", "i8"),  # bit c is set if the hand has a card of type c
        ("stream", STREAM),  # this seat's own randomness: simkit.rng.jitted.below(view.stream, n)
        # What all see
        ("players", "i8"),
        ("seat", "i8"),  # who decides
        ("active", "i8"),  # whose turn it is
        ("direction", "i8"),  # 1 or -1: the next seat is (seat + direction) % players
        ("turn", "i8"),  # from 1, over all seats
        ("plays", "i8"),  # cards played so far, Blocks left out
        ("skips", "i8"),  # Skips played in this turn, not dealt out yet
        ("turns_to_lose", "i8", (MAX_PLAYERS,)),
        ("chips", "i8", (MAX_PLAYERS, COLORS)),
        ("supply", "i8", (COLORS,)),
        ("needs", "i8", (COLORS,)),  # bit v - 1 is set if a card of value v can be laid in that colour
        ("piles", "i8", (COLORS,)),  # sequence piles that stand
        ("heights", "i8", (COLORS, MOST_PILES)),  # their heights, the oldest first; 0 beyond `piles`
        ("wild_spots", "i8", (COLORS, MOST_PILES)),  # bit v - 1 is set where a wild stands for v
        ("hand_sizes", "i8", (MAX_PLAYERS,)),
        ("discard_tops", "i8", (MAX_PLAYERS,)),  # card type, NONE if there is none
        ("discard_sizes", "i8", (MAX_PLAYERS,)),
        ("discards", "i1", (MAX_PLAYERS, FULL_DECK)),  # from the bottom; 0 beyond discard_sizes
        ("visible", "i1", (N_CARDS,)),  # cards of each type that lie open or are known to be out of the game
        ("deck", "i1", (N_CARDS,)),  # cards of each type in the whole game
        ("draw_pile", "i8"),  # cards in it
        ("removed", "i8"),  # cards of completed sequences, to be reshuffled
        ("reshuffles", "i8"),
        ("rules", RULES_RECORD),
    ],
    align=True,
)
"""What a player may know at a decision. Two deals that differ in nothing this player can see give the same bytes.

Cards that this player cannot see, in the draw pile or in other hands, are `deck - visible - hand`.
"""

COLUMNS = (
    Column("winner", "seat that won, -1 if none", label=True),
    Column("status", "how the game ended", words=("won", "stalemate", "capped")),
    Column("turns", "turns taken by all"),
    Column("plays", "numbers and wilds played"),
    Column("sequences", "sequences completed, blocked ones too"),
    Column("blocks", "Blocks played"),
    Column("skips", "Skips played"),
    Column("reverses", "Reverses played"),
    Column("steal_cards", "Steal a Card cards played"),
    Column("steal_chips", "Steal a Chip cards played"),
    Column("reshuffles", "times the removed cards became a new draw pile"),
    Column("lead_changes", "times another seat became the sole holder of the most chips"),
    Column("winner_deficit", "most chips that the winner was ever behind", nullable=True),
    Column("red", "red chips at the end", per_seat=True),
    Column("blue", "blue chips at the end", per_seat=True),
    Column("turns", "turns taken by the seat", per_seat=True),
)

WON, STALEMATE, CAPPED = range(3)


def parse(text: str) -> list[int]:
    """Card codes from card text: `parse("R1 BW Skip")`."""
    return [CARDS.index(word) for word in text.split()]


def text(cards) -> str:
    """Card text from card codes."""
    return " ".join(CARDS[card] for card in cards)


NARRATION_KEYS = "card", "reason", "played"
NARRATION = {
    "draw:deal": "seat {seat} is dealt {cards}",
    "draw": "  draws {cards}",
    "draw:turn_end": "  fills up with {cards}",
    "draw:hand_empty": "  the hand is empty: draws {cards}",
    "reshuffle": "  the removed cards are shuffled into a new draw pile",
    "turn": "\nTurn {turn}, seat {seat}",
    "play": "  {card} from the {from}: {pile}",
    "complete": "  a sequence is complete",
    "block:true": "  seat {seat} blocks it",
    "block:false": "  seat {seat} lets it pass",
    "chip": "  takes a chip, {color}",
    "action": "  {card} from the {from}",
    "action:StealCard": "  StealCard from the {from}: takes {stolen} from seat {target}",
    "action:StealChip": "  StealChip from the {from}: takes a chip, {color}, from seat {target}",
    "skipped": "\nSeat {seat} is skipped",
    "discard": "  discards {card}",
    "pass": "  passes",
}
"""How `simkit replay` tells an event, see `simkit.report.narrate`."""
