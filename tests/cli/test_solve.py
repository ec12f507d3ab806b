"""`simkit solve`: JSON, the bracket, the same deals as `run`, threads, files, interruption, bad input."""

import csv
import io
import json
import re
import signal
import subprocess
import sys
import time

import pytest

from simkit import registry
from simkit.contract import SOLVED, UNDECIDED, UNSOLVABLE
from simkit.games.foursquare.reference import play
from simkit.stats import wilson

SOLVE = "solve", "foursquare"
HARD = "--rule", "pile_height=1", "--rule", "face_down_limit=3", "--beam", "30"
"""Under these rules, some of the first deals of seed 2 are solved, some are unsolvable, some need a larger budget."""
METRICS = "winnable_rate_low", "winnable_rate_high", "undecided_rate", "mean_best_score", "mean_score_bound"


def solve_json(simkit, *arguments):
    answer = simkit(*SOLVE, *arguments, "--format", "json")
    assert answer.code == 0, answer.err
    return json.loads(answer.out, parse_constant=pytest.fail)


def test_json_says_what_was_solved_and_how(simkit):
    data = solve_json(simkit, "-n", "30", "--seed", "1")
    expected = {"game": "foursquare", "deals": 30, "seed": 1, "preset": "seed", "complete": True, "rules_version": "1"}
    assert expected.items() <= data.items()
    assert len(data["rules"]) == 12 and data["seconds"] > 0 and data["deals_per_second"] > 0 and data["version"]
    assert (data["solved"], data["unsolvable"], data["undecided"]) == (30, 0, 0)
    assert tuple(metric["metric"] for metric in data["metrics"]) == METRICS
    for metric in data["metrics"]:
        assert list(metric) == ["metric", "seat", "strategy", "estimate", "ci_low", "ci_high", "level", "n"]
        assert metric["ci_low"] <= metric["estimate"] <= metric["ci_high"]
        assert (metric["seat"], metric["strategy"], metric["level"], metric["n"]) == (None, None, 0.95, 30)
    score, bound = (metric["estimate"] for metric in data["metrics"][-2:])
    assert 23 < score <= bound <= 24
    assert "answers" not in data


def test_undecided_deals_make_a_bracket(simkit):
    data = solve_json(simkit, "-n", "12", "--seed", "2", *HARD, "--budget", "2e5", "--level", "0.9")
    counts = [data[status] for status in (SOLVED, UNSOLVABLE, UNDECIDED)]
    assert min(counts) > 0 and sum(counts) == 12
    low, high, undecided, score, bound = data["metrics"]
    for metric, count in ((low, counts[0]), (high, 12 - counts[1]), (undecided, counts[2])):
        expected = wilson(count, 12, 0.9)
        found = metric["estimate"], metric["ci_low"], metric["ci_high"]
        assert found == (expected.value, expected.low, expected.high)
    assert score["estimate"] == pytest.approx(24 * counts[0] / 12)
    assert bound["estimate"] == pytest.approx(24 * (counts[0] + counts[2]) / 12)


def test_answers_are_of_the_deals_that_run_plays(simkit):
    data = solve_json(simkit, "-n", "3", "--seed", "5", "--first", "7", "--placements")
    rules = registry.game("foursquare").rules(1)
    assert [answer["deal"] for answer in data["answers"]] == [7, 8, 9]
    for answer in data["answers"]:
        cells = iter(answer["placements"])

        def choose(view, cells=cells):
            row, col = next(cells)
            legal = [(action["row"], action["col"]) for action in view["actions"][: view.n_actions]]
            return legal.index((row, col))

        *_, outcome = play(rules, 5, answer["deal"], [choose])
        assert (outcome["won"], outcome["score"]) == (True, answer["score"])


def test_the_first_deals_are_the_same_whatever_the_total_and_the_threads(simkit):
    arguments = "--seed", "0", *HARD, "--budget", "20000", "--placements"
    few = solve_json(simkit, "-n", "4", *arguments, "--threads", "1")
    many = solve_json(simkit, "-n", "9", *arguments, "--threads", "1")
    threads = solve_json(simkit, "-n", "9", *arguments, "--threads", "3")
    assert few["answers"] == many["answers"][:4]
    assert many["answers"] == threads["answers"] and many["metrics"] == threads["metrics"]
    other = solve_json(simkit, "-n", "4", *arguments[2:], "--seed", "1")
    assert other["answers"] != few["answers"]


def test_a_seed_left_out_is_drawn_and_printed(simkit):
    first = simkit(*SOLVE, "-n", "2", "--format", "json", "--placements")
    seed = re.search(r"--seed (\d+)", first.err).group(1)
    again = solve_json(simkit, "-n", "2", "--placements", "--seed", seed)
    assert again["answers"] == json.loads(first.out)["answers"]


