"""A broken study file is refused in one line that names file and key; a good one is sized as asked."""

import pytest

from simkit import studies
from simkit.errors import BadInput
from simkit.run.study_design import experiments
from simkit.run.study_spec import from_data, from_file
from tests.run import study_example

TEXT = study_example.TEXT
BROKEN = {
    "no TOML": ('name = "small"', "name = small", "is not TOML"),
    "unknown key": ('name = "small"', 'name = "small"\ncolour = 1', "colour: is no key"),
    "missing key": ('title = "A small study"', "", "title: is missing"),
    "negative deals": ("deals = 3000", "deals = -3", "family decks: deals: got -3, allowed: greater"),
    "deals as text": ("deals = 3000", 'deals = "3000"', "family decks: deals: got '3000', allowed: a valid integer"),
    "deals with a point": ("deals = 3000", "deals = 3e3", "family decks: deals: got 3000.0, allowed: a valid integer"),
    "absurd deals": ("deals = 3000", "deals = 3_000_000_000", "family decks: deals: got 3000000000, allowed: less"),
    "name with a slash": ('name = "small"', 'name = "../small"', "name: got '../small'"),
    "game": ('"sequence_stacks"', '"whist"', "game: GAME: got 'whist'"),
    "players": ("players = 2", "players = 7", "--players: got 7, allowed for sequence-stacks: 2 to 6"),
    "option": (
        "rules = { block = 6 }",
        "rules = { blok = 6 }",
        "cell many: line-up eager: --rule: sequence-stacks has",
    ),
    "value": ("rules = { block = 6 }", "rules = { block = 16 }", "rule block: got 16, allowed: a whole number from 0"),
    "level of a curve": ("levels = [0, 2, 5]", "levels = [0, 2, 15]", "cell Skip 15: line-up eager: rule skip: got 15"),
    "reference": ("reference = 2", "reference = 3", "family copies: curve Skip: reference 3 is none of the levels"),
    "strategy": ('seats = ["eager", "random"]', 'seats = ["eager", "rnd"]', "line-up contest: --seat: got 'rnd'"),
    "seats": ('["eager", "random"]', '["eager", "random", "random"]', "--seat: got 3 of them, allowed: one"),
    "metric": ('metric = "win_share"\nseat = 0', 'metric = "wins"\nseat = 0', "measure first_seat: metric: got 'wins'"),
    "seat": ("seat = 0", "seat = 2", "measure first_seat: seat: got 2, allowed: 0 to 1"),
    "player": ("player = 0", "player = 2", "measure edge: player: got 2, allowed: 0 to 1"),
    "column": ('column = "turns"', 'column = "rounds"', "measure turns: column: got 'rounds'"),
    "column without a mean": ("at_least = 2\n", "", "measure comebacks: column: winner_deficit has no mean"),
    "two tests": ("at_least = 2", "at_least = 2\nat_most = 4", "measure comebacks: takes one of at_least"),
    "no margin": ("margin = 0.5\n", "", "measure turns: needs a margin and a why"),
    "negative margin": ("margin = 0.5", "margin = -0.5", "measure turns: margin: got -0.5"),
    "line-up": ('lineups = ["eager"]', 'lineups = ["expert"]', "family copies: lineups: got 'expert', allowed: eager"),
    "name twice": ('name = "contest"', 'name = "eager"', "lineup: the name 'eager' is given twice"),
    "histogram": ('["turns"]', '["tuns"]', "family decks: histograms: got 'tuns', allowed: turns"),
    "two designs": ("quick_deals = 600", "quick_deals = 600\ncurve = [{}]", "family decks: curve 1"),
    "question's measure": ('measures = ["turns"]', 'measures = ["trns"]', "question 'Shorter?': measures: got 'trns'"),
    "question's contrast": ('contrasts = ["main"]', 'contrasts = ["mian"]', "contrasts: got 'mian', allowed: main"),
    "fact": ('[[fact]]\nmeasure = "reverses"', '[[fact]]\nmeasure = "skips"', "fact: measure: got 'skips'"),
    "level": ("players = 2", "players = 2\nlevel = 95", "level: got 95, allowed: less than 1"),
    "seed": ("players = 2", "players = 2\nseed = -1", "seed: got -1, allowed: greater"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_file_is_one_line_with_file_and_key(tmp_path, case):
    before, after, said = BROKEN[case]
    assert before in TEXT
    path = tmp_path / "mine.toml"
    path.write_text(TEXT.replace(before, after, 1))
    with pytest.raises(BadInput) as problem:
        experiments(from_file(path), 0, str(path))
    line = str(problem.value)
    assert line.startswith(f"{path}: ") and said in line and "\n" not in line


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"family = 3"])
def test_file_that_is_no_study(tmp_path, content):
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"mine\.toml: \w"):
        from_file(path)
    with pytest.raises(BadInput, match="cannot be read"):
        from_file(tmp_path / "nowhere.toml")


def test_weights_of_a_contrast():
    data = study_example.data()
    for weights, said in (({"many": 1.0, "none": -0.5}, "add up to 0"), ({"many": 1.0, "other": -1.0}, "got 'other'")):
        data["family"][0]["contrast"] = [{"name": "x", "label": "x", "weights": weights}]
        with pytest.raises(BadInput, match=f"family decks: contrast x: .*{said}"):
            from_data(data, "small.toml")


def test_deals_quick_and_in_proportion():
    study = study_example.study()

    def deals(study):
        return [family.deals for family in study.family]

    assert deals(study) == [3000, 700, 500]
    assert deals(study.sized(True, None)) == [600, 70, 50]
    assert deals(study.sized(False, 6000)) == [6000, 1400, 1000]
    assert deals(study.sized(False, 10)) == [10, 3, 2]


def test_study_survives_its_own_data():
    study = study_example.study()
    assert from_data(study.model_dump(), "again") == study


def test_built_in_studies_can_be_found_and_played():
    assert "removal" in studies.names() and studies.path("nothing") is None
    for name in studies.names():
        study = from_file(studies.path(name))
        assert study.name == name
        assert experiments(study, 0, name)


def test_removal_keeps_its_promises():
    study = from_file(studies.path("removal"))
    by_name = {family.name: family for family in study.family}
    planned = {(one.family.name, one.lineup.name): one for one in experiments(study, 0, "removal")}
    mains = planned["whole", study.lineup[0].name]
    decks = {cell.name: {key: cell.run.rules[key] for key in KINDS} for cell in mains.cells}
    assert decks["120 cards"] == dict(zip(KINDS, (3, 3, 3, 3, 4), strict=True))
    assert decks["112 cards"] == dict(zip(KINDS, (2, 0, 2, 2, 2), strict=True))
    # Half-width of a share near one half: 1.96 * 0.5 / sqrt(deals) <= 0.1 percentage points.
    assert by_name["whole"].deals >= 1_000_000
    factorial = planned["kinds", study.lineup[0].name]
    assert len({tuple(cell.run.rules[key] for key in KINDS) for cell in factorial.cells}) == 32
    assert len(factorial.contrasts) == 5 + 10
    copies = planned["copies", study.lineup[0].name]
    for kind in KINDS:
        assert {cell.run.rules[kind] for cell in copies.cells} == set(range(7))


KINDS = "skip", "reverse", "steal_card", "block", "steal_chip"
