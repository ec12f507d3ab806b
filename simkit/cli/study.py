"""`simkit study`: answer a designer's questions, with a report."""

import sys
from pathlib import Path
from typing import Any

import click

from simkit.cli.options import SEED, Count, choice_of_format, default_threads, drawn_seed, note, raising_on_term
from simkit.cli.progress import Progress, announce_compiling
from simkit.contract import LARGEST_DEALS
from simkit.errors import BadInput


@click.command("study", short_help="answer a designer's questions")
@click.argument("study", required=False, metavar="NAME|FILE.toml")
@click.option("--quick", is_flag=True, help="The same with fewer deals: wider intervals, in under a minute.")
@click.option(
    "-n",
    "--deals",
    type=Count(1, LARGEST_DEALS),
    help="Deals in the family with the most; the others in proportion [default: as the study says].",
)
@SEED
@click.option("--threads", type=Count(1, 1024), default=default_threads, help="Threads [default: one a core].")
@click.option(
    "--level",
    type=click.FloatRange(0.5, 1, max_open=True),
    help="Level of the intervals and verdicts [default: as the study says].",
)
@choice_of_format("table", "json")
@click.option("--out", type=click.Path(path_type=Path), help="Directory for the report [default: results/NAME].")
@click.option("--force", is_flag=True, help="Replace a report that is there already.")
@click.option("--from", "source", type=click.Path(path_type=Path), help="A study's record.json: run the same again.")
def command(
    study: str | None,
    quick: bool,
    deals: int | None,
    seed: int | None,
    threads: int,
    level: float | None,
    form: str,
    out: Path | None,
    force: bool,
    source: Path | None,
) -> int:
    """Play a study, built in or your own, and write a report: findings in plain words, charts, tables."""
    if source is not None:
        if study is not None or quick or deals or level or seed is not None:
            raise BadInput("--from: got other settings as well, allowed: alone, with --out, --threads and --format")
        return _play_again(source, threads, form, out, force)
    from simkit.run.study_design import experiments

    asked, name = _asked(study)
    asked = asked.sized(quick, deals)
    if level is not None:
        asked = asked.model_copy(update={"level": level})
    experiments(asked, 0, name)  # a study that cannot be played is refused before a seed is drawn
    if seed is None:
        seed = drawn_seed() if asked.seed is None else asked.seed
    return _play(asked, seed, name, None, threads, form, out, force)


def _asked(text: str | None) -> tuple[Any, str]:
    """The study that is meant, and how messages name it."""
    from simkit import studies
    from simkit.run.study_spec import from_file

    path = studies.path(text) if text else None
    if path is None and text and text.endswith(".toml"):
        path = Path(text)
    if path is None:
        given = "nothing" if text is None else repr(text)
        raise BadInput(f"NAME|FILE.toml: got {given}, allowed: {', '.join(studies.names())}, or a study's TOML file")
    return from_file(path), str(path) if text.endswith(".toml") else f"study {text}"


def _play_again(source: Path, threads: int, form: str, out: Path | None, force: bool) -> int:
    from simkit.run.provenance import differences
    from simkit.run.store import read_record
    from simkit.run.study_design import experiments
    from simkit.run.study_record import from_record

    record = read_record(source)
    study, seed, deals = from_record(record, str(source))
    planned = experiments(study, seed, str(source))
    strategies = [seat for experiment in planned for cell in experiment.cells for seat in cell.seats]
    for line in differences(record, strategies):
        note(f"note: {line}")
    return _play(study, seed, str(source), record, threads, form, out, force, deals)


def _play(
    study: Any,
    seed: int,
    name: str,
    record: dict | None,
    threads: int,
    form: str,
    out: Path | None,
    force: bool,
    deals: list[int] | None = None,
) -> int:
    from simkit.run.store import new_directory
    from simkit.run.study_design import experiments

    planned = experiments(study, seed, name)
    out = new_directory(out or Path("results") / study.name, force)
    announce_compiling(planned[0].cells[0].run.game)
    from simkit.run.study import StudyRun

    run = StudyRun(study, planned, seed)
    games = sum(one.games(count) for one, count in zip(planned, deals or run.deals, strict=True))
    note(f"playing {games:,} games")
    with raising_on_term(), Progress(games) as progress:
        result = run.play(threads, progress.advance, deals)
    if not result.games:
        note("interrupted before anything was played: no report")
        return 130
    command = record["command"] if record else ["simkit", *sys.argv[1:]]
    _report(result, command, form, out)
    return 0 if result.complete or (deals and result.deals == deals) else 130


def _report(result: Any, command: list[str], form: str, out: Path) -> None:
    from simkit.report.study_lookup import Lookup
    from simkit.report.study_report import report_files
    from simkit.report.study_words import answers
    from simkit.run.store import as_json, write_files
    from simkit.run.study_findings import findings
    from simkit.run.study_record import record

    speed = result.games / result.seconds if result.seconds else 0.0
    note(f"{result.games:,} games in {result.seconds:.1f} s: {speed:,.0f} games/s")
    if not result.complete:
        note("not complete: the report holds what was played, and is marked as partial")
    found = findings(result)
    files = report_files(found)
    for folder in {Path(file).parent for file in files}:
        (out / folder).mkdir(exist_ok=True)
    for file, content in files.items():
        if isinstance(content, bytes):
            (out / file).write_bytes(content)
    texts = {file: content for file, content in files.items() if isinstance(content, str)}
    write_files(out, {**texts, "record.json": as_json(record(result, command))})
    note(f"report in {out / 'report.md'}")
    if form == "json":
        sys.stdout.write(as_json({**found, "answers": answers(Lookup(found))}))
    else:
        _print_summary(found)


def _print_summary(found: dict) -> None:
    """The findings and the tables of listed cells, in 80 columns where that is no terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from simkit.report.study_report import summary

    console = Console(highlight=False)
    title, lines, tables = summary(found)
    console.print(Text(title, style="bold"))
    for number, line in enumerate(lines, 1):
        console.print(Text(f"{number:2}. {line.replace('**', '')}"))
    for heading, header, rows in tables:
        console.print(Text(f"\n{heading}", style="bold"))
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for place, column in enumerate(header):
            table.add_column(column, justify="right" if place == 1 else "left", overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        console.print(table)
