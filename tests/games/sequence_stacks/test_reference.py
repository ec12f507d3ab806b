"""The course of a game from known positions of Sequence Stacks, worked by hand from the rules."""

import pytest

from simkit.games.sequence_stacks.state import parse, text
from simkit.rng import LOTS, RESHUFFLE
from simkit.rng.plain import Stream

from .positions import follow, legal, position, story

# Drawing

REFILLS = {
    "start_of_turn": ["turn 0 1", "draw 0 R3 R4 R5 turn", "discard 0 B5", "turn 1 2"],
    "end_of_turn": ["turn 0 1", "discard 0 B5", "draw 0 R3 R4 R5 B3 turn_end", "turn 1 2"],
    "when_empty": ["turn 0 1", "discard 0 B5", "turn 1 2"],
    "seed_literal": ["turn 0 1", "discard 0 B5", "turn 1 2"],
}


@pytest.mark.parametrize(("value", "events"), REFILLS.items())
def test_hand_refill(value, events):
    table = position("B5 B4", "B5 B4 B3 B2 B2", draw="R3 R4 R5 B3", hand_refill=value)
    assert story(table, "discard B5") == events


@pytest.mark.parametrize("value", ["start_of_turn", "when_empty"])
def test_an_empty_hand_is_filled_at_the_start(value):
    table = position("", "B5", draw="R3 R4 R5", hand_refill=value, hand_size=2)
    assert (story(table, ""), legal(table)) == (["turn 0 1", "draw 0 R3 R4 turn"], "discard R3, discard R4")


@pytest.mark.parametrize("value", ["end_of_turn", "seed_literal"])
def test_an_empty_hand_is_not_filled_at_the_start(value):
    table = position("", "B5", draw="R3 R4 R5", hand_refill=value, hand_size=2)
    assert (story(table, ""), legal(table)) == (["turn 0 1"], "end")


def test_end_of_turn_draws_after_a_pass_too_and_not_after_a_skipped_turn():
    table = position("", "", draw="R3 R4 B3 B4", hand_refill="end_of_turn", hand_size=2)
    table.turns_to_lose[1] = 1
    assert story(table, "end") == ["turn 0 1", "pass 0", "draw 0 R3 R4 turn_end", "skipped 1", "turn 0 2"]


@pytest.mark.parametrize("value", REFILLS)
@pytest.mark.parametrize("last", ["R1", "Skip"])
def test_a_card_played_that_empties_the_hand_draws_at_once(value, last):
    table = position(last, "B5", draw="R3 R4", hand_refill=value, hand_size=1)
    assert story(table, last)[2:] == ["draw 0 R3 hand_empty"]


@pytest.mark.parametrize("value", ["end_of_turn", "seed_literal"])
def test_a_card_from_the_discard_draws_for_a_hand_that_was_empty_before(value):
    table = position("", "B5", discards={0: "R1"}, draw="R3 R4 B3", hand_refill=value, hand_size=2)
    assert story(table, "R1 from discard")[1:] == ["play 0 R1 discard 1 R1", "draw 0 R3 R4 hand_empty"]


def test_a_discard_never_refills():
    table = position("R5", "B5", draw="R3 R4", hand_refill="seed_literal")
    assert story(table, "discard R5") == ["turn 0 1", "discard 0 R5", "turn 1 2"]


def test_a_stolen_card_fills_the_hand_so_that_nothing_is_drawn():
    table = position("StealCard", "B5", discards={1: "R4 R5"}, draw="R3 R4", hand_refill="when_empty")
    assert story(table, "StealCard of 1")[1:] == ["action 0 StealCard hand 1 R5"]
    assert (text(table.hands[0]), text(table.discards[1])) == ("R5", "R4")


def test_a_hand_above_its_size_draws_nothing():
    table = position("R5 R4 R3", "B5", draw="R2", hand_size=2)
    assert story(table, "") == ["turn 0 1"]


# Piles and sequences


def test_a_pile_starts_with_its_1_and_of_equal_piles_the_older_is_used():
    table = position("R2 R2 R2 RW", "", "", red="R1 | RW", draw="R5 R5", hand_refill="seed_literal")
    assert story(table, "R2, RW as 2")[1:] == ["play 0 R2 hand 2 R1 R2", "play 0 RW hand 2 RW RW"]
    assert legal(table) == "discard R2"


def test_the_older_pile_comes_first_even_after_the_younger_had_overtaken_it():
    table = position("R2 R3 B5", "", red="R1 | R1 R2")
    follow(table, "R2, R3")
    assert [text(pile) for pile in table.piles[0]] == ["R1 R2 R3", "R1 R2"]


