"""Formulations: the same accelerations from all, and operations of arms beside published ones."""

from random import Random

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.mechanism.formulations.formulation import FORMULATIONS, formulation
from acausal.mechanism.functions.tree_functions import TreeFunctions
from tests.mechanism.random_trees import random_tree

TOLERANCE = 1e-9
"""Of the largest acceleration, at least 1."""


def formulations_agree(random: Random) -> None:
    """Accelerations of a random tree at a random state, with random efforts."""
    made = random_tree(random, most=5)
    rng = np.random.default_rng(random.getrandbits(32))
    q = made.configuration(rng)
    v, tau = rng.normal(size=(2, len(made.tree.velocities)))
    found = {name: formulation(made.tree, name).accelerations(q, v, tau) for name in FORMULATIONS}
    largest = max(1.0, float(np.abs(found["mbsdir"]).max()))
    for name, accelerations in found.items():
        error = float(np.abs(accelerations - found["mbsdir"]).max()) / largest
        assert error < TOLERANCE, f"{name}: {error:.1e}"
    np.testing.assert_allclose(TreeFunctions(made.tree).inverse_dynamics(q, v, found["explicit"]), tau, atol=1e-8)


@pytest.mark.parametrize("number", range(2))
def test_formulations_agree(number: int) -> None:
    """`tests/long` has 50 trees."""
    formulations_agree(Random(f"formulations {number}"))


def test_a_name_that_is_none() -> None:
    with pytest.raises(UsageError, match="formulations: explicit, recursive, absolute, mbsdir, mbsinv"):
        formulation(random_tree(Random("name")).tree, "lagrange")
