"""Exported programs whose solver steps over a pole: each says so. C is in `c/test_steps`."""

import shutil
import subprocess
from ctypes import byref
from pathlib import Path

import pytest

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.fmi.importer import ERROR, OK, Bool, Double, Fmu, Instance, Size
from tests.targets.test_python_target import loaded

OVER = """model Over
  local x (start=-0.735, fixed=true), z (start=0, fixed=true), p (start=1, fixed=true)
  der(x) = 1
  der(z) = sin(x)/x
  der(p) = -100*p/(0.5 - x)
  experiment (stop=2)
end
"""
"""sin(x)/x at 0.735 s has no pole, 100/(0.5 - x) at 1.235 s has one: beside which p is nearly 0."""


@pytest.fixture(scope="module")
def over() -> acausal.Translation:
    return acausal.translate(OVER)


def test_python_module(over: acausal.Translation, tmp_path: Path) -> None:
    over.export("python", tmp_path / "over_module.py")
    module = loaded(tmp_path / "over_module.py")
    assert len(module.simulate(stop=1.2, interval=0.1).columns["time"]) == 13
    with pytest.raises(module.SimulationError, match=r"between t = 1.2 and t = 1.3 a derivative is infinite"):
        module.simulate(interval=0.1)


def test_fmu(over: acausal.Translation, tmp_path: Path) -> None:
    fmu = Fmu(tmp_path, ("-O0",), fmu_files(over._model, "over", TargetOptions(source_only=True), 3))
    message = "a derivative is infinite, as a divisor passes through zero"
    made = fmu.co_simulation().initialize(2.0)
    assert [made.step(0.1 * i, 0.1)[0] for i in range(12)] == [OK] * 12
    assert made.step(1.2, 0.1)[0] == ERROR
    assert fmu.messages.pop().endswith(f"and t = 1.3 {message}")
    made.free()
    made = fmu.model_exchange().initialize()
    made.update()
    assert made.call("EnterContinuousTimeMode") == OK
    statuses = [completed(made, t, [t - 0.735, t, 1.0]) for t in (0.7, 0.8, 1.2, 1.3)]
    assert statuses == [OK, OK, OK, ERROR]
    assert message in fmu.messages.pop()
    made.free()


def completed(made: Instance, t: float, states: list[float]) -> int:
    """The status of a step of an integrator that ends here."""
    assert made.call("SetTime", Double(t)) == OK
    assert made.call("SetContinuousStates", (Double * 3)(*states), Size(3)) == OK
    return made.call("CompletedIntegratorStep", Bool(False), byref(Bool()), byref(Bool()))


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran")
def test_fortran(over: acausal.Translation, tmp_path: Path) -> None:
    over.export("fortran", tmp_path / "m.f90", step=0.01)
    flags = ["-std=f2008", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
    subprocess.run(["gfortran", *flags, "m.f90", "m.main.f90", "-o", "m"], cwd=tmp_path, check=True, timeout=120)

    def said(stop: str) -> str:
        command = ["./m", "--interval", "0.1", "--stop", stop]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stderr.strip()

    assert "pole" not in said("1.2")
    assert said("2").endswith("warning: steps over a pole of a derivative: 1; values behind it mean nothing")
