"""Steady states at the first instant, against closed forms."""

from math import asin, sqrt
from pathlib import Path

import pytest

from acausal import translate
from acausal.base.diagnostics import ModelError, Severity
from acausal.translation import Translation

CIRCUIT = """\
@electrical.lib
model RC
  submodel (source) V(V=5)
  submodel (resistor) R1(R=100), R2(R=300)
  submodel (capacitor) C(C=1e-3)
  submodel (ground) G
  connect G - V - R1 - (C // R2) - G
end
"""

MOTOR = """\
@electrical.lib
@rotational.lib
model Motor
  submodel (source) U(V=12)
  submodel (resistor) Ra(R=0.5)
  submodel (inductor) La(L=0.005)
  submodel (emf) M(k=0.05)
  submodel (ground) G
  submodel (inertia) rotor(J=1e-4)
  submodel (bearing) b(d=1e-4)
  connect G - U - Ra - La - M - G
  connect M:mech to rotor to b
end
"""

ARM = MOTOR.replace("(bearing) b(d=1e-4)", "(pendulumarm) b(m=0.5, l=0.5)")

TANK = """\
model Tank
  parameter A=0.5, k=0.02, qin=0.03
  local h (start=1), q
  A*der(h) = qin - q
  q = k*sqrt(h)
end
"""


def made(tmp_path: Path, text: str) -> Translation:
    file = tmp_path / "model.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


def test_circuit(tmp_path: Path) -> None:
    model = made(tmp_path, CIRCUIT)
    result = model.simulate(steady=True)
    assert result["C.u"] == pytest.approx(5 * 300 / 400)  # voltage divider, throughout the run
    assert model.simulate()["C.u"][0] == 0.0
    other = model.simulate(steady=True, parameters={"R2.R": 100.0})
    assert other["C.u"][0] == pytest.approx(2.5)


def test_motor_turns_steadily(tmp_path: Path) -> None:
    result = made(tmp_path, MOTOR).simulate(steady=True)
    k, r, d, u = 0.05, 0.5, 1e-4, 12.0
    assert result["rotor.w"] == pytest.approx(k * u / (k * k + r * d), rel=1e-6)
    assert result["La.i"] == pytest.approx(d * u / (k * k + r * d), rel=1e-6)
    told = {d.code: d for d in result.notes}
    assert told["I011"].severity is Severity.NOTE
    assert told["I011"].message.startswith("der(M.phi) = 0 is omitted")


def test_motor_holds_an_arm(tmp_path: Path) -> None:
    result = made(tmp_path, ARM).simulate(steady=True)
    angle = asin(0.05 * 12 / 0.5 / (0.5 * 9.81 * 0.5))  # the stalled motor's torque k*U/R
    assert abs(result["b.phi"][0]) == pytest.approx(angle)
    assert result["rotor.w"][0] == pytest.approx(0.0, abs=1e-12)


def test_tank(tmp_path: Path) -> None:
    result = made(tmp_path, TANK).simulate(steady=True, stop=10)
    assert result["h"] == pytest.approx((0.03 / 0.02) ** 2)


def test_two_tanks(tmp_path: Path) -> None:
    text = TANK.replace("h (start=1), q", "h (start=1), q, g (start=3), p").replace(
        "  q = k*sqrt(h)\n", "  q = k*sqrt(h - g)\n  A*der(g) = q - p\n  p = 2*k*sqrt(g)\n"
    )
    result = made(tmp_path, text.replace("h (start=1)", "h (start=4)")).simulate(steady=True)
    g = (0.03 / 0.04) ** 2
    assert result["g"][0] == pytest.approx(g)
    assert result["h"][0] == pytest.approx(g + 1.5**2)


def test_oscillator_with_an_input(tmp_path: Path) -> None:
    text = "model M\n  input u\n  local x\n  der(x, 2) + 0.1*der(x) + 4*x + x^3 = u\nend\n"
    result = made(tmp_path, text).simulate(steady=True, inputs={"u": "5 + time"})
    assert result["x"][0] == pytest.approx(1.0)
    assert result["der(x)"][0] == 0.0


def test_conditions_of_the_model_come_first(tmp_path: Path) -> None:
    result = made(tmp_path, TANK.replace("start=1", "start=1, fixed=true")).simulate(steady=True)
    assert result["h"][0] == 1.0
    (note,) = [d for d in result.notes if d.severity is Severity.WARNING]
    assert note.message == "steady state not reached: the initial condition h = 1 takes precedence over der(h) = 0"
    assert note.primary is not None
    assert note.primary.span.text == "h (start=1, fixed=true)"


def test_initial_equation_leaves_the_others_at_rest(tmp_path: Path) -> None:
    text = "model M\n  local x, y\n  der(x) = -x + 3*y\n  der(y) = 2 - y\n  initial x = 1\nend\n"
    result = made(tmp_path, text).simulate(steady=True)
    assert (result["x"][0], result["y"][0]) == pytest.approx((1.0, 2.0))


def test_no_steady_state(tmp_path: Path) -> None:
    model = made(tmp_path, "model Ramp\n  local x\n  der(x) = 1\nend\n")
    with pytest.raises(ModelError) as caught:
        model.simulate(steady=True)
    (error,) = caught.value.report.diagnostics
    assert error.code == "I012"
    assert error.primary is not None
    assert error.primary.span.text == "x"


def test_steady_state_of_a_pendulum_in_cartesian_coordinates(tmp_path: Path) -> None:
    text = """\
model Pendulum
  local x (start=0.3), y (start=-0.9), F (start=1)
  der(x, 2) = -F*x - 0.5
  der(y, 2) = -F*y - 1
  x^2 + y^2 = 1
end
"""
    result = made(tmp_path, text).simulate(steady=True)
    assert result["x"][0] == pytest.approx(-0.5 / sqrt(1.25))  # along the resultant of both forces
    assert result["y"][0] == pytest.approx(-1 / sqrt(1.25))
