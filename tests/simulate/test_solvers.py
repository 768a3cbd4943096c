"""Every solver against closed forms, and what it may cost."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import SimulationError, UsageError
from acausal.codegen.executable import Executable
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.simulate.cvode.machine_code import DirectIntegrator
from acausal.simulate.jacobian import sundials_library
from tests.simulate.models import Model, system
from tests.simulate.runs import go

SOLVERS = ("cvode", "adams", "rk45", "dop853", "radau", "bdf", "lsoda", "RK23")
STIFF = ("cvode", "radau", "bdf", "lsoda")


def decay() -> Executable:
    return system(lambda q, x: [q.neg(x[0])], {"x": 1.0})


def oscillator() -> Executable:
    return system(lambda q, x: [x[1], q.neg(x[0])], {"x": 1.0, "v": 0.0})


@pytest.mark.parametrize("solver", SOLVERS)
def test_decay(solver: str) -> None:
    r = go(decay(), stop=5.0, tolerance=1e-6, solver=solver)
    assert np.abs(r["x"] - np.exp(-r.time)).max() < 5e-6
    assert np.array_equal(r["der(x)"], -r["x"])
    assert r.stats.rhs_calls < 1000


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solution_that_ends_at_once(solver: str) -> None:
    """der(x) = 1e300*x^2 is infinite at t = 1e-300: LSODA took steps of length 0 for ever."""
    with pytest.raises(SimulationError, match="R002"):
        go(system(lambda q, x: [q.mul(q.const(1e300), q.mul(x[0], x[0]))], {"x": 1.0}), stop=1.0, solver=solver)


@pytest.mark.parametrize("solver", SOLVERS)
def test_oscillator(solver: str) -> None:
    r = go(oscillator(), stop=10.0, tolerance=1e-5, solver=solver)
    assert np.abs(r["x"] - np.cos(r.time)).max() < 2e-4
    assert np.abs(r["v"] + np.sin(r.time)).max() < 2e-4


@pytest.mark.parametrize("solver", STIFF)
def test_stiff_pair(solver: str) -> None:
    """Press et al., Numerical Recipes, section on stiff equations: u = 2 exp(-t) - exp(-1000 t)."""
    pair = system(
        lambda q, x: [
            q.add(q.mul(q.const(998), x[0]), q.mul(q.const(1998), x[1])),
            q.add(q.mul(q.const(-999), x[0]), q.mul(q.const(-1999), x[1])),
        ],
        {"u": 1.0, "v": 0.0},
    )
    r = go(pair, stop=5.0, tolerance=1e-6, solver=solver)
    assert np.abs(r["u"] - (2 * np.exp(-r.time) - np.exp(-1000 * r.time))).max() < 2e-5
    assert r.stats.rhs_calls < 1500


@pytest.mark.parametrize(("tolerance", "bound", "calls"), [(1e-4, 2e-3, 150), (1e-6, 2e-5, 300), (1e-8, 2e-7, 600)])
def test_error_and_cost_follow_the_tolerance(tolerance: float, bound: float, calls: int) -> None:
    r = go(oscillator(), stop=10.0, tolerance=tolerance)
    assert r.stats.solver == "cvode"
    assert np.abs(r["x"] - np.cos(r.time)).max() < bound
    assert r.stats.rhs_calls < calls


@pytest.mark.parametrize(("solver", "factor"), [("cvode", 1.02), ("dop853", 1.25)])
def test_output_times_cost_next_to_nothing(solver: str, factor: float) -> None:
    """DOP853 makes three more calls in a step in which there are output times."""
    few = go(oscillator(), stop=10.0, interval=5.0, solver=solver).stats.rhs_calls
    many = go(oscillator(), stop=10.0, interval=0.001, solver=solver).stats.rhs_calls
    assert many <= factor * few


def test_small_states_are_as_exact_as_large_ones() -> None:
    large, small = (
        go(system(lambda q, x: [x[1], q.neg(x[0])], {"x": size, "v": 0.0}), stop=10.0, tolerance=1e-8)
        for size in (1.0, 1e-3)
    )
    assert np.abs(large["x"] - np.cos(large.time)).max() < 1e-6
    assert np.abs(small["x"] / 1e-3 - np.cos(small.time)).max() < 1e-5


def test_nominal_values_scale_the_absolute_tolerance() -> None:
    def calls(nominal: float | None) -> int:
        model = Model()
        x = model.state("x", start=1e-9, nominal=nominal)
        v = model.state("v", start=0.0, nominal=nominal)
        model.slope(x, v)
        model.slope(v, model.pool.neg(x))
        r = go(model.executable(), stop=10.0)
        if nominal is not None:
            assert np.abs(r["x"] / 1e-9 - np.cos(r.time)).max() < 1e-4
        return r.stats.rhs_calls

    assert calls(1e-9) > 2 * calls(None)


def chain(size: int) -> Executable:
    """Heat along a rod, numbered so that neighbours are far apart."""
    model = Model()
    q = model.pool
    order = [(i * 37) % size for i in range(size)]
    states = {i: model.state("T", i + 1, start=1.0 if i == 0 else 0.0) for i in order}
    for i in order:
        around = [q.sub(states[j], states[i]) for j in (i - 1, i + 1) if 0 <= j < size]
        model.slope(states[i], q.add(*around))
    return model.executable()


def test_a_chain_is_solved_with_a_band_of_three_diagonals(monkeypatch: pytest.MonkeyPatch) -> None:
    bands = []
    plain = DirectIntegrator.__init__

    def spy(self: DirectIntegrator, *args: object) -> None:
        plain(self, *args)  # type: ignore[arg-type]  # as they come
        bands.append(self.matrix)

    monkeypatch.setattr(DirectIntegrator, "__init__", spy)
    size = 100
    r = go(chain(size), stop=5.0, tolerance=1e-8)
    matrix = np.diag(np.full(size, -2.0)) + np.eye(size, k=1) + np.eye(size, k=-1)
    matrix[0, 0] = matrix[-1, -1] = -1.0
    values, vectors = np.linalg.eigh(matrix)
    exact = vectors @ (np.exp(values * 5.0) * vectors[0])
    assert np.abs([r.final[f"T[{i + 1}]"] for i in range(size)] - exact).max() < 1e-7
    assert [(b.kind, b.lower, b.upper) for b in bands] == [("band", 1, 1)]
    assert r.stats.rhs_calls < 600


@pytest.mark.parametrize("name", ["euler", "callback"])
def test_unknown_solvers(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        go(decay(), solver=name)
    (found,) = caught.value.report.diagnostics
    assert (found.code, found.message) == ("F006", f"unknown solver {name}")
    assert found.help == "the solvers are auto, cvode, adams, rk45, rk23, dop853, radau, bdf, lsoda"


@pytest.mark.parametrize("name", ["cvode", "adams"])
@pytest.mark.parametrize("missing", ["scikit-sundae", "SUNDIALS library", "machine code"])
def test_without_cvode(name: str, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for, it is missed in the words of what is missing; `auto` is SciPy's LSODA then."""
    executable = decay()
    if missing == "machine code":
        executable = compile_numpy(executable.program)
    else:
        monkeypatch.setattr(sundials_library, "sundials_library", lambda: None)
        monkeypatch.setattr(sundials_library, "is_installed", lambda: missing == "SUNDIALS library")
    with pytest.raises(UsageError) as caught:
        go(executable, solver=name)
    (found,) = caught.value.report.diagnostics
    assert found.code == "F007"
    assert f"the solver {name} needs" in found.message and missing in found.message
    assert found.help is not None and "--solver lsoda" in found.help
    r = go(executable, stop=5.0)
    assert r.stats.solver == "scipy:LSODA"
    assert np.abs(r["x"] - np.exp(-r.time)).max() < 5e-6


@pytest.mark.parametrize("solver", ["cvode", "dop853"])
def test_a_failed_run_writes_nothing(tmp_path: Path, solver: str) -> None:
    """Neither the libraries behind the solvers nor NumPy, whose buffers are empty at the end of the process."""
    (tmp_path / "m.mdl").write_text("model M\n  local x (start=1)\n  der(x) = x^2*1e300\nend\n")
    code = f"""import acausal
for stop in (1, 1e308):
    try:
        acausal.translate({str(tmp_path / "m.mdl")!r}).simulate(stop=stop, solver={solver!r})
        raise SystemExit("no error")
    except acausal.RunError:
        pass
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
