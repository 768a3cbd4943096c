"""Relations that change the index: constraints begin with an impulse by the balance of momentum, and end.

Clutch, cup and ball: A. Benveniste, B. Caillaud, M. Malandain, The mathematical foundations of physical systems
modeling languages, Annual Reviews in Control 50 (2020) 72-118. Expected values are closed forms and integrations of
each phase by SciPy in coordinates of its own.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.base.diagnostics import ModelError
from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.runs import RunError

CLUTCH = """model Clutch
  parameter J1=1, J2=2
  local w1 (start=2), w2 (start=0), tau
  J1*der(w1) = -tau
  J2*der(w2) = tau
  if {} then
    w1 = w2
  else
    tau = 0
  endif
end
"""
CUP_AND_BALL = """model CupAndBall
  parameter L=1, m=1, g=9.81
  local x (start={}), y (start={}), vx (start={}), vy (start=0), F, s, slack
  der(x) = vx
  der(y) = vy
  m*der(vx) = -F*x
  m*der(vy) = -F*y - m*g
  L^2 - x^2 - y^2 = slack
  F = if s > 0 then s else 0
  slack = if s > 0 then 0 else -s
end
"""
G = 9.81


def made(tmp_path: Path, text: str, stop: float, **options: object) -> Result:
    file = tmp_path / "m.mdl"
    file.write_text(text)
    result: Result = translate(file).simulate(stop=stop, **options)  # type: ignore[arg-type]
    assert all(np.isfinite(result[name]).all() for name in result.names)
    assert not any("$" in change for event in result.events for change in event.changes)
    return result


@pytest.mark.parametrize("solver", ["auto", "dop853"])
@pytest.mark.parametrize("condition", ["time > 1", "time >= 1", "not time < 1", "time < 1", "time > -1"])
def test_clutch(tmp_path: Path, condition: str, solver: str) -> None:
    """Whenever it closes, also at the start: w = (J1*w1 + J2*w2)/(J1 + J2) = 2/3."""
    r = made(tmp_path, CLUTCH.format(condition), 2, solver=solver)
    assert r["w1"][-1] == pytest.approx(2 / 3, abs=1e-12)
    assert r["w2"][-1] == pytest.approx(2 / 3, abs=1e-12)
    if condition in ("time > 1", "time >= 1", "not time < 1"):
        assert [e.time for e in r.events] == [1]
        before = np.flatnonzero(r.time == 1)[0]
        assert (r["w1"][before], r["w2"][before]) == (2, 0)


def test_clutch_that_closes_again(tmp_path: Path) -> None:
    text = CLUTCH.format("sin(3*time) > 0.5").replace("= -tau", "= 3 - tau").replace("= tau\n", "= tau - w2/2\n", 1)
    r = made(tmp_path, text, 3.5, tolerance=1e-9)
    ends = [*sorted((a + 2 * np.pi * k) / 3 for a in (np.pi / 6, 5 * np.pi / 6) for k in range(2))[:4], 3.5]
    w, t = np.array([2.0, 0.0]), 0.0
    for number, end in enumerate(ends):
        if number % 2:
            w = np.full(2, (w[0] + 2 * w[1]) / 3)
            one = solve_ivp(lambda _, z: [(3 - z[0] / 2) / 3], (t, end), w[:1], rtol=1e-12, atol=1e-12)
            w = np.full(2, one.y[0, -1])
        else:
            w = solve_ivp(lambda _, z: [3, -z[1] / 4], (t, end), w, rtol=1e-12, atol=1e-12).y[:, -1]
        t = end
    np.testing.assert_allclose((r["w1"][-1], r["w2"][-1]), w, rtol=1e-7)


def test_cup_and_ball_falls_into_the_rope(tmp_path: Path) -> None:
    """Free fall until the rope is straight, then a pendulum with the tangential part of the velocity."""
    r = made(tmp_path, CUP_AND_BALL.format(0.6, -0.5, 0), 3, tolerance=1e-9)
    (event,) = r.events
    taut = np.sqrt(0.6 / G)
    assert event.time == pytest.approx(taut, abs=1e-9)
    angle = np.arctan2(0.6, 0.8)
    rate = -G * taut * np.sin(angle)
    pendulum = solve_ivp(
        lambda _, z: [z[1], -G * np.sin(z[0])], (taut, 3), [angle, rate], rtol=1e-12, atol=1e-12, dense_output=True
    )
    after = r.time > taut + 1e-6
    angles = pendulum.sol(r.time[after])[0]
    np.testing.assert_allclose(r["x"][after], np.sin(angles), atol=1e-7)
    np.testing.assert_allclose(r["y"][after], -np.cos(angles), atol=1e-7)
    before = r.time < taut
    np.testing.assert_allclose(r["y"][before], -0.5 - G * r.time[before] ** 2 / 2, atol=1e-7)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_cup_and_ball_leaves_the_rope_and_comes_back(tmp_path: Path, tolerance: float) -> None:
    """With 6 m/s at the lowest point the rope goes slack at cos(angle) = (2 - 36/g)/3, and is straight again later."""
    r = made(tmp_path, CUP_AND_BALL.format(0, -1, 6), 1.5, tolerance=tolerance)
    assert [e.changes for e in r.events] == [("s > 0 is false",), ("s > 0 is true",)]
    level = (36 / G - 2) / 3  # height of the release over the center
    angle = np.arccos(-level)
    swing = solve_ivp(
        lambda _, z: [z[1], -G * np.sin(z[0])],
        (0, 1),
        [0, 6],
        rtol=1e-12,
        atol=1e-12,
        events=lambda _, z: z[0] - angle,
    )
    release, rate = swing.t_events[0][0], swing.y_events[0][0][1]
    assert r.events[0].time == pytest.approx(release, abs=100 * tolerance)
    x0, y0 = np.sin(angle), -np.cos(angle)
    vx, vy = rate * np.cos(angle), rate * np.sin(angle)
    flight = np.roots([G * G / 4, -vy * G, vx**2 + vy**2 - y0 * G, 2 * (x0 * vx + y0 * vy)])
    duration = max(root.real for root in flight if abs(root.imag) < 1e-9)
    assert r.events[1].time == pytest.approx(release + duration, rel=1e-4, abs=100 * tolerance)
    position = np.array([x0 + vx * duration, y0 + vy * duration - G * duration**2 / 2])
    velocity = np.array([vx, vy - G * duration])
    velocity -= (velocity @ position) * position
    first = np.flatnonzero(r.time == r.events[1].time)[-1]
    np.testing.assert_allclose((r["vx"][first], r["vy"][first]), velocity, atol=1e-3)
    assert r["slack"].min() > -100 * tolerance


def test_an_ideal_switch_breaks_an_inductor(tmp_path: Path) -> None:
    """The current becomes zero at once, and begins again from zero."""
    text = """@electrical.lib
