"""Paired comparisons on common deals, and what may be said about them."""

import gc
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.weightstats import ttost_paired

from simkit.stats import (
    MOST_DEALS,
    Contrast,
    Estimate,
    Moments,
    Verdict,
    contrast,
    deals_needed,
    factorial,
    holm,
    verdict,
)

PAIR = (1, -1)


def moments(cells):
    """The moments of cell values, shape (deals, k)."""
    exact = np.array(cells, dtype=object)
    return Moments(len(exact), exact.sum(axis=0), exact.T @ exact)


def common_deals(rng, deals, means, noise=1.0, luck=5.0):
    """Cells, shape (deals, k), that share each deal's luck."""
    values = rng.normal(0, luck, (deals, 1)) + rng.normal(means, noise, (deals, len(means)))
    return np.rint(100 * values).astype(np.int64)


def seen(value, se, n=10**6, level=0.95):
    """A contrast as estimated from many deals, for judging."""
    p = float(2 * scipy.stats.norm.sf(abs(value) / se))
    half_width = se * float(scipy.stats.norm.isf((1 - level) / 2))
    return Contrast(Estimate(value, value - half_width, value + half_width, level, n), se, p, 0.5)


# --- contrast


def test_two_cells_are_a_paired_t_test():
    cells = common_deals(np.random.default_rng(1), 50, [1.0, 1.2])
    found = contrast(moments(cells), PAIR, level=0.9)
    expected = scipy.stats.ttest_rel(cells[:, 0], cells[:, 1])
    interval = expected.confidence_interval(0.9)
    assert found.estimate.value == pytest.approx((cells[:, 0] - cells[:, 1]).mean(), rel=1e-12)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((interval.low, interval.high), rel=1e-10)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert (found.estimate.n, found.estimate.level) == (50, 0.9)


def test_any_weights_are_a_t_test_of_the_combined_deals():
    cells = common_deals(np.random.default_rng(2), 40, [0, 1, 2, 4])
    for effect in factorial(["a", "b"]).effects:
        combined = cells @ effect.weights / 100
        expected = scipy.stats.ttest_1samp(combined, 0)
        found = contrast(moments(cells), effect.weights, scale=100)
        assert found.estimate.value == pytest.approx(combined.mean(), rel=1e-12)
        assert found.se == pytest.approx(combined.std(ddof=1) / np.sqrt(40), rel=1e-10)
        assert found.p_value == pytest.approx(expected.pvalue, rel=1e-8)


def test_variance_ratio_says_what_common_deals_save():
    cells = common_deals(np.random.default_rng(3), 4000, [0, 0], noise=1.0, luck=3.0)
    a, b = cells.T.astype(float)
    found = contrast(moments(cells), PAIR)
    assert found.variance_ratio == pytest.approx((a - b).var() / (a.var() + b.var()), rel=1e-10)
    assert found.variance_ratio == pytest.approx(0.1, abs=0.02)  # noise^2 / (noise^2 + luck^2)


def test_no_deals_and_one_deal():
    nothing = contrast(Moments(0, np.zeros(2, np.int64), np.zeros((2, 2), np.int64)), PAIR)
    assert nothing.estimate.value is nothing.se is nothing.p_value is nothing.variance_ratio is None
    one = contrast(moments([[3, 1]]), PAIR)
    assert (one.estimate.value, one.estimate.low, one.se, one.p_value) == (2.0, None, None, None)
    for unknown in (nothing, one):
        assert verdict(unknown, 0.1) == Verdict("undecided", None)
        assert deals_needed(unknown, 0.1) is None


def test_no_variance_counts_as_one_deal_off_by_a_step():
    """Same as the data in which one deal of n is off by a step has it, whatever the value."""
    n = 25
    one_off = contrast(moments([[1, 0]] + [[0, 0]] * (n - 1)), PAIR, scale=12)
    equal, ahead = (contrast(moments([[d, 0]] * n), PAIR, scale=12) for d in (0, 3))
    assert equal.se == ahead.se == one_off.se == pytest.approx(1 / (12 * n))
    assert (equal.estimate.value, equal.p_value, equal.variance_ratio) == (0.0, 1.0, None)
    doubled = contrast(moments([[0, 0]] * n), (2, -2), scale=12)
    assert doubled.se == pytest.approx(2 * equal.se)
    assert ahead.estimate.value == 0.25 and 0 < ahead.p_value < 1e-9