def test_the_older_of_equal_piles_is_completed_and_a_new_pile_is_the_youngest():
    table = position("R5 R1 R2 B5", "", red="RW R2 R3 R4 | R1 | R1 R2 R3 R4", piles_per_color=3)
    follow(table, "R5, R1, R2")
    assert text(table.removed) == "RW R2 R3 R4 R5"
    assert [text(pile) for pile in table.piles[0]] == ["R1 R2", "R1 R2 R3 R4", "R1"]


def test_a_completed_sequence_gives_its_chip_and_leaves_from_1_to_5():
    table = position("R5 B5 B4", "", red="R1 | R1 RW R3 R4", removed="B1 B2", hand_refill="seed_literal")
    assert story(table, "R5")[1:] == ["play 0 R5 hand 5 R1 RW R3 R4 R5", "complete 0 R", "chip 0 R"]
    assert (text(table.removed), table.piles[0], table.chips[0], table.supply) == (
        "B1 B2 R1 RW R3 R4 R5",
        [parse("R1")],
        [1, 0],
        [19, 20],
    )


def test_a_wild_completes_and_the_player_plays_on_into_the_freed_place():
    table = position("BW B1 B5", "", blue="B1 B2 B3 B4 | B1", hand_refill="seed_literal")
    assert legal(table).startswith("B5, BW as 2, BW as 5, discard B1")
    follow(table, "BW as 5, B1")
    assert (table.piles[1], table.chips[0]) == ([parse("B1"), parse("B1")], [0, 1])


def test_no_chip_if_that_colour_is_out():
    table = position("R5 B5 R2", "", red="R1 R2 R3 R4", blue="B1 B2 B3 B4", supply=(0, 1))
    assert story(table, "R5, B5")[1:] == [
        "play 0 R5 hand 5 R1 R2 R3 R4 R5",
        "complete 0 R",
        "play 0 B5 hand 5 B1 B2 B3 B4 B5",
        "complete 0 B",
        "chip 0 B",
    ]
    assert (table.supply, table.chips[0], table.sequences, len(table.removed)) == ([0, 0], [0, 1], 2, 10)


# Block


def blocking(**more):
    hands = ("Block R2", "R5 Block B1", "R3", "Block R3")
    return position(*hands, active=1, red="R1 R2 R3 R4", draw="", hand_refill="end_of_turn", **more)


def test_holders_are_asked_in_turn_order_until_one_plays_it():
    table = blocking(removed="B1")
    assert story(table, "R5, no block, block")[1:] == [
        "play 1 R5 hand 5 R1 R2 R3 R4 R5",
        "complete 1 R",
        "block 3 False",
        "block 0 True",
    ]
    assert [text(hand) for hand in table.hands] == ["R2", "Block B1", "R3", "Block R3"]
    assert (text(table.special_discard), table.chips[1], table.supply) == ("Block", [0, 0], [20, 20])
    assert text(table.removed) == "B1 R1 R2 R3 R4 R5"


def test_one_block_is_enough_and_the_others_are_not_asked():
    assert story(blocking(), "R5, block")[2:] == ["complete 1 R", "block 3 True"]


def test_the_order_of_asking_follows_the_direction():
    table = blocking()
    table.direction = -1
    assert story(table, "R5, no block, no block")[2:] == ["complete 1 R", "block 0 False", "block 3 False", "chip 1 R"]


def test_a_holder_is_asked_though_the_colour_is_out():
    assert story(blocking(supply=(0, 5)), "R5, no block")[3:] == ["block 3 False"]


def test_a_block_decision_offers_no_and_yes():
    table = blocking()
    follow(table, "R5")
    assert (legal(table), table.decider, table.active) == ("no block, block", 3, 1)


def test_a_blocker_with_an_empty_hand_draws_nothing_and_may_block_once():
    table = position("R5 B5 B2", "Block", red="R1 R2 R3 R4", blue="B1 B2 B3 B4", draw="R1 R1", hand_size=2)
    assert story(table, "R5, block, B5")[-2:] == ["complete 0 B", "chip 0 B"]
    assert (table.hands[1], text(table.draw_pile)) == ([], "R1 R1")


def test_blocked_sequences_may_leave_the_game():
    table = blocking(blocked_pile_to="out_of_game")
    follow(table, "R5, block")
    assert (table.removed, text(table.out_of_game)) == ([], "R1 R2 R3 R4 R5")
    unblocked = blocking(blocked_pile_to="out_of_game")
    follow(unblocked, "R5, no block, no block")
    assert (text(unblocked.removed), unblocked.out_of_game) == ("R1 R2 R3 R4 R5", [])


