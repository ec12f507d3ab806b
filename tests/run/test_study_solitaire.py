"""Studies of a solitaire: a solver among the players, how long games live, how lost ones end."""

from collections import Counter

import numpy as np
import pytest

from simkit import registry
from simkit.contract import SOLVED, UNDECIDED
from simkit.errors import BadInput
from simkit.run.blocks import Seating
from simkit.run.solve import solve_spec
from simkit.run.study_endings import ending_tables, survival_places
from simkit.run.study_spec import from_data
from simkit.stats import wilson
from simkit.strategy import Player, resolve
from tests.run import solitaire_example, study_example

GAME = registry.game("foursquare")
STATUS = next(column.words for column in GAME.columns if column.name == "status")


@pytest.fixture(scope="module")
def found():
    return solitaire_example.found()


@pytest.fixture(scope="module")
def answers():
    """What the solver says of the study's deals."""
    spec = solve_spec(GAME, 12, solitaire_example.SEED, solitaire_example.RULES, beam=30, budget=20_000, best=True)
    solver = GAME.part(GAME.solver).Solver(spec.run.rules, spec.beam, spec.budget, spec.best)
    return solver.solve(solitaire_example.SEED, 0, 12)


def columns(name, deals):
    rows = Seating(GAME, GAME.rules(1, solitaire_example.RULES), [Player(GAME, resolve(GAME, name))])
    played = rows.play(solitaire_example.SEED, 0, deals)
    return {column.name: played[:, i] for i, (column, _) in enumerate(GAME.flat_columns(1))}


def row_of(rows, **keys):
    (row,) = [row for row in rows if all(row[key] == value for key, value in keys.items())]
    return row


# ---------------------------------------------------------------- the order of the stock known


def test_the_known_cell_says_what_the_solver_says_of_the_same_deals(found, answers):
    counts = Counter(answer.status for answer in answers)
    row = row_of(found["cells"], family="who", cell="known", measure="solved")
    assert row["n"] == 12 and row["estimate"] == counts[SOLVED] / 12
    assert counts[UNDECIDED] > 0
    lost, won = wilson(counts[SOLVED], 12), wilson(counts[SOLVED] + counts[UNDECIDED], 12)
    assert (row["low"], row["high"]) == pytest.approx((lost.low, lost.high))
    assert (row["bracket_low"], row["bracket_high"]) == pytest.approx((lost.low, won.high))
    score = row_of(found["cells"], family="who", cell="known", measure="left")
    assert score["estimate"] == pytest.approx(sum(answer.score or 0 for answer in answers) / 12)


def test_the_known_cell_is_compared_on_the_deals_that_both_have(found, answers):
    row = row_of(found["contrasts"], family="who", contrast="known against greedy", measure="left")
    values = np.array([answer.score or 0 for answer in answers]) - columns("greedy", 12)["score_or_zero"]
    assert row["n"] == 12 and row["estimate"] == pytest.approx(values.mean())
    whole = row_of(found["contrasts"], family="who", contrast="greedy against cautious", measure="left")
    assert whole["n"] == 300


def test_what_a_solver_cannot_tell_is_left_out(found):
    assert not [row for row in found["cells"] if row["cell"] == "known" and row["measure"] == "placed"]
    assert not [row for row in found["survival"] if row["cell"] == "known"]
    assert not [row for row in found["endings"] if row["cell"] == "known"]
    (scores,) = [row for row in found["histograms"] if row["cell"] == "known"]
    assert scores["column"] == "score_or_zero" and sum(scores["games"]) == 12


# ---------------------------------------------------------------- how games end


@pytest.mark.parametrize("name", ["greedy", "cautious"])
def test_survival_counts_the_games_still_going_and_how_others_ended(found, name):
    played = columns(name, 300)
    rows = [row for row in found["survival"] if (row["family"], row["cell"]) == ("who", name)]
    assert [row["after"] for row in rows] == list(range(played["placed"].max() + 1))
    for row in rows:
        assert row["games"] == 300 and row["going"] == (played["placed"] > row["after"]).sum()
        for code, word in enumerate(STATUS):
            assert row["ended"][word] == ((played["placed"] == row["after"]) & (played["status"] == code)).sum()
    assert rows[-1]["going"] == 0


def test_endings_are_those_of_the_lost_games(found):
    played = columns("greedy", 300)
    lost = GAME.part("lost_games").count_endings(
        GAME.rules(1, solitaire_example.RULES),
        solitaire_example.SEED,
        np.flatnonzero(played["status"]),
        Player(GAME, resolve(GAME, "greedy")),
    )
    for table in ("face_down", "losing_rank", "ways_out"):
        row = row_of(found["endings"], family="who", cell="greedy", table=table)
        games, counts = lost[table]
        assert row["games"] == games and np.array_equal(row["counts"], counts)


def test_a_table_or_a_game_that_has_none_is_refused():
    with pytest.raises(BadInput, match=r"endings: got 'luck', allowed for foursquare: face_down, empty, losing_cell"):
        ending_tables(GAME, ["luck"])
    with pytest.raises(BadInput, match=r"survival: got skyjo, allowed: a solitaire"):
        survival_places(registry.game("skyjo"))


def ask_for_luck(data):
    data["family"][0]["endings"] = ["luck"]
    data["question"] = data["question"][:2]


def give_the_known_a_player(data):
    data["family"][0]["cell"][2]["seats"] = ["greedy"]


def ask_a_game_of_several_seats(data):
    data.update(game="sequence_stacks", players=2)
    family = data["family"][0]
    family.update(rules={}, endings=[], histograms=[], survival=False)
    family["cell"][0]["seats"], family["cell"][1]["seats"] = ["eager"], ["random"]
    data["measure"] = data["measure"][:1]
    data["measure"][0]["metric"] = "undecided_rate"
    data["family"], data["question"] = [family], [{"ask": "?", "family": "who", "measures": ["solved"]}]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (ask_for_luck, "endings: got 'luck'"),
        (give_the_known_a_player, "cell known"),
        (ask_a_game_of_several_seats, "sequence-stacks has no solver, allowed: foursquare"),
    ],
)
def test_bad_studies_are_told_in_one_line(change, said):
    data = solitaire_example.data()
    change(data)
    with pytest.raises(BadInput, match=said) as problem:
        study_example.play(from_data(data, "alone.toml"), seed=1)
    assert "\n" not in str(problem.value)
