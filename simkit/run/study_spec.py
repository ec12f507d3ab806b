"""What a study asks, as data: the shape of its TOML file, checked key by key. Knows no game.

A study plays *families* of cells. A cell is a choice of rules, players or number of players; all cells of a family are
played on the same deals, by each *line-up* of players in turn, and compared by *contrasts*. What is compared are
*measures*, each with the largest difference that does not matter (its margin).
"""

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from simkit.contract import LARGEST_BEAM, LARGEST_BUDGET, LARGEST_DEALS
from simkit.errors import BadInput
from simkit.rng import MAX_SEED

Deals = Annotated[int, Field(ge=1, le=LARGEST_DEALS)]
Text = Annotated[str, Field(min_length=1)]
Setting = int | str | bool


class Part(BaseModel):
    """Keys that are not named here are refused, and no value is silently converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class LineUp(Part):
    """Who plays: one strategy for all seats, or one for each. `rotate` plays every deal in all rotations of them.

    Without seats, the cells of its families name theirs. known: the game's solver plays, which knows the order of the
    stock. deals: no family is played on more of them, because these players take long.
    """

    name: Text
    label: Text
    seats: list[Text] = []
    rotate: bool = False
    known: bool = False
    deals: Deals | None = None
    quick_deals: Deals | None = None

    @model_validator(mode="after")
    def _consistent(self) -> "LineUp":
        if self.known and (self.seats or self.rotate):
            raise ValueError("known = true takes neither seats nor rotate")
        return self


class Measure(Part):
    """A whole number or a yes/no a game, of which a study reports the mean.

    metric: a name as in the JSON of `simkit run`, of which `seat` picks one, or "each"; or `player`, which picks a
        place in the line-up's list (from 0) and follows that player over the rotations: measured only where a
        line-up rotates.
    column: an outcome column instead. With `at_least`, `at_most` or `equals` the measure is the share of games that
        meet it (games in which the column has no meaning do not). Of a column that every seat has, `over` makes one
        number of the seats' values: their "sum", the "highest", the "lowest", or the "range" between these.
    counted_from: an outcome column that names a seat; `seat` then counts from there, 0 for that seat itself.
    columns: several outcome columns instead, each with its weight; the weighted sum is divided by `divide_by`.
    minus: "fair share" takes one part in the number of players away.
    percent: shown in per cent, differences in percentage points. unit: of other measures. decimals: shown to people.
    known: what a solver tells of it, "solved" (undecided deals make a bracket) or "score" (of the best play found, 0
        for a deal that is not solved); left out, cells in which the stock is known lack the measure.
    compare: whether contrasts are judged; then `margin`, in the measure's own unit (0.01 is one percentage point), is
        the largest difference that does not matter, and `why` says why.
    more, less: what a higher and a lower value are in a designer's words. better: which of them is wished for.
    """

    name: Text
    label: Text
    metric: Text | None = None
    column: Text | None = None
    columns: dict[str, int] = {}
    divide_by: Annotated[int, Field(ge=1)] = 1
    over: Literal["sum", "highest", "lowest", "range"] | None = None
    counted_from: Text | None = None
    seat: Annotated[int, Field(ge=0)] | Literal["each"] | None = None
    player: Annotated[int, Field(ge=0)] | None = None
    at_least: int | None = None
    at_most: int | None = None
    equals: int | None = None
    minus: Literal["fair share"] | None = None
    known: Literal["solved", "score"] | None = None
    percent: bool = False
    unit: str = ""
    decimals: Annotated[int, Field(ge=0, le=6)] = 2
    compare: bool = True
    margin: Annotated[float, Field(ge=0)] | None = None
    why: str = ""
    more: str = "higher"
    less: str = "lower"
    better: Literal["higher", "lower", "nearer zero"] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> "Measure":
        if sum(map(bool, (self.metric, self.column, self.columns))) != 1:
            raise ValueError("needs one of metric, column and columns")
        tests = [test for test in (self.at_least, self.at_most, self.equals) if test is not None]
        if len(tests) > 1 or (tests and self.column is None):
            raise ValueError("takes one of at_least, at_most and equals, with a column")
        if self.player is not None and (self.seat is not None or self.metric is None):
            raise ValueError("player needs a metric and no seat")
        if self.counted_from is not None and (self.seat is None or self.columns):
            raise ValueError("counted_from needs a seat, with a metric or a column")
        if self.over is not None and (self.column is None or self.seat is not None or tests):
            raise ValueError("over needs a column and no seat")
        if self.compare and (self.margin is None or not self.why):
            raise ValueError("needs a margin and a why, or compare = false")
        if self.compare and self.seat == "each":
            raise ValueError('seat = "each" needs compare = false')
        return self


class Cell(Part):
    """One variant. What is left out is as the family, the line-up and the study have it.

    known: the game's solver plays, which knows the order of the stock. deals: fewer than its family's, because its
    games take long; comparisons are made on the deals that cells have in common. group: cells of a group share a panel
    of a chart.
    """

    name: Text
    label: Text
    rules: dict[str, Setting] = {}
    players: int | None = None
    seats: list[Text] | None = None
    known: bool = False
    deals: Deals | None = None
    quick_deals: Deals | None = None
    group: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> "Cell":
        if self.known and self.seats:
            raise ValueError("known = true takes no seats")
        return self


class Weights(Part):
    """A contrast of named cells: their means, weighted; the weights add up to 0."""

    name: Text
    label: Text
    weights: dict[str, float]


class Factor(Part):
    """Something that is done or not done to the rules, in every combination with the other factors."""

    name: Text
    label: Text
    done: dict[str, Setting]
    not_done: dict[str, Setting] = {}


class Curve(Part):
    """One thing varied over levels: the option `rule`, the strategies `seats` (texts with {level}), or `players`."""

    name: Text
    label: Text
    levels: Annotated[list[Setting | float], Field(min_length=2)]
    reference: Setting | float
    rule: Text | None = None
    seats: list[Text] | None = None
    players: Literal[True] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> "Curve":
        if sum(given is not None for given in (self.rule, self.seats, self.players)) != 1:
            raise ValueError("needs one of rule, seats and players = true")
        if self.seats is not None and not any("{level}" in seat for seat in self.seats):
            raise ValueError("seats needs {level} in one of the texts")
        if len(set(map(str, self.levels))) < len(self.levels):
            raise ValueError("levels must differ")
        if self.reference not in self.levels:
            raise ValueError(f"reference {self.reference} is none of the levels")
        return self


class Family(Part):
    """Cells that are played on the same deals and compared: a list of `cell`s, a full factorial over `factor`s with
    the wanted `effects`, or `curve`s.

    lineups: names, all if left out. `quick_deals`: a tenth if left out. rules: for all cells. `contrast`: of cells;
    left out, each cell against the first. none: what the cell without any factor is called. axis: what the levels of
    the curves are. histograms: outcome columns whose distribution is kept for every cell.
    survival: whether it is kept how long games live, and how they end (solitaires). endings: names of a game's tables
    of how lost games ended (see `simkit.contract.EndingTable`). chart: what the main chart shows, the contrasts
    (together with those of other families, or along curves), or the cells' own figures, a colour for each line-up.
    """

    name: Text
    label: Text
    deals: Deals
    quick_deals: Deals | None = None
    lineups: list[Text] | None = None
    rules: dict[str, Setting] = {}
    histograms: list[Text] = []
    survival: bool = False
    endings: list[Text] = []
    chart: Literal["differences", "estimates"] = "differences"
    cell: list[Cell] = []
    contrast: list[Weights] = []
    factor: Annotated[list[Factor], Field(max_length=8)] = []
    effects: list[Literal["main", "interaction", "whole"]] = ["main", "interaction", "whole"]
    none: Text = "none"
    curve: list[Curve] = []
    axis: Text = "level"

    @model_validator(mode="after")
    def _consistent(self) -> "Family":
        if sum(bool(given) for given in (self.cell, self.factor, self.curve)) != 1:
            raise ValueError("needs one of cell, factor and curve")
        for key in ("cell", "contrast", "factor", "curve"):
            _unique(key, getattr(self, key))
        names = [cell.name for cell in self.cell]
        for contrast in self.contrast:
            _known(f"contrast {contrast.name}: weights", contrast.weights, names)
            if not any(contrast.weights.values()) or sum(contrast.weights.values()) != 0:
                raise ValueError(f"contrast {contrast.name}: the weights must add up to 0 and not all be 0")
        return self

    @property
    def design(self) -> str:
        """ "cells", "factorial" or "curves"."""
        return "cells" if self.cell else "factorial" if self.factor else "curves"


class Solver(Part):
    """How much effort a game's solver spends, as the options of `simkit solve` are."""

    beam: Annotated[int, Field(ge=1, le=LARGEST_BEAM)] = 1000
    budget: Annotated[int, Field(ge=0, le=LARGEST_BUDGET)] = 2_000_000
    best: bool = False


