"""The solver: every win is one by both engines' rules, and every proof agrees with a plain enumeration."""

import itertools
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simkit import registry
from simkit.contract import SOLVED, UNDECIDED, UNSOLVABLE
from simkit.games.foursquare import alike, grid, search
from simkit.games.foursquare.kernel import HIDDEN
from simkit.games.foursquare.prospects import repairs
from simkit.games.foursquare.reference import play
from simkit.games.foursquare.rules import PILES
from simkit.games.foursquare.solver import Solver, fill_stock, is_won
from simkit.games.foursquare.state import RULES_RECORD, VIEW, card_text
from simkit.rng import STREAM
from tests.engines import Engines, slow_size

from . import enumeration
from .enumeration import Positions, words
from .positions import random_rules

GAME = registry.game("foursquare")
ENGINES = Engines(GAME, Path(__file__).parent, None, {})
ANY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}
ROOM = 2**14


def record(rules):
    """The rules as the kernel's record."""
    return np.array([GAME.codes(rules)], RULES_RECORD)[0]


def ranks_of(rules, seed, game):
    """The ranks of a game's stock in the order in which the reference engine deals them."""
    shuffle = next(play(rules, seed, game, []))
    names = {card_text(rank - 1, 0)[:-1]: rank - 1 for rank in range(2, rules.max_rank + 2)}
    return [names[card[:-1]] for card in shuffle["cards"]]


def stock_of(rules, seed, game):
    """A search with the stock of a game as the solver deals it."""
    found, stream = np.zeros(1, search.SEARCH)[0], np.zeros(1, STREAM)[0]
    fill_stock(record(rules), found, stream, np.uint64(seed), np.uint64(game))
    return found


def replayed(rules, seed, game, placements):
    """The outcome in the reference engine of a game played by these placements."""
    cells = iter(placements)

    def choose(view):
        row, col = next(cells)
        legal = [(action["row"], action["col"]) for action in view["actions"][: view.n_actions]]
        return legal.index((row, col))

    *_, outcome = play(rules, seed, game, [choose])
    assert next(cells, None) is None, "the game is over before the placements are"
    return outcome


def layers(rules, ranks, goal, root=(0, 0, 0), begun=0):
    """A search that keeps all it has room for, from a position on: the node that wins or -1, all nodes, whether some
    were cut.
    """
    found, nodes, table = np.zeros(1, search.SEARCH)[0], np.zeros(ROOM, search.NODE), np.zeros(4 * ROOM, np.int32)
    found["stock"][: len(ranks)] = ranks
    search.prepare(found, nodes, goal, ROOM, ROOM)
    nodes[0]["ranks"], nodes[0]["second"] = root[0], alike.packed(root[1], root[2])
    found["begun"] = begun
    return search.find_win(record(rules), found, nodes, table), nodes[: found["end"]], found["cut"]


# Deals


@pytest.mark.parametrize(("ranks", "suits"), [(10, 4), (4, 2), (13, 8), (13, 3)])
def test_the_stock_is_that_of_the_game(ranks, suits):
    rules = GAME.rules(1, {"max_rank": ranks, "suits": suits})
    for seed, game in ((0, 0), (3, 7), (2**64 - 1, 2**62)):
        found = stock_of(rules, seed, game)
        assert found["stock"][: found["cards"]].tolist() == ranks_of(rules, seed, game)


@given(ENGINES.options(), st.integers(0, 2**64 - 1), st.integers(0, 2**32))
@settings(max_examples=120, **ANY)
def test_solved_deals_are_won_in_the_reference_engine_under_any_options(chosen, seed, game):
    rules = GAME.rules(1, chosen)
    for deal, answer in enumerate(Solver(rules, 100, 2000, True).solve(seed, game, 2), game):
        assert answer.status in (SOLVED, UNSOLVABLE, UNDECIDED)
        if answer.status != SOLVED:
            assert answer.score is None and answer.placements == []
            assert (answer.bound == 0) or answer.status == UNDECIDED
            continue
        outcome = replayed(rules, seed, deal, answer.placements)
        assert outcome["won"] and outcome["score"] == answer.score <= answer.bound <= rules.max_rank * rules.suits - 16


@pytest.mark.bounds
def test_default_deals_are_solved():
    answers = Solver(GAME.rules(1), 300, 1000, False).solve(1, 0, 20)
    assert {answer.status for answer in answers} == {SOLVED}
    assert np.mean([answer.score for answer in answers]) > 23
    for game, answer in enumerate(answers):
        assert replayed(GAME.rules(1), 1, game, answer.placements)["score"] == answer.score


