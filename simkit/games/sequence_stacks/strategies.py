"""The players of Sequence Stacks."""

from simkit.games.sequence_stacks.state import BLOCK_DECISION
from simkit.rng.jitted import below
from simkit.strategy import strategy


@strategy()
def random(view, params):
    """Any legal action, each equally likely; defined to the letter on the rules page."""
    return below(view.stream, view.n_actions)


@strategy()
def eager(view, params):
    """Lays a number or wild whenever one can be laid, else plays an action card, else discards; within each kind any
    choice is equally likely. Always blocks. Defined to the letter on the rules page.
    """
    if view.decision == BLOCK_DECISION:
        return 1
    if view.n_plays > 0:
        return below(view.stream, view.n_plays)
    if view.n_action_cards > 0:
        return view.n_plays + below(view.stream, view.n_action_cards)
    return below(view.stream, view.n_actions)
