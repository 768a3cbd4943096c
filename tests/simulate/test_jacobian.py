"""Patterns, groups and values of Jacobians: against closed forms, SciPy's differences and random models."""

import ctypes
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from scipy.optimize._numdiff import approx_derivative

from acausal.codegen.executable import Executable
from acausal.ir.expr import Expr
from acausal.runs import RunError
from acausal.simulate.cvode.machine_code import DirectIntegrator
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import make_signals
from acausal.simulate.jacobian import storage as newton_matrix
from acausal.simulate.jacobian.sparsity import find_pattern
from acausal.simulate.jacobian.storage import NewtonMatrix, choose_matrix
from acausal.simulate.jacobian.sundials_library import sundials_library
from acausal.simulate.system.initialization import initial_states
from acausal.simulate.system.parameters import parameter_values
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from tests.simulate.models import Model
from tests.simulate.networks import Network, chain, full, tree
from tests.simulate.runs import go

SETTINGS = Settings(0.0, 1.0, 0.1, 1e-6, "cvode")


def system_of(executable: Executable) -> System:
    program = executable.program
    p = parameter_values(executable, {})
    assert isinstance(p, np.ndarray)
    return System(executable, p, make_signals(program, {}, p, 0.0, 1.0), Delays(program, 0.0, 1.0))


def random_model(seed: int) -> Model:
    """Derivatives of random products and functions, with common parts, and linear blocks of two in between."""
    random = Random(seed)
    model = Model()
    q = model.pool
    states = [model.state("x", i + 1, start=random.uniform(0.5, 1.5)) for i in range(random.randrange(12, 30))]
    known: list[Expr] = list(states)
    for _ in range(random.randrange(20)):
        a, b = random.choice(known), random.choice(states)
        kind = random.choice(("mul", "sin", "add", "div"))
        known.append({
            "mul": q.mul(a, b), "sin": q.call("sin", a), "add": q.add(a, b), "div": q.div(a, q.add(b, q.const(2.0))),
        }[kind])  # fmt: skip
    for state in states:
        model.slope(state, q.add(*[q.mul(q.const(float(k + 1)), random.choice(known)) for k in range(2)]))
    return model


def numeric(system: System, y: np.ndarray) -> np.ndarray:
    """The Jacobian by SciPy's central differences."""

    def slopes(x: np.ndarray) -> np.ndarray:
        out = np.empty_like(x)
        system.slope(0.0, x, out)
        return out

    return np.asarray(approx_derivative(slopes, y, method="3-point"))


def filled(system: System, y: np.ndarray) -> np.ndarray:
    """The Jacobian as `runtime/cvode/jacobian` fills the sparse matrix of CVODE."""
    library = sundials_library()
    assert library is not None
    solver = DirectIntegrator(system, y, SETTINGS, "BDF", library)
    plan = solver.matrix
    assert plan.groups
    there, slopes = y.copy(), np.empty_like(y)
    system.slope(0.0, y, slopes)
    context = library.context()
    vectors = [library.N_VMake_Serial(len(y), array.ctypes.data, context) for array in (there, slopes)]
    filler = solver.cvode.memory.filler
    assert filler is not None
    fill = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *[ctypes.c_void_p] * 7)(filler.function)
    solver.advance(1e-3, 1.0)
    before = filler.filled
    assert before
    assert fill(0.0, *vectors, None, solver.cvode.context.address, None, None, None) == 0
    assert filler.filled == before + 1
    numbers = np.ctypeslib.as_array(ctypes.cast(filler.values, ctypes.POINTER(ctypes.c_double)), (len(plan.rows),))
    matrix = np.zeros((len(y), len(y)))
    columns = np.repeat(np.arange(plan.size), np.diff(plan.first_of_column))
    matrix[plan.rows, columns] = numbers
    return matrix


@pytest.fixture
def sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """All matrices sparse, however small."""
    monkeypatch.setattr(newton_matrix, "BAND_FROM", 2)
    monkeypatch.setattr(newton_matrix, "FULL", 2.0)
    monkeypatch.setattr(newton_matrix, "_kind", lambda *_: "sparse")


