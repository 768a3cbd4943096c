"""Known and unknown: inverse models, sizing, trim, classes on their own, against closed forms."""

from collections.abc import Iterable
from math import cos, pi, sin
from pathlib import Path

import numpy as np
import pytest

from acausal import translate
from acausal.base.diagnostics import Diagnostic, ModelError, UsageError
from acausal.translation import Translation

DIVIDER = """\
model Divider
  parameter R=100, R2=50, V=10
  local i, v
  V = R*i + v
  v = R2*i
end
"""

DRIVE = """\
@electrical.lib
@rotational.lib
model Drive
  input u
  submodel (signalvoltage) U
  submodel (resistor) Ra(R=0.5)
  submodel (inductor) La(L=0.005)
  submodel (emf) M(k=0.05)
  submodel (ground) G
  submodel (inertia) rotor(J=1e-4)
  submodel (bearing) b(d=1e-4)
  connect G - U - Ra - La - M - G
  connect M:mech to rotor to b
  U.e = u
end
"""


def made(
    tmp_path: Path, text: str, known: Iterable[str] = (), unknown: Iterable[str] = (), outputs: Iterable[str] = ()
) -> Translation:
    file = tmp_path / "model.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file, known=known, unknown=unknown, outputs=outputs)


def mistake(tmp_path: Path, text: str, known: Iterable[str] = (), unknown: Iterable[str] = ()) -> Diagnostic:
    with pytest.raises(ModelError) as caught:
        made(tmp_path, text, known, unknown)
    (error,) = caught.value.report.diagnostics
    return error


# -------------------------------------------------------------------- sizing


def test_sizing(tmp_path: Path) -> None:
    result = made(tmp_path, DIVIDER, ["v"], ["R"]).simulate(inputs={"v": "2 + time"})
    v = 2 + result.time
    assert result["R"] == pytest.approx(50 * (10 - v) / v)


def test_sizing_of_a_parameter_of_a_submodel(tmp_path: Path) -> None:
    text = """\
@electrical.lib
model M
  submodel (source) V(V=10)
  submodel (resistor) R1(R=100), R2(R=200)
  submodel (ground) G
  connect G - V - R1 - R2 - G
end
"""
    result = made(tmp_path, text, ["R2.u"], ["R1.R"]).simulate(inputs={"R2.u": 5.0})
    assert result["R1.R"] == pytest.approx(200)


def test_what_is_bound_to_an_unknown_parameter_follows_it(tmp_path: Path) -> None:
    text = """\
@electrical.lib
model M
  parameter r=100, s=r/4
  submodel (source) V(V=10)
  submodel (resistor) R1(R=2*s), R2(R=r), R3(R=300)
  submodel (ground) G
  connect G - V - R1 - R2 - R3 - G
end
"""
    result = made(tmp_path, text, ["R3.u"], ["r"]).simulate(inputs={"R3.u": 4.0})
    r = (10 / (4 / 300) - 300) / 1.5
    assert result["r"] == pytest.approx(r)
    assert result["s"] == pytest.approx(r / 4)
    assert result["R1.R"] == pytest.approx(r / 2)


def test_the_usual_value_is_the_guess(tmp_path: Path) -> None:
    """a^2 = 9 has two solutions: the one on the side of the parameter's value is meant."""
    for usual, expected in ((2, 3.0), (-2, -3.0)):
        text = f"model M\n  parameter a={usual}\n  local y\n  y = a^2\nend\n"
        assert made(tmp_path, text, ["y"], ["a"]).simulate(inputs={"y": 9.0})["a"][0] == pytest.approx(expected)


# ------------------------------------------------------------ inverse models


