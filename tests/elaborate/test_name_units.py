"""Units of results that nobody has declared: carried over by equations, named where the check of units found them."""

from pathlib import Path

import pytest

import acausal
from acausal.units.check.result_units import derivative_unit, integral_unit

MODEL = """
model class shaft
  cut A (phi, w = der(phi), a = der(phi, 2) / t)
  terminal phi (unit="rad")
end

model M
  submodel (shaft) s (ic phi=0, w=1)
  parameter J (unit="kg.m2") = 2, k=3, other=k
  local w, minus, sum, energy, q (start=0, fixed=true), rate, free, x (unit="mm"), speed
  local part, whole (unit="N.m") = part + rest, rest = 0, boolean up
  w = der(s.phi)
  minus = -w
  sum = w + minus + s.w
  energy = J*w^2
  der(q) = 5*cos(q)
  rate = der(q)
  free = 7
  speed = der(x)
  der(x) = 3*x
  part = 2
  up = time > 1
  s.a = 0
end
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> acausal.Result:
    path = tmp_path_factory.mktemp("units") / "m.mdl"
    path.write_text(MODEL)
    return acausal.translate(path).simulate()


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("s.phi", "rad"),
        ("w", "rad/s"),
        ("minus", "rad/s"),
        ("sum", "rad/s"),
        ("s.w", "rad/s"),
        ("s.a", "rad/s^2"),
        ("energy", "J"),
        ("q", "rad"),
        ("rate", "rad/s"),
        ("der(q)", "rad/s"),
        ("speed", "mm/s"),
        ("der(x)", "mm/s"),
        ("part", "N.m"),
        ("rest", "N.m"),
        ("free", None),
        ("up", None),
        ("J", "kg.m2"),
        ("k", None),
    ],
)
def test_units(result: acausal.Result, name: str, unit: str | None) -> None:
    assert result.column(name).unit == unit


def test_units_do_not_depend_on_what_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(MODEL)
    assert acausal.translate(path, outputs=["w"]).simulate().column("w").unit == "rad/s"


def test_units_are_on_axes(result: acausal.Result) -> None:
    figure = result.plot("w", "s.a")
    assert figure is not None
    assert [axis.get_ylabel() for axis in figure.axes] == ["w [rad/s]", "s.a [rad/s^2]"]


def test_model_without_units_has_none(tmp_path: Path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text("model M\n  local x (start=1, fixed=true)\n  der(x) = -sin(x)\nend\n")
    r = acausal.translate(path).simulate()
    assert {r.column(name).unit for name in r.names} == {None}


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("rad", "rad/s"),
        ("m/s", "m/s^2"),
        ("m/s2", "m/s^3"),
        ("m/s^2", "m/s^3"),
        ("s", "1"),
        ("1", "1/s"),
        ("J/K", "J/K/s"),
        ("degC", "K/s"),
        ("degF", None),
        ("no unit!", None),
    ],
)
def test_unit_of_a_derivative(text: str, rate: str | None) -> None:
    assert derivative_unit(text) == rate


@pytest.mark.parametrize(
    ("text", "whole"), [("rad/s", "rad"), ("m/s^2", "m/s"), ("m/s3", "m/s^2"), ("1/s", None), ("V", None)]
)
def test_unit_of_an_integral(text: str, whole: str | None) -> None:
    assert integral_unit(text) == whole
