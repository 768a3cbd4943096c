"""Values of parameters from outside the text have the declared type: one rule for all ways to give them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acausal import cached
from acausal.base.diagnostics import ModelError, UsageError
from acausal.cli import main
from acausal.pipeline import translate

MODEL = """model M
  parameter R=2, integer n=2, boolean on=false, string shape="box", m=4, integer half=m/2
  local y, z[n]
  y = n*R*time + half + (if on then 100 else 0) + (if shape == "box" then 0 else 1)
  for i = 1 to n
    z[i] = i*time
  endfor
end
"""
FREE = MODEL.replace("z[n]", "z").replace("for i = 1 to n\n    z[i] = i*time\n  endfor", "z = time")
"""The same, where nothing depends on the value of n at translation."""

WRONG = [
    ("R", True),
    ("R", "one"),
    ("R", None),
    ("R", 1j),
    ("R", 10**400),
    ("R", float("inf")),
    ("R", np.ones(2)),
    ("n", 2.5),
    ("n", True),
    ("on", 2),
    ("on", 0.5),
    ("shape", 1),
    ("shape", "ball"),
]
Give = Callable[[Path, str, Any], object]
WAYS: dict[str, Give] = {
    "translate": lambda file, name, value: translate(file, parameters={name: value}),
    "cached": lambda file, name, value: cached.translate(file, parameters={name: value}, cache=False),
    "simulate": lambda file, name, value: translate(file).simulate(parameters={name: value}),
    "sweep": lambda file, name, value: translate(file).sweep({name: [value, value]}),
    "table of runs": lambda file, name, value: translate(file).sweep(runs={name: [value, value]}),
}


@pytest.fixture(params=[MODEL, FREE], ids=["structural", "free"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "model.mdl"
    path.write_text(request.param, encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "value"), WRONG)
@pytest.mark.parametrize("way", WAYS)
def test_wrong_types(file: Path, way: str, name: str, value: object) -> None:
    with pytest.raises(UsageError) as raised:
        WAYS[way](file, name, value)
    (told,) = raised.value.report.diagnostics
    assert told.code in ("T014", "F005", "W001")
    assert name in told.message
    assert told.help


@pytest.mark.parametrize("way", ["simulate", "translate"])
@pytest.mark.parametrize(
    ("given", "end"),
    [
        ({"R": 3}, 8),
        ({"n": 3}, 8),
        ({"n": 3.0, "on": True}, 108),
        ({"on": 1}, 106),
        ({"on": np.True_, "R": np.float32(4)}, 110),
        ({"m": 6, "n": np.int64(1)}, 5),
    ],
)
def test_right_types(file: Path, way: str, given: dict[str, float], end: float) -> None:
    """y(1) = n R + m/2, and 100 where `on`."""
    if way == "simulate":
        result = translate(file).simulate(stop=1, parameters=given)
    else:
        result = translate(file, parameters=given).simulate(stop=1)
    assert result["y"][-1] == pytest.approx(end)


def test_an_integer_that_follows_is_checked_in_each_run(file: Path) -> None:
    """half = m/2 with m = 5."""
    model = translate(file)
    with pytest.raises(ModelError, match=r"half is declared integer, its value is 2\.5"):
        model.simulate(parameters={"m": 5})
    result = model.sweep({"m": [4, 5, 6]}, final=["y"])
    assert {index: failure.code for index, failure in result.failures.items()} == {1: "T014"}
    assert result["final(y)"].tolist()[::2] == pytest.approx([6, 7])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulate", "--set", "n=2.5"], "n is declared integer"),
        (["simulate", "--set", "R=true"], "R is declared real"),
        (["simulate", "--set", "on=2"], "on is declared boolean"),
        (["simulate", "--set", "shape=2"], "shape"),
        (["sweep", "--set", "n=2:3:3"], "n is declared integer"),
        (["sweep", "--set", "on=true,2"], "on is declared boolean"),
    ],
)
def test_commands(file: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, *flags = arguments
    assert main([command, str(file), *flags, "-o", str(file.with_suffix(".csv"))]) == 2
    assert said in capsys.readouterr().err


def test_true_in_commands(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = file.with_suffix(".csv")
    assert main(["simulate", str(file), "--set", "on=true", "-o", str(out)]) == 0
    assert main(["sweep", str(file), "--set", "on=true,false", "-o", str(out)]) == 0
    assert [line.split(",")[1] for line in out.read_text(encoding="utf-8").splitlines()] == ["on", "1.0", "0.0"]