@pytest.mark.usefixtures("sparse")
@pytest.mark.parametrize("seed", range(12))
def test_patterns_of_random_models_hold_all_entries_and_groups_fit(seed: int) -> None:
    executable = random_model(seed).executable()
    system = system_of(executable)
    y = initial_states(system, 0.0)
    exact = numeric(system, y)
    pattern = find_pattern(executable.program)
    inside = np.zeros(exact.shape, dtype=bool)
    for row, columns in enumerate(pattern):
        inside[row, list(columns)] = True
    assert not exact[~inside].any()
    assert inside.sum() <= np.count_nonzero(np.abs(exact) > 1e-9) + len(y)  # but the diagonal none too many
    plan = choose_matrix(executable, lambda: True)
    for group in np.split(plan.columns, plan.first_of_group[1:-1]):
        assert inside[:, group].sum(axis=1).max() == 1
    assert sorted(plan.columns) == list(range(len(y)))
    np.testing.assert_allclose(filled(system, y), exact, rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("sparse")
@pytest.mark.parametrize("edges", [chain(40), tree(40), full(12)])
def test_the_matrix_is_filled(edges: list[tuple[int, int]]) -> None:
    size = 1 + max(max(edge) for edge in edges)
    network = Network(size, edges)
    system = system_of(network.executable())
    y = network.start + 0.25
    np.testing.assert_allclose(filled(system, y), network.jacobian(y), atol=1e-6)


@pytest.mark.usefixtures("sparse")
def test_small_states_are_moved_by_their_scale() -> None:
    """At 0 a share of the state would be no step at all."""
    network = Network(40, chain(40))
    system = system_of(network.executable())
    np.testing.assert_allclose(filled(system, np.zeros(40)), network.jacobian(np.zeros(40)), atol=1e-6)


@pytest.mark.parametrize(
    ("size", "edges", "kind", "groups", "evaluations"),
    [
        (9, full(9), "dense", 0, 9),
        (40, full(40), "dense", 0, 40),
        (25, chain(25), "dense", 0, 25),
        (100, chain(100), "band", 0, 3),
        (511, tree(511), "sparse", 6, 6),
    ],
)
def test_the_matrix_is_chosen_by_pattern_and_size(
    size: int, edges: list[tuple[int, int]], kind: str, groups: int, evaluations: int
) -> None:
    def chosen(has_sparse: bool) -> NewtonMatrix:
        return choose_matrix(Network(size, edges, loss=0.0).executable(), lambda: has_sparse)

    plan = chosen(has_sparse=True)
    assert plan.kind == kind
    assert groups - 1 <= plan.groups <= groups
    assert plan.lasting == max(51, 4 * evaluations)
    assert chosen(has_sparse=False).kind == ("band" if kind == "sparse" else kind)


def test_a_state_that_no_derivative_depends_on_has_its_diagonal() -> None:
    model = Model()
    q = model.pool
    states = [model.state("x", i + 1, start=1.0) for i in range(12)]
    for state in states:
        model.slope(state, q.const(2.0))
    assert find_pattern(model.executable().program) == tuple((i,) for i in range(12))
    assert go(model.executable(), stop=2.0).final["x[7]"] == pytest.approx(5.0)


@pytest.mark.usefixtures("sparse")
def test_a_matrix_that_is_never_used_is_freed() -> None:
    """SuperLU_MT crashes where one frees what it has not been given a matrix for."""
    system = system_of(Network(12, chain(12)).executable())
    library = sundials_library()
    assert library is not None
    solver = DirectIntegrator(system, initial_states(system, 0.0), SETTINGS, "BDF", library)
    assert solver.matrix.kind == "sparse"
    del solver


def test_derivatives_that_have_no_value_end_the_run() -> None:
    """dy/dt = -1/(2 sqrt y) from 1: y = (1 - 3/4 t)^(2/3) comes to 0 at t = 4/3, beyond which nothing is a number."""
    model = Model()
    q = model.pool
    states = [model.state("y", i + 1, start=1.0) for i in range(12)]
    model.slope(states[0], q.div(q.const(-0.5), q.call("sqrt", states[0])))
    for before, state in pairwise(states):
        model.slope(state, q.sub(before, state))
    with pytest.raises(RunError) as caught:
        go(model.executable(), stop=3.0)
    result = caught.value.result
    assert result.time[-1] == pytest.approx(4 / 3, abs=0.01)
    np.testing.assert_allclose(result["y[1]"], np.maximum(1 - 0.75 * result.time, 0) ** (2 / 3), atol=1e-4)
