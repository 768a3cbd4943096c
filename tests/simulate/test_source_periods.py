"""No solver steps over the pulses of a source that is periodic in time."""

from math import inf, log, pi
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ive

from acausal.pipeline import translate
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.simulate.system.source_periods import span

PULSES = """model M
  parameter f=50
  local x (start=0, fixed=true)
  der(x) = exp(200*(sin(2*pi*f*time - pi/2) - 1))
end
"""


ASSIGNED = """model M
  parameter f=50
  local x (start=0, fixed=true), w, angle, s, phase
  der(x) = exp(200*(s - 1))
  s = sin(angle)
  angle = w*time - phase
  w = 2*pi*f
  phase = pi/2
end
"""


DRIVEN = """model M
  parameter f=50
  local x (start=0, fixed=true), phi (start=-pi/2, fixed=true), w
  der(x) = exp(200*(sin(phi) - 1))
  der(phi) = w
  w = 2*pi*f
end
"""


@pytest.mark.parametrize("text", [PULSES, ASSIGNED, DRIVEN], ids=["formula", "variables", "state"])
@pytest.mark.parametrize("solver", ["auto", "lsoda", "dop853"])
def test_every_pulse_is_seen(tmp_path: Path, solver: str, text: str) -> None:
    """The mean of exp(k*(sin - 1)) over a period is exp(-k)*I0(k) (Abramowitz, Stegun, 9.6.16)."""
    file = tmp_path / "m.mdl"
    file.write_text(text)
    t = translate(file)
    assert t.simulate(stop=1, interval=1, solver=solver)["x"][-1] == pytest.approx(ive(0, 200), rel=2e-4)
    faster = t.simulate(stop=1, interval=1, solver=solver, parameters={"f": 200.0})
    assert faster["x"][-1] == pytest.approx(ive(0, 200), rel=2e-4)


def spans(folder: Path, slope: str, **parameters: float) -> list[tuple[float, float]]:
    """When the sines of der(x) = slope are there."""
    file = folder / "m.mdl"
    declared = "  parameter d=2, w=30, t0=3\n  local x (start=0, fixed=true)\n"
    file.write_text(f"model M\n{declared}  der(x) = {slope}\nend\n")
    translation = translate(file)
    p = parameter_values(translation.executable, parameters)
    assert not isinstance(p, Folded)
    return [span(wave, p) for wave in translation.program.waves]


GONE = 53 * log(2)

SPANS = {
    "sin(w*time)": (-inf, inf),
    "7 + sin(w*time)/3": (-inf, inf),
    "exp(-d*time)*sin(w*time)": (-inf, GONE / 2),
    "exp(d*time)*sin(w*time)": (-inf, inf),
    "exp(d*time)*exp(-3*d*time)*sin(w*time)": (-inf, GONE / 4),
    "x*exp(-d*time)*sin(w*time)": (-inf, inf),
    "1/(2 + exp(-d*time)*sin(w*time))": (-inf, inf),
    "time*exp(-d*time)*sin(w*time)": (-inf, inf),
    "exp(-d*time)*(1 + 3*sin(w*time))": (-inf, GONE / 2),
    "if time < t0 then 0 else sin(w*time)": (3, inf),
    "if time < t0 then sin(w*time) else 0": (-inf, 3),
    "if time >= t0 then sin(w*time) else 0": (3, inf),
    "if t0 < time then 0 else sin(w*time)": (-inf, 3),
    "if time < t0 then 0 elseif time < 2*t0 then sin(w*time) else 1": (3, 6),
    "if time < t0 then 0 else exp(-d*(time - t0))*sin(w*(time - t0))": (3, 3 + GONE / 2),
    "if x < t0 then sin(w*time) else 0": (-inf, inf),
    "exp(0.1*sin(w*time))": (-inf, inf),
}


@pytest.mark.parametrize("slope", SPANS)
def test_when_a_sine_is_there(tmp_path: Path, slope: str) -> None:
    assert spans(tmp_path, slope) == [pytest.approx(SPANS[slope])]


ASSIGNED_SPANS = {
    "sin(b)": ("w*time", "a + t0", (-inf, inf)),
    "exp(b)*sin(w*time)": ("-d*time", "2*a", (-inf, GONE / 4)),
    "exp(-d*time)*sin(b - a)": ("w*time", "3*a", (-inf, GONE / 2)),
    "if time < t0 then 0 else sin(b)": ("w*time", "-a", (3, inf)),
}
"""With variables a and b."""