def test_the_kernel_refuses_placements_that_do_not_win():
    rules = GAME.rules(1)
    (answer,) = Solver(rules, 300, 0, False).solve(1, 5, 1)
    right = np.array(answer.placements, np.int8)
    taken, beside, swapped = right.copy(), right.copy(), right.copy()
    taken[1] = 3, 3
    beside[-1] = right[0]
    swapped[[4, 5]] = right[[5, 4]]
    found, view, hidden = stock_of(rules, 1, 5), np.zeros(1, VIEW), np.zeros(1, HIDDEN)

    def won(moves):
        return is_won(record(rules), found, moves, len(moves), np.zeros_like(view)[0], np.zeros_like(hidden)[0])

    assert won(right)
    assert not any(won(moves) for moves in (taken, beside, swapped, right[:-1], right[1:]))


def test_more_effort_only_adds_and_no_status_turns_into_another():
    """Without stacking some deals cannot be won; which, takes a budget."""
    rules = GAME.rules(1, {"pile_height": 1, "face_down_limit": 3})
    effort = {"beam": Solver(rules, 30, 0, False), "proof": Solver(rules, 30, 1_500_000, False)}
    found = {name: solver.solve(2, 0, 12) for name, solver in effort.items()}
    pairs = Counter(zip(*([answer.status for answer in found[name]] for name in effort), strict=True))
    assert pairs[UNDECIDED, UNSOLVABLE] and pairs[SOLVED, SOLVED]
    assert not pairs[SOLVED, UNSOLVABLE] and not pairs[UNSOLVABLE, SOLVED]


def test_best_scores_meet_their_bounds():
    rules = GAME.rules(1, {"face_down_limit": 2, "max_rank": 5})
    quick, best = (Solver(rules, 10, 100_000, best).solve(1, 0, 8) for best in (False, True))
    assert any(before.score < after.score for before, after in zip(quick, best, strict=True))
    assert any(before.bound > after.bound for before, after in zip(quick, best, strict=True))
    for before, after in zip(quick, best, strict=True):
        assert before.score <= after.score <= after.bound <= before.bound


def test_a_deck_too_small_is_unsolvable():
    (answer,) = Solver(GAME.rules(1, {"max_rank": 4, "suits": 3}), 10, 0, False).solve(1, 0, 1)
    assert (answer.status, answer.score, answer.bound) == (UNSOLVABLE, None, 0)


# Alike positions


def random_words(rng, ranks):
    """The three words of a position on the whole grid."""
    found = [0, 0, 0]
    for shift in range(0, 64, 4):
        if rng.random() < 0.7:
            for i, nibble in enumerate((rng.randint(1, ranks), rng.choice((0, 0, 15)), 1)):
                found[i] |= nibble << shift
    return [int(np.uint64(word).astype(np.int64)) for word in found]


def played_alike(form, rng, change, moved):
    """Whether random placements, changed, are the placements on the changed position (or both are lost)."""
    for _ in range(150):
        before, card, row, col = random_words(rng, 10), rng.randint(1, 10), rng.randrange(4), rng.randrange(4)
        after = grid.placed(form, *before, row, col, card)
        other = grid.placed(form, *map(change, before), *moved(row, col), card)
        lost = [grid.nibbles_in(down) > form["face_down_limit"] for _, down, _ in (after, other)]
        if lost[0] != lost[1] or (not lost[0] and tuple(map(change, after)) != other):
            return False
    return True


TURNING = [option for option in GAME.options if option.name in ("flip_scope", "lone_card", "ties", "loss_check")]


@pytest.mark.parametrize("values", list(itertools.product(*(option.values for option in TURNING))), ids="-".join)
def test_rows_and_columns_may_be_exchanged_only_where_it_makes_no_difference(values):
    chosen = {option.name: value for option, value in zip(TURNING, values, strict=True)}
    for compare in GAME.option("compare_face_down").values:
        form = record(GAME.rules(1, chosen | {"compare_face_down": compare}))
        exchanged = played_alike(form, random.Random(1), alike.transposed, lambda row, col: (col, row))
        assert exchanged == alike.transposable(form)


def test_mirrors_are_played_alike_under_any_options():
    rng = random.Random(2)
    for _ in range(30):
        form = record(random_rules(rng))
        assert played_alike(form, rng, lambda word: alike.rows_reversed(word, 4), lambda row, col: (3 - row, col))
        assert played_alike(form, rng, lambda word: alike.cols_reversed(word, 4), lambda row, col: (row, 3 - col))


# Against the enumeration

