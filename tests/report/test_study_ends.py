"""Charts of how games live and end show the shares that the findings hold, with labels, legends and notes."""

import numpy as np
import pytest

from simkit.report.study_charts import charts
from simkit.report.study_estimates import estimates
from simkit.report.study_lookup import Lookup
from simkit.report.study_report import as_png
from simkit.report.study_telling import FEW_GAMES
from tests.run import solitaire_example


@pytest.fixture(scope="module")
def found():
    return solitaire_example.found()


@pytest.fixture(scope="module")
def drawn(found):
    return charts(found)


def lines_of(panel):
    return {line.get_label(): line.get_ydata() for line in panel.get_lines() if not line.get_label().startswith("_")}


def test_all_charts_are_there(drawn):
    assert list(drawn) == [
        "estimates-who",
        "survival-who",
        "score_or_zero-who",
        "face-down-who",
        "losing-rank-who",
        "ways-out-who",
        "estimates-heights",
        "survival-heights",
    ]


def test_survival_falls_from_all_to_the_share_that_is_won(drawn, found):
    alive, going = drawn["survival-who"].axes
    assert (alive.get_ylabel(), going.get_ylabel()) == ("not lost [%]", "still being played [%]")
    assert alive.get_xlabel() == "cards placed"
    for cell in ("greedy", "cautious"):
        (solved,) = [
            row["estimate"]
            for row in found["cells"]
            if (row["cell"], row["measure"]) == (cell, "solved") and row["family"] == "who"
        ]
        shares = lines_of(alive)[cell]
        assert shares[0] == 100 and shares[-1] == pytest.approx(100 * solved) and (np.diff(shares) <= 0).all()
        assert lines_of(going)[cell][-1] == 0


def test_survival_of_a_curve_has_the_reference_and_every_level(drawn):
    for panel in drawn["survival-heights"].axes:
        assert list(lines_of(panel)) == ["4 (reference)", "1", "2"]


def test_scores_are_shown_as_so_many_or_more(drawn, found):
    more, exact = drawn["score_or_zero-who"].axes
    assert set(lines_of(more)) == {"greedy", "cautious", "stock known"}
    for row in found["histograms"]:
        if row["family"] == "who":
            label = next(cell["label"] for cell in found["families"][0]["cells"] if cell["name"] == row["cell"])
            games = dict(zip(row["values"], row["games"], strict=True))
            least = more.get_lines()[0].get_xdata()[0]
            share = 100 * sum(count for value, count in games.items() if value >= least) / sum(games.values())
            assert lines_of(more)[label][0] == pytest.approx(share)
            assert lines_of(exact)[label][0] == pytest.approx(100 * games.get(least, 0) / sum(games.values()))


def test_maps_hold_the_shares_of_the_lost_games(drawn, found):
    rows = {row["cell"]: row for row in found["endings"] if (row["family"], row["table"]) == ("who", "face_down")}
    shown = {panel.get_title().split("\n")[0]: panel for panel in drawn["face-down-who"].axes}
    assert set(shown) == {cell for cell, row in rows.items() if row["games"] >= FEW_GAMES}
    parts = next(table["parts"] for table in found["ending_tables"] if table["name"] == "face_down")
    for cell, panel in shown.items():
        shares = 100 * np.array(rows[cell]["counts"]) / (parts * rows[cell]["games"])
        np.testing.assert_allclose(panel.images[0].get_array(), shares)
        assert [text.get_text() for text in panel.texts] == [f"{share:.0f}" for share in shares.flat]
        assert panel.get_title().endswith(f"{rows[cell]['games']:,} games")


def test_bars_add_up_to_all_lost_games(drawn):
    for panel in drawn["losing-rank-who"].axes:
        assert sum(bar.get_height() for bar in panel.patches) == pytest.approx(100)
        assert [text.get_text() for text in panel.get_xticklabels()][:3] == ["A", "2", "3"]


def test_estimates_have_a_row_for_each_cell_and_say_how_many_deals(found):
    figure = estimates(Lookup(found), "who")
    solved, left = figure.axes
    assert [text.get_text() for text in solved.get_yticklabels()] == ["greedy", "cautious", "stock known"]
    assert (solved.get_title(), left.get_title()) == ("deals solved", "cards left")
    assert [text.get_text().split("\n")[1] for text in solved.texts] == ["300 deals", "300 deals", "12 deals"]


def test_a_partial_study_says_so_on_every_chart(found):
    for figure in charts(found | {"complete": False}).values():
        words = [figure._supxlabel.get_text() if figure._supxlabel else ""]
        words += [legend.get_title().get_text() for legend in figure.legends]
        assert "PARTIAL" in " ".join(words)


def test_pictures_are_the_same_each_time(drawn, found):
    assert as_png(drawn["face-down-who"]) == as_png(charts(found)["face-down-who"])
