"""Means of independent deals, with t intervals from exact integer sums."""

from __future__ import annotations

import math
from fractions import Fraction
from operator import index

from simkit.stats.estimate import Estimate
from simkit.stats.tails import critical_t


def mean(n: int, total: int, total_squares: int, scale: int = 1, level: float = 0.95) -> Estimate:
    """The mean of n deals' values, with its t interval (n - 1 degrees of freedom).

    total, total_squares: sums of the deals' integer values and of their squares, exact.
    scale: the values are these integers divided by scale (12ths of a win: scale 12).

    No value for n = 0, no interval for n = 1. Values that do not vary at all give an interval of
    length 0, as the t interval has it.
    Raises ValueError if no n values can have these sums (as after an overflow).
    """
    n, total, total_squares, scale = map(index, (n, total, total_squares, scale))
    spread = n * total_squares - total * total  # n times the sum of squared deviations
    if n < 0 or spread < 0:
        raise ValueError(f"no {n} values have sum {total} and sum of squares {total_squares}")
    value = Fraction(total, n * scale) if n else None
    variance = Fraction(spread, n * n * (n - 1) * scale * scale) if n > 1 else None
    return t_estimate(value, variance, n, level)


def t_estimate(value: Fraction | None, variance: Fraction | None, n: int, level: float) -> Estimate:
    """An estimate with its t interval: value +- t(n - 1) * sqrt(variance).

    variance: of the value itself (the squared standard error); None where it has no meaning.
    n: independent observations, at least 2 if there is a variance.
    """
    if value is None or variance is None:
        return Estimate(None if value is None else float(value), None, None, level, n)
    half_width = critical_t(level, n - 1) * math.sqrt(variance)
    centre = float(value)
    return Estimate(centre, centre - half_width, centre + half_width, level, n)
