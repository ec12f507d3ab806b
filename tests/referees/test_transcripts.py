"""What the referees share: events compared strictly, files split into games, the first wrong line named."""

import json

import pytest

from tests.referees.transcripts import Disagreement, Transcript, main, same

SETUP = {"event": "setup", "game": "snap", "rules_version": "1", "seed": 1, "index": 0}
SETUP |= {"players": 1, "strategies": ["random"], "rules": {}}


def check(events):
    """A game of one card, which must be 3."""
    transcript = Transcript(events, ("setup", "card"))
    transcript.setup("snap", 1, 1)
    transcript.expect("card", value=3)
    transcript.end()


def written(folder, *events) -> list[str]:
    """The command line for a file of these events."""
    path = folder / "games.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return [str(path)]


def test_a_file_of_games_passes(tmp_path, capsys):
    game = [SETUP, {"event": "unknown"}, {"event": "card", "value": 3}]
    assert main(written(tmp_path, *game, *game), check) == 0
    assert "2 games passed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("second_game", "line"),
    [
        ([SETUP, {"event": "card", "value": 4}], 4),
        ([SETUP, {"event": "card"}], 4),
        ([SETUP], 3),
        ([SETUP, {"event": "card", "value": 3}, {"event": "card", "value": 3}], 5),
        (["no event"], 3),
    ],
)
def test_the_first_wrong_line_is_named(tmp_path, capsys, second_game, line):
    assert main(written(tmp_path, SETUP, {"event": "card", "value": 3}, *second_game), check) == 1
    assert f"games.jsonl:{line}: " in capsys.readouterr().out


def test_a_file_without_a_game_has_shown_nothing(tmp_path):
    assert main(written(tmp_path), check) == 1


def test_one_file_is_wanted(capsys):
    assert main([], check) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("found", "expected"), [(True, 1), (1.0, 1), ([[0, False]], [[0, 0]]), ([1], [1, 2]), ("1", 1)]
)
def test_values_that_python_may_take_for_equal_are_not_the_same(found, expected):
    assert not same(found, expected)
    assert same(expected, expected)


def test_tuples_count_as_lists():
    events = [SETUP, {"event": "card", "cells": ((0, 1), (0, 2))}]
    transcript = Transcript(events, ("card",))
    transcript.setup("snap", 1, 1)
    transcript.expect("card", cells=[[0, 1], [0, 2]])
    with pytest.raises(Disagreement, match="stops"):
        transcript.next("card")
