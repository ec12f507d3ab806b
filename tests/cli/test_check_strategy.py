"""`simkit check-strategy`: exit codes, what is printed where, and what hangs only in the middle of many games."""

import json

import pytest

HEAD = "def choose(view, params):\n"

FAULTS = {
    "does not compile": (HEAD + "    return view.hnad[0]\n", "2: the view has no field 'hnad', did you mean 'hand'?"),
    "return type": (HEAD + "    return view.n_actions / 2\n", "2: choose returns a float, allowed: a whole number"),
    "out of range": (HEAD + "    return view.n_actions\n", "2: answers "),
    "hangs in one game of hundreds": (
        HEAD + "    n = 0\n    while view.turn == 37 and view.hand[3] == 2:\n        n += 1\n    return 0 * n\n",
        "3: does not return: still busy after 1 seconds (game ",
    ),
    "hangs in compiled numbers only": (
        HEAD + "    n = view.seat + 1\n    if view.turn == 37 and view.hand[3] == 2:\n"
        "        while n < 9_200_000_000_000_000_000:\n            n = n << 1\n    return n % view.n_actions\n",
        "1: does not return when it is compiled, though it does in plain Python (game ",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line_and_exit_code_1(simkit, tmp_path, fault):
    source, expected = FAULTS[fault]
    (tmp_path / "mine.py").write_text(source)
    answer = simkit("check-strategy", f"{tmp_path}/mine.py:choose", "--games", "3", "--patience", "1")
    (line,) = answer.out.splitlines()
    assert answer.code == 1
    assert line.startswith(f"{tmp_path}/mine.py:") and expected in line
    assert "Traceback" not in answer.err


def test_what_is_fine_says_what_was_checked(simkit, tmp_path):
    (tmp_path / "mine.py").write_text(HEAD + "    return 0\n")
    answer = simkit("check-strategy", f"{tmp_path}/mine.py:choose", "--games", "10", "--game", "sequence_stacks")
    assert answer.code == 0
    first, examined, decisions, hidden, compiled = answer.out.splitlines()
    assert first == f"{tmp_path}/mine.py:choose is fine as a player of Sequence Stacks"
    assert "10 games, 2 to 6 players" in examined and "in plain Python and twice compiled" in decisions
    assert "dealt anew, the same answers" in hidden and "10,000 games alone" in compiled


def test_json(simkit, tmp_path):
    (tmp_path / "mine.py").write_text(HEAD + "    return view.n_actions + 1\n")
    answer = simkit("check-strategy", f"{tmp_path}/mine.py:choose", "--format", "json")
    data = json.loads(answer.out)
    assert answer.code == 1 and data["ok"] is False and data["game"] == "sequence_stacks"
    assert data["problem"].startswith(f"{tmp_path}/mine.py:2: answers ") and data["decisions"] == 1


BAD_INPUT = {
    "no file": (("nowhere.py:choose",), "FILE.py:FUNCTION: nowhere.py cannot be read: No such file"),
    "no such name": (("eagre",), "FILE.py:FUNCTION: got 'eagre', allowed for sequence-stacks: "),
    "no function": (("{file}:chose",), "mine.py has no function 'chose', allowed: choose"),
    "does not parse": (("{broken}:choose",), "broken.py:2: invalid syntax"),
    "game": (("eager", "--game", "snap"), "GAME: got 'snap', allowed: sequence-stacks"),
    "patience": (("eager", "--patience", "0"), "--patience: got 0, allowed: 0.1 to 3600 seconds"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_one_line_and_exit_code_2(simkit, tmp_path, case):
    arguments, expected = BAD_INPUT[case]
    (tmp_path / "mine.py").write_text(HEAD + "    return 0\n")
    (tmp_path / "broken.py").write_text(HEAD + "    return 0 if\n")
    paths = {"file": str(tmp_path / "mine.py"), "broken": str(tmp_path / "broken.py")}
    answer = simkit("check-strategy", *(argument.format(**paths) for argument in arguments))
    *_, line = answer.err.splitlines()
    assert answer.code == 2 and answer.out == "" and line.startswith("simkit: ") and expected in line
