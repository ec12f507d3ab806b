"""Positions of Foursquare drawn in card text, and games from there told in words.

A drawing has one word for each cell: `.` is free; `9S` or, as suits mean nothing, `9` a pile with a face-up card on
top; `_9` with a face-down card on top; `AH/3/_7` a pile of three from the bottom. Cells are named like those of a
spreadsheet: A1 is the drawing's top left, B1 to the right of it; A1 is the cell (0, 0) unless `corner` says otherwise.
"""

import random
from collections import deque
from contextlib import suppress

from simkit.games.foursquare import GAME
from simkit.games.foursquare.reference import Pile, Table, legal_actions, play_on
from simkit.games.foursquare.state import EMPTY, FACE_DOWN, SUITS, rank_of


def card(rules, text):
    """The number of the card with this text; a missing suit is S."""
    text = text if text[-1] in SUITS else text + "S"
    return (rank_of(text) - 1) * rules.suits + SUITS.index(text[-1])


def position(drawing, stock="", corner=(0, 0), **rules):
    """A table with these piles, the first card of `stock` about to be drawn. Other names are options."""
    table = Table(GAME.rules(1, rules), seed=1, index=0)
    lines = [line.split() for line in drawing.strip().splitlines()]
    for row, words in enumerate(lines, start=corner[0]):
        for col, word in enumerate(words, start=corner[1]):
            if word != ".":
                texts = [text.strip("_") for text in word.split("/")]
                table.piles[row, col] = Pile([card(table.rules, text) for text in texts], "_" not in word)
    table.stock = [card(table.rules, text) for text in stock.split()]
    table.placed = sum(len(pile.cards) for pile in table.piles.values())
    return table


def cell(name):
    """Row and column of a cell by its name; ROW,COLUMN such as "-1,0" is understood too."""
    if "," in name:
        row, col = name.split(",")
        return int(row), int(col)
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


def name(place):
    """The name of a cell: "B3"; "-1,0" for one above or to the left of A1."""
    row, col = place
    return f"{chr(ord('A') + col)}{row + 1}" if row >= 0 and col >= 0 else f"{row},{col}"


def drawing(table):
    """The tops as they lie: lines of words, "." for a free cell, "_" before a face-down card; no suits, no borders."""
    rows, cols = zip(*table.piles, strict=True)
    return "\n".join(
        " ".join(_top(table, (row, col)) for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


def _top(table, place):
    if place not in table.piles:
        return "."
    pile = table.piles[place]
    return ("" if pile.face_up else "_") + table.text(pile.cards[-1])[:-1]


def legal(table):
    """The board of 7 x 7 around (0, 0), borders with nothing on them left out.

    `+` is a free cell that may be used, `.` one that may not; `o` a pile that may be built on, `x` one that may not.
    """
    actions = {(action.row, action.col): action.on for action in legal_actions(table)}
    marks = dict.fromkeys(table.piles, "x") | {place: "+" if on == EMPTY else "o" for place, on in actions.items()}
    for place, on in actions.items():
        assert (on == EMPTY) == (place not in table.piles)
        assert on == EMPTY or (on == FACE_DOWN) == (not table.piles[place].face_up)
    rows, cols = zip(*marks, strict=True)
    return "\n".join(
        " ".join(marks.get((row, col), ".") for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


class _Stop(Exception):
    """The script has no more cells."""


def follow(table, script):
    """Place the stock's cards on the named cells, and return the events up to the decision after the last of them.

    The table then stands at that next decision, or the game is over.
    """
    cells = deque(cell(word) for word in script.split())

    def choose(view):
        if not cells:
            raise _Stop
        offered = [(action["row"], action["col"]) for action in view["actions"][: view.n_actions]]
        assert cells[0] in offered, f"{name(cells[0])} is not legal"
        return offered.index(cells.popleft())

    events = []
    with suppress(_Stop):  # what came before it stays in the list
        events.extend(play_on(table, [choose]))
    assert not cells, f"the game was over before {cells}"
    return events


def line(event):
    """A placement as "6C on face_up B3 row C3 D3 column B1 B2, 3 down"; an outcome as "lost_face_down"."""
    if event["event"] == "outcome":
        return event["status"]
    words = [event["card"], "on", event["on"], name((event["row"], event["col"]))]
    words += ["row", *map(name, event["row_flips"]), "column", *map(name, event["col_flips"])]
    return " ".join(words) + f", {event['face_down']} down"


def story(table, script):
    """The events of `follow` as lines."""
    return [line(event) for event in follow(table, script)]


def turned(drawn, card_and_cell, **rules):
    """What one card turns: `turned(drawing, "6 B3")` is "row C3 D3 column B1 B2, 3 down"."""
    text, place = card_and_cell.split()
    told = story(position(drawn, f"{text} A A", **rules), place)[0]
    return told[told.index("row") :]


def random_rules(rng: random.Random):
    """Random options, the numbers among them often the default."""
    chosen = {option.name: rng.choice(option.values) for option in GAME.options if option.values}
    for option in GAME.options:
        if not option.values and rng.random() < 0.5:
            chosen[option.name] = rng.randint(option.low, option.high)
    return GAME.rules(1, chosen)
