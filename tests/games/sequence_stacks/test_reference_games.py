"""Whole games of Sequence Stacks: deals, streams, views, and what must hold at every decision."""

import json
import random
from collections import Counter

import numba
import numpy as np
import pytest

from simkit.errors import StrategyError
from simkit.games.sequence_stacks import GAME
from simkit.games.sequence_stacks.reference import Table, legal_actions, play, redealt, view
from simkit.games.sequence_stacks.rules import copies
from simkit.games.sequence_stacks.state import (
    ACTIONS,
    BLOCK_DECISION,
    CARDS,
    COLUMNS,
    FULL_DECK,
    MAX_PLAYERS,
    NONE,
    TURN_DECISION,
    VIEW,
    parse,
    text,
)
from simkit.rng import CHOICE, DEAL
from simkit.rng.jitted import below
from simkit.rng.plain import Stream

from .positions import follow, position, random_rules

GAMES = 60


def chance(rng):
    """A player that takes any legal action, plays before discards more often than not."""

    def choose(view):
        playing = view.n_plays + view.n_action_cards
        return rng.randrange(playing if playing and rng.random() < 0.6 else view.n_actions)

    return choose


def random_games(watch, games=GAMES):
    """Play random games under random rules; `watch(table, seat, view)` sees every decision. Returns the transcripts."""
    rng = random.Random(5)
    transcripts = []
    for game in range(games):
        rules = random_rules(rng)
        transcripts.append(list(play(rules, 9, game, [chance(rng)] * rules.players, watch)))
    return transcripts


# The deal


