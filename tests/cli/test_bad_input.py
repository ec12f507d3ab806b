"""Bad input: one line on standard error that names the option, what was given and what is allowed; exit code 2."""

import pytest

RUN = "run", "sequence-stacks", "-n", "10", "--seed", "1"

CASES = {
    "unknown game": (("run", "snap"), "GAME", "snap", "sequence-stacks"),
    "no game": (("run",), "GAME", "nothing", "simkit games"),
    "unknown command": (("shuffle",), "shuffle", "shuffle", ""),
    "unknown option": ((*RUN, "--frmat", "json"), "--frmat", "--frmat", "--format"),
    "unknown rule": ((*RUN, "--rule", "blok=3"), "--rule", "blok", "block"),
    "no value": ((*RUN, "--rule", "block"), "--rule", "block", "option=value"),
    "rule given twice": ((*RUN, "--rule", "block=1", "--rule", "block=2"), "--rule", "block", "once"),
    "wrong value": ((*RUN, "--rule", "hand_refill=never"), "hand_refill", "never", "start_of_turn"),
    "number out of range": ((*RUN, "--rule", "block=10"), "block", "10", "0 to 9"),
    "not a number": ((*RUN, "--rule", "block=many"), "block", "many", "0 to 9"),
    "deck too small": (
        (*RUN, "--rule", "numbers=0", "--rule", "wilds=0", "--rule", "hand_size=10"),
        "hand_size",
        "10",
        "at most",
    ),
    "win out of reach": ((*RUN, "--rule", "chips_per_color=2"), "win_chips", "5", "4"),
    "too many players": ((*RUN, "-p", "7"), "--players", "7", "2 to 6"),
    "players no number": ((*RUN, "-p", "two"), "--players", "two", ""),
    "seats and players": ((*RUN, "-p", "3", "--seat", "eager", "--seat", "random"), "--seat", "2", "3"),
    "unknown strategy": ((*RUN, "--seat", "egar"), "--seat", "egar", "eager"),
    "unknown parameter": ((*RUN, "--seat", "eager:zeal=1"), "--seat", "zeal", "none"),
    "no such file": ((*RUN, "--seat", "nowhere.py:choose"), "--seat", "nowhere.py", "No such file"),
    "negative deals": ((*RUN, "-n", "-5"), "--deals", "-5", "1 to 1,000,000,000"),
    "absurd deals": ((*RUN, "-n", "1e15"), "--deals", "1e15", "1 to 1,000,000,000"),
    "half a deal": ((*RUN, "-n", "2.5"), "--deals", "2.5", "whole number"),
    "negative seed": ((*RUN, "--seed", "-1"), "--seed", "-1", "0"),
    "seed too large": ((*RUN, "--seed", str(2**64)), "--seed", str(2**64), "18,446,744,073,709,551,615"),
    "preset": ((*RUN, "--preset", "house"), "--preset", "house", "official"),
    "level": ((*RUN, "--level", "1.5"), "--level", "1.5", "0.5"),
    "no threads": ((*RUN, "--threads", "0"), "--threads", "0", "1"),
    "record missing": (("run", "--from", "nowhere.json"), "--from", "nowhere.json", "cannot be read"),
    "game number": (("replay", "sequence-stacks", "--game", "-1"), "--game", "-1", "whole number"),
    "games upside down": (("replay", "sequence-stacks", "--games", "5:2"), "--games", "5:2", "A < B"),
    "rotation": (("replay", "sequence-stacks", "--seed", "1", "--rotation", "2"), "--rotation", "2", "0 to 1"),
}


@pytest.mark.parametrize("case", CASES)
def test_one_line_and_exit_code_2(simkit, case):
    arguments, option, given, allowed = CASES[case]
    answer = simkit(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    (line,) = answer.err.splitlines()
    for part in (option, given, allowed):
        assert part in line


def test_output_directory_in_use(simkit, tmp_path):
    (tmp_path / "mine.txt").write_text("keep me")
    answer = simkit(*RUN, "--out", str(tmp_path))
    assert answer.code == 2 and "--out" in answer.err and "--force" in answer.err
    answer = simkit(*RUN, "--out", str(tmp_path), "--force")
    assert answer.code == 2, "--force never removes what is no result"
    assert (tmp_path / "mine.txt").read_text() == "keep me"


def test_output_directory_unwritable(simkit, tmp_path):
    (tmp_path / "file").write_text("")
    answer = simkit(*RUN, "--out", str(tmp_path / "file" / "inside"))
    assert answer.code == 2 and len(answer.err.splitlines()) == 1 and "--out" in answer.err


def test_games_file_in_use(simkit, tmp_path):
    path = tmp_path / "games.parquet"
    path.write_text("keep me")
    answer = simkit(*RUN, "--games-out", str(path))
    assert answer.code == 2 and "--games-out" in answer.err
    assert path.read_text() == "keep me"


def test_broken_record(simkit, tmp_path):
    for text in ("{", "[]", '{"sources": 1}', '{"sources": 1, "run": {"game": "sequence_stacks"}}'):
        path = tmp_path / "record.json"
        path.write_text(text)
        answer = simkit("run", "--from", str(path))
        assert answer.code == 2
        assert answer.err.splitlines()[-1].startswith("simkit: --from")
