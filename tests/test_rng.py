"""The random streams: published answers, two forms that agree bit for bit, fair numbers and shuffles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit._jit import jit
from simkit.rng import CHOICE, DEAL, KNOWN_ANSWERS, LOTS, MAX_SEED, RESHUFFLE, STREAM, jitted, plain
from simkit.rng.plain import Stream
from simkit.run.faulty_shuffles import FAULTY, NARROW
from simkit.run.selftest import DECKS, QUICK, SIGNIFICANT
from simkit.run.uniformity import (
    bound_p_value,
    pair_p_value,
    position_counts,
    position_p_value,
    production_shuffle,
    two_sided,
)

SEEDS = st.one_of(st.sampled_from([0, 1, 2**32 - 1, 2**32, MAX_SEED]), st.integers(0, MAX_SEED))
GAMES = st.one_of(st.sampled_from([0, 2**32 - 1, 2**32, 2**63]), st.integers(0, 2**63))
KINDS = st.sampled_from([DEAL, RESHUFFLE, CHOICE, LOTS])
NUMBERS = st.one_of(st.sampled_from([0, 2**28 - 1]), st.integers(0, 2**28 - 1))
BOUNDS = st.one_of(
    st.sampled_from([1, 2, 3, 153, 2**16, 2**31 - 1, 2**31, 2**31 + 1, 3 << 30, 2**32 - 1]), st.integers(1, 2**32 - 1)
)


def jitted_stream(seed, game, kind, number):
    stream = np.zeros(1, STREAM)
    jitted.open_stream(stream[0], np.uint64(seed), np.uint64(game), kind, number)
    return stream[0]


# The generator


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_published_answers(counter, key, answer):
    assert plain.philox(counter, key) == answer
    assert tuple(int(w) for w in jitted.philox(*map(np.uint64, counter), *map(np.uint64, key))) == answer


@given(st.tuples(*[st.integers(0, 2**32 - 1)] * 6))
def test_both_forms_of_the_generator_agree(words):
    assert plain.philox(words[:4], words[4:]) == tuple(int(w) for w in jitted.philox(*map(np.uint64, words)))


# Streams


@given(SEEDS, GAMES, KINDS, NUMBERS, st.lists(BOUNDS, max_size=30))
@settings(deadline=None)
def test_both_forms_of_a_stream_agree_bit_for_bit(seed, game, kind, number, bounds):
    slow, fast = Stream(seed, game, kind, number), jitted_stream(seed, game, kind, number)
    assert slow.record().tobytes() == fast.tobytes()
    for bound in bounds:
        assert slow.below(bound) == jitted.below(fast, bound)
        assert slow.record().tobytes() == fast.tobytes()
    assert slow.word() == jitted.word(fast)


@given(SEEDS, GAMES, st.integers(1, 153), st.integers(0, 153))
@settings(deadline=None)
def test_cards_drawn_one_by_one_are_the_shuffled_deck(seed, game, size, drawn):
    slow, fast = Stream(seed, game, DEAL, 1), jitted_stream(seed, game, DEAL, 1)
    cards, deck = list(range(size)), np.arange(size, dtype=np.int16)
    slow.shuffle(cards)
    drawn = min(drawn, size)
    assert [jitted.draw_next(deck, place, size, fast) for place in range(drawn)] == cards[:drawn]
    assert sorted(deck.tolist()) == list(range(size))


@given(SEEDS, GAMES, KINDS, NUMBERS)
@settings(deadline=None)
def test_a_stream_starts_from_its_name_alone(seed, game, kind, number):
    used = jitted_stream(7, 8, DEAL, 9)
    jitted.below(used, 100)
    jitted.open_stream(used, np.uint64(seed), np.uint64(game), kind, number)
    first = [int(jitted.word(used)) for _ in range(20)]
    again = Stream(seed, game, kind, number)
    assert first == [again.word() for _ in range(20)]


def test_every_part_of_a_name_makes_another_stream():
    names = [(0, 0, DEAL, 0)]
    names += [(2**bit, 0, DEAL, 0) for bit in range(64)] + [(0, 2**bit, DEAL, 0) for bit in range(64)]
    names += [(0, 0, kind, 0) for kind in (RESHUFFLE, CHOICE, LOTS)] + [(0, 0, DEAL, 2**bit) for bit in range(28)]
    words = {tuple(Stream(*name).word() for _ in range(4)) for name in names}
    assert len(words) == len(names)


def test_seed_0_is_a_seed():
    streams = [Stream(seed, 0, DEAL, 1) for seed in (0, 1, MAX_SEED)]
    words = [[stream.word() for _ in range(8)] for stream in streams]
    assert len({word for drawn in words for word in drawn}) == 24


def test_neighbouring_seeds_and_games_share_no_deal():
    deals = set()
    for seed in range(20):
        for game in range(100):
            cards = list(range(30))
            Stream(seed, game, DEAL, 1).shuffle(cards)
            deals.add(tuple(cards))
    assert len(deals) == 2000


def test_a_stream_handed_to_a_strategy_does_not_tell_what_is_spent():
    stream = Stream(1, 2, CHOICE, 0)
    spent = [stream.word() for _ in range(5)]
    words = stream.record()["words"].tolist()
    assert words[:5] == [0] * 5 and not set(spent) & set(words)


@pytest.mark.parametrize("pair", [((0, 0), (0, 1)), ((0, 1), (0, 0)), ((MAX_SEED, 0), (0, 0))])
@pytest.mark.parametrize("kinds", [(DEAL, DEAL), (CHOICE, DEAL)])
def test_neighbouring_streams_are_independent(pair, kinds):
    assert pair_p_value(*pair, kinds, 100_000) > SIGNIFICANT


def test_the_pair_test_sees_the_same_stream_twice():
    assert pair_p_value((3, 3), (0, 0), (DEAL, DEAL), 10_000) < SIGNIFICANT


# Numbers


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 17, 100])
def test_small_numbers_are_equally_likely(n):
    stream = jitted_stream(11, n, CHOICE, 0)
    draws = 40_000
    counts = np.bincount([jitted.below(stream, n) for _ in range(draws)], minlength=n)
    assert len(counts) == n
    assert n == 1 or two_sided(((counts - draws / n) ** 2).sum() * n / draws, n - 1) > SIGNIFICANT


@jit
def by_modulo(stream, n):
    return np.int64(jitted.word(stream) % np.uint64(n))


@jit
def by_scaling(stream, n):
    return np.int64((jitted.word(stream) * np.uint64(n)) >> np.uint64(32))


def test_large_numbers_are_equally_likely_and_the_test_would_see_a_bias():
    assert bound_p_value(jitted.below, 200_000, 1) > SIGNIFICANT
    assert bound_p_value(by_modulo, 20_000, 1) < SIGNIFICANT
    assert bound_p_value(by_scaling, 20_000, 1) < SIGNIFICANT


def test_a_bound_of_one_takes_a_word_and_gives_zero():
    """A shuffle never asks for it, but a strategy with one legal action does."""
    slow, fast = Stream(1, 1, CHOICE, 0), jitted_stream(1, 1, CHOICE, 0)
    assert slow.below(1) == jitted.below(fast, 1) == 0
    assert slow.record().tobytes() == fast.tobytes()


# Shuffles


@pytest.mark.parametrize(("name", "cards", "drawn", "kind"), DECKS, ids=[deck[0] for deck in DECKS])
def test_each_card_is_equally_likely_at_each_place(name, cards, drawn, kind):
    counts = position_counts(production_shuffle, cards, drawn, QUICK.shuffles, seed=20, kind=kind)
    assert position_p_value(counts, QUICK.shuffles) > SIGNIFICANT


@pytest.mark.parametrize("cards", [40, 112, 153])
@pytest.mark.parametrize("fault", FAULTY)
def test_classic_mistakes_are_rejected_at_the_same_size(fault, cards):
    counts = position_counts(FAULTY[fault], cards, cards, QUICK.shuffles, seed=20)
    assert position_p_value(counts, QUICK.shuffles) < SIGNIFICANT


@jit
def narrow_but_fair(cards, drawn, stream):
    """Words as narrow as in the modulo mutant, but those that would favour some cards are thrown away."""
    for i in range(drawn):
        left = len(cards) - i
        value = jitted.word(stream) % NARROW
        while value >= NARROW - NARROW % left:
            value = jitted.word(stream) % NARROW
        j = i + value % left
        cards[i], cards[j] = cards[j], cards[i]


def test_it_is_the_modulo_that_is_rejected_and_not_the_narrow_word():
    counts = position_counts(narrow_but_fair, 112, 112, QUICK.shuffles, seed=20)
    assert position_p_value(counts, QUICK.shuffles) > SIGNIFICANT


@pytest.mark.parametrize("drawn", [3, 12, 20])
def test_the_shuffle_tests_p_values_are_uniform(drawn):
    """Half of them below a half, a tenth below a tenth: the test is neither blind nor crying wolf."""
    p = np.array([position_p_value(position_counts(production_shuffle, 20, drawn, 2000, s), 2000) for s in range(800)])
    for level in (0.5, 0.1):
        assert abs((p < level).mean() - level) < 4.5 * (level * (1 - level) / len(p)) ** 0.5
