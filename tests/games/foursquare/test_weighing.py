"""The weighted rule counts what its docstring says, and plays by the sum; trial games are played by it."""

import json
import random

import numpy as np
import pytest

from simkit import registry
from simkit._jit import jit
from simkit.games.foursquare.grid import DOWN, grid_of, placed
from simkit.games.foursquare.reference import play, play_on
from simkit.games.foursquare.rules import FRAME, MOST_RANKS, PILES
from simkit.games.foursquare.state import RULES_RECORD
from simkit.games.foursquare.weighing import (
    FEATURES,
    PLACE,
    PLACES,
    fill_shares,
    load_weights,
    new_shares,
    unseen_planes,
    worth_of,
)
from simkit.run.blocks import Seating
from simkit.strategy import Player, builtin, resolve

from .positions import cell, position

GAME = registry.game("foursquare")
CELLS = [(row, col) for row in range(FRAME) for col in range(FRAME)]
MAX_RANK = 10


# ---------------------------------------------------------------- the docstring once more, in plain words


def lines(grid):
    """Rows, then columns, of the tops: None, or (rank, whether it lies face down)."""
    rows = [[grid.get((row, col)) for col in range(FRAME)] for row in range(FRAME)]
    return rows + [list(col) for col in zip(*rows, strict=True)]


def up_in(line):
    return [top[0] for top in line if top and not top[1]]


def is_harmless(grid, at, rank):
    """Whether a card of this rank on a cell turns, in its row and in its column, as much up as down at the least."""
    row, col = at
    for mates in ([(row, c) for c in range(FRAME) if c != col], [(r, col) for r in range(FRAME) if r != row]):
        others = [grid.get(mate) for mate in mates]
        up = up_in(others)
        down = sum(bool(top and top[1]) for top in others)
        if len(up) > down and not min(up) <= rank <= max(up):
            return False
    return True


def features(grid, heights, unseen, pile_height):
    """Every feature by name. `grid` maps cells to tops, `unseen` ranks to the number of cards."""
    found = dict.fromkeys(FEATURES, 0.0)
    stock = sum(unseen.values())

    def share(ranks):
        return sum(unseen[rank] for rank in ranks) / stock

    for line in lines(grid):
        up, down = up_in(line), sum(bool(top and top[1]) for top in line)
        if up or down:
            found[f"line_{len(up)}{down}"] += 1
        if up:
            found[f"calm_{len(up)}{down}"] += share(range(min(up), max(up) + 1))

    harmless = {at: {rank for rank in range(1, MOST_RANKS + 1) if is_harmless(grid, at, rank)} for at in CELLS}
    on_deck = {at: harmless[at] & set(range(1, MAX_RANK + 1)) for at in CELLS}
    full = {at for at in grid if heights[at] == pile_height}
    covered = {at for at in grid if grid[at][1]}
    empty = {at for at in CELLS if at not in grid}
    near = {at for at in empty if any(abs(at[0] - r) + abs(at[1] - c) == 1 for r, c in grid)}
    found["fit_empty"] = sum(share(on_deck[at]) for at in empty)
    found["fit_down"] = sum(share(on_deck[at]) for at in covered - full)
    found["stuck_empty"] = sum(not harmless[at] for at in empty)
    found["stuck_down"] = sum(at in full or not harmless[at] for at in covered)
    for name, cells in {
        "empty": near,
        "down": near | (covered - full),
        "up": near | (set(grid) - full),
    }.items():
        found[f"take_{name}"] = share(set().union(*(on_deck[at] for at in cells)))
        found[f"need_{name}"] = found[f"take_{name}"] * len(covered)
    found["down_3"], found["down_4"] = float(len(covered) == 3), float(len(covered) > 3)
    found["full_up"], found["full_down"] = len(full - covered), len(full & covered)
    rows, cols = zip(*grid, strict=True)
    found["spread"] = (max(rows) + 1) * (max(cols) + 1)
    return found


# ---------------------------------------------------------------- the compiled sums


