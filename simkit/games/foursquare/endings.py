"""What studies can ask of Foursquare's lost games beyond their outcome columns; `lost_games` counts it.

Rows and columns are those of the 4x4 frame. Where a game ended before its piles spanned the frame, every frame that
they fit in counts for an equal part.
"""

from simkit.contract import EndingTable
from simkit.games.foursquare.rules import FRAME, MOST_RANKS

PARTS = 144
"""A game is counted in so many parts: the frames that its piles fit in are 1 to 4 each way, and their number divides
it.
"""

WAYS = 4
"""Ways out are counted as 0, 1, 2, and more."""

_ROWS = tuple(f"row {row}" for row in range(1, FRAME + 1))
_COLUMNS = tuple(f"column {column}" for column in range(1, FRAME + 1))
_SPREAD = "where the piles did not span the 4x4 frame, every frame that they fit in counts for an equal part"


def _map(name: str, label: str, note: str) -> EndingTable:
    return EndingTable(name, label, f"{note}; {_SPREAD}", _ROWS, _COLUMNS, PARTS)


def _list(name: str, label: str, note: str, columns: tuple[str, ...]) -> EndingTable:
    return EndingTable(name, label, note, ("",), columns)


ENDINGS = (
    _map(
        "face_down",
        "what lay face down when the last card of a lost game was drawn",
        "share of all lost games in which this cell of the 4x4 frame had a face-down top before the last card was "
        "placed",
    ),
    _map(
        "empty",
        "what was still empty when the last card of a lost game was drawn",
        "share of all lost games in which this cell of the 4x4 frame had no pile before the last card was placed",
    ),
    _map(
        "losing_cell",
        "where the losing card was placed",
        "share of the games lost with too many tops face down in which the last card was placed on this cell of the "
        "4x4 frame (where every placement loses, some players take the first)",
    ),
    _list(
        "losing_rank",
        "which card lost the game",
        "share of the games lost with too many tops face down in which the last card was of this rank",
        ("A", *map(str, range(2, MOST_RANKS + 1))),
    ),
    _list(
        "ways_out",
        "how many placements of the losing card would have gone on",
        "share of the games lost with too many tops face down in which so many placements of the last card would not "
        "have lost at once",
        ("none", "1", "2", "3 or more"),
    ),
)