def test_random_asking_draws_its_lots_in_turn_order_from_one_stream():
    hands = ["R5 B5 R2", *["Block"] * 5]
    table = position(*hands, red="R1 R2 R3 R4", blue="B1 B2 B3 B4", block_priority="random", win_chips=9)
    lots = Stream(1, 0, LOTS, 0)
    first, second = [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]
    lots.shuffle(first), lots.shuffle(second)
    events = follow(table, f"R5, {'no block, ' * 5} B5, {'no block, ' * 5}")
    assert [event["seat"] for event in events if event["event"] == "block"] == first + second
    assert first != [1, 2, 3, 4, 5] != second != first


# Reshuffles


def shuffled(cards, number):
    cards = parse(cards)
    Stream(1, 0, RESHUFFLE, number).shuffle(cards)
    return text(cards)


def test_the_removed_cards_are_shuffled_only_when_a_card_must_be_drawn():
    removed = "R1 RW R3 R4 R5"
    table = position("B5", "B5", "B5", draw="B2 B3", removed=removed, hand_size=3, hand_refill="end_of_turn")
    new = shuffled(removed, 1).split()
    assert story(table, "discard B5, discard B5, discard B5")[1:] == [
        "discard 0 B5",
        "draw 0 B2 B3 turn_end",
        f"reshuffle {' '.join(new)}",
        f"draw 0 {new[0]} turn_end",
        "turn 1 2",
        "discard 1 B5",
        f"draw 1 {' '.join(new[1:4])} turn_end",
        "turn 2 3",
        "discard 2 B5",
        f"draw 2 {new[4]} turn_end",
        "turn 0 4",
    ]
    assert (table.reshuffles, table.removed, table.draw_pile) == (1, [], [])


def test_an_exactly_emptied_draw_pile_waits():
    table = position("B5", "B5 B4", draw="B2 B3", removed="R1 R2 R3 R4 R5", hand_size=2, hand_refill="end_of_turn")
    assert story(table, "discard B5")[2:] == ["draw 0 B2 B3 turn_end", "turn 1 2"]
    assert (table.reshuffles, len(table.removed)) == (0, 5)


def test_the_second_reshuffle_has_its_own_number_and_the_sequence_just_completed_is_in_it():
    table = position("R5", "B5", red="R1 R2 R3 RW", hand_size=2, hand_refill="end_of_turn")
    table.reshuffles = 1
    events = story(table, "R5")
    assert events[-2] == "reshuffle " + shuffled("R1 R2 R3 RW R5", 2)
    assert events[-1].endswith("hand_empty")


def test_with_no_removed_cards_the_player_goes_on_with_what_there_is():
    table = position("B5 R1", "B5", draw="B2", discards={0: "R5", 1: "R5"}, hand_size=5)
    table.special_discard = parse("Skip")
    assert story(table, "R1, discard B2") == [
        "turn 0 1",
        "draw 0 B2 turn",
        "play 0 R1 hand 1 R1",
        "discard 0 B2",
        "turn 1 2",
    ]


# Skip and Reverse


def test_skips_are_dealt_out_round_and_round_the_owner_left_out():
    table = position("Skip Skip Skip R5 R4 R3", "R5", "R5 R4")
    assert story(table, "Skip, Skip, Skip, discard R5, discard R4, discard R5, discard R3")[4:] == [
        "discard 0 R5",
        "skipped 1",
        "skipped 2",
        "turn 0 2",
        "discard 0 R4",
        "skipped 1",
        "turn 2 3",
        "discard 2 R5",
        "turn 0 4",
        "discard 0 R3",
        "turn 1 5",
    ]


def test_with_two_players_two_skips_cost_two_turns():
    table = position("Skip Skip R5 R4 R3", "R5")
    assert story(table, "Skip, Skip, discard R5, discard R4, discard R3")[3:] == [
        *("discard 0 R5", "skipped 1", "turn 0 2"),
        *("discard 0 R4", "skipped 1", "turn 0 3"),
        *("discard 0 R3", "turn 1 4"),
    ]


def test_skips_are_kept_until_the_end_of_the_turn_and_dealt_in_the_direction_then_in_force():
    table = position("Skip Reverse R5", "R5", "R5", "R5")
    follow(table, "Skip")
    assert (table.skips_this_turn, table.turns_to_lose) == (1, [0, 0, 0, 0])
    table = position("Skip Reverse R5", "R5", "R5", "R5")
    events = story(table, "Skip, Reverse, discard R5, discard R5")
    assert events[-4:] == ["skipped 3", "turn 2 2", "discard 2 R5", "turn 1 3"]


