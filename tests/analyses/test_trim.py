"""Operating points with given outputs, against formulas; A014, A015, A016."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.analyses.trim.trim_equations import TrimEquations
from acausal.base.diagnostics import ModelError, SimulationError, UsageError
from acausal.cli import main
from acausal.translation import Translation

TANK = """model Tank
  input q
  parameter k (tunable=true) = 2
  parameter integer n = 1
  local h (start=1, unit="m"), out
  der(h) = q - out
  out = k*sqrt(h)
end
"""
PENDULUM = """model Pendulum
  input T
  parameter m (tunable=true) = 2
  local phi (start=0), w (start=0), x
  der(phi) = w
  m*der(w) = T - m*9.81*sin(phi) - 0.3*w - (if phi > 0.2 then 0.5 else 0)
  x = sin(phi)
end
"""


@pytest.fixture(scope="module")
def tank() -> Translation:
    return acausal.translate(TANK, cache=False)


def test_input_for_an_output(tank: Translation) -> None:
    point = tank.trim({"h": 4}, ["q"])
    assert (point["q"], point["h"]) == (pytest.approx(4), pytest.approx(4))
    run = tank.simulate(stop=3, start_from=point)
    assert run["h"] == pytest.approx(4)
    assert point.units["h"] == "m"
    assert "q  4" in str(point)


def test_parameter_that_is_part_of_the_equations() -> None:
    """The model is translated again for it, unless it determines the structure."""
    text = "model M\n parameter a = 1, b = 2, s = 2\n local x (start=1)\n"
    text += " if s > 1 then\n  der(x) = a*b - x\n else\n  der(x) = s\n endif\nend\n"
    model = acausal.translate(text, cache=False)
    assert model.trim({"x": 6}, ["a"])["a"] == pytest.approx(3)
    linear = model.linearize(["a"], ["x"])
    assert linear.B.tolist() == [[2.0]]
    with pytest.raises(ModelError, match="A014"):
        model.trim({"x": 6}, ["s"])
    with pytest.raises(ModelError, match="s determines the structure"):
        model.linearize(["s"], ["x"])


def test_parameter_for_an_output(tank: Translation) -> None:
    point = tank.trim({"h": 4}, ["k"], values={"q": 3})
    assert point["k"] == pytest.approx(1.5)
    assert tank.simulate(stop=1, start_from=point)["h"] == pytest.approx(4)


def test_relations_agree_with_the_point() -> None:
    """Beyond 0.2 rad the torque is 0.5 more."""
    model = acausal.translate(PENDULUM, cache=False)
    point = model.trim({"phi": 0.5}, ["T"])
    assert point["T"] == pytest.approx(2 * 9.81 * math.sin(0.5) + 0.5)
    assert model.simulate(stop=2, start_from=point)["phi"] == pytest.approx(0.5, abs=1e-6)


def test_states_that_move() -> None:
    """A steady speed: der(w) = 0, the angle stays at its start, w is given."""
    model = acausal.translate(
        "model M\n  input u\n  local a, w\n  der(a) = w\n  der(w) = u - 0.5*w\nend\n", cache=False
    )
    point = model.trim({"w": 3}, ["u"], moving=["a"])
    assert point["u"] == pytest.approx(1.5)
    with pytest.raises(SimulationError, match="A015") as caught:
        model.trim({"w": 0}, ["u"])
    assert "not determined: a" in str(caught.value)


def test_initial_values_for_outputs(tank: Translation) -> None:
    point = tank.trim({"out": 6}, ["h"], steady=False, values={"q": 0})
    assert point["h"] == pytest.approx(9)


@pytest.mark.parametrize(
    ("arguments", "error", "code", "words"),
    [
        (({"h": 4}, ["q", "k"]), ModelError, "A014", "give values to 1 more output, or"),
        (({"x": 4}, ["q"]), UsageError, "F005", "unknown variable x"),
        (({"h": 4}, ["z"]), UsageError, "F005", "unknown input, parameter or state z"),
        (({"h": 4}, {"q": (0, 1)}), SimulationError, "A016", "at a bound: q"),
        (({"h": -4}, ["q"]), SimulationError, "A016", "h = -4 is violated"),
        (({"h": 4}, {"q": (1, 0)}), UsageError, "F006", "below the upper bound"),
        (({"h": 4}, []), UsageError, "R005", "q has no value"),
        (({"h": 4}, ["n"]), ModelError, "A014", "n is of type integer"),
    ],
)
def test_mistakes(
    tank: Translation, arguments: tuple[dict[str, float], object], error: type[Exception], code: str, words: str
) -> None:
    with pytest.raises(error, match=code) as caught:
        tank.trim(*arguments)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_a_slope_beside_a_pole_is_no_solution() -> None:
    """At h = 0 the slope of sqrt is so large that rounding of h would explain any error."""
    text = "model M\n input q\n local h (start=1), out\n der(h) = q - out\n out = sqrt(h)\nend\n"
    model = acausal.translate(text, cache=False)
    with pytest.raises(SimulationError, match="out = -1 is violated by 1"):
        model.trim({"out": -1}, ["q"])
    assert model.trim({"h": 1e12}, ["q"])["q"] == pytest.approx(1e6)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The point as a state: a run stays there, a linearization is that of dh/dt = q - 2 sqrt(h) at h = 4."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tank.mdl").write_text(TANK)
    assert main(["trim", "tank.mdl", "--fixed", "h=4", "--free", "q=0:10", "-o", "point.npz"]) == 0
    assert "q  4" in capsys.readouterr().out
    assert main(["linearize", "tank.mdl", "--from", "point.npz", "--inputs", "q", "--outputs", "h", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["linear"]
    assert found["A"] == [[pytest.approx(-0.5)]]
    assert found["operating_point"]["inputs"] == [pytest.approx(4)]
    for wrong, words in (("q=1", "NAME=LOW:HIGH"), ("q=a:2", "NAME=LOW:HIGH"), ("q=2:1", "below the upper bound")):
        assert main(["trim", "tank.mdl", "--fixed", "h=4", "--free", wrong]) == 2
        assert words in capsys.readouterr().err
    assert main(["linearize", "tank.mdl", "--from", "point.npz", "--at", "1"]) == 2
    assert "--at and --from are mutually exclusive" in capsys.readouterr().err


def test_linearization_at_a_point(tank: Translation) -> None:
    """Also beyond a relation that decides otherwise at the start; a state of a result likewise."""
    model = acausal.translate(PENDULUM, cache=False)
    point = model.trim({"phi": 0.5}, ["T"])
    found = model.linearize(["T"], ["x"], at=point)
    assert found.A[1] == pytest.approx([-9.81 * math.cos(0.5), -0.15])
    assert found.u == pytest.approx([point["T"]])
    run = tank.simulate(stop=2, inputs={"q": 1}, tolerance=1e-10)
    state = run.state(1.0)
    at = tank.linearize(["q"], ["h"], at=state, values={"q": 1})
    assert at.A[0, 0] == pytest.approx(-1 / math.sqrt(state["h"]))
    assert at.time == 1.0


def test_exact_jacobian(tank: Translation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slopes by states, inputs and parameters are those of differences; no difference is made in the search."""
    seen: list[TrimEquations] = []
    start = TrimEquations.start
    monkeypatch.setattr(TrimEquations, "start", lambda self: seen.append(self) or start(self))  # type: ignore[func-returns-value]
    found = tank.trim({"h": 4, "out": 0.5}, ["q", "k"])
    (equations,) = seen
    z = np.array([4.1, found["q"], 1.1 * found["k"]])
    exact = equations.jacobian(z)
    for k in range(3):
        step = np.zeros(3)
        step[k] = 1e-6 * abs(z[k])
        difference = (equations.residuals(z + step) - equations.residuals(z - step)) / (2 * step[k])
        np.testing.assert_allclose(exact[:, k], difference, rtol=1e-7, atol=1e-9)
