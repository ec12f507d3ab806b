"""Shuffles that are wrong in the classic ways, to show that the shuffle test would see it."""

from simkit._jit import jit
from simkit.rng.jitted import below, word

NARROW = 256
"""Modulo of a 32-bit word is off by 1e-8 for a deck, which no test can see; of a word of eight bits it is plain."""


@jit
def any_position(cards, drawn, stream):
    """Swaps each card with any, drawn or not: n^n ways that n! orders cannot share evenly."""
    for i in range(drawn):
        j = below(stream, len(cards))
        cards[i], cards[j] = cards[j], cards[i]


@jit
def sattolo(cards, drawn, stream):
    """Never leaves a card where it is: only the orders that are one cycle."""
    for i in range(min(drawn, len(cards) - 1)):
        j = i + 1 + below(stream, len(cards) - i - 1)
        cards[i], cards[j] = cards[j], cards[i]


@jit
def modulo(cards, drawn, stream):
    """Takes a word modulo the number of cards that are left."""
    for i in range(drawn):
        j = i + (word(stream) % NARROW) % (len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]


@jit
def misses_last(cards, drawn, stream):
    """Stops one step early: the last two cards are never swapped with each other."""
    for i in range(min(drawn, len(cards) - 2)):
        j = i + below(stream, len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]


FAULTY = {
    "swap with any place": any_position,
    "Sattolo's cycle": sattolo,
    "modulo": modulo,
    "last card missed": misses_last,
}
