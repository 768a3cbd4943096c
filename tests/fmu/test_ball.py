"""An FMU of our own beside the closed form of a ball that bounces and is kicked."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import ModelError
from acausal.simulate.fmu.child.protocol import DERIVATIVE
from acausal.simulate.fmu.process import FmuProcess
from acausal.translation import Translation
from tests.fmu.archives import archive, binary_place, description

G, E = 9.81, 0.7


def translated(folder: Path, model: str) -> Translation:
    """The translation of a model in the folder of the FMUs."""
    return acausal.translate(folder / "model.mdl", text=model, cache=False)


def height(t: float, kick: float = 1.0, g: float = G) -> tuple[float, float, int]:
    """Height, velocity and bounces of a ball that falls from 1 m, and is kicked at t = 1."""
    h, v, now, bounces, is_kicked = 1.0, 0.0, 0.0, 0, False
    while True:
        landing = now + (v + math.sqrt(v * v + 2 * g * h)) / g
        end = min(t, landing, math.inf if is_kicked else 1.0)
        h, v = h + v * (end - now) - g * (end - now) ** 2 / 2, v - g * (end - now)
        now = end
        if now == t:
            return h, v, bounces
        if now == landing:
            h, v, bounces = 0.0, -E * v, bounces + 1
        else:
            v, is_kicked = v + kick, True


@pytest.mark.parametrize("version", [2, 3])
def test_model_exchange_is_the_closed_form(folder: Path, version: int) -> None:
    r = translated(folder, f'model M\n  submodel (fmu "ball{version}.fmu") x(kick=2)\n  x.f = 0\nend').simulate(
        stop=1.45, tolerance=1e-9
    )
    expected = np.array([height(float(t), kick=2.0)[:2] for t in r.time])
    inside = np.array([abs(t - 1.0) > 1e-9 and abs(h) > 1e-9 for t, h in zip(r.time, r["x.h"], strict=True)])
    assert np.abs(r["x.h"] - expected[:, 0]).max() < 1e-7
    assert np.abs(r["x.v"] - expected[:, 1])[inside].max() < 1e-6
    assert np.abs(r["x.energy"] - (r["x.v"] ** 2 / 2 + G * r["x.h"])).max() < 1e-12
    assert r["x.bounces"][-1] == height(1.45, kick=2.0)[2] == 2
    assert sorted(np.unique(r["x.was_kicked"][r.time < 1.0])) == [0]
    assert r["x.was_kicked"][-1] == 1
    assert [t for t in r.time if list(r.time).count(t) == 2][:1] == pytest.approx([math.sqrt(2 / G)], abs=1e-8)


@pytest.mark.parametrize("version", [2, 3])
def test_co_simulation_holds_outputs_between_times_of_communication(folder: Path, version: int) -> None:
    text = f'model M\n  submodel (fmu_cs "ball{version}.fmu") x(fmu_interval=0.05)\n  x.f = 0\nend'
    r = translated(folder, text).simulate(stop=0.42, interval=0.01)
    grid = np.floor(r.time / 0.05 + 1e-9) * 0.05
    expected = [height(float(t))[0] for t in grid]
    after = np.append(np.diff(r.time) > 0, [True])  # the second of two rows at one time
    assert np.abs(r["x.h"] - expected)[after].max() < 2e-3
    assert len(np.unique(r["x.h"])) == 9


def test_inputs_are_sampled_for_the_step_that_follows(folder: Path) -> None:
    """A force that balances the weight from t = 0.1 on: the velocity stays what it is."""
    text = """model M
  submodel (fmu_cs "ball2.fmu") x(kick=0)
  x.f = if time < 0.0999 then 0 else 9.81
end"""
    r = translated(folder, text).simulate(stop=0.3, interval=0.1)
    assert r["x.h"][-1] == pytest.approx(1 - G * 0.1**2 / 2 - 0.2 * G * 0.1, abs=1e-9)


def test_a_loop_through_states_is_not_algebraic(folder: Path) -> None:
    """The FMU says that outputs do not depend on the input: `f = -d*v` is sorted, and the fall has a closed form."""
    t = translated(folder, 'model M\n  submodel (fmu "ball2.fmu") x(kick=0)\n  x.f = -2*x.v\nend')
    assert not t.statistics["linear_blocks"] and not t.statistics["nonlinear_blocks"]
    r = t.simulate(stop=0.4, tolerance=1e-9)
    expected = 1 - G / 2 * (r.time - (1 - np.exp(-2 * r.time)) / 2)
    assert np.abs(r["x.h"] - expected).max() < 1e-7


def test_a_loop_that_is_algebraic_is_solved(folder: Path) -> None:
    """energy = v^2/2 + g*h and f = energy: derivatives of the FMU's output make Newton's method converge."""
    text = """model M
  submodel (fmu "ball3.fmu") x(kick=0)
  local w
  w^3 + w = x.energy + x.f
  x.f = w - 1
end"""
    r = translated(folder, text).simulate(stop=0.2)
    w = r["w"]
    assert np.abs(w**3 + 1 - r["x.energy"]).max() < 1e-8


def test_two_instances_and_the_reference_executable_agree(folder: Path) -> None:
    text = """model M
  submodel (fmu "ball2.fmu") a(kick=0), b(kick=0, g=-1.62)
  a.f = 0
  b.f = 0
