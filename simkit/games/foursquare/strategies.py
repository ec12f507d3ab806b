"""The players of Foursquare."""

from simkit._jit import count_bits, lowest_bit
from simkit.games.foursquare.position import face_down_after
from simkit.rng.jitted import below
from simkit.strategy import strategy


@strategy()
def random(view, params):
    """Any legal placement, each equally likely; defined to the letter on the rules page."""
    return below(view.stream, view.n_actions)


@strategy()
def cautious(view, params):
    """One of the placements that leave the fewest tops face down, each equally likely; defined to the letter on the
    rules page.
    """
    fewest, good = 99, 0
    for i in range(view.n_actions):
        down = count_bits(face_down_after(view, view.actions[i].cell))
        if down < fewest:
            fewest, good = down, 0
        if down == fewest:
            good |= 1 << i
    for _ in range(below(view.stream, count_bits(good))):
        good &= good - 1
    return lowest_bit(good)
