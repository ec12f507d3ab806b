"""All positions of Foursquare that a known stock allows, in plain Python on the reference engine's rules.

A position is a frozen set of (cell, rank, height, face up). Nothing is taken as alike or given up early, but one thing:
sixteen piles need as many placements on free cells.
"""

import numpy as np

from simkit.games.foursquare.reference import Pile, Table, _place, legal_actions
from simkit.games.foursquare.rules import PILES


class Positions:
    """Positions under some rules. Ranks stand for cards: of a rank, the first suit is placed."""

    def __init__(self, rules):
        self.rules, self._table = rules, Table(rules, 1, 1)

    def _set(self, position):
        first_of = self.rules.suits
        self._table.piles = {cell: Pile([(rank - 1) * first_of] * high, up) for cell, rank, high, up in position}

    def of(self, table):
        """The position of a table."""
        piles = table.piles.items()
        return frozenset((cell, table.rank(pile.cards[-1]), len(pile.cards), pile.face_up) for cell, pile in piles)

    def after(self, position, rank):
        """The positions that are not lost after a card of this rank."""
        self._set(position)
        found = set()
        for action in legal_actions(self._table):
            self._set(position)
            self._table.card = (rank - 1) * self.rules.suits
            if _place(self._table, action)["face_down"] <= self.rules.face_down_limit:
                found.add(self.of(self._table))
        return found

    def along(self, ranks, placements):
        """The position after these cards were placed on these cells, (row, column) each."""
        self._set(frozenset())
        for rank, (row, col) in zip(ranks, placements, strict=False):
            self._table.card = (rank - 1) * self.rules.suits
            (action,) = [action for action in legal_actions(self._table) if (action.row, action.col) == (row, col)]
            _place(self._table, action)
        return self.of(self._table)

    def layers(self, position, ranks):
        """The positions after each of these ranks, from a position on; those that win are not played on."""
        layer = {position}
        for rank in ranks:
            layer = {after for before in layer if not is_won(before) for after in self.after(before, rank)}
            yield layer

    def fewest(self, position, ranks, most=100_000):
        """With how many of these ranks a position can be won at the earliest; 0 if it cannot.

        None where more than so many positions would have to be looked at.
        """
        looked, layer = 0, {position}
        for placed, rank in enumerate(ranks, 1):
            left = len(ranks) - placed
            layer = {after for before in layer for after in self.after(before, rank)}
            if any(map(is_won, layer)):
                return placed
            layer = {after for after in layer if PILES - len(after) <= left}
            looked += len(layer)
            if looked > most:
                return None
        return 0


def is_won(position):
    """Sixteen piles, all with a face-up top."""
    return len(position) == PILES and all(up for *_, up in position)


def words(position):
    """The position as the grid's three words: ranks, face-down nibbles, heights (signed)."""
    first_row = min((row for (row, _), *_ in position), default=0)
    first_col = min((col for (_, col), *_ in position), default=0)
    found = [0, 0, 0]
    for (row, col), rank, high, up in position:
        shift = 16 * (row - first_row) + 4 * (col - first_col)
        for i, nibble in enumerate((rank, 0 if up else 15, high)):
            found[i] |= nibble << shift
    return [int(np.uint64(word).astype(np.int64)) for word in found]
