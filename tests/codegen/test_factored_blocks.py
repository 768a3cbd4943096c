"""Linear blocks whose matrix is of parameters alone: factored once, by both back ends alike."""

from collections.abc import Callable

import numpy as np
import pytest

from acausal.codegen.executable import Executable
from acausal.ir.program.instructions import FactoredSolve, LinearFactor, LinearSolve
from acausal.ir.program.program import Program
from tests.codegen.plans import BACK_ENDS, PlanMaker, lowered, run, run_both, value_of


def program_of(matrix: np.ndarray, right: np.ndarray) -> Program:
    """Entries are parameters, the right side is of states."""
    m = PlanMaker()
    n = len(right)
    entries = [[m.parameter(f"a{i}_{j}", float(matrix[i, j])) for j in range(n)] for i in range(n)]
    rights = [m.state(f"b{i}", float(right[i])) for i in range(n)]
    targets = [m.variable(f"x{i}") for i in range(n)]
    m.linear(targets, entries, rights)
    for state in m.states:
        m.rate(state, targets[0])
    return lowered(m.plan())


@pytest.mark.parametrize("n", [4, 7, 33])
def test_solution(n: int) -> None:
    random = np.random.default_rng(n)
    matrix, right = random.normal(size=(n, n)), random.normal(size=n)
    matrix[0, 0] = 0.0
    program = program_of(matrix, right)
    found = run_both(program)
    assert found.statuses == (0, 0, 0, 0)
    x = np.array([value_of(program, found, f"x{i}") for i in range(n)])
    np.testing.assert_allclose(x, np.linalg.solve(matrix, right), rtol=1e-10, atol=1e-11)


def test_factors_are_made_in_setup_alone() -> None:
    program = program_of(np.eye(5) + 1.0, np.ones(5))
    made = [type(i.value) for i in program.setup.code if not isinstance(i.value, float | int | None)]
    assert made == [LinearFactor]
    used = [i.value for i in program.derivatives.code if isinstance(i.value, LinearSolve | FactoredSolve)]
    assert [type(u) for u in used] == [FactoredSolve]
    operations = program.derivatives.operations
    assert (operations.mul, operations.add, operations.div) == (20, 20, 5)  # n (n - 1), n (n - 1), n


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_a_singular_matrix_names_its_block_when_it_is_used(back_end: Callable[[Program], Executable]) -> None:
    assert run(back_end(program_of(np.arange(16.0).reshape(4, 4), np.ones(4)))).statuses == (0, 0, 1, 1)
