"""Derivatives given by hand (language page, section 6): taken in place of symbolic ones, and used to select states.

Three links in a plane whose tip is held: two constraints on three angles, so that 2 of 6 states remain. The same
model with the position constraint alone, differentiated by the translator, is the independent reference.
"""

from pathlib import Path

import numpy as np
import pytest

from acausal.causalize.index.numeric_rank import dependence_at
from acausal.checking import check
from acausal.pipeline import translate
from acausal.symbolic.slopes import Point

COMMON = """
  local q[3] (start=[0.5, 0.9, -0.4]), qd[3], qdd[3], r[2], F[2], J[2, 3]
  qd = der(q)
  qdd = der(qd)
  r = [cos(q[1]) + cos(q[2]) + cos(q[3]) - 2, sin(q[1]) + sin(q[2]) + sin(q[3]) - 1]
  J = [-sin(q[1]), -sin(q[2]), -sin(q[3]); cos(q[1]), cos(q[2]), cos(q[3])]
  qdd = [0, -1, 0.5] - q + transpose(J)*F
"""
BY_HAND = """
  local v[2], a[2], dJ[2, 3]
  dJ = [-cos(q[1])*qd[1], -cos(q[2])*qd[2], -cos(q[3])*qd[3]; -sin(q[1])*qd[1], -sin(q[2])*qd[2], -sin(q[3])*qd[3]]
  v = J*qd
  a = J*qdd + dJ*qd
  r = [0, 0] derivative v = [0, 0] derivative a = [0, 0]
"""


def _translate(tmp_path: Path, text: str):
    file = tmp_path / "m.mdl"
    file.write_text(f"model M{text}\nend\n")
    return translate(file)


def test_the_chain_by_hand_gives_the_motion_of_the_chain_by_rule(tmp_path: Path) -> None:
    given = _translate(tmp_path, COMMON + BY_HAND)
    found = _translate(tmp_path, COMMON + "\n  r = [0, 0]")
    assert given.statistics["states"] == found.statistics["states"] == 2
    assert given.statistics["differentiated"] == 4  # two constraints, twice; found: the definition of qd besides
    one, other = (t.simulate(stop=10, tolerance=1e-10) for t in (given, found))
    q = np.array([[r[f"q[{i}]"] for i in (1, 2, 3)] for r in (one, other)])
    assert np.abs(np.cos(q[0]).sum(0) - 2).max() < 1e-12
    assert np.abs(np.sin(q[0]).sum(0) - 1).max() < 1e-12
    assert np.abs(one["v[1]"]).max() < 1e-12
    assert np.abs(q[0] - q[1]).max() < 1e-6
    assert np.abs(np.diff(q[0])).max() > 1e-3


def test_the_author_answers_for_it(tmp_path: Path) -> None:
    """What stands there is taken: with v = 1 in place of v = 0 the velocity of the tip is 1, whatever r says."""
    r = _translate(tmp_path, COMMON + BY_HAND.replace("derivative v = [0, 0]", "derivative v = [0.01, 0]")).simulate(
        stop=0.1
    )
    assert np.abs(r["v[1]"] - 0.01).max() < 1e-12


def test_a_chain_too_short_goes_on_by_rule(tmp_path: Path) -> None:
    """x = sin(time) with its velocity given: the acceleration is its derivative; the force follows."""
    body = "\n  local x, w, f\n  der(x) = w\n  der(w) = f\n  x = sin(time) derivative w = cos(time)"
    r = _translate(tmp_path, body).simulate(stop=3)
    assert np.abs(r["f"] + np.sin(r.time)).max() < 1e-12


def test_an_equation_that_need_not_be_differentiated_stays_as_it_is(tmp_path: Path) -> None:
    body = "\n  local x (start=1), y\n  der(x) = -y\n  y = x derivative y = 7"
    r = _translate(tmp_path, body).simulate(stop=1, tolerance=1e-9)
    assert np.abs(r["y"] - np.exp(-r.time)).max() < 1e-8


