"""The only door to numba: flags, the disk cache, calls through addresses, and bit tricks.

Kernels and strategies are compiled with explicit signatures and cached on disk. The cache directory's name carries
a hash of the package's sources, because numba looks at one file only and would run an old kernel after an edit in a
helper of another file. Helpers (`jit`) are compiled into the kernel that calls them and are not cached themselves.
"""

import functools
import hashlib
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from platformdirs import user_cache_dir

FLAGS = {"nogil": True, "error_model": "numpy"}

jit = numba.njit(**FLAGS)
"""Mark a helper that is compiled into whatever kernel calls it."""

inline = numba.njit(forceinline=True, **FLAGS)
"""The same for a small helper in a hot place: LLVM must inline it."""


COMPILED = "_jit.py", "contract.py", "rng", "games"
"""What kernels and built-in strategies are compiled from: these files and folders of the package."""


def hash_of_sources(*names: str) -> str:
    """Sixteen hex digits over the Python files of these parts of the package ("." for all): a name for their state."""
    root = Path(__file__).parent
    paths = {
        path for name in names for path in ((root / name).rglob("*.py") if (root / name).is_dir() else [root / name])
    }
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@functools.cache
def cache_dir() -> Path:
    """The directory of compiled code for exactly these sources, this numba and these flags.

    `SIMKIT_CACHE_DIR` moves it. Where the user's cache cannot be written (a read-only home), it lies in the
    directory for temporary files.
    """
    bounds = "-bounds" if numba.config.BOUNDSCHECK else ""
    name = f"{hash_of_sources(*COMPILED)}-numba{numba.__version__}{bounds}"
    wanted = Path(os.environ.get("SIMKIT_CACHE_DIR") or user_cache_dir("simkit")) / name
    for path in (wanted, Path(tempfile.gettempdir()) / f"simkit-{os.getuid()}" / name):
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(path, os.W_OK):
            return path
    raise OSError(f"no directory for compiled code can be written: tried {wanted} and the temporary directory")


def is_cached(folder: str, module: str = "kernel") -> bool:
    """Whether a game's kernel (or its solver) has been compiled already, so that importing it takes no time."""
    return any(cache_dir().glob(f"{folder.rpartition('.')[2]}_*/{module}.*_block-*.nbi"))


@contextmanager
def _our_cache() -> Iterator[None]:
    """Let numba choose our cache directory for what is decorated inside, and for nothing else in the process."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_dir())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def kernel(*signatures: types.Type) -> Callable:
    """Decorate a kernel: argument types given, compiled (or read from the disk cache) when its module is imported."""

    def decorate(function: Callable) -> Callable:
        with _our_cache():
            return numba.njit(signatures, cache=True, **FLAGS)(function)

    return decorate


def record(dtype: np.dtype) -> types.Record:
    """The numba type of a structured dtype, passed to kernels by pointer."""
    return numba.from_dtype(dtype)


def block_types(rules: np.dtype) -> tuple[types.Type, ...]:
    """Argument types of every game's `play_block(rules, players, seed, first, choices, params, rows)`.

    `choices` and `params` hold one address a seat (int64): a compiled `choose` and its parameters' record.
    `rows` is int64, (games, columns), written by the kernel.
    """
    addresses = types.int64[::1]
    return record(rules), types.int64, types.uint64, types.uint64, addresses, addresses, types.int64[:, ::1]


@dataclass(frozen=True)
class CompiledChoice:
    """Machine code of a strategy's `choose`. The address stays valid as long as `dispatcher` is alive."""

    address: int
    dispatcher: Callable
    return_type: types.Type


