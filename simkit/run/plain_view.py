"""A view and a strategy in plain Python, for looking over a strategy's shoulder.

Compiled code reads beyond an array's end without a word. In plain Python the same function stops with the author's
line. Numbers read from a view are Python's own here, so that small field types do not overflow as numpy's would.
"""

import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from simkit._jit import count_bits, lowest_bit
from simkit.rng import STREAM


def own_copy(view: np.record) -> np.record:
    """A copy byte for byte; numpy's own leaves what lies between fields undefined."""
    return np.frombuffer(bytearray(view.tobytes()), view.dtype)[0]


class PlainRecord:
    """A record whose fields read as whole numbers, floats, `PlainArray`s and records; writing to it raises.

    A random stream stays the record that it is: a strategy draws from it.
    """

    __slots__ = ("_name", "_negative", "_record")

    def __init__(self, record: np.record, name: str, negative: set[tuple[str, int, str]] | None):
        for slot, value in (("_record", record), ("_name", name), ("_negative", negative)):
            object.__setattr__(self, slot, value)

    def __getattr__(self, name: str) -> Any:
        if name not in self._record.dtype.names:
            raise AttributeError(f"{self._name} has no field {name!r}")
        return self._plain(name)

    def __getitem__(self, name: str) -> Any:
        return self._plain(name)

    def _plain(self, name: str) -> Any:
        value, full_name = self._record[name], f"{self._name}.{name}"
        if isinstance(value, np.ndarray):
            return _plain_array(value, full_name, self._negative)
        if isinstance(value, np.void):
            return value if value.dtype == STREAM else PlainRecord(value, full_name, self._negative)
        return value.item()

    def __setattr__(self, name: str, value: Any) -> None:
        raise TypeError(f"{self._name}.{name} is read-only")

    __setitem__ = __setattr__


class PlainArray(np.ndarray):
    """An array of a view: read-only, its numbers are Python's own, and it notes where a negative index is used."""

    name = ""
    negative: set[tuple[str, int, str]] | None = None

    def __getitem__(self, key: Any) -> Any:
        places = key if isinstance(key, tuple) else (key,)
        if self.negative is not None and any(isinstance(place, int) and place < 0 for place in places):
            caller = sys._getframe(1)
            shown = ", ".join(map(str, places))
            self.negative.add((caller.f_code.co_filename, caller.f_lineno, f"{self.name}[{shown}]"))
        try:
            item = super().__getitem__(key)
        except IndexError:
            shown, size = ", ".join(map(str, places)), " x ".join(map(str, self.shape))
            raise IndexError(f"{self.name or 'a global array'}[{shown}] is outside of its size, {size}") from None
        if isinstance(item, np.void):
            return PlainRecord(item, f"{self.name}[{', '.join(map(str, places))}]", self.negative)
        if isinstance(item, PlainArray):
            item.name, item.negative = f"{self.name}[{', '.join(map(str, places))}]", self.negative
        return item.item() if isinstance(item, np.generic) else item

    def __array_wrap__(self, array: np.ndarray, context: Any = None, return_scalar: bool = False) -> Any:
        return array.item() if return_scalar else np.asarray(array)


def _plain_array(value: np.ndarray, name: str, negative: set | None) -> PlainArray:
    small = value.dtype.kind in "iu" and value.dtype.itemsize < 8
    array = value.astype(np.int64 if small else value.dtype).view(PlainArray)
    array.flags.writeable = False
    array.name, array.negative = name, negative
    return array


def _count_bits(word: int) -> int:
    return (int(word) & WORD).bit_count()


def _lowest_bit(word: int) -> int:
    return ((int(word) & WORD) & -(int(word) & WORD)).bit_length() - 1


WORD = 2**64 - 1
TWINS = (count_bits, _count_bits), (lowest_bit, _lowest_bit)
"""What exists in compiled code only, and the same in plain Python."""


def _no_print(*values: Any, **options: Any) -> None:
    raise RuntimeError("prints; standard output is for results, and a run asks millions of times")


def _widened(dtype: np.dtype) -> np.dtype:
    """The same record with all whole numbers in 64 bits, as compiled code computes with them."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return np.dtype((_widened(base), shape))
    if dtype.names and dtype != STREAM:
        return np.dtype([(name, _widened(dtype[name])) for name in dtype.names])
    return np.dtype(np.int64) if dtype.kind in "iu" and dtype.itemsize < 8 else dtype


def in_plain_python(function: Callable) -> Callable:
    """A copy of the function in which jitted helpers are plain Python as well.

    Numbers of global arrays are Python's own, records of a global type have attributes; drawing lots stays as it is.
    """
    copies: dict[int, Callable] = {}

    def plain(value: Any) -> Any:
        for compiled, twin in TWINS:
            if value is compiled:
                return twin
        if isinstance(value, np.ndarray):
            return _plain_array(value, "", None)
        if isinstance(value, np.dtype) and value.names:
            return np.dtype((np.record, _widened(value)))
        inner = getattr(value, "py_func", None)
        if inner is None or not inspect.isfunction(inner) or inner.__module__.startswith("simkit.rng."):
            return value
        return copied(inner)

    def copied(inner: Callable) -> Callable:
        if id(inner) not in copies:
            names: dict[str, Any] = {}
            copies[id(inner)] = types.FunctionType(inner.__code__, names, inner.__name__, inner.__defaults__)
            names |= {name: plain(value) for name, value in inner.__globals__.items()} | {"print": _no_print}
        return copies[id(inner)]

    return copied(function)
