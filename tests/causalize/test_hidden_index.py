"""Systems whose structural index is too low: the constraint that a combination of their equations hides is found.

Models and solutions: Campbell, Petzold; Scholz, Steinbrecher 2015; Reissig, Martinson, Barton 2000; Campbell,
Griepentrog 1995; used by G. Tan, N. S. Nedialkov, J. D. Pryce, BIT 57 (2017) 845-865. The rest are made with known
solutions.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from acausal.checking import check
from acausal.pipeline import translate

Solution = Mapping[str, Callable[[np.ndarray], np.ndarray]]

CANCELLATION = """model M
  local x1 (start=2), x2 (start=1), x3, x4
  der(x1) = x3
  der(x2) = x4
  x1*x2 = (2 + sin(time))*cos(time)
  x1*x4 + x2*x3 + x1 + x2 = 2 + sin(time) + cos(time) + cos(time)^2 - (2 + sin(time))*sin(time)
end
"""
TIME_VARYING_PENCIL = """model M
  local x1, x2
  der(x1) + time*der(x2) = cos(time) - time*sin(time)
  x1 + time*x2 = sin(time) + time*cos(time)
end
"""
CONSTANT_PENCIL = """model M
  local x1, x2, x3
  der(x1) + der(x2) + x3 = cos(time) - sin(time) + exp(-time)
  der(x1) + der(x2) + x2 = cos(time) - sin(time) + cos(time)
  x1 + x2 = sin(time) + cos(time)
end
"""
ROBOT_ARM = """function a(z) = 2/(2 - cos(z)^2)
function b(z) = cos(z)/(2 - cos(z)^2)
function c(z) = sin(z)/(2 - cos(z)^2)
function d(z) = sin(z)*cos(z)/(2 - cos(z)^2)

model M
  local x1 (start=0), x2 (start=1), x3 (start=1), v1, v2, v3, u1, u2
  der(x1) = v1
  der(x2) = v2
  der(x3) = v3
  der(v1) = 2*c(x3)*(v1 + v3)^2 + v1^2*d(x3) + (2*x3 - x2)*(a(x3) + 2*b(x3)) + a(x3)*(u1 - u2)
  der(v2) = -2*c(x3)*(v1 + v3)^2 - v1^2*d(x3) + (2*x3 - x2)*(1 - 3*a(x3) - 2*b(x3)) - a(x3)*u1 + (a(x3) + 1)*u2
  der(v3) = -2*c(x3)*(v1 + v3)^2 - v1^2*d(x3) + (2*x3 - x2)*(a(x3) - 9*b(x3)) - 2*v1^2*c(x3) -
            d(x3)*(v1 + v3)^2 - (a(x3) + b(x3))*(u1 - u2)
  cos(x1) + cos(x1 + x3) = cos(1 - exp(time)) + cos(1 - time)
  sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time)
end
"""
EXPONENTIAL = """model M
  local x1, x2
  exp(der(x1) + der(x2)) = exp(cos(time) - sin(time))
  der(x1) + der(x2) + x1 - x2 = cos(time) - sin(time) + sin(time) - cos(time)
end
"""
PRODUCT = """model M
  local x (start=1), y (start=1), z (start=0.5), w
  (der(x) + der(y))*z = (exp(time) + 2*exp(2*time))*(2 + sin(time))
  (der(x) + der(y))*(z + 1) + x - y = (exp(time) + 2*exp(2*time))*(3 + sin(time)) + exp(time) - exp(2*time)
  z = 2 + sin(time)
  der(w) = -w
