"""Comparing cells (variants of rules or strategies) that were played on the same deals.

A contrast is a weighted sum of the cells' means: weights (1, -1) for the paired difference of two cells,
or those of a design. Sums and cross-moments of the cells give any contrast its exact variance without
keeping a number for each deal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from typing import Literal

import numpy as np

from simkit.stats.estimate import Estimate
from simkit.stats.means import t_estimate
from simkit.stats.tails import critical_t, critical_z, normal_quantile, two_sided_p

MOST_DEALS = 10**12  # deals_needed gives this for 'so many, or more'


@dataclass(frozen=True)
class Moments:
    """What k cells' integer values add up to over their common deals.

    deals: number of deals, each played in every cell.
    sums: shape (k,), integers: sum of each cell's values.
    cross: shape (k, k), integers, symmetric: sums of products of two cells' values.

    Both arrays are kept as Python integers (dtype object), in which nothing can overflow. Raises
    TypeError for numbers that are not integers, ValueError for wrong shapes or impossible moments.
    """

    deals: int
    sums: np.ndarray
    cross: np.ndarray

    def __post_init__(self) -> None:
        sums = np.array([index(total) for total in self.sums], dtype=object)
        cross = np.array([[index(entry) for entry in row] for row in self.cross], dtype=object)
        if cross.shape != (sums.size, sums.size) or (cross != cross.T).any():
            raise ValueError(f"cross must be symmetric, of shape {(sums.size, sums.size)}")
        if self.deals < 0 or (self.deals * cross.diagonal() < sums * sums).any():
            raise ValueError(f"no {self.deals} deals have these sums of squares")
        object.__setattr__(self, "deals", index(self.deals))
        object.__setattr__(self, "sums", sums)
        object.__setattr__(self, "cross", cross)


@dataclass(frozen=True)
class Contrast:
    """A weighted sum of cell means, as estimated on common deals.

    estimate: value and t interval; n is the number of deals.
    se: standard error, in the units of the value; None with fewer than two deals.
    p_value: two-sided, of the hypothesis that the contrast is 0; None with fewer than two deals. 0.0
        means smaller than any float.
    variance_ratio: variance on common deals over the variance had every cell had as many deals of its
        own; 1 minus it is what common deals save. None where no cell varies or deals < 2.
    """

    estimate: Estimate
    se: float | None
    p_value: float | None
    variance_ratio: float | None


@dataclass(frozen=True)
class Verdict:
    """What may be said about a contrast.

    word: 'higher' or 'lower' (differs from 0), 'no relevant difference' or 'undecided'.
    relevant: True if the whole interval lies beyond the margin, False if it lies within it, None if it
        does not tell. Thus 'higher' with None: there is a difference, which may be too small to matter.
    """

    word: Literal["higher", "lower", "no relevant difference", "undecided"]
    relevant: bool | None

    @property
    def decided(self) -> bool:
        """Whether more deals would add nothing: the relevance is known, and with it all the rest."""
        return self.relevant is not None


def contrast(
    moments: Moments,
    weights: Sequence[float | Fraction] | np.ndarray,
    scale: int = 1,
    level: float = 0.95,
) -> Contrast:
    """The weighted sum of the cells' means, with a t interval over the common deals.

    weights: shape (k,), not all 0; taken exactly. scale: the cells' values are integers / scale.

    Where the contrast is the same in every deal, its variance can't really be 0, or two lucky deals would
    prove any claim. It is then taken as if one of the deals had been off by the smallest step that the
    weights and the scale allow, so that 0 in all n deals has an interval of about +-2 / (n * scale).
    Raises ValueError for weights of another shape or all 0, or for impossible moments.
    Source: two-sample paired t, and the variance of a linear combination, e.g. Law (2015), Simulation
    Modeling and Analysis, 5th ed., sections 10.2 and 11.2 (common random numbers).
    """
    n = moments.deals
    steps, denominator = _integer_weights(weights, moments.sums.size)
    unit = denominator * index(scale)
    total = int(steps @ moments.sums)
    spread = n * int(steps @ moments.cross @ steps) - total * total  # n * sum of squared deviations
    if spread < 0:
        raise ValueError(f"no {n} deals have these cross-moments")
    value = Fraction(total, n * unit) if n else None
    if n < 2 or value is None:
        return Contrast(t_estimate(value, None, n, level), None, None, None)
    smallest = (n - 1) * math.gcd(*steps) ** 2  # the spread of one deal off by one step
    variance = Fraction(max(spread, smallest), n * n * (n - 1) * unit * unit)
    se = math.sqrt(variance)
    own = int((steps * steps) @ (n * moments.cross.diagonal() - moments.sums * moments.sums))
    return Contrast(
        t_estimate(value, variance, n, level),
        se,
        two_sided_p(float(value) / se, n - 1),
        float(Fraction(spread, own)) if own else None,
    )


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values of a family, in the given order.

    None (a contrast without a p-value) stays None, and counts as a member of the family all the same.
    Source: Holm (1979), Scand. J. Statistics 6, 65-70; statsmodels' multipletests.
    """
    if not p_values:
        return []
    from statsmodels.stats.multitest import multipletests  # slow to import: brings pandas

    whole = [1.0 if p is None else p for p in p_values]
    adjusted = multipletests(whole, method="holm")[1]
    return [None if p is None else float(a) for p, a in zip(p_values, adjusted, strict=True)]


