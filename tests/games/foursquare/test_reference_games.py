"""Whole games of Foursquare: deals, streams, views, and what must hold at every decision."""

import json
import random
from collections import Counter

import numba
import numpy as np
import pytest

from simkit.errors import StrategyError
from simkit.games.foursquare import GAME
from simkit.games.foursquare.reference import Table, legal_actions, play, play_on, redealt, view
from simkit.games.foursquare.state import COLUMNS, EMPTY, FACE_DOWN, FACE_UP, VIEW, card_text, cell_at
from simkit.rng import CHOICE, DEAL
from simkit.rng.jitted import below
from simkit.rng.plain import Stream

from .positions import follow, position, random_rules

# The deal and the player's randomness


def last(view):
    """Always the last action."""
    return view.n_actions - 1


def test_the_stock_is_shuffled_by_the_stream_of_the_deal():
    order = list(range(40))
    Stream(3, 4, DEAL, 1).shuffle(order)
    shuffle = next(play(GAME.rules(1), 3, 4, []))
    assert shuffle == {"event": "shuffle", "cards": [card_text(c // 4 + 1, c % 4) for c in order]}
    ranks = ["A", *map(str, range(2, 11))]
    assert sorted(shuffle["cards"]) == sorted(rank + suit for rank in ranks for suit in "SHDC")


@pytest.mark.parametrize(("ranks", "suits"), [(4, 2), (13, 8), (13, 3), (5, 5)])
def test_max_rank_and_suits_make_the_deck(ranks, suits):
    rules = GAME.rules(1, {"max_rank": ranks, "suits": suits})
    names = ["A", *map(str, range(2, ranks + 1))]
    order = list(range(ranks * suits))
    Stream(3, 4, DEAL, 1).shuffle(order)
    cards = next(play(rules, 3, 4, []))["cards"]
    assert cards == [names[c // suits] + "SHDCTUVW"[c % suits] for c in order]
    assert len(set(cards)) == ranks * suits


def test_a_deck_too_small_to_win_is_played_to_its_end():
    rules = GAME.rules(1, {"max_rank": 4, "suits": 2, "face_down_limit": 16})
    end = list(play(rules, 1, 1, [last]))[-1]
    assert (end["status"], end["placed"]) == ("lost_stock_empty", 8)


def test_a_deck_too_large_for_the_grid_runs_out_of_places():
    rules = GAME.rules(1, {"max_rank": 13, "suits": 8, "face_down_limit": 16, "lone_card": "none", "pile_height": 1})
    end = list(play(rules, 1, 1, [last]))[-1]
    assert (end["status"], end["placed"], end["piles"], end["stacked"]) == ("lost_no_place", 16, 16, 0)


def test_the_cards_are_placed_in_the_order_of_the_shuffle():
    shuffle, *places, _ = play(GAME.rules(1), 5, 6, [last])
    assert [event["card"] for event in places] == shuffle["cards"][: len(places)]
    assert [event["turn"] for event in places] == list(range(1, len(places) + 1))


@pytest.mark.parametrize("answer", [-1, 5, 1.0, None, "1"])
def test_an_answer_outside_of_the_legal_actions_is_refused(answer):
    """Beside a first card there are four free cells and the card itself: five actions."""
    with pytest.raises(StrategyError, match=r"seat 0: answered .*allowed: a whole number from 0 to 4$") as error:
        list(play(GAME.rules(1), 1, 0, [lambda view: answer if view.placed else 0]))
    assert repr(answer) in str(error.value)


def test_numpy_integers_are_answers():
    answers = lambda view: np.int64(view.n_actions - 1)  # noqa: E731
    assert list(play(GAME.rules(1), 1, 0, [answers])) == list(play(GAME.rules(1), 1, 0, [last]))


@numba.njit(numba.int64(numba.from_dtype(VIEW)))
def jitted_random(view):
    return below(view.stream, view.n_actions)


def test_a_jitted_strategy_draws_from_the_players_stream_through_the_view():
    stream, agreed = Stream(1, 7, CHOICE, 0), []

    def choose(view):
        answer = jitted_random(view)
        agreed.append(answer == stream.below(view.n_actions))
        return answer

    rules = GAME.rules(1, {"face_down_limit": 16})
    outcome = list(play(rules, 1, 7, [choose]))[-1]
    assert all(agreed) and len(agreed) == outcome["placed"] == 40
    assert list(play(rules, 1, 7, [jitted_random]))[-1] == outcome


def test_a_strategy_that_scribbles_over_its_view_changes_nothing_else():
    def scribbler(view):
        answer = view.n_actions - 1
        for name in VIEW.names:
            if name != "stream":
                view[name] = np.zeros_like(view[name])
        return answer

    assert list(play(GAME.rules(1), 1, 0, [last])) == list(play(GAME.rules(1), 1, 0, [scribbler]))


# Views


def packed(ranks):
    """Ranks as a view counts them in a line, four bits for each."""
    return sum(1 << (4 * rank) for rank in ranks)


def bits(*cells):
    return sum(1 << cell_at(*place) for place in cells)


def test_a_view_before_the_first_card():
    table = position("", "10C 3H 3S AD", face_down_limit=7)
    follow(table, "")
    seen = view(table, 0)
    empty = np.zeros(1, VIEW)[0]
    empty["n_actions"], empty["card"], empty["stock"], empty["stream"] = 1, 10, 3, table.streams[0]
    empty["actions"][0] = (0, 0, EMPTY, 27, 0, 0, 0, 0)
    empty["unseen"][[1, 3]] = 1, 2
    empty["rules"] = GAME.codes(table.rules)
    assert seen.tobytes() == empty.tobytes()


def seen_in_the_middle():
    """A view whose position reaches up and to the left of the first card, at (0, 0)."""
    table = position("9 2/2/3/_9 .\n. 5/7 _10", "8D 6H 6C AS", corner=(-1, -2), face_down_limit=7)
    follow(table, "")
    return table, view(table, 0)


def test_a_view_of_the_piles():
    _, seen = seen_in_the_middle()
    assert (seen.card, seen.placed, seen.stock) == (8, 8, 3)
    assert seen.occupied == bits((-1, -2), (-1, -1), (0, -1), (0, 0))
    assert (seen.face_down, seen.full) == (bits((-1, -1), (0, 0)), bits((-1, -1)))
    tops = {cell_at(-1, -2): (9, 1), cell_at(-1, -1): (9, 4), cell_at(0, -1): (7, 2), cell_at(0, 0): (10, 1)}
    assert {int(c): (int(seen["top"][c]), int(seen["height"][c])) for c in np.flatnonzero(seen["height"])} == tops
    assert np.count_nonzero(seen["top"]) == 4
    assert (cell_at(0, 0), cell_at(-1, -2), cell_at(-3, -3), cell_at(3, 3)) == (27, 17, 0, 54)
    assert (seen.first_row, seen.last_row, seen.first_col, seen.last_col) == (2, 3, 1, 3)
    assert seen["unseen"].tolist() == [0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]


def test_a_view_of_the_lines():
    _, seen = seen_in_the_middle()
    assert seen["up_in_row"].tolist() == [0, 0, packed([9]), packed([7]), 0, 0, 0, 0]
    assert seen["all_in_row"].tolist() == [0, 0, packed([9, 9]), packed([7, 10]), 0, 0, 0, 0]
    assert seen["up_in_col"].tolist() == [0, packed([9]), packed([7]), 0, 0, 0, 0, 0]
    assert seen["all_in_col"].tolist() == [0, packed([9]), packed([9, 7]), packed([10]), 0, 0, 0, 0]


def test_a_view_of_the_decision():
    table, seen = seen_in_the_middle()
    expected = [
        *((-2, -2, EMPTY), (-2, -1, EMPTY)),
        *((-1, -3, EMPTY), (-1, -2, FACE_UP), (-1, 0, EMPTY)),
        *((0, -2, EMPTY), (0, -1, FACE_UP), (0, 0, FACE_DOWN), (0, 1, EMPTY)),
        *((1, -1, EMPTY), (1, 0, EMPTY)),
    ]
    assert legal_actions(table) == expected and seen.n_actions == len(expected)
    assert seen["actions"][: len(expected)].tolist() == [
        (row, col, on, cell_at(row, col), 0, 0, 0, 0) for row, col, on in expected
    ]
    assert not seen["actions"][len(expected) :].tobytes().strip(b"\0")
    assert GAME.codes(table.rules) == seen.rules.item()
    assert seen.rules.face_down_limit == 7 and seen["actions"][1]["col"] == -1
    assert seen.stream.tobytes() == Stream(1, 0, CHOICE, 0).record().tobytes()


def test_suits_are_not_in_the_view():
    grid = "9{0} 2{1}/_7{0}\n. 5{1}"
    views = []
    for one, two in ("SH", "CD"):
        table = position(grid.format(one, two), f"8{two} 6{one} 6{two}")
        follow(table, "")
        views.append(view(table, 0).tobytes())
    assert views[0] == views[1]


def test_what_lies_under_a_top_is_only_counted():
    views = [view(position(f"9 {buried}/_7", "8 6"), 0).tobytes() for buried in ("2", "5")]
    assert views[0] == views[1]


def test_redealt_deals_the_stock_and_nothing_else():
    table = position("9 _3", "8D 6H 6C AS")
    follow(table, "")
    orders = set()
    for deal in range(100):
        other = redealt(table, 0, Stream(1, deal, DEAL, 1))
        assert (other.card, other.piles, sorted(other.stock)) == (table.card, table.piles, sorted(table.stock))
        orders.add(tuple(other.stock))
    assert len(orders) == 6  # all orders of the three hidden cards


def test_redealt_does_not_depend_on_how_the_stock_lies():
    deals = [redealt(position("9", stock), 0, Stream(1, 1, DEAL, 1)).stock for stock in ("8D 6H AS", "AS 8D 6H")]
    assert deals[0] == deals[1]


def test_a_redealt_table_shares_nothing_with_the_first():
    table = position("9 _3", "8D 6H 6C")
    follow(table, "")
    before = view(table, 0).tobytes()
    other = redealt(table, 0, Stream(1, 1, DEAL, 1))
    other.stock.clear(), other.piles[0, 0].cards.append(1), other.piles.pop((0, 1))
    other.streams[0]["used"], other.placed = 1, 30
    assert view(table, 0).tobytes() == before


# At every decision of many games

GAMES = 80


def chance(rng):
    """A player that takes any legal action."""

    def choose(view):
        return rng.randrange(view.n_actions)

    return choose


class Eager:
    """A player that turns up as many piles as it can, by trying every placement on a copy of the table."""

    def watch(self, table, seat, seen):
        self.table = table
        check_table(table, seat, seen)

    def choose(self, view):
        return max(range(view.n_actions), key=self.face_up_after)

    def face_up_after(self, action):
        """Face-up piles less face-down ones once the drawn card is placed so."""
        other = self.table.copy()
        other.stock.insert(0, other.card)
        event = next(play_on(other, [lambda view: action]))
        return len(other.piles) - 2 * event["face_down"]


def random_games(watch, games=GAMES):
    """Play random games under random rules; `watch(table, seat, view)` sees every decision. Returns the transcripts."""
    rng = random.Random(5)
    return [list(play(random_rules(rng), 9, game, [chance(rng)], watch)) for game in range(games)]


def check_table(table, seat, seen):
    """Every card is somewhere, once; no pile, no frame is too large; the view counts what lies there."""
    rules = table.rules
    lying = [card for pile in table.piles.values() for card in pile.cards]
    assert sorted([*lying, *table.stock, table.card]) == list(range(rules.max_rank * rules.suits))
    assert len(lying) == table.placed == seen.placed and len(table.stock) == seen.stock == seen["unseen"].sum()
    assert all(1 <= len(pile.cards) <= rules.pile_height for pile in table.piles.values())
    if table.piles:
        rows, cols = zip(*table.piles, strict=True)
        assert max(rows) - min(rows) < 4 and max(cols) - min(cols) < 4 and (0, 0) in table.piles
        assert rules.frame == "floating" or min(rows + cols) >= 0
    assert table.face_down == int(seen.face_down).bit_count() <= rules.face_down_limit
    assert int(seen.occupied).bit_count() == len(table.piles) and seen["height"].sum() == table.placed
    assert 0 < seen.n_actions == len(legal_actions(table)) and seat == 0
    assert table.status is None and not (len(table.piles) == 16 and table.face_down == 0)


def test_cards_are_conserved_and_the_view_is_sound():
    transcripts = random_games(check_table)
    ends = {game[-1]["status"] for game in transcripts}
    assert ends >= {"lost_face_down", "lost_stock_empty", "lost_no_place"}


def test_a_view_shows_no_more_than_the_player_may_know():
    """The stock is dealt anew: not one byte of the view may change."""
    rng, moved = random.Random(2), []

    def watch(table, seat, seen):
        if rng.random() < 0.2:
            other = redealt(table, seat, Stream(77, rng.randrange(10**6), DEAL, 1))
            assert view(other, seat).tobytes() == seen.tobytes()
            moved.append(other.stock != table.stock)

    random_games(watch)
    assert sum(moved) > 0.9 * len(moved) > 100


@pytest.mark.parametrize(("game", "score"), [(4, 5), (7, 0)])
def test_games_under_the_default_rules_can_be_won(game, score):
    """Of 24 games tried, two of the four that this player wins; one of them with the last card."""
    eager = Eager()
    end = list(play(GAME.rules(1), 2, game, [eager.choose], eager.watch))[-1]
    assert (end["won"], end["status"], end["piles"], end["face_down"]) == (True, "won", 16, 0)
    assert end["score"] == end["score_or_zero"] == 40 - end["placed"] == score


class Bookkeeper:
    """The piles as far as the transcript alone tells them."""

    def __init__(self):
        self.piles, self.flips, self.stacked, self.most = {}, 0, 0, 0

    def note(self, event):
        place = event["row"], event["col"]
        before = self.piles.get(place)
        assert event["on"] == {None: "empty", True: "face_up", False: "face_down"}[before and before[1]]
        self.stacked += before is not None
        self.piles[place] = [event["card"], True]
        for row, col in event["row_flips"] + event["col_flips"]:
            self.piles[row, col][1] ^= True
            self.flips += 1
        assert all(row == event["row"] for row, _ in event["row_flips"])
        assert all(col == event["col"] for _, col in event["col_flips"])
        assert event["face_down"] == sum(not up for _, up in self.piles.values())
        self.most = max(self.most, event["face_down"])


def test_the_transcript_alone_tells_where_every_card_lies():
    rng = random.Random(8)
    for game in range(GAMES):
        book = Bookkeeper()

        def watch(table, seat, seen, book=book):
            tops = {place: [table.text(pile.cards[-1]), pile.face_up] for place, pile in table.piles.items()}
            assert tops == book.piles

        events = []
        for event in play(random_rules(rng), 4, game, [chance(rng)], watch):
            events.append(event)
            if event["event"] == "place":
                book.note(event)
        assert json.loads(json.dumps(events)) == events
        end = events[-1]
        assert [event["event"] for event in events] == ["shuffle", *["place"] * end["placed"], "outcome"]
        assert (end["flips"], end["stacked"], end["max_face_down"]) == (book.flips, book.stacked, book.most)
        assert (end["piles"], end["face_down"]) == (len(book.piles), events[-2]["face_down"])


def test_the_outcome_has_every_column():
    for *_, end in random_games(None, games=20):
        assert list(end) == ["event", *(column.name for column in COLUMNS)]
        assert end["won"] == (end["status"] == "won") == (end["score"] is not None)
        assert end["score_or_zero"] == (end["score"] or 0)


def test_other_suits_of_the_same_ranks_give_the_same_game():
    """Relabelled suits change the cards' texts and nothing else."""
    rng = random.Random(1)
    for _ in range(10):
        rules = random_rules(rng)
        tables = Table(rules, 1, 1), Table(rules, 1, 1)
        tables[0].stock = list(range(rules.max_rank * rules.suits))
        rng.shuffle(tables[0].stock)
        suits = list(range(rules.suits))
        rng.shuffle(suits)
        tables[1].stock = [c - c % rules.suits + suits[c % rules.suits] for c in tables[0].stock]
        games = [list(play_on(table, [lambda view: 7 * view.placed % view.n_actions])) for table in tables]
        stripped = [[event | {"card": event.get("card", "")[:-1]} for event in game] for game in games]
        assert stripped[0] == stripped[1]


def test_every_named_value_comes_up_in_the_random_rules():
    rng = random.Random(5)
    drawn = Counter((name, value) for _ in range(GAMES) for name, value in random_rules(rng).items())
    assert all(drawn[option.name, value] > 5 for option in GAME.options for value in option.values)
