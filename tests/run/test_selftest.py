"""`simkit selftest`: passes, and fails where something is broken."""

from dataclasses import replace

import numpy as np
import pytest

from simkit import registry
from simkit.run import selftest
from simkit.run.selftest import QUICK, SIGNIFICANT, Size, game_checks, stream_checks

GAME = registry.game("sequence_stacks")
SMALL = Size(shuffles=150_000, streams=50, deals=2_000, games=8)


def named(checks, name):
    (found,) = [check for check in checks if name in check.name]
    return found


@pytest.fixture(scope="module")
def checks():
    """All checks of an intact package, at a small size."""
    return [*stream_checks(SMALL, 5), *game_checks(GAME, SMALL, 5)]


def test_all_checks_pass(checks):
    assert [check.name for check in checks if not check.ok] == []
    assert len({check.name for check in checks}) == len(checks) > 20


def test_a_line_fits_in_80_columns(checks):
    for check in checks:
        assert check.figure and len(f"{check.name:34} {'ok':6} {check.figure}") <= 80


def test_false_alarms_are_rare_in_all_checks_together(checks):
    assert pytest.approx(1e-4) == SIGNIFICANT * selftest.N_P_VALUES
    assert len([check for check in checks if check.figure.startswith("p ")]) == selftest.N_P_VALUES


def test_wrong_answers_of_the_generator_are_seen(monkeypatch):
    monkeypatch.setattr(selftest.plain, "philox", lambda counter, key: (0, 0, 0, 0))
    check = next(stream_checks(SMALL, 1))
    assert not check.ok and check.figure.startswith("0 of 3")


def test_streams_that_differ_are_seen(monkeypatch):
    monkeypatch.setattr(selftest.plain.Stream, "below", lambda self, n: 0)
    assert not named(stream_checks(SMALL, 1), "compiled streams").ok


def test_an_unfair_shuffle_is_seen(monkeypatch):
    monkeypatch.setattr(selftest, "production_shuffle", selftest.FAULTY["last card missed"])
    failed = [check.name for check in stream_checks(SMALL, 1) if not check.ok]
    assert failed == ["shuffle, 153 cards", "shuffle, 112 cards", "reshuffle, 40 cards"]


def test_rows_that_depend_on_blocks_are_seen(monkeypatch):
    play = selftest.Seating.play

    def depends(self, seed, first, deals):
        return play(self, seed, first, deals) + deals

    monkeypatch.setattr(selftest.Seating, "play", depends)
    checks = list(selftest._any_threads(GAME, 2_000, 1))
    assert [check.ok for check in checks] == [False, False]


def test_the_first_decision_that_differs_is_told(monkeypatch):
    """The kernel plays other deals than it says: the game can be replayed, and its first view already differs."""
    play = selftest.Seating.play
    monkeypatch.setattr(selftest.Seating, "play", lambda self, seed, first, deals: play(self, seed + 1, first, deals))
    for check in (selftest._same_outcomes(GAME, 3, 1), selftest._same_views(GAME, 2, 1)):
        assert not check.ok
        assert check.figure.startswith("replay sequence-stacks -p ") and " --seed 1 --game " in check.figure
        assert ": decision 0 of seat 0: " in check.figure.replace("; ", ": ")
        assert " in the kernel, " in check.figure and " in the reference engine" in check.figure


def test_a_column_that_differs_is_told_even_if_all_views_agree(monkeypatch):
    play = selftest.Seating.play

    def miscounts(self, seed, first, deals):
        rows = play(self, seed, first, deals)
        rows[:, 3] += 1
        return rows

    monkeypatch.setattr(selftest.Seating, "play", miscounts)
    check = selftest._same_outcomes(GAME, 3, 1)
    assert not check.ok and ": plays is " in check.figure and check.figure.endswith("all views are the same")


@pytest.mark.slow
def test_other_seeds_pass():
    rng = np.random.default_rng(2)
    for _ in range(20):
        seed = int(rng.integers(2**63))
        size = replace(QUICK, games=10)
        assert [check for check in stream_checks(size, seed) if not check.ok] == []
