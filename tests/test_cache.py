"""The compile cache: never stale, safe for processes that start at once, never in the package, never growing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import simkit
from simkit._jit import cache_dir

PACKAGE = Path(simkit.__file__).parent
TINY = {
    "__init__.py": "",
    "tiny/__init__.py": "",
    "tiny/helper.py": "from simkit._jit import jit\n\n\n@jit\ndef worth(n):\n    return n * 7\n",
    "tiny/kernel.py": (
        "from numba import types\n\nfrom simkit._jit import kernel\nfrom simkit.games.tiny.helper import worth\n\n\n"
        "@kernel(types.int64)\ndef total(n):\n    return worth(n) + worth(n)\n"
    ),
}
"""A game's folder that compiles in a moment: a kernel, and a helper in another file."""
ASK = "from simkit.games.tiny.kernel import total; print(total(3), total.stats.cache_hits.total())"


@pytest.fixture
def tiny(tmp_path) -> Path:
    """A copy of the package with the tiny game alone."""
    copy = tmp_path / "site" / "simkit"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("games", "__pycache__"))
    for name, source in TINY.items():
        path = copy / "games" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return copy


def start(package: Path, *arguments: str, cache: str | Path | None = None, **environment: str) -> subprocess.Popen:
    """A Python process that sees this package, with its cache beside it."""
    variables = {
        **os.environ,
        "PYTHONPATH": str(package.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SIMKIT_CACHE_DIR": str(cache or package.parent.parent / "cache"),
        **environment,
    }
    command, pipe = [sys.executable, *arguments], subprocess.PIPE
    return subprocess.Popen(command, env=variables, cwd=package.parent, stdout=pipe, stderr=pipe, text=True)


def answer(process: subprocess.Popen) -> str:
    out, err = process.communicate(timeout=900)
    assert process.returncode == 0, err
    return out.strip()


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def compiled(folder: Path) -> list[str]:
    return [name for name in files(folder) if name.endswith((".nbi", ".nbc"))]


def test_an_edited_helper_in_another_file_is_run(tiny):
    assert answer(start(tiny, "-c", ASK)) == "42 0"
    helper = tiny / "games/tiny/helper.py"
    before = helper.stat()
    helper.write_text(TINY["tiny/helper.py"].replace("7", "9"))
    os.utime(helper, ns=(before.st_atime_ns, before.st_mtime_ns))  # same size and time: only the content tells
    assert answer(start(tiny, "-c", ASK)) == "54 0"
    helper.write_text(TINY["tiny/helper.py"])
    assert answer(start(tiny, "-c", ASK)) == "42 1"


def test_eight_processes_start_cold_at_once(tiny):
    processes = [start(tiny, "-c", ASK) for _ in range(8)]
    assert [answer(process).split()[0] for process in processes] == ["42"] * 8
    cache = tiny.parent.parent / "cache"
    assert len([name for name in compiled(cache) if name.endswith(".nbi")]) == 1
    assert files(cache) == compiled(cache)  # no half-written file is left behind
    assert answer(start(tiny, "-c", ASK)) == "42 1"


def test_a_read_only_installation_works_and_stays_as_it_is(tiny):
    before = files(tiny)
    for path in [tiny, *tiny.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert answer(start(tiny, "-c", ASK)) == "42 0"
        assert answer(start(tiny, "-c", ASK)) == "42 1"
    finally:
        for path in [tiny, *tiny.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)
    assert files(tiny) == before


def test_a_cache_that_cannot_be_written_moves_to_the_temporary_directory(tiny, tmp_path):
    (tmp_path / "file").write_text("no directory")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for hits in ("0", "1"):
        process = start(tiny, "-c", ASK, cache=tmp_path / "file" / "cache", TMPDIR=str(temporary))
        assert answer(process) == f"42 {hits}"
    assert compiled(temporary)


def test_repeated_runs_do_not_grow_the_cache(tiny):
    answer(start(tiny, "-c", ASK))
    cache = tiny.parent.parent / "cache"
    before = files(cache)
    for _ in range(3):
        processes = [start(tiny, "-c", ASK) for _ in range(2)]
        assert {answer(process) for process in processes} == {"42 1"}
    assert files(cache) == before


def test_bounds_checked_code_has_a_cache_of_its_own(tiny):
    name = "from simkit._jit import cache_dir; print(cache_dir().name)"
    plain = answer(start(tiny, "-c", name))
    checked = answer(start(tiny, "-c", name, NUMBA_BOUNDSCHECK="1"))
    assert checked == f"{plain}-bounds"


def test_the_cache_of_others_is_not_moved(tiny):
    """Only our own functions are compiled into our directory, whatever else a process compiles."""
    ask = "import numba\nbefore = numba.config.CACHE_DIR\n" + ASK + "\nassert numba.config.CACHE_DIR == before"
    assert answer(start(tiny, "-c", ask)) == "42 0"


def test_runs_with_a_strategy_from_a_file_leave_nothing_behind(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def choose(view, params):\n    return view.n_actions - 1\n")
    run = "run", "sequence-stacks", "-n", "10", "--seed", "1", "--format", "json"

    def play() -> None:
        done = subprocess.run([sys.executable, "-m", "simkit", *run, "--seat", f"{mine}:choose"], capture_output=True)
        assert done.returncode == 0, done.stderr

    play()
    before = files(cache_dir())
    mine.write_text("def choose(view, params):\n    return 0\n")
    play()
    assert files(cache_dir()) == before
    assert files(tmp_path) == ["mine.py"]


@pytest.mark.slow
def test_eight_real_runs_start_cold_at_once(tmp_path):
    """As above with the real kernel, which takes many seconds to compile."""
    run = "-m", "simkit", "run", "sequence-stacks", "-n", "1000", "--seed", "1", "--format", "csv"
    processes = [start(PACKAGE, *run, cache=tmp_path / "cache") for _ in range(8)]
    assert len({answer(process) for process in processes}) == 1
    assert files(tmp_path / "cache") == compiled(tmp_path / "cache")
