"""How games of Sequence Stacks end and what their outcome says, in positions worked by hand from the rules."""

from simkit.games.sequence_stacks.reference import view

from .positions import follow, outcome, position, story

# Stalemate and caps


def test_stalemate_when_every_seat_has_had_a_turn_without_playing_or_discarding():
    table = position("R5", "", "")
    assert story(table, "discard R5, end, end, end") == [
        *("turn 0 1", "discard 0 R5", "turn 1 2", "pass 1", "turn 2 3", "pass 2", "turn 0 4", "pass 0"),
        "outcome -1 stalemate",
    ]


def test_a_play_before_a_pass_breaks_the_stalemate():
    table = position("", "", discards={1: "R1"})
    events = story(table, "end, R1 from discard, end, end, end")
    assert events[-3:] == ["turn 1 4", "pass 1", "outcome -1 stalemate"]


def test_skipped_turns_are_no_turns_for_a_stalemate():
    table = position("", "", "")
    table.turns_to_lose = [0, 1, 0]
    assert story(table, "end, end, end, end") == [
        *("turn 0 1", "pass 0", "skipped 1", "turn 2 2", "pass 2", "turn 0 3", "pass 0", "turn 1 4", "pass 1"),
        "outcome -1 stalemate",
    ]


def test_a_play_forgets_who_was_idle_before_it():
    table = position("", "", "Skip")
    assert story(table, "end, end, Skip, end, end, end, end")[4:] == [
        *("turn 2 3", "action 2 Skip hand", "pass 2", "skipped 0", "turn 1 4", "pass 1", "turn 2 5", "pass 2"),
        *("turn 0 6", "pass 0", "outcome -1 stalemate"),
    ]


def test_stalemate_comes_before_the_cap_on_turns():
    assert story(position("", "", max_turns=2), "end, end")[-1] == "outcome -1 stalemate"
    assert story(position("", "", "", max_turns=2), "end, end")[-1] == "outcome -1 capped"


def test_the_cap_on_turns_lets_the_turn_finish():
    table = position("R1 B5", "R2 B5", draw="B4 B4", max_turns=2, hand_size=2, hand_refill="end_of_turn")
    assert story(table, "discard B5, discard R2")[-4:] == [
        *("turn 1 2", "discard 1 R2", "draw 1 B4 turn_end", "outcome -1 capped")
    ]


def test_the_cap_on_plays_is_looked_at_when_a_card_is_resolved_before_any_draw():
    table = position("R1 Skip R2", "B5", "B5", draw="B4 B4 B4", max_plays=3, hand_size=3)
    events = follow(table, "R1, Skip, R2")
    assert [event["event"] for event in events] == ["turn", "play", "action", "play", "outcome"]
    assert (events[-1]["status"], events[-1]["plays"], events[-1]["skips"], events[-1]["turns"]) == ("capped", 2, 1, 1)


def test_a_win_comes_before_the_cap_on_plays_and_blocks_do_not_count():
    won = position("R5", "B5", red="R1 R2 R3 R4", chips={0: "R R B B"}, max_plays=1)
    assert story(won, "R5")[-1] == "outcome 0 won"
    capped = position("R5 B2", "Block", red="R1 R2 R3 R4", max_plays=2)
    assert story(capped, "R5, block")[-1] == "block 1 True"
    chip = position("R5 B2", "Block", red="R1 R2 R3 R4", max_plays=1)
    assert story(chip, "R5, no block")[-2:] == ["chip 0 R", "outcome -1 capped"]


# The outcome


def test_every_column_of_an_outcome():
    table = position(
        *("R5 Skip Reverse StealCard StealChip BW B2", "Block", "B5"),
        red="R1 R2 R3 R4",
        blue="B1 B2 B3 B4",
        chips={0: "R R", 1: "R B"},
        discards={2: "R5"},
        win_chips=4,
        win_each_color=1,
    )
    table.reshuffles = 3
    assert outcome(table, "R5, block, Reverse, StealCard of 2, Skip, StealChip R of 1, BW as 5") == {
        "event": "outcome",
        "winner": 0,
        "status": "won",
        "turns": 1,
        "plays": 2,
        "sequences": 2,
        "blocks": 1,
        "skips": 1,
        "reverses": 1,
        "steal_cards": 1,
        "steal_chips": 1,
        "reshuffles": 3,
        "lead_changes": 0,
        "winner_deficit": 0,
        "seats": [
            {"red": 3, "blue": 1, "turns": 1},
            {"red": 0, "blue": 1, "turns": 0},
            {"red": 0, "blue": 0, "turns": 0},
        ],
    }


def test_lead_changes_and_the_winners_deficit():
    # Chips of seats 0, 1, 2 after each steal; the sole leader is in brackets where the lead changes hands.
    steals = [
        (0, 2, [1, 1, 3]),  # 2 leads: the first lead is no change
        (1, 2, [1, 2, 2]),  # a tie ends no lead
        (1, 2, [1, 3, 1]),  # [1]
        (2, 1, [1, 2, 2]),
        (2, 1, [1, 1, 3]),  # [2]
        (0, 2, [2, 1, 2]),
        (2, 0, [1, 1, 3]),  # 2 again, as the last that was
        (0, 2, [2, 1, 2]),
        (0, 2, [3, 1, 1]),  # [0], never more than 2 behind
    ]
    table = position(*["StealChip StealChip StealChip StealChip R5"] * 3, chips={1: "R", 2: "R R R R"}, win_chips=20)
    for thief, victim, expected in steals:
        table.active = thief
        follow(table, f"StealChip R of {victim}")
        assert [sum(chips) for chips in table.chips] == expected
    assert (table.lead_changes, table.most_behind) == (3, [2, 2, 2])


def test_a_deficit_is_that_of_the_winner_and_null_without_one():
    hands = "R5 R4", "StealChip R2"
    lost = position(*hands, red="R1 R2 R3 R4", chips={1: "R R R B"}, max_turns=1)
    event = outcome(lost, "R5, discard R4")
    assert (event["status"], event["winner_deficit"], lost.most_behind) == ("capped", None, [3, 0])
    won = position(*hands, red="R1 R2 R3 R4", chips={0: "B B", 1: "R R R B"}, win_chips=3, win_each_color=1)
    assert outcome(won, "R5")["winner_deficit"] == 1


def test_the_views_counters_at_a_decision_in_mid_turn():
    table = position("Skip R1 R5", "B5", two_player_reverse="skips")
    follow(table, "Skip, R1")
    seen = view(table, 0)
    assert (seen.turn, seen.plays, seen.skips, seen.turns_to_lose.tolist()) == (1, 2, 1, [0] * 6)
