"""Charts are Figures with the right points, intervals, labels and legends."""

import sys

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from simkit.report import study_charts
from simkit.report.study_charts import COLORS, charts
from simkit.report.study_lookup import Lookup
from simkit.report.study_report import as_png, as_svg


def panel_of(figure, title):
    (panel,) = [panel for panel in figure.axes if panel.get_title().replace("\n", " ") == title]
    return panel


def legend_of(figure):
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()], legend.get_title().get_text()


@pytest.fixture(scope="module")
def drawn(played_findings):
    return charts(played_findings)


def test_all_charts_are_there_without_pyplot(drawn):
    assert list(drawn) == [
        "contrasts",
        "turns-decks",
        "seat-share-decks",
        "curves-copies-eager",
        "interactions",
    ]
    assert all(isinstance(figure, Figure) for figure in drawn.values())
    assert "matplotlib.pyplot" not in sys.modules


def test_forest_shows_every_contrast_with_its_interval(drawn, played_findings):
    figure = drawn["contrasts"]
    assert [panel.get_title() for panel in figure.axes if panel.get_visible()] == [
        "first-seat advantage",
        "skill edge",
        "length",
        "comebacks",
    ]
    panel = panel_of(figure, "length")
    assert panel.get_xlabel() == "difference [turns]"
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert labels == ["no Blocks against many Blocks", "taking out the Blocks", "forbidding an early stop"]
    rows = [
        row
        for row in played_findings["contrasts"]
        if row["measure"] == "turns" and row["lineup"] == "eager" and row["kind"] in ("cells", "main")
    ]
    points, _, (bars,) = panel.containers[0]
    assert points.get_xdata() == pytest.approx([row["estimate"] for row in rows])
    ends = [(low, high) for (low, _), (high, _) in bars.get_segments()]
    assert np.array(ends) == pytest.approx(np.array([(row["low"], row["high"]) for row in rows]))
    assert panel_of(figure, "comebacks").get_xlabel() == "difference [points]"
    assert legend_of(figure) == (
        ["two eager players", "eager against random"],
        "95 % intervals (shaded: differences too small to matter)",
    )


def test_contrasts_called_alike_are_told_apart_by_their_families(found):
    for family in found["families"]:
        for contrast in family["contrasts"]:
            contrast["label"] = "the change"
    labels = [text.get_text() for text in charts(found)["contrasts"].axes[0].get_yticklabels()]
    assert labels == ["two decks: the change", "both rules: the change", "both rules: the change"]


def test_long_titles_are_wrapped(found):
    found["families"][0]["label"] = "two decks that differ in this and that and in many other things besides, " * 2
    for name in ("turns-decks", "seat-share-decks"):
        figure = charts(found)[name]
        figure.draw_without_rendering()
        title = figure._suptitle.get_window_extent()
        assert title.x0 >= 0 and title.x1 <= figure.bbox.width


def test_a_distribution_of_a_column_without_a_measure_is_told_by_what_the_column_means(found):
    for measure in found["measures"]:
        if measure["column"] == "turns":
            measure["column"] = None
    assert found["columns"] == {"turns": "turns taken by all"}
    assert charts(found)["turns-decks"]._suptitle.get_text() == "Turns taken by all: two decks"


def test_forest_shades_the_margin(drawn):
    for title, margin in (("length", 0.5), ("comebacks", 2.0)):
        shades = [patch.get_extents() for patch in panel_of(drawn["contrasts"], title).patches]
        to_data = panel_of(drawn["contrasts"], title).transData.inverted()
        (low, _), (high, _) = to_data.transform(shades[0].min), to_data.transform(shades[0].max)
        assert (low, high) == pytest.approx((-margin, margin))


def test_lengths_have_a_legend_and_fall_from_all_to_none(drawn, played_findings):
    figure = drawn["turns-decks"]
    assert legend_of(figure)[0] == ["many Blocks", "no Blocks"]
    assert figure.get_suptitle() == "Length: two decks"
    above, below = figure.axes[0], figure.axes[2]
    assert above.get_title() == "two eager players" and below.get_xlabel() == "turns"
    (row,) = [row for row in played_findings["histograms"] if (row["lineup"], row["cell"]) == ("eager", "none")]
    shares = above.lines[1].get_ydata()
    assert shares.sum() == pytest.approx(100) and above.lines[1].get_xdata().tolist() == row["values"]
    going = below.lines[1].get_ydata()
    assert (np.diff(going) <= 0).all() and going[-1] == 0 and going[0] == pytest.approx(100 - shares[0])
    assert len(above.collections) == 2, "a band for each cell"


def test_seats_show_fair_share_and_intervals(drawn, played_findings):
    figure = drawn["seat-share-decks"]
    assert legend_of(figure)[0] == ["fair share", "many Blocks", "no Blocks"]
    panel = figure.axes[0]
    fair = next(line for line in panel.lines if line.get_label() == "fair share")
    assert set(fair.get_ydata()) == {50.0}
    assert [text.get_text() for text in panel.get_xticklabels()] == ["seat 1", "seat 2"]
    points, _, (bars,) = panel.containers[0]
    rows = [
        row
        for row in played_findings["cells"]
        if (row["lineup"], row["cell"], row["measure"]) == ("eager", "many", "seat_share")
    ]
    assert points.get_ydata() == pytest.approx([100 * row["estimate"] for row in rows])
    tops = [end[1] for _, end in bars.get_segments()]
    assert tops == pytest.approx([100 * row["high"] for row in rows])


def test_curves_have_a_line_and_a_band_each(drawn, played_findings):
    figure = drawn["curves-copies-eager"]
    assert legend_of(figure)[0] == ["Skip", "Block"]
    panel = panel_of(figure, "length")
    line = next(line for line in panel.lines if line.get_label() == "Block")
    cells = {
        row["cell"]: row["estimate"]
        for row in played_findings["cells"]
        if (row["family"], row["measure"]) == ("copies", "turns")
    }
    assert line.get_xdata().tolist() == [0, 2, 5]
    assert line.get_ydata() == pytest.approx([cells["Block 0"], cells["Skip 2"], cells["Block 5"]])
    assert len(panel.collections) == 2 and panel.get_ylabel() == "turns"
    assert panel.get_xlabel() == "copies"


def test_levels_that_are_words_stand_in_line(found):
    for row in found["curves"]:
        row["level"] = {0: "none", 2: "some", 5: "many"}[row["level"]]
    figure = study_charts.curves(Lookup(found), "copies", "eager")
    panel = panel_of(figure, "length")
    assert [text.get_text() for text in panel.get_xticklabels()] == ["none", "some", "many"]


def test_colours_are_okabe_and_ito_and_markers_differ(drawn):
    panel = panel_of(drawn["contrasts"], "length")
    points = [container[0] for container in panel.containers]
    assert [to_hex(point.get_color()).upper() for point in points] == list(COLORS[:2])
    assert len({point.get_marker() for point in points}) == 2


def test_partial_study_says_so_on_every_chart(found):
    found["complete"] = False
    assert all("PARTIAL" in legend_of(figure)[1] for figure in charts(found).values())


def test_pictures_are_the_same_bytes_again(found, drawn):
    again = charts(found)["seat-share-decks"]
    png, svg = as_png(again), as_svg(again)
    assert png.startswith(b"\x89PNG") and "<svg" in svg
    other = charts(found)["seat-share-decks"]
    assert as_png(other) == png and as_svg(other) == svg
    assert "<dc:date>" not in svg
