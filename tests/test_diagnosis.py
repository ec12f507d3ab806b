"""What the author of a strategy reads when it cannot be compiled: one line with the file, the line and the reason."""

import pytest

from simkit import registry
from simkit.errors import StrategyError
from simkit.strategy import Player, resolve

GAME = registry.game("sequence_stacks")
HEAD = "def choose(view, params):\n"
INDEX = "allowed: a whole number, the index of one of view.n_actions legal actions"
GLOBALS = "which compiled code cannot read, allowed: numbers, tuples, numpy arrays"

FAULTS = {
    "unknown field": (HEAD + "    return view.hnad[0]\n", "2: the view has no field 'hnad', did you mean 'hand'?"),
    "unknown field of an action": (
        HEAD + "    return view.actions[0].crad\n",
        "2: view.actions[0] has no field 'crad', did you mean 'card'?",
    ),
    "unknown option": (
        HEAD + "    return view.rules.hand_sise\n",
        "2: view.rules has no field 'hand_sise', did you mean 'hand_size'?",
    ),
    "unknown field by its name in brackets": (
        HEAD + "    return view['n_acts']\n",
        "2: the view has no field 'n_acts', did you mean 'n_actions'?",
    ),
    "unknown field in a helper": (
        "from numba import njit\n\n\n@njit\ndef last(view):\n    return view.n_acitons - 1\n\n\n"
        f"{HEAD}    return last(view)\n",
        "6: the view has no field 'n_acitons', did you mean 'n_actions'?",
    ),
    "field set that is none": (
        HEAD + "    view.score = 3\n    return 0\n",
        "2: the view has no field 'score', allowed: decision, n_actions, ",
    ),
    "parameter not declared": (
        HEAD + "    return int(params.boldness)\n",
        "2: params has no field 'boldness', this strategy declares no parameters, see @strategy",
    ),
    "one parameter": ("def choose(view):\n    return 0\n", "1: got choose(view), allowed: choose(view, params)"),
    "three parameters": (
        "def choose(view, params, depth=2):\n    return 0\n",
        "1: got choose(view, params, depth=2), allowed: choose(view, params)",
    ),
    "keywords": ("def choose(view, params, **more):\n    return 0\n", "1: got choose(view, params, **more), allowed:"),
    "generator": (HEAD + "    yield 0\n", "1: choose is a generator, allowed: a plain function that returns"),
    "async": ("async " + HEAD + "    return 0\n", "1: choose is async, allowed: a plain function that returns"),
    "float": (HEAD + "    return view.n_actions / 2\n", f"2: choose returns a float, {INDEX}"),
    "float in one place": (
        HEAD + "    if view.n_plays > 0:\n        return 0\n    return 1.0\n",
        f"4: choose returns a float, {INDEX}",
    ),
    "nothing": (HEAD + "    view.n_actions\n", f"1: choose returns nothing, {INDEX}"),
    "nothing at the end": (
        HEAD + "    if view.n_plays > 0:\n        return 0\n",
        f"1: choose returns nothing where it comes to its end, {INDEX}",
    ),
    "truth": (HEAD + "    return view.n_plays > 0\n", f"2: choose returns True or False, {INDEX}"),
    "text": (HEAD + "    return 'R1'\n", f"2: choose returns a text, {INDEX}"),
    "tuple": (HEAD + "    return 0, 1\n", f"2: choose returns a tuple, {INDEX}"),
    "action": (HEAD + "    return view.actions[0]\n", f"2: choose returns a record, {INDEX}"),
    "array": (HEAD + "    return view.hand\n", f"2: choose returns an array, {INDEX}"),
    "unknown name": (HEAD + "    return best\n", "2: cannot be compiled: NameError: name 'best' is not defined"),
    "plain helper": (
        f"def last(view):\n    return 0\n\n\n{HEAD}    return last(view)\n",
        "6: cannot be compiled: calls last(), which is plain Python; mark it with @numba.njit",
    ),
    "module": (
        f"import time\n\n\n{HEAD}    return int(time.time()) % 2\n",
        "5: cannot be compiled: time.time is not there in compiled code",
    ),
    "lambda": (
        HEAD + "    return max(range(view.n_actions), key=lambda i: view.actions[i].card)\n",
        "2: cannot be compiled: a lambda or inner function cannot use 'view' of the function around it; write a loop",
    ),
    "generator expression": (
        HEAD + "    return max(view.hand[card] for card in range(3))\n",
        "2: cannot be compiled: a generator expression is not possible; write a loop or a list",
    ),
    "format": (HEAD + "    name = f'{view.seat:>3}'\n    return 0\n", "2: cannot be compiled: format spec"),
    "memory": (
        f"TURNS = 0\n\n\n{HEAD}    global TURNS\n    TURNS += 1\n    return 0\n",
        "6: cannot be compiled: sets a global variable; a strategy cannot remember anything",
    ),
    "memory in an array": (
        f"import numpy as np\n\nSEEN = np.zeros(3)\n\n\n{HEAD}    SEEN[0] += 1\n    return 0\n",
        "7: cannot be compiled: changes an array outside of the function; a strategy cannot remember anything",
    ),
    "memory in a list": (
        f"SEEN = []\n\n\n{HEAD}    SEEN.append(view.turn)\n    return 0\n",
        f"5: cannot be compiled: the global SEEN is of type list, {GLOBALS}",
    ),
    "global dictionary": (
        f"WORTH = {{1: 2}}\n\n\n{HEAD}    return WORTH[1]\n",
        f"5: cannot be compiled: the global WORTH is of type dict, {GLOBALS}",
    ),
    "file": (HEAD + "    with open('log') as log:\n        return 0\n", "cannot be compiled: The 'with (context"),
    "exception by name": (
        HEAD + "    try:\n        return view.hand[3]\n    except IndexError:\n        return 0\n",
        "4: cannot be compiled: except can only name Exception, and an index out of range raises nothing",
    ),
    "two types": (
        HEAD + "    best = 1\n    if view.n_plays > 0:\n        best = 'a'\n    return 0 if best == 1 else 1\n",
        "cannot be compiled: best is here ",
    ),
    "number called": (
        HEAD + "    return view.n_actions()\n",
        "2: cannot be compiled: a value of type int is called like a function",
    ),
    "item of a number": (
        HEAD + "    return view.turn[0]\n",
        "2: cannot be compiled: a value of type int has no such items",
    ),
    "sum of unlike things": (HEAD + "    return view.turn + 'a'\n", "2: cannot be compiled: int + str is not possible"),
    "unknown method": (
        HEAD + "    return view.hand.indexof(3)\n",
        "2: cannot be compiled: an array has no attribute 'indexof'",
    ),
    "import inside": (
        HEAD + "    import math\n    return int(math.floor(0.5))\n",
        "2: cannot be compiled: imports inside of the function; import at the top of the file",
    ),
    "call that does not fit": (
        f"from simkit.rng.jitted import below\n\n\n{HEAD}    return below(view.stream)\n",
        "5: cannot be compiled: a call does not fit (stream, n): missing a required argument: 'n'",
    ),
    "does not parse": (HEAD + "    return 0 if\n", "2: invalid syntax"),
    "fails on import": (f"VALUES = {{}}['x']\n\n\n{HEAD}    return 0\n", "1: KeyError: 'x'"),
    "missing module": (f"import pandaz\n\n\n{HEAD}    return 0\n", "1: ModuleNotFoundError: No module named 'pandaz'"),
}

