"""Options and output shared by several commands."""

import json
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from simkit import registry
from simkit.contract import Game
from simkit.errors import BadInput
from simkit.rng import MAX_SEED


class GameType(click.ParamType):
    """The name of a game, hyphens or underscores."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Game:
        return registry.game(value) if isinstance(value, str) else value


class Count(click.ParamType):
    """A whole number as people write it: 250000, 250_000, 2.5e5."""

    name = "number"

    def __init__(self, least: int, most: int):
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> int:
        number = value if isinstance(value, int) else whole(value)
        if number is None or not self.least <= number <= self.most:
            option = max(param.opts, key=len) if param else "number"
            raise BadInput(f"{option}: got {value}, allowed: a whole number from {self.least:,} to {self.most:,}")
        return number


def whole(text: str) -> int | None:
    """The whole number that a text stands for, None if it stands for none."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


GAME = GameType()
SEED = click.option(
    "--seed",
    type=Count(0, MAX_SEED),
    help="Seed of the deals; left out, one is drawn and printed.",
)


PRESETS = "seed", "official"


def game_options(command: Callable) -> Callable:
    """The options that choose players, strategies and rules."""
    for option in (
        click.option("--preset", type=click.Choice(PRESETS), default="seed", show_default=True, help="Set of rules."),
        click.option("--rule", "rules", multiple=True, metavar="OPTION=VALUE", help="Set one rule; repeat for more."),
        click.option(
            "--seat", "seats", multiple=True, metavar="NAME[:k=v,…]", help="Strategy: one for all seats, or one each."
        ),
        click.option("-p", "--players", type=int, help="Number of players."),
    ):
        command = option(command)
    return command


def default_threads() -> int:
    """One thread for each core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def raising_on_term() -> Iterator[None]:
    """Let SIGTERM end a run as Ctrl-C does: what was played is kept."""

    def interrupt(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def drawn_seed() -> int:
    """A fresh seed, which is printed."""
    seed = secrets.randbits(32)
    note(f"seed {seed} (drawn; give --seed {seed} to see the same games again)")
    return seed


def choice_of_format(*formats: str) -> Callable:
    """The option --format with these values, the first by default."""
    return click.option("--format", "form", type=click.Choice(formats), default=formats[0], show_default=True)


def note(text: str) -> None:
    """Say something that is no result: on standard error."""
    print(text, file=sys.stderr)


def print_json(value: Any) -> None:
    """A result as JSON on standard output; a NaN or infinity in it would be a bug and raises."""
    print(json.dumps(value, indent=2, allow_nan=False))


def parsed_rules(settings: tuple[str, ...]) -> dict[str, str]:
    """`option=value` texts as a mapping; raises BadInput for one without '=' or given twice."""
    chosen: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise BadInput(f"--rule: got {setting!r}, allowed: option=value")
        if name in chosen:
            raise BadInput(f"--rule: {name} is given twice, {chosen[name]} and {value}, allowed: once")
        chosen[name] = value
    return chosen


def print_table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """A plain table on standard output."""
    from tabulate import tabulate

    print(tabulate(rows, headers=header, tablefmt="simple", disable_numparse=True))
