"""Whether shuffles are fair: position x card tables of the very code that kernels draw with, and their chi-square.

A shuffle is passed as a jitted function `shuffle(cards, drawn, stream)` that settles the first `drawn` places of
`cards`, so that a test can be shown faulty ones as well.
"""

from collections.abc import Callable

import numpy as np
from scipy import stats

from simkit._jit import jit
from simkit.rng import DEAL, STREAM
from simkit.rng.jitted import below, draw_next, open_stream


@jit
def production_shuffle(cards, drawn, stream):
    """What kernels do: draw one card after the other."""
    for position in range(drawn):
        draw_next(cards, position, len(cards), stream)


@jit
def _count(shuffle, table, drawn, kind, seed, first, shuffles):
    stream = np.zeros(1, STREAM)
    n = table.shape[1]
    cards = np.empty(n, np.int16)
    for game in range(shuffles):
        for place in range(n):
            cards[place] = place
        open_stream(stream[0], seed, first + np.uint64(game), kind, 1)
        shuffle(cards, drawn, stream[0])
        for place in range(table.shape[0]):
            table[place, cards[place]] += 1


def position_counts(
    shuffle: Callable, cards: int, drawn: int, shuffles: int, seed: int, kind: int = DEAL
) -> np.ndarray:
    """How often each card came to lie at each place: int64 (places, cards) over so many games of the seed.

    Only the first `drawn` places are shuffled and counted; of a deck drawn to its end the last place is left out, as
    it holds the card that is left.
    """
    table = np.zeros((min(drawn, cards - 1), cards), np.int64)
    _count(shuffle, table, drawn, kind, np.uint64(seed), np.uint64(0), shuffles)
    return table


def position_p_value(table: np.ndarray, shuffles: int) -> float:
    """Two-sided p-value of "each card is equally likely at each place" for a table of `position_counts`.

    The places of one shuffle hold different cards, so a cell of the table varies less than in a table of independent
    draws. With the cards that were not drawn as one more row, the usual sum of (O - E)^2 / E times (n - 1) / n is
    chi-square with places x (n - 1) degrees of freedom: the rows, scaled by the square roots of their places, are a
    projection of the permutation matrix, whose covariance is (I - J/n) x (I - J/n) / (n - 1).
    """
    places, cards = table.shape
    rest = shuffles - table.sum(axis=0)
    expected, expected_rest = shuffles / cards, shuffles * (cards - places) / cards
    total = ((table - expected) ** 2).sum() / expected + ((rest - expected_rest) ** 2).sum() / expected_rest
    return two_sided(total * (cards - 1) / cards, places * (cards - 1))


@jit
def _count_pairs(table, seeds, games, kinds, pairs):
    streams = np.zeros(2, STREAM)
    for pair in range(pairs):
        step = np.uint64(2 * pair)
        for i in range(2):
            open_stream(streams[i], seeds[i], step + games[i], kinds[i], 1)
        table[below(streams[0], table.shape[0]), below(streams[1], table.shape[1])] += 1


def pair_p_value(
    seeds: tuple[int, int], games: tuple[int, int], kinds: tuple[int, int], pairs: int, values: int = 40
) -> float:
    """Two-sided p-value of "the first numbers of two streams are independent and uniform", over every other game.

    Streams are named (seed, game, kind, 1) with the first and the second of each of the three pairs.
    """
    table = np.zeros((values, values), np.int64)
    _count_pairs(table, np.array(seeds, np.uint64), np.array(games, np.uint64), np.array(kinds, np.int64), pairs)
    return _even_p_value(table)


@jit
def _count_residues(draw, table, bound, seed, numbers):
    stream = np.zeros(1, STREAM)
    open_stream(stream[0], seed, np.uint64(0), DEAL, 1)
    for _ in range(numbers):
        number = draw(stream[0], bound)
        table[3 * number // bound, number % 3] += 1


def bound_p_value(draw: Callable, numbers: int, seed: int, bound: int = 3 << 30) -> float:
    """Two-sided p-value of "numbers below `bound` are uniform" by their third and their remainder by three.

    With a bound of three quarters of 2^32, taking a 32-bit word modulo the bound doubles the first third, and scaling
    it without rejection doubles one remainder: what is a bias of 1e-8 for a deck is plain to see here.
    """
    table = np.zeros((3, 3), np.int64)
    _count_residues(draw, table, bound, np.uint64(seed), numbers)
    return _even_p_value(table)


def _even_p_value(table: np.ndarray) -> float:
    """Of counts that are all equally likely."""
    expected = table.sum() / table.size
    return two_sided(((table - expected) ** 2).sum() / expected, table.size - 1)


def two_sided(statistic: float, freedom: int) -> float:
    """Two-sided p-value of a chi-square: a fit that is too good is as suspicious as one that is too bad."""
    return float(min(1.0, 2 * min(stats.chi2.sf(statistic, freedom), stats.chi2.cdf(statistic, freedom))))
