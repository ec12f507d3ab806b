"""The search of the solver: all positions that are possible after a card (a layer), then those after the next card.

Alike positions are one (`alike`), and those that `prospects.repairs` proves lost are left out. Where a layer is wider
than allowed, only its best positions are kept: the search is then a beam that may miss a win. One that was never cut
and found no win has proved that there is none. Every search has a goal, the number of cards in which to win; a small
goal spares few cards for piles and leaves few positions.
"""

import numpy as np

from simkit._jit import inline, jit
from simkit.games.foursquare.alike import alike_heights, alike_ranks, fill_alike, key_of, packed, unpacked
from simkit.games.foursquare.grid import first_free, is_solved, may_place, nibbles_in, piles_of, placed, spanned
from simkit.games.foursquare.prospects import cost_of, fill_calm, repairs
from simkit.games.foursquare.rules import FRAME, MOST_RANKS, MOST_SUITS, PILES
from simkit.games.foursquare.state import ORIGIN, SIDE

NOISE = 63
"""Up to this is added to a position's cost by lot (by its hash): beams of positions that differ more win more deals."""
COSTS = 4096
LIKELY_CHILDREN = 32
"""A beam's table has room for so many positions for each one kept."""
LEAST_SLOTS = 1024

NODE = np.dtype(
    [
        ("ranks", "i8"),  # the position, see `alike.packed`
        ("second", "i8"),
        ("key", "i8"),  # see `alike.key_of`
        ("second_key", "i8"),
        ("parent", "i4"),  # the node before the last placement
        ("cost", "i2"),
        ("move", "i2"),  # that placement, counted from the corner of the parent's grid
    ],
    align=True,
)
SEARCH = np.dtype(
    [
        ("stock", "i1", (MOST_RANKS * MOST_SUITS,)),  # ranks in the order in which they come
        ("cards", "i8"),  # in the stock
        ("begun", "i8"),  # cards placed on node 0, the position that the search starts from
        ("goal", "i8"),  # win with so many cards at most
        ("width", "i8"),  # positions kept of a layer
        ("capacity", "i8"),  # nodes that may be used
        ("slots", "i8"),  # of the table, a power of 2
        ("cut", "i8"),  # whether a layer was wider
        ("placed", "i8"),  # cards, before the layer that is being filled
        ("first", "i8"),  # that layer's nodes are first … end - 1
        ("end", "i8"),
        ("most", "i8"),  # where it must be cut
        ("alike", "u1", (256,)),
        ("calm", "i8", (256,)),
        ("tally", "i4", (COSTS,)),  # nodes of each cost
    ],
    align=True,
)
LOST, WON_NOW, OPEN = range(3)


