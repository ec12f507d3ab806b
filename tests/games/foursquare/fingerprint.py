"""A strategy that picks its placement by a hash over every field of the view, so that views are compared as well."""


def choose(view, params):
    """Mix all fields, the unused places too, into one number; its remainder is the answer."""
    mixed = 17
    for value in (
        view.n_actions,
        view.card,
        view.occupied,
        view.face_down,
        view.full,
        view.first_row,
        view.last_row,
        view.first_col,
        view.last_col,
        view.placed,
        view.stock,
        view.rules.max_rank,
        view.rules.suits,
    ):
        mixed = (mixed * 31 + value) % 1000003
    stream = view.stream
    for word in (stream.block, stream.used, stream.key[0], stream.key[1], stream.upper[0], stream.upper[1]):
        mixed = (mixed * 31 + word) % 1000003
    for i in range(49):
        action = view.actions[i]
        mixed = (mixed * 31 + action.row + 7 * action.col + 11 * action.on + 13 * action.cell) % 1000003
    for cell in range(64):
        mixed = (mixed * 31 + view.top[cell] + 17 * view.height[cell]) % 1000003
    for line in range(8):
        mixed = (mixed * 31 + view.up_in_row[line] + 3 * view.up_in_col[line]) % 1000003
        mixed = (mixed * 31 + view.all_in_row[line] + 3 * view.all_in_col[line]) % 1000003
    for rank in range(14):
        mixed = (mixed * 31 + view.unseen[rank]) % 1000003
    return mixed % view.n_actions
