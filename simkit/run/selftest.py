"""The checks of `simkit selftest`: random streams, shuffles, threads, and the two engines against each other."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from simkit.contract import Game, Rules
from simkit.rng import CHOICE, DEAL, KNOWN_ANSWERS, MAX_SEED, RESHUFFLE, STREAM, jitted, plain
from simkit.run.blocks import BLOCK, Seating, block_sizes, in_order
from simkit.run.faulty_shuffles import FAULTY
from simkit.run.transcript import outcome_row
from simkit.run.uniformity import bound_p_value, pair_p_value, position_counts, position_p_value, production_shuffle
from simkit.run.variety import random_rules
from simkit.run.witness import Witness, compare_views, witnesses
from simkit.strategy import Player, builtin

FALSE_ALARMS = 1e-4
"""How often all statistical checks together cry wolf, over many seeds."""
DECKS = (("shuffle, 153 cards", 153, 153, DEAL), ("shuffle, 112 cards", 112, 112, DEAL))
DECKS += (("first 30 of 153 cards", 153, 30, DEAL), ("reshuffle, 40 cards", 40, 40, RESHUFFLE))
PAIRS = (
    ("next game's deal", (0, 0), (0, 1), (DEAL, DEAL)),
    ("next seed's deal", (0, 1), (0, 0), (DEAL, DEAL)),
    ("reshuffle and deal", (0, 0), (0, 0), (DEAL, RESHUFFLE)),
    ("strategy's lots and deal", (0, 0), (0, 0), (DEAL, CHOICE)),
)
N_P_VALUES = len(DECKS) + len(PAIRS) + 1
SIGNIFICANT = FALSE_ALARMS / N_P_VALUES
"""A p-value below this fails its check (Bonferroni)."""


@dataclass(frozen=True)
class Size:
    """How much is played: `shuffles` of each deck, `streams` compared, `deals` by threads, `games` in both engines."""

    shuffles: int
    streams: int
    deals: int
    games: int


FULL = Size(shuffles=1_000_000, streams=2_000, deals=40_000, games=300)
QUICK = Size(shuffles=200_000, streams=300, deals=10_000, games=60)


@dataclass(frozen=True)
class Check:
    """The verdict of one check, and the figure that it rests on."""

    name: str
    ok: bool
    figure: str


def stream_checks(size: Size, seed: int) -> Iterator[Check]:
    """Everything that concerns no game."""
    yield _known_answers("known answers, plain", plain.philox)
    yield _known_answers("known answers, compiled", _compiled_philox)
    yield _same_streams(size.streams, seed)
    yield _p_value("numbers below 3 x 2^30", bound_p_value(jitted.below, size.shuffles, seed))
    for name, cards, drawn, kind in DECKS:
        table = position_counts(production_shuffle, cards, drawn, size.shuffles, seed, kind)
        yield _p_value(name, position_p_value(table, size.shuffles))
    for name, shuffle in FAULTY.items():
        p = position_p_value(position_counts(shuffle, 112, 112, size.shuffles, seed), size.shuffles)
        yield Check(f"sees: {name}", p < SIGNIFICANT, f"rejected, {_p_text(p)}" if p < SIGNIFICANT else _p_text(p))
    for name, seeds, games, kinds in PAIRS:
        near = tuple((seed + step) % (MAX_SEED + 1) for step in seeds)
        yield _p_value(f"apart: {name}", pair_p_value(near, games, kinds, size.shuffles))
    yield _no_deal_twice(size.streams, seed)


def game_checks(game: Game, size: Size, seed: int) -> Iterator[Check]:
    """Everything that concerns one game."""
    yield from _any_threads(game, size.deals, seed)
    yield _same_outcomes(game, size.games, seed)
    yield _same_views(game, size.games // 4, seed)


def _p_text(p: float) -> str:
    return f"p = {p:.3g}" if p > 1e-300 else "p < 1e-300"


def _p_value(name: str, p: float) -> Check:
    return Check(name, p >= SIGNIFICANT, _p_text(p))


def _known_answers(name: str, philox: Callable) -> Check:
    right = sum(tuple(philox(counter, key)) == answer for counter, key, answer in KNOWN_ANSWERS)
    return Check(name, right == len(KNOWN_ANSWERS), f"{right} of {len(KNOWN_ANSWERS)} of Random123's vectors")


def _compiled_philox(counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(word) for word in jitted.philox(*(np.uint64(word) for word in (*counter, *key))))


def _same_streams(streams: int, seed: int) -> Check:
    """Words, bounded numbers, shuffles and the streams' own bytes, in both forms."""
    rng = random.Random(seed)
    numbers = different = 0
    for seed_of_stream, game in product((0, 1, MAX_SEED), (0, 2**63 - 1)):
        different += _stream_differs(rng, seed_of_stream, game)
    for _ in range(streams):
        different += _stream_differs(rng, rng.getrandbits(64), rng.getrandbits(rng.choice((10, 33, 63))))
        numbers += 1
    return Check("compiled streams = plain", different == 0, f"{numbers + 6:,} streams, {different:,} differ")


