"""Positions of Skyjo drawn in text, and what a player answers there in words.

A drawing has three lines of four words: a number is a card that lies face up, `_` one that lies face down, `.` a cell
that is gone. Cells are named like those of a spreadsheet: A1 top left, B1 to the right of it, A2 below.
"""

import random

from simkit.games.skyjo import GAME
from simkit.games.skyjo.reference import Table, legal_actions, view
from simkit.games.skyjo.rules import COLS
from simkit.games.skyjo.state import (
    DECK,
    EXCHANGE_DECISION,
    NONE,
    OPEN_DECISION,
    SOURCE_DECISION,
    USE_DECISION,
)
from simkit.games.skyjo.table import Card

WORDS = "open", "take", "draw", "exchange", "turn", "reject"
NEW = "_ _ _ _\n" * 3


def position(*drawings, discard, taken=False, drawn=None, opening=False, totals=(), turn=1, ending=NONE, **rules):
    """A table with these grids, seat 0 about to decide: whether to take the top of `discard` (text, the top last),
    what to do with it once `taken`, what to do with the `drawn` card, or which card to open. Other names are options.

    All cards that are nowhere else lie face down or in the draw pile.
    """
    table = Table(GAME.rules(len(drawings), rules), seed=1, index=0)
    table.discard = [int(word) for word in discard.split()]
    table.drawn, table.round, table.turn, table.starter, table.ender = drawn, 1, turn, 0, ending
    known = [int(word) for drawing in drawings for word in drawing.split() if word not in "_."]
    rest = list(DECK)
    for value in known + table.discard + ([drawn] if drawn is not None else []):
        rest.remove(value)
    random.Random(1).shuffle(rest)
    for seat, drawing in enumerate(drawings):
        for cell, word in enumerate(drawing.split()):
            if word != ".":
                table.grids[seat][cell] = Card(rest.pop(), False) if word == "_" else Card(int(word), True)
    table.draw_pile, table.totals = rest, list(totals) or table.totals
    table.decision = USE_DECISION if drawn is not None else EXCHANGE_DECISION if taken else SOURCE_DECISION
    if opening:
        table.decision = OPEN_DECISION
    return table


def name(cell):
    """The name of a cell: "B3"."""
    return f"{'ABCD'[cell % COLS]}{cell // COLS + 1}"


def say(action):
    """One action in words: "open A1", "take", "draw", "exchange B2", "turn C3", "reject"."""
    return WORDS[action.kind] + ("" if action.cell == NONE else f" {name(action.cell)}")


def answer(player, table):
    """What this player answers in a position."""
    return say(legal_actions(table)[player.choose(view(table, table.active))])


def random_rules(rng: random.Random):
    """Random options and number of players, the numbers small."""
    chosen = {option.name: rng.choice(option.values) for option in GAME.options if option.values}
    chosen |= {"rounds": rng.choice([0, 1, 2]), "max_rounds": 3, "max_turns": rng.choice([5, 40, 150])}
    chosen |= {"target": rng.choice([1, 30, 100]), "multiplier": rng.randint(1, 4)}
    return GAME.rules(rng.randint(2, 8), chosen)
