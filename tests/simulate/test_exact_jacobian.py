"""Exact Jacobians in the solvers: in all matrices of CVODE, in SciPy's methods."""

import ctypes
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from acausal.codegen.executable import Executable
from acausal.codegen.llvm.llvm_executable import LlvmExecutable
from acausal.codegen.native import exact_jacobian
from acausal.codegen.native.exact_jacobian import compile_exact
from acausal.pipeline import translate
from acausal.simulate.cvode.machine_code import DirectIntegrator
from acausal.simulate.jacobian import storage as newton_matrix
from acausal.simulate.jacobian.exact_filler import ExactFiller
from acausal.simulate.jacobian.exact_jacobian import exact_jacobian as exact_of
from acausal.simulate.jacobian.exact_jacobian_python import ExactArray
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.simulate.jacobian.sundials_library import sundials_library
from acausal.simulate.system.initialization import initial_states
from tests.domains.random_transistors import network
from tests.simulate.models import system
from tests.simulate.networks import Network, chain, tree
from tests.simulate.runs import go
from tests.simulate.test_jacobian import SETTINGS, numeric, random_model, system_of

SOLVERS = ("cvode", "radau", "bdf", "lsoda")


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact Jacobians for all programs."""
    monkeypatch.setattr(exact_jacobian, "is_wanted", lambda _: True)


def everywhere(kind: str) -> Callable[..., str]:
    return lambda *_: kind


@pytest.mark.usefixtures("wanted")
@pytest.mark.parametrize("kind", ["dense", "band", "sparse"])
@pytest.mark.parametrize("edges", [chain(40), tree(31)])
def test_the_matrix_of_cvode(kind: str, edges: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the closed form."""
    monkeypatch.setattr(newton_matrix, "BAND_FROM", 2)
    monkeypatch.setattr(newton_matrix, "_kind", everywhere(kind))
    heat = Network(1 + max(map(max, edges)), edges)
    system = system_of(heat.executable())
    y = heat.start + 0.25
    library = sundials_library()
    assert library is not None
    solver = DirectIntegrator(system, heat.start.copy(), SETTINGS, "BDF", library)
    plan, filler = solver.matrix, solver.cvode.memory.filler
    assert plan.kind == kind
    assert isinstance(filler, ExactFiller)
    solver.advance(1e-3, 1.0)
    assert filler.filled
    there = y[plan.order] if kind == "band" else y.copy()
    context = library.context()
    vector = library.N_VMake_Serial(len(y), there.ctypes.data, context)
    fill = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *[ctypes.c_void_p] * 7)(filler.function)
    numbers_of(filler, plan)[:] = 0.0  # as SUNDIALS does
    assert fill(0.0, vector, vector, None, solver.cvode.context.address, None, None, None) == 0
    np.testing.assert_allclose(matrix_of(filler, solver), heat.jacobian(y), rtol=1e-13, atol=1e-13)


def dense(values: np.ndarray, plan: NewtonMatrix) -> np.ndarray:
    """A sparse matrix with all zeros."""
    found = np.zeros((plan.size, plan.size))
    found[plan.rows, np.repeat(np.arange(plan.size), np.diff(plan.first_of_column))] = values
    return found


def numbers_of(filler: ExactFiller, plan: NewtonMatrix) -> np.ndarray:
    """The numbers of SUNDIALS' matrix: entries, columns, or columns of diagonals with room for pivoting."""
    rows = plan.size if plan.kind == "dense" else min(plan.size - 1, plan.lower + plan.upper) + plan.lower + 1
    count = len(plan.rows) if plan.kind == "sparse" else rows * plan.size
    return np.ctypeslib.as_array(ctypes.cast(filler.values, ctypes.POINTER(ctypes.c_double)), (count,))


def matrix_of(filler: ExactFiller, solver: DirectIntegrator) -> np.ndarray:
    """What stands in SUNDIALS' matrix, states in their own order."""
    plan, n = solver.matrix, solver.matrix.size

    numbers = numbers_of(filler, plan)
    if plan.kind == "sparse":
        return dense(numbers, plan)
    if plan.kind == "dense":
        return numbers.reshape(n, n).T
    columns, stored = numbers.reshape(n, -1), min(n - 1, plan.lower + plan.upper)
    found = np.zeros((n, n))
    for j in range(n):
        for i in range(max(0, j - plan.upper), min(n, j + plan.lower + 1)):
            found[plan.order[i], plan.order[j]] = columns[j, i - j + stored]
    return found


