"""Cells of a study in which the order of the stock is known: a game's solver in the place of a player."""

from fractions import Fraction

import numpy as np

from simkit.contract import SOLVED, UNDECIDED
from simkit.run.solve import SolveSpec
from simkit.run.study_readings import Quantity, Reading
from simkit.run.study_spec import Study

IS_SOLVED, IS_UNDECIDED, SCORE = range(3)
"""Columns of such a cell's rows."""


def solver_rows(spec: SolveSpec, seed: int, first: int, deals: int) -> np.ndarray:
    """What the solver says of the deals first … first + deals - 1: int64, (deals, 3); a deal not solved scores 0.

    The solver is made anew for each block, so that no more memory is held than the blocks under way need.
    """
    solver = spec.game.part(spec.game.solver).Solver(spec.run.rules, spec.beam, spec.budget, spec.best)
    answers = solver.solve(seed, first, deals)
    rows = [(one.status == SOLVED, one.status == UNDECIDED, one.score or 0) for one in answers]
    return np.array(rows, np.int64).reshape(deals, 3)


def solver_reading(quantity: Quantity) -> Reading | None:
    """The quantity as a solver tells it, None if it cannot."""
    if quantity.measure.known == "solved":
        if quantity.bracket:
            return Reading(((0, lambda rows: rows[:, IS_SOLVED] + rows[:, IS_UNDECIDED]),), 1, Fraction(0), True)
        return Reading(((0, lambda rows: rows[:, IS_SOLVED]),), 1, Fraction(0), True)
    if quantity.measure.known == "score":
        return Reading(((0, lambda rows: rows[:, SCORE]),), 1, Fraction(0), False)
    return None


def solver_histograms(study: Study, names: list[str]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Those of the outcome columns that a solver tells, with their places in its rows."""
    told = {measure.column for measure in study.measure if measure.known == "score"}
    return tuple((name, (SCORE,)) for name in names if name in told)