end
"""
sin, cos, exp = np.sin, np.cos, np.exp


@pytest.mark.parametrize(
    ("text", "states", "solution"),
    [
        (CANCELLATION, 0, {"x1": lambda t: 2 + sin(t), "x2": cos, "x3": cos, "x4": lambda t: -sin(t)}),
        (TIME_VARYING_PENCIL, 0, {"x1": sin, "x2": cos}),
        (CONSTANT_PENCIL, 0, {"x1": sin, "x2": cos, "x3": lambda t: exp(-t)}),
        (ROBOT_ARM, 0, {"x1": lambda t: 1 - exp(t), "x3": lambda t: exp(t) - t}),
    ],
    ids=["cancellation", "time-varying pencil", "constant pencil", "robot arm"],
)
def test_known_solutions(tmp_path: Path, text: str, states: int, solution: Solution) -> None:
    model = translate(_file(tmp_path, text))
    assert model.statistics["states"] == states
    result = model.simulate(stop=1)
    for name, exact in solution.items():
        np.testing.assert_allclose(result[name], exact(result.time), rtol=1e-8, atol=1e-8, err_msg=name)


def test_a_mass_matrix_that_is_singular_by_cancellation_beside_a_nonlinear_term(tmp_path: Path) -> None:
    """The sum of the first three equations is 0 = -a - 2*b - 3*c + d^3 + sin(time)."""
    body = "der(a - b) = -a + sin(time)\nder(b - a + 2*(b - c)) = -2*b + d^3\nder(2*(c - b)) = -3*c\nder(d) = c - d"
    model = translate(_file(tmp_path, f"model M\nlocal a (start=0.3), b, c, d (start=1)\n{body}\nend\n"))
    assert model.statistics["states"] == 3
    r = model.simulate(stop=5, tolerance=1e-9)
    a, b, c, d = (r[n] for n in "abcd")
    np.testing.assert_allclose(-a - 2 * b - 3 * c + d**3 + sin(r.time), 0, atol=1e-9)


@pytest.mark.parametrize("text", [EXPONENTIAL, PRODUCT], ids=["exponential", "product"])
def test_factors_that_hold_the_highest_derivatives(tmp_path: Path, text: str) -> None:
    """No linear combination with factors free of der(x) and der(y) is free of them: the system is augmented."""
    r = translate(_file(tmp_path, text)).simulate(stop=1, tolerance=1e-9)
    if text is EXPONENTIAL:
        np.testing.assert_allclose(r["x1"] - r["x2"], sin(r.time) - cos(r.time), atol=1e-8)
    else:
        np.testing.assert_allclose(r["x"] - r["y"], exp(r.time) - exp(2 * r.time), atol=1e-8)


def test_a_combination_that_holds_for_the_present_parameters_only(tmp_path: Path) -> None:
    """With k = 2 there is a hidden constraint, x = sin(time); with another k the same model is regular."""
    body = "der(x) = w\ny + z = x\nk*y + 2*z = 2*sin(time)\nw = y - z"
    model = translate(_file(tmp_path, f"model M\nparameter k=2\nlocal x, y, z, w\n{body}\nend\n"))
    assert model.statistics["states"] == 0
    r = model.simulate(stop=2)
    np.testing.assert_allclose(r["w"], cos(r.time), atol=1e-12)
    other = model.simulate(stop=2, parameters={"k": 3}, tolerance=1e-9)
    np.testing.assert_allclose(3 * other["y"] + 2 * other["z"], 2 * sin(other.time), atol=1e-9)
    assert np.abs(other["x"] - sin(other.time)).max() > 0.1


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_mixed_nilpotent_systems(tmp_path: Path, seed: int, whole: bool) -> None:
    """N*z' + z = g of index 1 to 4, mixed by dense matrices from both sides: structure sees ordinary equations."""
    rng = np.random.default_rng(seed)
    index = 1 + seed % 4
    size = index + 1 + int(rng.integers(0, 2))
    nilpotent = np.diag([1.0] * (index - 1) + [0.0] * (size - index), 1)
    rows, columns = (rng.integers(1, 5, (size, size)) + 4.0 * np.eye(size) for _ in range(2))
    if not whole:
        rows, columns = (m + rng.uniform(0, 1, (size, size)) for m in (rows, columns))
    mass, stiffness = rows @ nilpotent @ columns, rows @ columns
    text = [f"local {', '.join(f'x{i}' for i in range(size))}"]
    for m, k, r in zip(mass, stiffness, rows, strict=True):
        left = [f"{a!r}*der(x{i})" for i, a in enumerate(m.tolist()) if a]
        left += [f"{a!r}*x{i}" for i, a in enumerate(k.tolist())]
        text.append(f"{' + '.join(left)} = {' + '.join(f'{a!r}*sin({i + 1}*time)' for i, a in enumerate(r.tolist()))}")
    model = translate(_file(tmp_path, "model M\n" + "\n".join(text) + "\nend\n"))
    assert model.statistics["states"] == 0
    result = model.simulate(stop=1)
    exact = [np.zeros_like(result.time)] * size
    for i in reversed(range(size)):  # z[i] = g[i] - z[i + 1]'
        exact[i] = sum(
            (-1) ** k * (i + 1 + k) ** k * sin((i + 1 + k) * result.time + k * np.pi / 2)
            for k in range(index - i if i < index else 1)
        )
    found = columns @ np.array([result[f"x{i}"] for i in range(size)])
    np.testing.assert_allclose(found, np.array(exact), atol=1e-7)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("local x, y\nder(x) + der(y) = cos(time)\nx + y = sin(time)", "redundant"),
        ("local x, y\nder(x) + der(y) = cos(time)\nx + y = 2*sin(time)", "inconsistent"),
        ("parameter a=1, b=2\nlocal x, y\nx + y = a\n2*x + 2*y = b", "redundant"),
        ("parameter a=1, b=3\nlocal x, y\nx + y = a\n2*x + 2*y = b", "inconsistent"),
        ("local x, y\nx*y + x = 2\ntime*x*y + time*x = 2*time", "redundant"),
    ],
)
def test_nothing_is_called_inconsistent_without_proof(tmp_path: Path, body: str, words: str) -> None:
    """Only where all unknowns cancel: then what is left is zero or cannot be."""
    (found,) = check(_file(tmp_path, f"model M\n{body}\nend\n")).errors
    assert found.code == "S006"
    assert words in found.message


def _file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "m.mdl"
    file.write_text(text)
    return file
