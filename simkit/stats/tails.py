"""Quantiles and tail probabilities of the normal, t and binomial distributions.

The package's only door to scipy's distributions. They come from scipy.special, imported at the first
call: scipy.stats takes several times as long to import and computes the same numbers.
"""

from __future__ import annotations

import math


def normal_quantile(probability: float) -> float:
    """z with P(Z <= z) = probability, for 0 < probability < 1."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def critical_z(level: float) -> float:
    """z with P(|Z| <= z) = level. Raises ValueError unless 0 < level < 1."""
    return -normal_quantile(lower_tail(level))


def critical_t(level: float, df: int) -> float:
    """t with P(|T| <= t) = level for df >= 1 degrees of freedom. Raises ValueError as critical_z."""
    from scipy.special import stdtrit

    return -float(stdtrit(df, lower_tail(level)))


def two_sided_p(t: float, df: int) -> float:
    """P(|T| >= |t|) for df >= 1 degrees of freedom; 0.0 where it is too small for a float."""
    from scipy.special import stdtr

    return min(1.0, 2 * float(stdtr(df, -abs(t))))


def binomial_quantile(probability: float, n: int, p: float) -> int:
    """The smallest k with P(Binomial(n, p) <= k) >= probability, for n >= 1 and 0 < p < 1.

    Exact up to millions; right to 0.01 standard deviations of the distribution up to n = 10^14, and
    finite beyond.
    """
    from scipy.special import bdtrik, betaincc

    k = max(0, math.ceil(bdtrik(probability, n, p)))
    # bdtrik inverts a continuous distribution function, whose rounding can end one step too high.
    # betaincc(k, n - k + 1, p) is P(Binomial <= k - 1); bdtr would do, but fails beyond n = 2^31.
    if k > 0 and betaincc(k, n - k + 1, p) >= probability:
        return k - 1
    return k


def lower_tail(level: float) -> float:
    """The probability left below a two-sided interval. Raises ValueError unless 0 < level < 1."""
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    return (1 - level) / 2