def test_two_lucky_deals_prove_nothing():
    assert verdict(contrast(moments([[1, 0], [1, 0]]), PAIR), 0.0).word == "undecided"
    assert verdict(contrast(moments([[0, 0], [0, 0]]), PAIR), 0.01).word == "undecided"


def test_cells_that_vary_alike_have_variance_ratio_0():
    assert contrast(moments([[0, 5], [1, 6], [7, 12]]), PAIR).variance_ratio == 0.0


def test_sums_beyond_64_bits_stay_exact():
    """Squares of 10^18: the difference of two cells is lost in floats and overflows int64."""
    cells = [[10**18 + d, 10**18] for d in (1, 2, 3)]
    small = [[d, 0] for d in (1, 2, 3)]
    large, expected = contrast(moments(cells), PAIR), contrast(moments(small), PAIR)
    assert (large.estimate, large.se, large.p_value) == (expected.estimate, expected.se, expected.p_value)


def test_int64_moments_do_not_overflow():
    cells = np.array([[2 * 10**9, 0], [0, 10**9]])
    exact = moments(cells.tolist())
    narrow = Moments(np.int64(2), exact.sums.astype(np.int64), exact.cross.astype(np.int64))
    assert contrast(narrow, PAIR) == contrast(exact, PAIR)


@given(
    st.lists(st.lists(st.integers(-(10**18), 10**18), min_size=3, max_size=3), min_size=1, max_size=6),
    st.lists(st.fractions(-3, 3, max_denominator=12), min_size=3, max_size=3).filter(any),
    st.integers(1, 10**6),
    st.floats(0.5, 0.9999),
)
def test_contrasts_are_finite_around_their_value(cells, weights, scale, level):
    found = contrast(moments(cells), weights, scale, level)
    estimate = found.estimate
    if len(cells) == 1:
        assert estimate.half_width is found.se is None
    else:
        assert estimate.low <= estimate.value <= estimate.high
        assert found.se > 0 and 0 <= found.p_value <= 1
        assert found.variance_ratio is None or 0 <= found.variance_ratio <= 3 + 1e-9
    means = [Fraction(sum(column), len(cells) * scale) for column in zip(*cells, strict=True)]
    assert estimate.value == float(sum(w * m for w, m in zip(weights, means, strict=True)))


@pytest.mark.parametrize("weights", [(1,), (1, -1, 0), (0, 0)])
def test_wrong_weights_are_refused(weights):
    with pytest.raises(ValueError, match="weights"):
        contrast(moments([[1, 2], [3, 4]]), weights)


@pytest.mark.parametrize(
    "deals, sums, cross",
    [
        (2, [1, 1], [[1, 0], [1, 1]]),  # not symmetric
        (2, [1, 1], [[1, 0, 0], [0, 1, 0]]),  # not square
        (2, [9, 1], [[1, 0], [0, 1]]),  # squares too small
        (-1, [0, 0], [[0, 0], [0, 0]]),
    ],
)
def test_impossible_moments_are_refused(deals, sums, cross):
    with pytest.raises(ValueError):
        Moments(deals, np.array(sums), np.array(cross))


def test_impossible_cross_moments_are_refused():
    impossible = Moments(2, np.array([0, 0]), np.array([[2, 3], [3, 2]]))
    with pytest.raises(ValueError, match="cross-moments"):
        contrast(impossible, PAIR)


def test_float_moments_are_refused():
    with pytest.raises(TypeError):
        Moments(2, np.array([0.0, 1.0]), np.array([[2, 0], [0, 2]]))


