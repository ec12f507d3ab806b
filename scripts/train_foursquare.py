#!/usr/bin/env python
"""Train the tables of the learned players of Foursquare by temporal differences, and write them into the package.

Plays games by the table as it stands and moves each position's value towards a mixture of those that follow and the
game's result (TD(lambda), logistic; Sutton & Barto 2018, chapter 12). The step falls linearly. Deals come from seeds
that no study uses. Beside the table goes a record of the training: games, steps, seed, solve rate and mean score of
each tenth while learning.

    scripts/train_foursquare.py solve|score [--games 8e6] [--step 3] [--decay 0.5] [--seed 20261201]
"""

import json
import math
import time
from pathlib import Path

import click
import numpy as np

from simkit._jit import jit
from simkit.games.foursquare import GAME
from simkit.games.foursquare.choosing import BEST_SCORE, CERTAIN, HOPELESS, fill_afters
from simkit.games.foursquare.kernel import HIDDEN, draw, fill_stock, list_placements, place
from simkit.games.foursquare.rules import RULES_VERSION
from simkit.games.foursquare.state import MOST_LEGAL, RULES_RECORD, VIEW, WON
from simkit.games.foursquare.values import ENTRIES, NOTHING, TERMS, entries_of, unseen_planes
from simkit.rng import DEAL
from simkit.rng.jitted import open_stream

MOST_TURNS = 64


@jit
def learn(values, entries, target, step):
    """Move the value of a position towards the target; returns the chance that it stood for."""
    total = 0.0
    for k in range(TERMS):
        total += values[entries[k]]
    chance = 1 / (1 + math.exp(-total))
    for k in range(TERMS):
        if entries[k] != NOTHING:
            values[entries[k]] += step * (target - chance)
    return chance


@jit
def play(rules, values, table, seed, first, games, step, decay, scored, counts):
    """Play and learn; counts (int64, 2) are the wins and the sum of scores."""
    views, blank_view = np.zeros(1, VIEW), np.zeros(1, VIEW)
    hiddens, blank = np.zeros(1, HIDDEN), np.zeros(1, HIDDEN)
    blank_view[0].rules = rules
    fill_stock(blank[0], blank_view[0])
    after_values, afters = np.empty(MOST_LEGAL), np.empty((MOST_LEGAL, 3), np.int64)
    entries = np.empty((MOST_TURNS, TERMS), np.int64)
    for game in range(first, first + games):
        views[0], hiddens[0] = blank_view[0], blank[0]
        view, hidden = views[0], hiddens[0]
        open_stream(hidden.stream, np.uint64(seed), np.uint64(game), DEAL, 1)
        size, status, turns = view.stock, -1, 0
        while status == -1:
            draw(hidden, view, size)
            list_placements(view)
            planes = unseen_planes(view)
            fill_afters(view, table, planes, entries[turns], after_values, afters)
            i = np.argmax(after_values[: view.n_actions])
            if HOPELESS < after_values[i] < CERTAIN:
                entries_of(rules, afters[i, 0], afters[i, 1], afters[i, 2], view.stock, planes, entries[turns])
                turns += 1
            status = place(hidden, view, np.int64(view.actions[i].cell))
        won = status == WON
        counts[0] += won
        counts[1] += view.stock if won else 0
        target = (view.stock / BEST_SCORE if scored else 1.0) if won else 0.0
        for turn in range(turns - 1, -1, -1):
            target = decay * target + (1 - decay) * learn(values, entries[turn], target, step)


@click.command()
@click.argument("goal", type=click.Choice(["solve", "score"]))
@click.option("--games", type=float, default=8e6, show_default=True)
@click.option("--step", type=float, default=3.0, show_default=True, help="first step of a position's whole sum")
@click.option("--decay", type=float, default=0.5, show_default=True, help="lambda: 0 looks one card on, 1 to the end")
@click.option("--seed", type=int, default=20261201, show_default=True)
def main(goal: str, games: float, step: float, decay: float, seed: int) -> None:
    """Train the table for one goal."""
    rules = np.array([GAME.codes(GAME.rules(1))], RULES_RECORD)[0]
    values, counts = np.zeros(ENTRIES, np.float32), np.zeros(2, np.int64)
    parts, begun = 100, time.perf_counter()
    size, history = int(games) // parts, []
    for part in range(parts):
        now = step * (1 - 0.97 * part / (parts - 1)) / TERMS
        play(rules, values, values.ctypes.data, seed, part * size, size, now, decay, goal == "score", counts)
        if part % 10 == 9:
            solved, score = (counts / (10 * size)).tolist()
            history.append({"games": (part + 1) * size, "solve_rate": round(solved, 5), "mean_score": round(score, 3)})
            click.echo(f"{history[-1]} {time.perf_counter() - begun:.0f} s", err=True)
            counts[:] = 0
    folder = Path(__file__).parents[1] / "simkit/games/foursquare/tables"
    folder.mkdir(exist_ok=True)
    np.savez_compressed(folder / f"{goal}.npz", values=values.astype(np.float16))
    notes = {
        "goal": goal,
        "games": size * parts,
        "step": step,
        "decay": decay,
        "seed": seed,
        "rules_version": RULES_VERSION,
    }
    notes |= {"seconds": round(time.perf_counter() - begun), "while_learning": history}
    (folder / f"{goal}.json").write_text(json.dumps(notes, indent=2) + "\n")


if __name__ == "__main__":
    main()
