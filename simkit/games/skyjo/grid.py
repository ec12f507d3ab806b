"""What masks of cells and of values tell, for the kernel and for strategies. Nothing here changes a view."""

from simkit._jit import count_bits, inline, lowest_bit


@inline
def highest_bit(word):
    """Index of the highest set bit of a positive whole number below 2**16."""
    word |= word >> 1
    word |= word >> 2
    word |= word >> 4
    word |= word >> 8
    return count_bits(word) - 1


@inline
def nth_cell(cells, n):
    """The n-th cell of a mask (or seat, if it is one of seats), counted from 0."""
    for _ in range(n):
        cells &= cells - 1
    return lowest_bit(cells)


@inline
def exchange_with(view, cell):
    """The index of the exchange with this cell in play."""
    in_play = view.hidden_cells[view.seat] | view.open_cells[view.seat]
    return count_bits(in_play & ((1 << cell) - 1))
