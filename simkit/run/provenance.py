"""Where a result comes from: enough to make it again, and to tell whether it can be made again."""

import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from simkit import __version__
from simkit.strategy import Strategy

PACKAGES = "numba", "numpy", "pandas", "scipy"


def provenance(command: Sequence[str], strategies: Sequence[Strategy]) -> dict[str, Any]:
    """Versions, the hash of the package's sources, the command, and each strategy with the hash of its source."""
    from simkit._jit import hash_of_sources

    by_text = {strategy.text: strategy for strategy in strategies}
    return {
        "command": list(command),
        "simkit": __version__,
        "sources": hash_of_sources("."),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
        "machine": platform.machine(),
        "strategies": {
            text: {"params": dict(strategy.params), "source_hash": strategy.source_hash}
            for text, strategy in by_text.items()
        },
    }


def differences(record: dict[str, Any], strategies: Sequence[Strategy]) -> list[str]:
    """What differs between a record and here that could change results, one line each."""
    here = provenance((), strategies)
    found = []
    if record.get("sources") != here["sources"]:
        found.append(f"the record was made with other sources of simkit ({record.get('simkit')})")
    for text, recorded in record.get("strategies", {}).items():
        if recorded.get("source_hash") != here["strategies"].get(text, {}).get("source_hash"):
            found.append(f"strategy {text} has another source than when the record was made")
    return found
