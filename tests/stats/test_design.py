"""Two-level factorial designs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.stats import factorial

NAMES = ("jokers", "stock", "mulligan", "skip", "steal")


def test_two_factors_by_hand():
    design = factorial(["a", "b"])
    assert design.cells == ((False, False), (True, False), (False, True), (True, True))
    # means of (1), a, b, ab
    assert [(e.name, e.kind, float(e.weights @ [10.0, 13.0, 20.0, 28.0])) for e in design.effects] == [
        (("a",), "main", 5.5),  # (3 + 8) / 2
        (("b",), "main", 12.5),  # (10 + 15) / 2
        (("a", "b"), "interaction", 5.0),  # 8 - 3
        (("a", "b"), "whole", 18.0),  # 28 - 10
    ]


def test_a_single_factor_has_one_effect():
    (effect,) = factorial(["a"]).effects
    assert (effect.kind, effect.weights.tolist()) == ("main", [-1.0, 1.0])


@given(st.integers(2, 5), st.lists(st.integers(-9, 9), min_size=15, max_size=15))
def test_effects_of_a_known_world_are_recovered(k, sizes):
    """Means made of main effects and two-way interactions, in these units, give them back."""
    design = factorial(NAMES[:k])
    main, pairs = sizes[:k], iter(sizes[5:])
    between = {(i, j): next(pairs) for i in range(k) for j in range(i + 1, k)}
    half = np.array(design.cells) - 0.5
    means = half @ main + sum(size * half[:, i] * half[:, j] for (i, j), size in between.items())
    found = {(e.kind, e.name): float(e.weights @ means) for e in design.effects}
    for i in range(k):
        assert found["main", (NAMES[i],)] == pytest.approx(main[i])
    for (i, j), size in between.items():
        assert found["interaction", (NAMES[i], NAMES[j])] == pytest.approx(size)
    assert found["whole", NAMES[:k]] == pytest.approx(means[-1] - means[0])


def test_interaction_is_a_change_of_effect_averaged_over_the_rest():
    design = factorial(NAMES[:3])
    means = dict(zip(design.cells, np.random.default_rng(8).random(8), strict=True))
    changes = [
        (means[True, b_on, c] - means[False, b_on, c]) * (1 if b_on else -1)
        for b_on in (True, False)
        for c in (True, False)
    ]
    interaction = next(e for e in design.effects if e.name == NAMES[:2])
    assert interaction.weights @ list(means.values()) == pytest.approx(sum(changes) / 2)


@pytest.mark.parametrize("k", range(1, 7))
def test_weights_ignore_the_level_and_effects_are_orthogonal(k):
    design = factorial([f"option {i}" for i in range(k)])
    weights = np.array([effect.weights for effect in design.effects if effect.kind != "whole"])
    assert len(set(design.cells)) == len(design.cells) == 2**k
    assert len(weights) == k + k * (k - 1) // 2
    assert (weights.sum(axis=1) == 0).all()
    products = weights @ weights.T
    assert (products == np.diag(np.diag(products))).all()


@pytest.mark.parametrize("names", [(), ("a", "a")])
def test_factors_need_different_names(names):
    with pytest.raises(ValueError):
        factorial(names)
