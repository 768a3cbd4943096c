"""Entries of exact Jacobians: against formulas written by hand, and high-order differences of whole models."""

import ctypes
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from acausal.codegen.llvm.llvm_executable import LlvmExecutable
from acausal.codegen.llvm.module_text import tangent_text
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.lower.operation_count import count
from acausal.codegen.native import exact_jacobian
from acausal.codegen.native.exact_jacobian import compile_exact, is_wanted
from acausal.codegen.tangent.forward_mode import tangent
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.ir.program.program import Program
from acausal.pipeline import translate
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import make_signals
from acausal.simulate.jacobian.exact_jacobian_python import ExactArray
from acausal.simulate.system.initialization import initial_states
from acausal.simulate.system.parameters import parameter_values
from acausal.simulate.system.system import System
from tests.codegen.plans import PlanMaker, lowered, nonlinear
from tests.codegen.test_blocks import linear_program, newton_program
from tests.simulate.networks import Network, chain, tree

EXAMPLES = Path(__file__).parents[2] / "examples"
Matrix = np.ndarray


def system_of(executable: LlvmExecutable) -> System:
    program = executable.program
    p = parameter_values(executable, {})
    assert isinstance(p, np.ndarray)
    return System(executable, p, make_signals(program, {}, p, 0.0, 1.0), Delays(program, 0.0, 1.0))


def exact(system: System, y: Matrix, t: float = 0.0) -> Matrix:
    """The exact Jacobian, wanted or not."""
    made = compile_exact(system.program, system.executable.digest)  # type: ignore[attr-defined]
    assert made is not None
    return ExactArray(system, made)(t, y)


def differences(system: System, y: Matrix, t: float = 0.0, step: float = 1e-3) -> Matrix:
    """The Jacobian by central differences of sixth order: (45 d1 - 9 d2 + d3)/60h with h = `step` of each state."""
    columns = []
    for j in range(len(y)):
        h = step * max(abs(y[j]), 1e-2)
        total = np.zeros(len(y))
        for weight, far in ((45, 1), (-9, 2), (1, 3)):
            both = []
            for sign in (1, -1):
                moved, out = y.copy(), np.empty(len(y))
                moved[j] += sign * far * h
                system.slope(t, moved, out)
                both.append(out)
            total += weight * (both[0] - both[1])
        columns.append(total / (60 * h))
    return np.array(columns).T


def model(slopes: Callable[..., list[Expr]], start: list[float]) -> System:
    """States y0, y1, ... with these derivatives."""
    m = PlanMaker()
    states = [m.state(f"y{i}", x) for i, x in enumerate(start)]
    for state, value in zip(states, slopes(m.pool, *states), strict=True):
        m.rate(state, value)
    return system_of(compile_llvm(lowered(m.plan())))


# ------------------------------------------------------- formulas by hand


def test_robertson() -> None:
    """H. H. Robertson's reaction: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section IV.1."""

    def slopes(p: Pool, a: Expr, b: Expr, c: Expr) -> list[Expr]:
        first = p.add(p.mul(p.const(-0.04), a), p.mul(p.const(1e4), b, c))
        third = p.mul(p.const(3e7), b, b)
        return [first, p.sub(p.neg(first), third), third]

    a, b, c = 0.7, 3e-5, 0.3
    expected = [[-0.04, 1e4 * c, 1e4 * b], [0.04, -1e4 * c - 6e7 * b, -1e4 * b], [0, 6e7 * b, 0]]
    y = np.array([a, b, c])
    np.testing.assert_allclose(exact(model(slopes, [1.0, 0.0, 0.0]), y), expected, rtol=1e-14)


def test_van_der_pol() -> None:
    def slopes(p: Pool, x: Expr, v: Expr) -> list[Expr]:
        damping = p.mul(p.const(1e3), p.sub(p.const(1), p.mul(x, x)), v)
        return [v, p.sub(damping, x)]

    x, v = 1.7, -0.4
    expected = [[0, 1], [-2e3 * x * v - 1, 1e3 * (1 - x * x)]]
    np.testing.assert_allclose(exact(model(slopes, [2.0, 0.0]), np.array([x, v])), expected, rtol=1e-14)


@pytest.mark.parametrize(("edges", "loops"), [(chain(60), False), (tree(300), True)])
def test_networks(edges: list[tuple[int, int]], loops: bool) -> None:
    """Laplacian less the losses, in one piece and in loops."""
    network = Network(1 + max(map(max, edges)), edges)
    executable = network.executable()
    assert isinstance(executable, LlvmExecutable)
    assert ("tangent_part" in tangent_text(executable.program, tangent(executable.program, 20_000))) == loops
    y = network.start + 0.25
    np.testing.assert_allclose(exact(system_of(executable), y), network.jacobian(y), rtol=1e-13)