TIGHT = [
    (
        {
            "max_rank": 6,
            "suits": 3,
            "face_down_limit": 0,
            "lone_card": "none",
            "adjacency": "anywhere",
            "frame": "fixed",
        },
        0,
    ),
    ({"max_rank": 5, "suits": 4, "face_down_limit": 0, "ties": "row_only", "adjacency": "king"}, 6),
    ({"max_rank": 4, "suits": 4, "face_down_limit": 1, "lone_card": "none", "loss_check": "each_line"}, 3),
    ({"max_rank": 8, "suits": 2, "face_down_limit": 1, "flip_scope": "whole_line_all_up", "pile_height": 1}, 0),
    ({"max_rank": 8, "suits": 2, "face_down_limit": 1, "compare_face_down": "include", "ties": "row_only"}, 8),
    ({"max_rank": 4, "suits": 4, "face_down_limit": 2, "flip_scope": "whole_line", "frame": "fixed"}, 10),
    ({"max_rank": 8, "suits": 2, "face_down_limit": 1, "lone_card": "flips_row_only", "pile_height": 1}, 8),
]
"""Options and a game of seed 1 that have few enough positions."""


@pytest.mark.parametrize(("chosen", "game"), TIGHT)
def test_whole_deals_under_tight_limits(chosen, game):
    rules = GAME.rules(1, {"pile_height": 2} | chosen)
    (answer,) = Solver(rules, 3000, 0, False).solve(1, game, 1)
    fewest = Positions(rules).fewest(frozenset(), ranks_of(rules, 1, game), most=5000)
    assert (answer.status, fewest) == (UNSOLVABLE, 0)


def key_of(rules, ranks, placed, goal, position):
    """What the search tells a position by after so many cards; None if it gives it up for this goal."""
    form, (found, down, heights) = record(rules), words(position)
    spare = goal - placed - (PILES - len(position))
    if enumeration.is_won(position) or spare < 0 or repairs(form, down, grid.piles_of(heights), spare) > spare:
        return None
    stock, likes = np.array(ranks, np.int8), np.zeros(256, np.uint8)
    alike.fill_alike(stock, placed, goal, likes)
    heights = alike.alike_heights(heights, rules.pile_height, spare)
    return alike.key_of(form, alike.alike_ranks(found, likes), alike.packed(down, heights))


def keys_by_layer(nodes, most):
    """The keys of a search's nodes, by cards placed since its start, up to so many."""
    depth, keys = [0], [set() for _ in range(most + 1)]
    for node in nodes[1:]:
        depth.append(depth[node["parent"]] + 1)
        if depth[-1] > most:
            break
        keys[depth[-1]].add((int(node["key"]), int(node["second_key"])))
    return keys


def near_wins(rng, most_free):
    """Without end: random rules, a solved deal's ranks, and a position on the way to the win with few free cells left,
    with the number of cards placed.
    """
    while True:
        rules, seed = random_rules(rng), rng.randrange(10**6)
        (answer,) = Solver(rules, 60, 0, False).solve(seed, 0, 1)
        if answer.status == SOLVED:
            ranks, positions = ranks_of(rules, seed, 0), Positions(rules)
            for placed in range(len(answer.placements) - most_free, len(answer.placements)):
                position = positions.along(ranks, answer.placements[:placed])
                if len(position) >= PILES - most_free:
                    yield rules, ranks, position, placed
                    break


def test_no_position_is_lost_on_the_way():
    """Layer by layer, the search holds each position of the enumeration, or one alike, unless it proves it lost."""
    rng, given_up = random.Random(1), 0
    for _ in range(25):
        rules = random_rules(rng)
        ranks = [rng.randint(1, rules.max_rank) for _ in range(20)]
        goal, most = rng.choice((16, 16, 17, 20)), 2 if rules.adjacency == "anywhere" else 3
        if goal > PILES * rules.pile_height:
            continue
        _, nodes, _ = layers(rules, ranks, goal)
        keys = keys_by_layer(nodes, most)
        for placed, layer in enumerate(Positions(rules).layers(frozenset(), ranks[:most]), 1):
            expected = {key_of(rules, ranks, placed, goal, position) for position in layer}
            given_up += None in expected
            assert expected - {None} == keys[placed]
    assert given_up


def test_no_position_is_lost_late_in_a_deal():
    rng, given_up = random.Random(2), 0
    for _, (rules, ranks, root, placed) in zip(range(40), near_wins(rng, 5), strict=False):
        goal = min(placed + 16 - len(root) + rng.choice((0, 0, 1, 2)), len(ranks))
        _, nodes, _ = layers(rules, ranks, goal, words(root), placed)
        keys = keys_by_layer(nodes, 2)
        for later, layer in enumerate(Positions(rules).layers(root, ranks[placed : placed + 2]), 1):
            expected = {key_of(rules, ranks, placed + later, goal, position) for position in layer}
            given_up += None in expected
            # A search ends with the first win, so that not all of the last layer are there.
            assert expected - {None} >= keys[later]
            assert expected - {None} == keys[later] or keys_by_layer(nodes, 3)[later + 1] == set()
    assert given_up > 20