@jit
def fill_worths(rules, words, unseen, weights, found):
    """The worth of a position by each row of weights."""
    shares, stock = new_shares(), unseen.sum()
    fill_shares(unseen, rules.max_rank, 1 / stock, shares)
    planes = unseen_planes(unseen, rules.max_rank)
    for i in range(len(weights)):
        found[i] = worth_of(rules, words[0], words[1], words[2], weights[i], planes, shares, 1 / stock)


ONE_EACH = np.zeros((len(FEATURES), PLACES))
ONE_EACH[np.arange(len(FEATURES)), PLACE] = 1


def rules_record(**chosen):
    return np.array([GAME.codes(GAME.rules(1, chosen))], RULES_RECORD)[0]


def words_of(grid, heights):
    words = np.zeros(3, np.uint64)
    for (row, col), (rank, is_down) in grid.items():
        at = 16 * row + 4 * col
        for i, value in enumerate((rank, DOWN if is_down else 0, heights[row, col])):
            words[i] |= np.uint64(value << at)
    return words.view(np.int64)


def compiled_features(grid, heights, unseen, rules):
    found = np.zeros(len(FEATURES))
    counts = np.array([unseen.get(rank, 0) for rank in range(MOST_RANKS + 1)], np.int8)
    fill_worths(rules, words_of(grid, heights), counts, ONE_EACH, found)
    return dict(zip(FEATURES, found, strict=True))


def drawn_grids(count, pile_height=4):
    """Grids with a pile in the first row and the first column, their piles' heights, and cards left of each rank."""
    rng = random.Random(8)
    for _ in range(count):
        density, covered = rng.random(), rng.random() * 0.6
        cells = {at for at in CELLS if rng.random() < density} | {(0, rng.randrange(4)), (rng.randrange(4), 0)}
        grid = {at: (rng.randint(1, MAX_RANK), rng.random() < covered) for at in sorted(cells)}
        heights = {at: rng.randint(1, pile_height) for at in grid}
        unseen = {rank: rng.randint(0, 4) for rank in range(1, MAX_RANK + 1)}
        yield grid, heights, unseen | {rng.randint(1, MAX_RANK): 1}


@pytest.mark.parametrize("pile_height", [1, 2, 4])
def test_features_are_those_of_the_docstring(pile_height):
    rules = rules_record(pile_height=pile_height)
    for grid, heights, unseen in drawn_grids(300, pile_height):
        expected = features(grid, heights, unseen, pile_height)
        assert compiled_features(grid, heights, unseen, rules) == pytest.approx(expected, abs=1e-9)


def test_mirrored_turned_and_reversed_positions_are_worth_the_same():
    rules = rules_record()
    changes = {
        "mirrored": lambda row, col, rank: ((row, 3 - col), rank),
        "turned": lambda row, col, rank: ((col, 3 - row), rank),
        "reversed": lambda row, col, rank: ((row, col), MAX_RANK + 1 - rank),
    }
    whole = [one for one in drawn_grids(400) if {3} < {r for r, _ in one[0]} and {3} < {c for _, c in one[0]}]
    assert len(whole) > 100
    for grid, heights, unseen in whole:
        known = compiled_features(grid, heights, unseen, rules)
        for name, change in changes.items():
            moved = {change(row, col, rank): down for (row, col), (rank, down) in grid.items()}
            other = {at: (rank, down) for (at, rank), down in moved.items()}
            piles = {change(row, col, 1)[0]: height for (row, col), height in heights.items()}
            left = {MAX_RANK + 1 - rank: n for rank, n in unseen.items()} if name == "reversed" else unseen
            assert compiled_features(other, piles, left, rules) == pytest.approx(known, abs=1e-9), name


# ---------------------------------------------------------------- the players


@jit
def fill_afters(view, afters):
    ranks, down, heights = grid_of(view)
    for i in range(view.n_actions):
        cell = np.int64(view.actions[i].cell)
        row, col = (cell >> 3) - view.first_row, (cell & 7) - view.first_col
        afters[i] = placed(view.rules, ranks, down, heights, row, col, view.card)


def grid_after(words):
    """The words of a position as `features` takes them: tops and heights by cell."""
    ranks, down, heights = ([int(word) >> 4 * i & 15 for i in range(PILES)] for word in words.view(np.uint64))
    piles = {CELLS[i]: i for i in range(PILES) if heights[i]}
    return {at: (ranks[i], down[i] > 0) for at, i in piles.items()}, {at: heights[i] for at, i in piles.items()}