@pytest.mark.usefixtures("wanted")
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_takes_it(solver: str) -> None:
    """A network of heat without loss, by the eigenvalues of its matrix; 3e-4 as 1e-6 is the tolerance of one step."""
    heat = Network(40, chain(40), loss=0.0)
    result = go(heat.executable(), stop=1.0, interval=0.5, solver=solver)
    found = [result.final[f"T[{i + 1}]"] for i in range(40)]
    np.testing.assert_allclose(found, heat.exact(1.0), rtol=3e-5)


@pytest.mark.parametrize("solver", ["cvode", "radau", "bdf"])
def test_it_spares_the_evaluations_of_differences(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def calls(wanted: bool) -> int:
        monkeypatch.setattr(exact_jacobian, "is_wanted", lambda _: wanted)
        monkeypatch.setattr(newton_matrix, "BAND_FROM", 1000)
        executable: Executable = Network(40, chain(40)).executable()
        stats = go(executable, stop=1.0, interval=0.5, solver=solver).stats
        assert stats.jacobians
        assert (stats.matrix == "dense, exact") == (wanted and solver == "cvode")
        return stats.rhs_calls

    assert calls(wanted=True) + 40 <= calls(wanted=False)


@pytest.mark.usefixtures("wanted")
@pytest.mark.parametrize("solver", SOLVERS)
def test_infinite_slopes(solver: str) -> None:
    """dy/dt = 1 - sqrt y from 0, where the slope of the root is infinite: t = -2(sqrt y + log(1 - sqrt y))."""
    executable = system(lambda q, y: [q.sub(q.const(1.0), q.call("sqrt", y[0]))], {"y": 0.0})
    root = go(executable, stop=1.0, interval=0.5, tolerance=1e-8, solver=solver).final["y"] ** 0.5
    assert -2 * (root + np.log(1 - root)) == pytest.approx(1.0, rel=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_random_formulas(seed: int) -> None:
    """Against SciPy's central differences."""
    executable = random_model(seed).executable()
    assert isinstance(executable, LlvmExecutable)
    system = system_of(executable)
    y = initial_states(system, 0.0)
    made = compile_exact(executable.program, executable.digest)
    assert made is not None
    np.testing.assert_allclose(ExactArray(system, made)(0.0, y), numeric(system, y), rtol=1e-6, atol=1e-7)


def resting_circuit(seed: int) -> str:
    """Random transistors, of which some have junction capacitances: the others' currents come out of a Newton block."""
    resistors, transistors, nodes = network(Random(seed))
    body = [f"submodel (source) V(V=2)\nsubmodel (ground) G\nnode v, g, {', '.join(nodes)}"]
    body += ["connect G at g, V at (g, v)"]
    for k, (first, second, ohms) in enumerate(resistors):
        body.append(f"submodel (resistor) R{k}(R={ohms!r})\nconnect R{k} at ({first}, {second})")
    for k, (collector, base, emitter, polarity) in enumerate(transistors):
        kind = (
            "(npn) Q{}(BF=200, VAF=125, CJE=1e-12, CJC=1e-12, TF=1e-9" if polarity > 0 else "(pnp) Q{}(BF=50, TF=5e-9"
        )
        body.append(f"submodel {kind.format(k)}, IS=1e-14)\nconnect Q{k} at ({collector}, {base}, {emitter})")
    return "\n".join(["@semiconductors.lib", "model M", *body, "end", ""])


@pytest.mark.parametrize("seed", [28, 38, 41])
def test_what_is_at_rest_stays_there(seed: int, tmp_path: Path) -> None:
    """With differences the errors of Newton blocks drive these circuits away from their operating points."""
    file = tmp_path / "m.mdl"
    file.write_text(resting_circuit(seed), encoding="utf-8")
    translation = translate(file)
    assert exact_of(translation.steady_state.executable) is not None
    result = translation.simulate(stop=1e-6, interval=1e-8, tolerance=1e-6, steady=True)
    for name in [n for n in result.names if n.endswith((".vbe", ".vbc"))]:
        np.testing.assert_allclose(result[name], result[name][0], rtol=1e-5, atol=1e-7)
