"""The streams for kernels and strategies. `below(view.stream, n)` is what a strategy draws its lots with."""

import numpy as np

from simkit._jit import inline, jit
from simkit.rng import KEY_STEPS, MULTIPLIERS, NUMBER_BITS

M0, M1 = np.uint64(MULTIPLIERS[0]), np.uint64(MULTIPLIERS[1])
W0, W1 = np.uint64(KEY_STEPS[0]), np.uint64(KEY_STEPS[1])
WORD = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


@inline
def philox(c0, c1, c2, c3, k0, k1):
    """Philox4x32-10; words as uint64 below 2**32, in and out."""
    for _ in range(10):
        first = c0 * M0
        second = c2 * M1
        c0 = (second >> HALF) ^ c1 ^ k0
        c1 = second & WORD
        c2 = (first >> HALF) ^ c3 ^ k1
        c3 = first & WORD
        k0 = (k0 + W0) & WORD
        k1 = (k1 + W1) & WORD
    return c0, c1, c2, c3


@jit
def open_stream(stream, seed, game, kind, number):
    """Make `stream` (a STREAM record) the stream named (seed, game, kind, number), from its start."""
    name = np.uint64((kind << NUMBER_BITS) | number)
    w0, w1, w2, w3 = philox(name, np.uint64(0), game & WORD, game >> HALF, seed & WORD, seed >> HALF)
    stream.key[0] = w0
    stream.key[1] = w1
    stream.upper[0] = w2
    stream.upper[1] = w3
    stream.block = 0
    stream.used = 8


@inline
def copy_stream(to, source):
    """Make `to` (a STREAM record) the same stream, as far along."""
    # All is read before anything is written: the compiler can then move it in wide pieces.
    k0, k1, u0, u1 = source.key[0], source.key[1], source.upper[0], source.upper[1]
    block, used = source.block, source.used
    w0, w1, w2, w3 = source.words[0], source.words[1], source.words[2], source.words[3]
    w4, w5, w6, w7 = source.words[4], source.words[5], source.words[6], source.words[7]
    to.key[0], to.key[1], to.upper[0], to.upper[1] = k0, k1, u0, u1
    to.block, to.used = block, used
    to.words[0], to.words[1], to.words[2], to.words[3] = w0, w1, w2, w3
    to.words[4], to.words[5], to.words[6], to.words[7] = w4, w5, w6, w7


@jit
def _next_blocks(stream):
    k0, k1 = np.uint64(stream.key[0]), np.uint64(stream.key[1])
    u0, u1 = np.uint64(stream.upper[0]), np.uint64(stream.upper[1])
    block = np.uint64(stream.block)
    a0, a1, a2, a3 = philox(block, np.uint64(0), u0, u1, k0, k1)
    b0, b1, b2, b3 = philox(block + np.uint64(1), np.uint64(0), u0, u1, k0, k1)
    words = stream.words
    words[0], words[1], words[2], words[3] = a0, a1, a2, a3
    words[4], words[5], words[6], words[7] = b0, b1, b2, b3
    stream.block += 2
    stream.used = 0


@inline
def word(stream):
    """The next 32 random bits of a STREAM record, as uint64."""
    if stream.used >= 8:
        _next_blocks(stream)
    value = np.uint64(stream.words[stream.used])
    # A spent word is wiped: the record then holds the stream's future only, in both forms the same bytes.
    stream.words[stream.used] = 0
    stream.used += 1
    return value


@inline
def below(stream, n):
    """A whole number from 0 to n - 1, each exactly equally likely (Lemire 2019, algorithm 5); n from 1 to 2**32 - 1."""
    bound = np.uint64(n)
    product = word(stream) * bound
    if (product & WORD) < bound:
        least = (np.uint64(1 << 32) - bound) % bound
        while (product & WORD) < least:
            product = word(stream) * bound
    return np.int64(product >> HALF)


@inline
def draw_next(cards, position, n, stream):
    """One step of the Fisher–Yates shuffle of `cards[:n]`: the card at `position`, drawn from those not yet drawn.

    Calling it for position 0, 1, … only as far as cards are needed gives the same cards as shuffling all of them
    first: most of a deck is never drawn.
    """
    j = position + below(stream, n - position) if position < n - 1 else position
    card = cards[j]
    cards[j] = cards[position]
    cards[position] = card
    return card