def verdict(contrast: Contrast, margin: float, p_value: float | None = None, family: int = 1) -> Verdict:
    """What may be said about a contrast, at the level of its estimate.

    margin: the largest difference that does not matter, >= 0, in the units of the contrast.
    p_value: Holm-adjusted over the family; left out, the contrast's own is multiplied by the family.
    family: number of contrasts that are judged together. For relevance the interval is widened to the
        level 1 - (1 - level) / family (Bonferroni), so that all of the family hold at once.

    The interval within (-margin, margin): 'no relevant difference', significant or not. This is TOST
    with (1 - level) / 2 on each side. Otherwise 'higher' or 'lower' if the p-value is at most
    1 - level, relevant if the interval lies beyond the margin; otherwise 'undecided'. Each kind of
    claim (differs, matters, does not matter) is wrong anywhere in the family with probability at most
    1 - level.
    Raises ValueError for a negative margin or a family smaller than 1.
    Sources: Schuirmann (1987), J. Pharmacokinetics and Biopharmaceutics 15, 657-680 (TOST); Goeman,
    Solari & Stijnen (2010), Statistics in Medicine 29, 2117-2125 (three-sided testing).
    """
    if not margin >= 0 or family < 1:
        raise ValueError(f"margin {margin} must be >= 0 and family {family} >= 1")
    value, alpha = contrast.estimate.value, 1 - contrast.estimate.level
    if value is None or contrast.se is None or contrast.p_value is None:
        return Verdict("undecided", None)
    half_width = contrast.se * critical_t(1 - alpha / family, contrast.estimate.n - 1)
    if abs(value) + half_width < margin:
        return Verdict("no relevant difference", False)
    if p_value is None:
        p_value = min(1.0, contrast.p_value * family)
    if p_value > alpha:
        return Verdict("undecided", None)
    # With no margin every difference matters, also one that Holm finds and Bonferroni would not.
    beyond = margin == 0 or abs(value) - half_width > margin
    return Verdict("higher" if value > 0 else "lower", True if beyond else None)


def deals_needed(
    contrast: Contrast,
    margin: float,
    p_value: float | None = None,
    family: int = 1,
    power: float = 0.9,
) -> int | None:
    """How many more deals until the verdict is likely to be decided, relevance included.

    Arguments and errors as for verdict. power: probability that the total then decides, supposing
    that value and variance are truly as estimated; a rough guide, therefore, not a promise. Family
    members are planned for at Bonferroni's level, since their later rank in Holm's order is unknown.

    At least 1; MOST_DEALS for that many or more; None if nothing is needed (verdict(...).decided) or
    nothing can be said (fewer than two deals).
    Source: normal approximation; Chow, Shao & Wang (2008), Sample Size Calculations in Clinical
    Research, 2nd ed., section 3.1 (one mean: superiority by a margin, equivalence).
    """
    if verdict(contrast, margin, p_value, family).decided:
        return None
    deals, value = contrast.estimate.n, contrast.estimate.value
    if value is None or contrast.se is None:
        return None
    gap = abs(abs(value) - margin)
    if gap == 0:
        return MOST_DEALS
    # Equivalence has two sides on which to miss; the power is shared as if both were equally near.
    reach = normal_quantile(power if abs(value) > margin else (1 + power) / 2)
    z = critical_z(1 - (1 - contrast.estimate.level) / family) + reach
    total = deals * (z * contrast.se / gap) ** 2
    return max(1, min(MOST_DEALS, math.ceil(total) - deals))


def _integer_weights(weights: Sequence[float | Fraction] | np.ndarray, k: int) -> tuple[np.ndarray, int]:
    """Weights as Python integers, shape (k,), and their common denominator."""
    exact = [Fraction(weight) for weight in weights]
    if len(exact) != k or not any(exact):
        raise ValueError(f"a contrast of {k} cells needs {k} weights, not all 0: {weights}")
    denominator = math.lcm(*(weight.denominator for weight in exact))
    return np.array([int(weight * denominator) for weight in exact], dtype=object), denominator
