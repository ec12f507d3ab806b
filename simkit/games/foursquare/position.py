"""What a placement does to a position, for the kernel and for strategies. Nothing here changes a view.

The board is a bit board: bit c of a mask is cell c (see `state.SIDE`). A line's tops are one number, four bits a rank,
so that "higher than all" and "lower than all" are a shift each.
"""

from simkit._jit import count_bits, inline
from simkit.games.foursquare.rules import FRAME, code
from simkit.games.foursquare.state import ORIGIN, REACH, SIDE

ROW = (1 << SIDE) - 1
COL = sum(1 << (SIDE * row) for row in range(REACH))
BOARD = sum(1 << (SIDE * row + col) for row in range(REACH) for col in range(REACH))

WHOLE_LINE, ALL_UP = code("flip_scope", "whole_line"), code("flip_scope", "whole_line_all_up")
INCLUDE = code("compare_face_down", "include")
LONE_FLIPS, LONE_ROW_ONLY = code("lone_card", "flips"), code("lone_card", "flips_row_only")
TIES_ROW_ONLY = code("ties", "row_only")
NOT_ON_FACE_DOWN = code("stack_on_face_down", "forbidden")
KING, ANYWHERE = code("adjacency", "king"), code("adjacency", "anywhere")
FIXED = code("frame", "fixed")
EACH_LINE = code("loss_check", "each_line")


@inline
def row_of(cell):
    """The mask of the cell's row."""
    return ROW << (cell & ~(SIDE - 1))


@inline
def col_of(cell):
    """The mask of the cell's column."""
    return COL << (cell & (SIDE - 1))


@inline
def tally_of(rank):
    """A top card of this rank in a line's number."""
    return 1 << (4 * rank)


@inline
def _beats_all(tops, rank, ties):
    """Whether `rank` is higher than all `tops` of a line or lower than all of them; `ties` 1 counts equals as both."""
    no_higher = (tops >> (4 * (rank + ties))) == 0
    no_lower = (tops & (tally_of(rank + 1 - ties) - 1)) == 0
    return no_higher | no_lower


@inline
def _uncovered(view, cell, up, every):
    """A line's numbers, of its face-up tops and of all, without the top on `cell`, which the card would cover."""
    covered = tally_of(view.top[cell]) if (view.occupied >> cell) & 1 else 0
    return up - (0 if (view.face_down >> cell) & 1 else covered), every - covered


@inline
def row_turns(view, cell, rank):
    """Mask of the tops that turn over in the row when `rank` is placed, face up, on `cell`."""
    up, every = _uncovered(view, cell, view.up_in_row[cell >> 3], view.all_in_row[cell >> 3])
    others = view.occupied & row_of(cell) & ~(1 << cell)
    return _turns(view.rules, view.face_down & ~(1 << cell), others, 1 << cell, up, every, rank, 0)


@inline
def col_turns(view, down, cell, rank):
    """The same for the column; `down` are the face-down tops after the row's turn."""
    col = cell & (SIDE - 1)
    up, every = _uncovered(view, cell, view.up_in_col[col], view.all_in_col[col])
    others = view.occupied & col_of(cell) & ~(1 << cell)
    return _turns(view.rules, down, others, 1 << cell, up, every, rank, 1)


@inline
def _turns(rules, down, others, own, up, every, rank, is_col):
    scope = rules.flip_scope
    line = others | own if scope != 0 else others
    if up == 0:
        lone = rules.lone_card == LONE_FLIPS or (rules.lone_card == LONE_ROW_ONLY and is_col == 0)
        if not lone:
            return 0
        return down & line if scope == ALL_UP else line
    compared = every if rules.compare_face_down == INCLUDE else up
    ties = 1 if is_col == 1 and rules.ties == TIES_ROW_ONLY else 0
    return line if _beats_all(compared, rank, ties) else 0


@inline
def face_down_after(view, cell):
    """Mask of the face-down tops after placing the view's card on `cell` (under `each_line`, where the row loses)."""
    down = (view.face_down & ~(1 << cell)) ^ row_turns(view, cell, view.card)
    if view.rules.loss_check == EACH_LINE and count_bits(down) > view.rules.face_down_limit:
        return down
    return down ^ col_turns(view, down, cell, view.card)


@inline
def usable(view):
    """Mask of the cells on which a card may be placed."""
    rules, occupied = view.rules, view.occupied
    if occupied == 0:
        return 1 << (SIDE * ORIGIN + ORIGIN)
    near = (occupied << 1) | (occupied >> 1)
    if rules.adjacency == KING:
        near |= occupied
        near |= (near << SIDE) | (near >> SIDE)
    else:
        near |= (occupied << SIDE) | (occupied >> SIDE)
    if rules.adjacency == ANYWHERE:
        near = BOARD
    return (near & _frame(view) & ~occupied) | _open_piles(view)


@inline
def _frame(view):
    """Mask of the cells that keep the piles within the frame."""
    first_row, last_row = max(0, view.last_row - FRAME + 1), min(REACH - 1, view.first_row + FRAME - 1)
    first_col, last_col = max(0, view.last_col - FRAME + 1), min(REACH - 1, view.first_col + FRAME - 1)
    if view.rules.frame == FIXED:
        first_row = first_col = ORIGIN
        last_row = last_col = ORIGIN + FRAME - 1
    rows = ((1 << (SIDE * (last_row + 1))) - 1) & ~((1 << (SIDE * first_row)) - 1)
    return rows & COL * ((1 << (last_col + 1)) - (1 << first_col))


@inline
def _open_piles(view):
    """Mask of the piles that may take another card."""
    full = view.full
    piles = view.occupied & ~full
    if view.rules.stack_on_face_down == NOT_ON_FACE_DOWN:
        piles &= ~view.face_down
    return piles
