"""What is wrong with a strategy, in one line that names the author's file and line.

Numba's reports are long and speak of its insides. Here they are turned into what the author can change.
"""

import ast
import difflib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

WANTED = "a whole number, the index of one of view.n_actions legal actions"

TYPES = (
    (r"Literal\[(\w+)\]\((?:[^()]|\([^()]*\))*\)", r"\1"),
    (r"(?:readonly )?\b(?:nestedarray|[Aa]rray|unaligned array)\((?:[^()]|\([^()]*\))*\)", "array"),
    (r"Record\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "record"),
    (r"\bu?int\d+\b", "int"),
    (r"\bfloat\d+\b", "float"),
    (r"unicode_type", "str"),
    (r"DictType\[[^\]]*\](?:<[^>]*>)?", "dict"),
    (r"\bimpl_(\w+)", r"\1"),
    (r"OptionalType\((\w+)\)", r"\1 or None"),
    (r"reflected list\((\w+)\)(?:<[^>]*>)?", r"list of \1"),
    (r"Function\(<(?:built-in )?function (\w+)>\)", r"\1"),
)
"""Numba's names of types and functions, and the author's words for them."""

OPERATORS = {
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"},
    **{"and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "contains": "in"},
    **{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "iadd": "+=", "isub": "-="},
}
NO_GLOBAL = r"the global {0} is of type {1}, which compiled code cannot read, allowed: numbers, tuples, numpy arrays"
REASONS = (
    (r"(NameError: [^\n]+)", "{0}"),
    (
        r"Untyped global name '(\w+)': ?Cannot determine Numba type of <class 'function'>",
        "calls {0}(), which is plain Python; mark it with @numba.njit",
    ),
    (r"Untyped global name '(\w+)': ?Cannot type empty list", NO_GLOBAL.format("{0}", "list")),
    (r"Untyped global name '(\w+)': ?Cannot determine Numba type of <class '([\w.]+)'>", NO_GLOBAL),
    (r"Unknown attribute '(\w+)' of type Module\(<module '(\w+)'", "{1}.{0} is not there in compiled code"),
    (r"Unknown attribute '(\w+)' of type (?:nestedarray|Array)", "an array has no attribute {0!r}"),
    (r"Unknown attribute '(\w+)' of type ([\w\[\]]+)", "{1} has no attribute {0!r}"),
    (
        r"Cannot capture the non-constant value associated with variable '(\w+)'",
        "a lambda or inner function cannot use {0!r} of the function around it; write a loop",
    ),
    (r"The use of yield in a closure is unsupported", "a generator expression is not possible; write a loop or a list"),
    (r"Exception matching is limited to", "except can only name Exception, and an index out of range raises nothing"),
    (
        r"unsupported opcode \((?:STORE|DELETE)_GLOBAL\)",
        "sets a global variable; a strategy cannot remember anything from one decision to the next",
    ),
    (r"unsupported opcode \(IMPORT_\w+\)", "imports inside of the function; import at the top of the file"),
    (r"(The 'with[^\n]*is not supported)", "{0}"),
    (r"Illegal IR, (del) found", "del is not possible"),
    (
        r"Cannot modify readonly array",
        "changes an array outside of the function; a strategy cannot remember anything from one decision to the next",
    ),
    (r"Cannot unify (.+?) and (.+?) for '([a-z_]\w*)[^']*'", "{2} is here {0}, there {1}; keep it of one type"),
    (r"Type of variable '(?!\$)(\w+)[^']*' cannot be determined", "the type of {0} is not known"),
    (r"Type of variable '\$", "the type of an expression is not known; compute it in steps"),
    (r"Invalid use of (\w+) with parameters \(", "a value of type {0} is called like a function"),
    (r"to signature '([^'\n]*)' due to \"TypeError: ([^\n\"]+?)\.?\"", "a call does not fit {0}: {1}"),
    (r"\n >>> getitem\((\w[\w ]*(?:\([^\n]*\))?), ", "a value of type {0} has no such items"),
    (r"No implementation of function [^\n]*\n[^\n]*\n >>> ([^\n]+)", "{0} is not possible"),
    (r"unsupported opcode \((\w+)\)", "uses {0}, which numba does not compile"),
)
"""What numba says somewhere in its report, and what that means; `{0}`, `{1}` are the pattern's groups."""


def where(function: Callable, path: Path | None) -> str:
    """File and line of a strategy's function, the file as the user named it."""
    return f"{path or inspect.getsourcefile(function)}:{function.__code__.co_firstlineno}"


def signature_fault(function: Callable) -> str | None:
    """What is wrong with how the function is declared, None if nothing is."""
    name, given = function.__name__, inspect.signature(function)
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        kind = "a generator" if inspect.isgeneratorfunction(function) else "async"
        return f"{name} is {kind}, allowed: a plain function that returns {WANTED}"
    plain = all(parameter.kind == parameter.POSITIONAL_OR_KEYWORD for parameter in given.parameters.values())
    if len(given.parameters) != 2 or not plain:
        return f"got {name}{given}, allowed: {name}(view, params)"
    return None


def return_fault(function: Callable, inferred: str) -> tuple[int, str] | None:
    """Line and words for a return type, as numba infers it, that is no whole number; None for one that is."""
    if re.fullmatch(r"u?int\d+|Literal\[int\]\(.*\)", inferred):
        return None
    short = re.split(r"[(\[]", inferred)[0]
    words = {
        "none": "nothing",
        "bool": "True or False",
        "boolean": "True or False",
        "OptionalType": "nothing where it comes to its end",
        "Record": "a record",
        "nestedarray": "an array",
        "Array": "an array",
        "array": "an array",
        "Tuple": "a tuple",
        "UniTuple": "a tuple",
        "unicode_type": "a text",
    }
    given = words.get(short) or ("a text" if inferred.startswith("Literal[str]") else f"a {in_words(inferred)}")
    return _line_of_return(function, inferred), f"{function.__name__} returns {given}, allowed: {WANTED}"


def compile_fault(function: Callable, fields: dict[str, np.dtype], problem: Exception) -> tuple[int, str]:
    """Line and words for an exception that numba raised on compiling `choose(view, params)`.

    `fields` holds the record types of the two arguments by their names.
    """
    report = re.sub(r"\x1b\[[0-9;]*m", "", f"{problem.args[0] if problem.args else problem}")
    field = re.search(r"Field '(\w+)' was not found", report)
    if isinstance(problem, KeyError) or field:
        unknown = _unknown_field(function, fields, field.group(1) if field else report)
        if unknown is not None:
            return unknown
    undefined = re.search(r"NameError: name '(\w+)' is not defined", report)
    line = _line_of_name(function, undefined.group(1)) if undefined else _line_in_report(function, report)
    return line, f"cannot be compiled: {_reason(report)}"


def in_words(text: str) -> str:
    """Numba's names of types in the author's words."""
    for pattern, words in TYPES:
        text = re.sub(pattern, words, text)
    return text


def _reason(report: str) -> str:
    """The sentence that helps most in numba's long report."""
    for pattern, words in REASONS:
        found = re.search(pattern, report)
        if found:
            return _with_operator(words.format(*(in_words(group) for group in found.groups())))
    lines = [line.strip() for line in report.splitlines() if line.strip()]
    useful = [line for line in lines if not line.startswith(("Failed in", "During:", "File "))]
    first = re.sub(r"\.? ?Raised from .*", "", in_words((useful or lines or ["numba gives no reason"])[0]))
    return first if len(first) <= 160 else first[:157] + "..."


def _with_operator(text: str) -> str:
    """`add(int, str)` as `int + str`."""
    call = re.match(r"(\w+)\(([^(),]+), ([^(),]+)\)", text)
    if call is None or call.group(1) not in OPERATORS:
        return text
    return f"{call.group(2)} {OPERATORS[call.group(1)]} {call.group(3)}{text[call.end() :]}"


def _line_in_report(function: Callable, report: str) -> int:
    """The first line of the author's file that the report names: where several are, the innermost."""
    name = re.escape(Path(inspect.getsourcefile(function)).name)
    found = re.search(rf'File "[^"\n]*{name}", line (\d+)|{name} \((\d+)\)', report)
    return int(found.group(1) or found.group(2)) if found else function.__code__.co_firstlineno


def _unknown_field(function: Callable, fields: dict[str, np.dtype], name: str) -> tuple[int, str] | None:
    """Line and words for a field that no record has, if the author's file asks for one of that name."""
    for node in _in_order(_tree(function)):
        attribute = isinstance(node, ast.Attribute) and node.attr == name
        item = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == name
        if attribute or item:
            owner = ast.unparse(node.value)
            return node.lineno, _no_field(owner, name, _names_at(node.value, fields))
    return None


def _no_field(owner: str, name: str, known: list[str]) -> str:
    owner = {"view": "the view"}.get(owner, owner)
    close = difflib.get_close_matches(name, known, 1)
    if known == ["none"]:
        hint = "this strategy declares no parameters, see @strategy"
    elif close:
        hint = f"did you mean {close[0]!r}?"
    else:
        hint = f"allowed: {', '.join(known)}"
    return f"{owner} has no field {name!r}, {hint}"


def _names_at(node: ast.expr, fields: dict[str, np.dtype]) -> list[str]:
    """The fields that the record written as `node` has; all there are where the source alone does not tell."""
    dtype = _dtype_at(node, fields)
    if dtype is not None and dtype.names:
        return list(dtype.names)
    found = [dtype for dtype in fields.values() if dtype.names]
    for dtype in found:
        found += [dtype[name].base for name in dtype.names if dtype[name].base.names]
    return list(dict.fromkeys(name for dtype in found for name in dtype.names))


def _dtype_at(node: ast.expr, fields: dict[str, np.dtype]) -> np.dtype | None:
    if isinstance(node, ast.Name):
        return fields.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _dtype_at(node.value, fields)
        return owner[node.attr] if owner is not None and node.attr in (owner.names or ()) else None
    if isinstance(node, ast.Subscript):
        owner = _dtype_at(node.value, fields)
        return owner.base if owner is not None else None
    return None


def _tree(function: Callable) -> ast.Module:
    """The author's whole file; an empty module if it cannot be read any more."""
    try:
        return ast.parse(Path(inspect.getsourcefile(function)).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


def _line_of_name(function: Callable, name: str) -> int:
    nodes = _in_order(_tree(function))
    return next((node.lineno for node in nodes if isinstance(node, ast.Name) and node.id == name), 1)


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    """All expressions by line."""
    yield from sorted((node for node in ast.walk(tree) if isinstance(node, ast.expr)), key=lambda node: node.lineno)


def _line_of_return(function: Callable, inferred: str) -> int:
    """The line of the return that gives this type, as far as the source alone tells; else of the function's head."""
    head = function.__code__.co_firstlineno
    for node in ast.walk(_tree(function)):
        if isinstance(node, ast.FunctionDef) and head <= node.lineno <= head + len(node.decorator_list):
            returns = [inner for inner in ast.walk(node) if isinstance(inner, ast.Return)]
            floats = [inner for inner in returns if any(map(_makes_float, ast.walk(inner)))]
            likely = floats if inferred.startswith("float") and floats else returns
            always = not inferred.startswith("Optional")
            return likely[0].lineno if always and (len(returns) == 1 or likely is floats) else node.lineno
    return head


def _makes_float(node: ast.AST) -> bool:
    return isinstance(node, ast.Div) or (isinstance(node, ast.Constant) and isinstance(node.value, float))