end"""
    r = translated(folder, text).simulate(stop=0.5)
    assert r["a.h"][-1] == pytest.approx(height(0.5)[0], abs=1e-5)
    assert r["b.h"][-1] == pytest.approx(1 - 1.62 * 0.5**2 / 2, abs=1e-6)


def test_arguments_are_checked_as_those_of_any_class(folder: Path) -> None:
    with pytest.raises(ModelError, match="mass"):
        translated(folder, 'model M\n  submodel (fmu "ball2.fmu") x(mass=1)\n  x.f = 0\nend')
    with pytest.raises(ModelError) as error:
        translated(folder, 'model M\n  submodel (fmu "ball2.fmu") x\nend')
    assert "f" in str(error.value)


def test_translation_runs_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    monkeypatch.setattr(subprocess, "Popen", None)
    t = translated(folder, 'model M\n  submodel (fmu "ball2.fmu") x\n  x.f = 0\nend')
    assert t.statistics["states"] == 2


@pytest.mark.parametrize("version", [2, 3])
def test_directional_derivatives_solve_a_loop(folder: Path, version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The acceleration a = f + g of the FMU, f = 2 - a - a^3/50: a is the root of a cubic."""
    name = f"derivatives{version}.fmu"
    offers = f'modelIdentifier="ball" providesDirectionalDerivative{"s" * (version == 3)}="true"'
    text = description(version).replace('modelIdentifier="ball"', offers)
    (folder / name).write_bytes(
        archive({"modelDescription.xml": text, binary_place(version): (folder / f"ball{version}.so").read_bytes()})
    )
    asked: list[int] = []
    ask = FmuProcess.ask

    def noted(process: FmuProcess, command: int, values: Sequence[float]) -> tuple[float, ...]:
        asked.append(command)
        return ask(process, command, values)

    monkeypatch.setattr(FmuProcess, "ask", noted)
    model = """model M
  submodel (fmu "{}") x(kick=0)
  local a
  a = der(x.v)
  x.f = 2 - a - a^3/50
end"""
    (root,) = [x.real for x in np.roots([1 / 50, 0, 2, G - 2]) if abs(x.imag) < 1e-9]
    for file, is_offered in ((name, True), (f"ball{version}.fmu", False)):
        asked.clear()
        r = translated(folder, model.format(file)).simulate(stop=0.4, tolerance=1e-9)
        assert r["a"] == pytest.approx(np.full(len(r.time), root), rel=1e-9)
        assert r["x.h"] == pytest.approx(1 + root * r.time**2 / 2, abs=1e-8)
        assert (DERIVATIVE in asked) == is_offered


@pytest.mark.parametrize(("version", "solver"), [(2, "auto"), (3, "auto"), (2, "DOP853"), (2, "Radau")])
def test_completed_steps_are_reported_and_may_ask_for_an_event(folder: Path, version: int, solver: str) -> None:
    """The FMU stops the ball at a step behind 0.3 s, and fails where no step was reported for more than 0.01 s."""
    name = f"steps{version}.fmu"
    text = description(version).replace('needsCompletedIntegratorStep="false"', "")
    (folder / name).write_bytes(
        archive({"modelDescription.xml": text, binary_place(version): (folder / f"ball{version}.so").read_bytes()})
    )
    t = translated(folder, f'model M\n  submodel (fmu "{name}") x(fault=6, kick=0)\n  x.f = 0\nend')
    r = t.simulate(stop=0.45, interval=0.01, tolerance=1e-9, solver=solver)
    (event,) = [time for time, following in zip(r.time, r.time[1:], strict=False) if time == following]
    assert 0.3 < event <= 0.31 + 1e-9
    height = 1 - G * event**2 / 2 - G * np.maximum(r.time - event, 0) ** 2 / 2
    assert r["x.h"] == pytest.approx(np.where(r.time <= event, 1 - G * r.time**2 / 2, height), abs=1e-7)
    assert r["x.v"][-1] == pytest.approx(-G * (0.45 - event), abs=1e-7)


def test_a_completed_step_may_end_the_simulation(folder: Path) -> None:
    t = translated(folder, 'model M\n  submodel (fmu "ball2.fmu") x(fault=7)\n  x.f = 0\nend')
    r = t.simulate(stop=1, interval=0.01)
    assert 0.3 < r.time[-1] <= 0.31 + 1e-9
    assert any("the FMU ends the simulation" in note.message for note in r.notes)


@pytest.mark.parametrize("version", [2, 3])
def test_a_step_of_co_simulation_may_end_the_simulation(folder: Path, version: int) -> None:
    text = f'model M\n  submodel (fmu_cs "ball{version}.fmu") x(fault=7, fmu_interval=0.08)\n  x.f = 0\nend'
    t = translated(folder, text)
    r = t.simulate(stop=1, interval=0.05)
    assert r.time[-1] == pytest.approx(0.32, abs=1e-12)
    assert any("the FMU ends the simulation" in note.message for note in r.notes)
