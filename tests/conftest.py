"""Slow tests run only when asked for, in the size that SIMKIT_SLOW asks for."""

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests marked slow unless SIMKIT_SLOW is set."""
    if os.environ.get("SIMKIT_SLOW"):
        return
    skip = pytest.mark.skip(reason="slow: set SIMKIT_SLOW=1")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)
