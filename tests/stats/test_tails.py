"""The quick special functions against scipy.stats, at all sizes."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from simkit.stats import tails

LEVELS = [0.5, 0.9, 0.95, 0.999, 1 - 1e-9]


@pytest.mark.parametrize("level", LEVELS)
def test_critical_z(level):
    assert tails.critical_z(level) == pytest.approx(scipy.stats.norm.isf((1 - level) / 2), rel=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("df", [1, 2, 10, 10**6, 10**12, 10**18])
def test_critical_t(level, df):
    assert tails.critical_t(level, df) == pytest.approx(scipy.stats.t.isf((1 - level) / 2, df), rel=1e-9)


@pytest.mark.parametrize("df", [1, 3, 10**6, 10**18])
@pytest.mark.parametrize("t", [0.0, 0.3, -2.0, 8.0, -37.0])
def test_two_sided_p(t, df):
    assert tails.two_sided_p(t, df) == pytest.approx(2 * scipy.stats.t.sf(abs(t), df), rel=1e-9)


def test_a_p_value_too_small_for_a_float_is_zero():
    assert tails.two_sided_p(1e9, 10**18) == 0.0


@given(st.integers(1, 10**5), st.floats(0.001, 0.999), st.floats(0.0005, 0.9995))
def test_binomial_quantile_is_the_smallest_that_reaches_the_probability(n, p, probability):
    k = tails.binomial_quantile(probability, n, p)
    below, reached = scipy.stats.binom.cdf([k - 1, k], n, p)
    assert below < probability * (1 + 1e-9) and reached > probability * (1 - 1e-9)


@pytest.mark.parametrize("probability, n, k", [(0.5, 1, 0), (0.25, 2, 0), (0.75, 2, 1), (0.5, 39, 19)])
def test_binomial_quantile_where_a_step_ends_just_there(probability, n, k):
    assert tails.binomial_quantile(probability, n, 0.5) == k


@given(st.integers(10**8, 10**14), st.floats(0.001, 0.999))
def test_binomial_quantile_of_huge_samples_follows_the_normal(n, p):
    deviations = (tails.binomial_quantile(0.975, n, p) - n * p) / math.sqrt(n * p * (1 - p))
    assert deviations == pytest.approx(1.96, abs=0.01)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, np.nan])
def test_a_level_outside_0_to_1_is_refused(level):
    with pytest.raises(ValueError, match="level"):
        tails.critical_z(level)
