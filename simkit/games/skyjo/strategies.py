"""The players of Skyjo.

`random` and `cutoff` are defined on the rules page. `closer`, `spoiler` and `survivor` are each `greedy` with one idea;
`counting` looks at the distribution of the cards; `expert` has all of it together.
"""

import json
import math
from pathlib import Path

from simkit._jit import count_bits, jit, lowest_bit, nth_bit
from simkit.games.skyjo.ending import charge_for_ending, fill_forecasts, is_patient, new_forecasts
from simkit.games.skyjo.gains import charge_for_gifts, gifts, known_gains
from simkit.games.skyjo.grid import exchange_with, highest_bit
from simkit.games.skyjo.judging import prepare
from simkit.games.skyjo.lookahead import choose_by_score
from simkit.games.skyjo.moves import answer, card_at_hand, opening
from simkit.games.skyjo.odds import fill_chances, fill_costs, fill_pairs, fill_places, new_odds, new_places
from simkit.games.skyjo.rules import CELLS, LOWEST
from simkit.games.skyjo.standings import favour_ending, is_last_round, lead, totals_ahead
from simkit.games.skyjo.state import NONE, OPEN_DECISION, SOURCE_DECISION, USE_DECISION
from simkit.rng.jitted import below
from simkit.strategy import strategy

EXPERT = Path(__file__).parent / "tables" / "expert.json"
"""The expert's weights, and on record how `scripts/tune.py` found them."""


@strategy()
def random(view, params):
    """Any legal action, each equally likely; defined to the letter on the rules page."""
    return below(view.stream, view.n_actions)


@strategy(k=4)
def cutoff(view, params):
    """Takes discards and keeps drawn cards up to k, in place of the highest face-up card above k or else a face-down
    card; rejects others and turns up a face-down card. Defined to the letter on the rules page.
    """
    if view.decision == OPEN_DECISION:
        return below(view.stream, view.n_actions)
    if view.decision == SOURCE_DECISION:
        return 0 if view.discard_top <= params.k else 1
    hidden = view.hidden_cells[view.seat]
    if view.decision == USE_DECISION and view.card > params.k:
        return view.n_exchanges + (below(view.stream, count_bits(hidden)) if hidden else 0)
    showing = view.showing[view.seat]
    highest = highest_bit(showing) if showing else 0
    if hidden and (showing == 0 or highest + LOWEST <= params.k):
        return exchange_with(view, nth_bit(hidden, below(view.stream, count_bits(hidden))))
    return exchange_with(view, lowest_bit(view.cells_of[view.seat, highest]))


# ---------------------------------------------------------------- one idea each


@jit
def _fewest_hidden(view):
    """The least number of face-down cards that a seat has."""
    fewest = CELLS
    for seat in range(view.players):
        fewest = min(fewest, count_bits(view.hidden_cells[seat]))
    return fewest


@strategy(least=3, turn=0.1, same=0)
def greedy(view, params):
    """Exchanges where the known gain is largest, a face-down card at the average of the unseen ones, a column that is
    completed with all its points. Takes the discard for a gain of `least` or more. Rejects a drawn card that gains less
    than `turn` and turns a card up. `same` above 0: opens two cells of one column, else of two.
    """
    if view.decision == OPEN_DECISION:
        return opening(view, params.same)
    return answer(view, known_gains(view, card_at_hand(view), params.turn), params.least)


@strategy(least=3, turn=0.1, same=0, caution=1, hurry=2, last=3, spread=4, patience=30)
def closer(view, params):
    """Asks when to end the round: a move that turns up its last card costs `caution` times the points that doubling is
    expected to add, by the own score against what each opponent will have after the last turn (`last` points better,
    give or take `spread`), and is worth `hurry` points. Where that is too dear it stalls, with the last card face down,
    by exchanging open cards, up to `patience` turns a player in a round. Else as greedy (`least`, `turn`, `same`).
    """
    if view.decision == OPEN_DECISION:
        return opening(view, params.same)
    card = card_at_hand(view)
    scores = known_gains(view, card, params.turn)
    if count_bits(view.hidden_cells[view.seat]) == 1 and view.ending == NONE and is_patient(view, params.patience):
        forecast = new_forecasts()
        fill_forecasts(view, params.last, params.spread, forecast)
        charge_for_ending(view, card, scores, forecast, params.caution, params.hurry)
    return answer(view, scores, params.least)


