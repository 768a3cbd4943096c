"""The ways a run can take: CVODE, SciPy; dense, band and sparse matrices.

All give what closed forms give.
"""

import numpy as np
import pytest

from acausal.results.result import Result
from acausal.simulate.jacobian import storage as newton_matrix
from tests.events.models import event_times, model
from tests.simulate.networks import Network, chain, full, tree
from tests.simulate.runs import go

PATHS = ("cvode", "lsoda", "radau")
E, G = 0.8, 9.81

BALL = """
  local h (start=1), v
  discrete n
  der(h) = v
  der(v) = -9.81
  when h < 0 and v < 0 then
    init(v) = -0.8*v
    new(n) = n + 1
  endwhen
"""

HEATER = """
  local T (start=10)
  discrete on (start=1)
  der(T) = 20*on - T
  when T > 15 then
    new(on) = 0
  elsewhen T < 12 then
    new(on) = 1
  endwhen
"""


def bounces(count: int) -> np.ndarray:
    """t_1 = sqrt(2/g), then flights of twice that, each 0.8 times the one before."""
    first = np.sqrt(2 / G)
    return first + np.concatenate([[0.0], np.cumsum(2 * first * E ** np.arange(1, count))])


@pytest.mark.parametrize("solver", PATHS)
def test_a_ball_bounces_at_the_same_times_on_every_path(solver: str) -> None:
    result = model(BALL, stop=2.5, tolerance=1e-9, solver=solver)
    np.testing.assert_allclose(event_times(result, "n"), bounces(4), atol=1e-7)


@pytest.mark.parametrize("solver", PATHS)
def test_a_heater_switches_at_the_same_times_on_every_path(solver: str) -> None:
    """From 10 to 15 in log(10/5), to 12 in log(15/12), to 15 in log(8/5), and so on."""
    result = model(HEATER, stop=3.0, tolerance=1e-9, solver=solver)
    times = np.cumsum([np.log(2), *[np.log(15 / 12), np.log(8 / 5)] * 4])[:8]
    np.testing.assert_allclose(event_times(result, "on"), times, atol=1e-6)


def end(result: Result, size: int) -> np.ndarray:
    return np.array([result.final[f"T[{i + 1}]"] for i in range(size)])


@pytest.mark.parametrize(("edges", "kind"), [(full(20), "dense"), (chain(60), "band"), (tree(220), "sparse")])
def test_networks_end_the_same_on_every_path(edges: list[tuple[int, int]], kind: str) -> None:
    size = 1 + max(max(edge) for edge in edges)
    network = Network(size, edges, loss=0.0)
    executable, exact = network.executable(), network.exact(1.0)
    for solver in ("cvode", "adams", "lsoda"):
        if kind == "sparse" and solver == "lsoda":
            continue
        result = go(executable, stop=1.0, interval=0.5, tolerance=1e-8, solver=solver)
        assert np.abs(end(result, size) - exact).max() < 1e-6
    assert newton_matrix.choose_matrix(executable, lambda: True).kind == kind


@pytest.mark.parametrize("kind", ["dense", "band", "sparse"])
def test_every_matrix_gives_the_same_run(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    network = Network(60, tree(60), loss=0.0)
    monkeypatch.setattr(newton_matrix, "_kind", lambda *_: kind)
    result = go(network.executable(), stop=1.0, tolerance=1e-8, solver="cvode")
    assert np.abs(end(result, 60) - network.exact(1.0)).max() < 1e-6
