"""Linear circuits and drives against closed forms and the matrix exponential."""

from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

from acausal.pipeline import translate
from acausal.results.result import Result

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(text: str, folder: Path, states: int, **simulate: float) -> Result:
    """The result of a model file; `states` is how many states it must have."""
    file = folder / "model.mdl"
    file.write_text(text, encoding="utf-8")
    translation = translate(file)
    assert translation.statistics["states"] == states
    return translation.simulate(**simulate)  # type: ignore[arg-type]


def linear(matrix: np.ndarray, right: np.ndarray, start: np.ndarray, times: np.ndarray) -> np.ndarray:
    """x' = A x + b from x(0), by the matrix exponential of the augmented system; rows are times."""
    size = len(start)
    augmented = np.zeros((size + 1, size + 1))
    augmented[:size, :size], augmented[:size, size] = matrix, right
    return np.array([(expm(augmented * t) @ np.append(start, 1.0))[:size] for t in times])


def close(result: Result, expected: dict[str, np.ndarray], tolerance: float) -> None:
    """Every variable within `tolerance` of its range (of its size, where it is constant)."""
    for name, values in expected.items():
        span = np.ptp(values) if np.ptp(values) > 1e-9 * np.abs(values).max() else np.abs(values).max()
        assert np.abs(result[name] - values).max() <= tolerance * max(span, 1e-12), name


def test_rlc_all_variables(tmp_path: Path) -> None:
    """Series R L C on a constant voltage, underdamped: u_C = U (1 - e^-at (cos wt + a/w sin wt))."""
    volts, ohm, henry, farad = 10.0, 2.0, 0.01, 1e-4
    text = """@electrical.lib
model RLC
  submodel (source) U(V=10)
  submodel (resistor) R(R=2)
  submodel (inductor) L(L=0.01) (ic i=0)
  submodel (capacitor) C(C=1e-4) (ic u=0)
  submodel (ground) G
  connect G - U - R - L - C - G
end
"""
    result = run(text, tmp_path, 2, stop=0.05, tolerance=1e-8)
    t = result.time
    a, w = ohm / (2 * henry), np.sqrt(1 / (henry * farad) - (ohm / (2 * henry)) ** 2)
    u = volts * (1 - np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t)))
    i = volts / (w * henry) * np.exp(-a * t) * np.sin(w * t)
    slope = volts / henry * np.exp(-a * t) * (np.cos(w * t) - a / w * np.sin(w * t))
    zero = 0 * t
    expected = {
        "C.u": u, "L.u": henry * slope, "R.u": ohm * i, "U.u": zero - volts, "U.e": zero + volts,
        "U.i": i, "R.i": i, "L.i": i, "C.i": i, "G.V": zero, "U.Va": zero, "U.Vb": zero + volts, "R.Va": zero + volts,
        "R.Vb": volts - ohm * i, "L.Va": volts - ohm * i, "L.Vb": u, "C.Va": u, "C.Vb": zero,
        "der(L.i)": slope, "der(C.u)": i / farad,
    }  # fmt: skip
    close(result, expected, 1e-6)
    assert set(result.names) <= {*expected, "time"}


def test_motor_with_a_small_amplitude(tmp_path: Path) -> None:
    """0.2 mV lift the arm by less than 1e-3 rad: sin phi is phi to 1e-7, and the system linear."""
    volts, ra, la, k, j, n, m, length, d, g = 2e-4, 0.5, 0.005, 0.05, 1e-4, 40, 2, 0.4, 0.5, 9.81
    text = (EXAMPLES / "dc_motor.mdl").read_text(encoding="utf-8").replace("U(V=12)", "U(V=2e-4)")
    result = run(text, tmp_path, 3, stop=3, tolerance=1e-9)
    inertia, stiffness = m * length**2 + n**2 * j, m * g * length
    matrix = np.array([[-ra / la, 0, -k * n / la], [0, 0, 1], [n * k / inertia, -stiffness / inertia, -d / inertia]])
    exact = linear(matrix, np.array([volts / la, 0, 0]), np.zeros(3), result.time)
    assert 1e-5 < np.abs(exact[:, 1]).max() < 1e-3
    close(result, dict(zip(("La.i", "arm.phi", "arm.w"), exact.T, strict=True)), 1e-6)


SHAFTS = """@rotational.lib
model Shafts
  submodel (torquesource) T(T=3)
  submodel (inertia) J1(J=2) (ic phi=0, w=0)
  submodel (inertia) J2(J=0.5)
  {more}
  connect T to J1 to {path}
end
"""


@pytest.mark.parametrize(
    ("more", "path", "inertia", "ratio"),
    [("", "J2", 2.5, 1.0), ("submodel (gear) n(ratio=4)", "n to J2", 2 + 0.5 / 16, 4.0)],
    ids=["shaft - shaft", "shaft - gear - shaft"],
)
def test_rigid_shafts(tmp_path: Path, more: str, path: str, inertia: float, ratio: float) -> None:
    """Constant torque on both inertias: phi = T t^2 / 2J; two states, for the shafts turn together."""
    result = run(SHAFTS.replace("{more}", more).replace("{path}", path), tmp_path, 2, stop=2, tolerance=1e-8)
    w = 3 / inertia * result.time
    phi = w * result.time / 2
    close(result, {"J1.phi": phi, "J1.w": w, "J2.phi": phi / ratio, "J2.w": w / ratio}, 1e-6)


def test_two_springs_in_series(tmp_path: Path) -> None:
    """Spring - spring, with no inertia between: c = c1 c2/(c1 + c2), and the point between divides the angle."""
    text = """@rotational.lib
model Springs
  submodel (fixed) wall
  submodel (spring) c1(c=30), c2(c=60)
  submodel (inertia) J(J=0.2) (ic phi=1, w=0)
  connect wall to c1 to c2 to J
end
"""
    result = run(text, tmp_path, 2, stop=2, tolerance=1e-9)
    w = np.sqrt(20 / 0.2)
    phi = np.cos(w * result.time)
    angles = {"J.phi": phi, "c1.dphi": -phi * 2 / 3, "c2.dphi": -phi / 3}
    close(result, {**angles, "J.w": -w * np.sin(w * result.time)}, 1e-6)
