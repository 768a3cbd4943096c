"""Values with units that analyses are given for variables and parameters whose units are not those of the SI."""

import json
from pathlib import Path
from typing import Any

import pytest

import acausal
from acausal.cli import main

TEXT = """model Cart
  parameter k (unit="N/m")=2, m (unit="kg")=1
  input F (unit="kN"), w (unit="mm")
  local x (unit="mm", start=100), v (unit="m/s", start=0), T (unit="degC", start=20)
  der(x) = 1000*v
  m*der(v) = 1000*F - k*(x - w)/1000
  10*der(T) = -T
  experiment (stop=1, plot=[x])
end
"""


@pytest.fixture(autouse=True)
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cart.mdl").write_text(TEXT)
    Path("data.csv").write_text("time,x,T\n0,100,20\n0.1,98,19\n0.2,96,20\n0.3,91,19\n")


def command(capsys: pytest.CaptureFixture[str], name: str, *flags: str) -> dict[str, Any]:
    assert main([name, "cart.mdl", *flags, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)[name]
    assert isinstance(found, dict)
    return found


def test_trim(capsys: pytest.CaptureFixture[str]) -> None:
    """F = k x at rest: 2 N/m * 0.2 m; from rest, 1 m/s^2 takes 1 N + 2 N/m * 0.1 m."""
    at_rest = command(capsys, "trim", "--fixed", "x=20 cm", "--free", "F", "--input", "w=0", "--moving", "T")
    assert at_rest["values"]["F"] == pytest.approx(0.4e-3)
    fixed = ("--fixed", "der(v)=100 cm/s2", "--free", "F", "--not-steady", "--input", "w=0")
    assert command(capsys, "trim", *fixed)["values"]["F"] == pytest.approx(1.2e-3)


@pytest.mark.parametrize(("sigma", "number"), [("x=1 cm", 10), ("T=0.5 K", 0.5), ("T=0.5 degC", 0.5)])
def test_standard_deviations(capsys: pytest.CaptureFixture[str], sigma: str, number: float) -> None:
    """They are differences: 0.5 K is 0.5 degC."""
    name = sigma[0]
    flags = ("--vary", "m=0.1:20", "--input", "F=0", "--input", "w=0", "--measured", f"{name}={name}")
    if name == "T":
        flags = ("--measured", "x=x", "--sigma", "x=1", *flags)
    found = command(capsys, "fit", "data.csv", *flags, "--sigma", sigma)
    assert found["sigma"][name] == pytest.approx(number)


def test_inputs_and_guesses_of_controls(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--control", "F=-1e-3:1e-3", "--minimize", "final(x)", "--stop", "0.3", "--intervals", "2")
    in_units = command(capsys, "optimize", *flags, "--input", "w=10 cm", "--guess", "F=1 N", "--guess", "x=5 cm")
    plain = command(capsys, "optimize", *flags, "--input", "w=100", "--guess", "F=1e-3", "--guess", "x=50")
    assert in_units["value"] == plain["value"]


@pytest.mark.parametrize(
    "flags",
    [
        ("trim", "cart.mdl", "--fixed", "x=20 K", "--free", "F", "--input", "w=0"),
        ("fit", "cart.mdl", "data.csv", "--vary", "m=1:2", "--sigma", "x=1 kg", "--input", "F=0", "--input", "w=0"),
        ("optimize", "cart.mdl", "--control", "F=-1:1", "--minimize", "final(x)", "--input", "w=1 kg"),
        ("optimize", "cart.mdl", "--control", "F=-1:1", "--minimize", "final(x)", "--input", "w=1", "--guess", "x=1 s"),
    ],
)
def test_other_dimensions(capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]) -> None:
    assert main(list(flags)) == 2
    assert "cannot be converted to mm" in capsys.readouterr().err


def test_deviations_of_temperatures() -> None:
    """A deviation is a difference, without the offset of degC; a factor has no unit."""
    text = 'model M\n parameter a (unit="K")=1, b (unit="degC")=1\n local x (start=a), y (start=b)\n'
    model = acausal.translate(text + " der(x) = -x\n der(y) = -y\n experiment (stop=0.1)\nend\n")
    given = {"a": "normal(20 degC, 2 degC)", "b": "normal(293.15 K, 2 K)"}
    found = model.uncertainty(given, outputs=["final(x)"], n=4).data()["distributions"]
    assert found == {"a": "normal(293.15, 2)", "b": "normal(20, 2)"}
    with pytest.raises(acausal.UsageError, match="has no unit: 2 K"):
        model.uncertainty({"a": "lognormal(300, 2 K)"}, n=4)


def test_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    """2 N/m * 0.2 m is 0.4 N, within 0 and 0.5 N, but not within 0 and 0.3 N; a spring of 5 N/m stretched 0.1 m."""
    flags = ("--fixed", "x=20 cm", "--input", "w=0", "--moving", "T")
    assert command(capsys, "trim", *flags, "--free", "F=0 N:0.5 N")["values"]["F"] == pytest.approx(0.4e-3)
    assert main(["trim", "cart.mdl", *flags, "--free", "F=0:0.3 N"]) == 3
    capsys.readouterr()
    fixed = ("--fixed", "der(v)=-0.5", "--not-steady", "--input", "w=0", "--input", "F=0", "--free", "k=1:1 N/cm")
    assert command(capsys, "trim", *fixed)["values"]["k"] == pytest.approx(5)
    control = ("--minimize", "final(x)", "--stop", "0.3", "--intervals", "2", "--input", "w=100", "--control")
    assert (
        command(capsys, "optimize", *control, "F=-1 N:1 N")["value"]
        == command(capsys, "optimize", *control, "F=-1e-3:1e-3")["value"]
    )
