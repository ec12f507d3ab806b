"""Playing a study: exact cross-moments, the same for any threads and blocks, nested prefixes, interruption."""

import signal
import threading

import numpy as np
import pytest

from simkit.contract import NULL
from simkit.run import study as study_module
from simkit.run.blocks import Seating
from simkit.run.study import StudyRun
from simkit.run.study_design import experiments
from simkit.run.study_findings import common_moments, findings
from simkit.run.study_spec import from_data
from simkit.strategy import Player
from tests.run import study_example


@pytest.fixture(scope="module")
def played():
    return study_example.play(study_example.study().sized(False, 900))


def rows_of(cell, seed, deals, rotation=0):
    """Outcome rows of a cell, as columns by name, played once more without the study's code."""
    run = cell.run
    seating = Seating(run.game, run.rules, [Player(run.game, seat) for seat in run.seats]).rotated(rotation)
    rows = seating.play(seed, 0, deals)
    return {name: rows[:, i] for i, (name, seat) in enumerate(names(run)) if seat is None}


def names(run):
    return [(column.name, seat) for column, seat in run.game.flat_columns(run.players)]


def experiment_of(result, family, lineup):
    return next(
        one for one in result.played if (one.experiment.family.name, one.experiment.lineup.name) == (family, lineup)
    )


def place_of(one, measure, seat=None):
    return next(
        i
        for i, quantity in enumerate(one.experiment.quantities)
        if quantity.measure.name == measure and not quantity.bracket and seat in (None, quantity.seat)
    )


def naive_values(cell, measure, seed, deals, player=0):
    """Values by deal of a measure, summed over rotations, in plain words."""
    total = np.zeros(deals, np.int64)
    for rotation in range(cell.run.rotations):
        rows = rows_of(cell, seed, deals, rotation)
        if measure == "first_seat":
            total += rows["winner"] == 0
        elif measure == "edge":
            total += rows["winner"] == (player + rotation) % 2
        elif measure == "comebacks":
            total += (rows["winner_deficit"] != NULL) & (rows["winner_deficit"] >= 2)
        else:
            total += rows[measure]
    return total


@pytest.mark.parametrize("family", ["decks", "crossed"])
@pytest.mark.parametrize("lineup", ["eager", "contest"])
def test_moments_are_those_of_the_rows(played, family, lineup):
    one = experiment_of(played, family, lineup)
    measures = ["first_seat", "turns", "comebacks", *(["edge"] if lineup == "contest" else [])]
    assert one.experiment.n_compared == len(measures)
    for measure in measures:
        values = [naive_values(cell, measure, 7, one.counters.deals) for cell in one.experiment.cells]
        i = place_of(one, measure)
        assert one.counters.sums[i].tolist() == [int(value.sum()) for value in values]
        assert one.counters.squares[i].tolist() == [int((value * value).sum()) for value in values]
        assert one.counters.cross[i].tolist() == [[int((a * b).sum()) for b in values] for a in values]


def test_seats_share_the_wins(played):
    one = experiment_of(played, "decks", "contest")
    first, second = (one.counters.sums[place_of(one, "seat_share", seat)] for seat in (0, 1))
    rows = [rows_of(one.experiment.cells[0], 7, one.counters.deals, rotation) for rotation in (0, 1)]
    assert first[0] == sum(int((row["winner"] == 0).sum()) for row in rows)
    assert first[0] + second[0] == sum(int((row["winner"] >= 0).sum()) for row in rows)


def test_histogram_counts_every_game(played):
    one = experiment_of(played, "decks", "contest")
    turns = np.concatenate([rows_of(one.experiment.cells[1], 7, one.counters.deals, r)["turns"] for r in (0, 1)])
    values, counts = np.unique(turns, return_counts=True)
    assert one.counters.histograms["turns", 1] == dict(zip(values.tolist(), counts.tolist(), strict=True))


def same(one, other):
    return (
        one.deals == other.deals
        and (one.sums == other.sums).all()
        and (one.squares == other.squares).all()
        and (one.cross == other.cross).all()
        and one.histograms == other.histograms
    )


def test_same_for_any_threads_and_block_size(played, monkeypatch):
    expected = findings(played)
    alone = study_example.play(played.study, threads=1)
    assert findings(alone) == expected
    monkeypatch.setattr(study_module, "GAMES_A_BLOCK", 100)
    monkeypatch.setattr(study_module, "LEAST_BLOCK", 37)
    blocks = []
    small = study_example.play(played.study, threads=3, progress=blocks.append)
    assert len(blocks) > 50
    assert findings(small) == expected


def test_first_deals_are_the_same_whatever_the_total(played):
    fewer = study_example.play(played.study.sized(False, 300))
    limited = study_example.play(played.study, deals=fewer.deals)
    assert not limited.complete and fewer.complete
    assert all(same(a.counters, b.counters) for a, b in zip(fewer.played, limited.played, strict=True))
    assert not same(fewer.played[0].counters, played.played[0].counters)


def test_families_share_their_deals():
    data = study_example.data()
    data["family"][1]["factor"][0]["not_done"] = {"block": 6}
    result = study_example.play(from_data(data, "small.toml").sized(False, 500))
    decks, crossed = (experiment_of(result, name, "eager") for name in ("decks", "crossed"))
    prefix = study_example.play(result.study, deals=[crossed.counters.deals] * 5)
    decks = experiment_of(prefix, "decks", "eager")
    turns = place_of(decks, "turns")
    # "many" is the cell with neither factor done, "none" the one with the Blocks taken out.
    assert decks.counters.sums[turns].tolist() == crossed.counters.sums[turns][:2].tolist()


