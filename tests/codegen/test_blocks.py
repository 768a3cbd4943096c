"""Linear and nonlinear blocks against NumPy's solver and closed forms; failures name their block."""

import numpy as np
import pytest

from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.numpy.numpy_solvers import linear_solution
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.ir.expr import Expr
from acausal.ir.plan import Assign
from acausal.ir.program.instructions import Operations
from acausal.ir.program.program import Program
from tests.codegen.bounds import relative_bound
from tests.codegen.plans import BACK_ENDS, ORIGIN, PlanMaker, lowered, nonlinear, run, run_both, value_of


def linear_program(matrix: np.ndarray, right: np.ndarray) -> Program:
    """A block whose entries are states, so that nothing is known at translation."""
    m = PlanMaker()
    n = len(right)
    entries = [[m.state(f"a{i}_{j}", float(matrix[i, j])) for j in range(n)] for i in range(n)]
    rights = [m.state(f"b{i}", float(right[i])) for i in range(n)]
    targets = [m.variable(f"x{i}") for i in range(n)]
    m.linear(targets, entries, rights)
    for state in m.states:
        m.rate(state, targets[0])
    return lowered(m.plan())


def solution(program: Program, n: int, bound: float = 1e-12) -> np.ndarray:
    found = run_both(program, bound)
    assert found.statuses == (0, 0, 0, 0)
    return np.array([value_of(program, found, f"x{i}") for i in range(n)])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 8, 31, 32, 40])
def test_linear_blocks_of_all_kinds(n: int) -> None:
    random = np.random.default_rng(n)
    matrix, right = random.normal(size=(n, n)), random.normal(size=n)
    matrix[0, 0] = 0.0 if n > 1 else 3.0  # needs a pivot from another row
    expected = np.linalg.solve(matrix, right)
    bound = relative_bound(matrix, expected)
    x = solution(linear_program(matrix, right), n, bound)
    np.testing.assert_allclose(x, expected, rtol=bound)


def test_operations_of_blocks() -> None:
    """Elimination of 2 by 2: 2 + 1 products and differences, 1 + 2 quotients; of 3 by 3: 8 + 3, 3 + 3."""
    counts = [linear_program(np.eye(n), np.ones(n)).derivatives.operations for n in (1, 2, 3)]
    assert counts == [Operations(div=1), Operations(mul=3, add=3, div=3), Operations(mul=11, add=11, div=6)]


@pytest.mark.parametrize("n", [2, 3, 5, 33])
def test_scales_of_rows_and_columns_do_not_matter(n: int) -> None:
    random = np.random.default_rng(n)
    matrix, right = random.normal(size=(n, n)) + 3 * np.eye(n), random.normal(size=n)
    rows, columns = 10.0 ** random.integers(-12, 12, n), 10.0 ** random.integers(-12, 12, n)
    scaled = rows[:, None] * matrix * columns
    expected = np.linalg.solve(matrix, right)
    bound = relative_bound(scaled, expected / columns)
    x = solution(linear_program(scaled, rows * right), n, bound)
    np.testing.assert_allclose(x * columns, expected, rtol=bound)
    assert bound < 1e-8


@pytest.mark.parametrize("n", [1, 2, 3, 5, 33])
@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_singular_linear_blocks_say_so(n: int, back_end: object) -> None:
    """A row that is a sum of others up to rounding, or all zero."""
    random = np.random.default_rng(n)
    matrix = random.normal(size=(n, n))
    matrix[-1] = 0.1 * matrix[:-1].sum(axis=0) if n > 1 else 0.0
    program = linear_program(matrix, np.ones(n))
    executable = compile_numpy(program) if back_end is compile_numpy else compile_llvm(program)
    assert run(executable).statuses == (0, 0, 1, 1)
    assert program.blocks[0].kind == "linear"
    assert program.blocks[0].targets[0] == (("x0",), 0)


def newton_program(start: float = 1.0) -> Program:
    """x + exp(x) = s and y = x^2 (inner), z with y + z^3 = s: two targets, one torn variable."""
    m = PlanMaker()
    p = m.pool
    s = m.state("s", start)
    x, y, z = (m.variable(n) for n in "xyz")
    inner = (Assign(y, p.mul(x, x), ORIGIN),)
    residuals = (p.sub(p.add(x, p.call("exp", x)), s), p.sub(p.add(y, p.pow(z, p.const(3))), p.add(s, p.const(9))))
    jacobian = (
        (p.add(p.one, p.call("exp", x)), p.zero),
        (p.mul(p.const(2), x), p.mul(p.const(3), p.pow(z, p.const(2)))),
    )
    block = nonlinear(p, (x, z), residuals, jacobian, (5.0, 0.5), inner)
    m.steps.append(block)
    m.steps.append(inner[0])
    m.rate(s, p.add(x, z))
    return lowered(m.plan())


@pytest.mark.parametrize("s", [1.0, -3.0, 40.0])
def test_newton_block(s: float) -> None:
    from scipy.special import lambertw

    program = newton_program(s)
    found = run_both(program)
    assert found.statuses == (0, 0, 0, 0)
    x = s - lambertw(np.exp(s)).real
    z = np.cbrt(s + 9 - x * x)
    assert value_of(program, found, "x") == pytest.approx(x, rel=1e-12, abs=1e-13)
    assert value_of(program, found, "z") == pytest.approx(z, rel=1e-12)
    assert value_of(program, found, "y") == pytest.approx(x * x, rel=1e-12, abs=1e-13)
    assert found.m[:2] == pytest.approx([x, z], rel=1e-12, abs=1e-13)