FINE = {
    "marked already": f"from numba import njit\n\n\n@njit\n{HEAD}    return 0\n",
    "lambda": "choose = lambda view, params: view.n_actions - 1\n",
    "other names": "def choose(table, settings):\n    return table.n_actions - 1\n",
    "match": HEAD + "    match view.decision:\n        case 0:\n            return 0\n    return 1\n",
    "list": HEAD + "    worth = [view.hand[card] for card in range(10)]\n    return worth.index(max(worth)) * 0\n",
    "small integers": HEAD + "    return view.hand[0] * 0\n",
    "types": "def choose(view, params) -> int:\n    best: int = 0\n    return best\n",
}


def compiled(tmp_path, source: str) -> Player:
    path = tmp_path / "mine.py"
    path.write_text(source)
    return Player(GAME, resolve(GAME, f"{path}:choose"))


@pytest.mark.parametrize("fault", FAULTS)
def test_one_line_with_file_line_and_reason(tmp_path, fault):
    source, expected = FAULTS[fault]
    with pytest.raises(StrategyError) as error:
        compiled(tmp_path, source)
    message = str(error.value)
    assert "\n" not in message
    assert message.startswith(f"{tmp_path}/mine.py:")
    assert expected in message.removeprefix(f"{tmp_path}/mine.py:")
    assert "Literal" not in message and "int64" not in message and "Record(" not in message


@pytest.mark.parametrize("name", FINE)
def test_what_is_fine_compiles(tmp_path, name):
    assert compiled(tmp_path, FINE[name]).address > 0


def test_a_name_that_is_no_function_of_the_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(f"{HEAD}    return 0\n\n\nchose = 3\n")
    with pytest.raises(StrategyError, match=r"mine.py has no function 'chose', allowed: choose$"):
        resolve(GAME, f"{path}:chose")


def test_parameters_of_a_file(tmp_path):
    source = f"from simkit.strategy import strategy\n\n\n@strategy(bold=2)\n{HEAD}    return int(params.bald)\n"
    with pytest.raises(StrategyError, match=r"mine.py:6: params has no field 'bald', did you mean 'bold'\?"):
        compiled(tmp_path, source)
    with pytest.raises(StrategyError, match=r"has no parameter 'shy', allowed: bold"):
        resolve(GAME, f"{tmp_path}/mine.py:choose:shy=1")
