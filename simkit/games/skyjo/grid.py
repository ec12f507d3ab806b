"""What masks of cells and of values tell, for the kernel and for strategies. Nothing here changes a view."""

from simkit._jit import count_bits, inline


@inline
def highest_bit(word):
    """Index of the highest set bit of a positive whole number below 2**16."""
    word |= word >> 1
    word |= word >> 2
    word |= word >> 4
    word |= word >> 8
    return count_bits(word) - 1


@inline
def exchange_with(view, cell):
    """The index of the exchange with this cell in play."""
    in_play = view.hidden_cells[view.seat] | view.open_cells[view.seat]
    return count_bits(in_play & ((1 << cell) - 1))
