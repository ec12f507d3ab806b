"""Fixtures for all tests: the command line as a user calls it. Slow tests run only when SIMKIT_SLOW is set."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests marked slow unless SIMKIT_SLOW is set."""
    if os.environ.get("SIMKIT_SLOW"):
        return
    skip = pytest.mark.skip(reason="slow: set SIMKIT_SLOW=1")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def simkit() -> Callable[..., Answer]:
    """`simkit("run", "sequence-stacks", …)` gives an Answer."""

    def run(*arguments: str) -> Answer:
        done = subprocess.run([sys.executable, "-m", "simkit", *arguments], capture_output=True, text=True, timeout=600)
        return Answer(done.returncode, done.stdout, done.stderr)

    return run
