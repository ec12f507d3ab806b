"""What `simkit solve` found, as JSON data, CSV, Markdown, a table on the terminal, and the files of a directory."""

from typing import Any

from simkit.contract import Answer
from simkit.report.numbers import decimals, with_interval
from simkit.report.run import as_csv, version_and_metrics
from simkit.run.provenance import provenance
from simkit.run.solve import SolveResult
from simkit.run.store import as_json
from simkit.run.summary import Metric


def result_data(result: SolveResult) -> dict[str, Any]:
    """The JSON object of `simkit solve`."""
    speed = result.deals / result.seconds if result.seconds else 0.0
    timing = {"seconds": round(result.seconds, 6), "deals_per_second": round(speed, 1)}
    return {**_settings(result), **timing, **version_and_metrics(result)}


def _settings(result: SolveResult) -> dict[str, Any]:
    settings = result.spec.as_data()
    del settings["level"]
    settings |= {"deals": result.deals, "rules_version": result.spec.game.rules_version, "complete": result.complete}
    return settings | dict(result.counts)


def answer_data(deal: int, answer: Answer) -> dict[str, Any]:
    """One deal's answer as plain data."""
    return {
        "deal": deal,
        "status": answer.status,
        "score": answer.score,
        "bound": answer.bound,
        "placements": answer.placements,
    }


def warnings(result: SolveResult) -> list[str]:
    """What a user should know about the result, one line each."""
    if result.complete:
        return []
    return [f"interrupted: partial result, {result.deals:,} of {result.spec.run.deals:,} deals were looked at"]


def _headline(result: SolveResult) -> str:
    run = result.spec.run
    parts = [f"{run.game.title}, order known", f"{result.deals:,} deals", f"seed {run.seed}", f"rules {run.preset}"]
    if result.spec.first:
        parts.insert(2, f"from deal {result.spec.first:,}")
    if not result.complete:
        parts.append("PARTIAL")
    return " · ".join(parts)


def _notes(result: SolveResult) -> list[str]:
    spec, changed = result.spec, result.spec.run.changed
    effort = f"beam {spec.beam:,} positions, budget {spec.budget:,} positions"
    notes = [effort + (", for the best score too" if spec.best else "")]
    return [f"changed rules: {', '.join(changed)}", *notes] if changed else notes


def _lines(result: SolveResult) -> list[tuple[str, str, str]]:
    """Rows of the table for people: what, estimate, interval."""
    counts = [(f"{status} deals", f"{count:,}", "") for status, count in result.counts.items()]
    if not result.metrics:
        return counts
    low, high, _, *means = result.metrics
    shown = [with_interval(metric.estimate, metric.ci_low, metric.ci_high) for metric in means]
    names = "best score found, mean", "best score at most, mean"
    return [*counts, _winnable(low, high), *((name, *texts) for name, texts in zip(names, shown, strict=True))]


def _winnable(low: Metric, high: Metric) -> tuple[str, str, str]:
    """The rate as the bracket that undecided deals leave, its interval from the outermost ends."""
    digits = decimals(50 * (high.ci_high - low.ci_low))
    rate, ends = (
        [f"{100 * number:.{digits}f}" for number in pair]
        for pair in ((low.estimate, high.estimate), (low.ci_low, high.ci_high))
    )
    return "winnable", " – ".join(dict.fromkeys(rate)) + " %", " – ".join(ends)


def _header(result: SolveResult) -> tuple[str, str, str]:
    return "", "estimate", f"{100 * result.spec.run.level:g} % interval"


def as_markdown(result: SolveResult) -> str:
    """The result as a Markdown page."""
    from tabulate import tabulate

    align = "left", "right", "right"
    table = tabulate(_lines(result), headers=_header(result), tablefmt="github", disable_numparse=True, colalign=align)
    return f"# {_headline(result)}\n\n{'; '.join(_notes(result))}\n\n{table}\n"


def as_table(result: SolveResult) -> None:
    """Print the result on standard output, in 80 columns where that is no terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(_headline(result), style="bold"))
    for line in _notes(result):
        console.print(Text(line))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, justify in zip(_header(result), ("left", "right", "right"), strict=True):
        table.add_column(name, justify=justify, no_wrap=True)
    for line in _lines(result):
        table.add_row(*line)
    console.print(table)
    if result.seconds:
        speed = f"{result.deals / result.seconds:,.1f} deals/s"
        console.print(Text(f"{result.deals:,} deals in {result.seconds:.1f} s: {speed}", style="dim"))


def stored_files(result: SolveResult, command: list[str]) -> dict[str, str]:
    """Files of a results directory besides the answers. All but `record.json` are the same bytes when run again."""
    record = {
        **provenance(command, ()),
        "solve": result.spec.as_data() | {"deals": result.deals},
        "deals_asked": result.spec.run.deals,
        "complete": result.complete,
        "seconds": round(result.seconds, 3),
    }
    return {
        "metrics.csv": as_csv(result),
        "metrics.md": as_markdown(result),
        "result.json": as_json({**_settings(result), **version_and_metrics(result)}),
        "record.json": as_json(record),
    }
