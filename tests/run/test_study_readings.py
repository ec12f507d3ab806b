"""What a study's measures read off the games, against the outcome rows in plain words."""

import pytest

from simkit import registry
from simkit.errors import BadInput
from simkit.run.blocks import Seating
from simkit.run.spec import run_spec
from simkit.run.study_readings import Quantity, reading
from simkit.run.study_spec import Measure
from simkit.strategy import Player

GAME = registry.game("skyjo")
DEALS = 60


@pytest.fixture(scope="module")
def run():
    return run_spec(GAME, ("random", "cutoff", "random"), DEALS, 5, 3, {"target": 30, "max_turns": 60}, rotate=False)


@pytest.fixture(scope="module")
def rows(run):
    return Seating(GAME, run.rules, [Player(GAME, seat) for seat in run.seats]).play(5, 0, DEALS)


def columns(rows, name):
    """One array for each seat, or one for the game."""
    names = [column.name for column, _ in GAME.flat_columns(3)]
    return [rows[:, i] for i, found in enumerate(names) if found == name]


def values(run, rows, seat=None, **keys):
    measure = Measure(name="m", label="m", compare=False, seat=seat, **keys)
    found = reading(Quantity(measure, seat), run)
    return found.by_deal([rows]) / found.scale


def test_numbers_made_of_all_seats(run, rows):
    totals = list(zip(*columns(rows, "total"), strict=True))
    assert (values(run, rows, column="total", over="sum") == [sum(each) for each in totals]).all()
    assert (values(run, rows, column="total", over="highest") == [max(each) for each in totals]).all()
    assert (values(run, rows, column="total", over="lowest") == [min(each) for each in totals]).all()
    spread = values(run, rows, column="total", over="range")
    assert (spread == [max(each) - min(each) for each in totals]).all() and spread.max() > 0


def test_seats_counted_from_the_one_that_a_column_names(run, rows):
    (starter,), shares = columns(rows, "first_starter"), columns(rows, "win_share")
    assert set(starter) == {0, 1, 2}
    for steps in range(3):
        expected = [shares[(start + steps) % 3][i] / 840 for i, start in enumerate(starter)]
        assert values(run, rows, steps, metric="win_share", counted_from="first_starter") == pytest.approx(expected)


def test_a_game_that_names_no_seat_counts_as_0(run):
    capped = run_spec(GAME, ("random",) * 3, DEALS, 5, 3, {"max_turns": 1}, rotate=False)
    rows = Seating(GAME, capped.rules, [Player(GAME, seat) for seat in capped.seats]).play(5, 0, DEALS)
    assert (columns(rows, "winner")[0] == -1).all()
    assert (values(run, rows, 0, column="total", counted_from="winner") == 0).all()


def test_a_weighted_sum_of_columns(run, rows):
    (turns,), (rounds,) = columns(rows, "turns"), columns(rows, "rounds")
    found = values(run, rows, columns={"turns": 8, "rounds": 90}, divide_by=60)
    assert found == pytest.approx((8 * turns + 90 * rounds) / 60)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"columns": {"turn": 1}}, "measure m: columns: got 'turn', allowed: tied, rounds, turns, reshuffles"),
        ({"columns": {"total": 1}}, "measure m: columns: got 'total', allowed: tied, rounds, turns, reshuffles"),
        (
            {"metric": "win_share", "seat": 0, "counted_from": "turns"},
            "measure m: counted_from: got 'turns', allowed: winner, first_starter",
        ),
    ],
)
def test_what_the_game_cannot_give_is_one_clear_line(run, rows, keys, said):
    with pytest.raises(BadInput) as problem:
        values(run, rows, **keys)
    assert str(problem.value) == said


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"column": "total", "over": "sum", "seat": 0}, "over needs a column and no seat"),
        ({"metric": "win_share", "counted_from": "winner"}, "counted_from needs a seat"),
        ({"metric": "win_share", "column": "turns"}, "needs one of metric, column and columns"),
    ],
)
def test_keys_that_do_not_go_together_are_refused(keys, said):
    with pytest.raises(ValueError, match=said):
        Measure(name="m", label="m", compare=False, **keys)
