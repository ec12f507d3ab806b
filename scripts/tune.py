#!/usr/bin/env python
"""Tune a strategy's parameters by CMA-ES (Hansen 2016, the package `cma`), and judge the result on other deals.

Each generation's trials play the same deals, which are new ones in every generation (seed + 1, seed + 2, …). The answer
is the middle of the last generation, rounded; it is judged against the start on the deals of the seed itself. The state
holds the settings and what each trial scored: from these the optimiser is brought back to where it was, so that a run
that was interrupted ends as it would have without.

    scripts/tune.py foursquare weighted --param 'line_*' --param spread=-0.1:0.2 --measure solve_rate --state s.json
    scripts/tune.py skyjo greedy --param least --param turn --against cutoff -p 3 --state s.json
"""

import fnmatch
import json
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import numpy as np

from simkit.cli.options import (
    GAME,
    Count,
    default_threads,
    note,
    parsed_rules,
    print_json,
    raising_on_term,
)
from simkit.contract import LARGEST_DEALS, Game
from simkit.errors import BadInput
from simkit.rng import MAX_SEED
from simkit.run.measures import has_meaning, measures
from simkit.run.spec import RunSpec, run_spec
from simkit.run.tally import Quantity, quantities
from simkit.stats import Moments, contrast
from simkit.strategy import Strategy

DECIMALS = 4
MOST_GENERATIONS = 100_000


@dataclass(frozen=True)
class Param:
    """A parameter to tune: where it starts, and the standard deviation of the first trials around it."""

    name: str
    start: float
    scale: float


@dataclass(frozen=True)
class Task:
    """What is tuned and how a trial is scored; `spec` has the start in its first seat and is played for each trial."""

    spec: RunSpec
    params: tuple[Param, ...]
    measure: str
    lowest: bool
    population: int

    def strategy(self, trial: Sequence[float]) -> Strategy:
        """The strategy of a trial, whose numbers count in scales from the start."""
        start = self.spec.seats[0]
        values = {param.name: param.start + param.scale * x for param, x in zip(self.params, trial, strict=True)}
        return replace(start, params=dict(start.params) | values)

    def spec_of(self, chosen: Strategy, deals: int, seed: int) -> RunSpec:
        """The run that scores a strategy."""
        return replace(self.spec, seats=(chosen, *self.spec.seats[1:]), deals=deals, seed=seed)

    def settings(self) -> dict[str, Any]:
        """All on which the trials' scores depend, as plain data."""
        run, tuned = self.spec.as_data(), {param.name for param in self.params}
        return {name: run[name] for name in ("game", "players", "rules", "strategies", "rotate", "deals", "seed")} | {
            "rules_version": self.spec.game.rules_version,
            "params": {param.name: [param.start, param.scale] for param in self.params},
            "others": {name: value for name, value in self.spec.seats[0].params.items() if name not in tuned},
            "measure": self.measure,
            "lowest": self.lowest,
            "population": self.population,
            "optimiser": f"CMA-ES (cma {version('cma')})",
        }


def task_of(
    game: Game,
    name: str,
    given: Sequence[str],
    against: str | None,
    players: int | None,
    rules: Sequence[str],
    measure: str | None,
    lowest: bool,
    deals: int,
    seed: int,
    population: int | None,
) -> Task:
    """Check what is asked for; raises BadInput for the first thing that is wrong."""
    if game.seats and against is None:
        raise BadInput(f"--against: got nothing, allowed for {game.slug}: the strategy of the other seats")
    if not game.seats and against is not None:
        raise BadInput(f"--against: got {against!r}, allowed for {game.slug}: nothing, it is played alone")
    players = players or max(game.least_players, 2 if game.seats else 1)
    seats = (name, *[against] * (players - 1)) if game.seats else (name,)
    spec = run_spec(game, seats, deals, seed, players, parsed_rules(tuple(rules)), rotate=game.seats)
    params = params_of(spec.seats[0], given)
    measure = measure or ("win_share" if game.seats else "solve_rate")
    known = list(dict.fromkeys(each.metric for each in measures(game, players) if not each.label))
    if measure not in known:
        raise BadInput(f"--measure: got {measure!r}, allowed for {game.slug}: {', '.join(known)}")
    start = {param.name: param.start for param in params}
    chosen = replace(spec.seats[0], params=dict(spec.seats[0].params) | start)
    spec = replace(spec, seats=(chosen, *spec.seats[1:]))
    return Task(spec, params, measure, lowest, population or 4 + int(3 * math.log(len(params))))


