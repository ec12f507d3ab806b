"""A player that looks at every placement in both forms of the rules, and answers nonsense where they differ."""

from simkit._jit import count_bits
from simkit.games.foursquare.grid import first_free, grid_of, may_place, nibbles_in, piles_of, placed, spanned
from simkit.games.foursquare.position import face_down_after
from simkit.games.foursquare.rules import FRAME
from simkit.rng.jitted import below


def choose(view, params):
    ranks, down, heights = grid_of(view)
    for i in range(view.n_actions):
        cell, row, col = view.actions[i].cell, 0, 0
        if view.occupied:
            row, col = (cell >> 3) - view.first_row, (cell & 7) - view.first_col
        after, left, piled = placed(view.rules, ranks, down, heights, row, col, view.card)
        expected = face_down_after(view, cell)
        if nibbles_in(left) != count_bits(expected):
            return -1
        at = 16 * max(row, 0) + 4 * max(col, 0)
        if (after >> at) & 15 != view.card or (left >> at) & 1 != (expected >> cell) & 1:
            return -1
        if count_bits(piles_of(piled)) != 4 * count_bits(view.occupied | (1 << cell)):
            return -1
    if view.occupied:
        piles, found = piles_of(heights), 0
        rows, cols = spanned(piles)
        for row in range(first_free(view.rules, rows), FRAME):
            for col in range(first_free(view.rules, cols), FRAME):
                if may_place(view.rules, down, heights, piles, row, col):
                    action = view.actions[min(found, view.n_actions - 1)]
                    if action.row != row + view.first_row - 3 or action.col != col + view.first_col - 3:
                        return -1
                    found += 1
        if found != view.n_actions:
            return -1
    return below(view.stream, view.n_actions)