def compile_choice(function: Callable, view: np.dtype, params: np.dtype, cache: bool) -> CompiledChoice:
    """Compile `choose(view, params)` for these two records; raises numba's own errors.

    The return type is the one that numba infers; the caller judges it. Any integer is widened to int64.
    """
    arguments = record(view), record(params)

    def compiled(signature):
        if not cache:
            return numba.njit(signature, **FLAGS)(function)
        with _our_cache():
            return numba.njit(signature, cache=True, **FLAGS)(function)

    dispatcher = compiled(arguments)
    inferred = _only_overload(dispatcher).signature.return_type
    if inferred != types.int64 and isinstance(inferred, types.Integer):
        dispatcher = compiled(types.int64(*arguments))
    overload = _only_overload(dispatcher)
    address = overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name)
    return CompiledChoice(address, dispatcher, inferred)


def _only_overload(dispatcher: Callable):
    (overload,) = dispatcher.overloads.values()
    return overload


@intrinsic
def call_choice(typing_context, address, view, params):
    """Call a compiled `choose` at `address` with a view and the address of its parameters; its exceptions pass on.

    An address instead of a function value keeps one compiled kernel for all strategies, lets each strategy have a
    parameter record of its own, and lets an exception in a strategy reach Python.
    """
    arguments = (view, types.voidptr)

    def codegen(context, builder, signature, values):
        function_type = context.call_conv.get_function_type(types.int64, arguments)
        function = builder.inttoptr(values[0], function_type.as_pointer())
        pointer = builder.inttoptr(values[2], context.get_value_type(types.voidptr))
        status, result = context.call_conv.call_function(
            builder, function, types.int64, arguments, [values[1], pointer]
        )
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    return types.int64(types.int64, view, types.int64), codegen


@intrinsic
def lowest_bit(typing_context, word):
    """Index of the lowest set bit of a non-zero integer."""

    def codegen(context, builder, signature, values):
        wide = context.cast(builder, values[0], word, types.int64)
        return builder.cttz(wide, cgutils.true_bit)

    return types.int64(word), codegen


@intrinsic
def count_bits(typing_context, word):
    """How many bits of an integer are set."""

    def codegen(context, builder, signature, values):
        return builder.ctpop(context.cast(builder, values[0], word, types.int64))

    return types.int64(word), codegen


@inline
def nth_bit(word, n):
    """Index of the n-th set bit of an integer, counted from 0."""
    for _ in range(n):
        word &= word - 1
    return lowest_bit(word)


@intrinsic
def copy_word(typing_context, to, source):
    """Copy a record of eight bytes in one piece; field by field, as an assignment does it, is slower."""

    def codegen(context, builder, signature, values):
        word = ir.IntType(64).as_pointer()
        piece = builder.load(builder.bitcast(values[1], word))
        builder.store(piece, builder.bitcast(values[0], word))
        return context.get_dummy_value()

    return types.void(to, source), codegen


@intrinsic
def float_at(typing_context, address, index):
    """The float32 at `index` of the array at `address` (both int64): for tables too large to be compiled in."""

    def codegen(context, builder, signature, values):
        start = builder.inttoptr(values[0], ir.FloatType().as_pointer())
        return builder.load(builder.gep(start, [values[1]]))

    return types.float32(types.int64, types.int64), codegen


def stack_array(dtype: type, *shape: int) -> Callable:
    """A function for compiled code that makes an array of this shape, not filled, on the stack of its caller.

    For arrays that live for one decision, which would take as long to allocate as to work with. It is gone when the
    caller returns, an inlined one included: pass it down, never up.
    """
    kind = types.Array(numba.from_dtype(np.dtype(dtype)), len(shape), "C")
    strides = np.empty(shape, dtype).strides

    @intrinsic
    def make(typing_context):
        def codegen(context, builder, signature, values):
            item = context.get_data_type(kind.dtype)
            data = cgutils.alloca_once(builder, item, size=math.prod(shape))
            array = context.make_array(kind)(context, builder)
            sizes = [[context.get_constant(types.intp, n) for n in numbers] for numbers in (shape, strides)]
            size = context.get_constant(types.intp, np.dtype(dtype).itemsize)
            populate_array(array, data, sizes[0], sizes[1], size, meminfo=None)
            return array._getvalue()

        return kind(), codegen

    return make
