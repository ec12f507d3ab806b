"""Ratios and proportions clustered by deal."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t
from statsmodels.stats.proportion import proportion_confint

from simkit.stats import mean, proportion, ratio, wilson


def sums(x, m):
    """The counters of deals with values x over m games each."""
    pairs = list(zip(map(int, x), map(int, m), strict=True))
    return (
        len(pairs),
        sum(a for a, _ in pairs),
        sum(b for _, b in pairs),
        sum(a * a for a, _ in pairs),
        sum(a * b for a, b in pairs),
        sum(b * b for _, b in pairs),
    )


DEALS = st.lists(
    st.integers(1, 6).flatmap(lambda m: st.tuples(st.integers(0, 12 * m), st.just(m))), min_size=1, max_size=9
)


def test_ratio_agrees_with_statsmodels_cluster_robust_regression():
    """Regression on a constant, errors clustered by deal: the same estimator, from game data."""
    rng = np.random.default_rng(1)
    m = rng.integers(1, 5, 40)
    deal = np.repeat(np.arange(40), m)
    games = rng.integers(0, 20, 40)[deal] + rng.integers(0, 5, deal.size)
    fit = sm.OLS(games, np.ones(games.size)).fit(cov_type="cluster", cov_kwds={"groups": deal}, use_t=True)
    found = ratio(*sums(np.bincount(deal, games), m), level=0.9)
    assert found.value == pytest.approx(fit.params[0], rel=1e-12)
    assert (found.low, found.high) == pytest.approx(tuple(fit.conf_int(0.1)[0]), rel=1e-10)
    assert found.n == 40


def test_ratio_of_single_games_is_the_mean():
    x = [5, 0, 12, 7, 7]
    assert ratio(*sums(x, [1] * 5), scale=12) == mean(5, 31, 267, scale=12)


def test_ratio_of_equal_deals_is_the_mean_of_deals():
    """With m games in every deal, deals are simply independent values of x / m."""
    x = [5, 0, 12, 7, 7]
    found, expected = ratio(*sums(x, [3] * 5)), mean(5, 31, 267, scale=3)
    assert (found.low, found.value, found.high) == pytest.approx((expected.low, expected.value, expected.high))


@pytest.mark.parametrize("wins, n", [(0, 1), (1, 1), (0, 50), (50, 50), (1, 50), (17, 50)])
@pytest.mark.parametrize("scale", [1, 12])
def test_proportion_of_single_games_is_wilson(wins, n, scale):
    x = [scale] * wins + [0] * (n - wins)
    found, expected = proportion(*sums(x, [1] * n), scale=scale, level=0.99), wilson(wins, n, 0.99)
    assert (found.value, found.level, found.n) == (expected.value, 0.99, n)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


@pytest.mark.parametrize("wins", [0, 3, 30])
def test_identical_games_count_for_no_more_than_their_deal(wins):
    x = [4] * wins + [0] * (30 - wins)
    found, expected = proportion(*sums(x, [4] * 30)), wilson(wins, 30)
    assert found.low <= expected.low + 1e-12 and found.high >= expected.high - 1e-12
    assert found.half_width == pytest.approx(expected.half_width, rel=0.06)


def test_proportion_is_wilson_of_the_effective_games():
    """Korn & Graubard's steps one by one, for few deals, where the degrees of freedom matter."""
    x, m = np.array([9, 2, 7, 5, 0, 6]), np.array([10, 4, 8, 10, 3, 10])
    games, p = m.sum(), x.sum() / m.sum()
    variance = 6 / 5 * ((x - p * m) ** 2).sum() / games**2
    design_effect = variance / (p * (1 - p) / (games - 1))
    effective = games / design_effect * (t.ppf(0.975, games - 1) / t.ppf(0.975, 5)) ** 2
    found = proportion(*sums(x, m))
    expected = proportion_confint(effective * p, effective, method="wilson")
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-10)


def test_independent_games_count_one_by_one():
    rng = np.random.default_rng(2)
    x = rng.binomial(4, 0.3, 5000)
    found, expected = proportion(*sums(x, [4] * 5000)), wilson(int(x.sum()), 20000)
    assert found.half_width == pytest.approx(expected.half_width, rel=0.05)


def test_rotations_that_cancel_luck_narrow_the_interval():
    """One win between the two games of 96% of deals: variance 0.04 a deal where chance has 0.5."""
    x = [1] * 960 + [2] * 20 + [0] * 20
    narrowed = proportion(*sums(x, [2] * 1000)).half_width / wilson(1000, 2000).half_width
    assert narrowed == pytest.approx((0.04 / 0.5) ** 0.5, rel=0.01)


def test_no_variance_bounds_the_share_of_deals_that_differ():
    always_one_of_two = proportion(*sums([1] * 100, [2] * 100))
    unseen = wilson(0, 100).high
    assert always_one_of_two.value == 0.5
    assert (always_one_of_two.low, always_one_of_two.high) == pytest.approx((0.5 - unseen / 2, 0.5 + unseen / 2))


