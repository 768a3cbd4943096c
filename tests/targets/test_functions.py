"""Functions of CasADi and JAX: numbers of the native code, derivatives; where the libraries are not installed, why.

`python -m tests.long.functions` runs the whole table where both are installed. Here the
algorithm (`evaluate_routine`) runs with the numbers of Python.
"""

import sys
from collections.abc import Callable, Sequence
from types import ModuleType

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.ir.ops import OPS
from acausal.targets.functions.evaluate_routine import arguments_of, complete, evaluate_routine, ordered, start_values

TEXT = """
model Mixed
  parameter k = 3, m = 2, w = k/m
  local x (start=0.4, fixed=true), v (start=-0.3, fixed=true), y (start=0.3), z, a, b
  der(x) = v
  der(v) = -w*x - max(v, 0)*abs(v) + (if x > 0.1 then sin(z) else 1)
  y + y^3 = x
  z = exp(y)*atan2(v, 1 + x^2)
  k*a + x*b = 1
  x*a - m*b = v
end
"""


class Numbers:
    """Operators on numbers."""

    name = "Python"

    def call(self, op: str, arguments: Sequence[float]) -> float:
        """An operator of the table."""
        if op in ("sub", "div"):
            return arguments[0] - arguments[1] if op == "sub" else arguments[0] / arguments[1]
        return float(OPS[op].evaluate(*arguments))

    def linear(self, matrix: Sequence[float], right: Sequence[float]) -> Sequence[float]:
        """NumPy's solver."""
        found: Sequence[float] = np.linalg.solve(np.reshape(matrix, (len(right), -1)), right)
        return found

    def newton(
        self,
        residuals: Callable[..., list[float]],
        captured: Sequence[float],
        start: Sequence[float],
        nominals: Sequence[float],
    ) -> Sequence[float]:
        """Newton's method with difference quotients."""
        x = np.array(start, dtype=float)
        for _ in range(30):
            now = np.array(residuals(captured, x))
            columns = [(np.array(residuals(captured, x + 1e-7 * e)) - now) / 1e-7 for e in np.eye(len(x))]
            x = x - np.linalg.solve(np.transpose(columns), now)
        return x


@pytest.fixture(scope="module")
def mixed() -> acausal.Translation:
    return acausal.translate(TEXT)


def test_instructions_are_those_of_the_native_code(mixed: acausal.Translation) -> None:
    program, algebra = mixed.program, Numbers()
    arguments = arguments_of(program, mixed.folded)
    assert (arguments.states, arguments.parameters, arguments.values) == (("x", "v"), ("k", "m"), (3.0, 2.0))
    p = complete(program, arguments, algebra, [4.0, 2.0])
    y, u = [0.7, 0.2], [1.0] * program.input_size
    arrays = {"state": y, "input": u, "parameter": p.values, "memory": start_values(program, [0.5] * program.memory)}
    found = ordered(evaluate_routine(program, program.derivatives, algebra, arrays, p, 0.0), 2)
    assert found == pytest.approx(mixed.derivative(0.0, y, u, {"k": 4.0, "m": 2.0}), rel=1e-7)


@pytest.mark.parametrize(("library", "name"), [("casadi", "CasADi"), ("jax", "JAX")])
def test_missing_library(mixed: acausal.Translation, library: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    absent: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]  # None: it cannot be imported
    monkeypatch.setitem(absent, library, None)
    with pytest.raises(UsageError, match=f"to_{library} requires {name}") as error:
        getattr(mixed, f"to_{library}")()
    assert f"pip install {library}" in str(error.value)


@pytest.mark.parametrize("size", [1.0, 1e7])
def test_casadi_solves_for_large_unknowns(size: float) -> None:
    """y + y*(y/size)^2 = size*x by known y, and dy/dx at y = size by the implicit function theorem."""
    casadi = pytest.importorskip("casadi")
    text = f"""
model Large
  parameter k = {size!r}
  local x (start=0.4, fixed=true), y (start={0.3 * size!r}, nominal={size!r})
  der(x) = -y/k
  y + y*(y/k)^2 = k*x
end
"""
    model = acausal.translate(text).to_casadi()
    p = list(model.arguments.values)
    for y in np.linspace(0.4, 1.0, 31):
        assert float(model.derivative(0.0, [y + y**3], [], p)) == pytest.approx(-y, rel=1e-11)
    dae = model.dae
    jacobian = casadi.Function("J", [dae[k] for k in "txup"], [casadi.jacobian(dae["ode"], dae["x"])])
    assert float(jacobian(0.0, [2.0], [], p)) == pytest.approx(-1.0 / (1.0 + 3.0), rel=1e-9)