_SLOPES: dict[str, tuple[float, Callable[[float], float]]] = {
    "sin": (0.7, math.cos),
    "cos": (0.7, lambda x: -math.sin(x)),
    "tan": (0.7, lambda x: 1 / math.cos(x) ** 2),
    "asin": (0.3, lambda x: (1 - x * x) ** -0.5),
    "acos": (0.3, lambda x: -((1 - x * x) ** -0.5)),
    "atan": (0.7, lambda x: 1 / (1 + x * x)),
    "sinh": (0.7, math.cosh),
    "cosh": (0.7, math.sinh),
    "tanh": (0.7, lambda x: 1 / math.cosh(x) ** 2),
    "exp": (0.7, math.exp),
    "log": (0.7, lambda x: 1 / x),
    "log10": (0.7, lambda x: 1 / x / math.log(10)),
    "sqrt": (0.7, lambda x: 0.5 / math.sqrt(x)),
    "linexp": (0.7, math.exp),
    "linlog": (0.7, lambda x: 1 / (1 + x)),
    "abs": (-0.7, lambda _: -1.0),
    "floor": (0.7, lambda _: 0.0),
    "sign": (0.7, lambda _: 0.0),
}


@pytest.mark.parametrize("name", _SLOPES)
def test_functions(name: str) -> None:
    """f(2y) has the slope 2 f'(2y)."""
    x, slope = _SLOPES[name]
    system = model(lambda p, y: [p.call(name, p.mul(p.const(2), y))], [x / 2])
    np.testing.assert_allclose(exact(system, np.array([x / 2])), [[2 * slope(x)]], rtol=1e-13)


def test_functions_of_two_arguments() -> None:
    x, y = 1.3, 0.6
    r2 = x * x + y * y
    cases = {
        "atan2": [y / r2, -x / r2],
        "pow": [y * x ** (y - 1), math.log(x) * x**y],
        "div": [1 / y, -x / y**2],
        "max": [1, 0],
        "min": [0, 1],
        "mod": [1, -2],  # 1.3 - 0.6*floor(1.3/0.6)
        "if": [0, 3 * y * y],
        "cube root": [1 / 3 * x ** (-2 / 3), 0],
    }

    def slopes(p: Pool, a: Expr, b: Expr, *_: Expr) -> list[Expr]:
        chosen = p.if_(p.call(">", a, p.const(2.0)), p.mul(a, a), p.pow(b, p.const(3)))
        pair = [p.call("atan2", a, b), p.pow(a, b), p.div(a, b)]
        others = [p.call(name, a, b) for name in ("max", "min", "mod")]
        return [*pair, *others, chosen, p.pow(a, p.const(1 / 3))]

    found = exact(model(slopes, [x, y, *[0.0] * 6]), np.array([x, y, *[0.0] * 6]))
    np.testing.assert_allclose(found[:, :2], list(cases.values()), rtol=1e-13)
    assert not found[:, 2:].any()


@pytest.mark.parametrize("n", [1, 2, 3, 4, 8])
def test_linear_blocks(n: int) -> None:
    """A x = b: dx/dA_ij = -x_j times column i of the inverse, dx/db_i that column."""
    random = np.random.default_rng(n)
    matrix, right = random.normal(size=(n, n)), random.normal(size=n)
    matrix[0, 0] = 0.0 if n > 1 else 3.0
    system = system_of(compile_llvm(linear_program(matrix, right)))
    inverse, x = np.linalg.inv(matrix), np.linalg.solve(matrix, right)
    row = [-inverse[0, i] * x[j] for i in range(n) for j in range(n)] + list(inverse[0])
    found = exact(system, np.array([*matrix.flat, *right]))
    np.testing.assert_allclose(found, np.tile(row, (n * n + n, 1)), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("n", "varies"), [(40, True), (12, True), (5, False), (40, False)])
def test_larger_linear_blocks(n: int, varies: bool) -> None:
    """(A + s B) x = b + s c + r e: LAPACK, a band, and factors made once if nothing of the matrix varies."""
    random = np.random.default_rng(n)
    near = np.abs(np.subtract.outer(range(n), range(n))) <= (1 if n == 12 else n)
    a = near * random.normal(size=(n, n)) + 4 * np.eye(n)
    b = near * random.normal(size=(n, n)) * varies
    right, c = random.normal(size=(2, n))
    m = PlanMaker()
    p = m.pool
    s, r = m.state("s", 0.3), m.state("r", 0.2)
    k = m.parameter("k", 1.0)
    targets = [m.variable(f"x{i}") for i in range(n)]
    rows = [
        [p.add(p.mul(k, p.const(float(a[i, j]))), p.mul(p.const(float(b[i, j])), s)) if near[i, j] else p.zero
         for j in range(n)] for i in range(n)
    ]  # fmt: skip
    rights = [p.add(p.const(float(v)), p.mul(p.const(float(w)), s), r) for v, w in zip(right, c, strict=True)]
    m.linear(targets, rows, rights)
    m.rate(s, targets[0])
    m.rate(r, p.mul(targets[-1], targets[-1]))
    system = system_of(compile_llvm(lowered(m.plan())))
    assert is_wanted(system.program)
    y = np.array([0.3, 0.2])
    matrix = a + y[0] * b
    x = np.linalg.solve(matrix, right + y[0] * c + y[1])
    by_s, by_r = np.linalg.solve(matrix, c - b @ x), np.linalg.solve(matrix, np.ones(n))
    expected = [[by_s[0], by_r[0]], [2 * x[-1] * by_s[-1], 2 * x[-1] * by_r[-1]]]
    np.testing.assert_allclose(exact(system, y), expected, rtol=1e-10)


