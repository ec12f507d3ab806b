"""What may be done in known positions of Sequence Stacks, worked by hand from the rules."""

import pytest

from simkit.games.sequence_stacks.state import parse, text

from .positions import follow, legal, position

# Legal actions: numbers and wilds


def test_numbers_and_wilds_go_where_they_are_needed_in_the_listed_order():
    table = position("RW B2 R3 R1 BW", "", red="R1 R2")
    assert legal(table) == (
        "R1, R3, RW as 1, RW as 3, BW as 1, discard R1, discard R3, discard B2, discard RW, discard BW"
    )


def test_cards_of_one_type_are_one_action():
    assert legal(position("R1 R1 B5 B5", "")) == "R1, discard R1, discard B5"


@pytest.mark.parametrize(
    ("most", "plays"),
    [(1, "RW as 3"), (2, "RW as 2, RW as 3"), (3, "R1, RW as 1, RW as 2, RW as 3")],
)
def test_a_pile_may_be_started_while_fewer_stand_than_the_option_allows(most, plays):
    piles = "R1 R2" if most == 1 else "R1 R2 | RW"
    assert legal(position("R1 RW", "", red=piles, piles_per_color=most)) == plays + ", discard R1, discard RW"


def test_the_other_colours_piles_do_not_count_against_a_new_pile():
    assert legal(position("R1 B1", "", red="R1 R2 | R1")) == "B1, discard R1, discard B1"


def test_every_value_of_a_wild():
    table = position("BW", "", blue="B1 | B1 B2 | B1 B2 BW | B1 B2 B3 B4", piles_per_color=4)
    assert legal(table) == "BW as 2, BW as 3, BW as 4, BW as 5, discard BW"


def test_the_same_card_in_hand_and_on_the_own_discard_are_two_actions():
    table = position("R1", "", discards={0: "B1 R1", 1: "R1"})
    assert legal(table) == "R1, R1 from discard, discard R1"


def test_the_card_under_the_top_of_the_own_discard_is_at_once_usable():
    table = position("R5", "", discards={0: "BW R1"})
    follow(table, "R1 from discard")
    assert legal(table) == "BW as 1 from discard, discard R5"
    assert text(table.discards[0]) == "BW"


# Legal actions: action cards


def test_action_cards_in_the_listed_order():
    table = position(
        "StealChip StealCard Reverse Skip Block", "", "", "", chips={1: "R R", 3: "R B"}, discards={2: "R5", 3: "R4 B4"}
    )
    assert legal(table) == (
        "Skip, Reverse, StealCard of 2, StealCard of 3, StealChip R of 1, StealChip R of 3, StealChip B of 3, "
        "discard Skip, discard Reverse, discard StealCard, discard Block, discard StealChip"
    )


def test_steals_need_something_to_steal_from_an_opponent():
    table = position("R5", "StealChip StealCard", "", active=1, chips={1: "R B"}, discards={1: "R5"})
    assert legal(table) == "discard StealCard, discard StealChip"


@pytest.mark.parametrize(
    ("value", "expected"),
    [("allowed", "Skip, Skip from discard, discard Skip"), ("forbidden", "Skip, discard Skip")],
)
def test_action_cards_from_the_own_discard(value, expected):
    table = position("Skip", "", "", discards={0: "Skip"}, play_action_from_discard=value)
    assert legal(table) == expected


def test_numbers_from_the_own_discard_stay_playable_where_action_cards_are_not():
    assert legal(position("", "", discards={0: "R1"}, play_action_from_discard="forbidden")) == "R1 from discard, end"


def test_every_action_card_from_the_own_discard_but_block():
    seats = {"discards": {1: "R5"}, "chips": {1: "R"}}
    for top, expected in [
        ("Reverse", "Reverse from discard"),
        ("StealCard", "StealCard of 1 from discard"),
        ("StealChip", "StealChip R of 1 from discard"),
        ("Block", ""),
    ]:
        table = position("", "", "", **seats)
        table.discards[0] = parse(top)
        assert legal(table) == ", ".join(filter(None, [expected, "end"]))


def test_reverse_has_no_effect_with_two():
    assert legal(position("Reverse", "")) == "discard Reverse"
    assert legal(position("Reverse", "", two_player_reverse="skips")) == "Reverse, discard Reverse"


def test_one_skip_a_turn_without_stacking():
    table = position("Skip Skip R5", "", skip_stacking="none")
    follow(table, "Skip")
    assert legal(table) == "discard R5, discard Skip"


@pytest.mark.parametrize(("first", "second"), [("Skip", "Reverse"), ("Reverse", "Skip"), ("Reverse", "Reverse")])
def test_a_skipping_reverse_and_a_skip_stack_alike(first, second):
    hand = f"{first} {second}"
    once = position(hand, "", two_player_reverse="skips", skip_stacking="none")
    follow(once, first)
    assert legal(once) == f"discard {second}"
    twice = position(hand, "", two_player_reverse="skips")
    follow(twice, first)
    assert legal(twice) == f"{second}, discard {second}"


def test_reverse_with_three_is_no_skip_whatever_the_options():
    table = position("Skip Reverse R5", "", "", skip_stacking="none", two_player_reverse="skips")
    follow(table, "Skip, Reverse")
    assert (table.direction, table.skips_this_turn) == (-1, 1)


# Legal actions: the end of a turn


def test_an_empty_hand_may_end_the_turn_even_beside_a_play():
    assert legal(position("", "", discards={0: "R1"})) == "R1 from discard, end"
    assert legal(position("", "")) == "end"


def test_stop_early_forbidden_bars_the_end_while_a_number_or_wild_can_be_played():
    assert legal(position("R1 B5 Skip", "", stop_early="forbidden")) == "R1, Skip"
    assert legal(position("B5 Skip", "", stop_early="forbidden")) == "Skip, discard B5, discard Skip"
    assert legal(position("B5", "", discards={0: "BW"}, stop_early="forbidden")) == "BW as 1 from discard"
    assert legal(position("", "", discards={0: "R1"}, stop_early="forbidden")) == "R1 from discard"
    assert legal(position("", "", discards={0: "R2"}, stop_early="forbidden")) == "end"


def test_action_cards_may_be_barred_from_the_discard():
    cards = "Block R5 RW Skip"
    assert legal(position(cards, "", "")) == "RW as 1, Skip, discard R5, discard RW, discard Skip, discard Block"
    assert legal(position(cards, "", "", discard_action_cards="forbidden")) == ("RW as 1, Skip, discard R5, discard RW")
    assert legal(position("Block Skip", "", "", discard_action_cards="forbidden")) == (
        "Skip, discard Skip, discard Block"
    )
