"""Skyjo played in the open: slow, readable, and the measure for the kernel.

`play` plays one game and yields its transcript, event by event. The table that it is played on, the legal actions and
the views are in `table`.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

import numpy as np

from simkit.contract import Rules, checked_answer
from simkit.games.skyjo.rules import CELLS, COLS, OPENED
from simkit.games.skyjo.state import (
    CAPPED,
    COLUMNS,
    DECK,
    EXCHANGE,
    EXCHANGE_DECISION,
    NONE,
    OPEN_DECISION,
    SOURCE_DECISION,
    TAKE,
    USE_DECISION,
    WON,
    Action,
)
from simkit.games.skyjo.table import Card, Table, complete_columns, legal_actions, redealt, view
from simkit.rng import DEAL, RESHUFFLE
from simkit.rng.plain import Stream

__all__ = ["Table", "legal_actions", "play", "play_on", "redealt", "view"]

Chooser = Callable[[np.record], int]
Watcher = Callable[[Table, int, np.record], Any]
Ask = Callable[[Table, int], Action]
Event = dict[str, Any]

STATUS_WORDS = next(column.words for column in COLUMNS if column.name == "status")


def play(
    rules: Rules, seed: int, index: int, choosers: Sequence[Chooser], on_decision: Watcher | None = None
) -> Iterator[Event]:
    """Play game `index` of `seed` and yield its transcript from the first `round` to `outcome`.

    `choosers[seat](view)` answers with an index into the legal actions; `on_decision(table, seat, view)` is called
    before each choice. Raises StrategyError for an answer outside of the legal actions.
    """
    table = Table(rules, seed, index)
    yield from _begin_round(table, _asker(choosers, on_decision))
    yield from play_on(table, choosers, on_decision)


def play_on(table: Table, choosers: Sequence[Chooser], on_decision: Watcher | None = None) -> Iterator[Event]:
    """Play a game to its end from where the active seat's turn is about to begin."""
    ask = _asker(choosers, on_decision)
    while True:
        yield from _take_turns(table, ask)
        yield from _end_round(table)
        if table.status is not None:
            break
        yield from _begin_round(table, ask)
    yield _outcome(table)


def _asker(choosers: Sequence[Chooser], on_decision: Watcher | None) -> Ask:
    """What asks the active seat for its action at a decision of the kind given."""

    def ask(table: Table, decision: int) -> Action:
        table.decision, seat = decision, table.active
        legal, seen = legal_actions(table), view(table, seat)
        if on_decision is not None:
            on_decision(table, seat, seen)
        answer = choosers[seat](seen)
        table.streams[seat] = np.array(seen["stream"])  # as far as the strategy has drawn from it
        return legal[checked_answer(answer, seat, len(legal))]

    return ask


# The beginning of a round


def _begin_round(table: Table, ask: Ask) -> Iterator[Event]:
    """Deal, let every seat turn up its cards, and find out who starts."""
    table.starter = _starter_known_before(table)
    table.round += 1
    table.turn, table.ender, table.cut_short = 0, NONE, False
    yield {"event": "round", "round": table.round}
    yield from _deal(table)
    for seat in range(table.rules.players):
        table.active = seat
        yield _open(table, ask)
    if table.starter == NONE:
        table.starter = _seat_of_highest_sum(table)
    if table.round == 1:
        table.first_starter = table.starter
    table.active = table.starter
    yield {"event": "starter", "seat": table.starter}


def _starter_known_before(table: Table) -> int:
    """Who starts the next round, as far as the last one tells; else NONE."""
    wanted = table.rules.next_starter
    if table.round == 0 or wanted == "highest_open":
        return NONE
    if wanted == "rotate":
        return (table.starter + 1) % table.rules.players
    if wanted == "round_ender" and table.ender != NONE:
        return table.ender
    lowest = min(table.scores)
    return next(seat for seat in table.from_seat_on(table.starter) if table.scores[seat] == lowest)


