"""Modules of the Python target: numbers of the built-in run to the last bit, closed forms, and no need of acausal."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from math import exp
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import acausal

MODELS = {
    "oscillator": """
model Oscillator
  parameter w (unit="rad/s") = 2 "angular velocity"
  parameter w2 = w*w
  local x (start=1, fixed=true, unit="m"), v (start=0, fixed=true)
  der(x) = v
  der(v) = -w2*x
end
""",
    "ball": """
model Ball
  parameter e = 0.7
  local h (start=1, fixed=true), v (start=0, fixed=true)
  discrete integer bounces (start=0)
  der(h) = v
  der(v) = -9.81
  when h < 0 then
    init(v) = -e*v
    new(bounces) = bounces + 1
  endwhen
end
""",
    "sampled": """
model Sampled
  local x (start=1, fixed=true)
  discrete u (start=0)
  when sample(0.1, 0.25) then
    new(u) = x
  endwhen
  der(x) = -x + u - noevent(max(x, 3)) + 3
end
""",
    "delayed": """
model Delayed
  local x (start=1, fixed=true)
  der(x) = -delay(x, 1)
end
""",
    "implicit": """
model Implicit
  local x (start=1, fixed=true), y (start=1), z
  der(x) = -y
  y + y^3 = x + x^3
  z + exp(z) = x
end
""",
    "timed": """
model Timed
  local y
  y = if time > 0.3 then sin(5*time) else 0
end
""",
    "known": """
model Known
  input u
  local x (start=0, fixed=true)
  der(x) = u - x
end
""",
}
STOPS = {"ball": 2.0, "delayed": 2.5}


def loaded(path: Path) -> ModuleType:
    """A module from its file."""
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def translations() -> dict[str, acausal.Translation]:
    return {name: acausal.translate(text) for name, text in MODELS.items()}


@pytest.fixture(scope="module")
def modules(
    translations: dict[str, acausal.Translation], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, ModuleType]:
    folder = tmp_path_factory.mktemp("modules")
    found = {}
    for name, translation in translations.items():
        assert translation.export("python", folder / f"{name}.py") == (folder / f"{name}.py",)
        found[name] = loaded(folder / f"{name}.py")
    return found


@pytest.mark.parametrize("name", ["ball", "sampled", "delayed", "timed"])
def test_run_is_the_built_in_one(
    name: str, translations: dict[str, acausal.Translation], modules: dict[str, ModuleType]
) -> None:
    """With the same solver and tolerance of a step, to the last bits: SciPy has an exact Jacobian in one of the two."""
    stop, module = STOPS.get(name, 1.0), modules[name]
    found = module.simulate(stop=stop)
    solver = {} if name == "timed" else {"solver": "lsoda"}
    run = translations[name].simulate(stop=stop, tolerance=module.MODEL.tolerance / 10, **solver)  # type: ignore[arg-type]
    assert [event.time for event in run.events] == pytest.approx([time for time, _ in found.events], rel=1e-9)
    assert len(found.columns["time"]) == len(run.time)
    for column, values in found.columns.items():
        expected = run.time if column == "time" else run[column]
        assert values == pytest.approx(np.asarray(expected), rel=1e-7, abs=1e-7), column


def test_closed_forms(modules: dict[str, ModuleType]) -> None:
    found = modules["oscillator"].simulate({"w": 3.0}, tolerance=1e-9)
    assert found.columns["x"] == pytest.approx(np.cos(3.0 * found.columns["time"]), abs=1e-7)
    found = modules["known"].simulate(inputs={"u": 2.0})
    assert found.columns["x"][-1] == pytest.approx(2.0 - 2.0 * exp(-1.0), rel=1e-6)
    found = modules["known"].simulate(inputs={"u": lambda t: t})
    assert found.columns["x"][-1] == pytest.approx(exp(-1.0), rel=1e-6)
    found = modules["delayed"].simulate(stop=2.0)  # method of steps: 1 - t, then 1 - t + (t - 1)^2/2
    assert found.columns["x"][-1] == pytest.approx(-0.5, rel=1e-6)
    found = modules["implicit"].simulate(tolerance=1e-8)  # y = x
    assert found.columns["y"] == pytest.approx(np.exp(-found.columns["time"]), abs=1e-7)
    assert found.columns["z"] + np.exp(found.columns["z"]) == pytest.approx(found.columns["x"], abs=1e-9)
    first = (2.0 / 9.81) ** 0.5
    found = modules["ball"].simulate(stop=2.0)
    assert [time for time, _ in found.events] == pytest.approx([first, 2.4 * first, 3.38 * first, 4.066 * first])
    assert found.columns["bounces"][-1] == 4.0


def test_derivative_and_parameters(modules: dict[str, ModuleType]) -> None:
    module = modules["oscillator"]
    assert module.parameters(w=3.0)[:2].tolist() == [3.0, 9.0]
    assert module.derivative(0.0, [1.0, 5.0], module.parameters()).tolist() == [5.0, -4.0]
    assert module.STATES == {"x": "m", "v": "m/s"}


def test_wrong_names(modules: dict[str, ModuleType]) -> None:
    with pytest.raises(ValueError, match="ww is not a parameter; did you mean w"):
        modules["oscillator"].simulate({"ww": 3.0})
    with pytest.raises(ValueError, match="values of inputs are missing: u"):
        modules["known"].simulate()
    with pytest.raises(ValueError, match="v is not an input; inputs: u"):
        modules["known"].simulate(inputs={"v": 1.0})


def test_text_is_readable(modules: dict[str, ModuleType]) -> None:
    text = Path(str(modules["oscillator"].__file__)).read_text(encoding="utf-8")
    assert "    der_v = x * p[2]  # <text>:7: der(v) = -w2*x\n" in text
    assert "angular velocity" in text
    assert "EventContext" not in text  # no part of a run that the model does not need


def test_module_is_a_command_without_acausal(modules: dict[str, ModuleType], tmp_path: Path) -> None:
    path = modules["oscillator"].__file__
    arguments = ["--stop", "2", "--set", "w=3", "-o", "x.csv"]
    hidden = f"import sys, runpy; sys.modules['acausal'] = None; sys.argv[1:] = {arguments}"
    command = [sys.executable, "-I", "-c", f"{hidden}; runpy.run_path({path!r}, run_name='__main__')"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    head, *rows = (tmp_path / "x.csv").read_text(encoding="utf-8").splitlines()
    assert head.startswith("time,x,v")
    assert float(rows[-1].split(",")[1]) == pytest.approx(np.cos(6.0), abs=1e-5)
