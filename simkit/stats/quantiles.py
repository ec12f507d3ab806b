"""Quantiles from a histogram, with distribution-free intervals."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from operator import index

import numpy as np

from simkit.stats.estimate import Estimate
from simkit.stats.tails import binomial_quantile, lower_tail


def quantile(
    values: Sequence[int] | np.ndarray,
    counts: Sequence[int] | np.ndarray,
    p: float,
    level: float = 0.95,
    deals: int | None = None,
) -> Estimate:
    """The smallest value with a cumulative share of at least p, and an order-statistic interval.

    values: shape (v,), integers in ascending order. counts: shape (v,), int64, games at each value.
    p: between 0 and 1, read as the decimal it prints as, so that 0.1 of 10 games is 1 game.
    deals: the number of deals if each has several games. The interval then takes the deals as sample
        size, as if all games of a deal had the same value; this is on the safe side, being right only
        in that extreme. n of the estimate is deals if given, otherwise the number of games.

    The ends are order statistics, chosen from the binomial distribution so that each tail holds at most
    (1 - level) / 2 whatever the distribution of the values. An end is None where the sample is too
    small to have such an order statistic. No value for no games.
    Raises ValueError for values that do not ascend, negative counts, p outside (0, 1), unequal shapes,
    or more deals than games.
    Source: David & Nagaraja (2003), Order Statistics, 3rd ed., section 7.1.
    """
    heights = [index(count) for count in counts]
    steps = [index(value) for value in values]
    _check(steps, heights, p)
    cumulative = list(accumulate(heights))
    games = cumulative[-1] if cumulative else 0
    n = games if deals is None else index(deals)
    if not min(games, 1) <= n <= games:
        raise ValueError(f"{n} deals of at least one game each have {games} games")
    if games == 0:
        return Estimate(None, None, None, level, 0)

    def order_statistic(rank: int) -> float:
        return float(steps[bisect_left(cumulative, rank)])

    lower, upper = _ranks(n, p, level)
    exact = Fraction(str(float(p)))
    return Estimate(
        order_statistic(-(-exact * games // 1)),
        # The first game of the lower deal and the last game of the upper, in ascending order.
        order_statistic((lower - 1) * games // n + 1) if lower >= 1 else None,
        order_statistic(-(-upper * games // n)) if upper <= n else None,
        level,
        n,
    )


def _ranks(n: int, p: float, level: float) -> tuple[int, int]:
    """Ranks, from 1, of the order statistics of n that bound the p-quantile; 0 or n + 1 for none."""
    tail = lower_tail(level)
    return binomial_quantile(tail, n, p), binomial_quantile(1 - tail, n, p) + 1


def _check(values: list[int], counts: list[int], p: float) -> None:
    if len(values) != len(counts):
        raise ValueError(f"{len(values)} values but {len(counts)} counts")
    if any(here >= following for here, following in pairwise(values)):
        raise ValueError("values must ascend")
    if any(count < 0 for count in counts):
        raise ValueError("counts must not be negative")
    if not 0 < p < 1:
        raise ValueError(f"p must lie between 0 and 1, not {p}")