@strategy(least=3, turn=0.1, same=0, weight=0.7, crowd=0.5)
def spoiler(view, params):
    """Minds what it leaves on the discard pile: takes off each move `weight` times the gain, over `least`, that the
    next player has from the card discarded; with each further opponent that counts `crowd` times as much. Takes the
    discard for what it gains and keeps from the next player. Else as greedy (`least`, `turn`, `same`).
    """
    if view.decision == OPEN_DECISION:
        return opening(view, params.same)
    card = card_at_hand(view)
    scores = known_gains(view, card, params.turn)
    weight = params.weight * params.crowd ** (view.players - 2)
    charge_for_gifts(view, card, scores, gifts(view, params.least), weight)
    return answer(view, scores, params.least)


@strategy(least=3, turn=0.1, same=0, hidden=4, hurry=2, delay=4, patience=30)
def survivor(view, params):
    """Plays by the standings of the whole game: looks at the totals if it ends the round now, its own doubling among
    them, each face-down card at `hidden` points. Where one of these reaches the target, to turn up its last card is
    worth `hurry` points if it is first then and costs `delay` points if it is not, up to `patience` turns a player in
    a round. Else as greedy (`least`, `turn`, `same`).
    """
    if view.decision == OPEN_DECISION:
        return opening(view, params.same)
    scores = known_gains(view, card_at_hand(view), params.turn)
    totals = totals_ahead(view, params.hidden)
    if is_last_round(view, totals) and is_patient(view, params.patience):
        favour_ending(view, scores, params.hurry if lead(view, totals) > 0 else -params.delay)
    return answer(view, scores, params.least)


# ---------------------------------------------------------------- counting


@strategy(pace=1, sight=1.5, level=3, relief=0.1, cover=0, eager=0, same=0)
def counting(view, params):
    """Counts cards: weighs the discard against the average, over all unseen cards, of the best use of a draw. A pair in
    a column is worth the chance to see its third card, `sight` cards on offer a turn, in the turns that are left,
    `pace` for each face-down card of the seat with the fewest; a column of cards of 0 or below is never a goal. An open
    card above `level` is expected to lose the excess at the rate `relief` a turn; a face-down card
    counts `cover` more than the average. Takes the discard if it is worth `eager` more than a draw. Does not mind what
    the end of the round brings. `same` above 0: opens two cells of one column, else of two.
    """
    if view.decision == OPEN_DECISION:
        return opening(view, params.same)
    turns = params.pace * _fewest_hidden(view) if view.ending == NONE else 0.0
    odds = new_odds()
    places = new_places()
    fill_chances(view, odds)
    fill_costs(view, odds, params.level, 1.0 - math.exp(-params.relief * turns), params.cover if turns > 0 else 0.0)
    fill_pairs(view, odds, turns, params.sight)
    fill_places(view, view.seat, places)
    return choose_by_score(view, odds, places, NONE, params.eager)


# ---------------------------------------------------------------- all ideas together


@strategy(**json.loads(EXPERT.read_text())["params"])
def expert(view, params):
    """Counts cards as `counting` does (`pace`, `sight`, `level`, `relief`, `cover`, `eager`, `same`), with at least
    `start` turns left and at most `own` for each of its own face-down cards. Takes off a move what it gives to the next
    player: `gift` times what the card saves them over a draw, less with each further opponent by `crowd`. Ends the
    round if that scores more than playing on: its points against those of the others after the last turn (`last` points
    better, give or take `spread`), `caution` times the cost of doubling, `rival` times the points that the others are
    kept from getting rid of, and `hurry` on top; after `patience` turns a player in a round it no longer waits. The
    weights were tuned for two players.
    """
    if view.decision == OPEN_DECISION:
        return opening(view, params.same)
    odds = new_odds()
    places = new_places()
    last = prepare(view, params, odds, places)
    return choose_by_score(view, odds, places, last, params.eager)