def test_the_deck_is_shuffled_whole_and_cards_not_in_the_game_are_passed_over():
    rules = GAME.rules(2, {"numbers": 2, "wilds": 1})
    events = list(play(rules, 3, 4, [lambda view: view.n_actions - 1] * 2))
    deck = list(range(FULL_DECK))
    Stream(3, 4, DEAL, 1).shuffle(deck)
    counts = [2] * 10 + [1] * 2 + [2, 0, 2, 2, 2]
    in_game = [card // 9 for card in deck if card % 9 < counts[card // 9]]
    assert parse(" ".join(events[0]["cards"])) == in_game
    assert events[0]["event"] == "shuffle"
    dealt = [{"event": "draw", "seat": i % 2, "cards": [CARDS[in_game[i]]], "reason": "deal"} for i in range(10)]
    assert events[1:11] == dealt
    assert events[11] == {"event": "turn", "seat": 0, "turn": 1}


def test_decks_of_other_counts_share_the_order_of_what_they_share():
    def order(**counts):
        return next(play(GAME.rules(4, counts), 1, 1, []))["cards"]

    default, more = order(), order(skip=9)
    assert [card for card in default if card != "Skip"] == [card for card in more if card != "Skip"]
    assert Counter(default) == Counter(
        {f"{color}{value}": 9 for color in "RB" for value in range(1, 6)}
        | {"RW": 7, "BW": 7, "Skip": 3, "Reverse": 3, "StealCard": 3, "Block": 3, "StealChip": 4}
    )
    assert order() != next(play(GAME.rules(4), 1, 2, []))["cards"]


# Strategies and their randomness


@pytest.mark.parametrize("answer", [-1, 5, 1.0, None, "1"])
def test_an_answer_outside_of_the_legal_actions_is_refused(answer):
    offered = []

    def choose(view):
        offered.append(int(view.n_actions))
        return view.n_actions - 1 if view.turn == 1 else answer

    rules = GAME.rules(2, {"numbers": 9, "wilds": 0, "hand_size": 1, "hand_refill": "seed_literal"})
    with pytest.raises(StrategyError, match=r"seat 1: answered .*allowed: a whole number from 0 to ") as error:
        list(play(rules, 1, 0, [choose, choose]))
    assert repr(answer) in str(error.value) and str(error.value).endswith(f" {offered[-1] - 1}")


def test_numpy_integers_are_answers():
    events = list(play(GAME.rules(2, {"max_turns": 4}), 1, 0, [lambda view: np.int64(view.n_actions - 1)] * 2))
    assert events[-1]["status"] == "capped"


@numba.njit(numba.int64(numba.from_dtype(VIEW)))
def jitted_random(view):
    return below(view.stream, view.n_actions)


def test_a_jitted_strategy_draws_from_its_own_seats_stream_through_the_view():
    rules, seen = GAME.rules(3), []
    names = {seat: Stream(1, 7, CHOICE, seat) for seat in range(3)}

    def choose(view):
        answer = jitted_random(view)
        seen.append(answer == names[view.seat].below(view.n_actions))
        return answer

    outcome = list(play(rules, 1, 7, [choose] * 3))[-1]
    assert all(seen) and len(seen) > 100
    assert list(play(rules, 1, 7, [jitted_random] * 3))[-1] == outcome


def test_fields_of_a_view_can_be_read_and_drawn_from_in_plain_python():
    seen = view(position("R1 Skip", "R5", "", hand_size=7), 0)
    assert (seen.rules.hand_size, seen.actions[0].card, seen.actions[1].kind) == (7, CARDS.index("R1"), 1)
    assert (seen.n_actions, seen.n_plays, seen.n_action_cards) == (4, 1, 1)
    below(seen.stream, 5)
    assert (seen.stream.used, seen["stream"]["used"], seen.stream.words[0]) == (1, 1, 0)


def test_a_strategy_that_scribbles_over_its_view_changes_nothing_else():
    def tidy(view):
        return view.n_actions - 1

    def scribbler(view):
        answer = view.n_actions - 1
        for name in VIEW.names:
            if name != "stream":
                view[name] = np.zeros_like(view[name])
        return answer

    rules = GAME.rules(3)
    assert list(play(rules, 1, 0, [tidy] * 3)) == list(play(rules, 1, 0, [scribbler] * 3))


# Views


def seen_at_a_turn():
    table = position(
        *("RW R3 R3 Block", "B1 B2", "B3"),
        discards={0: "B5 R4", 2: "Skip R1 R1"},
        red="R1 RW | RW",
        blue="B1",
        removed="B1 B2 B3 B4 BW",
        draw="R5 R5 R5",
        chips={1: "R R B"},
    )
    table.out_of_game, table.special_discard = parse("R1 R2 R3 R4 R5"), parse("Reverse")
    table.direction, table.turns_to_lose, table.reshuffles = -1, [0, 2, 1], 4
    table.turns = [3, 2, 2]
    return table, view(table, 0)


def test_a_view_of_a_turn_field_by_field():
    table, seen = seen_at_a_turn()
    whole = {name: seen[name].item() for name in VIEW.names if VIEW[name].shape == () and VIEW[name].names is None}
    assert whole == {
        "decision": TURN_DECISION,
        "n_actions": 6,
        "n_plays": 3,
        "n_action_cards": 0,
        "holding": sum(1 << card for card in parse("RW R3 Block")),
        "players": 3,
        "seat": 0,
        "active": 0,
        "direction": -1,
        "turn": 7,
        "plays": 0,
        "skips": 0,
        "draw_pile": 3,
        "removed": 5,
        "reshuffles": 4,
    }
    assert [ACTIONS[code] for code in seen["actions"]["code"][:6]] == legal_actions(table)
    assert not seen["actions"][6:].tobytes().strip(b"\0")
    assert [tuple(record)[:6] for record in seen["actions"][:6].tolist()] == [tuple(a) for a in legal_actions(table)]


def test_a_view_of_what_all_see():
    _, seen = seen_at_a_turn()
    assert seen.turns_to_lose.tolist() == [0, 2, 1, 0, 0, 0]
    assert seen.chips.tolist() == [[0, 0], [2, 1], [0, 0], [0, 0], [0, 0], [0, 0]]
    assert seen.supply.tolist() == [18, 19]
    assert seen.needs.tolist() == [0b00110, 0b00011]
    assert seen.piles.tolist() == [2, 1]
    assert seen.heights.tolist() == [[2, 1, 0, 0], [1, 0, 0, 0]]
    assert seen.wild_spots.tolist() == [[0b10, 0b1, 0, 0], [0, 0, 0, 0]]
    assert seen.hand_sizes.tolist() == [4, 2, 1, 0, 0, 0]
    assert seen.discard_tops.tolist() == [*parse("R4"), NONE, *parse("R1"), 0, 0, 0]
    assert seen.discard_sizes.tolist() == [2, 0, 3, 0, 0, 0]
    assert [text(seen.discards[seat, :size]) for seat, size in enumerate([2, 0, 3])] == ["B5 R4", "", "Skip R1 R1"]
    assert not seen.discards[:, 3:].any() and not seen.discards[1].any()


def test_a_view_of_the_cards():
    table, seen = seen_at_a_turn()
    assert Counter(np.repeat(np.arange(len(CARDS)), seen.hand).tolist()) == Counter(parse("RW R3 R3 Block"))
    lying_open = "B5 R4 Skip R1 R1 R1 RW RW B1 B1 B2 B3 B4 BW R1 R2 R3 R4 R5 Reverse"
    assert Counter(np.repeat(np.arange(len(CARDS)), seen.visible).tolist()) == Counter(parse(lying_open))
    assert seen.deck.tolist() == [9] * 10 + [7, 7, 3, 3, 3, 3, 4]
    assert GAME.codes(table.rules) == seen.rules.item()
    assert seen.stream.tobytes() == Stream(1, 0, CHOICE, 0).record().tobytes()


def test_a_view_while_a_block_is_asked():
    table = position(
        *("Block R2", "R5 B5", "R3"),
        active=1,
        red="R1 R2 R3 RW | R1",
        draw="",
        chips={1: "B"},
        removed="B1",
        hand_size=1,
    )
    follow(table, "R5")
    seen = view(table, 0)
    assert (seen.decision, seen.seat, seen.active) == (BLOCK_DECISION, 0, 1)
    assert (seen.n_actions, seen.n_plays, seen.n_action_cards, seen.plays) == (2, 0, 0, 1)
    assert [ACTIONS[code] for code in seen["actions"]["code"][:2]] == legal_actions(table)
    assert seen.holding == sum(1 << card for card in parse("Block R2"))
    assert (seen.piles.tolist(), seen.heights.tolist()) == ([2, 0], [[5, 1, 0, 0], [0, 0, 0, 0]])
    assert (seen.needs.tolist(), seen.wild_spots[0].tolist()) == ([0b00010, 0b00001], [0b01000, 0, 0, 0])
    assert (seen.visible[parse("R5")[0]], seen.hand_sizes[1], seen.removed) == (1, 1, 1)
    assert (seen.chips[1].tolist(), seen.stream.tobytes()) == ([0, 1], Stream(1, 0, CHOICE, 0).record().tobytes())
    assert not view(table, 1).n_actions


def test_a_view_shows_no_more_than_its_player_may_know():
    """The hidden cards are dealt anew: not one byte of the view may change."""
    rng, moved, asked = random.Random(2), [], Counter()

    def watch(table, seat, seen):
        if seen.decision == BLOCK_DECISION or rng.random() < 0.2:
            other = redealt(table, seat, Stream(77, rng.randrange(10**6), DEAL, 1))
            assert view(other, seat).tobytes() == seen.tobytes()
            moved.append(other.hands != table.hands or other.draw_pile != table.draw_pile)
            asked[seen.decision] += 1

    random_games(watch)
    assert sum(moved) > 0.9 * len(moved)
    assert asked[TURN_DECISION] > 500 and asked[BLOCK_DECISION] > 10


def test_redealt_deals_all_hidden_cards_and_nothing_else():
    table = position("R1 R2", "B1 B2 B3", "B4", draw="R3 R4 R5", discards={1: "Skip"}, removed="RW")
    seen_hands = set()
    for deal in range(200):
        other = redealt(table, 1, Stream(1, deal, DEAL, 1))
        assert [len(hand) for hand in other.hands] == [2, 3, 1]
        assert (other.hands[1], other.discards, other.removed) == (table.hands[1], table.discards, table.removed)
        assert sorted(other.hands[0] + other.hands[2] + other.draw_pile) == sorted(parse("R1 R2 B4 R3 R4 R5"))
        seen_hands.add(text(sorted(other.hands[0])))
    assert len(seen_hands) == 15  # all pairs of the six hidden cards
    assert [text(hand) for hand in table.hands] == ["R1 R2", "B1 B2 B3", "B4"]


def test_redealt_does_not_depend_on_how_the_hidden_cards_lie():
    one = position("R1 R2", "B1", draw="R3 R4")
    two = position("R4 R3", "B1", draw="R2 R1")
    deals = [redealt(table, 1, Stream(1, 1, DEAL, 1)) for table in (one, two)]
    assert (deals[0].hands, deals[0].draw_pile) == (deals[1].hands, deals[1].draw_pile)


def test_a_redealt_table_shares_nothing_with_the_first():
    table = position("R1 R2", "B1", red="R1", discards={0: "R5"}, chips={0: "R"}, draw="R3")
    before = view(table, 0).tobytes()
    other = redealt(table, 0, Stream(1, 1, DEAL, 1))
    other.piles[0][0].append(1), other.discards[0].append(1), other.hands[0].clear(), other.draw_pile.clear()
    other.chips[0][0], other.streams[0]["used"], other.turns[0], other.supply[0] = 9, 1, 5, 0
    assert view(table, 0).tobytes() == before


# At every decision of many games


def all_cards(table: Table):
    standing = [pile for piles in table.piles for pile in piles]
    zones = table.draw_pile, table.special_discard, table.removed, table.out_of_game
    return Counter(card for zone in (*table.hands, *table.discards, *standing, *zones) for card in zone)


def test_cards_and_chips_are_conserved_and_the_view_is_sound():
    def watch(table, seat, seen):
        rules = table.rules
        assert all_cards(table) == +Counter(dict(enumerate(copies(rules))))
        for color in range(2):
            assert table.supply[color] + sum(chips[color] for chips in table.chips) == rules.chips_per_color
            assert min([table.supply[color], *(chips[color] for chips in table.chips)]) >= 0
            assert len(table.piles[color]) <= rules.piles_per_color
            for pile in table.piles[color]:
                fits = [{5 * color + place, 10 + color} for place in range(5)]
                assert all(card in fits[place] for place, card in enumerate(pile))
        hidden = seen.deck - seen.visible - seen.hand
        assert hidden.min() >= 0
        assert hidden.sum() == seen.draw_pile + seen.hand_sizes.sum() - seen.hand_sizes[seat]
        assert seen.seat == seat == table.decider and seen.n_actions > 0
        assert not any(
            seen[name][rules.players :].any() for name in VIEW.names if VIEW[name].shape[:1] == (MAX_PLAYERS,)
        )

    transcripts = random_games(watch)
    assert {game[-1]["status"] for game in transcripts} == {"won", "stalemate", "capped"}


class Bookkeeper:
    """What lies on the table as far as the transcript alone tells it."""

    def __init__(self, players):
        self.hands, self.discards = [Counter() for _ in range(players)], [[] for _ in range(players)]
        self.draw_pile, self.chips = [], [Counter() for _ in range(players)]

    def take_from(self, event):
        if event["from"] == "discard":
            assert self.discards[event["seat"]].pop() == event["card"]
        else:
            self.hands[event["seat"]][event["card"]] -= 1

    def note(self, event):
        name, seat = event["event"], event.get("seat")
        if name in ("shuffle", "reshuffle"):
            assert not self.draw_pile
            self.draw_pile = list(event["cards"])
        elif name == "draw":
            drawn = [self.draw_pile.pop(0) for _ in event["cards"]]
            assert drawn == event["cards"] != []
            self.hands[seat].update(drawn)
        elif name == "play":
            self.take_from(event)
            assert event["pile"][-1] == event["card"] and len(event["pile"]) == event["value"]
        elif name == "action":
            self.take_from(event)
            if event["card"] == "StealCard":
                assert self.discards[event["target"]].pop() == event["stolen"]
                self.hands[seat][event["stolen"]] += 1
            elif event["card"] == "StealChip":
                self.chips[event["target"]][event["color"]] -= 1
                self.chips[seat][event["color"]] += 1
        elif name == "block":
            assert self.hands[seat]["Block"] > 0
            self.hands[seat]["Block"] -= event["played"]
        elif name == "chip":
            self.chips[seat][event["color"]] += 1
        elif name == "discard":
            self.hands[seat][event["card"]] -= 1
            self.discards[seat].append(event["card"])


def test_the_transcript_alone_tells_where_every_card_and_chip_is():
    rng = random.Random(8)
    for game in range(GAMES // 2):
        rules = random_rules(rng)
        book = Bookkeeper(rules.players)

        def watch(table, seat, seen, book=book):
            assert [+hand for hand in book.hands] == [Counter(text(hand).split()) for hand in table.hands]
            assert [" ".join(pile) for pile in book.discards] == [text(pile) for pile in table.discards]
            assert " ".join(book.draw_pile) == text(table.draw_pile)

        for event in play(rules, 4, game, [chance(rng)] * rules.players, watch):
            assert json.loads(json.dumps(event)) == event
            book.note(event)
        assert [(c["R"], c["B"]) for c in book.chips] == [(s["red"], s["blue"]) for s in event["seats"]]


def test_the_outcome_has_every_column_and_agrees_with_the_transcript():
    for game in random_games(None):
        end = game[-1]
        whole = [column.name for column in COLUMNS if not column.per_seat]
        assert list(end) == ["event", *whole, "seats"]
        assert {tuple(seat) for seat in end["seats"]} == {("red", "blue", "turns")}
        count = Counter(event["event"] for event in game)
        cards = Counter(event["card"] for event in game if event["event"] == "action")
        assert [count["turn"], count["play"], count["complete"], count["reshuffle"]] == [
            *(end["turns"], end["plays"], end["sequences"], end["reshuffles"])
        ]
        assert [cards[name] for name in ("Skip", "Reverse", "StealCard", "StealChip")] == [
            *(end["skips"], end["reverses"], end["steal_cards"], end["steal_chips"])
        ]
        assert end["blocks"] == sum(event["played"] for event in game if event["event"] == "block")
        assert end["turns"] == sum(seat["turns"] for seat in end["seats"])
        assert (end["winner"] == NONE) == (end["status"] != "won") == (end["winner_deficit"] is None)
