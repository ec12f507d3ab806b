"""A small study of a solitaire for tests: two players and the solver on the same deals, and how games end."""

import tomllib

from simkit.run.study_findings import findings
from simkit.run.study_spec import from_data
from tests.run import study_example

TEXT = """
name = "alone"
title = "A small study of a solitaire"
about = "Who solves what."
game = "foursquare"
players = 1

[solver]
beam = 30
budget = 20_000
best = true

[[lineup]]
name = "each"
label = "each player"

[[lineup]]
name = "greedy"
label = "greedy players"
seats = ["greedy"]

[[measure]]
name = "solved"
label = "deals solved"
metric = "solve_rate"
known = "solved"
percent = true
margin = 0.01
why = "one deal in 100"

[[measure]]
name = "left"
label = "cards left"
column = "score_or_zero"
known = "score"
unit = "cards"
margin = 0.25
why = "a quarter of a card"

[[measure]]
name = "placed"
label = "cards placed"
column = "placed"
unit = "cards"
compare = false

[[family]]
name = "who"
label = "the players"
deals = 300
lineups = ["each"]
chart = "estimates"
rules = { pile_height = 1, face_down_limit = 3 }
histograms = ["score_or_zero"]
survival = true
endings = ["face_down", "losing_rank", "ways_out"]
cell = [
    { name = "greedy", label = "greedy", seats = ["greedy"] },
    { name = "cautious", label = "cautious", seats = ["cautious"] },
    { name = "known", label = "stock known", known = true, deals = 12 },
]
contrast = [
    { name = "greedy against cautious", label = "greedy or cautious", weights = { greedy = 1.0, cautious = -1.0 } },
    { name = "known against greedy", label = "known against greedy", weights = { known = 1.0, greedy = -1.0 } },
]

[[family]]
name = "heights"
label = "heights of piles"
deals = 200
lineups = ["greedy"]
chart = "estimates"
survival = true

[[family.curve]]
name = "height"
label = "cards on a pile"
rule = "pile_height"
levels = [1, 2, 4]
reference = 4

[[question]]
ask = "How often?"
family = "who"
measures = ["solved", "left"]
tell = "cells"

[[question]]
ask = "When is a game lost?"
family = "who"
tell = "survival"

[[question]]
ask = "By which card?"
family = "who"
tell = "losing_rank"
"""
RULES = {"pile_height": 1, "face_down_limit": 3}
SEED = 2


def data():
    """The study as plain data, fresh each time."""
    return tomllib.loads(TEXT)


def played(asked=None):
    """The study, played."""
    return study_example.play(from_data(asked or data(), "alone.toml"), seed=SEED)


def found():
    """Its findings."""
    return findings(played())