def _deal(table: Table) -> Iterator[Event]:
    players = table.rules.players
    deck = list(DECK)
    Stream(table.seed, table.index, DEAL, table.round).shuffle(deck)
    yield {"event": "shuffle", "cards": list(deck)}
    table.grids = [{} for _ in range(players)]
    for cell in range(CELLS):
        for seat in range(players):
            table.grids[seat][cell] = Card(deck.pop(0))
    for seat, grid in enumerate(table.grids):
        yield {"event": "deal", "seat": seat, "cards": [card.value for card in grid.values()]}
    table.discard, table.draw_pile = [deck.pop(0)], deck
    yield {"event": "upcard", "card": table.discard[-1]}


def _open(table: Table, ask: Ask) -> Event:
    """The active seat turns up its cards, one after the other."""
    seat, cells = table.active, []
    for _ in range(OPENED):
        if table.rules.open_cells == "random":
            face_down = table.face_down(seat)
            cell = face_down[table.lots.below(len(face_down))]
        else:
            cell = ask(table, OPEN_DECISION).cell
        table.grids[seat][cell].face_up = True
        cells.append(cell)
    return {"event": "open", "seat": seat, "cells": cells, "values": [table.grids[seat][cell].value for cell in cells]}


def _seat_of_highest_sum(table: Table) -> int:
    sums = [table.open_sum(seat) for seat in range(table.rules.players)]
    tied = [seat for seat, total in enumerate(sums) if total == max(sums)]
    if len(tied) > 1 and table.rules.first_starter_tie == "lot":
        return tied[table.lots.below(len(tied))]
    return tied[0]


# Turns


def _take_turns(table: Table, ask: Ask) -> Iterator[Event]:
    """All turns of a round from that of the active seat on."""
    rules = table.rules
    while True:
        table.turn += 1
        if not (yield from _take_turn(table, ask)):
            table.cut_short = True
            return
        table.turns += 1
        if table.ender == NONE and not table.face_down(table.active):
            table.ender = table.active
            table.ended[table.ender] += 1
            yield {"event": "ending", "seat": table.ender}
            if rules.final_turns == "none":
                return
        table.active = (table.active + 1) % rules.players
        if table.active == table.ender:
            return
        if table.turn >= rules.players * rules.max_turns:
            table.cut_short, table.status = True, CAPPED
            return


def _take_turn(table: Table, ask: Ask) -> Generator[Event, None, bool]:
    """One turn of the active seat; returns whether it was taken: False where the draw pile ends the round."""
    seat = table.active
    if ask(table, SOURCE_DECISION).kind == TAKE:
        cell = ask(table, EXCHANGE_DECISION).cell
        taken = table.discard.pop()
        yield {"event": "take", "seat": seat, "card": taken, "cell": cell, "replaced": _exchange(table, taken, cell)}
    else:
        if not table.draw_pile:
            if table.rules.draw_empty == "end_round":
                yield {"event": "draw_empty", "seat": seat}
                return False
            yield _reshuffle(table)
        table.drawn = table.draw_pile.pop(0)
        yield {"event": "draw", "seat": seat, "card": table.drawn}
        yield _use(table, ask(table, USE_DECISION))
    if table.rules.column_rule:
        yield from _clear_columns(table, seat)
    return True


def _exchange(table: Table, value: int, cell: int) -> int:
    """Lay a card on a cell of the active seat; the card that lay there goes on the discard pile and is returned."""
    grid = table.grids[table.active]
    replaced = grid[cell].value
    grid[cell] = Card(value, face_up=True)
    table.discard.append(replaced)
    return replaced


