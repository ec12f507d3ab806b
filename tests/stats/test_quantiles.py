"""Quantiles of histograms and their order-statistic intervals."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from simkit.stats import quantile

HISTOGRAMS = st.dictionaries(st.integers(-50, 50), st.integers(0, 10**18), min_size=1, max_size=12)


def test_smallest_value_that_reaches_the_share():
    values, counts = [1, 2, 3, 4], [2, 3, 4, 1]
    assert [quantile(values, counts, p).value for p in (0.1, 0.2, 0.21, 0.5, 0.9, 0.91)] == [1, 1, 2, 2, 3, 4]


@pytest.mark.parametrize("p", [0.07, 0.29, 0.55, 0.57, 0.58])
def test_p_means_the_decimal_it_prints(p):
    """p * 100 in floats comes out just above the whole number for these."""
    values = np.arange(1, 101)
    assert quantile(values, np.ones(100, np.int64), p).value == round(100 * p)


@pytest.mark.parametrize("p, level", [(0.5, 0.95), (0.1, 0.9), (0.9, 0.99)])
def test_interval_agrees_with_scipy(p, level):
    sample = np.random.default_rng(6).permutation(300)
    found = quantile(np.arange(300), np.ones(300, np.int64), p, level)
    expected = scipy.stats.quantile_test(sample, p=p).confidence_interval(level)
    assert (found.low, found.high) == (expected.low, expected.high)
    assert (found.level, found.n) == (level, 300)


def test_an_end_that_no_order_statistic_bounds_is_missing():
    upper = quantile(np.arange(100), np.ones(100, np.int64), 0.99)
    assert upper.low is not None and upper.high is None and upper.half_width is None
    lower = quantile(np.arange(100), np.ones(100, np.int64), 0.01)
    assert lower.low is None and lower.high is not None


@pytest.mark.parametrize("values, counts", [([], []), ([5], [0])])
def test_no_games(values, counts):
    nothing = quantile(values, counts, 0.5)
    assert (nothing.value, nothing.low, nothing.high, nothing.n) == (None, None, None, 0)


def test_one_game():
    one = quantile([5], [1], 0.5)
    assert (one.value, one.low, one.high, one.n) == (5.0, None, None, 1)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_identical_games_of_a_deal_count_once(p):
    values = np.arange(200)
    once, thrice = np.ones(200, np.int64), np.full(200, 3)
    by_deal, single = quantile(values, thrice, p, deals=200), quantile(values, once, p)
    assert by_deal == single
    by_game = quantile(values, thrice, p)
    assert by_game.half_width < single.half_width


@given(HISTOGRAMS, st.floats(0.01, 0.99), st.floats(0.5, 0.999), st.integers(1, 7))
def test_interval_is_finite_around_the_value(histogram, p, level, games_a_deal):
    values = sorted(histogram)
    counts = [histogram[value] for value in values]
    deals = -(-sum(counts) // games_a_deal)
    for found in (quantile(values, counts, p, level), quantile(values, counts, p, level, deals)):
        present = [end for end in (found.low, found.value, found.high) if end is not None]
        assert present == sorted(present) and set(present) <= {v for v in values if histogram[v]}
        assert (found.value is None) == (sum(counts) == 0)


@pytest.mark.parametrize(
    "values, counts, p, deals",
    [
        ([2, 1], [1, 1], 0.5, None),
        ([1, 1], [1, 1], 0.5, None),
        ([1, 2], [1], 0.5, None),
        ([1, 2], [1, -1], 0.5, None),
        ([1, 2], [1, 1], 0.0, None),
        ([1, 2], [1, 1], 1.0, None),
        ([1, 2], [1, 1], 0.5, 3),
        ([1, 2], [1, 1], 0.5, 0),
    ],
)
def test_impossible_histograms_are_refused(values, counts, p, deals):
    with pytest.raises(ValueError):
        quantile(values, counts, p, deals=deals)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("games_a_deal", [1, 4])
def test_coverage(p, games_a_deal):
    """Fine-grained values, all games of a deal alike: close to the level, never below it."""
    rng = np.random.default_rng(7)
    truth = np.ceil(10**6 * p) - 1
    holds = []
    for _ in range(2000):
        values, counts = np.unique(rng.integers(0, 10**6, 120), return_counts=True)
        deals = 120 if games_a_deal > 1 else None
        found = quantile(values, counts * games_a_deal, p, deals=deals)
        holds.append(found.low <= truth <= found.high)
    assert 0.94 < np.mean(holds) < 0.985