class Fact(Part):
    """Something to be checked rather than assumed: the measure is 0 in every game of the study. `never` is said if it
    is, `otherwise` if not; {games} and {total} are filled in.
    """

    measure: Text
    never: Text
    otherwise: Text


class Question(Part):
    """A question that the report answers in a line: what the contrasts of a family say about some measures.

    contrasts: names of contrasts, or kinds of effect ("main", "interaction"); all if left out. The first line-up
    named gives the figures; what the others say is told after it.
    tell: instead of contrasts, the "cells" own figures, "survival" (when games are lost), or an ending table's name.
    """

    ask: Text
    family: Text
    measures: list[Text] = []
    contrasts: list[Text] | None = None
    lineups: list[Text] | None = None
    tell: Text = "contrasts"

    @model_validator(mode="after")
    def _consistent(self) -> "Question":
        if self.tell in ("contrasts", "cells") and not self.measures:
            raise ValueError("measures: needs at least one")
        return self


class Study(Part):
    """A whole study."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
    title: Text
    about: Text
    game: Text
    players: int
    preset: Literal["seed", "official"] = "seed"
    level: Annotated[float, Field(ge=0.5, lt=1)] = 0.95
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] | None = None
    lineup: Annotated[list[LineUp], Field(min_length=1)]
    measure: Annotated[list[Measure], Field(min_length=1)]
    family: Annotated[list[Family], Field(min_length=1)]
    question: list[Question] = []
    fact: list[Fact] = []
    solver: Solver = Solver()

    @model_validator(mode="after")
    def _consistent(self) -> "Study":
        for key in ("lineup", "measure", "family"):
            _unique(key, getattr(self, key))
        lineups, measures, families = ([one.name for one in many] for many in (self.lineup, self.measure, self.family))
        for family in self.family:
            _known(f"family {family.name}: lineups", family.lineups or [], lineups)
            self._check_seats(family)
        for fact in self.fact:
            _known("fact: measure", [fact.measure], measures)
        compared = [measure.name for measure in self.measure if measure.compare]
        for question in self.question:
            place = f"question {question.ask!r}"
            _known(f"{place}: family", [question.family], families)
            _known(f"{place}: measures", question.measures, compared)
            _known(f"{place}: lineups", question.lineups or [], lineups)
            (family,) = (family for family in self.family if family.name == question.family)
            kept = ["survival"] * family.survival + family.endings
            _known(f"{place}: tell", [question.tell], ["contrasts", "cells", *kept])
        return self

    def _check_seats(self, family: Family) -> None:
        """Raise ValueError for a line-up without players that meets a cell without players."""
        players = [cell.known or cell.seats for cell in family.cell] + [curve.seats for curve in family.curve]
        named = bool(players) and all(players)
        for lineup in self.lineup:
            meets = family.lineups is None or lineup.name in family.lineups
            if meets and not (named or lineup.seats or lineup.known):
                raise ValueError(f"line-up {lineup.name}: needs seats for the cells of family {family.name}")

    def sized(self, quick: bool, largest: int | None) -> "Study":
        """The study with the deals to play: the quick ones, or so many in the largest family, others in proportion."""
        most = max(_size(family, quick) for family in self.family)

        def resized(part: Any) -> Any:
            if part.deals is None:
                return part
            deals = _size(part, quick)
            return part.model_copy(update={"deals": deals if largest is None else max(1, -(-deals * largest // most))})

        families = [
            resized(family).model_copy(update={"cell": [resized(cell) for cell in family.cell]})
            for family in self.family
        ]
        return self.model_copy(update={"family": families, "lineup": [resized(lineup) for lineup in self.lineup]})


def _size(part: Any, quick: bool) -> int:
    """The deals that a part asks for; of quick ones a tenth if it does not say."""
    return part.quick_deals or max(1, part.deals // 10) if quick else part.deals


def _unique(key: str, parts: list) -> None:
    names = [part.name for part in parts]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{key}: the name {name!r} is given twice")


def _known(key: str, given, allowed: list[str]) -> None:
    for name in given:
        if name not in allowed:
            raise ValueError(f"{key}: got {name!r}, allowed: {', '.join(allowed)}")


def from_file(path: Path) -> Study:
    """The study in a TOML file; raises BadInput, one line with the file and the key."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"{path}: cannot be read: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise BadInput(f"{path}: is not a text file in UTF-8") from problem
    except tomllib.TOMLDecodeError as problem:
        raise BadInput(f"{path}: is not TOML: {problem}") from problem
    return from_data(data, str(path))


