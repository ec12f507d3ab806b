"""Proportions of independent deals: the Wilson score interval, and the bracket of undecided games."""

from __future__ import annotations

import math
from fractions import Fraction
from operator import index

from simkit.stats.estimate import Estimate
from simkit.stats.tails import critical_z


def wilson(successes: float | Fraction, n: int, level: float = 0.95) -> Estimate:
    """The share of successes among n independent deals, with Wilson's score interval.

    successes: between 0 and n; a fraction where wins are shared, for which the interval is on the
        safe side, because shared wins vary less than whole ones.
    n: deals. With n = 0 neither value nor interval has a meaning; with n = 1 both have.

    The interval lies in [0, 1], touches 0 only at 0 of n and 1 only at n of n.
    Raises ValueError if successes lie outside 0..n.
    Source: Wilson (1927), J. Amer. Stat. Assoc. 22, 209-212; Brown, Cai & DasGupta (2001), eq. 4.
    """
    n = index(n)
    wins = Fraction(successes)
    if not 0 <= wins <= n:
        raise ValueError(f"{successes} successes of {n}")
    z = critical_z(level)
    if n == 0:
        return Estimate(None, None, None, level, 0)
    value = float(wins / n)
    low, high = wilson_interval(float(wins), float(n - wins), z)
    return Estimate(value, min(low, value), max(high, value), level, n)


def bracket(successes: float | Fraction, undecided: int, n: int, level: float = 0.95) -> tuple[Estimate, Estimate]:
    """The share of successes with every undecided deal counted as lost, and with every one as won.

    The truth lies between the two values whatever became of the undecided deals; each has its own
    Wilson interval, so that the outermost ends allow for chance as well.
    Raises ValueError if successes and undecided together exceed n, or either is negative.
    """
    if undecided < 0:
        raise ValueError(f"{undecided} undecided deals")
    won = Fraction(successes) + index(undecided)
    return wilson(successes, n, level), wilson(won, n, level)


def wilson_interval(successes: float, failures: float, z: float) -> tuple[float, float]:
    """Both ends of Wilson's interval at the critical value z, for successes + failures > 0."""
    n = successes + failures
    reach = successes + z * z / 2 + z * math.sqrt(successes * (failures / n) + z * z / 4)
    # The lower end with its numerator rationalised: nothing cancels, and 0 of n gives exactly 0.
    return successes * (successes / n) / reach, min(1.0, reach / (n + z * z))
