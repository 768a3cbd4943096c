"""Noise of discrete.lib: its generators in whole-number arithmetic, for any solver, and their distribution."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kstest

from acausal.pipeline import translate

FIRST, SECOND = 2147483563, 2147483399
"""Moduli of P. L'Ecuyer, Comm. ACM 31 (1988)."""
COUNT = 2000
BODY = """@discrete.lib
model M
  submodel (uniformnoise) u1(seed=1, low=2, high=5, h=0.01), u2(seed=2, h=0.01)
  submodel (normalnoise) n1(seed=3, mean=1, deviation=0.5, h=0.01), n2(seed=4, h=0.01), n3(seed=4, h=0.01, t0=0.105)
  local x (start=0, fixed=true)
  der(x) = n1.y - x
end
"""


def mixed(s: int) -> int:
    for _ in range(3):
        s = (40014 * s + (s // 32768) * (s % 32768) + 1) % FIRST
    return s


def pairs(seed: int) -> np.ndarray:
    """Pairs of both sequences."""
    s1 = mixed((69069 * seed + 12345) % FIRST)
    s2 = mixed(s1)
    z1, z2 = 1 + s1 % (FIRST - 1), 1 + s2 % (SECOND - 1)
    found = []
    for _ in range(COUNT):
        z1, z2 = 40014 * z1 % FIRST, 40692 * z2 % SECOND
        found.append((z1, z2))
    return np.array(found)


def even(seed: int) -> np.ndarray:
    z1, z2 = pairs(seed).T
    return (1 + (z1 - z2) % (FIRST - 1)) / FIRST


def normal(seed: int) -> np.ndarray:
    z1, z2 = pairs(seed).T
    return np.sqrt(-2 * np.log(z1 / FIRST)) * np.cos(2 * np.pi * z2 / SECOND)


@pytest.mark.parametrize("solver", ["cvode", "RK45"])
def test_same_numbers_for_any_solver(solver: str, tmp_path: Path) -> None:
    file = tmp_path / "m.mdl"
    file.write_text(BODY, encoding="utf-8")
    result = translate(file).simulate(stop=2.0, solver=solver, tolerance=1e-5, interval=0.005)
    places = np.searchsorted(result.time, 0.01 * np.arange(199) + 0.0025)
    for name, expected in (
        ("u1.y", 2 + 3 * even(1)),
        ("u2.y", 2 * even(2) - 1),
        ("n1.y", 1 + 0.5 * normal(3)),
        ("n2.y", normal(4)),
    ):
        np.testing.assert_allclose(result[name][places], expected[:199], rtol=1e-14, atol=1e-14)
    numbers = np.transpose([result["n1.z1"][places], result["n1.z2"][places]])
    assert (numbers == pairs(3)[:199]).all()
    assert result.at(0.1)["n3.y"] == 0
    assert result.at(0.11)["n3.y"] == pytest.approx(normal(4)[0], rel=1e-14)


def test_distribution() -> None:
    """Kolmogorov and Smirnov's test, and correlations of neighbours and of seeds within four standard deviations."""
    evens, normals = [even(seed) for seed in range(1, 6)], [normal(seed) for seed in range(1, 6)]
    assert min(kstest(values, "uniform").pvalue for values in evens) > 1e-3
    assert min(kstest(values, "norm").pvalue for values in normals) > 1e-3
    limit = 4 / np.sqrt(COUNT)
    for values in (evens, normals):
        correlations = np.corrcoef(values) - np.eye(5)
        assert np.abs(correlations).max() < limit
        assert max(abs(np.corrcoef(v[1:], v[:-1])[0, 1]) for v in values) < limit