def test_motor_whose_speed_is_given(tmp_path: Path) -> None:
    """u = R i + L di/dt + k w with i = (J dw/dt + d w)/k."""
    model = made(tmp_path, DRIVE, ["rotor.w"], ["u"])
    assert model.statistics["states"] == 1  # the angle
    result = model.simulate(stop=2, interval=0.1, inputs={"rotor.w": "100*sin(2*time)"})
    t = result.time
    w, a, j = 100 * np.sin(2 * t), 200 * np.cos(2 * t), -400 * np.sin(2 * t)
    i, slope = (1e-4 * a + 1e-4 * w) / 0.05, (1e-4 * j + 1e-4 * a) / 0.05
    assert result["La.i"] == pytest.approx(i, abs=1e-9)
    assert result["u"] == pytest.approx(0.5 * i + 0.005 * slope + 0.05 * w, abs=1e-9)


def test_motor_whose_angle_is_given_has_no_states(tmp_path: Path) -> None:
    model = made(tmp_path, DRIVE, ["rotor.phi"], ["u"])
    assert model.statistics["states"] == 0
    slots = model.program.input_slots
    assert sorted(order for name, order in slots if name == ("rotor", "phi")) == [0, 1, 2, 3]
    result = model.simulate(inputs={"rotor.phi": "time^2"})
    assert result["La.i"] == pytest.approx((1e-4 * 2 + 1e-4 * 2 * result.time) / 0.05)


def test_derivatives_of_a_table(tmp_path: Path) -> None:
    """A table is piecewise linear: the current follows from its slope."""
    table = tmp_path / "w.csv"
    table.write_text("time,w\n0,0\n1,10\n2,10\n", encoding="utf-8")
    text = "model M\n  parameter J=2\n  input M\n  local w\n  J*der(w) = M\nend\n"
    result = made(tmp_path, text, ["w"], ["M"]).simulate(stop=2, interval=0.25, inputs={"w": table})
    assert result["M"][1] == pytest.approx(20)
    assert result["M"][-2] == pytest.approx(0)


def test_a_function_does_not_tell_its_derivative(tmp_path: Path) -> None:
    text = "model M\n  input M\n  local w\n  2*der(w) = M\nend\n"
    with pytest.raises(UsageError) as caught:
        made(tmp_path, text, ["w"], ["M"]).simulate(inputs={"w": sin})
    assert caught.value.report.diagnostics[0].code == "R008"


def test_pendulum_on_a_given_path(tmp_path: Path) -> None:
    text = "model P\n  input tau\n  local phi\n  0.4*der(phi, 2) + 0.1*der(phi) + 9.81*sin(phi) = tau\nend\n"
    result = made(tmp_path, text, ["phi"], ["tau"]).simulate(stop=1, interval=0.25, inputs={"phi": "0.5*sin(pi*time)"})
    for t, tau in zip(result.time, result["tau"], strict=True):
        phi, w, a = 0.5 * sin(pi * t), 0.5 * pi * cos(pi * t), -0.5 * pi**2 * sin(pi * t)
        assert tau == pytest.approx(0.4 * a + 0.1 * w + 9.81 * sin(phi), abs=1e-9)


def test_trim(tmp_path: Path) -> None:
    """Which torque holds an arm at an angle: speed and angle are known, the torque is sought at rest."""
    text = "model P\n  input tau\n  local phi\n  0.4*der(phi, 2) + 9.81*sin(phi) = tau\nend\n"
    result = made(tmp_path, text, ["phi"], ["tau"]).simulate(inputs={"phi": 0.3})
    assert result["tau"] == pytest.approx(9.81 * sin(0.3))


def test_trim_with_a_steady_state(tmp_path: Path) -> None:
    """The level of a second tank is given; the inflow and the level of the first are sought, at rest."""
    text = """\
model Tanks
  input q
  local h (start=1), g (start=1), y
  der(h) = q - sqrt(h)
  der(g) = sqrt(h) - 2*sqrt(g)
  y = g
end
"""
    model = made(tmp_path, text.replace("y = g", "y = q - 0*g"), ["y"], ["q"])
    result = model.simulate(steady=True, inputs={"y": 1.5})
    assert result["h"][0] == pytest.approx(2.25)
    assert result["g"][0] == pytest.approx(0.5625)


# ----------------------------------------------------- elements of arrays


