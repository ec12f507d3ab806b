"""`simkit solve`: is a deal winnable if the order of its cards is known?"""

import json
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from simkit.cli.options import (
    GAME,
    PRESETS,
    SEED,
    Count,
    choice_of_format,
    default_threads,
    drawn_seed,
    note,
    parsed_rules,
    print_json,
    raising_on_term,
)
from simkit.cli.progress import Progress, announce_compiling
from simkit.contract import LARGEST_BEAM, LARGEST_BUDGET, LARGEST_DEALS, Answer, Game
from simkit.errors import BadInput

FORMATS = "table", "json", "csv", "md"


@click.command("solve", short_help="is a deal winnable if its order is known?")
@click.argument("game", type=GAME)
@click.option("--rule", "rules", multiple=True, metavar="OPTION=VALUE", help="Set one rule; repeat for more.")
@click.option("--preset", type=click.Choice(PRESETS), default="seed", show_default=True, help="Set of rules.")
@click.option("-n", "--deals", type=Count(1, LARGEST_DEALS), default="1e3", show_default=True, help="Deals to solve.")
@SEED
@click.option("--first", type=Count(0, LARGEST_DEALS), default=0, show_default=True, help="Number of the first deal.")
@click.option(
    "--beam",
    type=Count(1, LARGEST_BEAM),
    default="1e3",
    show_default=True,
    help="Positions a quick search keeps a card.",
)
@click.option(
    "--budget", type=Count(0, LARGEST_BUDGET), default="2e6", show_default=True, help="Positions that a proof may take."
)
@click.option("--best", is_flag=True, help="Look for the best score too, or the proof that there is none better.")
@click.option("--threads", type=Count(1, 1024), default=default_threads, help="Threads [default: one a core].")
@click.option("--level", type=float, default=0.95, show_default=True, help="Level of the intervals.")
@choice_of_format(*FORMATS)
@click.option("--placements", is_flag=True, help="With --format json: each deal's answer and placements too.")
@click.option("--out", type=click.Path(path_type=Path), help="Directory for the results, answers and their record.")
@click.option("--force", is_flag=True, help="Replace results that are there already.")
def command(
    game: Game,
    rules: tuple[str, ...],
    seed: int | None,
    threads: int,
    form: str,
    placements: bool,
    out: Path | None,
    force: bool,
    **effort: Any,
) -> int:
    """Look for placements that win deals of GAME if the order of the stock is known: the same deals as those of
    `simkit run`. A deal is solved, proved unsolvable, or undecided; undecided deals make the rate a bracket.
    """
    from simkit.run.solve import solve_spec

    if placements and form != "json":
        raise BadInput(f"--placements: got --format {form}, allowed: --format json, or --out DIR without --placements")
    chosen = parsed_rules(rules)
    spec = solve_spec(game, rules=chosen, seed=0 if seed is None else seed, **effort)
    if seed is None:
        spec = solve_spec(game, rules=chosen, seed=drawn_seed(), **effort)
    answers: list[tuple[int, Answer]] = []
    result = _solve(spec, threads, out, force, answers if placements else None)
    _report(result, form, out, answers if placements else None)
    return 0 if result.complete else 130


def _solve(spec: Any, threads: int, out: Path | None, force: bool, answers: list | None) -> Any:
    """Solve the deals; answers go into the list if there is one, and into the directory."""
    from simkit.run.store import new_directory

    if out is not None:
        new_directory(out, force)
    announce_compiling(spec.game, spec.game.solver)
    from simkit.run.solve import Solving

    solving = Solving(spec)
    lines = (out / "answers.jsonl").open("w") if out else nullcontext()
    with lines as file, raising_on_term(), Progress(spec.run.deals, label="solving", unit="deals") as progress:
        return solving.solve(threads, progress.advance, _keeper(file, answers))


def _keeper(file: Any, answers: list | None) -> Callable[[int, Answer], None]:
    from simkit.report.solve import answer_data

    def keep(deal: int, answer: Answer) -> None:
        if answers is not None:
            answers.append((deal, answer))
        if file is not None:
            file.write(json.dumps(answer_data(deal, answer)) + "\n")

    return keep


def _report(result: Any, form: str, out: Path | None, answers: list | None) -> None:
    from simkit.report.run import as_csv
    from simkit.report.solve import answer_data, as_markdown, as_table, result_data, stored_files, warnings

    for line in warnings(result):
        note(line)
    if out is not None:
        from simkit.run.store import write_files

        write_files(out, stored_files(result, ["simkit", *sys.argv[1:]]))
        note(f"results in {out}")
    if form == "table":
        as_table(result)
    elif form == "json":
        data = result_data(result)
        print_json(data if answers is None else data | {"answers": [answer_data(*pair) for pair in answers]})
    else:
        sys.stdout.write(as_csv(result) if form == "csv" else as_markdown(result))
