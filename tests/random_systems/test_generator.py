"""The generator makes systems of all kinds, and the comparison notices a wrong number."""

from dataclasses import replace
from random import Random

import pytest

from tests.random_systems.check import compare, made
from tests.random_systems.system import Curve, random_system


def test_all_kinds_occur() -> None:
    found = dict.fromkeys(("states", "aliases", "differentiated", "dummy_derivatives"), 0)
    loops = {"linear_blocks": 0, "nonlinear_blocks": 0}
    for number in range(40):
        statistics = made(random_system(Random(f"kinds {number}"))).statistics
        for kind in found:
            found[kind] += bool(statistics[kind])
        for kind in loops:
            loops[kind] += any(before > 1 for before, _ in statistics[kind])  # type: ignore[attr-defined]
    assert min(found.values()) > 10
    assert min(loops.values()) > 5


def test_a_wrong_number_is_noticed() -> None:
    """Each curve in turn with a little more amplitude than the equations have it."""
    noticed = 0
    for number in range(3):
        system = random_system(Random(f"wrong {number}"))
        translation = made(system)
        compare(system, translation)
        for name, curve in system.curves.items():
            other = {**system.curves, name: Curve(curve.a, curve.b + 1e-4, curve.w, curve.p)}
            with pytest.raises(AssertionError):
                compare(replace(system, curves=other), translation)
            noticed += 1
    assert noticed > 10
