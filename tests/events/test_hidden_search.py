"""The search for two crossings within a step, by kernels in Python and in machine code that call back."""

import numpy as np
import pytest

from acausal.codegen.executable import Executable
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.pipeline import translate
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import NO_SIGNALS
from acausal.simulate.solver.hidden import Hidden
from acausal.simulate.system.parameters import parameter_values
from acausal.simulate.system.system import System

TEXT = """model M
  local x (start=0, fixed=true), z
  discrete n
  der(x) = z
  z^3 + z = sin(time)
  when z > 2 then
    new(n) = n + 1
  endwhen
end
"""


@pytest.fixture(scope="module", params=["machine code", "Python"])
def executable(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Executable:
    file = tmp_path_factory.mktemp("model") / "m.mdl"
    file.write_text(TEXT, encoding="utf-8")
    translation = translate(file)
    return translation.executable if request.param == "machine code" else compile_numpy(translation.executable.program)


@pytest.fixture
def hidden(executable: Executable) -> Hidden:
    p = np.asarray(parameter_values(executable, {}))
    return Hidden(System(executable, p, NO_SIGNALS, Delays(executable.program, 0.0, 1.0)))


def parabola(t: float, factor: float = 1.0) -> np.ndarray:
    """Below zero between 0.9 and 1.1; the last function has its place only."""
    return np.array([factor * (t - 1.0) ** 2 - 0.01, 1.0])


def test_two_crossings(hidden: Hidden) -> None:
    """A step of a parabola from 0.5 to 1.6: a time between the crossings, with the values there."""
    hidden.begin(0.0, parabola(0.0))
    assert hidden.find(parabola, 0.5, parabola(0.5)) is None
    end = parabola(1.6)
    found = hidden.find(parabola, 1.6, end)
    assert found is not None
    time, values = found
    assert 0.9 < time < 1.1
    assert values.tolist() == parabola(time).tolist()
    assert end[1] == -1.0


def test_functions_without_value(hidden: Hidden) -> None:
    """A failed evaluation ends the search; the next step is searched again."""
    hidden.begin(0.0, parabola(0.0))
    assert hidden.find(lambda *_: np.array([np.nan, 1.0]), 0.5, parabola(0.5)) is None
    assert hidden.find(parabola, 1.6, parabola(1.6)) is not None


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_is_raised(hidden: Hidden, error: type[BaseException]) -> None:
    """Behind the search; nothing is called after it."""
    times = []

    def watch(t: float, _factor: float) -> np.ndarray:
        times.append(t)
        raise error("no value")

    hidden.begin(0.0, parabola(0.0))
    with pytest.raises(error, match="no value"):
        hidden.find(watch, 1.6, parabola(1.6))
    assert len(times) == 1
    assert hidden.find(parabola, 3.0, parabola(3.0)) is None
