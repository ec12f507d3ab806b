"""A strategy that picks its action by a hash over every field of the view.

Engines whose views differ anywhere part ways within a few decisions, so games played by it compare all views.
"""


def choose(view, params):
    """Mix all fields, the unused places too, into one number; its remainder is the answer."""
    mixed = 17
    for value in (
        view.decision,
        view.n_actions,
        view.n_plays,
        view.n_action_cards,
        view.holding,
        view.players,
        view.seat,
        view.active,
        view.direction,
        view.turn,
        view.plays,
        view.skips,
        view.draw_pile,
        view.removed,
        view.reshuffles,
        view.rules.hand_size,
        view.rules.steal_chip,
    ):
        mixed = (mixed * 31 + value) % 1000003
    stream = view.stream
    for word in (stream.block, stream.used, stream.key[0], stream.key[1], stream.upper[0], stream.upper[1]):
        mixed = (mixed * 31 + word) % 1000003
    for i in range(98):
        action = view.actions[i]
        mixed = (mixed * 31 + action.kind + 7 * action.card + 11 * action.source) % 1000003
        mixed = (mixed * 31 + action.value + 7 * action.color + 11 * action.target + 13 * action.code) % 1000003
    for card in range(17):
        mixed = (mixed * 31 + view.hand[card] + 5 * view.visible[card] + 7 * view.deck[card]) % 1000003
    for color in range(2):
        mixed = (mixed * 31 + view.supply[color] + 5 * view.needs[color] + 7 * view.piles[color]) % 1000003
        for pile in range(4):
            mixed = (mixed * 31 + view.heights[color, pile] + 7 * view.wild_spots[color, pile]) % 1000003
    for seat in range(6):
        mixed = (mixed * 31 + view.turns_to_lose[seat] + 5 * view.hand_sizes[seat]) % 1000003
        mixed = (mixed * 31 + view.discard_tops[seat] + 5 * view.discard_sizes[seat]) % 1000003
        mixed = (mixed * 31 + view.chips[seat, 0] + 5 * view.chips[seat, 1]) % 1000003
        for i in range(153):
            mixed = (mixed * 31 + view.discards[seat, i]) % 1000003
    return mixed % view.n_actions
