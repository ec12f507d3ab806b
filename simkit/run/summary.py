"""From a tally to metrics: estimates with intervals, as a tidy list."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from simkit.run.measures import QUANTILES
from simkit.run.spec import RunSpec
from simkit.run.tally import Quantity, Tally
from simkit.stats import Estimate, proportion, quantile, ratio


@dataclass(frozen=True)
class Metric:
    """One line of a run's report. `n` counts deals; `rate` and `label` say how people want to see it."""

    metric: str
    seat: int | None
    strategy: str | None
    estimate: float
    ci_low: float | None
    ci_high: float | None
    level: float
    n: int
    rate: bool = False
    label: bool = False

    def as_data(self) -> dict[str, Any]:
        """The fields that INTERFACE names, in its order."""
        data = asdict(self)
        del data["rate"], data["label"]
        return data


def metrics(spec: RunSpec, quantities: list[Quantity], tally: Tally) -> list[Metric]:
    """All metrics of a run, those that no deal gives a meaning left out; the bracket only where games are undecided."""
    found = []
    undecided = any(
        tally.sums[0, i] for i, quantity in enumerate(quantities) if quantity.measure.metric == "undecided_rate"
    )
    for i, quantity in enumerate(quantities):
        name = quantity.measure.metric
        estimate = _estimate(spec, quantity, tally, i)
        if estimate.value is None or (name == "win_share_high" and not undecided):
            continue
        found.append(_metric(name, quantity, estimate))
        if name == "win_share" and undecided:
            found.append(_metric("win_share_low", quantity, estimate))
        if name == "win_share" and spec.rotate and quantity.seat is not None:
            found.append(_advantage(spec, quantity, estimate))
    return found + _quantiles(spec, tally)


def _metric(name: str, quantity: Quantity, estimate: Estimate) -> Metric:
    measure = quantity.measure
    return Metric(
        name,
        quantity.seat,
        quantity.strategy,
        estimate.value,
        estimate.low,
        estimate.high,
        estimate.level,
        estimate.n,
        measure.rate,
        measure.label,
    )


def _estimate(spec: RunSpec, quantity: Quantity, tally: Tally, i: int) -> Estimate:
    estimator = proportion if quantity.measure.rate else ratio
    return estimator(tally.deals[i], *tally.sums[:, i], scale=quantity.measure.scale, level=spec.level)


def _advantage(spec: RunSpec, quantity: Quantity, share: Estimate) -> Metric:
    """A seat's share of the wins less its fair share."""
    fair = 1 / spec.players
    low, high = (None if end is None else end - fair for end in (share.low, share.high))
    return _metric("seat_advantage", quantity, Estimate(share.value - fair, low, high, share.level, share.n))


def _quantiles(spec: RunSpec, tally: Tally) -> list[Metric]:
    values = np.array(sorted(tally.lengths), np.int64)
    counts = np.array([tally.lengths[value] for value in values.tolist()], np.int64)
    found = []
    for percent in QUANTILES if tally.played else ():
        estimate = quantile(values, counts, percent / 100, spec.level, deals=tally.played)
        name = f"p{percent}_{spec.game.length}"
        found.append(Metric(name, None, None, estimate.value, estimate.low, estimate.high, spec.level, tally.played))
    return found
