"""The t interval from exact integer sums."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from simkit.stats import mean


def sums(values):
    return len(values), sum(values), sum(value * value for value in values)


def test_agrees_with_scipy():
    values = [3, -1, 4, 1, -5, 9, 2, 6]
    found = mean(*sums(values), level=0.9)
    expected = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert found.value == np.mean(values)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert (found.level, found.n) == (0.9, 8)


def test_scale_divides_value_and_interval():
    whole, scaled = mean(*sums([1, 5, 12])), mean(*sums([1, 5, 12]), scale=12)
    assert scaled.value == pytest.approx(whole.value / 12)
    assert scaled.half_width == pytest.approx(whole.half_width / 12)


def test_no_cancellation_far_from_zero():
    """Squares of 10^12 exceed a float's digits: only exact sums find a spread of 1."""
    near, far = mean(*sums([0, 1, 2])), mean(*sums([10**12, 10**12 + 1, 10**12 + 2]))
    assert far.half_width == pytest.approx(near.half_width, rel=1e-4)


def test_numpy_sums_do_not_overflow():
    values = [3 * 10**9, -(3 * 10**9)]
    found = mean(np.int64(2), np.int64(0), np.uint64(18 * 10**18))
    assert found == mean(*sums(values))


def test_nothing_one_and_no_variance():
    assert mean(0, 0, 0).value is None
    one = mean(1, 7, 49)
    assert (one.value, one.low, one.high, one.half_width) == (7.0, None, None, None)
    same = mean(5, 35, 245)
    assert (same.value, same.low, same.high) == (7.0, 7.0, 7.0)


@pytest.mark.parametrize("n, total, squares", [(3, 10, 20), (3, 0, -1), (-1, 0, 0), (0, 1, 1)])
def test_impossible_sums_are_refused(n, total, squares):
    with pytest.raises(ValueError):
        mean(n, total, squares)


@given(
    st.lists(st.integers(-(10**18), 10**18), min_size=2, max_size=8),
    st.integers(1, 10**18),
    st.integers(1, 10**6),
    st.floats(0.5, 0.9999),
)
def test_interval_is_finite_around_the_value(values, copies, scale, level):
    n, total, squares = sums(values)
    found = mean(n * copies, total * copies, squares * copies, scale, level)
    assert found.low <= found.value <= found.high
    assert found.value == float(Fraction(total, n * scale))
    # Where the half-width is not lost in the rounding of a much larger value:
    if len(set(values)) > 1 and copies == 1:
        assert found.half_width > 0


def test_a_wrong_level_is_refused_even_without_an_interval():
    with pytest.raises(ValueError, match="level"):
        mean(1, 7, 49, level=95)


def test_coverage():
    rng = np.random.default_rng(20)
    values = rng.poisson(4, (4000, 30))
    found = [mean(30, int(row.sum()), int((row * row).sum())) for row in values]
    share = np.mean([e.low <= 4 <= e.high for e in found])
    assert 0.935 < share < 0.965
