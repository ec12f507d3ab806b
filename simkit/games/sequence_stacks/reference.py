"""Sequence Stacks played in the open: slow, readable, and the measure for the kernel.

`play` plays one game and yields its transcript, event by event. The table that it is played on, the legal actions and
the views are in `table`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from simkit.contract import Rules, checked_answer
from simkit.games.sequence_stacks.rules import MAX_COPIES, NUMBERS, copies
from simkit.games.sequence_stacks.state import (
    ACTION,
    BLOCK,
    BLUE,
    CAPPED,
    CARDS,
    COLOR_NAMES,
    COLUMNS,
    DISCARD_PILE,
    END,
    FIRST_ACTION_CARD,
    FULL_DECK,
    HAND,
    NONE,
    PLAY,
    PLAY_BLOCK,
    RED,
    REVERSE,
    SKIP,
    STALEMATE,
    STEAL_CARD,
    STEAL_CHIP,
    WON,
    Action,
)
from simkit.games.sequence_stacks.table import Table, is_winning, legal_actions, redealt, reverse_skips, view
from simkit.rng import DEAL, RESHUFFLE
from simkit.rng.plain import Stream

__all__ = ["Table", "legal_actions", "play", "play_on", "redealt", "view"]

Chooser = Callable[[np.record], int]
Watcher = Callable[[Table, int, np.record], Any]
Ask = Callable[[Table, int], Action]
Event = dict[str, Any]

SOURCE_NAMES = {HAND: "hand", DISCARD_PILE: "discard"}
STATUS_WORDS = next(column.words for column in COLUMNS if column.name == "status")


def play(
    rules: Rules, seed: int, index: int, choosers: Sequence[Chooser], on_decision: Watcher | None = None
) -> Iterator[Event]:
    """Play game `index` of `seed` and yield its transcript from `shuffle` to `outcome`.

    `choosers[seat](view)` answers with an index into the legal actions; `on_decision(table, seat, view)` is called
    before each choice. Raises StrategyError for an answer outside of the legal actions.
    """
    table = Table(rules, seed, index)
    yield from _deal(table)
    yield from play_on(table, choosers, on_decision)


def play_on(table: Table, choosers: Sequence[Chooser], on_decision: Watcher | None = None) -> Iterator[Event]:
    """Play a game to its end from where the active seat's turn is about to begin."""

    def ask(table: Table, seat: int) -> Action:
        legal, seen = legal_actions(table), view(table, seat)
        if on_decision is not None:
            on_decision(table, seat, seen)
        answer = choosers[seat](seen)
        table.streams[seat] = np.array(seen["stream"])  # as far as the strategy has drawn from it
        return legal[checked_answer(answer, seat, len(legal))]

    while True:
        yield from _take_turn(table, ask)
        if table.status is not None:
            break
        yield from _pass_turn_on(table)
    yield _outcome(table)