def test_elements_of_an_array(tmp_path: Path) -> None:
    text = "model M\n  parameter R=3\n  local x[3]\n  x[1] = R*(1 + time)\n  x[2] = 2*x[1]\n  x[3] = x[1]*x[2]\nend\n"
    result = made(tmp_path, text, ["x[2]"], ["R"]).simulate(inputs={"x[2]": "8 + 8*time"})
    assert result["R"] == pytest.approx(4)
    assert result["x[3]"] == pytest.approx((4 + 4 * result.time) * (8 + 8 * result.time))


# ------------------------------------------------------ classes on their own


LIBRARY = Path(__file__).parents[2] / "stdlib"


def alone(model: str, known: Iterable[str], **parameters: float) -> Translation:
    return translate(LIBRARY / "electrical.lib", model=model, known=known, parameters=parameters)


def test_a_resistor_between_two_given_potentials() -> None:
    result = alone("resistor", ["Va", "Vb"], R=5.0).simulate(inputs={"Va": 3.0, "Vb": "time"})
    assert result["i"] == pytest.approx((3 - result.time) / 5)


def test_the_cut_that_is_not_known_carries_nothing() -> None:
    result = alone("resistor", ["Va"], R=5.0).simulate(inputs={"Va": 3.0})
    assert (result["i"][0], result["Vb"][0]) == (0.0, 3.0)


def test_a_capacitor_with_its_current_given() -> None:
    result = alone("capacitor", ["i", "Vb"], C=2.0).simulate(inputs={"i": "cos(time)", "Vb": 0.0}, tolerance=1e-9)
    assert result["Va"] == pytest.approx(np.sin(result.time) / 2, abs=1e-7)


def test_an_open_class_says_what_to_make_known() -> None:
    with pytest.raises(ModelError) as caught:
        alone("resistor", [], R=5.0)
    (error,) = caught.value.report.diagnostics
    assert error.help == "resistor has unconnected cuts: make their variables known, as in --known Va"


def test_a_place_of_a_ladder_switches_the_zero_rule_off(tmp_path: Path) -> None:
    """An inertia on its own: its torque follows from the acceleration that is given at one flange."""
    text = (LIBRARY / "rotational.lib").read_text(encoding="utf-8")
    (tmp_path / "model.mdl").write_text(text, encoding="utf-8")
    model = translate(tmp_path / "model.mdl", model="pendulumarm", known=["w"], parameters={"m": 2.0, "l": 0.5})
    result = model.simulate(stop=1, inputs={"w": "3*time"}, tolerance=1e-9)
    phi = 1.5 * result.time**2
    assert result["tau"] == pytest.approx(0.5 * 3 + 2 * 9.81 * 0.5 * np.sin(phi), rel=1e-5)


ROBOT = (LIBRARY.parent / "examples" / "R3mbs.mdl").read_text(encoding="utf-8")
AXES = [f"q{k}" for k in range(1, 7)]


def test_robot_on_a_given_path(tmp_path: Path) -> None:
    """Inverse dynamics: at rest axis 1, which is vertical, carries nothing; in a spin it needs I*qdd."""
    (tmp_path / "robot.mdl").write_text(ROBOT.replace("@mbsdir.lib", "@mbsinv.lib"), encoding="utf-8")
    model = translate(tmp_path / "robot.mdl", known=AXES)
    assert model.statistics["states"] == 0
    path = dict.fromkeys(AXES, "0") | {"q1": "0.5*time^2"}
    result = model.simulate(stop=0.2, interval=0.1, inputs=path)
    again = model.simulate(stop=0.2, interval=0.1, inputs=path | {"q1": "time^2"})
    assert result["t1"][0] > 0
    assert again["t1"][0] == pytest.approx(2 * result["t1"][0])  # linear in the acceleration
    still = model.simulate(stop=0.2, interval=0.1, inputs=path | {"q1": "0"})
    assert still["t1"] == pytest.approx(0.0, abs=1e-9)


# ------------------------------------------------------------------ outputs


