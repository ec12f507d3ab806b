"""From counters to findings: estimates, paired contrasts, Holm's family, facts."""

import json
import math

import numpy as np
import pytest
from scipy.stats import t, ttest_1samp

from simkit.run.study_design import PlannedContrast
from simkit.run.study_findings import _change, _favour, findings
from simkit.run.study_spec import from_data
from simkit.stats import Verdict, holm
from tests.run import study_example
from tests.run.test_study import experiment_of, naive_values


@pytest.fixture(scope="module")
def result():
    return study_example.play(study_example.study().sized(False, 900))


@pytest.fixture(scope="module")
def found(result):
    return findings(result)


def pick(rows, **wanted):
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def test_findings_are_plain_json_without_nan(found):
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("measure", ["first_seat", "turns", "edge"])
def test_contrast_is_the_paired_difference(result, found, measure):
    one = experiment_of(result, "decks", "contest")
    many, none = (naive_values(cell, measure, 7, one.counters.deals) / 2 for cell in one.experiment.cells)
    difference = none - many
    half = t.ppf(0.975, len(difference) - 1) * difference.std(ddof=1) / math.sqrt(len(difference))
    (row,) = pick(found["contrasts"], family="decks", lineup="contest", measure=measure)
    assert row["estimate"] == pytest.approx(difference.mean())
    assert (row["low"], row["high"]) == pytest.approx((difference.mean() - half, difference.mean() + half))
    separate = many.var(ddof=1) + none.var(ddof=1)
    assert row["variance_ratio"] == pytest.approx(difference.var(ddof=1) / separate)


def test_effects_of_the_factorial(result, found):
    one = experiment_of(result, "crossed", "eager")
    turns = [naive_values(cell, "turns", 7, one.counters.deals) for cell in one.experiment.cells]
    neither, block, early, both = (value.mean() for value in turns)
    expected = {
        "Block": (block + both - neither - early) / 2,
        "Early": (early + both - neither - block) / 2,
        "Block × Early": (both - early) - (block - neither),
    }
    rows = pick(found["contrasts"], family="crossed", lineup="eager", measure="turns")
    assert {row["contrast"]: row["estimate"] for row in rows} == pytest.approx(expected)
    assert [cell.name for cell in one.experiment.cells] == ["neither", "Block", "Early", "Block + Early"]


def test_advantage_is_the_share_less_the_fair_share(found):
    place = {"family": "decks", "lineup": "eager", "cell": "many"}
    (share,) = pick(found["cells"], measure="seat_share", seat=0, **place)
    (advantage,) = pick(found["cells"], measure="first_seat", **place)
    for end in ("estimate", "low", "high"):
        assert advantage[end] == pytest.approx(share[end] - 0.5)


def test_bracket_where_games_are_undecided():
    data = study_example.data()
    data["family"][0]["rules"] = {"max_turns": 25}
    found = findings(study_example.play(from_data(data, "small.toml").sized(False, 400)))
    place = {"family": "decks", "lineup": "eager", "cell": "many"}
    first, second = (pick(found["cells"], measure="seat_share", seat=seat, **place)[0] for seat in (0, 1))
    undecided = 1 - first["estimate"] - second["estimate"]
    assert undecided > 0.1
    assert first["bracket_low"] == first["low"]
    assert first["bracket_high"] > first["estimate"] + undecided
    open_end = pick(findings(study_example.play(study_example.study().sized(False, 400)))["cells"], **place)
    assert all(row["bracket_high"] is None for row in open_end)


def test_one_family_of_tests_for_an_experiment(result, found):
    rows = pick(found["contrasts"], family="crossed", lineup="contest")
    tests = {(row["family"], row["lineup"]): row["tests"] for row in found["played"]}
    assert tests["crossed", "contest"] == len(rows) == 3 * 4
    assert tests["crossed", "eager"] == 3 * 3
    one = experiment_of(result, "crossed", "contest")
    raw = []
    for measure in dict.fromkeys(row["measure"] for row in rows):
        neither, block, early, both = (
            naive_values(cell, measure, 7, one.counters.deals) for cell in one.experiment.cells
        )
        for effect in (block + both - neither - early, early + both - neither - block, both - early - block + neither):
            raw.append(ttest_1samp(effect, 0).pvalue)
    assert [row["p_holm"] for row in rows] == pytest.approx(holm(raw))
    assert min(holm(raw)) < 0.001 and max(holm(raw)) > 0.05