def test_start_values_are_the_guesses_then_the_last_solution() -> None:
    """x^2 = s has two roots: the guess decides, then memory."""
    m = PlanMaker()
    p = m.pool
    s, x = m.state("s", 4.0), m.variable("x")
    residual, slope = p.sub(p.mul(x, x), s), p.mul(p.const(2), x)
    m.steps.append(nonlinear(p, (x,), (residual,), ((slope,),), (-7.0,)))
    m.rate(s, x)
    program = lowered(m.plan())
    for compile_ in BACK_ENDS:
        executable = compile_(program)
        m_, out, nothing = np.zeros(program.memory_size), np.zeros(1), np.zeros(0)
        executable.initial(0.0, nothing, nothing, m_, out)
        assert m_[0] == -7.0
        assert executable.derivatives(0.0, np.array([4.0]), nothing, nothing, m_, out) == 0
        assert out == pytest.approx([-2.0], rel=1e-13)
        m_[0] = 3.0
        executable.derivatives(0.0, np.array([4.0]), nothing, nothing, m_, out)
        assert out == pytest.approx([2.0], rel=1e-13)


@pytest.mark.parametrize("case", ["no root", "log of a negative start", "infinite slope"])
@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_newton_that_fails_says_which_block(case: str, back_end: object) -> None:
    m = PlanMaker()
    p = m.pool
    s, x = m.state("s", 1.0), m.variable("x")
    residual, slope, guess = {
        "no root": (p.add(p.mul(x, x), s), p.mul(p.const(2), x), 0.7),
        "log of a negative start": (p.sub(p.call("log", x), s), p.div(p.one, x), -1.0),
        "infinite slope": (p.sub(p.call("sqrt", x), s), p.div(p.const(0.5), p.call("sqrt", x)), 0.0),
    }[case]
    m.linear([m.variable("other")], [[s]], [s])
    m.steps.append(nonlinear(p, (x,), (residual,), ((slope,),), (guess,)))
    m.rate(s, x)
    program = lowered(m.plan())
    executable = compile_numpy(program) if back_end is compile_numpy else compile_llvm(program)
    assert run(executable).statuses == (0, 0, 2, 2)
    assert program.blocks[1].kind == "nonlinear"


def test_damping_finds_the_root_of_arctan_from_afar() -> None:
    """Undamped Newton diverges from 3; Deuflhard, Newton Methods for Nonlinear Problems, section 3.1."""
    m = PlanMaker()
    p = m.pool
    s, x = m.state("s", 0.0), m.variable("x")
    slope = p.div(p.one, p.add(p.one, p.pow(x, p.const(2))))
    m.steps.append(nonlinear(p, (x,), (p.sub(p.call("atan", x), s),), ((slope,),), (30.0,)))
    m.rate(s, x)
    assert run_both(lowered(m.plan())).rates == pytest.approx([0.0], abs=1e-14)


def test_residuals_of_any_size_of_terms() -> None:
    """1e-9*x = 1e-12*s: the damping looks at shares, not at residuals."""
    m = PlanMaker()
    p = m.pool
    s, x, y = m.state("s", 2.0), m.variable("x"), m.variable("y")
    tiny, huge = p.const(1e-12), p.const(1e12)
    residuals = (p.mul(tiny, p.sub(p.pow(x, p.const(3)), s)), p.mul(huge, p.sub(p.call("exp", y), x)))
    jacobian: tuple[tuple[Expr, ...], ...] = (
        (p.mul(tiny, p.const(3), p.pow(x, p.const(2))), p.zero),
        (p.neg(huge), p.mul(huge, p.call("exp", y))),
    )
    m.steps.append(nonlinear(p, (x, y), residuals, jacobian, (1.0, 1.0)))
    m.rate(s, y)
    assert run_both(lowered(m.plan())).rates == pytest.approx([np.log(np.cbrt(2.0))], rel=1e-12)


def test_initial_blocks_start_from_guesses_and_fill_memory() -> None:
    """The state itself comes from a nonlinear block of the first instant."""
    m = PlanMaker()
    p = m.pool
    k = m.parameter("k", 3.0)
    s, x = m.variable("s"), m.variable("x")
    m.states.append(s)
    residual, slope = p.sub(p.mul(s, s), k), p.mul(p.const(2), s)
    m.initial_steps.append(nonlinear(p, (s,), (residual,), ((slope,),), (-1.0,)))
    block = nonlinear(p, (x,), (p.sub(p.add(x, p.call("sin", x)), s),), ((p.add(p.one, p.call("cos", x)),),), (0.0,))
    m.steps.append(block)
    m.initial_steps.append(block)
    m.rate(s, x)
    program = lowered(m.plan())
    found = run_both(program)
    assert found.statuses == (0, 0, 0, 0)
    assert found.start == pytest.approx([-np.sqrt(3.0)], rel=1e-12)
    assert [b.routine for b in program.blocks] == ["initial", "initial", "run"]
    x_value = found.m[0]
    assert x_value + np.sin(x_value) == pytest.approx(-np.sqrt(3.0), rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_straight_elimination_gives_the_bits_of_the_kernel(n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    matrix, right = random.normal(size=(n, n)) * 10.0 ** random.integers(-3, 3, (n, n)), random.normal(size=n)
    program = linear_program(matrix, right)
    found = run(compile_llvm(program))
    x = [value_of(program, found, f"x{i}") for i in range(n)]
    assert x == linear_solution(matrix.ravel().tolist(), right.tolist())
