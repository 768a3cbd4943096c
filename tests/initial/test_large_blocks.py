"""Large nonlinear blocks that only homotopy solves: its kernels as machine code, with the residuals of the block."""

import numpy as np
import pytest

from acausal.codegen.native.native_homotopy import native_homotopy
from acausal.codegen.numpy.numpy_homotopy import homotopy_solution
from acausal.codegen.numpy.to_numpy import compile_residuals
from acausal.ir.program.instructions import NewtonSolve
from acausal.pipeline import translate
from acausal.simulate.failure.interpreter import LARGE

BRANCHES = """model M
  local x, y, z
  x + 0.1*sin(y) + (if y > 0.5 and not z < 0 then mod(x, 2) else max(x, z)^2) = 1
  y + 0.2*exp(z) = abs(x)
  z + 0.1*y^3 = if x > 0.1 or y < 0 then 1 else -x
end
"""
JUNCTIONS = """model M
  constant N=34
  local x[N] (start=4)
  for k = 1 to N
    exp(40*x[k]) + x[k] + 0.01*sin(sum(x)) + 0.001*sum(x)^2 = 10 + k
  endfor
end
"""


def test_it_is_that_of_python() -> None:
    """From several starts, to the solution or to none, but for the rounding of singular values."""
    program = translate("m.mdl", text=BRANCHES).program
    (solve,) = (i.value for i in program.variables.code if isinstance(i.value, NewtonSolve))
    n, chance = solve.size, np.random.default_rng(3)
    function = compile_residuals(solve.residuals)

    def residuals(x: object) -> list[float]:
        values = np.zeros(n + n * n)
        function([0.0] * 9, np.asarray(x), values)
        return values.tolist()

    found = 0
    for _ in range(5):
        start = chance.normal(scale=3.0, size=n).tolist()
        expected = homotopy_solution(residuals, start, solve.nominals, 2_000)
        solution = native_homotopy(solve, [0.0] * 9, start, 2_000)
        assert (solution is None) == (expected is None)
        if expected is not None:
            assert solution == pytest.approx(expected, rel=1e-6)
            found += 1
            assert native_homotopy(solve, [0.0] * 9, start, 2) is None
    assert found


def test_a_block_that_newton_does_not_solve() -> None:
    """Each step takes 1/40 off the largest unknown, so that the machine code gives up long before."""
    translation = translate("m.mdl", text=JUNCTIONS)
    assert all(len(block.targets) >= LARGE for block in translation.program.blocks)
    result = translation.simulate(stop=0.1, interval=0.1)
    x = np.array([result[f"x[{k}]"][0] for k in range(1, 35)])
    left = np.exp(40 * x) + x + 0.01 * np.sin(x.sum()) + 0.001 * x.sum() ** 2
    assert left == pytest.approx(10.0 + np.arange(1, 35), rel=1e-9)
    assert [note.code for note in result.notes] == ["R013"]
