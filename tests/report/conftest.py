"""The findings of a small study, played once."""

import copy

import pytest

from simkit.run.study_findings import findings
from tests.run import study_example


@pytest.fixture(scope="session")
def played_findings():
    return findings(study_example.play(study_example.study().sized(False, 900)))


@pytest.fixture
def found(played_findings):
    """A copy that a test may change."""
    return copy.deepcopy(played_findings)