def params_of(chosen: Strategy, given: Sequence[str]) -> tuple[Param, ...]:
    """The parameters meant by `NAME[=START[:SCALE]]`, where NAME may be a pattern; raises BadInput."""
    found: dict[str, Param] = {}
    for text in given:
        name, _, rest = text.partition("=")
        start, _, scale = rest.partition(":")
        names = fnmatch.filter(chosen.params, name)
        if not names:
            known = ", ".join(chosen.params) or "none"
            raise BadInput(f"--param: {chosen.name} has no parameter {name!r}, allowed: {known}")
        for each in names:
            first = _number(text, start) if start else chosen.params[each]
            found[each] = Param(each, first, _number(text, scale) if scale else abs(first) / 2 or 0.5)
            if found[each].scale <= 0:
                raise BadInput(f"--param: got {text!r}, allowed: NAME[=START[:SCALE]] with a SCALE above 0")
    if len(found) < 2:
        raise BadInput(f"--param: got {len(found)} of them, allowed: two or more (`simkit study` sweeps a single one)")
    return tuple(found.values())


def _number(text: str, given: str) -> float:
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadInput(f"--param: got {text!r}, allowed: NAME[=START[:SCALE]] with numbers")
    return value


def quantity_of(spec: RunSpec, measure: str) -> Quantity:
    """The quantity of that name: of the first seat's strategy wherever it sits, or of the game as a whole."""
    text = spec.seats[0].text
    found = [each for each in quantities(spec) if each.measure.metric == measure and each.seat is None]
    return next((each for each in found if each.strategy == text), found[0])


def score(task: Task, chosen: Strategy, seed: int, threads: int) -> float:
    """What the strategy reaches on the deals of a seed; raises KeyboardInterrupt if the playing was."""
    from simkit.run.simulate import Simulation

    spec = task.spec_of(chosen, task.spec.deals, seed)
    quantity = quantity_of(spec, task.measure)
    result = Simulation(spec).play(threads)
    if not result.complete:
        raise KeyboardInterrupt
    for found in result.metrics:
        if (found.metric, found.seat, found.strategy) == (task.measure, None, quantity.strategy):
            return found.estimate
    raise BadInput(f"--measure: {task.measure} has no meaning in any of {spec.deals} deals, allowed: one that has")


class State:
    """The settings and the scores of all generations so far, in a file that is replaced after each."""

    def __init__(self, path: Path, settings: dict[str, Any]):
        self._path, self._settings = path, settings
        self.scores: list[list[float]] = []
        self.middle: list[float] | None = None
        if path.exists():
            self._read()

    def _read(self) -> None:
        try:
            found = json.loads(self._path.read_text())
            settings, self.scores, self.middle = found["settings"], found["scores"], found["middle"]
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise BadInput(f"--state: {self._path} is no state of a tuning, allowed: a new file, or one") from problem
        for name, now in json.loads(json.dumps(self._settings)).items():
            if settings.get(name) != now:
                raise BadInput(
                    f"--state: {self._path} is of other settings ({name} was {settings.get(name)}, is {now}), "
                    "allowed: the same settings, or a new file"
                )

    def add(self, scores: list[float], middle: Sequence[float]) -> None:
        """Keep a generation's scores, and the middle of the next."""
        self.scores.append(scores)
        self.middle = [float(x) for x in middle]
        write(self._path, {"settings": self._settings, "scores": self.scores, "middle": self.middle}, "--state")


