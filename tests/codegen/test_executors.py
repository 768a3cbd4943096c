"""Every executor of instructions against the table of operators: no row can be missing from one of them."""

from collections.abc import Callable

import numpy as np
import pytest

from acausal.codegen.default_parameters import complete
from acausal.codegen.llvm.llvm_executable import LlvmExecutable
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.native.exact_jacobian import compile_exact
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.ir.evaluate import evaluated
from acausal.ir.operator import Op
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool
from acausal.ir.program.program import Program
from acausal.simulate.failure.interpreter import interpret
from acausal.simulate.jacobian.exact_jacobian_python import ExactArray
from acausal.simulate.system.derivative import Derivative
from tests.codegen.plans import PlanMaker, lowered
from tests.codegen.test_operators import applied, expected, points
from tests.codegen.test_tangent import system_of

Rates = Callable[[Program, np.ndarray], float]


def row_by_row(program: Program, x: np.ndarray) -> float:
    """NumPy text."""
    out = np.zeros(len(x))
    executable = compile_numpy(program)
    executable.derivatives(0.0, x.copy(), np.zeros(0), np.zeros(0), np.zeros(0), out)
    return float(out[0])


def machine_code(program: Program, x: np.ndarray) -> float:
    out = np.zeros(len(x))
    compile_llvm(program).derivatives(0.0, x.copy(), np.zeros(0), np.zeros(0), np.zeros(0), out)
    return float(out[0])


def vectors(program: Program, x: np.ndarray) -> float:
    """Lanes of vectors: enough rows for one vector, and some left over."""
    found = Derivative(compile_llvm(program), ()).batch(np.tile(x, (9, 1)))[:, 0]
    assert len({value.tobytes() for value in found}) == 1
    return float(found[0])


def interpreter(program: Program, x: np.ndarray) -> float:
    nothing = np.zeros(0)
    return float(interpret(program, "derivatives", 0.0, x, nothing, nothing, nothing).results[0])


EXECUTORS: dict[str, Rates] = {
    "numpy": row_by_row,
    "llvm": machine_code,
    "vectors": vectors,
    "interpreter": interpreter,
}


@pytest.mark.parametrize("row", OPS.values(), ids=lambda row: row.name)
@pytest.mark.parametrize("executor", EXECUTORS)
def test_every_executor_knows_every_operator(row: Op, executor: str) -> None:
    m = PlanMaker()
    leaves = [m.state(f"x{i}") for i in range(row.arity or 3)]
    m.rate(leaves[0], applied(m.pool, row, leaves))
    for leaf in leaves[1:]:
        m.rate(leaf, leaf)
    program = lowered(m.plan())
    for x in points(row, len(leaves))[:4]:
        found = EXECUTORS[executor](program, x)
        assert found == pytest.approx(expected(row, x), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("row", OPS.values(), ids=lambda row: row.name)
def test_expressions_are_evaluated_as_programs_are(row: Op) -> None:
    """By the evaluator, which input expressions without machine code use as well."""
    pool = Pool()
    leaves = [pool.parameter((f"p{i}",)) for i in range(row.arity or 3)]
    expr = applied(pool, row, leaves)
    for x in points(row, len(leaves))[:4]:
        values = dict(zip(leaves, map(float, x), strict=True))
        assert evaluated(expr, values) == pytest.approx(expected(row, x), rel=1e-14)


@pytest.mark.parametrize("row", OPS.values(), ids=lambda row: row.name)
def test_parameters_are_completed_by_python_as_by_machine_code(row: Op) -> None:
    """Where Python may do it at all, to the same bit."""
    for x in points(row, row.arity or 3)[:4]:
        m = PlanMaker()
        leaves = [m.parameter(f"p{i}", float(v)) for i, v in enumerate(x)]
        state = m.state("s", 2.0)
        m.rate(state, m.pool.mul(state, applied(m.pool, row, leaves)))
        program = lowered(m.plan())
        start = np.zeros(program.parameter_size)
        start[: len(program.parameter_slots)] = [slot.value for slot in program.parameter_slots]
        one, two = start.copy(), start.copy()
        if complete(program, one):
            compile_llvm(program).setup(two, np.zeros(len(program.parameter_slots)))
            assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("row", [row for row in OPS.values() if row.partials], ids=lambda row: row.name)
def test_tangents_are_the_partial_derivatives(row: Op) -> None:
    """Against central differences of fourth order of the table's own values."""
    m = PlanMaker()
    leaves = [m.state(f"x{i}") for i in range(row.arity or 3)]
    value = applied(m.pool, row, leaves)
    m.rate(leaves[0], value)
    for leaf in leaves[1:]:
        m.rate(leaf, leaf)
    executable = compile_llvm(lowered(m.plan()))
    assert isinstance(executable, LlvmExecutable)
    made = compile_exact(executable.program, executable.digest)
    assert made is not None
    jacobian = ExactArray(system_of(executable), made)

    def f(x: np.ndarray) -> float:
        return expected(row, x)

    for x in points(row, len(leaves))[:4]:
        step = 1e-4 * np.eye(len(x))
        slopes = [(8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / 12e-4 for h in step]
        np.testing.assert_allclose(jacobian(0.0, x)[0], slopes, rtol=1e-8, atol=1e-9)
