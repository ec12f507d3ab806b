"""What an ordinary run computes must not wait for pandas, statsmodels or scipy.stats."""

import subprocess
import sys

import pytest

ORDINARY_RUN = """
import sys
import simkit.stats as stats
loaded_by_import = "scipy" in sys.modules
stats.wilson(3, 10), stats.bracket(3, 1, 10), stats.mean(10, 20, 50)
stats.ratio(5, 5, 10, 7, 11, 20), stats.proportion(5, 5, 10, 7, 11, 20)
stats.quantile([1, 2], [40, 60], 0.5)
print(loaded_by_import, *(name in sys.modules for name in ("pandas", "statsmodels", "scipy.stats")))
"""


def test_ordinary_run_loads_no_heavy_library():
    done = subprocess.run([sys.executable, "-c", ORDINARY_RUN], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"] * 4


@pytest.mark.parametrize("module", ["numba", "matplotlib", "simkit.games", "simkit.run"])
def test_stats_stands_alone(module):
    code = f"import sys, simkit.stats; print({module!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