def _deal(table: Table) -> Iterator[Event]:
    """Shuffle all copies of every card, leave out those that are not in the game, and deal one card at a time."""
    in_game = copies(table.rules)
    deck = list(range(FULL_DECK))
    Stream(table.seed, table.index, DEAL, 1).shuffle(deck)
    table.draw_pile = [place // MAX_COPIES for place in deck if place % MAX_COPIES < in_game[place // MAX_COPIES]]
    yield {"event": "shuffle", "cards": _names(table.draw_pile)}
    for _ in range(table.rules.hand_size):
        for seat in range(table.rules.players):
            yield from _draw(table, seat, 1, "deal")


def _names(cards: list[int]) -> list[str]:
    return [CARDS[card] for card in cards]


def _draw(table: Table, seat: int, wanted: int, reason: str) -> Iterator[Event]:
    """Draw so many cards as far as there are any; the removed cards are shuffled in only when a card is lacking."""
    while wanted > 0:
        if not table.draw_pile:
            if not table.removed:
                return
            yield _reshuffle(table)
        drawn = table.draw_pile[:wanted]
        del table.draw_pile[: len(drawn)]
        table.hands[seat] += drawn
        wanted -= len(drawn)
        yield {"event": "draw", "seat": seat, "cards": _names(drawn), "reason": reason}


def _reshuffle(table: Table) -> Event:
    table.reshuffles += 1
    Stream(table.seed, table.index, RESHUFFLE, table.reshuffles).shuffle(table.removed)
    table.draw_pile, table.removed = table.removed, []
    return {"event": "reshuffle", "cards": _names(table.draw_pile)}


def _take_turn(table: Table, ask: Ask) -> Iterator[Event]:
    """One turn of the active seat, up to the look at stalemate and cap; sets `status` if the game is over."""
    seat, rules = table.active, table.rules
    hand = table.hands[seat]
    table.turns[seat] += 1
    table.acted_this_turn = False
    yield {"event": "turn", "seat": seat, "turn": sum(table.turns)}
    if rules.hand_refill == "start_of_turn" or (rules.hand_refill == "when_empty" and not hand):
        yield from _draw(table, seat, rules.hand_size - len(hand), "turn")

    action = ask(table, seat)
    while action.kind in (PLAY, ACTION):
        yield from _play_card(table, action, ask)
        if table.status is not None:
            return
        if not hand:
            yield from _draw(table, seat, rules.hand_size, "hand_empty")
        action = ask(table, seat)

    yield _discard_or_pass(table, action)
    if rules.hand_refill == "end_of_turn":
        yield from _draw(table, seat, rules.hand_size - len(hand), "turn_end")
    _deal_out_skips(table)
    _look_at_stalemate_and_cap(table)


def _play_card(table: Table, action: Action, ask: Ask) -> Iterator[Event]:
    """Play one card and resolve it wholly; the cap on plays is looked at after the win."""
    table.acted_this_turn = True
    table.played[action.card] += 1
    if action.source == HAND:
        table.hands[table.active].remove(action.card)
    else:
        table.discards[table.active].pop()
    if action.kind == PLAY:
        yield from _lay(table, action, ask)
    else:
        table.special_discard.append(action.card)
        yield _take_effect(table, action)
    if table.status is None and table.plays >= table.rules.max_plays:
        table.status = CAPPED


def _lay(table: Table, action: Action, ask: Ask) -> Iterator[Event]:
    """Lay a number or wild on the oldest pile that needs it; a 1 starts a pile."""
    piles = table.piles[action.color]
    if action.value == 1:
        piles.append([])
    pile = next(pile for pile in piles if len(pile) == action.value - 1)
    pile.append(action.card)
    yield {
        "event": "play",
        "seat": table.active,
        "card": CARDS[action.card],
        "from": SOURCE_NAMES[action.source],
        "value": action.value,
        "pile": _names(pile),
    }
    if len(pile) == NUMBERS:
        yield from _complete(table, action.color, ask)


def _complete(table: Table, color: int, ask: Ask) -> Iterator[Event]:
    """A sequence is complete: the holders of a Block are asked, the chip is taken or not, the five cards leave."""
    table.sequences += 1
    yield {"event": "complete", "seat": table.active, "color": COLOR_NAMES[color]}
    blocked = yield from _ask_for_block(table, ask)
    chip = not blocked and table.supply[color] > 0
    if chip:
        table.supply[color] -= 1
        table.chips[table.active][color] += 1
        _look_at_lead(table)
        yield {"event": "chip", "seat": table.active, "color": COLOR_NAMES[color]}
    complete = next(place for place, pile in enumerate(table.piles[color]) if len(pile) == NUMBERS)
    leaving = table.piles[color].pop(complete)
    if blocked and table.rules.blocked_pile_to == "out_of_game":
        table.out_of_game += leaving
    else:
        table.removed += leaving
    if chip:
        _look_at_win(table)


def _ask_for_block(table: Table, ask: Ask) -> Iterator[Event]:
    """Ask the opponents who hold a Block until one plays it; returns whether one did."""
    holders = [seat for seat in table.opponents() if BLOCK in table.hands[seat]]
    if table.rules.block_priority == "random":
        table.lots.shuffle(holders)
    for seat in holders:
        table.asked = seat
        plays_it = ask(table, seat).kind == PLAY_BLOCK
        table.asked = NONE
        if plays_it:
            table.hands[seat].remove(BLOCK)
            table.special_discard.append(BLOCK)
            table.played[BLOCK] += 1
        yield {"event": "block", "seat": seat, "played": plays_it}
        if plays_it:
            return True
    return False


def _take_effect(table: Table, action: Action) -> Event:
    """Carry out an action card that has left its place."""
    seat, target, color = table.active, action.target, action.color
    event = {"event": "action", "seat": seat, "card": CARDS[action.card], "from": SOURCE_NAMES[action.source]}
    if action.card == SKIP or (action.card == REVERSE and reverse_skips(table.rules)):
        table.skips_this_turn += 1
    elif action.card == REVERSE:
        table.direction = -table.direction
    elif action.card == STEAL_CARD:
        stolen = table.discards[target].pop()
        table.hands[seat].append(stolen)
        event |= {"target": target, "stolen": CARDS[stolen]}
    else:
        table.chips[target][color] -= 1
        table.chips[seat][color] += 1
        event |= {"target": target, "color": COLOR_NAMES[color]}
        _look_at_lead(table)
        if table.rules.steal_chip_win == "wins":
            _look_at_win(table)
    return event


def _discard_or_pass(table: Table, action: Action) -> Event:
    seat = table.active
    if action.kind == END:
        return {"event": "pass", "seat": seat}
    table.acted_this_turn = True
    table.hands[seat].remove(action.card)
    table.discards[seat].append(action.card)
    return {"event": "discard", "seat": seat, "card": CARDS[action.card]}


def _deal_out_skips(table: Table) -> None:
    """The Skips of the turn go to the opponents one by one, in turn order, round and round."""
    opponents = table.opponents()
    for skip in range(table.skips_this_turn):
        table.turns_to_lose[opponents[skip % len(opponents)]] += 1
    table.skips_this_turn = 0


def _pass_turn_on(table: Table) -> Iterator[Event]:
    """The next seat that has no turn to lose becomes active."""
    table.active = table.after(table.active)
    while table.turns_to_lose[table.active]:
        table.turns_to_lose[table.active] -= 1
        yield {"event": "skipped", "seat": table.active}
        table.active = table.after(table.active)


# How a game ends


def _look_at_lead(table: Table) -> None:
    """After a chip has moved: has the lead changed, and how far is everyone behind?"""
    totals = [sum(chips) for chips in table.chips]
    most = max(totals)
    table.most_behind = [max(before, most - total) for before, total in zip(table.most_behind, totals, strict=True)]
    if totals.count(most) > 1:
        return
    leader = totals.index(most)
    if table.leader not in (NONE, leader):
        table.lead_changes += 1
    table.leader = leader


def _look_at_win(table: Table) -> None:
    if is_winning(table.rules, table.chips[table.active]):
        table.status, table.winner = WON, table.active


def _look_at_stalemate_and_cap(table: Table) -> None:
    """At the end of a turn; skipped turns are no turns and count for neither."""
    if table.acted_this_turn:
        table.idle_seats.clear()
    else:
        table.idle_seats.add(table.active)
    if len(table.idle_seats) == table.rules.players:
        table.status = STALEMATE
    elif sum(table.turns) >= table.rules.max_turns:
        table.status = CAPPED


def _outcome(table: Table) -> Event:
    played = table.played
    return {
        "event": "outcome",
        "winner": table.winner,
        "status": STATUS_WORDS[table.status],
        "turns": sum(table.turns),
        "plays": sum(played[card] for card in range(FIRST_ACTION_CARD)),
        "sequences": table.sequences,
        "blocks": played[BLOCK],
        "skips": played[SKIP],
        "reverses": played[REVERSE],
        "steal_cards": played[STEAL_CARD],
        "steal_chips": played[STEAL_CHIP],
        "reshuffles": table.reshuffles,
        "lead_changes": table.lead_changes,
        "winner_deficit": table.most_behind[table.winner] if table.status == WON else None,
        "seats": [
            {"red": chips[RED], "blue": chips[BLUE], "turns": turns}
            for chips, turns in zip(table.chips, table.turns, strict=True)
        ],
    }