def test_formats_hold_the_same_numbers(simkit):
    arguments = *SOLVE, "-n", "12", "--seed", "2", *HARD, "--budget", "0"
    data = json.loads(simkit(*arguments, "--format", "json").out)
    rows = list(csv.DictReader(io.StringIO(simkit(*arguments, "--format", "csv").out)))
    assert [float(row["estimate"]) for row in rows] == [metric["estimate"] for metric in data["metrics"]]
    page = simkit(*arguments, "--format", "md").out
    assert page.startswith("# Foursquare") and "pile_height=1" in page
    table = simkit(*arguments).out
    assert max(map(len, table.splitlines())) <= 80 and "\x1b" not in table
    assert not re.search(r"nan|inf\b", table, re.I)
    shown = re.search(r"winnable +([0-9.]+) – ([0-9.]+) % +([0-9.]+) – ([0-9.]+)", table)
    low, high, *_ = data["metrics"]
    ends = low["estimate"], high["estimate"], low["ci_low"], high["ci_high"]
    assert [float(text) for text in shown.groups()] == pytest.approx([100 * end for end in ends], abs=1)


def test_a_directory_holds_answers_and_a_record(simkit, tmp_path):
    arguments = "-n", "5", "--seed", "3", "--beam", "100", "--best", "--budget", "1000"
    for out in (tmp_path / "one", tmp_path / "two"):
        data = solve_json(simkit, *arguments, "--placements", "--out", str(out))
    for name in ("answers.jsonl", "metrics.csv", "metrics.md", "result.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    lines = (tmp_path / "one" / "answers.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == data["answers"]
    record = json.loads((tmp_path / "one" / "record.json").read_text())
    assert record["solve"]["beam"] == 100 and record["solve"]["best"] is True and record["complete"] is True
    assert simkit(*SOLVE, *arguments, "--out", str(tmp_path / "one")).code == 2
    assert simkit(*SOLVE, *arguments, "--out", str(tmp_path / "one"), "--force").code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_work_is_kept_and_marked_partial(simkit, tmp_path, number):
    simkit("warmup", "foursquare")
    out = tmp_path / "out"
    arguments = "-n", "1000000", "--seed", "9", "--beam", "50", "--format", "json", "--out", str(out)
    command = [sys.executable, "-m", "simkit", *SOLVE, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    answers = out / "answers.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (answers.exists() and answers.stat().st_size):
        time.sleep(0.1)
    process.send_signal(number)
    printed, notes = process.communicate(timeout=60)
    assert process.returncode == 130 and "partial" in notes
    data = json.loads(printed)
    assert data["complete"] is False and 0 < data["deals"] < 10**6
    assert len(answers.read_text().splitlines()) == data["deals"] == data["metrics"][0]["n"]
    record = json.loads((out / "record.json").read_text())
    assert record["complete"] is False and record["solve"]["deals"] == data["deals"]


BAD = {
    "no solver": (("solve", "sequence-stacks"), "GAME", "sequence-stacks", "allowed: foursquare"),
    "unknown game": (("solve", "snap"), "GAME", "snap", "foursquare"),
    "unknown rule": ((*SOLVE, "--rule", "flip=others"), "--rule", "flip", "flip_scope"),
    "wrong value": ((*SOLVE, "--rule", "pile_height=5"), "pile_height", "5", "1 to 4"),
    "no deals": ((*SOLVE, "-n", "0"), "--deals", "0", "1 to 1,000,000,000"),
    "no beam": ((*SOLVE, "--beam", "0"), "--beam", "0", "1 to 100,000"),
    "negative budget": ((*SOLVE, "--budget", "-1"), "--budget", "-1", "0 to 20,000,000"),
    "absurd budget": ((*SOLVE, "--budget", "1e12"), "--budget", "1e12", "0 to 20,000,000"),
    "negative first": ((*SOLVE, "--first", "-1"), "--first", "-1", "0 to 1,000,000,000"),
    "level": ((*SOLVE, "--level", "1"), "--level", "1", "0.5"),
    "seed": ((*SOLVE, "--seed", "-1"), "--seed", "-1", "0"),
    "placements in a table": ((*SOLVE, "--placements"), "--placements", "table", "json"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_exit_code_2(simkit, case):
    arguments, *parts = BAD[case]
    answer = simkit(*arguments)
    assert answer.code == 2 and answer.out == ""
    (line,) = answer.err.splitlines()
    assert all(part in line for part in parts), line