def compare_earliest_wins(seed, samples, most_free):
    """How many positions can be won and how many cannot, after both ways to find out agree."""
    rng, seen = random.Random(seed), Counter()
    for _, (rules, ranks, root, placed) in zip(range(samples), near_wins(rng, most_free), strict=False):
        # The same cards in another order: some of these can be won, some cannot.
        rest = ranks[placed:]
        rng.shuffle(rest)
        ranks, end = ranks[:placed] + rest, min(placed + 16 - len(root) + 1, len(ranks))
        fewest = Positions(rules).fewest(root, ranks[placed:end], most=4000)
        if fewest is None:
            continue
        earliest = placed
        for goal in range(placed + 1, end + 1):
            win, _, cut = layers(rules, ranks, goal, words(root), placed)
            assert not cut
            if win >= 0:
                earliest = goal
                break
        assert earliest == placed + fewest
        seen[fewest > 0] += 1
    return seen[True], seen[False]


def test_wins_come_as_early_as_in_the_enumeration():
    found = compare_earliest_wins(3, 60, 3), compare_earliest_wins(4, 20, 4)
    assert min(map(sum, zip(*found, strict=True))) > 10


@pytest.mark.slow
def test_wins_come_as_early_as_in_the_enumeration_for_more_positions():
    assert min(compare_earliest_wins(5, slow_size(1000), 4)) > 0


ORDERS = list(itertools.permutations(range(4)))
ANY_ORDER = np.array([[4 * row + col for row in rows for col in cols] for rows in ORDERS for cols in ORDERS])
"""The cells in every order of the rows and of the columns."""
EXCHANGED = np.arange(16).reshape(4, 4).T.ravel()


def full_key(rules, ranks, placed, goal, position):
    """As `key_of`, and the same for all alike positions: where rows and columns have no order, the least of all."""
    key = key_of(rules, ranks, placed, goal, position)
    if key is None:
        return None
    cells = np.array([[(word >> shift) & 15 for shift in range(0, 64, 4)] for word in key], np.uint8)
    is_open = (cells[1] == 7).any() or (cells[0] > 0).all()
    forms = [cells[:, ANY_ORDER], cells[:, EXCHANGED[ANY_ORDER]]][: 1 + alike.transposable(record(rules))]
    orders = np.concatenate(forms, axis=1).transpose(1, 0, 2) if is_open else cells[None]
    return min(order.tobytes() for order in orders)


def assert_alike_ones_go_on_alike(rules, ranks, placed, goal, layer):
    """Whatever positions share a key, their successors share theirs. Returns how many keys were looked at."""
    alikes, positions = {}, Positions(rules)
    for position in sorted(layer, key=sorted):
        alikes.setdefault(key_of(rules, ranks, placed, goal, position), []).append(position)
    alikes.pop(None, None)
    shared = [same for same in alikes.values() if len(same) > 1][:20]
    for same in shared:
        after = [positions.after(position, ranks[placed]) for position in same[:4]]
        keys = [
            {(enumeration.is_won(p), full_key(rules, ranks, placed + 1, goal, p)) for p in found} for found in after
        ]
        assert all(found == keys[0] for found in keys)
    return len(shared)


def test_alike_positions_go_on_alike_early_in_a_deal():
    rng, compared = random.Random(6), 0
    for _ in range(25):
        rules = random_rules(rng)
        ranks = [rng.randint(1, rules.max_rank) for _ in range(24)]
        most, goal = 2 if rules.adjacency == "anywhere" else 4, rng.choice((16, 17, 24))
        *_, layer = Positions(rules).layers(frozenset(), ranks[:most])
        compared += assert_alike_ones_go_on_alike(rules, ranks, most, goal, layer)
    assert compared > 100


@pytest.mark.parametrize("free", [5, 7, 9])
def test_alike_positions_go_on_alike_later(free):
    rng, compared = random.Random(free), 0
    for _, (rules, ranks, root, placed) in zip(range(60), near_wins(rng, free), strict=False):
        goal = min(placed + 16 - len(root) + rng.choice((0, 1, 3)), len(ranks))
        *_, layer = Positions(rules).layers(root, ranks[placed : placed + 2])
        compared += assert_alike_ones_go_on_alike(rules, ranks, placed + 2, goal, layer)
    assert compared > 15


def test_alike_positions_can_be_won_alike():
    rng, compared = random.Random(4), 0
    for _, (rules, ranks, root, placed) in zip(range(60), near_wins(rng, 4), strict=False):
        end = min(placed + 16 - len(root) + 1, len(ranks))
        alikes = {}
        *_, layer = Positions(rules).layers(root, ranks[placed : placed + 2])
        for position in sorted(layer, key=sorted):
            alikes.setdefault(key_of(rules, ranks, placed + 2, end, position), []).append(position)
        alikes.pop(None, None)
        for same in [same for same in alikes.values() if len(same) > 1][:5]:
            found = {Positions(rules).fewest(position, ranks[placed + 2 : end]) for position in same[:4]}
            assert len(found) == 1
            compared += 1
    assert compared > 40
