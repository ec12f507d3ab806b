"""What the README shows works as shown."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_tutorial_strategy_passes_its_check_and_plays(simkit, tmp_path):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    path = tmp_path / "my.py"
    path.write_text(code)
    answer = simkit("check-strategy", f"{path}:choose")
    assert answer.code == 0, answer.out + answer.err
    answer = simkit(
        "run", "sequence-stacks", "--seat", f"{path}:choose:hold=5", "--seat", "eager", "--rotate", "-n", "500"
    )
    assert answer.code == 0, answer.err


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / page).read_text()):
        assert (ROOT / target).exists(), target


def test_commands_exist():
    from simkit.cli import COMMANDS

    for name in re.findall(r"^simkit ([a-z-]+)|; simkit ([a-z-]+)", README, re.MULTILINE):
        assert "".join(name) in COMMANDS