def write(path: Path, data: dict[str, Any], option: str) -> None:
    """Replace a JSON file as a whole; raises BadInput if that is not possible."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps(data, indent=1, allow_nan=False) + "\n")
        os.replace(part, path)
    except OSError as problem:
        raise BadInput(f"{option}: {path} cannot be written: {problem.strerror}") from problem


def tuned(task: Task, state: State, generations: int, threads: int) -> Strategy:
    """Go on from the state until so many generations are done; the strategy in the middle of the last one."""
    optimiser = _optimiser(task)
    for scores in state.scores:
        _tell(task, optimiser, optimiser.ask(), scores)
    if state.scores and not np.allclose(optimiser.result.xfavorite, state.middle, rtol=1e-9, atol=1e-9):
        raise BadInput("--state: its generations come out otherwise here, allowed: one made with the same libraries")
    for generation in range(len(state.scores), generations):
        trials = optimiser.ask()
        seed = task.spec.seed + 1 + generation
        scores = [score(task, task.strategy(trial), seed, threads) for trial in trials]
        _tell(task, optimiser, trials, scores)
        state.add(scores, optimiser.result.xfavorite)
        note(
            f"generation {generation + 1} of {generations}: {task.measure} {min(scores):.4f} to {max(scores):.4f}, "
            f"mean {np.mean(scores):.4f}, step {optimiser.sigma:.3f}"
        )
    middle = task.strategy(optimiser.result.xfavorite)
    rounded = {param.name: round(middle.params[param.name], DECIMALS) for param in task.params}
    return replace(middle, params=dict(middle.params) | rounded)


def _optimiser(task: Task) -> Any:
    """CMA-ES at the start; its random numbers are its own, from the seed."""
    try:
        import cma
    except ImportError as problem:
        raise BadInput("the package cma is not installed: pip install 'simkit[test]'") from problem
    rng = np.random.default_rng(task.spec.seed)
    options = {
        "popsize": task.population,
        "randn": lambda *shape: rng.standard_normal(shape),
        "seed": math.nan,
        "verbose": -9,
        "termination_callback": [],
    }
    return cma.CMAEvolutionStrategy(np.zeros(len(task.params)), 1.0, options)


def _tell(task: Task, optimiser: Any, trials: Sequence[np.ndarray], scores: Sequence[float]) -> None:
    """Tell the optimiser, which looks for the lowest."""
    optimiser.tell(trials, [value if task.lowest else -value for value in scores])


def judged(task: Task, chosen: Strategy, deals: int, threads: int) -> dict[str, Any]:
    """Start and result on the same deals, and their difference with its interval, as plain data."""
    found, values = {}, []
    for name, each in {"start": task.spec.seats[0], "tuned": chosen}.items():
        metric, by_deal, unit = _played(task, each, deals, threads)
        found[name] = {key: metric.as_data()[key] for key in ("estimate", "ci_low", "ci_high", "level", "n")}
        values.append(by_deal)
    if all(by_deal is not None for by_deal in values):
        sums = [int(by_deal.sum()) for by_deal in values]
        cross = [[int(one @ other) for other in values] for one in values]
        gain = contrast(Moments(deals, np.array(sums, object), np.array(cross, object)), (-1, 1), unit).estimate
        found["difference"] = {"estimate": gain.value, "ci_low": gain.low, "ci_high": gain.high, "n": gain.n}
    return found


def _played(task: Task, chosen: Strategy, deals: int, threads: int) -> tuple[Any, np.ndarray | None, int]:
    """The metric, its sum in each deal (None if some games have no value), and what a sum of 1 game counts."""
    from simkit.run.simulate import Simulation

    spec = task.spec_of(chosen, deals, task.spec.seed)
    quantity, known, sums = quantity_of(spec, task.measure), measures(spec.game, spec.players), []

    def keep(first: int, rows: list[np.ndarray]) -> None:
        games = [known[i].values(rows[rotation]) for rotation, i in quantity.games]
        sums.append(np.sum(games, axis=0) if all(has_meaning(game).all() for game in games) else None)

    result = Simulation(spec).play(threads, keep_rows=keep)
    if not result.complete:
        raise KeyboardInterrupt
    metric = next(
        each
        for each in result.metrics
        if (each.metric, each.seat, each.strategy) == (task.measure, None, quantity.strategy)
    )
    whole = all(part is not None for part in sums)
    return metric, np.concatenate(sums) if whole else None, quantity.measure.scale * len(quantity.games)


def record_of(task: Task, chosen: Strategy, state: State, found: dict[str, Any]) -> dict[str, Any]:
    """The tuning on record: settings, seeds, result."""
    first = task.spec.seed
    seeds = {"generations": [first + 1, first + len(state.scores)], "judged": first}
    tuned_values = {param.name: chosen.params[param.name] for param in task.params}
    return task.settings() | {"generations": len(state.scores), "seeds": seeds, "tuned": tuned_values, "found": found}


def write_weights(path: Path, chosen: Strategy, record: dict[str, Any]) -> None:
    """All parameters of the strategy, and how they were found: earlier tunings of the same file first."""
    before = []
    if path.exists():
        try:
            before = json.loads(path.read_text()).get("tunings", [])
        except (OSError, ValueError, AttributeError) as problem:
            raise BadInput(f"--write: {path} is no file of weights, allowed: a new file, or one") from problem
    write(path, {"params": dict(chosen.params), "tunings": [*before, record]}, "--write")


def _positive(least: int = 1, most: int = LARGEST_DEALS) -> Count:
    return Count(least, most)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("game", type=GAME)
@click.argument("strategy")
@click.option(
    "--param",
    "params",
    multiple=True,
    required=True,
    metavar="NAME[=START[:SCALE]]",
    help="A parameter to tune, or a pattern of them, where it starts [default: where it is] and how far the "
    "first trials spread [default: half of that, or 0.5]; repeat for more.",
)
@click.option("--against", metavar="STRATEGY", help="Strategy of the other seats, in games with several.")
@click.option("-p", "--players", type=int, help="Number of players.")
@click.option("--rule", "rules", multiple=True, metavar="OPTION=VALUE", help="Set one rule; repeat for more.")
@click.option("--measure", metavar="METRIC", help="What to bring up [default: win_share, solve_rate].")
@click.option("--lowest", is_flag=True, help="Bring it down instead.")
@click.option("-n", "--deals", type=_positive(), default="4000", show_default=True, help="Deals for each trial.")
@click.option("--population", type=_positive(4, 10_000), help="Trials a generation [default: 4 + 3 log(parameters)].")
@click.option("--generations", type=_positive(1, MOST_GENERATIONS), default="100", show_default=True)
@click.option("--judge", type=_positive(2), default="1e5", show_default=True, help="Deals to judge the answer on.")
@click.option("--state", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to go on from.")
@click.option("--seed", type=Count(0, MAX_SEED - MOST_GENERATIONS), default="1", show_default=True)
@click.option("--threads", type=Count(1, 1024), default=default_threads, help="Threads [default: one a core].")
@click.option("--write", "target", type=click.Path(path_type=Path, dir_okay=False), help="File for the weights.")
def command(
    game,
    strategy,
    params,
    against,
    players,
    rules,
    measure,
    lowest,
    deals,
    population,
    generations,
    judge,
    state,
    seed,
    threads,
    target,
) -> int:
    """Tune parameters of a game's STRATEGY and judge the result against the start."""
    task = task_of(game, strategy, params, against, players, rules, measure, lowest, deals, seed, population)
    kept = State(state, task.settings())
    try:
        with raising_on_term():
            chosen = tuned(task, kept, generations, threads)
            found = judged(task, chosen, judge, threads)
    except KeyboardInterrupt:
        note(f"interrupted after {len(kept.scores)} of {generations} generations; kept in {state}")
        return 130
    record = record_of(task, chosen, kept, found)
    if target is not None:
        write_weights(target, chosen, record)
    print_json(record)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 done, 2 bad input (one line on standard error), 130 interrupted."""
    try:
        return command.main(arguments, standalone_mode=False) or 0
    except click.ClickException as problem:
        note(f"tune: {' '.join(problem.format_message().split())}")
    except BadInput as problem:
        note(f"tune: {problem}")
    return 2


if __name__ == "__main__":
    sys.exit(main())