def test_dead_equations_go(tmp_path: Path) -> None:
    text = """\
model M
  local a (start=1), b (start=2), c, d
  der(a) = -a
  der(b) = -b*a
  c = b^2
  d = 3*a
end
"""
    model = made(tmp_path, text, outputs=["d"])
    assert model.statistics["state_names"] == ["a"]
    assert "der(b)" not in model.equations("solved")
    assert model.simulate()["d"] == pytest.approx(3 * np.exp(-model.simulate().time), rel=1e-5)
    assert made(tmp_path, text, outputs=["c"]).statistics["states"] == 2


def test_what_conditions_need_stays(tmp_path: Path) -> None:
    text = """\
model M
  local a (start=1), b
  der(a) = -1
  der(b) = 1
  initial b = 2*a
  terminate(b > 2.5, "enough")
end
"""
    result = made(tmp_path, text, outputs=["a"]).simulate(stop=1, interval=0.01)
    assert result.time[-1] == pytest.approx(0.5)
    assert (
        made(
            tmp_path,
            text.replace("  initial b = 2*a\n", "").replace('  terminate(b > 2.5, "enough")\n', ""),
            outputs=["a"],
        ).statistics["states"]
        == 1
    )


def test_a_constraint_is_kept_with_what_it_differentiates(tmp_path: Path) -> None:
    text = """\
model Pendulum
  local x (start=1), y, F, z, p
  der(x, 2) = -F*x
  der(y, 2) = -F*y - 9.81
  x^2 + y^2 = 1
  der(z) = x
  p = z + 1
end
"""
    model = made(tmp_path, text, outputs=["y"])
    assert model.statistics["states"] == 2
    assert made(tmp_path, text, outputs=["p"]).statistics["states"] == 3


# ----------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("known", "unknown", "code", "said", "hint"),
    [
        (["w"], [], "N030", "unknown variable w", "lists all names"),
        (["vv"], [], "N030", "unknown variable vv", "did you mean v"),
        (["R"], [], "N030", "R is a parameter, not a variable", "--set R=1"),
        (["der(v)"], [], "N030", "der(v) alone cannot be made known", "make v known"),
        (["v[1]"], ["R"], "I020", "v[1]: v is not an array", None),
        (["v"], ["i"], "I020", "i is already unknown", "only parameters and inputs"),
        (["v"], ["v"], "I020", "v is made both known and unknown", "omit one"),
        (["v"], [], "S001", "equations for 1 unknown", "--unknown R or --unknown R2 or --unknown V"),
        ([], ["R"], "S002", "2 equations for 3 unknowns", "--known i or --known v"),
    ],
)
def test_mistakes(tmp_path: Path, known: list[str], unknown: list[str], code: str, said: str, hint: str | None) -> None:
    error = mistake(tmp_path, DIVIDER, known, unknown)
    assert error.code == code
    assert said in error.message
    assert (hint or "") in (error.help or "")
    assert (error.primary is not None) == (not said.startswith(("unknown variable", "der(")))


def test_what_was_made_known_is_told(tmp_path: Path) -> None:
    error = mistake(tmp_path, DIVIDER, ["v"])
    assert error.notes[0] == "v is made known, but the equations already determine it"
    error = mistake(tmp_path, DIVIDER, [], ["R"])
    assert error.notes[0] == "R is made unknown, but no equation determines it"


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("parameter integer N=2", "N is an integer parameter: it cannot be made unknown"),
        ("constant N=2", "N is a constant: it cannot be made unknown"),
    ],
)
def test_what_cannot_be_unknown(tmp_path: Path, declared: str, said: str) -> None:
    text = f"model M\n  {declared}\n  local x\n  x = N*3\nend\n"
    assert said in mistake(tmp_path, text, ["x"], ["N"]).message


def test_discrete_variables_cannot_be_known(tmp_path: Path) -> None:
    text = "model M\n  discrete k\n  local x\n  der(x) = k\n  when x > 1 then\n    new(k) = 2\n  endwhen\nend\n"
    assert mistake(tmp_path, text, ["k"]).code == "I020"


def test_an_input_without_value_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        made(tmp_path, DIVIDER, ["v"], ["R"]).simulate()
    assert caught.value.report.diagnostics[0].code == "R005"