@pytest.mark.parametrize("weights", [(1, -1, 0, 0), (0.5, -0.5, 0.5, -0.5), (1, -1, -1, 1)])
def test_coverage_of_paired_contrasts(weights):
    """Skewed integer values with a luck that the cells share; p-values are uniform under no difference."""
    rng = np.random.default_rng(9)
    means = np.array([2.0, 2.0, 1.0, 1.0])
    truth = float(np.dot(weights, means))
    luck = rng.poisson(6, (2000, 60, 1))
    cells = luck + rng.poisson(means, (2000, 60, 4))
    found = [contrast(moments(deals), weights) for deals in cells.tolist()]
    assert 0.935 < np.mean([c.estimate.low <= truth <= c.estimate.high for c in found]) < 0.965
    assert scipy.stats.kstest([c.p_value for c in found], "uniform").pvalue > 1e-3
    assert np.mean([c.variance_ratio for c in found]) < 0.5


# --- verdict


@pytest.mark.parametrize(
    "value, se, margin, expected",
    [
        (0.5, 0.1, 0.0, Verdict("higher", True)),
        (-0.5, 0.1, 0.0, Verdict("lower", True)),
        (0.5, 0.1, 0.2, Verdict("higher", True)),  # all beyond the margin
        (-0.5, 0.1, 0.2, Verdict("lower", True)),
        (0.5, 0.1, 0.5, Verdict("higher", None)),  # differs; matters perhaps
        (-0.5, 0.1, 0.5, Verdict("lower", None)),
        (0.5, 0.1, 0.9, Verdict("no relevant difference", False)),  # significant, too small to matter
        (0.05, 0.1, 0.9, Verdict("no relevant difference", False)),
        (0.05, 0.1, 0.2, Verdict("undecided", None)),  # reaches over 0 and over the margin
        (0.0, 0.1, 0.0, Verdict("undecided", None)),
    ],
)
def test_verdict_by_where_the_interval_lies(value, se, margin, expected):
    assert verdict(seen(value, se), margin) == expected


@pytest.mark.parametrize("value, word, relevant", [(0.21, "higher", None), (0.19, "undecided", None)])
def test_verdict_agrees_with_the_interval_at_its_edges(value, word, relevant):
    found = seen(value, 0.1)  # the interval is +-0.196
    assert (found.estimate.low > 0) == (word == "higher")
    assert verdict(found, 0.3) == Verdict(word, relevant)


def test_within_the_margin_is_two_one_sided_tests():
    """The edge of 'no relevant difference' is where TOST has p = 0.025 on its worse side."""
    cells = common_deals(np.random.default_rng(10), 80, [0.0, 0.1]) / 1.0
    found = contrast(moments(cells.astype(int)), PAIR)
    edge = max(abs(found.estimate.low), abs(found.estimate.high))
    for margin, inside in ((edge * 1.0001, True), (edge * 0.9999, False)):
        tost = ttost_paired(cells[:, 0], cells[:, 1], -margin, margin)[0]
        assert (tost < 0.025) == inside
        assert (verdict(found, margin).word == "no relevant difference") == inside


def test_a_family_is_judged_by_its_adjusted_p_values():
    found = seen(0.25, 0.1)  # p = 0.012
    assert verdict(found, 0.0).word == "higher"
    assert verdict(found, 0.0, p_value=0.06, family=10).word == "undecided"
    assert verdict(found, 0.0, p_value=0.03, family=10) == Verdict("higher", True)
    assert verdict(found, 0.0, family=10).word == "undecided"  # Bonferroni unless told better


def test_a_family_needs_more_to_be_without_relevant_difference():
    found = seen(0.0, 0.1)  # +-0.196 alone, +-0.281 as one of ten
    assert verdict(found, 0.25) == Verdict("no relevant difference", False)
    assert verdict(found, 0.25, p_value=1.0, family=10) == Verdict("undecided", None)
    assert verdict(found, 0.29, p_value=1.0, family=10) == Verdict("no relevant difference", False)


def test_verdict_keeps_the_level_of_its_estimate():
    found = seen(0.22, 0.1)  # p = 0.028
    strict = replace(found, estimate=replace(found.estimate, level=0.99))
    assert (verdict(found, 0.0).word, verdict(strict, 0.0).word) == ("higher", "undecided")