def test_weighted_takes_the_placement_with_the_highest_sum():
    """In all positions of some games in which the order of the sums is beyond rounding."""
    rules, given = GAME.rules(1, {}), builtin(GAME)["weighted"].params
    player, met, compared = Player(GAME, resolve(GAME, "weighted")), [], 0
    for game in range(4):
        for _ in play(rules, 3, game, [player.choose], lambda _table, _seat, seen: met.append(seen.copy())):
            pass
    for seen in met:
        stock = int(seen["stock"])
        if not seen["occupied"] or not stock:
            continue
        afters = np.zeros((seen["n_actions"], 3), np.int64)
        fill_afters(seen, afters)
        gone = 1 - stock / (MAX_RANK * 4)
        weights = {name: given[name] + given[f"{name}_late"] * gone for name in FEATURES}
        unseen = {rank: int(seen["unseen"][rank]) for rank in range(1, MAX_RANK + 1)}
        sums = []
        for words in afters:
            grid, heights = grid_after(words)
            down = sum(is_down for _, is_down in grid.values())
            if down > 4 or (len(grid) == PILES and not down):
                sums.append(-1e30 if down else 1e30)
            else:
                found = features(grid, heights, unseen, 4)
                sums.append(sum(weights[name] * found[name] for name in FEATURES))
        best = max(sums)
        near = [i for i, value in enumerate(sums) if value > best - 1e-9 * max(1, abs(best))]
        assert player.choose(seen) in near
        compared += len(near) == 1
    assert compared > 50


NEARLY = """
    5 5 5 5
    5 5 5 5
    5 5 5 5
    5 5 5 .
"""


@pytest.mark.parametrize("name", ["weighted", "rollout", "learned", "lookahead", "greedy"])
def test_all_win_where_they_can(name):
    table = position(NEARLY, "5 A 2 3")
    events = list(play_on(table, [Player(GAME, resolve(GAME, name)).choose]))
    assert events[-1]["status"] == "won" and events[-1]["placed"] == 16
    assert (events[0]["row"], events[0]["col"]) == cell("D4")


def can_be_won(table):
    """Whether any placements of the two cards left win, tried one by one in the reference engine."""
    for first in range(PILES):
        for second in range(PILES):
            script = [first, second]
            events = play_on(table.copy(), [lambda seen, script=script: min(script.pop(0), seen["n_actions"] - 1)])
            if list(events)[-1]["status"] == "won":
                return True
    return False


def test_trial_games_find_every_win_where_the_last_card_is_known():
    player, rng, won = Player(GAME, resolve(GAME, "rollout:games=1")), random.Random(2), 0
    for _ in range(16):
        words = [f"{'_' if rng.random() < 0.15 else ''}{rng.randint(2, 9)}" for _ in range(PILES)]
        words[rng.randrange(PILES)] = "."
        drawing = "\n".join(" ".join(words[row : row + FRAME]) for row in range(0, PILES, FRAME))
        table = position(drawing, f"{rng.randint(2, 9)} {rng.randint(2, 9)}")
        expected = can_be_won(table)
        events = list(play_on(table, [player.choose]))
        assert (events[-1]["status"] == "won") == expected
        won += expected
    assert 4 <= won <= 12


def test_rollout_solves_what_the_weighted_rule_does_not():
    """On the same deals, with few trials."""
    solved = {}
    for name in ("weighted", "rollout:games=10"):
        rows = Seating(GAME, GAME.rules(1, {}), [Player(GAME, resolve(GAME, name))]).play(5, 0, 120)
        solved[name] = rows[:, [column.name for column in GAME.columns].index("won")].sum()
    assert solved["rollout:games=10"] > solved["weighted"] + 2


def test_weights_of_unknown_names_are_refused(tmp_path):
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"params": {"line_40": 1, "luck": 2}}))
    with pytest.raises(ValueError, match=r"weights\.json: no weights are called luck"):
        load_weights(path)
    path.write_text(json.dumps({"params": {"line_40": 1}}))
    found = load_weights(path)
    assert found["line_40"] == 1 and set(found.values()) == {0, 1}
