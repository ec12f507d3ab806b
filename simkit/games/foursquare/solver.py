"""Is a deal winnable if the order of the stock is known?

`solve_block` first looks for a win with narrow beams and rising goals (see `search`). It then spends its budget on a
proof that an unsolved deal cannot be won and, if asked to, on wins with fewer cards, or the proof that there are none.
Every win that it reports was played again by the rules of the kernel.
"""

import threading

import numpy as np

from simkit._jit import jit, kernel, record
from simkit.contract import SOLVED, UNDECIDED, UNSOLVABLE, Answer, Rules
from simkit.games.foursquare.kernel import GOES_ON, HIDDEN, list_placements, place
from simkit.games.foursquare.rules import OPTIONS, PILES
from simkit.games.foursquare.search import LEAST_SLOTS, LIKELY_CHILDREN, NODE, SEARCH, find_win, prepare
from simkit.games.foursquare.state import ORIGIN, RULES_RECORD, SIDE, VIEW, WON
from simkit.rng import DEAL, STREAM
from simkit.rng.jitted import draw_next, open_stream

MOST_PLACED = 4 * PILES
NARROW = 10
"""The first beam is so many times narrower than the one asked for: it wins most deals, and at once."""
JOB = np.dtype([("seed", "u8"), ("first", "u8"), ("beam", "i8"), ("budget", "i8"), ("best", "i8")], align=True)
ANSWER = np.dtype(
    [
        ("status", "i8"),  # an index into STATUSES
        ("cards", "i8"),  # with which the deal was won; 0 if it was not
        ("proven", "i8"),  # there is no win with so many cards or fewer
        ("moves", "i1", (MOST_PLACED, 2)),  # row and column from the first card
    ],
    align=True,
)
STATUSES = SOLVED, UNSOLVABLE, UNDECIDED
IS_SOLVED, IS_UNSOLVABLE, IS_UNDECIDED, IS_FAULTY = range(4)


@jit
def _try(rules, search, nodes, table, goal, width, capacity, answer):
    """One search, and what it says, written into the answer: a win, or a proof. Whether it says something."""
    prepare(search, nodes, goal, width, capacity)
    win = find_win(rules, search, nodes, table)
    if win >= 0:
        _write_moves(nodes, win, answer)
    elif search.cut == 0:
        answer.proven = goal
    return win >= 0 or search.cut == 0


@jit
def _write_moves(nodes, win, answer):
    """The placements that lead to a node."""
    cards, at = 0, win
    while at > 0:
        cards += 1
        at = nodes[at].parent
    answer.cards, at = cards, win
    for i in range(cards - 1, -1, -1):
        answer.moves[i, 0], answer.moves[i, 1] = nodes[at].move // SIDE - ORIGIN, nodes[at].move % SIDE - ORIGIN
        at = nodes[at].parent
    # So far from the corner of the grid, which moves when a card is placed above it or to the left of it.
    row, col = 0, 0
    for i in range(cards):
        up, left = max(0, -answer.moves[i, 0]), max(0, -answer.moves[i, 1])
        answer.moves[i, 0] -= row
        answer.moves[i, 1] -= col
        row, col = row + up, col + left


@jit
def _most_cards(rules, search):
    """Cards that can be placed at all."""
    return min(search.cards, PILES * rules.pile_height)


