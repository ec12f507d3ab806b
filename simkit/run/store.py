"""Results on disk: a directory that is never overwritten by accident, and one row a game as Parquet."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from simkit.contract import NULL, Game
from simkit.errors import BadInput

ROWS_A_GROUP = 2**16


def new_directory(path: Path, force: bool, option: str = "--out") -> Path:
    """Make an output directory; raises BadInput if it holds something (unless `force`, which empties it)."""
    try:
        if path.exists() and not path.is_dir():
            raise BadInput(f"{option}: {path} is a file, allowed: a directory that is new or empty")
        if path.is_dir() and any(path.iterdir()):
            if not force:
                raise BadInput(f"{option}: {path} holds results already, allowed: a new directory, or --force")
            _empty(path, option)
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".probe"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise BadInput(f"{option}: {path} cannot be written: {problem.strerror}") from problem
    return path


def _empty(path: Path, option: str) -> None:
    """Remove our own results; anything that does not look like one is the user's and is left alone."""
    if not (path / "record.json").exists():
        raise BadInput(f"{option}: {path} holds files that are no results, --force does not remove them")
    shutil.rmtree(path)


def write_files(directory: Path, files: Mapping[str, str]) -> None:
    """Write text files; a record comes last, so that a directory with one is whole."""
    for name, text in sorted(files.items(), key=lambda file: file[0] == "record.json"):
        (directory / name).write_text(text)


def as_json(value: Any) -> str:
    """JSON text with a final newline; raises ValueError for a NaN or infinity."""
    return json.dumps(value, indent=2, allow_nan=False) + "\n"


def read_record(path: Path) -> dict[str, Any]:
    """The record.json of a result; raises BadInput."""
    try:
        record = json.loads(path.read_text())
    except OSError as problem:
        raise BadInput(f"--from: {path} cannot be read: {problem.strerror}") from problem
    except ValueError as problem:
        raise BadInput(f"--from: {path} is no record of a result: {problem}") from problem
    if not isinstance(record, dict) or "sources" not in record:
        raise BadInput(f"--from: {path} is no record of a result, allowed: a record.json that simkit wrote")
    return record


class GamesFile:
    """One row a game in a Parquet file: deal, rotation, and the outcome columns; written as games are played.

    The file appears under its name when it is closed; until then it is `NAME.part`.
    """

    def __init__(self, path: Path, game: Game, players: int, force: bool):
        import pyarrow as pa
        import pyarrow.parquet as pq

        if path.exists() and not force:
            raise BadInput(f"--games-out: {path} exists already, allowed: a new file, or --force")
        self._pa, self._path, self._part = pa, path, path.with_name(path.name + ".part")
        self._columns = game.flat_columns(players)
        fields = [pa.field("deal", pa.int64()), pa.field("rotation", pa.int64())]
        fields += [pa.field(_name(column.name, seat), self._type(column)) for column, seat in self._columns]
        self._schema = pa.schema(fields)
        try:
            self._writer = pq.ParquetWriter(self._part, self._schema)
        except OSError as problem:
            raise BadInput(f"--games-out: {path} cannot be written: {problem.strerror}") from problem
        self._waiting: list = []
        self._rows = 0

    def _type(self, column):
        pa = self._pa
        if column.words:
            return pa.string()
        return pa.bool_() if column.truth else pa.float64() if column.scale != 1 else pa.int64()

    def add(self, first: int, rows: list[np.ndarray]) -> None:
        """Add a block: outcome rows of deals first … of each rotation."""
        for rotation, block in enumerate(rows):
            deals = np.arange(first, first + len(block))
            arrays = [self._pa.array(deals), self._pa.array(np.full(len(block), rotation))]
            arrays += [self._array(column, block[:, i]) for i, (column, _) in enumerate(self._columns)]
            self._waiting.append(self._pa.Table.from_arrays(arrays, schema=self._schema))
            self._rows += len(block)
        if self._rows >= ROWS_A_GROUP:
            self._flush()

    def _array(self, column, values: np.ndarray):
        pa = self._pa
        missing = values == NULL
        if column.words:
            return pa.array(np.array(column.words, object)[values])
        if column.truth:
            return pa.array(values.astype(bool))
        if column.scale != 1:
            return pa.array(values / column.scale, mask=missing)
        return pa.array(values, mask=missing)

    def _flush(self) -> None:
        if self._waiting:
            self._writer.write_table(self._pa.concat_tables(self._waiting))
        self._waiting, self._rows = [], 0

    def __enter__(self) -> "GamesFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._flush()
        self._writer.close()
        if problem is None:
            self._part.replace(self._path)
        else:
            self._part.unlink()


def _name(column: str, seat: int | None) -> str:
    return column if seat is None else f"{column}_{seat}"
