"""A run's result as JSON data, CSV, Markdown, a table on the terminal, and the files of a results directory."""

from typing import Any

from simkit import __version__
from simkit.report.numbers import with_interval
from simkit.run.provenance import provenance
from simkit.run.simulate import RunResult
from simkit.run.solve import SolveResult
from simkit.run.store import as_json
from simkit.run.summary import Metric

MANY_UNDECIDED = 0.001


def result_data(result: RunResult) -> dict[str, Any]:
    """The JSON object of `simkit run`."""
    speed = result.games / result.seconds if result.seconds else 0.0
    return {
        **_settings(result),
        "seconds": round(result.seconds, 6),
        "games_per_second": round(speed, 1),
        **version_and_metrics(result),
    }


def _settings(result: RunResult) -> dict[str, Any]:
    spec = result.spec
    return {
        "game": spec.game.name,
        "players": spec.players,
        "deals": result.deals,
        "games": result.games,
        "seed": spec.seed,
        "preset": spec.preset,
        "rules": dict(spec.rules),
        "rules_version": spec.game.rules_version,
        "strategies": [seat.text for seat in spec.seats],
        "rotate": spec.rotate,
        "complete": result.complete,
    }


def version_and_metrics(result: RunResult | SolveResult) -> dict[str, Any]:
    """What ends the JSON object of every result."""
    return {"version": __version__, "metrics": [metric.as_data() for metric in result.metrics]}


def warnings(result: RunResult) -> list[str]:
    """What a user should know about the result, one line each."""
    found = []
    if not result.complete:
        asked = f"{result.spec.deals:,}"
        found.append(f"interrupted: partial result, {result.deals:,} of {asked} deals were played")
    for metric in result.metrics:
        if metric.metric in ("capped_rate", "stalemate_rate") and metric.estimate > MANY_UNDECIDED:
            word = metric.metric.removesuffix("_rate")
            text, _ = with_interval(metric.estimate, metric.ci_low, metric.ci_high, percent=True)
            found.append(f"warning: {text} of the games end {word}, undecided: rates carry a bracket")
    return found


def as_frame(result: RunResult | SolveResult):
    """The metrics as a tidy pandas frame, one row a metric."""
    import pandas as pd

    frame = pd.DataFrame([metric.as_data() for metric in result.metrics], columns=_FIELDS)
    return frame.astype({"seat": "Int64", "n": "int64"})


_FIELDS = ["metric", "seat", "strategy", "estimate", "ci_low", "ci_high", "level", "n"]


def as_csv(result: RunResult | SolveResult) -> str:
    """The metrics as CSV with a header."""
    return as_frame(result).to_csv(index=False, lineterminator="\n")


def _headline(result: RunResult) -> str:
    spec = result.spec
    parts = [spec.game.title]
    if spec.game.seats:
        parts.append(f"{spec.players} players")
    parts += [f"{result.deals:,} deals", f"seed {spec.seed}", f"rules {spec.preset}"]
    if not result.complete:
        parts.append("PARTIAL")
    return " · ".join(parts)


def _lines(result: RunResult) -> list[tuple[str, str, str, str, str, str]]:
    """Rows of the table for people: metric, seat, strategy, estimate, interval, n."""
    return [_line(metric) for metric in result.metrics if not metric.label]


def _line(metric: Metric) -> tuple[str, str, str, str, str, str]:
    value, interval = with_interval(metric.estimate, metric.ci_low, metric.ci_high, percent=metric.rate)
    seat = "" if metric.seat is None else str(metric.seat)
    return metric.metric, seat, metric.strategy or "", value, interval, f"{metric.n:,}"


def _header(result: RunResult) -> tuple[str, ...]:
    return "metric", "seat", "strategy", "estimate", f"{100 * result.spec.level:g} % interval", "deals"


def as_markdown(result: RunResult) -> str:
    """The result as a Markdown page."""
    from tabulate import tabulate

    settings = [f"Strategies: {', '.join(seat.text for seat in result.spec.seats)}."]
    if changed := result.spec.changed:
        settings.append(f"Changed rules: {', '.join(changed)}.")
    table = tabulate(_lines(result), headers=_header(result), tablefmt="github", disable_numparse=True, colalign=_ALIGN)
    return f"# {_headline(result)}\n\n{' '.join(settings)}\n\n{table}\n"


_ALIGN = ("left", "right", "left", "right", "right", "right")


def as_table(result: RunResult) -> None:
    """Print the result on standard output, in 80 columns where that is no terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(_headline(result), style="bold"))
    if changed := result.spec.changed:
        console.print(Text(f"changed rules: {', '.join(changed)}"))
    strategies = [seat.text for seat in result.spec.seats]
    if len(set(strategies)) == 1:
        console.print(Text(f"every seat: {strategies[0]}"))
    lines = _lines(result)
    if len(set(strategies)) == 1:
        lines = [(metric, seat, "", *rest) for metric, seat, _, *rest in lines]
    shown = [i for i in range(len(_ALIGN)) if any(line[i] for line in lines)]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i in shown:
        table.add_column(_header(result)[i], justify=_ALIGN[i], overflow="fold", no_wrap=i != 2)
    for line in lines:
        table.add_row(*(line[i] for i in shown))
    console.print(table)
    if result.seconds:
        speed = result.games / result.seconds
        console.print(Text(f"{result.games:,} games in {result.seconds:.1f} s: {speed:,.0f} games/s", style="dim"))


def stored_files(result: RunResult, command: list[str]) -> dict[str, str]:
    """Files of a results directory. All but `record.json`, which has timings, are the same bytes when run again."""
    run = {**result.spec.as_data(), "deals": result.deals} if result.deals else result.spec.as_data()
    record = {
        **provenance(command, result.spec.seats),
        "run": run,
        "deals_asked": result.spec.deals,
        "complete": result.complete,
        "seconds": round(result.seconds, 3),
    }
    return {
        "metrics.csv": as_csv(result),
        "metrics.md": as_markdown(result),
        "result.json": as_json({**_settings(result), **version_and_metrics(result)}),
        "record.json": as_json(record),
    }
