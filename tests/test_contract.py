"""Options and rules as data: every way in which a value can be given, right or wrong."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.contract import Option, Rules
from simkit.errors import BadInput
from simkit.registry import GAMES, game, games

NAMED = Option("refill", "help", "source", "start", "end", values=("start", "end"))
NUMBER = Option("cards", "help", "source", 5, 6, low=-2, high=10, by_players={2: 4})
TRUTH = Option("open", "help", "source", True, False, values=(True, False))
MIXED = Option("limit", "help", "source", 0, 0, values=(0, 1, True))


@pytest.mark.parametrize("given", ["start", "end"])
def test_a_named_value(given):
    assert NAMED.check(given) == given


@pytest.mark.parametrize(("given", "value"), [(5, 5), ("5", 5), ("-2", -2), ("10", 10), ("007", 7), (0, 0)])
def test_a_whole_number(given, value):
    assert NUMBER.check(given) == value and type(NUMBER.check(given)) is int


@pytest.mark.parametrize(("given", "value"), [("true", True), ("false", False), (True, True), (False, False)])
def test_a_truth(given, value):
    assert TRUTH.check(given) is value


def test_a_number_is_no_truth():
    assert MIXED.check(1) == 1 and type(MIXED.check(1)) is int
    assert MIXED.check(True) is True and MIXED.check("true") is True
    for number in (1, 0, "1", "yes", "True"):
        with pytest.raises(BadInput):
            TRUTH.check(number)


@pytest.mark.parametrize("given", ["Start", "star", "", " end", None, 0, 1.0])
def test_what_is_no_named_value(given):
    with pytest.raises(BadInput, match=r"^rule refill: got .*, allowed: start, end$"):
        NAMED.check(given)


@pytest.mark.parametrize(
    "given", ["11", 11, -3, "five", "", "1.0", 1.0, "1e1", True, None, "--1", "٣", "9" * 30, "0x5", "+5", "1_0"]
)
def test_what_is_no_number_in_range(given):
    with pytest.raises(BadInput, match=r"^rule cards: got .*, allowed: a whole number from -2 to 10$"):
        NUMBER.check(given)


@given(st.text())
def test_any_text_is_a_value_or_one_line_of_bad_input(given):
    for option in (NAMED, NUMBER, TRUTH):
        try:
            assert option.code(option.check(given)) in range(-2, 11)
        except BadInput as problem:
            assert f"rule {option.name}: got " in str(problem)


def test_defaults_by_preset_and_players():
    assert (NAMED.default("seed", 2), NAMED.default("official", 2)) == ("start", "end")
    assert [NUMBER.default("seed", players) for players in (2, 3)] == [4, 5]
    assert NUMBER.default("official", 2) == 4


def test_codes():
    assert [NAMED.code(value) for value in ("start", "end")] == [0, 1]
    assert NUMBER.code(-2) == -2 and TRUTH.code(False) == 1


def test_rules_are_a_frozen_mapping():
    rules = Rules(2, {"cards": 5, "open": True})
    assert (rules.players, rules.cards, rules["open"], dict(rules)) == (2, 5, True, {"cards": 5, "open": True})
    with pytest.raises(AttributeError):
        rules.cards = 6
    with pytest.raises(AttributeError):
        _ = rules.card
    with pytest.raises(TypeError):
        rules["cards"] = 6
    assert pickle.loads(pickle.dumps(rules)) == rules


# What every game's metadata must hold


@pytest.mark.parametrize("name", GAMES)
def test_options_are_well_made(name):
    this = game(name)
    names = [option.name for option in this.options]
    assert len(set(names)) == len(names)
    for option in this.options:
        assert option.help and option.source and option.name.isidentifier()
        for value in (option.seed, option.official, *option.by_players.values()):
            assert option.check(value) == value
        assert all(this.least_players <= players <= this.most_players for players in option.by_players)
    assert this.part("state").RULES_RECORD.names == tuple(names)


@pytest.mark.parametrize("name", GAMES)
def test_every_single_value_reaches_the_rules_and_their_codes(name):
    this = game(name)
    for place, option in enumerate(this.options):
        for value in option.values or (option.low, option.high):
            try:
                rules = this.rules(this.most_players, {option.name: value})
            except BadInput as problem:
                assert option.name in str(problem) or "rule " in str(problem)
                continue
            assert rules[option.name] == value and this.codes(rules)[place] == option.code(value)


@pytest.mark.parametrize("name", GAMES)
def test_bad_rules_are_one_line(name):
    this = game(name)
    first = this.options[0].name
    for players, chosen, preset, words in (
        (this.least_players - 1, {}, "seed", "--players: got"),
        (this.most_players + 1, {}, "seed", "--players: got"),
        (this.least_players, {}, "house", "--preset: got 'house', allowed: seed, official"),
        (this.least_players, {first + "s": 1}, "seed", f"has no option '{first}s', allowed: {first}, "),
        (this.least_players, {first: "?"}, "seed", f"rule {first}: got ?, allowed: "),
    ):
        with pytest.raises(BadInput) as error:
            this.rules(players, chosen, preset)
        assert words in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("name", GAMES)
def test_columns_and_players(name):
    this = game(name)
    flat = this.flat_columns(this.most_players)
    assert len(flat) == len({(column.name, seat) for column, seat in flat})
    seats = [seat for _, seat in flat]
    assert seats[: seats.count(None)] == [None] * seats.count(None)
    assert this.column(this.length).per_seat is False
    strategies = this.part("strategies")
    for strategy in (*this.calibration, *this.bench_strategies, this.default_strategy):
        assert hasattr(strategies, strategy)
    assert all(this.least_players <= players <= this.most_players for players in this.bench_players)


def test_the_registry_takes_hyphens_and_underscores():
    assert game("sequence-stacks") is game("sequence_stacks")
    assert [this.name for this in games()] == list(GAMES)
    with pytest.raises(BadInput, match=r"^GAME: got 'snap', allowed: sequence-stacks"):
        game("snap")
