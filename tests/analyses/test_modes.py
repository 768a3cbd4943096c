"""Modes, responses, zeros and the command, against closed forms."""

import json
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.analyses.linearization.linear import Linear
from acausal.base.diagnostics import UsageError
from acausal.cli import main

TWO = """@translational.lib
model Two
  submodel (mass) a(m=2) (ic s=0, v=0), b(m=2) (ic s=0, v=0)
  submodel (linearspring) left(c=50), middle(c=75), right(c=50)
  submodel (support) wall, other
  submodel (signalforce) push
  input F
  push.force = F
  connect wall - left - a - middle - b - right - other, push at a:B
  experiment (plot=[b.s])
end
"""
SWING = """@mbsdir.lib
model Swing
  submodel (Inertial) ground(ng3=-1)
  submodel (Revolute) hinge(n2=1) (ic q=0, w=0)
  submodel (Body) bob(m=2, r3=-0.5)
  connect ground - hinge, bob at hinge
end
"""
LAG = """model Lag
  input u
  local x (start=0), v (start=0), y
  der(x) = v
  der(v) = u - 4*x - 2*v
  y = 3*x + v
  experiment (plot=[y])
end
"""


@pytest.fixture(scope="module")
def lag() -> Linear:
    """(s + 3)/(s^2 + 2*s + 4)."""
    return acausal.translate(LAG).linearize(values={"u": 0})


def test_poles_zeros_and_frequency_response(lag: Linear) -> None:
    assert (lag.inputs, lag.outputs, lag.is_stable) == (("u",), ("y",), True)
    assert lag.poles == pytest.approx([-1 - 3**0.5 * 1j, -1 + 3**0.5 * 1j], rel=1e-14)
    assert lag.zeros == pytest.approx([-3], rel=1e-13)
    omega = np.geomspace(0.01, 100, 30)
    s = 1j * omega
    assert lag.frequency_response(omega)[:, 0, 0] == pytest.approx((s + 3) / (s * s + 2 * s + 4), rel=1e-13)
    for wrong in ([-1.0], [np.inf], ["x"]):
        with pytest.raises(UsageError):
            lag.frequency_response(wrong)
    mode = lag.modes[0]
    assert mode.natural_frequency == pytest.approx(2, rel=1e-14)
    assert mode.damping == pytest.approx(0.5, rel=1e-14)
    assert mode.time_constant == pytest.approx(1, rel=1e-14)
    assert mode.frequency == pytest.approx(3**0.5 / (2 * np.pi), rel=1e-14)
    with pytest.raises(UsageError, match="there is no mode 1"):
        lag.modes[1]


def test_step_response(lag: Linear) -> None:
    """The inverse Laplace transform of (s + 3)/(s^2 + 2*s + 4)/s, and its duration: five time constants of 1 s."""
    t, y = lag.step_response(rows=201)
    assert t[-1] == pytest.approx(5)
    w = 3**0.5
    expected = 0.75 + np.exp(-t) * (-0.75 * np.cos(w * t) + 0.25 / w * np.sin(w * t))
    assert np.abs(y[:, 0, 0] - expected).max() < 1e-13
    for stop, rows in ((0, 5), (-1, 5), (1, 1)):
        with pytest.raises(UsageError):
            lag.step_response(stop, rows)


def test_two_masses() -> None:
    """In phase with sqrt(50/2), against each other with sqrt(200/2); both masses take part alike."""
    modes = acausal.translate(TWO).linearize(values={"F": 0}).modes
    assert [mode.natural_frequency for mode in modes] == pytest.approx([5, 10], rel=1e-13)
    assert [mode.damping for mode in modes] == pytest.approx([0, 0], abs=1e-14)
    for mode, sign in zip(modes, (1, -1), strict=True):
        assert mode.participation == pytest.approx({"a": 0.5, "b": 0.5}, rel=1e-12)
        positions = [x for name, x in mode.shape.items() if name.endswith(".s")]
        assert positions[1] / positions[0] == pytest.approx(sign, rel=1e-12)
    assert "5.0" not in str(modes)
    assert str(modes).splitlines()[1].startswith("0     ")


def test_motion_of_a_mode(tmp_path: Path) -> None:
    """The bob swings with sqrt(g/l) on its circle; its animation has as many frames."""
    mode = acausal.translate(SWING).linearize().modes[0]
    assert mode.natural_frequency == pytest.approx((9.81 / 0.5) ** 0.5, rel=1e-14)
    motion = mode.motion(amplitude=1.0, frames=41)
    q = motion["hinge.q"]
    largest = abs(mode.shape["hinge.q"])
    assert np.abs(q).max() == pytest.approx(largest, rel=1e-3)
    assert motion.time[-1] == pytest.approx(1 / mode.frequency)
    visible = mode.motion()
    assert 0.05 < np.abs(visible["hinge.q"]).max() < 0.5
    visible.animate(tmp_path / "mode.html")
    assert (tmp_path / "mode.html").stat().st_size > 100_000
    with pytest.raises(UsageError, match="at least 2 frames"):
        mode.motion(frames=1)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Text, JSON, figure, and what is wrong before a run."""
    monkeypatch.chdir(tmp_path)
    Path("lag.mdl").write_text(LAG, encoding="utf-8")
    Path("swing.mdl").write_text(SWING, encoding="utf-8")
    assert main(["linearize", "lag.mdl", "--input", "u=0", "--bode", "lag.png"]) == 0
    text = capsys.readouterr().out
    assert "der(v)  -4  -2" in text
    assert "-1 +- 1.73205j" in text
    assert Path("lag.png").read_bytes().startswith(b"\x89PNG")
    assert main(["linearize", "lag.mdl", "--input", "u=0", "--inputs", "u", "--outputs", "x,y", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["linear"]
    assert (found["A"], found["B"], found["C"]) == ([[0, 1], [-4, -2]], [[0], [1]], [[1, 0], [3, 1]])
    assert main(["linearize", "swing.mdl", "--mode", "0", "--animate", "swing.html"]) == 0
    assert Path("swing.html").exists()
    for wrong, message in (
        (["lag.mdl"], "R005"),
        (["lag.mdl", "--input", "u=0", "--inputs", "w"], "F005"),
        (["lag.mdl", "--at", "1", "--steady"], "F006"),
        (["swing.mdl", "--mode", "0"], "F006"),
        (["swing.mdl", "--bode", "b.txt"], "F008"),
        (["swing.mdl", "--bode", "no/b.png"], "F008"),
        (["swing.mdl", "--bode", "b.png"], "requires an input and an output"),
        (["swing.mdl", "--mode", "7", "--animate", "m.html"], "there is no mode 7"),
    ):
        capsys.readouterr()
        assert main(["linearize", *wrong]) == 2
        assert message in capsys.readouterr().err
    assert not Path("m.html").exists()
