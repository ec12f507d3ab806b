"""Positions of Sequence Stacks in card text, and games from there told in words."""

import random
from collections import deque
from contextlib import suppress

from simkit.games.sequence_stacks import GAME
from simkit.games.sequence_stacks.reference import Table, legal_actions, play_on
from simkit.games.sequence_stacks.state import (
    ACTIONS,
    BLUE,
    CARDS,
    COLOR_NAMES,
    DECLINE_BLOCK,
    DISCARD,
    DISCARD_PILE,
    END,
    FIRST_ACTION_CARD,
    FIRST_WILD,
    NONE,
    PLAY_BLOCK,
    RED,
    parse,
)


def position(*hands, discards=(), red="", blue="", removed="", draw="", chips=(), supply=None, active=0, **rules):
    """A table with these hands, the turn of `active` about to begin.

    Cards are text; `red` and `blue` hold that colour's piles, oldest first, with | between them. `discards` maps a
    seat to its pile from the bottom, `chips` a seat to text such as "R R B"; `supply` is (red, blue) if it is not
    what the seats have left of it. Other names are options.
    """
    table = Table(GAME.rules(len(hands), rules), seed=1, index=0)
    table.hands = [parse(hand) for hand in hands]
    for seat, cards in dict(discards).items():
        table.discards[seat] = parse(cards)
    table.piles = [[parse(pile) for pile in piles.split("|") if pile] for piles in (red, blue)]
    table.removed, table.draw_pile = parse(removed), parse(draw)
    for seat, held in dict(chips).items():
        table.chips[seat] = [held.split().count(name) for name in COLOR_NAMES]
    held = [sum(chips[color] for chips in table.chips) for color in (RED, BLUE)]
    table.supply = list(supply) if supply else [table.rules.chips_per_color - count for count in held]
    table.active = active
    return table


def say(action):
    """One action in words: "R1", "RW as 3", "Skip from discard", "StealChip R of 2", "discard B5", "end", "block"."""
    if action.kind == DISCARD:
        return f"discard {CARDS[action.card]}"
    if action.kind in (END, DECLINE_BLOCK, PLAY_BLOCK):
        return {END: "end", DECLINE_BLOCK: "no block", PLAY_BLOCK: "block"}[action.kind]
    words = [CARDS[action.card]]
    if FIRST_WILD <= action.card < FIRST_ACTION_CARD:
        words.append(f"as {action.value}")
    elif action.card >= FIRST_ACTION_CARD and action.color != NONE:
        words.append(COLOR_NAMES[action.color])
    if action.target != NONE:
        words.append(f"of {action.target}")
    if action.source == DISCARD_PILE:
        words.append("from discard")
    return " ".join(words)


def legal(table):
    """The legal actions in words."""
    return ", ".join(say(action) for action in legal_actions(table))


def line(event):
    """One event in a line of text: its name and what it holds, in the order in which it holds it."""
    return " ".join(" ".join(v) if isinstance(v, list) else str(v) for v in event.values())


class _Stop(Exception):
    """The script has no more words."""


def follow(table, script):
    """Play on by the script, whoever is asked, and return the events up to the decision after its last words.

    Words for one decision are as in `say`, with commas between decisions. The table then stands at that next
    decision, or the game is over.
    """
    words = deque(filter(None, (part.strip() for part in script.split(","))))

    def choose(view):
        if not words:
            raise _Stop
        offered = [say(ACTIONS[code]) for code in view["actions"]["code"][: view.n_actions].tolist()]
        assert words[0] in offered, f"{words[0]!r} is not among {offered}"
        return offered.index(words.popleft())

    events = []
    with suppress(_Stop):  # what came before it stays in the list
        events.extend(play_on(table, [choose] * table.rules.players))
    assert not words, f"the game was over before {words}"
    return events


def story(table, script):
    """The events of `follow` as lines, the outcome as "outcome winner status" only."""
    events = follow(table, script)
    return [f"outcome {e['winner']} {e['status']}" if e["event"] == "outcome" else line(e) for e in events]


def outcome(table, script):
    """The outcome event of a script that ends the game."""
    return follow(table, script)[-1]


def random_rules(rng: random.Random):
    """Random options, number of players and deck, most of them odd; the counts of cards are often the default."""
    while True:
        players = rng.randint(2, 6)
        chosen = {option.name: rng.choice(option.values) for option in GAME.options if option.values}
        for kind in ("numbers", "wilds", "skip", "reverse", "steal_card", "block", "steal_chip"):
            if rng.random() < 0.5:
                chosen[kind] = rng.randint(0, 9)
        chosen |= {"piles_per_color": rng.randint(1, 4), "hand_size": rng.randint(1, 7)}
        chosen |= {"chips_per_color": rng.randint(1, 20), "win_chips": rng.randint(1, 7)}
        chosen |= {"win_each_color": rng.randint(0, 2), "max_turns": rng.choice([20, 300]), "max_plays": 150}
        try:
            return GAME.rules(players, chosen)
        except ValueError:
            continue
