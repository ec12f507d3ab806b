"""What a run is asked to do, checked; the same thing as plain data for records."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simkit import registry
from simkit.contract import LARGEST_DEALS, Game, Rules
from simkit.errors import BadInput
from simkit.rng import MAX_SEED
from simkit.strategy import Strategy, resolve


@dataclass(frozen=True)
class RunSpec:
    """One run. `seats` holds one strategy a seat; `rotate` plays every deal in all rotations of them."""

    game: Game
    rules: Rules
    seats: tuple[Strategy, ...]
    deals: int
    seed: int
    preset: str = "seed"
    rotate: bool = False
    level: float = 0.95

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.seats)

    @property
    def changed(self) -> list[str]:
        """The rules that are not as the preset has them, as `name=value`."""
        usual = self.game.rules(self.players, preset=self.preset)
        return [f"{name}={value}" for name, value in self.rules.items() if value != usual[name]]

    @property
    def rotations(self) -> int:
        """Different arrangements of the seats that a deal is played in."""
        names = [seat.text for seat in self.seats]
        turned = (names[-steps:] + names[:-steps] for steps in range(1, len(names)))
        return (
            next((steps for steps, other in enumerate(turned, 1) if other == names), len(names)) if self.rotate else 1
        )

    def as_data(self) -> dict[str, Any]:
        """The run as plain data from which `from_data` makes it again."""
        return {
            "game": self.game.name,
            "players": self.players,
            "deals": self.deals,
            "seed": self.seed,
            "preset": self.preset,
            "rules": dict(self.rules),
            "strategies": [seat.text for seat in self.seats],
            "rotate": self.rotate,
            "level": self.level,
        }


def run_spec(
    game: Game,
    seats: tuple[str, ...],
    deals: int,
    seed: int,
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str = "seed",
    rotate: bool = False,
    level: float = 0.95,
) -> RunSpec:
    """Check all settings of a run; raises BadInput for the first that is wrong.

    `players` left out is the number of `seats`, or the game's least; one seat stands for all of them.
    """
    if players is None:
        players = len(seats) if len(seats) > 1 else game.least_players
    checked = game.rules(players, rules or {}, preset)
    seats = seats or (game.default_strategy,)
    if len(seats) not in (1, players):
        raise BadInput(f"--seat: got {len(seats)} of them, allowed: one for all seats or {players}, one for each")
    if not 1 <= deals <= LARGEST_DEALS:
        raise BadInput(f"-n: got {deals}, allowed: a whole number from 1 to {LARGEST_DEALS:,}")
    if not 0 <= seed <= MAX_SEED:
        raise BadInput(f"--seed: got {seed}, allowed: a whole number from 0 to {MAX_SEED:,}")
    if not 0.5 <= level < 1:
        raise BadInput(f"--level: got {level:g}, allowed: from 0.5 to below 1")
    found = {text: resolve(game, text) for text in dict.fromkeys(seats)}
    chosen = tuple(found[text] for text in seats) * (players if len(seats) == 1 else 1)
    return RunSpec(game, checked, chosen, deals, seed, preset, rotate, level)


def from_data(data: Mapping[str, Any]) -> RunSpec:
    """The run that `RunSpec.as_data` describes; raises BadInput for data that are none."""
    try:
        settings = dict(data)
        game = registry.game(settings.pop("game"))
        seats = tuple(settings.pop("strategies"))
        return run_spec(game, seats, **settings)
    except (KeyError, TypeError, ValueError) as problem:
        if isinstance(problem, BadInput):
            raise
        raise BadInput(f"--from: the record's run cannot be read: {problem}") from problem
