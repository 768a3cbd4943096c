"""Multibody models against published results, energy, and the inverse of the direct model.

Published: Modelica Standard Library 4.0.0, reference results by the Modelica Association (Dymola 2020x,
DASSL, tolerance 1e-6): Mechanics.MultiBody.Examples.Elementary.Pendulum and DoublePendulum.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from tests.multibody.trees import random_tree, text

EXAMPLES = Path(__file__).parents[2] / "examples"

PENDULUM = """@{library}
@rotational.lib
model Pendulum
  submodel (Inertial) i(g=9.80665, ng2=-1)
  submodel (Revolute) rev(n3=1) (ic q=0, w=0)
  submodel (Body) b(m=1, r1=0.5, I33=0.001)
  submodel (damper) d(d=0.1)
  submodel (fixed) wall
  connect i to rev
  connect b at rev
  connect wall to d
  connect d:B at rev:Axis
end
"""
SWING = {
    "time": (0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0),
    "rev.q": (0.0, -1.946930014121353, -2.5807106529288384, -1.576188265893815, -0.8538272354948845,
              -2.1272177717414884, -1.6796346418362238),
    "rev.w": (0.0, -5.381712878422969, 3.174144551185202, -4.292337296167352, 1.5587461603343757,
              1.7188289920334532, -2.3181470285553574),
}  # fmt: skip
DOUBLE = {
    "time": (0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1, 2.4, 2.7, 3.0),
    "j1.q": (0.0, -0.9065821426382437, -2.093052640474986, -3.123882000983461, -2.1064903499475855,
             -1.488852169768769, -0.11377040442251513, -0.43505018231008813, -2.1116130946503873,
             -2.728882991631755, -2.317928561646287),
    "j1.w": (0.0, -4.339857125059951, -6.781296359130745, 0.9188708772533093, 5.070527895075278, 4.258107136997797,
             3.339889461223288, -5.628435333745044, 0.14607207039177894, -1.5275954742529783, 4.094110197278282),
    "j2.q": (0.0, 0.7341218657358395, -0.3647517227635464, 0.1587265462206812, -1.5163239021009718,
             1.3645773936555063, 0.030732770270636377, -0.6788318887649393, 0.09729508230077759,
             -1.3807791685586241, -1.73649166916319),
    "j2.w": (0.0, -0.6442164208458078, 6.545520949051915, -5.345523268087445, -1.169412116412885,
             4.843910520967264, -9.007791454466958, 6.005243038277972, -14.385807895311837, -0.44452093415278227,
             -0.05037670463449435),
}  # fmt: skip


@pytest.mark.parametrize("library", ["mbsdir.lib", "mbsinv.lib"])
def test_pendulum(tmp_path: Path, library: str) -> None:
    """One text, either library: with mbsinv.lib the acceleration comes from a linear equation."""
    file = tmp_path / "p.mdl"
    file.write_text(PENDULUM.replace("{library}", library), encoding="utf-8")
    translation = translate(file)
    assert translation.statistics["states"] == 2
    result = translation.simulate(stop=5, interval=0.001, tolerance=1e-9)
    for name in ("rev.q", "rev.w"):
        found = np.interp(SWING["time"], result.time, result[name])
        assert np.abs(found - SWING[name]).max() < 1e-4 * np.ptp(result[name])


def test_double_pendulum() -> None:
    result = translate(EXAMPLES / "double_pendulum.mdl").simulate(interval=0.001, tolerance=1e-9)
    for name in ("j1.q", "j1.w", "j2.q", "j2.w"):
        found = np.interp(DOUBLE["time"], result.time, result[name])
        assert np.abs(found - DOUBLE[name]).max() < 1e-4 * np.ptp(result[name])


def test_energy_of_a_spatial_chain_of_ten_links(tmp_path: Path) -> None:
    """Released from rest: kinetic and potential energy together stay as they were, 1e-6 over 10 s at 1e-9."""
    one = replace(random_tree(11, 1, ("Revolute",))[0], place=np.array([0.0, 0.3, 0.1]))
    axes = np.eye(3)
    joints = [replace(one, parent=k - 1, axis=axes[k % 3]) for k in range(10)]
    energies = "\n".join(f"  e{k} = {_energy(k, j.mass, j.centre, j.inertia)}" for k, j in enumerate(joints, 1))
    names = ", ".join(f"e{k}" for k in range(1, 11))
    total = " + ".join(f"e{k}" for k in range(1, 11))
    sums = f"  local {names}, energy\n{energies}\n  energy = {total}\n"
    model = text(joints, "mbsdir.lib").replace("\nend\n", f"\n{sums}end\n")
    file = tmp_path / "chain.mdl"
    file.write_text(model, encoding="utf-8")
    result = translate(file).simulate(stop=10, tolerance=1e-9)
    energy = result["energy"]
    potential = sum(j.mass for j in joints) * 9.81
    assert np.abs(energy - energy[0]).max() < 1e-6 * potential


def _energy(k: int, mass: float, centre: np.ndarray, inertia: np.ndarray) -> str:
    """Kinetic and potential energy of body k in the model's own variables."""
    c = "[" + ", ".join(repr(float(x)) for x in centre) + "]"
    i = "[" + "; ".join(", ".join(repr(float(x)) for x in row) for row in inertia) + "]"
    speed = f"(j{k}.v[4:6] + cross(j{k}.v[1:3], {c}))"
    return (
        f"0.5*{mass!r}*dot({speed}, {speed}) + 0.5*dot(j{k}.v[1:3], {i}*j{k}.v[1:3]) "
        f"+ 9.81*{mass!r}*(j{k}.r[3] + dot(j{k}.T[3, :], {c}))"
    )
