"""A transcript as a text that a person reads, by the templates in the game's `state.NARRATION`."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from simkit.contract import Game

WIDTH = 78


def narrate(game: Game, events: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Lines of text for one game.

    `NARRATION` maps an event to a template for `str.format`; "event:value" is preferred where one of the event's
    fields named in `NARRATION_KEYS` has that value. An event without a template is passed over. The deal, card by
    card in the transcript, is told as one line a seat.
    """
    state = game.part("state")
    for is_deal, group in groupby(events, lambda event: event.get("reason") == "deal"):
        for event in _hands(group) if is_deal else group:
            if event["event"] == "setup":
                yield from _setup(game, event)
            elif event["event"] == "outcome":
                yield from _outcome(game, event)
            elif template := _template(state.NARRATION, state.NARRATION_KEYS, event):
                yield template.format_map({key: _words(value) for key, value in event.items()})


def _hands(deal: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The draws of the deal, put together to one for each seat."""
    hands: dict[int, dict[str, Any]] = {}
    for event in deal:
        hand = hands.setdefault(event["seat"], {**event, "cards": []})
        hand["cards"] += event["cards"]
    yield from hands.values()


def _template(templates: dict[str, str], keys: tuple[str, ...], event: dict[str, Any]) -> str | None:
    for key in keys:
        special = f"{event['event']}:{_words(event.get(key))}"
        if special in templates:
            return templates[special]
    return templates.get(event["event"])


def _words(value: Any) -> Any:
    """A field for a template: lists become words with blanks between them, lists in a list cells like (2, 0)."""
    if isinstance(value, list):
        return (
            " ".join(f"({', '.join(map(str, item))})" if isinstance(item, list) else str(item) for item in value)
            or "none"
        )
    return str(value).lower() if isinstance(value, bool) else value


def _setup(game: Game, event: dict[str, Any]) -> Iterator[str]:
    title = f"{game.title}, game {event['index']} of seed {event['seed']}"
    yield title
    yield "=" * len(title)
    usual = game.rules(event["players"])
    changed = [f"{name}={value}" for name, value in event["rules"].items() if value != usual[name]]
    if changed:
        yield f"rules: {', '.join(changed)}"
    if game.seats:
        yield from (f"seat {seat}: {name}" for seat, name in enumerate(event["strategies"]))
    else:
        yield f"player: {event['strategies'][0]}"


def _outcome(game: Game, event: dict[str, Any]) -> Iterator[str]:
    yield ""
    winner = event.get("winner")
    how = event["status"].replace("_", " ")
    yield f"{how}: seat {winner}" if winner is not None and winner >= 0 else how
    rest = [
        f"{column.name.replace('_', ' ')} {_words(event[column.name])}"
        for column in game.columns
        if not column.per_seat and column.name not in ("winner", "status") and event[column.name] is not None
    ]
    yield from _wrapped(rest)
    for seat, columns in enumerate(event.get("seats", [])):
        yield f"seat {seat}: " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in columns.items())
    yield ""


def _wrapped(parts: list[str]) -> Iterator[str]:
    line = ""
    for part in parts:
        if line and len(line) + len(part) + 2 > WIDTH:
            yield line + ","
            line = part
        else:
            line = f"{line}, {part}" if line else part
    if line:
        yield line
