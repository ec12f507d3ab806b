"""Ratios and proportions over all games, with intervals clustered by deal.

The games of one deal (the rotations of the strategies over the seats) share its cards, so only deals
are independent. For each deal let x be the sum of a value over its games and m the number of its games
in which the value has a meaning; the estimate is sum(x) / sum(m). Deals with m = 0 say nothing and are
left out of every sum and of the count of deals.
"""

from __future__ import annotations

from fractions import Fraction
from operator import index

from simkit.stats.estimate import Estimate
from simkit.stats.means import t_estimate
from simkit.stats.proportions import wilson_interval
from simkit.stats.tails import critical_t, critical_z


def ratio(
    deals: int,
    sum_x: int,
    sum_m: int,
    sum_xx: int,
    sum_xm: int,
    sum_mm: int,
    scale: int = 1,
    level: float = 0.95,
) -> Estimate:
    """The mean value a game, sum_x / (scale * sum_m), with a t interval clustered by deal.

    deals: those with m >= 1; the interval has deals - 1 degrees of freedom.
    sum_x, sum_m, sum_xx, sum_xm, sum_mm: exact integer sums over these deals of x, m and their
        products (module docstring). scale: the values are the integers x divided by scale.

    The variance is the linearised one, deals / (deals - 1) * sum((x - R m)^2) / sum(m)^2, with R the
    ratio. With m = 1 everywhere this is means.mean. No value for 0 deals, no interval for 1.
    Raises ValueError if no deals can have these sums.
    Source: Cochran (1977), Sampling Techniques, 3rd ed., eq. 6.13; Taylor linearisation.
    """
    _check(deals, sum_m, sum_mm)
    share, variance = _linearised(deals, sum_x, sum_m, sum_xx, sum_xm, sum_mm, scale)
    return t_estimate(share, variance, index(deals), level)


def proportion(
    deals: int,
    sum_x: int,
    sum_m: int,
    sum_xx: int,
    sum_xm: int,
    sum_mm: int,
    scale: int = 1,
    level: float = 0.95,
) -> Estimate:
    """A share of games, sum_x / (scale * sum_m), with a Wilson interval clustered by deal.

    Arguments and errors as for ratio, for values between 0 and scale a game. The interval is Wilson's
    with the effective number of games: the games divided by the design effect (the linearised variance
    over that of as many independent games), corrected for the degrees of freedom. With m = 1 and values
    0 or scale everywhere this is proportions.wilson. The effective number may exceed the games: that
    seats of a deal are dealt opposite luck is what rotations are for.

    Where all deals have the same share v (0 of n, n of n, or always one win in two games), no design
    effect can be estimated. Then at most a share u of deals, Wilson's upper end for 0 of `deals`, would
    have any other share, between 0 and 1; hence the interval from v - u v to v + u (1 - v). At v = 0 and
    v = 1 this is Wilson's interval with the deals as sample size.
    Sources: Korn & Graubard (1998), Survey Methodology 24, 193-201; Dean & Pagano (2015), J. Survey
    Statistics and Methodology 3, 484-503.
    """
    _check(deals, sum_m, sum_mm)
    z = critical_z(level)
    share, variance = _linearised(deals, sum_x, sum_m, sum_xx, sum_xm, sum_mm, scale)
    if share is None:
        return Estimate(None, None, None, level, 0)
    if not 0 <= share <= 1 or (variance and share in (0, 1)):
        raise ValueError(f"values between 0 and {scale} of {sum_m} games cannot have these sums")
    value = float(share)
    if variance:
        games = _effective_games(share, variance, index(deals), index(sum_m), level)
        low, high = wilson_interval(games * value, games * float(1 - share), z)
    else:
        _, other = wilson_interval(0.0, float(deals), z)
        low, high = value - other * value, value + other * float(1 - share)
    return Estimate(value, min(low, value), max(high, value), level, index(deals))


def _effective_games(share: Fraction, variance: Fraction, deals: int, games: int, level: float) -> float:
    """The games divided by the design effect, times (t at games - 1 df / t at deals - 1 df)^2."""
    independent = share * (1 - share) / (games - 1)
    correction = critical_t(level, games - 1) / critical_t(level, deals - 1)
    return float(games * independent / variance) * correction**2


def _linearised(
    deals: int, sum_x: int, sum_m: int, sum_xx: int, sum_xm: int, sum_mm: int, scale: int
) -> tuple[Fraction | None, Fraction | None]:
    """The ratio and its linearised variance, exactly; None where one has no meaning."""
    deals, x, m, scale = map(index, (deals, sum_x, sum_m, scale))
    # sum((x - R m)^2) times sum(m)^2, with R = sum(x) / sum(m)
    residual = index(sum_xx) * m * m - 2 * x * m * index(sum_xm) + x * x * index(sum_mm)
    if residual < 0:
        raise ValueError(f"no {deals} deals have these sums of squares and products")
    share = Fraction(x, m * scale) if deals else None
    if deals < 2:
        return share, None
    return share, Fraction(deals * residual, (deals - 1) * (m * m * scale) ** 2)


def _check(deals: int, sum_m: int, sum_mm: int) -> None:
    if not 0 <= deals <= sum_m <= sum_mm or (deals == 0 and sum_m):
        raise ValueError(
            f"{deals} deals of at least one game each cannot have {sum_m} games and a sum of squares of {sum_mm}"
        )