def test_cells_that_curves_share_are_played_once(played):
    one = experiment_of(played, "copies", "eager")
    assert [cell.name for cell in one.experiment.cells] == ["Skip 0", "Skip 2", "Skip 5", "Block 0", "Block 5"]
    shared = [point for point in one.experiment.points if point.level == 2]
    assert [point.cell for point in shared] == [1, 1] and all(point.contrast is None for point in shared)
    assert [contrast.name for contrast in one.experiment.contrasts] == ["Skip 0", "Skip 5", "Block 0", "Block 5"]


def test_wide_values_are_multiplied_exactly():
    values = np.array([[2**40, 2**40 + 1], [3, -(2**41)]])
    expected = [[int(a) * int(c) + int(b) * int(d) for c, d in values] for a, b in values]
    assert study_module._products(values).tolist() == expected
    assert study_module._products(np.array([[3, 4], [1, -2]])).tolist() == [[25, -5], [-5, 5]]


def test_common_moments_of_cells_that_differ_in_players_and_rotations():
    data = study_example.data()
    data["family"] = [
        {
            "name": "players",
            "label": "players",
            "deals": 400,
            "cell": [
                {"name": "two", "label": "two"},
                {"name": "three", "label": "three", "players": 3},
                {"name": "mixed", "label": "mixed", "seats": ["eager", "random"]},
            ],
        }
    ]
    data["question"] = []
    data["lineup"] = [{"name": "eager", "label": "eager", "seats": ["eager"], "rotate": True}]
    data["measure"] = [one for one in data["measure"] if one["name"] in ("first_seat", "seat_share", "reverses")]
    result = study_example.play(from_data(data, "players.toml"))
    (one,) = result.played
    moments, scale = common_moments(one, 0)
    advantage = [
        naive_values(cell, "first_seat", 7, 400) / cell.run.rotations - 1 / cell.run.players
        for cell in one.experiment.cells
    ]
    assert [cell.run.rotations for cell in one.experiment.cells] == [1, 1, 2] and scale == 6
    assert moments.sums.astype(float) / scale == pytest.approx([float(value.sum()) for value in advantage])
    expected = [[float((a * b).sum()) for b in advantage] for a in advantage]
    assert moments.cross.astype(float) / scale**2 == pytest.approx(np.array(expected))
    seats = {(row["cell"], row["seat"]) for row in findings(result)["cells"] if row["measure"] == "seat_share"}
    assert ("three", 2) in seats and ("two", 2) not in seats


def test_curves_over_players_and_over_a_strategy_of_ones_own(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from simkit.strategy import strategy\n\n\n@strategy(k=0)\n"
        "def choose(view, params):\n    return min(int(params.k), view.n_actions - 1)\n"
    )
    data = study_example.data()
    seats = [f"{tmp_path / 'mine.py'}:choose:k={{level}}", "eager"]
    curves = [
        {"name": "k", "label": "k", "levels": [0, 1], "reference": 0, "seats": seats},
        {"name": "players", "label": "players", "levels": [2, 3], "reference": 2, "players": True},
    ]
    data["lineup"] = data["lineup"][:1]
    data["question"] = []
    data["family"] = [{"name": "curves", "label": "curves", "deals": 300, "curve": curves}]
    (one,) = study_example.play(from_data(data, "curves.toml")).played
    cells = one.experiment.cells
    assert [cell.run.players for cell in cells] == [2, 2, 2, 3]
    assert [cell.run.seats[0].params.get("k") for cell in cells] == [0, 1, None, None]
    turns = one.counters.sums[place_of(one, "turns")].tolist()
    assert len(set(turns)) == 4


class Stopper:
    """Stops the play as Ctrl-C does, after so many blocks."""

    def __init__(self, blocks):
        self.left = blocks

    def __call__(self, games):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("blocks", [1, 9])
def test_interrupted_study_keeps_whole_blocks(monkeypatch, blocks):
    monkeypatch.setattr(study_module, "GAMES_A_BLOCK", 100)
    monkeypatch.setattr(study_module, "LEAST_BLOCK", 32)
    study = study_example.study().sized(False, 600)
    stopped = study_example.play(study, progress=Stopper(blocks))
    assert not stopped.complete and stopped.games > 0
    again = study_example.play(study, deals=stopped.deals)
    assert findings(again) == findings(stopped)
    assert findings(stopped)["complete"] is False


def test_experiments_advance_in_step(monkeypatch):
    monkeypatch.setattr(study_module, "GAMES_A_BLOCK", 64)
    monkeypatch.setattr(study_module, "LEAST_BLOCK", 16)
    study = study_example.study().sized(False, 600)
    stopped = study_example.play(study, threads=1, progress=Stopper(60))
    shares = [one.counters.deals / one.experiment.deals for one in stopped.played]
    assert min(shares) > 0.1 and max(shares) - min(shares) < 0.25


def test_signal_in_the_middle_of_playing():
    study = study_example.study().sized(False, 1_000_000)
    run = StudyRun(study, experiments(study, 7, "small.toml"), 7)
    timer = threading.Timer(0.6, signal.raise_signal, [signal.SIGINT])
    timer.start()
    result = run.play(2)
    timer.cancel()
    assert not result.complete
    for one in result.played:
        for cell in range(len(one.experiment.cells)):
            for column, place in one.experiment.histograms[cell]:
                counts = one.counters.histograms[column, cell]
                assert sum(counts.values()) == one.counters.deals * one.experiment.cells[cell].run.rotations, place
