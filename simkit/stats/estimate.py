"""One estimated number with its interval: what every function of this package hands back."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A value, its confidence interval, and what both rest on.

    value: the point estimate; None where there is nothing to estimate (n = 0).
    low, high: ends of the two-sided interval, in the units of the value; None where an end has no
        meaning (a mean of one deal; a quantile so extreme that no order statistic bounds it).
    level: confidence level of the interval, between 0 and 1.
    n: number of independent observations: deals, unless the function that made it says otherwise.

    Raises ValueError for nan or infinity, a level outside (0, 1), a negative n, or an interval
    that does not hold its own value.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise ValueError(f"level must lie between 0 and 1, not {self.level}")
        if self.n < 0:
            raise ValueError(f"n must not be negative, not {self.n}")
        ends = [number for number in (self.low, self.value, self.high) if number is not None]
        if not all(math.isfinite(number) for number in ends):
            raise ValueError(f"not a finite estimate: {ends}")
        if ends != sorted(ends):
            raise ValueError(f"the interval does not hold its value: {ends}")

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval; None unless both ends have a meaning."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2
