"""Counter-based random streams: the same numbers from a jitted form and from a plain one.

A stream is named by (seed, game, kind, number). Its name goes through Philox4x32-10 (Salmon et al. 2011, "Parallel
random numbers: as easy as 1, 2, 3") once, keyed by the seed; the four words that come out are the key and the upper
counter of the stream's own Philox. Philox is a bijection for a given key, so no two streams of a seed are alike;
and a strategy that is handed its seat's stream cannot compute from it the seed, the deal, or another seat's stream.

`simkit.rng.plain` is the readable form, `simkit.rng.jitted` the fast one; `simkit selftest` compares them and checks
the published known-answer vectors.
"""

import numpy as np

STREAM = np.dtype(
    [("key", "u4", (2,)), ("upper", "u4", (2,)), ("block", "u4"), ("used", "u4"), ("words", "u4", (2 * 4,))], align=True
)
"""A stream in use: `words` holds Philox's latest two blocks, of which `used` words are spent and wiped; `block`
numbers the next one. Two at a time, because a processor computes two independent blocks nearly as fast as one."""

DEAL, RESHUFFLE, CHOICE, LOTS = range(4)
"""Kinds of stream. `number` is the round for DEAL, the reshuffle for RESHUFFLE, the seat for CHOICE, 0 for LOTS."""

MAX_SEED = 2**64 - 1
ROUNDS = 10
MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
KEY_STEPS = 0x9E3779B9, 0xBB67AE85
NUMBER_BITS = 28
"""A stream's kind and number share one 32-bit word of the counter: number below 2**28."""

KNOWN_ANSWERS = (
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
)
"""(counter, key, output) of Philox4x32-10 as published with Random123 (file `kat_vectors`)."""
