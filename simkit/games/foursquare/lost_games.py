"""How lost games ended (see `endings`): they are played once more, which gives the same games again."""

import numpy as np

from simkit._jit import block_types, call_choice, count_bits, jit, kernel, record
from simkit.contract import Rules
from simkit.games.foursquare.endings import ENDINGS, PARTS, WAYS
from simkit.games.foursquare.kernel import BAD_ANSWER, GOES_ON, HIDDEN, draw, fill_stock, list_placements, place
from simkit.games.foursquare.position import FIXED, face_down_after
from simkit.games.foursquare.rules import FRAME, MOST_RANKS, OPTIONS
from simkit.games.foursquare.state import LOST_FACE_DOWN, LOST_NO_PLACE, ORIGIN, RULES_RECORD, SIDE, VIEW
from simkit.rng import CHOICE, DEAL
from simkit.rng.jitted import open_stream
from simkit.strategy import Player

COUNTS = np.dtype(
    [
        ("lost", "i8"),  # games counted
        ("turned_down", "i8"),  # of these, lost with too many tops face down
        ("losing_cell", "i8", (FRAME, FRAME)),
        ("losing_rank", "i8", (1, MOST_RANKS)),
        ("ways_out", "i8", (1, WAYS)),
        ("face_down", "i8", (FRAME, FRAME)),
        ("empty", "i8", (FRAME, FRAME)),
    ],
    align=True,
)


@jit
def _play_again(hidden, views, seed, game, choice, params):
    """Play one game on wiped records of which views[0] holds the rules; how it ended, and the last card's cell.

    views[1] is then the view in which that card was drawn.
    """
    view = views[0]
    open_stream(hidden.stream, seed, game, DEAL, 1)
    open_stream(view.stream, seed, game, CHOICE, 0)
    size, status, cell = view.stock, GOES_ON, -1
    while status == GOES_ON:
        draw(hidden, view, size)
        list_placements(view)
        views[1] = views[0]
        if view.n_actions == 0:
            return LOST_NO_PLACE, cell
        index = call_choice(choice, view, params)
        if index < 0 or index >= view.n_actions:
            return BAD_ANSWER, cell
        cell = np.int64(view.actions[index].cell)
        status = place(hidden, view, cell)
    return status, cell


@jit
def _count_frame(drawn, status, cell, top, left, parts, counts):
    """Count the end of a game in the frame whose first row and column on the board are `top` and `left`."""
    for row in range(FRAME):
        for column in range(FRAME):
            at = SIDE * (top + row) + left + column
            if (drawn.face_down >> at) & 1:
                counts.face_down[row, column] += parts
            elif not (drawn.occupied >> at) & 1:
                counts.empty[row, column] += parts
            if status == LOST_FACE_DOWN and at == cell:
                counts.losing_cell[row, column] += parts


@jit
def _count_last_card(drawn, counts):
    """Count the card that lost the game, and how many placements of it would not have lost at once."""
    counts.turned_down += 1
    counts.losing_rank[0, drawn.card - 1] += 1
    ways = 0
    for i in range(drawn.n_actions):
        ways += count_bits(face_down_after(drawn, drawn.actions[i].cell)) <= drawn.rules.face_down_limit
    counts.ways_out[0, min(ways, WAYS - 1)] += 1


@jit
def _count_game(drawn, ended, status, cell, counts):
    """Count the end of a game; `drawn` is the view in which its last card was drawn, `ended` the one after it."""
    counts.lost += 1
    if status == LOST_FACE_DOWN:
        _count_last_card(drawn, counts)
    first_top, last_top = ended.last_row - FRAME + 1, ended.first_row
    first_left, last_left = ended.last_col - FRAME + 1, ended.first_col
    if ended.rules.frame == FIXED:
        first_top = last_top = first_left = last_left = ORIGIN
    parts = PARTS // ((last_top - first_top + 1) * (last_left - first_left + 1))
    for top in range(first_top, last_top + 1):
        for left in range(first_left, last_left + 1):
            _count_frame(drawn, status, cell, top, left, parts, counts)


def count_block(rules, seed, games, choice, params, counts):
    """Play these games (numbers, int64) of `seed` once more and add their ends to `counts` (COUNTS)."""
    views, blank_view = np.zeros(2, VIEW), np.zeros(1, VIEW)
    hiddens, blank = np.zeros(1, HIDDEN), np.zeros(1, HIDDEN)
    blank_view[0].rules = rules
    fill_stock(blank[0], blank_view[0])
    for i in range(len(games)):
        views[0], hiddens[0] = blank_view[0], blank[0]
        status, cell = _play_again(hiddens[0], views, seed, np.uint64(games[i]), choice, params)
        _count_game(views[1], views[0], status, cell, counts)


_RULES, _, _SEED, _, _ADDRESSES, _, _ = block_types(RULES_RECORD)
count_block = kernel(_RULES, _SEED, _ADDRESSES, _ADDRESSES.dtype, _ADDRESSES.dtype, record(COUNTS))(count_block)


def count_endings(rules: Rules, seed: int, games: np.ndarray, player: Player) -> dict[str, tuple[int, np.ndarray]]:
    """What each of `ENDINGS` says of these lost games (numbers, int64), see `simkit.contract.EndingTable`."""
    counts = np.zeros(1, COUNTS)
    codes = tuple(option.code(rules[option.name]) for option in OPTIONS)
    settings = np.array([codes], RULES_RECORD)[0]
    count_block(settings, np.uint64(seed), games, player.address, player.params_address, counts[0])
    games = {"face_down": "lost", "empty": "lost"}
    return {
        table.name: (int(counts[games.get(table.name, "turned_down")][0]), counts[table.name][0]) for table in ENDINGS
    }