model class (twopin) ideal
  terminal on
  0 = if on > 0 then u else i
end
model M
  submodel (source) U(V=10)
  submodel (ideal) S
  submodel (inductor) L1(L=1) (ic i=0)
  submodel (resistor) R(R=1)
  submodel (ground) G
  S.on = if time < 1 or time > 2 then 1 else -1
  connect G - U - S - L1 - R - G
end
"""
    r = made(tmp_path, text, 3, tolerance=1e-9)
    np.testing.assert_allclose(r["L1.i"][r.time < 1], 10 * (1 - np.exp(-r.time[r.time < 1])), atol=1e-7)
    off = (r.time > 1) & (r.time < 2)
    np.testing.assert_allclose(r["L1.i"][off], 0, atol=1e-12)
    np.testing.assert_allclose(r["L1.i"][r.time > 2], 10 * (1 - np.exp(2 - r.time[r.time > 2])), atol=1e-7)


def test_an_ideal_switch_joins_capacitors(tmp_path: Path) -> None:
    """Charge is conserved: 1 F at 3 V and 2 F at 0 V give 1 V."""
    text = """model M
  local u1 (start=3), u2 (start=0), i
  der(u1) = -i
  2*der(u2) = i
  0 = if time > 1 then u1 - u2 else i
end
"""
    r = made(tmp_path, text, 2)
    assert r["u1"][-1] == pytest.approx(1, abs=1e-12)
    assert r["u2"][-1] == pytest.approx(1, abs=1e-12)


def test_a_constraint_of_positions_that_is_not_fulfilled(tmp_path: Path) -> None:
    """No impulse moves a position: the run ends and says why, with finite rows."""
    text = """model M
  local phi1 (start=1), phi2 (start=0), w1 (start=2), w2 (start=0), tau
  der(phi1) = w1
  der(phi2) = w2
  der(w1) = -tau
  2*der(w2) = tau
  if time > 1 then
    phi1 = phi2
  else
    tau = 0
  endif
end
"""
    with pytest.raises(RunError, match="the index changes here") as failed:
        made(tmp_path, text, 2)
    assert failed.value.result.time[-1] == 1


def test_an_index_that_changes_where_momentum_says_nothing(tmp_path: Path) -> None:
    """An impulse of a torque that acts by its cube is not defined: the relation is named, as it is written."""
    with pytest.raises(RunError) as failed:
        made(tmp_path, CLUTCH.format("time > 1").replace("= -tau", "= -tau - tau^3"), 2)
    (found,) = failed.value.report.errors
    assert found.code == "R003"
    assert any("the index changes with time > 1" in note for note in found.notes)
    assert found.primary is not None
    assert "$" not in found.primary.text
    result = failed.value.result
    assert result.time[-1] == 1
    assert all(np.isfinite(result[name]).all() for name in result.names)


def test_relations_that_keep_the_index_are_left_alone(tmp_path: Path) -> None:
    """Ideal diodes and rectifiers have an unknown in each branch: nothing is added."""
    file = tmp_path / "m.mdl"
    file.write_text(
        "model M\nlocal x (start=1), i, s\nder(x) = -i\ni = if s > 0 then s else 0\nx = if s > 0 then s else 2*s\nend\n"
    )
    try:
        model = translate(file)
    except ModelError:
        pytest.fail("a valid model is rejected")
    assert len(model.stages.dae.events.frozen) == 1
