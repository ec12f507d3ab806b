"""Two-level factorial designs: every combination of some rule options, and the contrasts among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np


@dataclass(frozen=True)
class Effect:
    """One contrast among the cells of a design.

    name: the factors it is about: one for a main effect, two for an interaction, all for the whole.
    kind: 'main', 'interaction' or 'whole'.
    weights: shape (cells,), float64, adding up to 0; the effect is weights @ the cells' means.
    """

    name: tuple[str, ...]
    kind: str
    weights: np.ndarray


@dataclass(frozen=True)
class Factorial:
    """A full two-level design.

    factors: k names. cells: 2^k tuples of k bools (which factors are present), in standard (Yates)
    order: the first factor changes fastest, from none to all. effects: as factorial() orders them.
    """

    factors: tuple[str, ...]
    cells: tuple[tuple[bool, ...], ...]
    effects: tuple[Effect, ...]


def factorial(factors: Sequence[str]) -> Factorial:
    """The 2^k cells of the named factors, with their main effects, two-way interactions and the whole.

    main: mean of the cells with A minus mean of the cells without it; weights +-1 / 2^(k-1).
    interaction: the effect of A where B is present minus the effect of A where B is absent, each
        averaged over the other factors; weights +-1 / 2^(k-2). (Box, Hunter & Hunter halve this, so that
        it has a main effect's weights; here it is in the units of the effect that it changes.)
    whole: the cell with all factors minus the cell with none. Left out with a single factor, where it
        is the main effect: the same test must not count twice in a family.

    Raises ValueError for no factors or a name given twice.
    Source: Box, Hunter & Hunter (2005), Statistics for Experimenters, 2nd ed., ch. 5.
    """
    names = tuple(factors)
    if not names or len(set(names)) != len(names):
        raise ValueError(f"a design needs factors of different names, not {names}")
    k = len(names)
    cells = tuple(cell[::-1] for cell in product((False, True), repeat=k))
    signs = np.where(np.array(cells), 1.0, -1.0)  # (cells, k)
    effects = [Effect((a,), "main", signs[:, i] / 2 ** (k - 1)) for i, a in enumerate(names)]
    for i, j in combinations(range(k), 2):
        weights = signs[:, i] * signs[:, j] / 2 ** (k - 2)
        effects.append(Effect((names[i], names[j]), "interaction", weights))
    if k > 1:
        ends = np.zeros(len(cells))
        ends[0], ends[-1] = -1.0, 1.0
        effects.append(Effect(names, "whole", ends))
    return Factorial(names, cells, tuple(effects))
