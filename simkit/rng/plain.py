"""The streams in plain Python: slow, obvious, and bit for bit the same as `simkit.rng.jitted`."""

from collections.abc import MutableSequence

import numpy as np

from simkit.rng import KEY_STEPS, MULTIPLIERS, NUMBER_BITS, ROUNDS, STREAM

WORD = 0xFFFFFFFF


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Four 32-bit words of Philox4x32-10 for a counter of four words and a key of two."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        first, second = c0 * MULTIPLIERS[0], c2 * MULTIPLIERS[1]
        c0, c1, c2, c3 = (second >> 32) ^ c1 ^ k0, second & WORD, (first >> 32) ^ c3 ^ k1, first & WORD
        k0, k1 = (k0 + KEY_STEPS[0]) & WORD, (k1 + KEY_STEPS[1]) & WORD
    return c0, c1, c2, c3


class Stream:
    """The stream named (seed, game, kind, number)."""

    def __init__(self, seed: int, game: int, kind: int, number: int = 0):
        name = (kind << NUMBER_BITS) | number, 0, game & WORD, game >> 32
        self._key_and_upper = philox(name, (seed & WORD, seed >> 32))
        self._block = 0
        self._unspent: list[int] = []

    def word(self) -> int:
        """The next 32 random bits."""
        if not self._unspent:
            k0, k1, u0, u1 = self._key_and_upper
            for block in (self._block, self._block + 1):
                self._unspent += philox((block, 0, u0, u1), (k0, k1))
            self._block += 2
        return self._unspent.pop(0)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each exactly equally likely (Lemire 2019, algorithm 5); n below 2**32."""
        product = self.word() * n
        if product & WORD < n:
            while product & WORD < (2**32 - n) % n:
                product = self.word() * n
        return product >> 32

    def shuffle(self, cards: MutableSequence) -> None:
        """Fisher–Yates from the front: what stands at position i is final after step i."""
        for i in range(len(cards) - 1):
            j = i + self.below(len(cards) - i)
            cards[i], cards[j] = cards[j], cards[i]

    def record(self) -> np.ndarray:
        """The stream in its present state as a STREAM record, for a strategy's view."""
        used = STREAM["words"].shape[0] - len(self._unspent)
        k0, k1, u0, u1 = self._key_and_upper
        return np.array(((k0, k1), (u0, u1), self._block, used, [0] * used + self._unspent), STREAM)
