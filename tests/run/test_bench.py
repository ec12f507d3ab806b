"""What `simkit bench` measures, at a small size."""

import json

import pytest

from simkit import registry
from simkit.run import bench

GAME = registry.game("sequence_stacks")


def test_speeds_of_players_defined_to_the_letter_and_of_some_that_think():
    found = list(bench.speeds(GAME, repeats=3, seconds=0.02))
    assert [(speed.strategy, speed.players) for speed in found] == [
        (name, players) for name in (*GAME.calibration, "expert") for players in GAME.bench_players
    ]
    for speed in found:
        assert 100 < speed.slowest <= speed.games_per_second <= speed.fastest
    data = bench.as_data(found, [])
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert set(data["machine"]) == {"processor", "cores", "system", "python", "numba", "numpy"}
    assert data["machine"]["cores"] >= 1 and data["machine"]["processor"]


def test_speed_of_a_solver():
    solitaire = registry.game("foursquare")
    *players, solver = bench.speeds(solitaire, repeats=1, seconds=0.02)
    assert [speed.strategy for speed in players] == [*solitaire.calibration, *solitaire.bench_strategies]
    assert solver.strategy == "(solver)" and 2 < solver.games_per_second < players[0].games_per_second


def test_a_process_is_weighed_without_the_one_that_starts_it(monkeypatch):
    """This very process holds hundreds of MiB; a short one that holds 50 is told as that."""
    work = "import sys; held = bytearray(50_000_000); sys.exit('--bad' in sys.argv)"
    launcher = bench.LAUNCHER.replace("sys.argv[1:]", f"[sys.executable, '-c', {work!r}]")
    monkeypatch.setattr(bench, "LAUNCHER", launcher)
    held = bytearray(200_000_000)
    found = bench._run(GAME, "warm start", 10, "here")
    assert (found.what, found.deals) == ("warm start", 10)
    assert 0 < found.seconds < 10 and 50 < found.peak_mib < 100 < len(held) / 2**20


def test_a_process_that_fails_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "LAUNCHER", "import sys; sys.exit('no room')")
    with pytest.raises(RuntimeError, match=r"^simkit run sequence-stacks -n 1 .* failed: no room$"):
        bench._run(GAME, "cold start", 1, str(tmp_path))
