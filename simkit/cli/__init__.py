"""The command line: one command a file, imported when it is called, so that `--help` answers at once."""

import sys
from importlib import import_module

import click

from simkit import __version__
from simkit.errors import BadInput

COMMANDS = {
    "run": "play many games and report win rates, lengths and more, with intervals",
    "solve": "tell how many deals can be won if the order of the cards is known",
    "replay": "print single games, step by step",
    "study": "answer a designer's questions with a built-in study or your own",
    "games": "list the games",
    "rules": "list a game's options, their values and where they come from",
    "strategies": "list a game's players, their parameters and ideas",
    "check-strategy": "tell what is wrong with a strategy of your own",
    "selftest": "check the random streams, the shuffle, the threads and the engines",
    "bench": "measure games per second, start-up time and memory",
    "warmup": "compile everything now, so that later commands start at once",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is called."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        return import_module(f"simkit.cli.{name.replace('-', '_')}").command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="simkit")
def group() -> None:
    """What do a card game's rules really do? Millions of played games, with intervals."""


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 a check failed, 2 bad input, 130 interrupted."""
    try:
        code = group.main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as problem:
        problem.show()
        code = 2
    except click.ClickException as problem:
        print(f"simkit: {_one_line(problem)}", file=sys.stderr)
        code = 2
    except BadInput as problem:
        print(f"simkit: {problem}", file=sys.stderr)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        print("simkit: interrupted", file=sys.stderr)
        code = 130
    sys.exit(code or 0)


def _one_line(problem: click.ClickException) -> str:
    return " ".join(problem.format_message().split())
