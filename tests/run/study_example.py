"""A small study for tests: two line-ups, every kind of design, every kind of measure."""

import re
import tomllib
from typing import Any

from simkit.run.study import StudyResult, StudyRun
from simkit.run.study_design import experiments
from simkit.run.study_spec import Study, from_data

TEXT = """
name = "small"
title = "A small study"
about = "What two rules do."
game = "sequence_stacks"
players = 2

[[lineup]]
name = "eager"
label = "two eager players"
seats = ["eager"]

[[lineup]]
name = "contest"
label = "eager against random"
seats = ["eager", "random"]
rotate = true

[[measure]]
name = "first_seat"
label = "first-seat advantage"
metric = "win_share"
seat = 0
minus = "fair share"
percent = true
margin = 0.01
why = "one game in 100"
more = "more for the first seat"
less = "less for the first seat"
better = "nearer zero"

[[measure]]
name = "edge"
label = "skill edge"
metric = "win_share"
player = 0
minus = "fair share"
percent = true
margin = 0.01
why = "one game in 100"

[[measure]]
name = "turns"
label = "length"
column = "turns"
unit = "turns"
margin = 0.5
why = "half a turn"
more = "longer games"
less = "shorter games"

[[measure]]
name = "comebacks"
label = "comebacks"
column = "winner_deficit"
at_least = 2
percent = true
margin = 0.02
why = "one game in 50"
better = "higher"

[[measure]]
name = "seat_share"
label = "share by seat"
metric = "win_share"
seat = "each"
percent = true
compare = false

[[measure]]
name = "reverses"
label = "Reverses played"
column = "reverses"
compare = false

[[family]]
name = "decks"
label = "two decks"
deals = 3000
quick_deals = 600
histograms = ["turns"]
[[family.cell]]
name = "many"
label = "many Blocks"
rules = { block = 6 }
[[family.cell]]
name = "none"
label = "no Blocks"
rules = { block = 0 }

[[family]]
name = "crossed"
label = "both rules"
deals = 700
effects = ["main", "interaction"]
none = "neither"
[[family.factor]]
name = "Block"
label = "taking out the Blocks"
done = { block = 0 }
not_done = { block = 4 }
[[family.factor]]
name = "Early"
label = "forbidding an early stop"
done = { stop_early = "forbidden" }

[[family]]
name = "copies"
label = "copies of a card"
deals = 500
axis = "copies"
lineups = ["eager"]
[[family.curve]]
name = "Skip"
label = "copies of Skip"
rule = "skip"
levels = [0, 2, 5]
reference = 2
[[family.curve]]
name = "Block"
label = "copies of Block"
rule = "block"
levels = [0, 2, 5]
reference = 2

[[question]]
ask = "Shorter?"
family = "decks"
measures = ["turns"]

[[question]]
ask = "Which rule?"
family = "crossed"
measures = ["turns", "first_seat"]
contrasts = ["main"]

[[fact]]
measure = "reverses"
never = "No Reverse in {games} games."
otherwise = "{total} Reverses."
"""


def short() -> str:
    """The text without the contest and the factorial, with two measures: few charts, soon drawn."""
    dropped = "contest", "crossed", "edge", "comebacks", "seat_share"
    parts = re.split(r"(?m)^(?=\[\[(?:lineup|measure|family|question|fact)\]\])", TEXT)
    return "".join(part for part in parts if not re.search(rf'(?:name|family) = "(?:{"|".join(dropped)})"', part))


def data() -> dict[str, Any]:
    """The study as plain data, fresh each time."""
    return tomllib.loads(TEXT)


def study() -> Study:
    """The study, checked."""
    return from_data(data(), "small.toml")


def play(asked: Study, seed: int = 7, threads: int = 2, **settings: Any) -> StudyResult:
    """Compile and play."""
    return StudyRun(asked, experiments(asked, seed, "small.toml"), seed).play(threads, **settings)
