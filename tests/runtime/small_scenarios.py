"""Calls of kernels that need no run: linear algebra, Newton's method, inputs."""

import math
from itertools import product
from math import inf
from typing import Any

import numpy as np

from acausal.codegen.numpy.numpy_solvers import least_norm_slopes, least_norm_solution, refined_solution
from acausal.runtime import delays, inputs, poles, rows, state_selection, trig
from acausal.runtime.blocks import band, linear, newton, singular_values
from acausal.runtime.cvode import matrix_sum
from tests.runtime.cvode_scenario import call_as_cvode, newton_content, vector
from tests.runtime.homotopy_scenario import solve_from_afar
from tests.runtime.test_least_norm import constrained

Array = np.ndarray


def solve_linear_systems() -> None:
    """Regular, singular and badly scaled ones."""
    rng = np.random.default_rng(17)
    for n in (1, 2, 3, 5, 8, 3, 4, 2, 6):
        for scale in (1.0, 1e-9, 0.0):
            matrix, right = rng.normal(size=n * n), rng.normal(size=n)
            matrix[-n:] *= scale
            linear.solve_linear(n, matrix.copy(), right.copy())
            factors = np.append(matrix, np.zeros(n + 1))
            linear.factor_linear(n, factors)
            linear.solve_factored(n, factors, right.copy())
            linear.solve_by_lapack(n, matrix, right, np.zeros(n + 3, dtype=np.int32), dgesv)


def dgesv(n: Any, _count: Any, a: Any, _lda: Any, pivots: Any, b: Any, _ldb: Any, info: Any) -> None:
    """LAPACK's solution of a system stored column by column; A keeps its entries."""
    size = int(n[0])
    matrix = np.array(a[: size * size]).reshape(size, size).T
    info[0] = int(np.linalg.matrix_rank(matrix) < size)
    if not info[0]:
        b[:size] = np.linalg.solve(matrix, np.array(b[:size]))
    pivots[:size] = np.arange(1, size + 1)


def solve_redundant_systems() -> None:
    """Mechanisms with redundant constraints, and singular systems without a solution."""
    rng = np.random.default_rng(19)
    for moving, constraints, rank in ((2, 2, 1), (3, 3, 2), (4, 3, 3), (2, 3, 1)):
        matrix, right = constrained(rng, moving, constraints, rank)
        for measured in ([], [moving]):
            reactions = range(moving, moving + constraints)
            given = matrix.ravel().tolist()
            least_norm_solution(given, right.tolist(), reactions, measured)
            part = [*rng.normal(size=matrix.size).tolist(), *right.tolist()]
            least_norm_slopes(given, [*rng.normal(size=len(right)).tolist(), *part, *part], reactions, measured)
        right[-1] += 1.0
        least_norm_solution(matrix.ravel().tolist(), right.tolist(), [moving], [])
    for load in (-1.0, 0.0, 2.0):  # formulas one after the other, of which the first contradicts
        least_norm_solution([0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 1.0, 2.0], [load, 0.0, 3.0], [0, 1, 2], [1, 2])


def decompose_matrices() -> None:
    """Square matrices of full rank, of less, and zero."""
    rng = np.random.default_rng(21)
    for n, rank in ((1, 1), (2, 1), (3, 3), (4, 2), (5, 4), (3, 0)):
        matrix = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, n)) if rank < n else rng.normal(size=(n, n))
        size, room = np.full(1, n, dtype=np.int32), [np.zeros(n * n) for _ in range(3)]
        s, u, v = np.zeros(n), room[0], room[1]
        info = np.ones(1, dtype=np.int32)
        a = matrix.T.ravel().copy()
        singular_values.singular_values(size, size, size, size, a, size, s, u, size, v, size, room[2], size, info)
        left, right = u.reshape(n, n).T, v.reshape(n, n).T
        assert info[0] == 0
        np.testing.assert_allclose(s, np.linalg.svd(matrix, compute_uv=False), atol=1e-13)
        np.testing.assert_allclose(left @ np.diag(s) @ right, matrix, atol=1e-13)
        for basis in (left, right):
            np.testing.assert_allclose(basis @ basis.T, np.eye(n), atol=1e-13)


