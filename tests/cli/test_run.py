"""`simkit run` as INTERFACE promises it: JSON, formats, seeds, threads, records, interruption."""

import csv
import io
import json
import re
import signal
import subprocess
import sys
import time

import pyarrow.parquet as pq
import pytest

SEQUENCE = "run", "sequence-stacks"


def run_json(simkit, *arguments):
    answer = simkit(*SEQUENCE, *arguments, "--format", "json")
    assert answer.code == 0, answer.err
    return json.loads(answer.out, parse_constant=pytest.fail)


def test_json_has_what_interface_promises(simkit):
    data = run_json(simkit, "-n", "3000", "--seed", "1", "-p", "3", "--seat", "random", "--rule", "block=2")
    assert {
        key: data[key] for key in ("game", "players", "deals", "games", "seed", "preset", "rotate", "complete")
    } == {
        "game": "sequence_stacks",
        "players": 3,
        "deals": 3000,
        "games": 3000,
        "seed": 1,
        "preset": "seed",
        "rotate": False,
        "complete": True,
    }
    assert data["rules"]["block"] == 2 and len(data["rules"]) == 23
    assert data["strategies"] == ["random"] * 3
    assert data["games_per_second"] > 0 and data["seconds"] > 0
    for metric in data["metrics"]:
        assert set(metric) == {"metric", "seat", "strategy", "estimate", "ci_low", "ci_high", "level", "n"}
        if metric["ci_low"] is not None and metric["ci_high"] is not None:
            assert metric["ci_low"] <= metric["estimate"] <= metric["ci_high"]
    names = {metric["metric"] for metric in data["metrics"]}
    assert names >= {"win_share", "win_share_low", "win_share_high", "undecided_rate", "stalemate_rate", "capped_rate"}
    assert names >= {
        "mean_turns",
        "mean_winner_deficit",
        "mean_red",
        "p10_turns",
        "p50_turns",
        "p90_turns",
        "p99_turns",
    }


def by_name(data):
    return {(m["metric"], m["seat"], m["strategy"] if m["seat"] is None else None): m for m in data["metrics"]}


def test_shares_and_the_undecided_sum_to_one(simkit):
    found = by_name(run_json(simkit, "-n", "4000", "--seed", "3", "-p", "4", "--seat", "random"))
    shares = sum(found["win_share", seat, None]["estimate"] for seat in range(4))
    undecided = found["undecided_rate", None, None]["estimate"]
    assert undecided > 0.1
    assert shares + undecided == pytest.approx(1, abs=1e-12)
    for seat in range(4):
        low, high = (found[f"win_share_{end}", seat, None]["estimate"] for end in ("low", "high"))
        assert low == found["win_share", seat, None]["estimate"]
        assert high == pytest.approx(low + undecided)
    assert found["mean_winner_deficit", None, None]["n"] == round(4000 * (1 - undecided))


def test_rotation_reports_strategies_and_seats(simkit):
    data = run_json(simkit, "-n", "2000", "--seed", "3", "--seat", "random", "--seat", "eager", "--rotate")
    assert data["games"] == 4000
    found = by_name(data)
    assert found["win_share", None, "eager"]["estimate"] > 0.9
    assert found["win_share", None, "eager"]["estimate"] + found["win_share", None, "random"][
        "estimate"
    ] == pytest.approx(1, abs=2e-3)
    advantage = found["seat_advantage", 0, None]
    assert advantage["estimate"] == pytest.approx(found["win_share", 0, None]["estimate"] - 0.5)
    half = (advantage["ci_high"] - advantage["ci_low"]) / 2
    assert half < 0.01, "rotations of a deal nearly cancel: clustering makes the interval short"


def test_strategies_given_in_another_order_change_only_the_order(simkit):
    one = by_name(run_json(simkit, "-n", "1000", "--seed", "3", "--seat", "random", "--seat", "eager", "--rotate"))
    two = by_name(run_json(simkit, "-n", "1000", "--seed", "3", "--seat", "eager", "--seat", "random", "--rotate"))
    assert one == two


def test_formats_hold_the_same_numbers(simkit):
    arguments = *SEQUENCE, "-n", "2_000", "--seed", "7"
    data = json.loads(simkit(*arguments, "--format", "json").out)
    rows = list(csv.DictReader(io.StringIO(simkit(*arguments, "--format", "csv").out)))
    assert [row["metric"] for row in rows] == [metric["metric"] for metric in data["metrics"]]
    assert [float(row["estimate"]) for row in rows] == [metric["estimate"] for metric in data["metrics"]]
    assert simkit(*arguments, "--format", "md").out.startswith("# Sequence Stacks · 2 players · 2,000 deals")


def test_tables_fit_in_80_columns_without_colour(simkit):
    answer = simkit(*SEQUENCE, "-n", "2e3", "--seed", "7", "-p", "4", "--seat", "random", "--rotate")
    assert max(map(len, answer.out.splitlines())) <= 80
    assert "\x1b" not in answer.out + answer.err
    assert not re.search(r"nan|inf\b", answer.out, re.I)


