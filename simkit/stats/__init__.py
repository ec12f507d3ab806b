"""Statistics of simulated deals: arrays and integers in, numbers out. Knows no game, prints nothing.

The unit of analysis is a deal: a cluster of one or several games, all rotations of the strategies over
the seats. Counters are exact integers (sums, sums of squares, cross-moments); no function sees data
game by game. Importing this package is cheap: scipy.special loads at the first interval, statsmodels at
the first Holm adjustment.
"""

from simkit.stats.clusters import proportion, ratio
from simkit.stats.compare import (
    MOST_DEALS,
    Contrast,
    Moments,
    Verdict,
    contrast,
    deals_needed,
    holm,
    verdict,
)
from simkit.stats.design import Effect, Factorial, factorial
from simkit.stats.estimate import Estimate
from simkit.stats.means import mean
from simkit.stats.proportions import bracket, wilson
from simkit.stats.quantiles import quantile

__all__ = [
    "MOST_DEALS",
    "Contrast",
    "Effect",
    "Estimate",
    "Factorial",
    "Moments",
    "Verdict",
    "bracket",
    "contrast",
    "deals_needed",
    "factorial",
    "holm",
    "mean",
    "proportion",
    "quantile",
    "ratio",
    "verdict",
    "wilson",
]
