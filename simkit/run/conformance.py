"""Whether a strategy keeps to the rules of being one: `simkit check-strategy`.

A sample of games is played on the reference engine with every decision examined, over all numbers of players and
many sets of rules; then many games compiled alone, for what is rare.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from simkit.contract import PRESETS, Game, Rules
from simkit.diagnosis import where
from simkit.errors import StrategyError
from simkit.run.blocks import Seating
from simkit.run.examiner import Examiner, within
from simkit.run.variety import random_rules
from simkit.strategy import Player, Strategy, resolve

COMPILED_GAMES = 2000
"""Games compiled alone, for each number of players."""
MANY_CAPPED = 0.001
MOST_CAPPED = 0.5


@dataclass
class Report:
    """What was checked and what was found; the strategy is fine if `problem` is None."""

    game: Game
    strategy: Strategy
    seed: int
    problem: str | None = None
    notes: list[str] = field(default_factory=list)
    games: int = 0
    decisions: int = 0
    redealt: int = 0
    rule_sets: int = 0
    compiled_games: int = 0
    capped: int = 0

    def as_data(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "strategy": self.strategy.text,
            "game": self.game.name,
            "ok": self.problem is None,
            "problem": self.problem,
            "notes": self.notes,
            "players": [self.game.least_players, self.game.most_players],
            "seed": self.seed,
            "games": self.games,
            "rule_sets": self.rule_sets,
            "decisions": self.decisions,
            "redealt": self.redealt,
            "compiled_games": self.compiled_games,
            "capped": self.capped,
        }


def check_strategy(game: Game, chosen: Strategy, games: int = 60, seed: int = 1, patience: float = 5) -> Report:
    """Check a strategy: so many `games` decision by decision, where no answer may take more than `patience` seconds."""
    report = Report(game, chosen, seed)
    try:
        _Check(report, Player(game, chosen), patience).run(games)
    except StrategyError as problem:
        report.problem = str(problem)
    return report


class _Check:
    """A check under way."""

    def __init__(self, report: Report, player: Player, patience: float):
        self._report, self._player, self._patience = report, player, patience
        self._game = report.game
        self._other = Player(self._game, resolve(self._game, self._game.default_strategy))
        self._head = where(player.strategy.function, player.strategy.source)
        self._examiner = Examiner(self._game, player, patience)

    def run(self, games: int) -> None:
        """All checks; the report tells afterwards how far they came."""
        try:
            self._examine(games)
        finally:
            self._report.decisions, self._report.redealt = self._examiner.decisions, self._examiner.redealt
            self._report.notes += self._examiner.notes()
        for players in range(self._game.least_players, self._game.most_players + 1):
            self._play_compiled(players)
        self._look_at_caps()

    def _examine(self, games: int) -> None:
        rng = random.Random(self._report.seed)
        span = self._game.most_players - self._game.least_players + 1
        rule_sets = set()
        for index in range(games):
            players, turn = self._game.least_players + index % span, index // span
            if turn < len(PRESETS):
                rules = self._game.rules(players, preset=PRESETS[turn])
            else:
                rules = random_rules(self._game, rng, players)
            rule_sets.add((players, self._game.codes(rules)))
            self._examine_game(rules, index, alone=turn % 2 == 1)
            self._report.games, self._report.rule_sets = index + 1, len(rule_sets)

    def _examine_game(self, rules: Rules, index: int, alone: bool) -> None:
        """One game on the reference engine: in every seat, or `alone` in one seat among others."""
        examiner, players = self._examiner, rules.players
        examiner.begin(f"game {index}, {players} players" if self._game.seats else f"game {index}")
        choosers = [examiner.choose] * players
        if alone and players > 1:
            choosers = [self._other.choose] * players
            choosers[index // 2 % players] = examiner.choose
        for _ in self._game.part("reference").play(rules, self._report.seed, index, choosers, examiner.watch):
            pass

    def _play_compiled(self, players: int) -> None:
        """Many games compiled alone; one that fails is played again decision by decision, which names the line."""
        rules = self._game.rules(players)
        seating = Seating(self._game, rules, [self._player] * players)
        status = [column.name for column, _ in self._game.flat_columns(players)].index("status")
        words = next(column.words for column in self._game.columns if column.name == "status")
        played, ends, failed = 0, Counter(), []

        def work() -> None:
            nonlocal played
            for index in range(COMPILED_GAMES):
                try:
                    row = seating.play(self._report.seed, index, 1)
                except StrategyError as problem:
                    failed.append(problem)
                    return
                ends[words[int(row[0, status])]] += 1
                played += 1

        finished = within(self._patience, lambda: played, work)
        if failed or not finished:
            self._examine_game(rules, played, alone=False)
            problem = failed[0] if failed else "does not return"
            raise StrategyError(f"{self._head}: compiled alone: {problem} (game {played}, {players} players)")
        self._report.compiled_games += played
        self._report.capped += ends["capped"]

    def _look_at_caps(self) -> None:
        report = self._report
        share = report.capped / report.compiled_games
        words = (
            f"{report.capped:,} of {report.compiled_games:,} games never come to an end and are capped: does a turn "
            "end, does anybody win?"
        )
        if share > MOST_CAPPED:
            raise StrategyError(f"{self._head}: {words}")
        if share > MANY_CAPPED:
            report.notes.append(f"{self._head}: {words}")