@jit
def _find_any(rules, search, nodes, table, job, answer):
    """Beams with more and more cards to spare, until one wins."""
    most, spare = _most_cards(rules, search), 0
    while answer.cards == 0 and answer.proven < most:
        goal = min(PILES + spare, most)
        for width in (max(1, job.beam // NARROW), job.beam):
            if _try(rules, search, nodes, table, goal, width, len(nodes), answer):
                break
        if goal == most:
            break
        spare += max(1, spare // 2)


@jit
def _settle(rules, search, nodes, table, job, answer):
    """Spend the budget on the proof that an unsolved deal cannot be won."""
    most = _most_cards(rules, search)
    if answer.cards == 0 and answer.proven < most:
        _try(rules, search, nodes, table, most, job.budget, job.budget, answer)


@jit
def _improve(rules, search, nodes, table, job, answer):
    """Spend the budget on wins with fewer cards than the one found, or the proof that there are none."""
    while answer.proven + 1 < answer.cards:
        if not _try(rules, search, nodes, table, answer.proven + 1, job.budget, job.budget, answer):
            # Too many positions for a proof; more cards to spare may still give a better win.
            if answer.cards - 1 > answer.proven + 1:
                _try(rules, search, nodes, table, answer.cards - 1, job.budget, job.budget, answer)
            break


@jit
def fill_stock(rules, search, stream, seed, game):
    """Deal the stock of a game: the cards rank by rank, shuffled as the kernel does it with this stream."""
    open_stream(stream, seed, game, DEAL, 1)
    search.cards = rules.max_rank * rules.suits
    for i in range(search.cards):
        search.stock[i] = i // rules.suits + 1
    for i in range(search.cards):
        draw_next(search.stock, i, search.cards, stream)


@jit
def is_won(rules, search, moves, cards, view, hidden):
    """Whether these placements are legal and win with exactly so many cards, by the kernel's own rules.

    moves: int8 (at least `cards`, 2), row and column from the first card. view, hidden: wiped records.
    """
    view.rules = rules
    for i in range(cards):
        view.card, view.stock = search.stock[i], search.cards - i - 1
        list_placements(view)
        cell, legal = SIDE * (moves[i, 0] + ORIGIN) + moves[i, 1] + ORIGIN, False
        for action in range(view.n_actions):
            legal |= view.actions[action].cell == cell
        if not legal:
            return False
        status = place(hidden, view, cell)
        if status != GOES_ON:
            return status == WON and i == cards - 1
    return False


@jit
def _solve(rules, search, nodes, table, job, answer):
    """Solve the deal of this stock, as its answer says."""
    answer.proven = PILES - 1
    _find_any(rules, search, nodes, table, job, answer)
    _settle(rules, search, nodes, table, job, answer)
    if job.best:
        _improve(rules, search, nodes, table, job, answer)
    if answer.cards > 0:
        answer.status = IS_SOLVED
    else:
        answer.status = IS_UNSOLVABLE if answer.proven >= _most_cards(rules, search) else IS_UNDECIDED


def solve_block(rules, job, nodes, table, answers):
    """Solve the games job.first, job.first + 1, … of job.seed, one for each of `answers` (ANSWER array).

    nodes: NODE array, at least `job.budget`; table: int32, at least twice as long. Both are memory to work in.
    """
    searches, blank = np.zeros(1, SEARCH), np.zeros(1, ANSWER)
    views, blank_view = np.zeros(1, VIEW), np.zeros(1, VIEW)
    hiddens, blank_hidden = np.zeros(1, HIDDEN), np.zeros(1, HIDDEN)
    streams = np.zeros(1, STREAM)
    for i in range(len(answers)):
        answers[i], views[0], hiddens[0] = blank[0], blank_view[0], blank_hidden[0]
        fill_stock(rules, searches[0], streams[0], job.seed, job.first + np.uint64(i))
        _solve(rules, searches[0], nodes, table, job, answers[i])
        won = is_won(rules, searches[0], answers[i].moves, answers[i].cards, views[0], hiddens[0])
        if answers[i].status == IS_SOLVED and not won:
            answers[i].status = IS_FAULTY


NODES, SLOTS, ANSWERS = record(NODE)[::1], record(np.dtype("i4"))[::1], record(ANSWER)[::1]
solve_block = kernel(record(RULES_RECORD), record(JOB), NODES, SLOTS, ANSWERS)(solve_block)


class Solver:
    """Solves deals under some rules. Several threads may share it; each gets memory of its own.

    beam: positions that the first searches keep of a layer. budget: nodes that a search for a proof may use. best:
    whether to look for the best score of a solved deal too.
    """

    def __init__(self, rules: Rules, beam: int, budget: int, best: bool):
        self.rules, self._job = rules, (beam, budget, best)
        codes = tuple(option.code(rules[option.name]) for option in OPTIONS)
        self._record = np.array([codes], RULES_RECORD)[0]
        self._nodes = max(budget, 2 * LIKELY_CHILDREN * beam)
        self._memory = threading.local()

    def solve(self, seed: int, first: int, deals: int) -> list[Answer]:
        """Answers for games first … first + deals - 1 of a seed."""
        if not hasattr(self._memory, "nodes"):
            self._memory.nodes = np.empty(self._nodes, NODE)
            self._memory.table = np.zeros(max(LEAST_SLOTS, 1 << (2 * self._nodes - 1).bit_length()), np.int32)
        job = np.array([(seed, first, *self._job)], JOB)[0]
        answers = np.zeros(deals, ANSWER)
        solve_block(self._record, job, self._memory.nodes, self._memory.table, answers)
        return [self._answer(first + i, answer) for i, answer in enumerate(answers)]

    def _answer(self, game: int, found: np.void) -> Answer:
        if found["status"] == IS_FAULTY:
            raise RuntimeError(f"the placements found for game {game} do not win it")
        status, cards = STATUSES[found["status"]], self.rules.max_rank * self.rules.suits
        score = cards - int(found["cards"]) if status == SOLVED else None
        bound = 0 if status == UNSOLVABLE else cards - int(found["proven"]) - 1
        return Answer(status, score, bound, found["moves"][: found["cards"]].tolist())