def _numeric(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "m.mdl"
    file.write_text(f"model M{text}\nend\n")
    assert not check(file).errors
    return [d.code for d in check(file, numeric=True).errors]


def test_check_numeric_finds_a_wrong_derivative(tmp_path: Path) -> None:
    assert _numeric(tmp_path, COMMON + BY_HAND) == []
    wrong = BY_HAND.replace("a = J*qdd + dJ*qd", "a = J*qdd - dJ*qd")
    assert _numeric(tmp_path, COMMON + wrong) == ["S008"]


def test_check_numeric_tells_what_ends_the_run(tmp_path: Path) -> None:
    """Off the circle the constraints have two gradients, on it one: the start is not determined."""
    body = """
  local x (start=0.6), y (start=0.8), u, v, f, g
  der(x) = u
  der(y) = v
  der(u) = x*f + (x + 0.5*y)*g
  der(v) = y*f + (y - 0.5*x)*g - 9.81
  x^2 + y^2 = 1
  (x^2 + y^2 - 1)*(2 + sin(x) + y) = 0"""
    assert _numeric(tmp_path, body) == ["R001"]


def test_dependence_at_points_of_a_run(tmp_path: Path) -> None:
    """At each of the points, where x = y, the equations for a and b are one; elsewhere they are two."""
    file = tmp_path / "m.mdl"
    file.write_text(
        "model M\nlocal x (start=1), y (start=1), a, b\nder(x) = -x\nder(y) = -y\na + b = 1\nx*a + y*b = x\nend\n"
    )
    stages = translate(file).stages
    leaf = {x.name: x for x in stages.selection.reduced.unknowns if not x.order}
    at = [Point(stages.dae.pool, 0, 1.0, {leaf["x",]: v, leaf["y",]: v}) for v in (1.0, 0.5)]
    assert dependence_at(stages.run, [*at, Point(stages.dae.pool, 1, 1.0)]) is None
    found = dependence_at(stages.run, at)
    assert found is not None
    assert len(found.equations) == 2


CRANK_SLIDER = """
  local q (start=0.7), b (start=-0.44354405), s (start=2.1), F[2], r[2], v[2], a[2], f[2]
  r = [cos(q) + 1.5*cos(b) - s, sin(q) + 1.5*sin(b)]
  v = [-sin(q)*der(q) - 1.5*sin(b)*der(b) - der(s), cos(q)*der(q) + 1.5*cos(b)*der(b)]
  f = [cos(q)*der(q)^2 + 1.5*cos(b)*der(b)^2, sin(q)*der(q)^2 + 1.5*sin(b)*der(b)^2]
  a = [-sin(q)*der(q, 2) - 1.5*sin(b)*der(b, 2) - der(s, 2), cos(q)*der(q, 2) + 1.5*cos(b)*der(b, 2)] - f
  0.8*der(q, 2) = -sin(q)*F[1] + cos(q)*F[2] - 3*cos(q)
  0.3*der(b, 2) = -1.5*sin(b)*F[1] + 1.5*cos(b)*F[2]
  0.5*der(s, 2) = -F[1]
  r = [0, 0]"""


@pytest.mark.parametrize("matrix", ["[0, 1; 1, 0]", "[1, 1; 0, 1]", "[0.6, 0.8; -0.8, 0.6]"])
@pytest.mark.parametrize("preference", ["", "avoid"])
def test_elements_that_are_combinations_of_those_before(tmp_path: Path, preference: str, matrix: str) -> None:
    """The second constraint does not have the slider's place, but a combination of both has its velocity."""
    text = CRANK_SLIDER.replace("start=0.7", f'start=0.7, state="{preference}"') if preference else CRANK_SLIDER
    initial = "\n  initial der(q) = 4"
    given = _translate(tmp_path, f"{text} derivative {matrix}*v = [0, 0] derivative {matrix}*a = [0, 0]{initial}")
    found = _translate(tmp_path, text + initial)
    assert given.statistics["states"] == found.statistics["states"] == 2
    one, other = (t.simulate(stop=4, tolerance=1e-9) for t in (given, found))
    assert np.ptp(other["q"]) > 6
    for name in ("q", "b", "s"):
        assert np.abs(one[name] - other[name]).max() < 1e-5
    energy = (0.8 * one["der(q)"] ** 2 + 0.3 * one["der(b)"] ** 2 + 0.5 * one["der(s)"] ** 2) / 2 + 3 * np.sin(one["q"])
    assert np.ptp(energy) < 1e-5


def test_combinations_where_nothing_ties_the_equations(tmp_path: Path) -> None:
    """A point that is led around a circle: each acceleration is determined by an equation alone."""
    body = """
  local p, x, y, f, g, v[2], a[2]
  p = 4*time
  v = [0, 1; 1, 0]*[der(x) + sin(p)*der(p), der(y) - cos(p)*der(p)]
  a = [0, 1; 1, 0]*[der(x, 2) + sin(p)*der(p, 2) + cos(p)*der(p)^2, der(y, 2) - cos(p)*der(p, 2) + sin(p)*der(p)^2]
  der(x, 2) = f
  der(y, 2) = g
  [x - cos(p), y - sin(p)] = [0, 0] derivative v = [0, 0] derivative a = [0, 0]"""
    r = _translate(tmp_path, body).simulate(stop=3)
    np.testing.assert_allclose(r["x"], np.cos(4 * r.time), atol=1e-9)
    np.testing.assert_allclose(r["f"], -16 * np.cos(4 * r.time), atol=1e-9)
    np.testing.assert_allclose(r["g"], -16 * np.sin(4 * r.time), atol=1e-9)


def test_a_velocity_of_two_names(tmp_path: Path) -> None:
    """With wb = der(b) both der(wb) and der(b, 2) may be chosen; below them there is one velocity, not two."""
    text = CRANK_SLIDER.replace("start=-0.44354405", 'start=-0.44354405, state="avoid"').replace("der(b)", "wb")
    text = text.replace("der(q)", "wq")
    names = '\n  local wq (state="avoid") = der(q), wb (state="prefer") = der(b)\n  initial wq = 4'
    matrix = "[0, 1; 1, 0]"
    t = _translate(tmp_path, f"{text} derivative {matrix}*v = [0, 0] derivative {matrix}*a = [0, 0]{names}")
    r = t.simulate(stop=4, tolerance=1e-8)
    energy = (0.8 * r["wq"] ** 2 + 0.3 * r["wb"] ** 2 + 0.5 * r["der(s)"] ** 2) / 2 + 3 * np.sin(r["q"])
    assert np.ptp(energy) < 1e-4 * energy[0]
    assert np.abs(np.cos(r["q"]) + 1.5 * np.cos(r["b"]) - r["s"]).max() < 1e-9