def _use(table: Table, action: Action) -> Event:
    """Exchange or reject the drawn card."""
    seat, drawn, table.drawn = table.active, table.drawn, None
    if action.kind == EXCHANGE:
        replaced = _exchange(table, drawn, action.cell)
        return {"event": "exchange", "seat": seat, "cell": action.cell, "replaced": replaced}
    table.discard.append(drawn)
    if action.cell == NONE:
        return {"event": "reject", "seat": seat, "cell": None, "value": None}
    turned = table.grids[seat][action.cell]
    turned.face_up = True
    return {"event": "reject", "seat": seat, "cell": action.cell, "value": turned.value}


def _reshuffle(table: Table) -> Event:
    """All of the discard pile but its top card becomes the draw pile."""
    table.reshuffles += 1
    *rest, top = table.discard
    rest.sort()
    Stream(table.seed, table.index, RESHUFFLE, table.reshuffles).shuffle(rest)
    table.draw_pile, table.discard = rest, [top]
    return {"event": "reshuffle", "cards": list(rest)}


def _clear_columns(table: Table, seat: int) -> Iterator[Event]:
    """The complete columns of a seat leave its grid."""
    grid = table.grids[seat]
    for col in complete_columns(grid):
        leaving = [grid.pop(cell).value for cell in range(col, CELLS, COLS)]
        if table.rules.column_discard == "on_top":
            table.discard += leaving
        else:
            table.discard[-1:-1] = leaving
        table.cleared[seat] += 1
        yield {"event": "clear", "seat": seat, "column": col, "value": leaving[0]}


# The end of a round and of the game


def _end_round(table: Table) -> Iterator[Event]:
    """Turn up all cards, clear columns, add up, double; then look whether the game is over."""
    rules, seats = table.rules, range(table.rules.players)
    for seat in seats:
        for card in table.grids[seat].values():
            card.face_up = True
        if rules.column_rule and rules.column_at_final_reveal:
            yield from _clear_columns(table, seat)
    table.scores = [table.open_sum(seat) for seat in seats]
    table.raw = _sums(table.raw, table.scores)
    doubled = table.ender if _is_doubled(table) else None
    if doubled is not None:
        table.doubled[doubled] += 1
        table.scores[doubled] *= rules.multiplier
    table.totals = _sums(table.totals, table.scores)
    yield {
        "event": "score",
        "round": table.round,
        "scores": list(table.scores),
        "doubled": doubled,
        "totals": list(table.totals),
    }
    if table.status is None:
        table.status = _status(table)


def _sums(numbers: list[int], others: list[int]) -> list[int]:
    return [one + other for one, other in zip(numbers, others, strict=True)]


def _is_doubled(table: Table) -> bool:
    """Whether the score of who ended the round is doubled, by all scores before doubling."""
    if table.cut_short:
        return False
    score = table.scores[table.ender]
    lowest_other = min(other for seat, other in enumerate(table.scores) if seat != table.ender)
    is_beaten = lowest_other < score or (lowest_other == score and table.rules.double_on_tie)
    return is_beaten and (score > 0 or table.rules.double_nonpositive)


def _status(table: Table) -> int | None:
    """How the game has ended after a round that was played out; None if it goes on."""
    rules = table.rules
    if rules.rounds:
        return WON if table.round == rules.rounds else None
    if max(table.totals) >= rules.target:
        return WON
    return CAPPED if table.round >= rules.max_rounds else None


def _outcome(table: Table) -> Event:
    seats, lowest = range(table.rules.players), min(table.totals)
    winners = [seat for seat in seats if table.totals[seat] == lowest] if table.status == WON else []
    return {
        "event": "outcome",
        "winner": winners[0] if winners else NONE,
        "tied": len(winners),
        "status": STATUS_WORDS[table.status],
        "rounds": table.round,
        "turns": table.turns,
        "first_starter": table.first_starter,
        "reshuffles": table.reshuffles,
        "seats": [
            {
                "total": table.totals[seat],
                "win_share": 1 / len(winners) if seat in winners else 0,
                "ended": table.ended[seat],
                "doubled": table.doubled[seat],
                "cleared": table.cleared[seat],
                "raw": table.raw[seat],
            }
            for seat in seats
        ],
    }