@pytest.mark.parametrize("margin, family", [(-0.1, 1), (float("nan"), 1), (0.1, 0)])
def test_wrong_margins_and_families_are_refused(margin, family):
    with pytest.raises(ValueError):
        verdict(seen(0.1, 0.1), margin, family=family)


def test_false_claims_are_rare_in_a_family():
    """Eight equal cells against a ninth: some claim of a difference in at most 5% of families."""
    gc.freeze()  # statsmodels collects garbage in every call, which is slow among a test run's objects
    rng = np.random.default_rng(11)
    weights = np.hstack([np.eye(8), -np.ones((8, 1))])
    claimed, unadjusted = [], []
    for _ in range(500):
        cells = moments(rng.poisson(5, (60, 9)).tolist())
        family = [contrast(cells, w) for w in weights]
        adjusted = holm([c.p_value for c in family])
        words = [verdict(c, 0.0, p, 8).word for c, p in zip(family, adjusted, strict=True)]
        claimed.append(any(word != "undecided" for word in words))
        unadjusted.append(any(verdict(c, 0.0).word != "undecided" for c in family))
    gc.unfreeze()
    assert np.mean(claimed) < 0.075
    assert np.mean(unadjusted) > 0.15


# --- holm


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02]
    assert holm([]) == []


def test_a_contrast_without_p_value_stays_in_the_family():
    assert holm([0.01, None, 0.02]) == pytest.approx([0.03, None, 0.04])


# --- deals_needed


@pytest.mark.parametrize("value, margin", [(0.5, 0.0), (0.5, 0.2), (0.0, 0.9)])
def test_nothing_more_is_needed_once_decided(value, margin):
    assert verdict(seen(value, 0.1), margin).decided
    assert deals_needed(seen(value, 0.1), margin) is None


def test_deals_needed_by_hand():
    """Total n = deals * ((z_0.975 + z_0.9) * se / gap)^2; for equivalence z_0.95 replaces z_0.9."""
    n = 10**4
    assert deals_needed(seen(0.1, 0.1, n), 0.0) == pytest.approx(n * (1.95996 + 1.28155) ** 2 - n, abs=2)
    assert deals_needed(seen(0.3, 0.1, n), 0.2) == pytest.approx(n * (1.95996 + 1.28155) ** 2 - n, abs=2)
    assert deals_needed(seen(0.1, 0.1, n), 0.2) == pytest.approx(n * (1.95996 + 1.64485) ** 2 - n, abs=2)


def test_significant_but_perhaps_irrelevant_is_not_decided():
    assert deals_needed(seen(0.3, 0.1), 0.2) > 0


def test_a_family_and_a_higher_power_need_more():
    found = seen(0.1, 0.1)
    assert deals_needed(found, 0.0) < deals_needed(found, 0.0, family=10)
    assert deals_needed(found, 0.0) < deals_needed(found, 0.0, power=0.99)


@pytest.mark.parametrize("value, margin", [(0.0, 0.0), (0.2, 0.2), (1e-9, 0.0)])
def test_what_no_number_of_deals_decides_is_capped(value, margin):
    assert deals_needed(seen(value, 0.1), margin) == MOST_DEALS


def test_at_least_one_more_deal():
    found = seen(0.197, 0.1, n=10**6)  # p just below 5%, but its family says otherwise
    assert deals_needed(found, 0.0, p_value=0.051, power=0.01) == 1


@pytest.mark.parametrize("difference, margin", [(0.3, 0.0), (0.5, 0.2), (0.0, 0.3), (0.1, 0.3)])
def test_as_many_deals_as_said_decide_as_often_as_said(difference, margin):
    """Draw totals of the size that a first look of 20 deals, right by luck, asks for: 90% of them decide."""
    rng = np.random.default_rng(12)
    se = float(np.sqrt(2 / 20))  # noise of two cells
    total = 20 + deals_needed(seen(difference, se, 20), margin)
    decided = []
    for _ in range(400):
        cells = common_deals(rng, total, [difference, 0.0])
        found = contrast(Moments(total, cells.sum(axis=0), cells.T @ cells), PAIR, scale=100)
        decided.append(verdict(found, margin).decided)
    assert 0.85 < np.mean(decided) < 0.97
