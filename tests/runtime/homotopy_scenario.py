"""Calls of kernels that find solutions from afar: all ways, false solutions, and more equations than unknowns."""

from typing import Any

import numpy as np

from acausal.codegen.numpy.numpy_homotopy import decompose
from acausal.runtime.blocks.newton import FREE, HOLD
from acausal.runtime.homotopy.least_squares import minimize_residuals, squares_work
from acausal.runtime.homotopy.solve_start import homotopy_work, solve_start
from acausal.runtime.homotopy.verified_solution import is_verified


def solve_from_afar() -> None:
    """Each pair of equations is solved in another way, or not at all."""
    cases = (
        (caught, [15.0, -2.0]),
        (touching, [1.0, 2.0]),
        (asymptotic, [1.0]),
        (vertex, [0.0]),
    )
    for equations, start in cases:
        for strict in (FREE, HOLD):
            n = len(start)
            arrays = np.array([2.0]), np.array(start), np.ones(n), np.zeros(homotopy_work(n))
            solve_start(n, equations, *arrays, 2, strict, np.zeros(6, dtype=np.int32), decompose)  # type: ignore[arg-type]  # arrays of NumPy
    place = np.array([2.0]), np.array([1e10]), np.ones(1), np.zeros(homotopy_work(1)), np.zeros(6, dtype=np.int32)
    assert not is_verified(1, periodic, *place, decompose)  # type: ignore[arg-type]  # arrays of NumPy
    for rows, equations in ((3, three), (1, one)):
        arrays = np.array([0.3, 0.2]), np.ones(2), np.ones(rows), 20, np.zeros(squares_work(rows, 2))
        minimize_residuals(rows, 2, equations, (), *arrays, np.zeros(6, dtype=np.int32), decompose)  # type: ignore[arg-type]  # arrays of NumPy


def caught(_: Any, x: Any, values: Any) -> None:
    """Newton's method is caught away from (5, 4) (F. Freudenstein, B. Roth, J. ACM 10 (1963) 550)."""
    a, b = x[0], x[1]
    values[:6] = [
        *(-13.0 + a + ((5.0 - b) * b - 2.0) * b, -29.0 + a + ((b + 1.0) * b - 14.0) * b),
        *(1.0, 10.0 * b - 3.0 * b * b - 2.0, 1.0, 3.0 * b * b + 2.0 * b - 14.0),
    ]


def touching(_: Any, x: Any, values: Any) -> None:
    """A circle, and a line that misses it."""
    values[:6] = [x[0] * x[0] + x[1] * x[1] - 1.0, x[0] - x[1] - 3.0, 2.0 * x[0], 2.0 * x[1], 1.0, -1.0]


def asymptotic(c: Any, x: Any, values: Any) -> None:
    """x/(1 + x) = 1, which only an infinite x satisfies."""
    values[:2] = [x[0] / (c[0] - 1.0 + x[0]) - 1.0, (c[0] - 1.0) / (c[0] - 1.0 + x[0]) ** 2]


def periodic(c: Any, x: Any, values: Any) -> None:
    """sin(x) = 2: far away a step to nowhere is a small share of x."""
    values[:2] = [np.sin(x[0]) - c[0], np.cos(x[0])]


def vertex(_: Any, x: Any, values: Any) -> None:
    """A parabola from its vertex."""
    values[:2] = [x[0] * x[0] - 4.0, 2.0 * x[0]]


def three(_: Any, x: Any, values: Any) -> None:
    """More equations than unknowns."""
    values[:9] = [x[0] - 1.0, x[1] - 2.0, x[0] * x[1] - 1.0, 1.0, 0.0, 0.0, 1.0, x[1], x[0]]


def one(_: Any, x: Any, values: Any) -> None:
    """Fewer."""
    values[:3] = [x[0] * x[1] - 1.0, x[1], x[0]]