def test_same_seed_same_bytes_whatever_the_threads(simkit):
    arguments = *SEQUENCE, "-n", "20000", "--seed", "0", "--format", "csv"
    one, three = (simkit(*arguments, "--threads", threads).out for threads in "13")
    assert one == three
    assert one != simkit(*SEQUENCE, "-n", "20000", "--seed", "1", "--format", "csv").out


def test_a_seed_left_out_is_drawn_and_printed(simkit):
    first, second = (simkit(*SEQUENCE, "-n", "500", "--format", "csv") for _ in range(2))
    assert first.out != second.out
    seed = re.search(r"--seed (\d+)", first.err).group(1)
    assert simkit(*SEQUENCE, "-n", "500", "--format", "csv", "--seed", seed).out == first.out


def test_a_record_runs_again_to_the_same_bytes(simkit, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    simkit(*SEQUENCE, "-n", "3000", "--seed", "4", "-p", "3", "--rule", "wilds=5", "--rotate", "--out", str(first))
    answer = simkit("run", "--from", str(first / "record.json"), "--out", str(second), "--threads", "1")
    assert answer.code == 0, answer.err
    for name in ("metrics.csv", "metrics.md", "result.json"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    record = json.loads((first / "record.json").read_text())
    assert (
        record["command"][0] == "simkit" and record["complete"] is True and record["strategies"]["eager"]["source_hash"]
    )


def test_games_file_has_one_row_a_game(simkit, tmp_path):
    path = tmp_path / "games.parquet"
    data = run_json(simkit, "-n", "5000", "--seed", "4", "--seat", "random", "--games-out", str(path))
    table = pq.read_table(path)
    assert table.num_rows == 5000
    assert table["deal"].to_pylist() == list(range(5000))
    deficits = [value for value in table["winner_deficit"].to_pylist() if value is not None]
    found = by_name(data)
    assert len(deficits) == found["mean_winner_deficit", None, None]["n"]
    assert sum(deficits) / len(deficits) == pytest.approx(found["mean_winner_deficit", None, None]["estimate"])
    assert set(table["status"].to_pylist()) == {"won", "stalemate"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_work_is_kept_and_marked_partial(simkit, tmp_path, number):
    out = tmp_path / "out"
    arguments = [
        sys.executable,
        "-m",
        "simkit",
        *SEQUENCE,
        "-n",
        "1e9",
        "--seed",
        "9",
        "--out",
        str(out),
        "--format",
        "json",
    ]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(6)
    process.send_signal(number)
    printed, notes = process.communicate(timeout=60)
    assert process.returncode == 130
    data = json.loads(printed)
    assert data["complete"] is False and 0 < data["deals"] < 10**9
    assert "partial" in notes
    whole = run_json(simkit, "-n", str(data["deals"]), "--seed", "9")
    assert whole["metrics"] == data["metrics"], "the first n games are the same whatever the total"
    assert json.loads((out / "record.json").read_text())["complete"] is False


def test_replay_shows_the_games_of_a_run(simkit, tmp_path):
    settings = "sequence-stacks", "--seed", "12", "-p", "3", "--seat", "random"
    simkit("run", *settings, "-n", "3", "--games-out", str(tmp_path / "games.parquet"))
    lines = simkit("replay", *settings, "--games", "0:3", "--format", "jsonl").out.splitlines()
    events = [json.loads(line) for line in lines]
    outcomes = [event for event in events if event["event"] == "outcome"]
    rows = pq.read_table(tmp_path / "games.parquet").to_pylist()
    assert [(row["winner"], row["turns"], row["red_2"]) for row in rows] == [
        (outcome["winner"], outcome["turns"], outcome["seats"][2]["red"]) for outcome in outcomes
    ]
    assert [event["index"] for event in events if event["event"] == "setup"] == [0, 1, 2]
    text = simkit("replay", *settings, "--game", "2").out
    assert "Turn 1, seat 0" in text and max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("command", ["games", "rules", "strategies"])
def test_listings_print_json_too(simkit, command):
    arguments = [command] + ([] if command == "games" else ["sequence_stacks"])
    assert simkit(*arguments).code == 0
    data = json.loads(simkit(*arguments, "--format", "json").out)
    assert isinstance(data, list) and data


@pytest.mark.parametrize("command", ["rules", "strategies"])
@pytest.mark.parametrize("game", ["sequence-stacks", "foursquare", "skyjo"])
def test_listings_are_80_columns_wide(simkit, command, game):
    listing = simkit(command, game).out.splitlines()
    assert listing and max(map(len, listing)) <= 80


def test_help_is_quick_and_light():
    code = "import sys, simkit.cli\ntry: simkit.cli.group(['--help'])\nexcept SystemExit: pass\n"
    code += "print(sorted({'numba', 'pandas', 'numpy', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
