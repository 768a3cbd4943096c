"""Matrices that are badly scaled but regular, and matrices that are nearly singular."""

from fractions import Fraction

import numpy as np
import pytest

from acausal.structure.regular import rows_stay_regular, stays_regular


def tableau(g: float, leak: float) -> np.ndarray:
    """v1 - v2 = u, i = g u, j = leak v1, i + j = 0, -i = J in v1, v2, u, i, j."""
    rows = [[1, -1, -1, 0, 0], [0, 0, g, -1, 0], [leak, 0, 0, 0, -1], [0, 0, 0, 1, 1], [0, 0, 0, -1, 0]]
    return np.array(rows, dtype=float)


@pytest.mark.parametrize("leak", [1e-6, 1e-9, 1e-12, 1e-15])
def test_a_small_conductance_to_ground_determines_a_floating_part(leak: float) -> None:
    """Its determinant is the product g*leak, which no change by a few per cent makes zero."""
    assert stays_regular(tableau(23.8, leak), 1e-2)


def test_the_balance_of_potentials_hides_it() -> None:
    """[[g + e, -g], [-g, g]] has the determinant g e: a change of one entry by a share e/g makes it 0."""
    g, e = 23.8, 1e-9
    nodal = np.array([[g + e, -g], [-g, g]])
    assert stays_regular(nodal, float(Fraction(e) / Fraction(g)) / 10)
    assert not stays_regular(nodal, float(Fraction(e) / Fraction(g)) * 2)


@pytest.mark.parametrize("angle", [1e-3, 1e-5, 1e-7])
def test_almost_parallel_directions(angle: float) -> None:
    """Two directions an angle apart: relative changes of that size make them parallel, much smaller ones do not."""
    matrix = np.array([[np.cos(0.3), np.sin(0.3)], [np.cos(0.3 + angle), np.sin(0.3 + angle)]])
    assert stays_regular(matrix, angle / 10)
    assert not stays_regular(matrix, angle * 4)


@pytest.mark.parametrize("seed", range(20))
def test_scales_of_rows_and_columns_do_not_matter(seed: int) -> None:
    random = np.random.default_rng(seed)
    matrix = random.uniform(-1, 1, (6, 6))
    scaled = matrix * 10.0 ** random.uniform(-8, 8, (6, 1)) * 10.0 ** random.uniform(-8, 8, 6)
    assert stays_regular(matrix, 1e-5)
    assert stays_regular(scaled, 1e-5)


def test_singular_matrices() -> None:
    assert not stays_regular(np.array([[1.0, 2.0], [2.0, 4.0]]), 1e-13)
    assert not stays_regular(np.array([[0.1, 0.3], [0.2, 0.6]]), 1e-13)
    assert not stays_regular(np.zeros((2, 2)), 1e-13)
    assert not stays_regular(np.array([[1.0, np.nan], [0.0, 1.0]]), 1e-13)


def test_rows_of_entries() -> None:
    assert rows_stay_regular([{0: 0.5}, {0: 1.0, 1: 1e-12}], 2, 1e-2)
    assert not rows_stay_regular([{0: 0.5}, {0: 1.0}], 2, 1e-2)
    assert not rows_stay_regular([{0: 0.5}], 2, 1e-2)
