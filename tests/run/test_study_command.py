"""`simkit study` from end to end: as a process where it matters, otherwise through the same `main`."""

import json
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from simkit.cli import main
from tests.run import study_example


def contents(directory, leave_out=("record.json",)):
    files = [path for path in directory.rglob("*") if path.is_file() and path.name not in leave_out]
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A directory with the study's file and one report, made by two threads of a process of its own."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "small.toml").write_text(study_example.short())
    command = [sys.executable, "-m", "simkit", "study", "small.toml", "--quick", "--seed", "5", "--threads", "2"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "table.txt").write_text(done.stdout)
    (folder / "notes.txt").write_text(done.stderr)
    return folder


@pytest.fixture
def simkit(folder, monkeypatch, capsys):
    """`simkit("small.toml", …)` runs `simkit study small.toml …` in that directory: code, out, err."""
    monkeypatch.chdir(folder)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["simkit", "study", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        return SimpleNamespace(code=done.value.code, **capsys.readouterr()._asdict())

    return run


def test_report_lies_where_it_is_said(folder):
    out = folder / "results" / "small"
    assert {"report.md", "record.json", "charts", "tables"} == {path.name for path in out.iterdir()}
    notes = (folder / "notes.txt").read_text()
    assert "report in results/small/report.md" in notes and "\x1b" not in notes
    table = (folder / "table.txt").read_text()
    assert table.startswith("A small study\n 1. Shorter? Shorter games, ")
    assert max(map(len, table.splitlines())) <= 80 and "\x1b" not in table
    record = json.loads((out / "record.json").read_text())
    assert record["complete"] and record["seed"] == 5 and record["command"][:3] == ["simkit", "study", "small.toml"]
    assert {row["deals"] for row in record["played"]} == {600, 50}
    assert set(record["strategies"]) == {"eager"}


def test_record_gives_the_same_bytes_in_one_thread(simkit, folder, tmp_path):
    first = folder / "results" / "small"
    done = simkit("--from", first / "record.json", "--threads", 1, "--out", tmp_path / "again")
    assert done.code == 0, done.err
    assert contents(tmp_path / "again") == contents(first)
    assert done.out == (folder / "table.txt").read_text()


def test_json_holds_the_findings(simkit):
    """And a seed that is left out is drawn and printed."""
    done = simkit("small.toml", "-n", 300, "--format", "json", "--level", "0.9", "--out", "json")
    found = json.loads(done.out, parse_constant=pytest.fail)
    assert found["level"] == 0.9 and found["complete"] is True
    assert done.err.startswith(f"seed {found['seed']} (drawn")
    assert [row["deals"] for row in found["played"]] == [300, 50]
    assert len(found["answers"]) == 2 and found["contrasts"] and found["curves"]


def test_used_directory_is_refused(simkit, folder):
    before = contents(folder / "results")
    done = simkit("small.toml", "--quick", "--seed", 5)
    assert done.code == 2 and done.out == ""
    assert done.err.count("\n") == 1 and "--out: results/small holds results already" in done.err
    (folder / "file").write_text("mine")
    done = simkit("small.toml", "--quick", "--seed", 5, "--out", "file", "--force")
    assert done.code == 2 and done.err.count("\n") == 1 and "--out" in done.err
    assert contents(folder / "results") == before and (folder / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["removel"], "NAME|FILE.toml: got 'removel', allowed: foursquare, removal"),
        ([], "NAME|FILE.toml: got nothing, allowed: foursquare, removal"),
        (["nowhere.toml"], "nowhere.toml: cannot be read"),
        (["broken.toml"], "broken.toml: family decks: deals: got -3"),
        (["unplayable.toml"], "unplayable.toml: family decks: cell many: line-up eager: rule block: got 60"),
        (["small.toml", "-n", "0"], "--deals: got 0, allowed: a whole number from 1"),
        (["small.toml", "--level", "2"], "--level"),
        (["--from", "small.toml"], "--from: small.toml is no record"),
        (["--from", "run.json"], "--from: run.json is no record of a study"),
        (["--from", "shortened.json"], "--from: shortened.json cannot be read"),
        (["small.toml", "--from", "results/small/record.json"], "--from: got other settings as well"),
    ],
)
def test_bad_input_is_one_line(simkit, folder, arguments, said):
    text = study_example.short()
    (folder / "broken.toml").write_text(text.replace("deals = 3000", "deals = -3"))
    (folder / "unplayable.toml").write_text(text.replace("block = 6", "block = 60"))
    record = json.loads((folder / "results" / "small" / "record.json").read_text())
    del record["played"]
    (folder / "shortened.json").write_text(json.dumps(record))
    del record["study"]
    (folder / "run.json").write_text(json.dumps(record))
    done = simkit(*arguments)
    assert done.code == 2 and done.out == ""
    assert done.err.count("\n") == 1 and said in done.err


def test_stopped_run_is_marked_partial_and_can_be_repeated(simkit, folder, tmp_path):
    command = [sys.executable, "-m", "simkit", "study", "small.toml", "-n", "1e7", "--seed", "5"]
    process = subprocess.Popen(
        [*command, "--out", tmp_path / "part"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while "playing" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(0.7)
    process.send_signal(signal.SIGTERM)
    shown, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert shown.startswith("A small study (PARTIAL)")
    assert "**Partial" in (tmp_path / "part" / "report.md").read_text()
    record = json.loads((tmp_path / "part" / "record.json").read_text())
    assert record["complete"] is False and 0 < record["played"][0]["deals"] < 10**7
    again = simkit("--from", tmp_path / "part" / "record.json", "--out", tmp_path / "again")
    assert again.code == 0 and contents(tmp_path / "again") == contents(tmp_path / "part")
