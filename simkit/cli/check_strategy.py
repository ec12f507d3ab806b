"""`simkit check-strategy`: what is wrong with a strategy of one's own."""

import click

from simkit import registry
from simkit.cli.options import GAME, Count, choice_of_format, note, print_json
from simkit.cli.progress import announce_compiling
from simkit.contract import Game
from simkit.errors import BadInput, StrategyError
from simkit.rng import MAX_SEED

MOST_GAMES = 100_000


@click.command("check-strategy", short_help="check a strategy of your own")
@click.argument("strategy", metavar="FILE.py:FUNCTION")
@click.option("--game", type=GAME, help="The game it plays.  [default: the first in which it compiles]")
@click.option("--games", type=Count(1, MOST_GAMES), default="60", show_default=True, help="Games looked at closely.")
@click.option("--patience", type=float, default=5.0, show_default=True, help="Seconds that one answer may take.")
@click.option("--seed", type=Count(0, MAX_SEED), default="1", show_default=True, help="Seed of the games.")
@choice_of_format("text", "json")
def command(strategy: str, game: Game | None, games: int, patience: float, seed: int, form: str) -> int:
    """Say in one line, with file and line, what is wrong with a strategy; or what was checked and found right.

    Signature and types, answers beyond the legal actions, indices beyond an array, exceptions, endless loops, writing
    to the view, answers that depend on more than the view, and answers that differ between plain Python and compiled
    code; over all numbers of players and many sets of rules.
    """
    if not 0.1 <= patience <= 3600:
        raise BadInput(f"--patience: got {patience:g}, allowed: 0.1 to 3600 seconds")
    from simkit.run.conformance import check_strategy
    from simkit.strategy import resolve

    try:
        if game is None:
            game = _game_of(strategy)
            note(f"checked as a player of {game.title} (--game names another game)")
        chosen = resolve(game, strategy)
    except StrategyError as problem:
        raise BadInput(str(problem).replace("--seat: ", "FILE.py:FUNCTION: ", 1)) from problem
    announce_compiling(game)
    report = check_strategy(game, chosen, games, seed, patience)
    if form == "json":
        print_json(report.as_data())
    else:
        _print(report)
    return 0 if report.problem is None else 1


def _game_of(strategy: str) -> Game:
    """The first game in which the strategy compiles, or the first of all."""
    from simkit.strategy import Player, resolve

    known = registry.games()
    for game in known if len(known) > 1 else ():
        try:
            Player(game, resolve(game, strategy))
        except StrategyError:
            continue
        return game
    return known[0]


def _print(report) -> None:
    for line in report.notes:
        note(f"note: {line}")
    if report.problem is not None:
        print(report.problem)
        return
    game = report.game
    seats = f"{game.players_text} players, " if game.seats else ""
    print(f"{report.strategy.text} is fine as a player of {game.title}")
    print(f"  examined   {report.games:,} games, {seats}{report.rule_sets:,} sets of rules")
    print(f"  decisions  {report.decisions:,} in plain Python and twice compiled, the same answers")
    print(f"  hidden     {report.redealt:,} times the cards it cannot see dealt anew, the same answers")
    print(f"  compiled   {report.compiled_games:,} games alone, {report.capped:,} of them capped")
