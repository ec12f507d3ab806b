"""`simkit selftest`: check the random streams, the shuffle, the threads and the engines."""

import sys
from collections.abc import Iterator

import click

from simkit import registry
from simkit.cli.options import Count, choice_of_format, note, print_json
from simkit.cli.progress import announce_compiling
from simkit.rng import MAX_SEED


@click.command("selftest", short_help="check streams, shuffle, threads, engines")
@click.option("--quick", is_flag=True, help="Smaller samples.")
@click.option("--seed", type=Count(0, MAX_SEED), default="1", show_default=True, help="Seed of the samples.")
@choice_of_format("table", "json")
def command(quick: bool, seed: int, form: str) -> int:
    """Check what results rest on: the random streams against published vectors, the shuffle by chi-square (and that
    this test sees four classic mistakes), independence of threads, and the fast engines against the slow ones.

    All statistical checks together give a false alarm for fewer than one seed in ten thousand.
    """
    if form == "table":
        checks = []
        for check in _checks(quick, seed):
            verdict = "ok" if check.ok else "FAILED"
            print(f"{check.name:34} {verdict:6} {check.figure}")
            sys.stdout.flush()
            checks.append(check)
        failed = sum(not check.ok for check in checks)
        print(f"{len(checks)} checks, {failed} failed" if failed else f"{len(checks)} checks, all ok")
    else:
        checks = list(_checks(quick, seed))
        data = [{"name": check.name, "ok": check.ok, "figure": check.figure} for check in checks]
        print_json({"ok": all(check.ok for check in checks), "seed": seed, "quick": quick, "checks": data})
    return 0 if all(check.ok for check in checks) else 1


def _checks(quick: bool, seed: int) -> Iterator:
    note("compiling the checks (some seconds)")
    from simkit.run.selftest import FULL, QUICK, game_checks, stream_checks

    size = QUICK if quick else FULL
    yield from stream_checks(size, seed)
    for game in registry.games():
        announce_compiling(game)
        yield from game_checks(game, size, seed)