@pytest.mark.parametrize("estimator", [ratio, proportion])
def test_no_deals(estimator):
    nothing = estimator(0, 0, 0, 0, 0, 0)
    assert nothing.value is nothing.low is nothing.high is None


def test_one_deal():
    assert (ratio(*sums([1], [2])).value, ratio(*sums([1], [2])).low) == (0.5, None)
    one = proportion(*sums([1], [2]))
    assert 0 < one.low < 0.2 and 0.8 < one.high < 1


@given(DEALS, st.integers(1, 10**17), st.floats(0.5, 0.9999))
def test_intervals_hold_their_value(deals, copies, level):
    x, m = zip(*deals, strict=True)
    counters = [copies * total for total in sums(x, m)]
    share = proportion(*counters, scale=12, level=level)
    assert 0 <= share.low <= share.value <= share.high <= 1
    average = ratio(*counters, scale=12, level=level)
    assert average.value == share.value
    if counters[0] > 1:
        assert average.low <= average.value <= average.high
    if counters[0] < 10**6:
        assert share.half_width > 0


@pytest.mark.parametrize("games", [10**17, 3 * 10**17, 10**18])
@pytest.mark.parametrize("losses", [0, 1, 2, 6, 20])
def test_a_few_losses_in_a_sea_of_wins(games, losses):
    """Interval and value fall within one rounding of each other, and must not cross."""
    wins = games - losses
    found = proportion(games, wins, games, wins, wins, games)
    assert found.low <= found.value <= found.high <= 1


@given(DEALS)
def test_losses_mirror_wins(deals):
    x, m = zip(*deals, strict=True)
    lost = [12 * games - won for won, games in deals]
    wins, losses = proportion(*sums(x, m), scale=12), proportion(*sums(lost, m), scale=12)
    assert (wins.low, wins.high) == pytest.approx((1 - losses.high, 1 - losses.low), abs=1e-9)


def test_numpy_counters_do_not_overflow():
    x, m = [10**9, 0, 3 * 10**8], [10**9, 10**9, 10**9]
    counters = sums(x, m)
    assert ratio(*map(np.int64, counters)) == ratio(*counters)
    assert proportion(*map(np.int64, counters)) == proportion(*counters)


@pytest.mark.parametrize(
    "counters",
    [
        (3, 1, 2, 1, 1, 2),  # fewer games than deals
        (2, 9, 4, 9, 9, 3),  # squares of games below the games
        (2, 3, 4, -5, 6, 8),  # a sum of squares that overflowed
        (0, 0, 4, 0, 0, 8),
        (-1, 0, 0, 0, 0, 0),
    ],
)
@pytest.mark.parametrize("estimator", [ratio, proportion])
def test_impossible_counters_are_refused(estimator, counters):
    with pytest.raises(ValueError):
        estimator(*counters)


def test_a_proportion_cannot_exceed_its_games():
    with pytest.raises(ValueError):
        proportion(*sums([3, 1], [2, 2]))


def coverage(estimates, truth):
    return np.mean([e.low <= truth <= e.high for e in estimates])


def test_ratio_coverage_with_correlated_games():
    """Games share their deal's luck, and lucky deals have more games, as unequal m allows."""
    rng = np.random.default_rng(3)
    luck = rng.integers(0, 4, (2000, 150))
    m = 1 + luck
    x = luck * m * 10 + rng.integers(-5, 6, luck.shape)
    truth = 10 * (0 * 1 + 1 * 2 + 2 * 3 + 3 * 4) / (1 + 2 + 3 + 4)
    clustered = [ratio(*sums(*deal)) for deal in zip(x, m, strict=True)]
    assert 0.935 < coverage(clustered, truth) < 0.965


@pytest.mark.parametrize(
    "p, deals, together",
    [(0.3, 100, 0.8), (0.5, 60, 1.0), (0.03, 400, 0.8), (0.97, 400, 0.8), (0.2, 100, 0.0)],
)
def test_proportion_coverage_with_correlated_games(p, deals, together):
    """With probability `together`, all four games of a deal end alike."""
    rng = np.random.default_rng(4)
    alike = rng.random((2000, deals)) < together
    x = np.where(alike, 4 * rng.binomial(1, p, alike.shape), rng.binomial(4, p, alike.shape))
    assert 0.93 < coverage([proportion(*sums(deal, [4] * deals)) for deal in x], p) < 0.975
    by_game = [wilson(int(deal.sum()), 4 * deals) for deal in x]
    assert together == 0 or coverage(by_game, p) < 0.85  # what clustering is for


@pytest.mark.parametrize("apart", [0.9, 0.7])
def test_proportion_coverage_with_opposite_games(apart):
    """With probability `apart`, the two rotations of a deal have one win between them."""
    rng = np.random.default_rng(5)
    same = rng.random((2000, 200)) >= apart
    x = np.where(same, 2 * rng.binomial(1, 0.6, same.shape), 1)
    truth = 0.5 * apart + 0.6 * (1 - apart)
    assert 0.93 < coverage([proportion(*sums(deal, [2] * 200)) for deal in x], truth) < 0.97
