"""Newton's matrix as a diagonal and an outer product: many states that act on each other through one quantity."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import expm

from acausal.pipeline import translate
from acausal.runtime.cvode import matrix_sum

FEEDERS = """\
model Feeders
  constant N=120
  local i[N]
  local bus
  bus = 100 - Rs*sum(i)
  for k = 1 to N
    der(i[k]) = (bus - (5 + k/10)*i[k])*10{more}
  endfor
  parameter Rs = 0.01
  experiment (stop=0.05, tolerance=1e-9)
end
"""


GAMMA = 0.3


def content(jacobian: np.ndarray) -> SimpleNamespace:
    n = len(jacobian)
    room = {name: np.zeros(n) for name in ("diagonal", "left", "right", "errors")}
    return SimpleNamespace(size=n, jacobian=jacobian.T.ravel().copy(), entries=np.zeros(n * n), **room)


def is_sum(c: SimpleNamespace) -> bool:
    c.is_sum = int(matrix_sum.split_sum(c))  # type: ignore[arg-type]
    matrix_sum.make_matrix(c, GAMMA)  # type: ignore[arg-type]
    return bool(c.is_regular)


def solved(c: SimpleNamespace, b: np.ndarray) -> np.ndarray:
    def vector(values: np.ndarray) -> SimpleNamespace:
        return SimpleNamespace(content=SimpleNamespace(values=values))

    x = np.zeros(len(b))
    assert matrix_sum.solve_sum(SimpleNamespace(content=c), 0, vector(x), vector(b), 0.0) == 0  # type: ignore[arg-type]
    return x


@pytest.mark.parametrize("seed", range(20))
def test_sums_are_found_and_solved(seed: int) -> None:
    """Against LAPACK, also where some entries of the outer product are 0."""
    chance = np.random.default_rng(seed)
    n = int(chance.integers(3, 12))
    left, right = chance.normal(size=(2, n))
    if n > 6:
        left[chance.integers(n, size=2)] = 0.0
    jacobian = -np.diag(chance.uniform(1, 3, n)) + np.outer(left, right)
    matrix = np.eye(n) - GAMMA * jacobian
    c, b = content(jacobian), chance.normal(size=n)
    if is_sum(c):
        assert solved(c, b) == pytest.approx(np.linalg.solve(matrix, b), rel=1e-6, abs=1e-6)
    else:  # cancellation
        diagonal = np.diag(matrix) + GAMMA * left * right
        assert min(abs(diagonal) / abs(np.diag(matrix))) < 1e-5 or n < 4 or not left.all()


def test_other_matrices_are_left_to_lapack() -> None:
    """With all their entries."""
    chance = np.random.default_rng(1)
    full = chance.normal(size=(6, 6))
    rank_two = np.diag(np.arange(1.0, 7.0)) + full[:, :2] @ full[:2]
    for jacobian in (full, np.eye(6), np.diag(np.ones(5), 1) + np.eye(6), rank_two):
        c = content(jacobian)
        assert not is_sum(c)
        expected = np.eye(6) - GAMMA * jacobian
        assert np.allclose(c.entries.reshape(6, 6).T, expected, rtol=1e-15)


def test_a_sum_as_exact_as_the_step_needs() -> None:
    """Entries beside the outer product count as much as the step is long."""
    jacobian = -np.eye(6) + np.outer(np.ones(6), np.ones(6))
    jacobian[2, 4] += 1e-3
    c = content(jacobian)
    assert not is_sum(c)
    matrix_sum.make_matrix(c, 0.01)  # type: ignore[arg-type]
    assert c.is_regular
    b = np.arange(6.0)
    assert solved(c, b) == pytest.approx(np.linalg.solve(np.eye(6) - 0.01 * jacobian, b), rel=1e-4)


@pytest.mark.parametrize("more", ["", " + i[mod(k, N) + 1]"])
def test_currents_of_feeders_on_one_bus(tmp_path: Path, more: str) -> None:
    """Against the matrix exponential; with neighbors that act on each other the matrix is no such sum."""
    (tmp_path / "m.mdl").write_text(FEEDERS.replace("{more}", more))
    r = translate(tmp_path / "m.mdl").simulate()
    n = 120
    a = -10 * (np.diag(5 + np.arange(1, n + 1) / 10) + 0.01)
    if more:
        a += np.roll(np.eye(n), 1, axis=1)
    steady = np.linalg.solve(a, np.full(n, -1000.0))
    expected = steady - expm(a * 0.05) @ steady
    assert [r[f"i[{k}]"][-1] for k in range(1, n + 1)] == pytest.approx(expected, rel=1e-6)
    assert r.stats.matrix == "dense"


def test_sweeps_use_it(tmp_path: Path) -> None:
    """With a resistance of its own in each run, as single runs have it."""
    (tmp_path / "m.mdl").write_text(FEEDERS.replace("{more}", ""))
    t = translate(tmp_path / "m.mdl")
    runs = t.sweep({"Rs": [0.01, 0.5]}, final=["i[1]"])
    for number, value in enumerate((0.01, 0.5)):
        alone = float(t.simulate(parameters={"Rs": value})["i[1]"][-1])
        assert float(runs["final(i[1])"][number]) == pytest.approx(alone, rel=1e-8)