@pytest.mark.parametrize("s", [1.0, -3.0])
def test_nonlinear_blocks(s: float) -> None:
    """x + exp(x) = s and x^2 + z^3 = s + 9: dx/ds = 1/(1 + exp(x)), dz/ds = (1 - 2x dx/ds)/3z^2; ds/dt = x + z."""
    from scipy.special import lambertw

    system = system_of(compile_llvm(newton_program(s)))
    initial_states(system, 0.0)
    x = s - lambertw(np.exp(s)).real
    z = np.cbrt(s + 9 - x * x)
    by_s = 1 / (1 + np.exp(x))
    expected = by_s + (1 - 2 * x * by_s) / (3 * z * z)
    np.testing.assert_allclose(exact(system, np.array([s])), [[expected]], rtol=1e-11)


def test_what_a_block_shares_with_the_code_behind_it() -> None:
    """sin(x) is held where the residual x + sin(x) - s is differentiated, and moves in ds/dt = sin(x) + truth."""
    m = PlanMaker()
    p = m.pool
    s, x = m.state("s", 1.0), m.variable("x")
    truth = p.if_(p.call(">", s, p.const(0.0)), s, p.zero)
    residual = p.sub(p.add(x, p.call("sin", x)), p.if_(p.call(">", s, p.const(0.0)), s, p.mul(s, s)))
    slope = p.add(p.one, p.call("cos", x))
    m.steps.append(nonlinear(p, (x,), (residual,), ((slope,),), (0.5,)))
    m.rate(s, p.add(p.call("sin", x), truth))
    system = system_of(compile_llvm(lowered(m.plan())))
    initial_states(system, 0.0)
    y = np.array([1.0])
    out = np.empty(1)
    system.slope(0.0, y, out)
    root = math.asin(out[0] - 1.0)
    np.testing.assert_allclose(exact(system, y), [[math.cos(root) / (1 + math.cos(root)) + 1]], rtol=1e-11)


# ------------------------------------------------------- whole models


@pytest.mark.parametrize("name", ["double_pendulum", "power_supply", "slider_crank", "hydraulic_lift", "R3mbs"])
def test_examples(name: str) -> None:
    """Joints, diodes with Newton blocks, a closed loop; rows as shares of their largest entry."""
    system = system_of(translate(EXAMPLES / f"{name}.mdl").executable)
    y = initial_states(system, 0.0)
    y = y + 0.01 * np.maximum(np.abs(y), 0.01) * np.cos(np.arange(len(y)))
    system.slope(0.0, y, np.empty_like(y))
    expected = differences(system, y)
    size = np.maximum(np.abs(expected).max(axis=1, keepdims=True), 1e-9)
    np.testing.assert_allclose(exact(system, y) / size, expected / size, atol=1e-6)


def test_operations_are_those_of_what_is_not_zero() -> None:
    """v and x^2 v: the entries are 1, (x + x) v and x x."""

    def slopes(p: Pool, x: Expr, v: Expr) -> list[Expr]:
        return [v, p.mul(p.mul(x, x), v)]

    made = tangent(model(slopes, [2.0, 0.0]).program, 1000)
    assert made is not None
    assert (made.rows, made.columns) == ((0, 1, 1), (1, 0, 1))
    operations = count(made.routine.code)
    assert (operations.mul, operations.add, operations.div, operations.functions) == (2, 1, 0, 0)


def test_a_long_one_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_jacobian, "MOST", 50)
    executable = Network(60, chain(60)).executable()
    assert isinstance(executable, LlvmExecutable)
    assert tangent(executable.program, 50) is None
    assert compile_exact(executable.program, executable.digest) is None
    assert tangent(newton_program(1.0), 12) is None


def test_the_code_of_formulas_alone_is_not_wanted() -> None:
    executable = Network(5, chain(5)).executable()
    assert not is_wanted(executable.program)
    assert is_wanted(newton_program(1.0))
    assert is_wanted(linear_program(np.eye(2), np.ones(2)))


def test_blocks_without_solution_have_none_here_either() -> None:
    program: Program = linear_program(np.eye(4), np.ones(4))
    executable = compile_llvm(program)
    made = compile_exact(program, executable.digest)
    assert made is not None
    f = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *[ctypes.c_void_p] * 5)(made.address)
    y, m, out = np.zeros(20), np.zeros(made.memory_size), np.zeros(len(made.rows))
    assert f(0.0, y.ctypes.data, None, None, m.ctypes.data, out.ctypes.data) == 1
    assert np.isnan(ExactArray(system_of(executable), made)(0.0, y)[made.rows, made.columns]).all()
