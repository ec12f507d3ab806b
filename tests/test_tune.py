"""`scripts/tune.py`: better than the start on other deals, goes on where it was interrupted, refuses what is wrong."""

import importlib.util
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "tune.py"
BAD_START = "skyjo", "greedy", "--param", "least=-3:2", "--param", "turn=-1:1", "--against", "cutoff"
SMALL = "--deals", "60", "--population", "6", "--judge", "400", "--seed", "5", "--threads", "1"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("tune", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tune(script, capsys):
    """`tune(…)` runs the script with these arguments: code, the record that it printed, what it noted."""

    def run(*arguments):
        code = script.main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, record=json.loads(out) if out else None, out=out, err=err)

    return run


def test_a_bad_start_is_left_and_the_answer_judged_on_other_deals(tune, tmp_path):
    done = tune(*BAD_START, *SMALL, "--generations", 5, "--state", tmp_path / "s.json")
    assert done.code == 0
    record, found = done.record, done.record["found"]
    assert found["tuned"]["ci_low"] > found["start"]["ci_high"]
    gain = found["difference"]
    assert gain["estimate"] == pytest.approx(found["tuned"]["estimate"] - found["start"]["estimate"])
    assert gain["ci_low"] > 0 and gain["n"] == found["start"]["n"] == 400
    assert record["seeds"] == {"generations": [6, 10], "judged": 5}
    assert (
        record["params"] == {"least": [-3.0, 2.0], "turn": [-1.0, 1.0]}
        and record["tuned"].keys() == record["params"].keys()
    )
    assert "generation 5 of 5: win_share" in done.err


def test_going_on_ends_as_without_the_interruption(tune, script, tmp_path, monkeypatch):
    whole = tune(*BAD_START, *SMALL, "--generations", 3, "--state", tmp_path / "whole.json")
    calls, score = [], script.score

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 10:
            raise KeyboardInterrupt
        return score(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(script, "score", interrupted)
        part = tune(*BAD_START, *SMALL, "--generations", 3, "--state", tmp_path / "part.json")
    assert part.code == 130 and part.out == ""
    assert "interrupted after 1 of 3 generations" in part.err
    assert len(json.loads((tmp_path / "part.json").read_text())["scores"]) == 1
    rest = tune(*BAD_START, *SMALL, "--generations", 3, "--state", tmp_path / "part.json")
    assert rest.record == whole.record
    assert (tmp_path / "part.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_weights_are_written_with_all_their_tunings(tune, tmp_path):
    target = tmp_path / "weights.json"
    records = [
        tune(*BAD_START, *SMALL, "--generations", n, "--state", tmp_path / "s.json", "--write", target).record
        for n in (1, 2)
    ]
    written = json.loads(target.read_text())
    assert written["tunings"] == records
    assert written["params"] == {"same": 0.0} | records[1]["tuned"]
    assert list(tmp_path.glob("*.part")) == []


def test_a_solitaire_is_tuned_too_and_down(tune, tmp_path):
    arguments = "foursquare", "weighted", "--param", "line_*=0", "--measure", "mean_placed", "--lowest"
    done = tune(*arguments, *SMALL, "--generations", 1, "--state", tmp_path / "s.json")
    assert done.code == 0 and done.record["lowest"] is True and done.record["players"] == 1
    assert len(done.record["params"]) > 10 and set(done.record["found"]) == {"start", "tuned", "difference"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("skyjo", "greedy", "--param", "leest=1"), "--against: got nothing, allowed for skyjo"),
        (
            ("skyjo", "greedy", "--param", "leest=1", "--against", "cutoff"),
            "greedy has no parameter 'leest', allowed: least,",
        ),
        (
            ("skyjo", "greedy", "--param", "least", "--against", "cutoff"),
            "--param: got 1 of them, allowed: two or more",
        ),
        (
            ("skyjo", "greedy", "--param", "*=x", "--against", "cutoff"),
            "--param: got '*=x', allowed: NAME[=START[:SCALE]]",
        ),
        (("skyjo", "greedy", "--param", "*=1:0", "--against", "cutoff"), "a SCALE above 0"),
        (("skyjo", "nobody", "--param", "*", "--against", "cutoff"), "nobody"),
        (
            ("skyjo", "greedy", "--param", "*", "--against", "cutoff", "--measure", "luck"),
            "--measure: got 'luck', allowed",
        ),
        (
            ("foursquare", "greedy", "--param", "*", "--against", "cautious"),
            "--against: got 'cautious', allowed for foursquare",
        ),
        (("skyjo", "greedy", "--param", "*", "--against", "cutoff", "--rule", "target=0"), "target"),
        (("chess", "greedy", "--param", "*"), "chess"),
    ],
)
def test_bad_input_is_one_line(tune, tmp_path, arguments, said):
    done = tune(*arguments, *SMALL, "--generations", 1, "--state", tmp_path / "s.json")
    assert done.code == 2 and done.out == "" and done.err.count("\n") == 1
    assert said in done.err and done.err.startswith("tune: ")
    assert list(tmp_path.iterdir()) == []


def test_a_state_of_other_settings_is_refused(tune, tmp_path):
    state = tmp_path / "s.json"
    assert tune(*BAD_START, *SMALL, "--generations", 1, "--state", state).code == 0
    kept = state.read_bytes()
    other = tune(*BAD_START, *SMALL, "--rule", "target=50", "--generations", 1, "--state", state)
    assert other.code == 2 and "is of other settings (rules was" in other.err and other.err.count("\n") == 1
    assert state.read_bytes() == kept
    state.write_text("{}")
    assert tune(*BAD_START, *SMALL, "--generations", 1, "--state", state).code == 2
