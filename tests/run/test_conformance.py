"""What `check_strategy` finds in strategies that compile but do not keep to the rules."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit import registry
from simkit._jit import count_bits, jit, lowest_bit
from simkit.run import conformance
from simkit.run.conformance import check_strategy
from simkit.run.plain_view import TWINS, PlainRecord, in_plain_python, own_copy
from simkit.run.variety import random_rules
from simkit.run.witness import compare_views, witnesses
from simkit.strategy import Player, builtin, resolve

GAME = registry.game("sequence_stacks")
HEAD = "def choose(view, params):\n"
ALONE = "asked again on the same view it answers"

FAULTS = {
    "too high": (
        HEAD + "    if view.turn > 4:\n        return view.n_actions\n    return 0\n",
        "3: answers 5, allowed: 0 to 4 (game 0, 2 players, decision 12)",
    ),
    "negative": (HEAD + "    return 0 - view.n_plays\n", "2: answers -"),
    "too high in one game of a thousand": (
        HEAD + "    if view.turn == 37 and view.hand[3] == 2:\n        return 99\n    return 0\n",
        "3: answers 99, allowed: 0 to ",
    ),
    "beyond an array": (
        HEAD + "    total = 0\n    for card in range(18):\n        total += view.hand[card]\n    return 0 * total\n",
        "4: IndexError: view.hand[17] is outside of its size, 17 (",
    ),
    "beyond an array of two dimensions": (
        HEAD + "    seat = view.seat + 6\n    return 0 * view.chips[seat, 0]\n",
        "3: IndexError: view.chips[6, 0] is outside of its size, 6 x 2 (",
    ),
    "beyond an array of one's own": (
        f"import numpy as np\n\n\n{HEAD}    worth = np.zeros(3)\n    worth[view.n_actions] = 1\n    return 0\n",
        "6: IndexError: index 6 is out of bounds for axis 0 with size 3 (",
    ),
    "beyond an array in a helper": (
        "from numba import njit\n\n\n@njit\ndef top(view, seat):\n    return view.discards[seat, 200]\n\n\n"
        f"{HEAD}    return 0 * top(view, view.seat)\n",
        "6: IndexError: view.discards[0, 200] is outside of its size, 6 x 153 (",
    ),
    "exception": (
        HEAD + "    if view.turn > 5:\n        raise ValueError('no plan')\n    return 0\n",
        "3: ValueError: no plan (game 0, 2 players, decision ",
    ),
    "division by zero": (HEAD + "    return 0 * (10 // view.n_plays)\n", "2: ZeroDivisionError: "),
    "numpy's random": (f"import numpy as np\n\n\n{HEAD}    return np.random.randint(view.n_actions)\n", f"5: {ALONE}"),
    "Python's random": (f"import random\n\n\n{HEAD}    return random.randrange(view.n_actions)\n", f"5: {ALONE}"),
    "writes into the hand": (HEAD + "    view.hand[0] = 3\n    return 0\n", "2: writes to the view, which is for"),
    "writes a number": (HEAD + "    view.turn = 3\n    return 0\n", "2: writes to the view, which is for reading only"),
    "writes through a name": (
        HEAD + "    chips = view.chips[view.seat]\n    chips[0] += 1\n    return 0\n",
        "3: writes to the view, which is for reading only",
    ),
    "endless": (
        HEAD + "    card = 0\n    while card < 5:\n        if view.hand[card] > 0:\n            card += 1\n"
        "    return 0\n",
        "does not return: still busy after 0.3 seconds (game 0, 2 players, decision 1)",
    ),
    "endless in spite of a catch-all": (
        HEAD + "    try:\n        while view.turn > 0:\n            pass\n    except Exception:\n        pass\n"
        "    return 0\n",
        "does not return: still busy after 0.3 seconds",
    ),
    "64 bits": (
        HEAD + "    key = 1\n    for card in range(17):\n        key = key * 31 + view.hand[card]\n"
        "    return 0 if key * 31 * 31 > 0 else view.n_actions - 1\n",
        "5: answers 0 in plain Python but ",
    ),
    "prints": (HEAD + "    print(view.seat)\n    return 0\n", "2: RuntimeError: prints; standard output is for"),
    "endless recursion": (
        "from numba import njit\n\n\n@njit\ndef down(n):\n    if n < 0:\n        return 0\n    return down(n + 1)\n\n\n"
        f"{HEAD}    return down(1)\n",
        "8: RecursionError: maximum recursion depth exceeded",
    ),
}

LOTS = "from simkit.rng.jitted import below\n"
FINE = {
    "lots": f"{LOTS}\n\n{HEAD}    return below(view.stream, view.n_actions)\n",
    "lots in a helper": (
        f"from numba import njit\n\n{LOTS}\n\n@njit\ndef pick(view, n):\n    return below(view.stream, n)\n\n\n"
        f"{HEAD}    return pick(view, view.n_actions)\n"
    ),
    "copies": HEAD + "    chips = view.chips[view.seat].copy()\n    chips[0] += 1\n    return 0 * chips[0]\n",
    "small numbers do not overflow": HEAD + "    return 0 if view.hand[0] * 1000 >= 0 else view.n_actions - 1\n",
    "global arrays of small numbers": (
        f"import numpy as np\n\nWORTH = np.full(17, 100, np.int8)\n\n\n{HEAD}"
        "    return 0 if WORTH[view.actions[0].card] * 2 == 200 else view.n_actions - 1\n"
    ),
    "records of one's own": (
        "import numpy as np\n\nLINE = np.dtype([('worth', 'i1'), ('places', 'i1', (3,))])\n\n\n"
        f"{HEAD}    lines = np.zeros(2, LINE)\n    line = lines[1]\n    line.worth, line.places[2] = 100, 100\n"
        "    return 0 if lines[1].worth * 2 + line.places[2] * 2 == 400 else view.n_actions - 1\n"
    ),
    "bits": (
        "from simkit._jit import count_bits, lowest_bit\n\n\n"
        f"{HEAD}    return (count_bits(view.holding) + lowest_bit(view.holding | 32)) % view.n_actions\n"
    ),
    "whole arrays": (
        f"import numpy as np\n\n\n{HEAD}    most = np.argmax(view.hand)\n    unseen = view.deck - view.visible\n"
        "    return int(most + unseen.sum() + view.hand.max() + np.sum(view.chips[view.seat])) % view.n_actions\n"
    ),
    "loops over arrays": (
        HEAD + "    n = 0\n    for cards in view.hand:\n        n += cards\n    return n % view.n_actions\n"
    ),
    "actions": (
        HEAD + "    best = 0\n    for i in range(view.n_actions):\n"
        "        if view.actions[i].card > view.actions[best].card:\n            best = i\n    return best\n"
    ),
    "parameters": (
        "from simkit.strategy import strategy\n\n\n@strategy(bold=2)\n"
        f"{HEAD}    return 0 if params.bold > 1 else view.n_actions - 1\n"
    ),
}


def checked(tmp_path, source: str, **settings):
    path = tmp_path / "mine.py"
    path.write_text(source)
    return check_strategy(GAME, resolve(GAME, f"{path}:choose"), **{"games": 5, "patience": 0.3, **settings})


@pytest.mark.parametrize("fault", FAULTS)
def test_the_line_of_a_fault(tmp_path, fault):
    source, expected = FAULTS[fault]
    report = checked(tmp_path, source)
    assert report.problem is not None and "\n" not in report.problem
    assert report.problem.startswith(f"{tmp_path}/mine.py:")
    assert expected in report.problem.removeprefix(f"{tmp_path}/mine.py:")


@pytest.fixture
def few_compiled_games(monkeypatch):
    monkeypatch.setattr(conformance, "COMPILED_GAMES", 200)


@pytest.mark.usefixtures("few_compiled_games")
@pytest.mark.parametrize("name", FINE)
def test_what_is_fine_passes(tmp_path, name):
    report = checked(tmp_path, FINE[name])
    assert report.problem is None
    assert [note for note in report.notes if "capped" not in note] == []
    assert (report.games, report.compiled_games) == (5, 1_000)
    assert report.decisions > 100 and report.redealt > 10


@pytest.mark.usefixtures("few_compiled_games")
@pytest.mark.parametrize("name", builtin(GAME))
def test_built_in_strategies_pass(name):
    report = check_strategy(GAME, resolve(GAME, name), games=15)
    assert report.problem is None and report.rule_sets >= 10


@pytest.mark.usefixtures("few_compiled_games")
def test_what_may_be_a_mistake_is_noted(tmp_path):
    source = HEAD + "    top = view.discard_tops[view.seat]\n    if view.hand[top] > 0:\n        return 0\n"
    source += "    return view.n_actions > 1\n"
    assert checked(tmp_path, source).notes == [
        f"{tmp_path}/mine.py:3: reads view.hand[-1], which counts from the end",
        f"{tmp_path}/mine.py:5: answers True or False, taken as 1 or 0",
    ]


def test_games_that_never_end_are_told(tmp_path, monkeypatch):
    """With every hand refilled and nobody ever completing a sequence, only a cap ends the game."""
    low = {"max_turns": 10}
    rules = type(GAME).rules

    def capped_rules(self, players, chosen=low, preset="seed"):
        return rules(self, players, chosen, preset)

    monkeypatch.setattr(type(GAME), "rules", capped_rules)
    report = checked(tmp_path, HEAD + "    return view.n_actions - 1\n")
    assert "mine.py:1: 10,000 of 10,000 games never come to an end and are capped" in report.problem
    assert report.as_data()["ok"] is False


def test_a_view_in_plain_python_reads_as_numbers_and_refuses_writing():
    seen = []
    list(GAME.part("reference").play(GAME.rules(2), 1, 0, [lambda view: seen.append(view) or 0] * 2))
    copy = own_copy(seen[0])
    assert copy.tobytes() == seen[0].tobytes()
    view = PlainRecord(copy, "view", negative := set())
    assert type(view.turn) is type(view.hand[0]) is type(view.chips[0, 1]) is type(view.actions[0].card) is int
    assert type(view.hand.sum()) is int and type(view["turn"]) is int and len(view.actions) == len(copy["actions"])
    assert [type(n) for n in view.chips[0]] == [int, int]
    assert view.stream.dtype == copy["stream"].dtype
    view.hand[-1], view.chips[0][-1]
    assert {what for _, _, what in negative} == {"view.hand[-1]", "view.chips[0][-1]"}
    with pytest.raises(IndexError, match=r"view.chips\[0\]\[2\] is outside of its size, 2"):
        view.chips[0][2]
    with pytest.raises(TypeError, match="read-only"):
        view.actions[0].card = 3
    with pytest.raises(ValueError, match="read-only"):
        view.hand[0] = 1
    with pytest.raises(AttributeError, match="view has no field 'hnad'"):
        _ = view.hnad


@jit
def bits(word):
    return count_bits(word), lowest_bit(word)


@given(st.integers(-(2**63), 2**63 - 1).filter(bool))
@settings(deadline=None)
def test_twins_of_what_exists_in_compiled_code_only(word):
    assert bits(word) == tuple(twin(word) for _, twin in TWINS)


def test_helpers_become_plain_but_drawing_lots_stays_compiled(tmp_path):
    (tmp_path / "mine.py").write_text(FINE["lots in a helper"])
    plain = in_plain_python(resolve(GAME, f"{tmp_path}/mine.py:choose").function)
    assert not hasattr(plain.__globals__["pick"], "py_func")
    assert hasattr(plain.__globals__["pick"].__globals__["below"], "py_func")


def test_random_rules_can_be_played_and_vary():
    rng = random.Random(3)
    found = [random_rules(GAME, rng) for _ in range(200)]
    assert {rules.players for rules in found} == set(range(GAME.least_players, GAME.most_players + 1))
    for option in GAME.options:
        assert len({rules[option.name] for rules in found}) >= min(2, len(option.values) or 2)
    assert all(random_rules(GAME, rng, 3).players == 3 for _ in range(5))
    assert random_rules(GAME, random.Random(1)) == random_rules(GAME, random.Random(1))


def test_both_engines_show_a_witness_the_same_views():
    known = builtin(GAME)
    strategies = [known["eager"], known["random"], known["eager"]]
    players = [Player(GAME, strategy) for strategy in strategies]
    seated = witnesses(GAME, strategies)
    decisions, parting = compare_views(GAME, GAME.rules(3), seated, players, seed=2, index=5)
    assert parting is None and decisions == sum(len(witness.views) for witness in seated) > 50
    assert np.array_equal(np.sort(seated[0].views["turn"]), seated[0].views["turn"])


def test_a_witness_says_where_engines_part():
    known = builtin(GAME)
    seated = witnesses(GAME, [known["eager"], known["random"]])
    players = [Player(GAME, known["eager"])] * 2
    _, parting = compare_views(GAME, GAME.rules(2), seated, players, seed=2, index=5)
    assert parting is not None and parting.decision > 0
    assert str(parting).startswith(f"decision {parting.decision} of seat {parting.seat}: ")
    assert " in the kernel, " in str(parting)