def solve_badly_scaled_systems() -> None:
    """Rows and columns of all sizes, balances, and singular systems."""
    rng = np.random.default_rng(20)
    for n in (1, 2, 3, 5, 4, 6):
        matrix = rng.normal(size=(n, n)) * 10.0 ** rng.integers(-9, 9, n)
        matrix[0] = rng.choice([-1.0, 0.0, 1.0], n)
        for last in (1.0, 0.0):
            matrix[-1] *= last
            refined_solution(matrix.ravel().tolist(), rng.normal(size=n).tolist())


def solve_bands() -> None:
    """Regular and singular ones, with and without exchanges of rows."""
    rng = np.random.default_rng(20)
    for n, lower, upper in ((1, 0, 0), (4, 1, 1), (6, 2, 1), (9, 1, 3), (12, 3, 2), (7, 0, 2)):
        for weight in (1.0, 20.0, 0.0):
            matrix = rng.normal(size=(n, 2 * lower + upper + 1))
            matrix[:, lower + upper + 1 :] = 0.0
            for i in range(n):
                matrix[i, : max(0, lower - i)] = 0.0
                matrix[i, max(0, n - i + lower) :] = 0.0
            matrix[:, lower] *= weight
            band.solve_band(n, lower, upper, matrix.ravel(), rng.normal(size=n))


def solve_sums() -> None:
    """Diagonal and outer product, with zeros, with cancellation, with noise, and matrices that are none."""
    rng = np.random.default_rng(22)
    for n, share, noise in product((2, 3, 4, 7), (1.0, 0.0), (0.0, 1e-9, 1.0)):
        matrix = np.diag(rng.uniform(0.5, 2.0, n)) + share * np.outer(rng.normal(size=n), rng.normal(size=n))
        content = newton_content(n, jacobian=(matrix + noise * rng.normal(size=(n, n))).ravel())
        content.is_sum = int(matrix_sum.split_sum(content))
        for gamma in (1e-7, 0.4):
            matrix_sum.make_matrix(content, gamma)
            solver = matrix_sum.NewtonSolver(content=content)
            matrix_sum.set_up_sum(solver, 0)
            if content.is_regular:
                matrix_sum.solve_sum(solver, 0, vector(*np.zeros(n)), vector(*rng.normal(size=n)), 0.0)


def judge_states() -> None:
    """Good, nearly bad and bad selections, and numbers that are not finite."""
    rng = np.random.default_rng(21)
    for scale in (1.0, 0.3, 0.1, 1e-9, 0.0, np.nan):
        results = rng.normal(size=1 + 2 * 3 + 1 * 2)
        results[1:7:3] *= scale
        selections = state_selection.StateSelections(
            count=2,
            rows=np.array([2, 1]),
            columns=np.array([3, 2]),
            position=np.array([1, 7]),
            first_weight=np.array([0, 3]),
            weights=np.array([1.0, 0.5, 2.0, 1.0, 1.0]),
            first_dummy=np.array([0, 2]),
            dummies=np.array([0, 2, 1]),
            best=np.zeros(3, dtype=np.int64),
            vectors=np.zeros(state_selection.vectors_size(2, 3)),
        )
        state_selection.judge_selections(results, selections)
        state_selection.selection_indicator(results, selections)


