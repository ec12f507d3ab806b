"""The studies that come with the package, one TOML file each; `simkit.run.study_spec` says what such a file holds."""

from pathlib import Path

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The names of the built-in studies."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def path(name: str) -> Path | None:
    """The file of a built-in study, None if there is none of that name."""
    return FOLDER / f"{name}.toml" if name in names() else None
