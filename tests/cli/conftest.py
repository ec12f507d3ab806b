"""Run the command line as a user does: in a process of its own, with nothing on a terminal."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest


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
