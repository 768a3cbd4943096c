"""Inputs by kernels: tables against NumPy, Python against machine code, and the same path with and without inputs."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.codegen.llvm.llvm_executable import LlvmExecutable
from acausal.pipeline import translate
from acausal.simulate.cvode.machine_code import DirectIntegrator
from acausal.simulate.inputs.csv_input import Table
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.input_values import InputValues
from acausal.simulate.inputs.inputs import Signals, TableInput
from acausal.translation import Translation
from tests.python_loop import simulate_in_python

DRIVEN = """model M
  parameter k=2
  input u
  local x, v, w
  discrete n
  der(x) = v
  der(v) = u - x - w
  w = v^3 - 0.1*w^3
  when v > 0.02 then
    new(n) = n + 1
    init(x) = 0.9*x + 0.01*u
  endwhen
end
"""


def translated(folder: Path, text: str = DRIVEN) -> Translation:
    file = folder / "m.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


@pytest.fixture
def model(tmp_path: Path) -> Translation:
    return translated(tmp_path)


def values_of(model: Translation, sources: Signals, times: list[float], *, in_python: bool) -> np.ndarray:
    """The input u at these times, one after the other and as rows, which are the same."""
    executable = model.executable
    assert isinstance(executable, LlvmExecutable)
    if in_python:
        executable = NoMachineCode(executable)
    u = np.zeros(executable.program.input_size)
    inputs = InputValues(executable, u, np.zeros(1))
    inputs.begin(sources, Delays(executable.program, 0.0, 1.0))
    found = []
    for t in times:
        inputs.fill(t)
        found.append(u[-1])
    rows = np.zeros((len(times), len(u)))
    inputs.fill_rows(np.array(times), rows, np.nan)
    assert rows[:, -1].tolist() == found
    return np.array(found)


class NoMachineCode:
    """An executable as the NumPy back end has it."""

    def __init__(self, executable: LlvmExecutable) -> None:
        self.program = executable.program

    def address(self, _: str) -> None:
        return None


def test_tables_are_linear_between_their_points(model: Translation) -> None:
    """Forwards, backwards and at random, in Python and as machine code, against numpy.interp."""
    rng = np.random.default_rng(3)
    for count in (2, 3, 10, 200):
        times, values = np.cumsum(rng.exponential(size=count)), rng.normal(size=count)
        at = np.sort(np.concatenate([rng.uniform(times[0], times[-1] + 1, 100), times]))
        for order in (at, at[::-1], rng.permutation(at)):
            table = Signals((TableInput(Table(times, values), 0),))
            native, python = (values_of(model, table, order.tolist(), in_python=way) for way in (False, True))
            assert np.array_equal(native, python)
            assert np.abs(native - np.interp(order, times, values)).max() < 1e-13
            slope = values_of(model, Signals((TableInput(Table(times, values), 1),)), order.tolist(), in_python=False)
            segment = np.clip(np.searchsorted(times, order, "right"), 1, count - 1)
            assert np.array_equal(slope, (np.diff(values) / np.diff(times))[segment - 1])
            second = Signals((TableInput(Table(times, values), 2),))
            assert not values_of(model, second, order.tolist(), in_python=False).any()


def test_of_two_values_at_one_time_the_second_counts(model: Translation) -> None:
    table = Signals((TableInput(Table(np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 5.0, 6.0])), 0),))
    times = [0.0, np.nextafter(1.0, 0.0), 1.0, 1.5, 2.0, 3.0, 0.5]
    for way in (False, True):
        assert values_of(model, table, times, in_python=way) == pytest.approx([0, 1, 5, 5.5, 6, 6, 0.5])


INPUTS = {
    "expression": "sin(7*time)/k + (if time > 1 then k else 0)",
    "table": (np.linspace(0, 15, 50), np.sin(np.linspace(0, 20, 50))),
    "number": 0.7,
    "function": lambda t: np.sin(7 * t),
}


@pytest.mark.parametrize("kind", INPUTS)
def test_one_path_with_and_without_inputs(kind: str, model: Translation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of machine code give what single steps give, with events and an exact Jacobian, in a second run too."""
    options = {"stop": 15.0, "inputs": {"u": INPUTS[kind]}, "parameters": {"k": 3.0}}
    one_by_one = simulate_in_python(model, **options)
    monkeypatch.setattr(DirectIntegrator, "advance", None)
    for _ in range(2):
        found = model.simulate(**options)
        assert found.stats.solver == "cvode"
        assert np.array_equal(found.stored, one_by_one.stored)
        assert found.events == one_by_one.events
        assert found.stats.steps == one_by_one.stats.steps
    assert len(found.events) > 1
    assert found.stats.matrix == "dense, exact"


def test_an_input_is_as_good_as_an_equation(tmp_path: Path) -> None:
    """The tolerance is 1e-8; the model with the equation is another one, whose steps follow its sine."""
    equation = translated(tmp_path, DRIVEN.replace("input u", "local u = sin(7*time)/k"))
    expected = equation.simulate(stop=2.0, tolerance=1e-8)
    found = translated(tmp_path).simulate(stop=2.0, tolerance=1e-8, inputs={"u": "sin(7*time)/k"})
    assert found.final["n"] == expected.final["n"]
    assert found.final["x"] == pytest.approx(expected.final["x"], abs=1e-6)


def test_parameters_of_expressions_need_no_other_code(model: Translation) -> None:
    for k in (1.0, 2.5):
        found = model.simulate(stop=1.0, inputs={"u": "k*time"}, parameters={"k": k})
        assert found["u"] == pytest.approx(k * found.time, abs=1e-15)


@pytest.mark.parametrize("solver", ["cvode", "lsoda"])
def test_what_a_function_of_the_host_raises_ends_the_run(solver: str, model: Translation) -> None:
    """The function is not called again, and the next run is as if nothing had been."""
    calls = []

    def fails(t: float) -> float:
        calls.append(t)
        if t > 1.0:
            raise LookupError("no value")
        return 0.1

    with pytest.raises(LookupError, match="no value"):
        model.simulate(stop=2.0, inputs={"u": fails}, solver=solver)
    assert [t > 1.0 for t in calls].count(True) == 1
    with pytest.raises(UsageError, match="returned 'a' at t = "):
        model.simulate(stop=2.0, inputs={"u": lambda t: 0.1 if t < 1 else "a"}, solver=solver)
    assert model.simulate(stop=2.0, inputs={"u": lambda _: 0.1}, solver=solver).time[-1] == 2.0


def test_functions_of_the_host_are_let_go(model: Translation) -> None:
    """What a run has called is not kept for the next one."""

    class Source:
        def __call__(self, t: float) -> float:
            return t

    from weakref import ref

    source = Source()
    model.simulate(stop=1.0, inputs={"u": source})
    left = ref(source)
    del source
    assert left() is None
