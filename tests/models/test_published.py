"""Problems of the literature against the reference solutions of the Test Set for IVP Solvers.

F. Mazzia, C. Magherini: Test Set for Initial Value Problem Solvers, release 2.4 (2008), Department of Mathematics,
University of Bari: the values at the end of the interval, computed there in quadruple precision or with tolerances
far below ours.
"""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate

ANDREWS = {
    "be": 15.81077119629904,
    "th": -15.75637105984298,
    "ga": 0.04082224013073101,
    "ph": -0.5347301163226948,
    "de": 0.5244099658805304,
    "om": 0.5347301163226948,
    "ep": 1.048080741042263,
}

ROBERTSON = """model Robertson
  local a (start=1, fixed=true, nominal=1e-6), b (start=0, fixed=true, nominal=1e-12), c (start=0)
  der(a) = -0.04*a + 1e4*b*c
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2
  a + b + c = 1
end
"""

PLACES = ((3, 3), (3, -3), (-1, 2), (-3, 0), (2, 0), (-2, -4), (2, 4))
SPEEDS = {6: (1.75, 0), 7: (-1.5, 0), 4: (0, -1.25), 5: (0, 1)}
PLEIADES_X = (
    0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310,
    0.3425581707156584, 1.562172101400631, -0.7003092922212495,
)  # fmt: skip
PLEIADES_Y = (
    -3.943437585517392, -3.271380973972550, 5.225081843456543, -2.590612434977470,
    1.198213693392275, -0.2429682344935824, 1.091449240428980,
)  # fmt: skip


def test_andrews_squeezing_mechanism() -> None:
    """Seven bodies, index 3: six correct digits at 1e-9, more with less tolerance; two states are left."""
    translation = translate(Path(__file__).parent / "listings" / "andrews.mdl")
    assert translation.statistics["states"] == 2
    errors = []
    for tolerance in (1e-7, 1e-9, 1e-11):
        final = translation.simulate(stop=0.03, tolerance=tolerance).final
        errors.append(max(abs(final[name] / value - 1) for name, value in ANDREWS.items()))
    assert errors[1] < 5e-7
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 5e-9


def test_andrews_loops_stay_closed() -> None:
    """The six loop equations of the book, written anew here."""
    result = translate(Path(__file__).parent / "listings" / "andrews.mdl").simulate(tolerance=1e-9, interval=1e-4)
    be, th, ga, ph, de, om, ep = (result[name] for name in ANDREWS)
    crank = 0.007 * np.exp(1j * be) - 0.028 * np.exp(1j * (be + th))
    loops = (
        crank + 0.035j * np.exp(1j * ga) - (-0.03635 + 0.03273j),
        crank + (0.02j * np.exp(1j * (ph + de)) - 0.04 * np.exp(1j * de)) - (-0.06934 - 0.00227j),
        crank + (-0.02 * np.exp(1j * (om + ep)) + 0.04j * np.exp(1j * ep)) - (-0.06934 - 0.00227j),
    )
    assert max(np.abs(loop).max() for loop in loops) < 1e-12


def test_robertsons_reaction(tmp_path: Path) -> None:
    """Index 1, rate constants over nine decades, to t = 1e11."""
    file = tmp_path / "robertson.mdl"
    file.write_text(ROBERTSON, encoding="utf-8")
    translation = translate(file)
    assert translation.statistics["states"] == 2
    final = translation.simulate(stop=1e11, interval=1e10, tolerance=1e-10).final
    assert final["a"] == pytest.approx(0.2083340149701255e-7, rel=1e-6)
    assert final["b"] == pytest.approx(0.8333360770334713e-13, rel=1e-6)
    assert final["c"] == pytest.approx(0.9999999791665050, rel=1e-12)


def pleiades() -> str:
    """Seven stars in the plane, the k-th of mass k."""
    lines = ["model class Star", "  parameter x0, y0, u0=0, v0=0"]
    lines += ["  terminal r[2] (start=[x0, y0], fixed=true), w[2] (start=[u0, v0], fixed=true), pull[2]"]
    lines += ["  der(r) = w", "  der(w) = pull", "end", "model Pleiades"]
    for k, (x, y) in enumerate(PLACES, 1):
        u, v = SPEEDS.get(k, (0, 0))
        lines.append(f"  submodel (Star) s{k}(x0={x}, y0={y}, u0={u}, v0={v})")
    for k in range(1, 8):
        terms = [f"{j}*(s{j}.r - s{k}.r)/norm(s{j}.r - s{k}.r)^3" for j in range(1, 8) if j != k]
        lines.append(f"  s{k}.pull = {' + '.join(terms)}")
    return "\n".join([*lines, "end", ""])


def test_pleiades(tmp_path: Path) -> None:
    """Near encounters; the errors of positions fall with the tolerance."""
    file = tmp_path / "pleiades.mdl"
    file.write_text(pleiades(), encoding="utf-8")
    translation = translate(file)
    assert translation.statistics["states"] == 28
    errors = []
    for tolerance in (1e-7, 1e-9, 1e-11):
        final = translation.simulate(stop=3, tolerance=tolerance).final
        x = [abs(final[f"s{k}.r[1]"] - value) for k, value in enumerate(PLEIADES_X, 1)]
        y = [abs(final[f"s{k}.r[2]"] - value) for k, value in enumerate(PLEIADES_Y, 1)]
        errors.append(max(x + y))
    assert errors[0] > 30 * errors[1] > 900 * errors[2]
    assert errors[2] < 1e-7
