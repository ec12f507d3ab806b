"""`simkit selftest`, `warmup` and `bench` as commands."""

import json

import pytest
from click.testing import CliRunner

from simkit.cli import group
from simkit.run import selftest


@pytest.mark.slow
def test_selftest_as_a_table(simkit):
    answer = simkit("selftest", "--quick", "--seed", "3")
    *checks, last = answer.out.splitlines()
    assert answer.code == 0 and last == f"{len(checks)} checks, all ok"
    assert all(" ok " in line and len(line) <= 80 for line in checks)


@pytest.mark.slow
def test_selftest_as_json(simkit):
    answer = simkit("selftest", "--quick", "--format", "json")
    data = json.loads(answer.out)
    assert answer.code == 0 and data["ok"] is True and (data["seed"], data["quick"]) == (1, True)
    assert all(set(check) == {"name", "ok", "figure"} for check in data["checks"])


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_failed_check_is_exit_code_1(monkeypatch, form):
    bad, good = selftest.Check("shuffle", False, "p = 1e-30"), selftest.Check("streams", True, "3 of 3")
    monkeypatch.setattr(selftest, "stream_checks", lambda size, seed: iter([bad, good]))
    monkeypatch.setattr(selftest, "game_checks", lambda game, size, seed: iter(()))
    answer = CliRunner().invoke(group, ["selftest", "--format", form], standalone_mode=False)
    assert answer.return_value == 1
    if form == "table":
        first, _, last = answer.stdout.splitlines()
        assert first.split() == ["shuffle", "FAILED", "p", "=", "1e-30"] and last == "2 checks, 1 failed"
    else:
        assert json.loads(answer.stdout)["ok"] is False


def test_a_second_warmup_is_quick(simkit):
    simkit("warmup")
    answer = simkit("warmup", "sequence-stacks")
    (line,) = answer.out.splitlines()
    parts, _, rest = line.partition(" parts ready in ")
    assert answer.code == 0 and int(parts) >= 3 and float(rest.split()[0]) < 10
    assert "Sequence Stacks: kernel, " in answer.err and "Sequence Stacks: eager, " in answer.err


@pytest.mark.slow
def test_bench_cold_and_warm(simkit):
    answer = simkit("bench", "sequence-stacks", "--format", "json")
    data = json.loads(answer.out)
    assert answer.code == 0 and data["threads"] == 1
    cold, warm, *runs = data["starts"]
    assert (cold["what"], cold["deals"], warm["what"], warm["deals"]) == ("cold start", 1, "warm start", 10_000)
    assert warm["seconds"] < 5 < cold["seconds"]
    assert [run["deals"] for run in runs] == [100_000, 1_000_000]
    assert all(run["peak_mib"] < 400 for run in runs)


@pytest.mark.parametrize("command", ["bench", "warmup"])
def test_an_unknown_game(simkit, command):
    answer = simkit(command, "snap")
    assert (answer.code, answer.out) == (2, "") and "GAME: got 'snap', allowed: sequence-stacks" in answer.err
