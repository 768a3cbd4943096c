"""Blocks that are singular at run time: what they leave open, the time, the equations."""

from pathlib import Path

import numpy as np
import pytest

from acausal import translate
from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.runs import RunError
from acausal.simulate.failure.checked import explain_nearly_singular
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import Signals
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.simulate.system.system import System
from acausal.translation import Translation


def made(tmp_path: Path, text: str) -> Translation:
    file = tmp_path / "model.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


def failure(model: Translation, **parameters: float) -> Diagnostic:
    with pytest.raises(SimulationError) as caught:
        model.simulate(parameters=parameters)
    return caught.value.report.diagnostics[-1]


def places(error: Diagnostic) -> list[int]:
    assert error.primary is not None
    return sorted(label.span.line for label in (error.primary, *error.secondary))


CIRCUIT = """\
@electrical.lib
model M
  parameter r (tunable=true) = 1
  submodel (source) V(V=5)
  submodel (resistor) {resistors}, L(R=10)
  submodel (inductor) I(L=1)
  submodel (ground) G
  connect G - V {inductor}- ({parallel}) - L - G
end
"""


def circuit(count: int, inductor: bool) -> str:
    names = [f"R{k + 1}" for k in range(count)]
    return CIRCUIT.format(
        resistors=", ".join(f"{n}(R=r)" for n in names),
        parallel=" // ".join(names),
        inductor="- I " if inductor else "",
    ).replace("" if inductor else "  submodel (inductor) I(L=1)\n", "")


@pytest.mark.parametrize("inductor", [False, True])
def test_two_zero_resistances_in_parallel(tmp_path: Path, inductor: bool) -> None:
    error = failure(made(tmp_path, circuit(2, inductor)), r=0.0)
    assert error.code == "R003"
    assert error.message == "at t = 0: R1.i and R2.i are not determined: only their sum is"
    texts = [label.text for label in error.secondary]
    assert "R2.R*R2.i = R2.u" in texts
    assert error.notes[0] == "these 4 equations are linearly dependent"


def test_six_of_them_need_lapack_or_elimination(tmp_path: Path) -> None:
    error = failure(made(tmp_path, circuit(6, inductor=True)), r=0.0)
    assert error.message.endswith("R1.i, R2.i, R3.i, R4.i, R5.i and R6.i are not determined: only their sum is")


def test_a_mass_of_zero(tmp_path: Path) -> None:
    text = "model M\n  parameter m (tunable=true) = 1\n  local x (start=1), v\n  der(x) = v\n  m*der(v) = -x\nend\n"
    error = failure(made(tmp_path, text), m=0.0)
    assert error.message == "at t = 0: der(v) is not determined"
    assert places(error) == [5]


TWO = """\
model M
  parameter a (tunable=true) = 1, b (tunable=true) = 2, c (tunable=true) = 2
  local z, x, y
  der(z) = x
  a*x + 3*y = 1 + z
  4*x + {second}*b*y = c + 2*z
end
"""


def test_contradiction_and_repetition(tmp_path: Path) -> None:
    model = made(tmp_path, TWO.replace("{second}", "3"))
    assert model.simulate().summary
    repeat = failure(model, a=2.0)
    assert repeat.message == "at t = 0: x and y are not determined: only x + 1.5*y is"
    assert repeat.notes[0] == "these 2 equations are linearly dependent"
    assert places(repeat) == [5, 6]
    other = failure(model, a=2.0, c=5.0)
    assert other.notes[0] == "these 2 equations are inconsistent"


def test_a_difference(tmp_path: Path) -> None:
    error = failure(made(tmp_path, TWO.replace("{second}", "-2")), a=-3.0, b=2.0)
    assert error.message.endswith("x and y are not determined: only their difference is")


def test_singular_at_the_first_instant(tmp_path: Path) -> None:
    """The steady state of two tanks with a pump of no effect between them leaves their levels open."""
    text = """\
model M
  parameter k (tunable=true) = 1
  local x (start=1), y (start=1)
  der(x) = k*x - y
  der(y) = x - y
end
"""
    with pytest.raises(SimulationError) as caught:
        made(tmp_path, text).simulate(steady=True)
    error = caught.value.report.diagnostics[-1]
    assert error.code == "R001"
    assert error.message == "at the start, t = 0: x and y are not determined: only their difference is"


def test_nearly_singular_where_the_solver_is_stuck(tmp_path: Path) -> None:
    """x + y = 1, x + t*y = 2: the determinant t - 1 vanishes at t = 1."""
    model = made(tmp_path, "model M\n  local z, x, y\n  der(z) = y\n  x + y = 1\n  x + time*y = 2\nend\n")
    executable = model.executable
    p = parameter_values(executable, {})
    assert not isinstance(p, Folded)
    delays = Delays(executable.program, 0.0, 2.0)
    system = System(executable, p, Signals(), delays, Equations(lambda: model.stages.selection.reduced))
    assert explain_nearly_singular(system, 0.5, np.zeros(1)) is None
    error = explain_nearly_singular(system, 1 - 1e-9, np.zeros(1))
    assert error is not None
    assert error.code == "R003"
    assert error.message == "at t = 0.999999999: x and y are not determined: only their sum is"


def test_division_by_zero_names_the_equation(tmp_path: Path) -> None:
    error = failure(made(tmp_path, "model M\n  local x, y\n  der(x) = -y\n  y = 1/x\nend\n"))
    assert error.code == "R004"
    assert error.message == "at t = 0: y is not finite"
    assert places(error) == [4]
    assert error.notes[0] == "there: x = 0"


def test_a_value_that_only_the_result_has_does_not_end_the_run(tmp_path: Path) -> None:
    model = made(tmp_path, "model M\n  local x (start=1), y\n  der(x) = -1\n  y = 1/(x - 1)\nend\n")
    with pytest.raises(RunError) as caught:
        model.simulate(stop=0.5)
    assert [d.code for d in caught.value.report.diagnostics] == ["R004"]
    result = caught.value.result
    assert result["x"][-1] == pytest.approx(0.5)