@pytest.mark.parametrize("slope", ASSIGNED_SPANS)
def test_variables_that_are_linear_in_time(tmp_path: Path, slope: str) -> None:
    a, b, expected = ASSIGNED_SPANS[slope]
    assert spans(tmp_path, f"{slope}\n  local a, b\n  b = {b}\n  a = {a}") == [pytest.approx(expected)]


def test_states_that_time_drives(tmp_path: Path) -> None:
    """A constant rate limits steps; an exponential of such a state is not known to decay."""
    slope = "exp(-b)*sin(3*a)\n  local a, b\n  der(a) = w\n  der(b) = d"
    assert spans(tmp_path, slope) == [(-inf, inf)]
    assert spans(tmp_path, slope.replace("= w", "= w*x")) == []


@pytest.mark.parametrize("b", ["w*time + x", "w*time^2", "sin(w*time) + x^2", "if x > 0 then w*time else 0"])
def test_variables_that_are_not(tmp_path: Path, b: str) -> None:
    """No sine of b limits steps; one within it does."""
    assert len(spans(tmp_path, f"sin(b)\n  local b\n  b = {b}")) == int(b.startswith("sin"))


def test_one_sine_in_two_places(tmp_path: Path) -> None:
    slope = "exp(-d*time)*sin(w*time) + (if time < t0 then sin(w*time) else 0)"
    assert sorted(end for _, end in spans(tmp_path, slope)) == pytest.approx([3, GONE / 2])


def test_a_decay_that_a_parameter_makes_growth(tmp_path: Path) -> None:
    assert spans(tmp_path, "exp(-d*time)*sin(w*time)", d=-2.0) == [(-inf, inf)]
    assert spans(tmp_path, "if time < t0 then 0 else sin(w*time)", t0=8.0) == [(8, inf)]


DAMPED = """@electrical.lib
model Damped
  submodel (dampedsinevoltage) U(amplitude=5, f=200e6, damping=1e7, t0=T0)
  submodel (resistor) R(R=1000)
  submodel (capacitor) C(C=1e-6) (ic u=0)
  submodel (ground) G
  connect G - U - R - C - G
  experiment (stop=1, interval=1e-3, tolerance=1e-9)
end
"""


@pytest.mark.parametrize("solver", ["auto", "lsoda"])
@pytest.mark.parametrize("begin", [0.0, 0.5])
def test_a_source_that_has_died_away(tmp_path: Path, solver: str, begin: float) -> None:
    """200 MHz over 1 s have 3.2e9 sixteenths of a period; 37 time constants of the source have 12,000.

    For t - t0 >> 1/d the capacitor has a*w/T/((d - 1/T)^2 + w^2)*exp(-(t - t0)/T), T = 1 ms.
    """
    file = tmp_path / "m.mdl"
    file.write_text(DAMPED.replace("T0", repr(begin)))
    result = translate(file).simulate(solver=solver)
    assert result.stats.steps is not None
    assert result.stats.steps < 40_000
    rate = 2 * pi * 200e6
    u = result["C.u"]
    t = result["time"] - begin
    later = (t > 5e-4) & (t < 3e-3)
    expected = 5 * rate / 1e-3 / ((1e7 - 1e3) ** 2 + rate**2) * np.exp(-t[later] / 1e-3)
    assert u[later] == pytest.approx(expected, abs=2e-9)
    assert (abs(u[t < 0]) < 1e-12).all()


def test_a_source_that_ends(tmp_path: Path) -> None:
    """100 periods of 1 MHz, then 1 s without: x is the integral, 0 at the end of whole periods."""
    file = tmp_path / "m.mdl"
    slope = "if time < 1e-4 then 1e6*sin(2*pi*1e6*time)^2 else -x"
    file.write_text(f"model M\n  local x (start=0, fixed=true)\n  der(x) = {slope}\nend\n")
    result = translate(file).simulate(stop=1, interval=0.5, tolerance=1e-7)
    assert result["x"][-1] == pytest.approx(50 * np.exp(-1 + 1e-4), rel=1e-5)
    assert result.stats.steps is not None
    assert result.stats.steps < 20_000


def test_sweeps_take_the_same_steps(tmp_path: Path) -> None:
    """To the last bit, whether the limit changes on the way or not."""
    file = tmp_path / "m.mdl"
    slope = "exp(-d*time)*sin(200*time) - x"
    file.write_text(f"model M\n  parameter d=20\n  local x (start=0, fixed=true)\n  der(x) = {slope}\nend\n")
    translation = translate(file)
    values = [5.0, 20.0, 80.0, -1.0]
    swept = translation.sweep({"d": values}, final=["x"], stop=5, interval=0.1)
    single = [translation.simulate(parameters={"d": d}, stop=5, interval=0.1)["x"][-1] for d in values]
    assert swept["final(x)"].tolist() == single
