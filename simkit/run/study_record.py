"""A study's record: what is needed to play the same games again and write the same bytes."""

from collections.abc import Sequence
from typing import Any

from simkit.errors import BadInput
from simkit.run.provenance import provenance
from simkit.run.study import StudyResult
from simkit.run.study_spec import Study, from_data


def record(result: StudyResult, command: Sequence[str]) -> dict[str, Any]:
    """Versions, sources, strategies, the whole study as it was played, and how far it came."""
    strategies = [seat for one in result.played for cell in one.experiment.cells for seat in cell.seats]
    return {
        **provenance(command, strategies),
        "study": result.study.model_dump(),
        "seed": result.seed,
        "played": [
            {
                "family": one.experiment.family.name,
                "lineup": one.experiment.lineup.name,
                "deals": one.counters.deals,
            }
            for one in result.played
        ],
        "games": result.games,
        "complete": result.complete,
        "seconds": round(result.seconds, 3),
    }


def from_record(data: dict[str, Any], source: str) -> tuple[Study, int, list[int]]:
    """The study, its seed, and the deals that were played in each experiment; raises BadInput."""
    if "study" not in data:
        raise BadInput(f"--from: {source} is no record of a study (a run's goes to `simkit run --from`)")
    study = from_data(data["study"], source)
    try:
        return study, int(data["seed"]), [int(row["deals"]) for row in data["played"]]
    except (KeyError, TypeError, ValueError) as problem:
        raise BadInput(f"--from: {source} cannot be read: {type(problem).__name__} {problem}") from problem