def from_data(data: Any, source: str) -> Study:
    """The study that plain data describe; raises BadInput, one line with the source and the key."""
    try:
        return Study.model_validate(data)
    except ValidationError as problem:
        raise BadInput(f"{source}: {_first_error(data, problem)}") from problem


def _first_error(data: Any, problem: ValidationError) -> str:
    """The place in the file, what stands there and what is wrong with it."""
    error = problem.errors(include_url=False)[0]
    key = _place(data, error["loc"])
    said = error["msg"].removeprefix("Value error, ")
    if error["type"] == "missing":
        said = "is missing"
    elif error["type"] == "extra_forbidden":
        said = "is no key that is known here"
    elif not isinstance(error["input"], dict | list | BaseModel):
        said = f"got {error['input']!r}, {said.replace('Input should be', 'allowed:')}"
    return " ".join(f"{key}: {said}".removeprefix(": ").split())


def _place(data: Any, loc: tuple) -> str:
    """`family whole: deals` for ("family", 0, "deals"): entries of lists by their name, or counted from 1."""
    words: list[str] = []
    for part in loc:
        if isinstance(part, int) and isinstance(data, list):
            data = data[part]
            named = data.get("name") if isinstance(data, dict) else None
            words[-1] += f" {named}" if isinstance(named, str) else f" {part + 1}"
        elif isinstance(data, dict):
            words.append(str(part))
            data = data.get(part)
    return ": ".join(words)
