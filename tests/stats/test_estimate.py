"""Estimate refuses whatever no table should print."""

import math

import pytest

from simkit.stats import Estimate


def test_half_width():
    assert Estimate(0.5, 0.25, 1.0, 0.95, 10).half_width == 0.375


@pytest.mark.parametrize("low, high", [(None, 1.0), (0.0, None), (None, None)])
def test_no_half_width_without_both_ends(low, high):
    assert Estimate(0.5, low, high, 0.95, 10).half_width is None


@pytest.mark.parametrize(
    "fields",
    [
        (math.nan, None, None, 0.95, 1),
        (1.0, -math.inf, 2.0, 0.95, 1),
        (1.0, 0.0, math.inf, 0.95, 1),
        (1.0, 1.5, 2.0, 0.95, 1),
        (1.0, 0.0, 0.5, 0.95, 1),
        (1.0, 0.0, 2.0, 1.0, 1),
        (1.0, 0.0, 2.0, 0.0, 1),
        (1.0, 0.0, 2.0, 0.95, -1),
    ],
)
def test_impossible_estimates_are_refused(fields):
    with pytest.raises(ValueError):
        Estimate(*fields)