def pass_poles() -> None:
    """x passes zero: the rate 1/x has a pole there, sin(x)/x has none; a rate that cannot be computed."""

    def divisors(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
        out[:2] = y[0] - p[0], y[0]
        return 0

    def rates(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
        out[:2] = 1.0, math.sin(y[0]) / y[0] + u[0] / (y[0] - p[0])
        m[0] += 1.0
        return int(t > 9.0)

    for pole in (0.5, 30.0):
        rooms = {name: np.zeros(2) for name in ("point", "values", "now", "between", "far_rates", "near_rates")}
        watch = poles.PoleWatch(
            count=2,
            states=2,
            memory_size=1,
            divisors=divisors,
            derivatives=rates,
            u=np.array([3.0]),
            p=np.array([pole]),
            m=np.zeros(1),
            has_point=0,
            time=0.0,
            memory_aside=np.zeros(1),
            **rooms,
        )
        found = [poles.passes_pole(watch, t, np.array([t - 0.7, 2.0])) for t in (0.0, 0.3, 1.1, 1.3, 9.0, 32.0)]
        assert found == [False, False, False, pole < 1.0, False, False]


def evaluate_rows() -> None:
    """Rows with values of their own or one for all, and a failure."""

    def said(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
        out[:2] = y[0] + t, u[0] * p[0] + m[0]
        m[0] += 1.0
        return int(t > 3.5)

    for count in (0, 2, 5):
        t, y, u = np.arange(5.0), np.arange(10.0), np.arange(5.0) / 3
        done, m, start = np.zeros(1, dtype=np.int64), np.zeros(1), np.array([0.25])
        rows.evaluate_rows(said, count, t, y, 2, u, 1, np.array([7.0]), 0, start, m, 1, np.zeros(10), 2, done)
        starts, p = np.array([0.5, 0.5, 2.0, 2.0, 0.1]), np.array([7.0])
        for done[0] in (0, 2):
            rows.variables_many(count, t, y, u, p, m, np.zeros(10), done, starts, said, 2, 1, 1, 2)
        rows.nothing(0.0, y, u, p, m, start)
        rows.call_bound(rows.BoundRoutine(t=0.5, routine=said, y=y, u=u, p=p, m=m, out=np.zeros(10)))


def solve_nonlinear_systems() -> None:
    """x**3 + c*x = r for each unknown and its neighbour, near solutions and far from them."""
    rng = np.random.default_rng(18)
    for n in (1, 2, 3, 1, 2, 4):
        for far in (1e-9, 0.1, 30.0):
            for strict in (newton.FREE, newton.CONTRACTING, newton.HOLD, newton.VERIFY):
                solution = rng.normal(size=n)
                captured = solution**3 + np.roll(solution, 1)
                x, work = solution + far * rng.normal(size=n), np.zeros(n * (2 * n + 5))
                newton.solve_newton(n, cubic, captured, x, np.full(n, 0.1), work, newton.ITERATIONS, strict)
    for start in (4999.99906700251, 5000.0025152783):
        x, work = np.array([start]), np.zeros(7)
        newton.solve_newton(1, flat, np.array([0.99999998]), x, np.ones(1), work, newton.ITERATIONS, newton.FREE)


def flat(captured: Any, x: Any, values: Any) -> None:
    """x/sqrt(1 + x^2) - c, whose rounding errors hide the solution, and its derivative."""
    root = np.sqrt(1.0 + x[0] * x[0])
    values[:2] = x[0] / root - captured[0], 1.0 / root - x[0] * x[0] / root**3


def cubic(captured: Any, x: Any, values: Any) -> None:
    """Residuals and their Jacobian."""
    n = len(captured)
    jacobian = np.diag(3 * np.asarray(x[:n]) ** 2)
    jacobian[np.arange(n), np.arange(n) - 1] += 1.0
    values[:n] = np.asarray(x[:n]) ** 3 + np.roll(x[:n], 1) - captured
    values[n : n + n * n] = jacobian.ravel()


def evaluate_inputs() -> None:
    """Inputs of all kinds, one behind another frozen value."""

    def said(t: float, *arrays: Any) -> int:
        arrays[-1][:] = [t + i for i in range(len(arrays[-1]))]
        return int(t > 2.5)

    def host(t: float, values: Any) -> int:
        values[:] = -t
        return int(t == 2.0)

    kinds = (inputs.CONSTANT, inputs.EXPRESSION, inputs.TABLE, inputs.TABLE, inputs.FUNCTION, inputs.TABLE)
    kinds = (*kinds, inputs.DELAY, inputs.DELAY, inputs.RECORDED)
    rng = np.random.default_rng(20)
    past = {"times": np.array([0.3, 0.5]), "before": np.array([1.0, 2.0]), "at": np.array([0, 0])}
    past |= {"ends": np.array([0.0, 0.4, 0.9, 2.0]), "nodes": rng.normal(size=30), "breaks": np.array([0.0, 0.9, 0.0])}
    whole = {"count": 2, "has_begun": 1, "pieces": 3, "piece_room": 3, "break_count": 2, "reported": 0}
    history = delays.DelayHistory(**past, **whole, late=2, start=0.0, near=1e-13, seen=0.9, largest=0.0)
    past = {name: numbers.copy() for name, numbers in past.items()} | {"nodes": rng.normal(size=40)}
    recorded = delays.DelayHistory(**past, **whole, late=0, start=0.0, near=0.0, seen=-inf, largest=0.0)
    u = np.zeros(1 + len(kinds))
    context = inputs.InputContext(
        u=u,
        p=np.array([0.5]),
        first=1,
        count=len(kinds),
        kind=np.array(kinds),
        number=np.array([0, 0, 0, 1, 0, 0, 0, 1, 1]),
        order=np.array([0, 0, 0, 0, 0, 1, 0, 1, 0]),
        constant=np.array([2.5, 0, 0, 0, 0, 0, 0, 0, 0]),
        history=history,
        recorded=recorded,
        expressions=said,
        expression_count=1,
        expression_values=np.zeros(1),
        functions=host,
        function_count=1,
        function_values=np.zeros(1),
        table_first=np.array([0, 4, 6]),
        table_times=np.array([0.0, 1.0, 1.0, 2.0, 0.5, 0.7]),
        table_values=np.array([0.0, 1.0, 3.0, -1.0, 5.0, 6.0]),
        table_segment=np.array([1, 5]),
        memory_size=1,
        memory_aside=np.zeros(1),
        delayed_results=np.zeros(4),
        **dict.fromkeys(inputs.WITH_INPUTS, said),
    )
    rows = np.zeros(3 * len(u))
    for t in (-1.0, 0.0, 0.3, 0.6, 1.0, 1.5, 0.2, 2.0, 3.0):
        inputs.acausal_evaluate_inputs(context, t)
        inputs.acausal_evaluate_rows(context, np.array([t, t + 0.1, t + 0.7]), 3, rows, len(u), 1, t - 1.0)
        for name in inputs.WITH_INPUTS:
            getattr(inputs, f"acausal_{name}")(t, np.zeros(2), context, np.array([0.5]), np.zeros(1), np.zeros(2))
    for t in (0.2, 1.3, 1.6):
        delays.drop_pieces(history, t)
        delays.drop_pieces(recorded, t)
    for past_run in (history, recorded):
        delays.repeat_node(past_run)
    recorded.breaks[1] = 2.0
    delays.repeat_node(recorded)
    delays.begin_history(history, np.array([1.0, 0.3, 2.5, 0.5]))
    for t in (0.0, -2.0, 3.0):
        inputs.initial_with_history(t, np.zeros(2), context, np.array([0.5]), np.zeros(1), np.zeros(2))


def turn_angles() -> None:
    """Sines and cosines of small and large angles, in all quadrants, and next to multiples of pi/2."""
    rng = np.random.default_rng(23)
    multiples = [k * np.pi / 2 for k in (*range(-9, 10), 333772)]
    for x in (*multiples, *rng.normal(size=30), *rng.uniform(-trig.LARGEST, trig.LARGEST, 30), 1e-9, 0.0, -0.0):
        trig.is_reducible(float(x))
        assert abs(trig.sine(float(x)) - np.sin(x)) < 2.3e-16
        assert abs(trig.cosine(float(x)) - np.cos(x)) < 2.3e-16


SMALL = {
    "angles": turn_angles,
    "linear": solve_linear_systems,
    "redundant": solve_redundant_systems,
    "singular values": decompose_matrices,
    "sums": solve_sums,
    "badly scaled": solve_badly_scaled_systems,
    "bands": solve_bands,
    "states": judge_states,
    "poles": pass_poles,
    "rows": evaluate_rows,
    "newton": solve_nonlinear_systems,
    "homotopy": solve_from_afar,
    "inputs": evaluate_inputs,
    "cvode": call_as_cvode,
}
