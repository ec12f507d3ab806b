"""Wilson's interval: closed form, statsmodels, properties for any counters, coverage."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from simkit.stats import bracket, wilson

COUNTERS = st.integers(1, 10**18).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize("successes, n", [(0, 1), (1, 1), (0, 20), (20, 20), (7, 20), (1, 10**9)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_agrees_with_statsmodels(successes, n, level):
    found = wilson(successes, n, level)
    low, high = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9, abs=1e-15)
    assert (found.value, found.level, found.n) == (successes / n, level, n)


def test_shared_wins_may_be_fractions():
    assert wilson(Fraction(5, 2), 10) == wilson(2.5, 10)
    low, high = proportion_confint(2.5, 10, method="wilson")
    assert (wilson(2.5, 10).low, wilson(2.5, 10).high) == pytest.approx((low, high))


def test_nothing_played_has_no_value():
    assert wilson(0, 0).value is wilson(0, 0).low is wilson(0, 0).high is None


@given(COUNTERS, st.floats(0.5, 0.9999))
@example((1, 10**18), 0.95)
@example((10**18 - 1, 10**18), 0.95)
def test_interval_lies_in_0_to_1_around_the_value(counters, level):
    successes, n = counters
    found = wilson(successes, n, level)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert (found.low == 0) == (successes == 0)
    assert successes < n or found.high == 1
    assert found.half_width > 0 or n > 10**14


def test_a_tiny_upper_end_keeps_its_digits():
    """At 0 of n it is z^2 / (n + z^2), of which 1 minus a rounded number would leave little."""
    assert wilson(0, 10**15).high == pytest.approx(1.959963984540054**2 / 1e15, rel=1e-12)


@given(COUNTERS)
def test_losses_mirror_wins(counters):
    successes, n = counters
    won, lost = wilson(successes, n), wilson(n - successes, n)
    assert (won.low, won.high) == pytest.approx((1 - lost.high, 1 - lost.low), abs=1e-15)


@pytest.mark.parametrize("successes, n", [(-1, 10), (11, 10), (0.5, 0), (math.nan, 10), (0, -1)])
def test_impossible_counters_are_refused(successes, n):
    with pytest.raises(ValueError):
        wilson(successes, n)


def test_numpy_counters_are_taken_exactly():
    assert wilson(np.int64(10**18 - 1), np.int64(10**18)) == wilson(10**18 - 1, 10**18)


def test_bracket_counts_undecided_as_lost_and_as_won():
    assert bracket(3, 4, 10, 0.9) == (wilson(3, 10, 0.9), wilson(7, 10, 0.9))


def test_bracket_refuses_more_undecided_than_played():
    with pytest.raises(ValueError):
        bracket(8, 3, 10)
    with pytest.raises(ValueError):
        bracket(8, -1, 10)


@pytest.mark.parametrize("p, n", [(0.5, 100), (0.1, 300), (0.01, 2000), (0.97, 400)])
def test_coverage(p, n):
    """Exact coverage, summed over all outcomes: Wilson's oscillates about its level."""
    from scipy.stats import binom

    k = np.arange(n + 1)
    found = [wilson(int(successes), n) for successes in k]
    holds = np.array([e.low <= p <= e.high for e in found])
    assert 0.93 < binom.pmf(k, n, p)[holds].sum() < 0.97
