"""What the tables of lost games count is what the reference engine's games show."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from simkit import registry
from simkit.games.foursquare.endings import ENDINGS, PARTS, WAYS
from simkit.games.foursquare.lost_games import count_endings
from simkit.games.foursquare.reference import legal_actions, play, play_on
from simkit.games.foursquare.rules import FRAME, MOST_RANKS
from simkit.run.blocks import Seating
from simkit.strategy import Player, resolve
from tests.engines import Engines

GAME = registry.game("foursquare")
ENGINES = Engines(GAME, Path(__file__).parent, None, {})
STATUS = [column.name for column in GAME.columns].index("status")
GAMES = 40


def frames(table):
    """Top left corners of the frames that the piles fit in."""
    if table.rules.frame == "fixed":
        return [(0, 0)]
    (first_row, last_row), (first_col, last_col) = (
        (min(cell[i] for cell in table.piles), max(cell[i] for cell in table.piles)) for i in (0, 1)
    )
    return [
        (top, left)
        for top in range(last_row - FRAME + 1, first_row + 1)
        for left in range(last_col - FRAME + 1, first_col + 1)
    ]


def goes_on(table, choice):
    """Whether the card that is drawn, placed there, would not lose at once with too many tops face down."""
    other = table.copy()
    other.stock = [other.card, *other.stock]
    event = next(play_on(other, [lambda seen: choice]))
    return event["face_down"] <= table.rules.face_down_limit


def endings_by_the_reference(rules, seed, game, choose):
    """The tables of one lost game as fractions of it; None of those that are not about it."""
    kept = []
    events = list(play(rules, seed, game, [choose], lambda table, _seat, _seen: kept.append(table.copy())))
    drawn, (*_, placed, outcome) = kept[-1], events
    after = drawn.copy()
    after.piles.setdefault((placed["row"], placed["col"]), None)
    found = {name: np.full((FRAME, FRAME), Fraction(0)) for name in ("face_down", "empty", "losing_cell")}
    corners = frames(after)
    for top, left in corners:
        for row in range(FRAME):
            for col in range(FRAME):
                pile = drawn.piles.get((top + row, left + col))
                part = Fraction(1, len(corners))
                if pile is None:
                    found["empty"][row, col] += part
                elif not pile.face_up:
                    found["face_down"][row, col] += part
                if (top + row, left + col) == (placed["row"], placed["col"]):
                    found["losing_cell"][row, col] += part
    if outcome["status"] != "lost_face_down":
        return found | dict.fromkeys(("losing_cell", "losing_rank", "ways_out"))
    found["losing_rank"] = np.zeros((1, MOST_RANKS), int)
    found["losing_rank"][0, drawn.rank(drawn.card) - 1] = 1
    ways = sum(goes_on(drawn, choice) for choice in range(len(legal_actions(drawn))))
    found["ways_out"] = np.zeros((1, WAYS), int)
    found["ways_out"][0, min(ways, WAYS - 1)] = 1
    return found


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"frame": "fixed"},
        {"face_down_limit": 2, "loss_check": "each_line"},
        {"flip_scope": "whole_line", "lone_card": "none", "adjacency": "anywhere"},
        {"max_rank": 6, "suits": 3, "pile_height": 2},
    ],
)
@pytest.mark.parametrize("name", ["random", "cautious", "greedy"])
def test_tables_count_what_the_reference_shows(name, chosen):
    player, rules = ENGINES.player(name), GAME.rules(1, chosen)
    rows = Seating(GAME, rules, [player]).play(9, 0, GAMES)
    lost = np.flatnonzero(rows[:, STATUS])
    assert len(lost) > 5
    expected = [endings_by_the_reference(rules, 9, int(game), player.choose) for game in lost]
    found = count_endings(rules, 9, lost, player)
    for table in ENDINGS:
        counted = [tables[table.name] for tables in expected if tables[table.name] is not None]
        games, counts = found[table.name]
        assert games == len(counted)
        if counted:
            assert (sum(counted) * table.parts == counts).all()


def test_a_frame_fits_a_whole_number_of_parts():
    assert all(PARTS % (down * across) == 0 for down in range(1, FRAME + 1) for across in range(1, FRAME + 1))


def test_no_lost_games_count_nothing():
    found = count_endings(GAME.rules(1, {}), 1, np.array([], np.int64), Player(GAME, resolve(GAME, "greedy")))
    assert all(games == 0 and not counts.any() for games, counts in found.values())
