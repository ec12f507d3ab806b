"""How fast this machine plays, how soon a run starts, and how much memory it takes."""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from simkit.contract import Game
from simkit.run.blocks import BLOCK, Seating
from simkit.run.solve import solve_spec
from simkit.strategy import Player, resolve

REPEATS = 7
SECONDS = 0.5
"""Playing time of one repeat."""
DEALS_FOR_MEMORY = 100_000, 1_000_000
LAUNCHER = """
import resource, subprocess, sys, time
start = time.perf_counter()
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
"""Starts a process, prints its seconds and its peak memory. A small process of its own, because Linux counts the
memory of the process that starts another as the other's."""


Play = Callable[[int, int, int], object]
"""Plays, or solves, the games of a seed from the first on: (seed, first, games)."""


@dataclass(frozen=True)
class Speed:
    """Games a second on one thread: the median of the repeats, the slowest and the fastest of them."""

    game: str
    players: int
    strategy: str
    games_per_second: float
    slowest: float
    fastest: float


@dataclass(frozen=True)
class Start:
    """A process of its own: seconds from its start to its end, and its peak memory (resident) in MiB."""

    game: str
    what: str
    deals: int
    seconds: float
    peak_mib: float


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
    }


def _processor() -> str:
    """The processor's name as the system gives it."""
    info = Path("/proc/cpuinfo")
    names = [line for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []
    return names[0].partition(":")[2].strip() if names else platform.processor() or "unknown"


def speeds(game: Game, repeats: int = REPEATS, seconds: float = SECONDS) -> Iterator[Speed]:
    """Players against themselves, under the default rules: those defined to the letter, then some that think; and how
    many deals a solver solves.
    """
    for name in (*game.calibration, *game.bench_strategies):
        player = Player(game, resolve(game, name))
        for players in game.bench_players:
            seating = Seating(game, game.rules(players), [player] * players)
            yield _speed(game, players, name, seating.play, repeats, seconds)
    if game.solver:
        spec = solve_spec(game, 1, 1)
        solver = game.part(game.solver).Solver(spec.run.rules, spec.beam, spec.budget, spec.best)
        yield _speed(game, spec.run.players, "(solver)", solver.solve, repeats, seconds)


def _speed(game: Game, players: int, name: str, play: Play, repeats: int, seconds: float) -> Speed:
    block = _block(play, seconds)
    found = [_games_per_second(play, repeat, seconds, block) for repeat in range(repeats)]
    return Speed(game.name, players, name, statistics.median(found), min(found), max(found))


def _block(play: Play, seconds: float) -> int:
    """Games to play in one call: a block, or as many as fit into a tenth of a repeat; warms up besides."""
    games, elapsed = 1, 0.0
    while games < BLOCK and elapsed < seconds / 20:
        games = min(BLOCK, 2 * games)
        start = time.perf_counter()
        play(1, 0, games)
        elapsed = time.perf_counter() - start
    return games


def _games_per_second(play: Play, repeat: int, seconds: float, block: int) -> float:
    blocks, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds or not blocks:
        play(1 + repeat, blocks * block, block)
        blocks += 1
    return blocks * block / elapsed


def starts(game: Game) -> Iterator[Start]:
    """`simkit run` in processes of their own: with nothing compiled yet, then compiled, then many deals."""
    with tempfile.TemporaryDirectory(prefix="simkit-bench-") as cache:
        yield _run(game, "cold start", 1, cache)
        yield _run(game, "warm start", 10_000, cache)
        for deals in DEALS_FOR_MEMORY:
            yield _run(game, "run", deals, cache)


def _run(game: Game, what: str, deals: int, cache: str) -> Start:
    arguments = "run", game.slug, "-n", str(deals), "--seed", "1", "--format", "json"
    child = [sys.executable, "-c", LAUNCHER, sys.executable, "-m", "simkit", *arguments]
    done = subprocess.run(child, env=os.environ | {"SIMKIT_CACHE_DIR": cache}, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"simkit {' '.join(arguments)} failed: {done.stderr.strip()}")
    seconds, peak = map(float, done.stdout.split())
    return Start(game.name, what, deals, seconds, peak / (2**20 if sys.platform == "darwin" else 2**10))


def as_data(found: list[Speed], started: list[Start]) -> dict[str, Any]:
    """All figures as plain data."""
    return {
        "machine": machine(),
        "threads": 1,
        "speeds": [{**asdict(speed), "games_per_second": round(speed.games_per_second)} for speed in found],
        "starts": [asdict(start) for start in started],
    }
