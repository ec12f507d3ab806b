"""The players of Skyjo. `random` and `cutoff` are defined on the rules page."""

from simkit._jit import count_bits, lowest_bit, nth_bit
from simkit.games.skyjo.grid import exchange_with, highest_bit
from simkit.games.skyjo.rules import LOWEST
from simkit.games.skyjo.state import OPEN_DECISION, SOURCE_DECISION, USE_DECISION
from simkit.rng.jitted import below
from simkit.strategy import strategy


@strategy()
def random(view, params):
    """Any legal action, each equally likely; defined to the letter on the rules page."""
    return below(view.stream, view.n_actions)


@strategy(k=4)
def cutoff(view, params):
    """Takes discards and keeps drawn cards up to k, in place of the highest face-up card above k or else a face-down
    card; rejects others and turns up a face-down card. Defined to the letter on the rules page.
    """
    if view.decision == OPEN_DECISION:
        return below(view.stream, view.n_actions)
    if view.decision == SOURCE_DECISION:
        return 0 if view.discard_top <= params.k else 1
    hidden = view.hidden_cells[view.seat]
    if view.decision == USE_DECISION and view.card > params.k:
        return view.n_exchanges + (below(view.stream, count_bits(hidden)) if hidden else 0)
    showing = view.showing[view.seat]
    highest = highest_bit(showing) if showing else 0
    if hidden and (showing == 0 or highest + LOWEST <= params.k):
        return exchange_with(view, nth_bit(hidden, below(view.stream, count_bits(hidden))))
    return exchange_with(view, lowest_bit(view.cells_of[view.seat, highest]))
