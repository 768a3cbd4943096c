"""Long runs that are not stiff go on with Adams' method (`simulate/run/method_choice`)."""

import math
from pathlib import Path

import pytest

from acausal.codegen.context_memory import zeros_of
from acausal.pipeline import translate
from acausal.runtime.events.run_parts import RunParts, end_of_part
from acausal.runtime.step_limits import step_tolerance
from acausal.simulate.run.method_choice import MethodChoice, adams_tolerance, spectral_radius
from acausal.simulate.system.settings import Settings
from acausal.translation import Translation
from tests.simulate.test_jacobian import system_of

TEXT = """
model Oscillator
  local x, v
  der(x) = v
  der(v) = -x
  initial x = 1
end
model Stiffening
  local x, v, m
  der(x) = v
  der(v) = -x
  der(m) = 2^(30*tanh((time - 8000)/1000) - 5)*(x - m)
  initial x = 1
end
model VanDerPol
  local x, v
  der(x) = v
  der(v) = 1000*(1 - x^2)*v - x
  initial x = 2
end
model Four
  local x, v, s, r
  der(x) = v
  der(v) = -2500*x
  der(s) = -7*s
  der(r) = -0.1*r + x
end
"""


def _translated(tmp_path: Path, model: str) -> Translation:
    return translate(tmp_path / "m.mdl", text=TEXT, model=model)


def test_an_undamped_oscillator_keeps_its_energy(tmp_path: Path) -> None:
    """x = cos(t) after 3000 periods; BDF alone loses 0.4 % of the energy."""
    model = _translated(tmp_path, "Oscillator")
    stop = 3000 * 2 * math.pi
    auto, bdf = (model.simulate(stop=stop, interval=stop / 2000, solver=name) for name in ("auto", "cvode"))
    energy, lost = (1 - r["x"][-1] ** 2 - r["v"][-1] ** 2 for r in (auto, bdf))
    assert abs(energy) < 1e-4 < 3e-3 < lost
    assert auto.stats.solver == "cvode, adams"
    assert auto.stats.steps < bdf.stats.steps


def test_who_watches_does_not_matter(tmp_path: Path) -> None:
    """The method is chosen at the same times, however many rows the machine code has done at once."""
    model = _translated(tmp_path, "Oscillator")
    plain = model.simulate(stop=5000, interval=0.5)
    again = model.simulate(stop=5000, interval=0.5)
    watched = model.simulate(stop=5000, interval=0.5, progress=lambda _: None)
    assert plain.stats.solver == watched.stats.solver == again.stats.solver == "cvode, adams"
    for other in (again, watched):
        assert (plain["x"] == other["x"]).all()


def test_runs_of_a_sweep_have_the_method_of_a_single_run(tmp_path: Path) -> None:
    """In machine code as long as they are short, else as `simulate`."""
    model = translate(tmp_path / "m.mdl", text="model M\n  parameter w=1\n  local x (start=1), v (start=0)\n"
                      "  der(x) = v\n  der(v) = -w^2*x\nend")  # fmt: skip
    swept = model.sweep({"w": "0.01, 1, 1.5"}, final=["x"], stop=5000, interval=0.5)
    for w, last in zip((0.01, 1.0, 1.5), swept.table["final(x)"], strict=True):
        run = model.simulate(stop=5000, interval=0.5, parameters={"w": w})
        assert run["x"][-1] == last
        assert run.stats.solver == ("cvode" if w == 0.01 else "cvode, adams")


def test_bdf_takes_over_where_a_model_becomes_stiff(tmp_path: Path) -> None:
    """At the end m follows x within 3e-8 s: Adams' method would take 1e11 steps."""
    result = _translated(tmp_path, "Stiffening").simulate(stop=20000)
    assert result["x"][-1] == pytest.approx(math.cos(20000), abs=5e-3)
    assert result["m"][-1] == pytest.approx(result["x"][-1], abs=1e-5)
    assert result.stats.solver == "cvode, adams"
    assert result.stats.steps < 400_000


def test_short_and_stiff_runs_keep_bdf(tmp_path: Path) -> None:
    assert _translated(tmp_path, "Oscillator").simulate(stop=100).stats.solver == "cvode"
    assert _translated(tmp_path, "VanDerPol").simulate(stop=20000).stats.solver == "cvode"


def test_spectral_radius(tmp_path: Path) -> None:
    """Eigenvalues 50i, -50i, -7, -0.1."""
    system = system_of(_translated(tmp_path, "Four").executable)
    states = system.states + 0.5
    assert spectral_radius(system, 0.0, states, 1e-6) == pytest.approx(50, rel=0.1)
    assert spectral_radius(system, 0.0, states * math.nan, 1e-6) == math.inf


@pytest.mark.parametrize(
    ("rate", "expected"),
    [(1000, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 52.0, 72.0, 92.0]), (1, [1.0, 401.0, 801.0, 1000.0])],
)
def test_parts_of_a_run(tmp_path: Path, rate: int, expected: list[float]) -> None:
    """The first ends after a thousandth, then each is as long as the run up to it, at most a fiftieth.

    With few steps in a unit of time they are so long that each has enough.
    """
    import numpy as np

    _, parts = zeros_of(RunParts)
    settings = Settings(0.0, 1000.0, 1.0, 1e-6, "auto")
    choice = MethodChoice(system_of(_translated(tmp_path, "Four").executable), settings, parts)
    outputs, ends = np.arange(0.0, 1001.0), []
    while len(ends) < len(expected):
        rest = outputs[outputs > (ends or [-1.0])[-1]]
        t = float(rest[end_of_part(parts.boundary, rest, 0, len(rest)) - 1])
        assert choice.is_due(t, outputs) or t == outputs[-1]
        choice.choose(t, outputs[:4], rate * int(t))
        ends.append(t)
    assert ends == expected


def test_tolerance_of_adams() -> None:
    for tolerance in (1e-6, 1e-8):
        step = step_tolerance(adams_tolerance(tolerance))
        assert step == pytest.approx(1e-2 * step_tolerance(tolerance))
    assert adams_tolerance(1e-11) == adams_tolerance(1e-12) == 1e-12
    assert adams_tolerance(1e-13) == 1e-13
