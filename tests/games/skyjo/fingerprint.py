"""A strategy that picks its action by a hash over every field of the view.

Engines whose views differ anywhere part ways within a few decisions, so games played by it compare all views.
"""


def choose(view, params):
    """Mix all fields, the unused places too, into one number; its remainder is the answer."""
    mixed = 17
    for value in (
        view.decision,
        view.n_actions,
        view.n_exchanges,
        view.card,
        view.players,
        view.seat,
        view.discard_top,
        view.discard_size,
        view.unseen_cards,
        view.unseen_sum,
        view.draw_pile,
        view.reshuffles,
        view.round,
        view.turn,
        view.starter,
        view.ending,
    ):
        mixed = (mixed * 31 + value) % 1000003
    rules = view.rules
    for value in (
        rules.next_starter,
        rules.reveal_after_reject,
        rules.double_on_tie,
        rules.double_nonpositive,
        rules.column_rule,
        rules.column_at_final_reveal,
        rules.column_discard,
        rules.open_cells,
        rules.first_starter_tie,
        rules.final_turns,
        rules.draw_empty,
        rules.target,
        rules.rounds,
        rules.multiplier,
        rules.max_turns,
        rules.max_rounds,
    ):
        mixed = (mixed * 31 + value) % 1000003
    stream = view.stream
    for word in (stream.block, stream.used, stream.key[0], stream.key[1], stream.upper[0], stream.upper[1]):
        mixed = (mixed * 31 + word) % 1000003
    for i in range(8):
        mixed = (mixed * 31 + stream.words[i]) % 1000003
    for i in range(25):
        action = view.actions[i]
        mixed = (mixed * 31 + action.kind + 7 * action.cell) % 1000003
        mixed = (mixed * 31 + action.spare0 + 2 * action.spare1 + 3 * action.spare2) % 1000003
        mixed = (mixed * 31 + action.spare3 + 2 * action.spare4 + 3 * action.spare5) % 1000003
    for place in range(15):
        mixed = (mixed * 31 + view.discard[place] + 151 * view.unseen[place]) % 1000003
    for seat in range(8):
        mixed = (mixed * 31 + view.hidden_cells[seat] + 5 * view.open_cells[seat]) % 1000003
        mixed = (mixed * 31 + view.showing[seat] + 5 * view.open_sum[seat]) % 1000003
        mixed = (mixed * 31 + view.totals[seat] + 7 * view.ended[seat]) % 1000003
        for cell in range(12):
            mixed = (mixed * 31 + view.open_values[seat, cell]) % 1000003
        for place in range(15):
            mixed = (mixed * 31 + view.cells_of[seat, place]) % 1000003
    return mixed % view.n_actions