def _stream_differs(rng: random.Random, seed: int, game: int) -> bool:
    kind, number = rng.randrange(4), rng.randrange(2**28)
    slow = plain.Stream(seed, game, kind, number)
    fast = np.zeros(1, STREAM)
    jitted.open_stream(fast[0], np.uint64(seed), np.uint64(game), kind, number)
    for _ in range(rng.randrange(1, 20)):
        bound = rng.choice((1, 2, 6, 153, 2**31 + 1, 3 << 30, 2**32 - 1))
        if slow.below(bound) != jitted.below(fast[0], bound):
            return True
    cards = list(range(rng.randrange(1, 60)))
    deck = np.array(cards, np.int16)
    slow.shuffle(cards)
    drawn = [int(jitted.draw_next(deck, place, len(deck), fast[0])) for place in range(len(deck))]
    return drawn != cards or slow.record().tobytes() != fast[0].tobytes()


def _no_deal_twice(deals: int, seed: int) -> Check:
    """The first ten cards of decks of 153 (about 10^21 orders) for neighbouring seeds and games."""
    side = int(deals**0.5)
    seen = set()
    for step, game in product(range(side), range(side)):
        stream = plain.Stream((seed + step) % (MAX_SEED + 1), game, DEAL, 1)
        cards = list(range(153))
        for place in range(10):
            other = place + stream.below(153 - place)
            cards[place], cards[other] = cards[other], cards[place]
        seen.add(tuple(cards[:10]))
    return Check("no deal twice", len(seen) == side**2, f"{side**2:,} deals of {side} neighbouring seeds")


def _seating(game: Game) -> Seating:
    player = Player(game, builtin(game)[game.default_strategy])
    return Seating(game, game.rules(game.bench_players[0]), [player] * game.bench_players[0])


def _any_threads(game: Game, deals: int, seed: int) -> Iterator[Check]:
    """Rows are the same bytes for any threads and blocks, and the first ones whatever the total."""
    seating = _seating(game)

    def rows(total: int, threads: int, block: int) -> bytes:
        def work(first: int, size: int) -> np.ndarray:
            return seating.play(seed, first, size)

        return b"".join(part.tobytes() for part in in_order(work, block_sizes(total, block), threads))

    one = rows(deals, 1, BLOCK)
    same = one == rows(deals, 3, BLOCK) == rows(deals, 3, 1000)
    yield Check(f"{game.slug}: any threads", same, f"{deals:,} games by 1 and 3 threads")
    few = deals // 7
    yield Check(f"{game.slug}: any total", one.startswith(rows(few, 1, BLOCK)), f"first {few:,} of {deals:,} games")


def _same_outcomes(game: Game, games: int, seed: int) -> Check:
    """Random rules, players and strategies: each column of the kernel's row against the reference engine's outcome."""
    rng = random.Random(seed)
    players = [Player(game, strategy) for strategy in builtin(game).values()]
    for _ in range(games):
        rules = random_rules(game, rng)
        seated = rng.choices(players, k=rules.players)
        index = rng.getrandbits(40)
        row = Seating(game, rules, seated).play(seed, index, 1)[0].tolist()
        choosers = [player.choose for player in seated]
        *_, outcome = game.part("reference").play(rules, seed, index, choosers)
        if outcome_row(game, rules.players, outcome) != row:
            found = _first_parting(game, rules, seated, seed, index, outcome, row)
            return Check(f"{game.slug}: engines agree", False, found)
    return Check(f"{game.slug}: engines agree", True, f"{games:,} games, random rules, {len(players)} strategies")


def _first_parting(
    game: Game, rules: Rules, seated: list[Player], seed: int, index: int, outcome: dict, row: list[int]
) -> str:
    """The game, the first column that differs, and the first decision at which the engines show different views."""
    told = outcome_row(game, rules.players, outcome)
    place = next(place for place, (ours, theirs) in enumerate(zip(row, told, strict=True)) if ours != theirs)
    column, seat = game.flat_columns(rules.players)[place]
    name = column.name if seat is None else f"{column.name} of seat {seat}"
    seats = [player.strategy for player in seated]
    _, parting = compare_views(game, rules, witnesses(game, seats), seated, seed, index)
    return (
        f"{_game_text(game, rules, seated, seed, index)}: {name} is {row[place]} in the kernel, {told[place]} in the "
        f"reference engine; {parting or 'all views are the same'}"
    )


def _game_text(game: Game, rules: Rules, seated: list[Player], seed: int, index: int) -> str:
    usual = game.rules(rules.players)
    seats = " ".join(f"--seat {player.strategy.text}" for player in seated)
    chosen = " ".join(f"--rule {name}={value}" for name, value in rules.items() if value != usual[name])
    return f"replay {game.slug} -p {rules.players} {seats} {chosen} --seed {seed} --game {index}"


def _same_views(game: Game, games: int, seed: int) -> Check:
    """What the calibration players see at each decision, byte by byte."""
    rng = random.Random(seed)
    known = builtin(game)
    players = {name: Player(game, known[name]) for name in game.calibration}
    spares: dict[str, list[Witness]] = {name: witnesses(game, [known[name]] * game.most_players) for name in players}
    decisions = 0
    for _ in range(games):
        rules = random_rules(game, rng)
        names = rng.choices(list(players), k=rules.players)
        seated = [players[name] for name in names]
        index = rng.getrandbits(40)
        witnessed = [spares[name][seat] for seat, name in enumerate(names)]
        count, parting = compare_views(game, rules, witnessed, seated, seed, index)
        decisions += count
        if parting is not None:
            found = f"{_game_text(game, rules, seated, seed, index)}: {parting}"
            return Check(f"{game.slug}: views agree", False, found)
    return Check(f"{game.slug}: views agree", True, f"{decisions:,} decisions, byte by byte")