def test_verdicts_agree_with_the_intervals(found):
    margins = {row["name"]: row["margin"] for row in found["measures"]}
    words = set()
    for row in found["contrasts"]:
        words.add(row["verdict"])
        assert row["margin"] == margins[row["measure"]]
        if row["verdict"] == "no relevant difference":
            assert max(abs(row["low"]), abs(row["high"])) < row["margin"]
        if row["verdict"] == "higher":
            assert row["low"] > 0
        if row["verdict"] == "lower":
            assert row["high"] < 0
        assert (row["more_deals"] is None) == (row["relevant"] is not None)
    assert {"lower", "undecided"} <= words


def test_fact_is_counted_not_assumed():
    asked = study_example.study().sized(False, 300)
    (fact,) = findings(study_example.play(asked))["facts"]
    assert fact["never"] and fact["total"] == 0
    data = study_example.data()
    data["family"][0]["rules"] = {"reverse": 6, "two_player_reverse": "skips"}
    result = study_example.play(from_data(data, "small.toml").sized(False, 300))
    (fact,) = findings(result)["facts"]
    one = experiment_of(result, "decks", "contest")
    other = experiment_of(result, "decks", "eager")
    counted = sum(
        int(naive_values(cell, "reverses", 7, part.counters.deals).sum())
        for part in (one, other)
        for cell in part.experiment.cells
    )
    assert not fact["never"] and fact["total"] == counted > 0
    assert fact["text"] == f"{counted:,} Reverses."


def favour(better, word, weights, means, kind="cells"):
    measure = study_example.study().measure[0].model_copy(update={"better": better})
    planned = PlannedContrast("x", "x", kind, tuple(weights))
    return _favour(measure, Verdict(word, None), _change(planned, means))


def test_better_and_worse():
    assert favour("higher", "higher", (1, -1), (2.0, 1.0)) == "better"
    assert favour("higher", "lower", (1, -1), (1.0, 2.0)) == "worse"
    assert favour("lower", "lower", (1, -1), (1.0, 2.0)) == "better"
    assert favour(None, "lower", (1, -1), (1.0, 2.0)) is None
    assert favour("higher", "undecided", (1, -1), (2.0, 1.0)) is None
    # Nearer zero: from -2 to -1 is higher, and better; from 2 to 3 is higher, and worse.
    assert favour("nearer zero", "higher", (1, -1), (-1.0, -2.0)) == "better"
    assert favour("nearer zero", "higher", (1, -1), (3.0, 2.0)) == "worse"
    assert favour("nearer zero", "higher", (1, -1), (1.0, -0.5)) is None
    assert favour("nearer zero", "higher", (1, -1), (3.0, 2.0), kind="interaction") is None


def test_percentiles_and_histogram(result, found):
    one = experiment_of(result, "decks", "eager")
    turns = np.sort(naive_values(one.experiment.cells[0], "turns", 7, one.counters.deals))
    (row,) = pick(found["histograms"], lineup="eager", cell="many")
    assert sum(row["games"]) == len(turns) and row["values"][0] == turns[0]
    median = next(point for point in row["percentiles"] if point["percent"] == 50)
    assert median["estimate"] == turns[math.ceil(len(turns) / 2) - 1]
    assert median["low"] <= median["estimate"] <= median["high"]


def test_findings_of_one_deal_have_no_intervals():
    found = findings(study_example.play(study_example.study().sized(False, 1)))
    assert all(row["low"] is None and row["verdict"] == "undecided" for row in found["contrasts"])
    assert all(row["more_deals"] is None for row in found["contrasts"])
    json.dumps(found, allow_nan=False)