@inline
def _hash_of(key, second):
    mixed = (np.uint64(key) ^ (np.uint64(key) >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ np.uint64(second)) * np.uint64(0x94D049BB133111EB)
    return np.int64((mixed ^ (mixed >> np.uint64(32))) >> np.uint64(1))


@inline
def _slot_of(search, nodes, table, key, second):
    """The slot that holds this position of the layer, or the free one where it belongs."""
    slot = _hash_of(key, second) & (search.slots - 1)
    while search.first <= table[slot] < search.end:
        node = nodes[table[slot]]
        if node.key == key and node.second_key == second:
            break
        slot = (slot + 1) & (search.slots - 1)
    return slot


@jit
def _keep_best(search, nodes, width):
    """Keep so many of the layer's nodes, those of the least cost; among equals those that came first."""
    search.tally[:] = 0
    for i in range(search.first, search.end):
        search.tally[nodes[i].cost] += 1
    highest, equals = 0, width
    while search.tally[highest] <= equals:
        equals -= search.tally[highest]
        highest += 1
    kept = search.first
    for i in range(search.first, search.end):
        if nodes[i].cost < highest or (nodes[i].cost == highest and equals > 0):
            if nodes[i].cost == highest:
                equals -= 1
            nodes[kept] = nodes[i]
            kept += 1
    search.end = kept
    search.cut = 1


@inline
def _width(search):
    """Positions to keep of the layer: as asked, but something must be left for those to come."""
    return min(search.width, (search.capacity - search.first) // 4)


@jit
def _make_room(search, nodes, table):
    _keep_best(search, nodes, _width(search))
    table[: search.slots] = 0
    end = search.end
    for i in range(search.first, end):
        search.end = i
        table[_slot_of(search, nodes, table, nodes[i].key, nodes[i].second_key)] = i
    search.end = end


@jit
def _add(rules, search, nodes, table, parent, move, ranks, second):
    """Add a position to the layer unless one like it is there."""
    key, second_key = key_of(rules, ranks, second)
    slot = _slot_of(search, nodes, table, key, second_key)
    if search.first <= table[slot] < search.end:
        return
    if search.end == search.most:
        _make_room(search, nodes, table)
        slot = _slot_of(search, nodes, table, key, second_key)
    down, heights = unpacked(second)
    lot = (_hash_of(key, second_key) >> 20) & NOISE
    node = nodes[search.end]
    node.ranks, node.second, node.key, node.second_key = ranks, second, key, second_key
    node.parent, node.move = parent, move
    node.cost = min(COSTS - 1, max(0, COSTS // 2 + cost_of(ranks, down, piles_of(heights), search.calm) + lot))
    table[slot] = search.end
    search.end += 1


@inline
def _place_all(rules, search, nodes, table, parent):
    """Place the next card wherever it may lie on a node's position; whether that wins."""
    ranks = nodes[parent].ranks
    down, heights = unpacked(nodes[parent].second)
    piles = piles_of(heights)
    left = search.goal - search.placed
    spare = left - (PILES - nibbles_in(piles))
    rows, cols = spanned(piles)
    first_row, last_row, first_col, last_col = first_free(rules, rows), FRAME, first_free(rules, cols), FRAME
    if piles == 0:
        first_row, last_row, first_col, last_col = 0, 1, 0, 1
    for row in range(first_row, last_row):
        for col in range(first_col, last_col):
            stacks = row >= 0 and col >= 0 and (piles >> (16 * row + 4 * col)) & 1 == 1
            if (stacks and spare == 0) or not (piles == 0 or may_place(rules, down, heights, piles, row, col)):
                continue
            after, now_down, now_high = placed(rules, ranks, down, heights, row, col, search.stock[search.placed])
            now_spare = spare - 1 if stacks else spare
            found = _judge(rules, now_down, now_high, left - 1, now_spare)
            if found == LOST:
                continue
            move = SIDE * (row + ORIGIN) + col + ORIGIN
            if found == WON_NOW:
                nodes[search.end].parent, nodes[search.end].move = parent, move
                return True
            now_high = alike_heights(now_high, rules.pile_height, now_spare)
            after = alike_ranks(after, search.alike)
            _add(rules, search, nodes, table, parent, move, after, packed(now_down, now_high))
    return False


@inline
def _judge(rules, down, heights, left, spare):
    """Whether a position is won, lost (for this goal), or open."""
    if nibbles_in(down) > rules.face_down_limit:
        return LOST
    if is_solved(down, heights):
        return WON_NOW
    return LOST if left == 0 or repairs(rules, down, piles_of(heights), spare) > spare else OPEN


@jit
def prepare(search, nodes, goal, width, capacity):
    """Set a search up for this goal, from the empty grid."""
    nodes[0].ranks = nodes[0].second = 0
    search.begun, search.goal, search.width, search.capacity = 0, goal, width, capacity
    search.slots = LEAST_SLOTS
    while search.slots < min(LIKELY_CHILDREN * width, 2 * capacity):
        search.slots *= 2


@jit
def find_win(rules, search, nodes, table):
    """Look for a win with at most `search.goal` cards; the node that wins, or -1. `search.cut` says if it is no proof.

    nodes: NODE array, the first holds the position to start from; `search.capacity` of them are used. table: int32, at
    least `search.slots` long.
    """
    search.cut = 0
    first, search.end = 0, 1
    for cards in range(search.begun, search.goal):
        search.placed = cards
        last, search.first = search.end, search.end
        search.most = min(search.capacity - 1, search.first + search.slots // 2)
        if _width(search) <= 0:
            search.cut = 1
            return -1
        table[: search.slots] = 0
        fill_alike(search.stock, search.placed + 1, search.goal, search.alike)
        fill_calm(search.stock, search.placed + 1, search.goal, search.calm)
        for parent in range(first, last):
            if _place_all(rules, search, nodes, table, parent):
                return search.end
        if search.end - search.first > _width(search):
            _keep_best(search, nodes, _width(search))
        first = search.first
        if search.end == first:
            break
    return -1