def test_a_later_reverse_does_not_move_turns_already_given_out():
    table = position("Skip Skip R5", "R5", "Reverse R5", "R5", "R5", active=2)
    table.turns_to_lose = [0, 0, 0, 1, 1]
    assert story(table, "Reverse, discard R5, discard R5, discard R5")[3:] == [
        *("turn 1 2", "discard 1 R5", "turn 0 3", "discard 0 R5", "skipped 4", "skipped 3", "turn 2 4")
    ]


def test_two_reverses_in_a_turn_restore_the_direction():
    table = position("Reverse Reverse R5", "R5", "R5")
    assert story(table, "Reverse, Reverse, discard R5")[-1] == "turn 1 2"
    table = position("Reverse R5 R4", "R5", "R5")
    assert story(table, "Reverse, discard R5")[-1] == "turn 2 2"


def test_a_skipping_reverse_costs_a_turn_and_counts_as_a_reverse():
    table = position("Reverse Skip R5 R4", "R5", two_player_reverse="skips", max_turns=3)
    events = follow(table, "Reverse, Skip, discard R5, discard R4, end")
    assert [event["event"] for event in events].count("skipped") == 2
    assert (events[-1]["skips"], events[-1]["reverses"], table.direction) == (1, 1, 1)


# Steal a Chip and the win


def test_the_fifth_chip_with_two_of_each_wins_at_once():
    table = position("R5", "B5", red="R1 R2 R3 R4", draw="R1 R1", chips={0: "R B B B"}, hand_refill="seed_literal")
    assert story(table, "R5") == [
        *("turn 0 1", "play 0 R5 hand 5 R1 R2 R3 R4 R5", "complete 0 R", "chip 0 R", "outcome 0 won")
    ]
    assert len(table.removed) == 5


@pytest.mark.parametrize(("held", "options"), [("R R R B", {}), ("R B", {}), ("R R B B", {"win_chips": 6})])
def test_too_few_chips_or_too_few_of_a_colour_do_not_win(held, options):
    table = position("R5 R4", "B5", red="R1 R2 R3 R4", chips={0: held}, **options)
    assert story(table, "R5")[-1] == "chip 0 R"


@pytest.mark.parametrize(("chips", "each", "held"), [(3, 0, "R R"), (1, 0, ""), (3, 1, "R B"), (2, 2, "R B B")])
def test_the_winning_condition_is_an_option(chips, each, held):
    table = position("R5", "B5", red="R1 R2 R3 R4", chips={0: held}, win_chips=chips, win_each_color=each)
    assert story(table, "R5")[-1] == "outcome 0 won"


def test_a_chip_that_would_complete_the_winning_condition_may_not_be_stolen_another_may():
    of_one = {1: "R B"}
    assert legal(position("StealChip", "", chips={0: "R R R B"} | of_one)) == "StealChip R of 1, discard StealChip"
    assert legal(position("StealChip", "", chips={0: "R R B B"} | of_one)) == "discard StealChip"
    assert legal(position("StealChip", "", chips={0: "R R R"} | of_one)) == (
        "StealChip R of 1, StealChip B of 1, discard StealChip"
    )


def test_a_stolen_chip_may_be_taken_but_win_only_at_the_next_from_the_supply():
    table = position(
        *("StealChip R5 B2", "R2"),
        red="R1 R2 R3 R4",
        chips={0: "R R B B", 1: "R B"},
        steal_chip_win="no_win_until_next",
    )
    assert story(table, "StealChip B of 1, discard B2, discard R2, R5")[1:] == [
        "action 0 StealChip hand 1 B",
        *("discard 0 B2", "turn 1 2", "discard 1 R2", "turn 0 3"),
        *("play 0 R5 hand 5 R1 R2 R3 R4 R5", "complete 0 R", "chip 0 R", "outcome 0 won"),
    ]
    assert table.chips == [[3, 3], [1, 0]]


def test_without_a_chip_from_the_supply_a_stolen_one_does_not_win():
    table = position(
        *("StealChip R5 B2", "R2"),
        red="R1 R2 R3 R4",
        chips={0: "R R B B", 1: "R"},
        supply=(0, 1),
        steal_chip_win="no_win_until_next",
    )
    assert story(table, "StealChip R of 1, R5")[-1] == "complete 0 R"


def test_a_stolen_chip_may_win_at_once():
    table = position("StealChip", "", chips={0: "R R B B", 1: "R"}, steal_chip_win="wins")
    assert story(table, "StealChip R of 1") == ["turn 0 1", "action 0 StealChip hand 1 R", "outcome 0 won"]
