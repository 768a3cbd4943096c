"""Problems of index 2 and 4 with closed solutions: the error falls with the tolerance over four decades and more."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate

INDEX2 = """model Index2
  local a (start=1), b, z (start=1)
  der(a) = a*b^2*z^2
  der(b) = a^2*b^2 - 3*b^2*z
  a^2*b = 1
end
"""
"""a = exp(t), b = exp(-2t), z = exp(2t): put in, all three equations hold. z stands squared, so that it must be
found by iteration from its start value (z = 1/2 would be another solution)."""

INDEX4 = """model Index4
  local p[2] (start=[1, 0]), v[2] (start=[0, sqrt(2)/3]), f[2] (start=[-2/9, sqrt(2)/9]), k
  der(p) = v
  der(v) = f
  der(f) = -k*p
  p[1]^2 + p[2]^2 = 1
end
"""
"""A point on the circle whose force changes along the radius only. With p = (cos q, sin q), w = der(q), radius r and
tangent s: f = der(w)*s - w^2*r, hence der(f) = (der(w, 2) - w^3)*s - 3*w*der(w)*r. So der(w, 2) = w^3, which
w = sqrt(2)/(3 - t) fulfils, and k = 3*w*der(w) = 6/(3 - t)^3."""

Exact = Callable[[np.ndarray], dict[str, np.ndarray]]


def exact2(t: np.ndarray) -> dict[str, np.ndarray]:
    return {"a": np.exp(t), "b": np.exp(-2 * t), "z": np.exp(2 * t)}


def exact4(t: np.ndarray) -> dict[str, np.ndarray]:
    q, w = -np.sqrt(2) * np.log((3 - t) / 3), np.sqrt(2) / (3 - t)
    c, s = np.cos(q), np.sin(q)
    return {
        "p[1]": c,
        "p[2]": s,
        "v[1]": -w * s,
        "v[2]": w * c,
        "f[1]": -(w**2) * c - w**2 / np.sqrt(2) * s,
        "f[2]": -(w**2) * s + w**2 / np.sqrt(2) * c,
        "k": 6 / (3 - t) ** 3,
    }


@pytest.mark.parametrize(
    ("text", "stop", "states", "differentiated", "exact"),
    [(INDEX2, 1.0, 1, 1, exact2), (INDEX4, 2.0, 3, 3, exact4)],
    ids=["index 2", "index 4"],
)
def test_convergence(tmp_path: Path, text: str, stop: float, states: int, differentiated: int, exact: Exact) -> None:
    """`differentiated`: how often the constraint is; one less than the index."""
    file = tmp_path / "model.mdl"
    file.write_text(text, encoding="utf-8")
    translation = translate(file)
    assert translation.statistics["states"] == states
    assert max(translation.stages.selection.reduced.index.differentiations) == differentiated
    errors = []
    for tolerance in (1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
        result = translation.simulate(stop=stop, interval=stop / 50, tolerance=tolerance)
        expected = exact(np.asarray(result.time))
        errors.append(max(np.abs(result[n] - x).max() / np.abs(x).max() for n, x in expected.items()))
    assert all(later < earlier for earlier, later in pairwise(errors))
    assert errors[0] < 3e-3
    assert errors[0] > 3e3 * errors[4]
    assert errors[5] < 3e-8
