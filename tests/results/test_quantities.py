"""Quantities of plots: expressions, units of display, and what is wrong with them."""

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from acausal.results.display_units import conversion, fits
from acausal.results.formats.columns import Column
from acausal.results.quantities import quantities
from acausal.results.result import Result

T = np.linspace(0.0, 1.0, 5)
UNITS = {
    "q": "rad",
    "w": "rad/s",
    "m": "kg",
    "v": "m/s",
    "x": "m",
    "y": "mm",
    "T": "K",
    "C": "degC",
    "p": "Pa",
    "U": "V",
    "I": "A",
    "n": None,
    "eta": "1",
    "f": "Hz",
    "wrong": "furlong",
}


@pytest.fixture(scope="module")
def result() -> Result:
    stored = np.column_stack([1.0 + T * k for k in range(len(UNITS))])
    columns = {name: Column(k, unit=unit) for k, (name, unit) in enumerate(UNITS.items())}
    return Result("units", T, stored, columns)


@pytest.mark.parametrize(
    ("text", "unit", "factor"),
    [
        ("q", "rad", 1.0),
        ("q in deg", "deg", 180 / np.pi),
        ("q*180/pi", "deg", 1.0),
        ("q*180/pi in deg", "deg", 1.0),
        ("-abs(q)*180/pi in deg", "deg", 1.0),
        ("w*30/pi", "rpm", 1.0),
        ("w in rpm", "rpm", 30 / np.pi),
        ("w in deg/s", "deg/s", 180 / np.pi),
        ("w in rev/s", "rev/s", 0.5 / np.pi),
        ("I in mA", "mA", 1000.0),
        ("U*I", "W", 1.0),
        ("U*I in kW", "kW", 0.001),
        ("m*v^2", "J", 1.0),
        ("m*v^2/2", None, 1.0),
        ("m*v^2/2 in kJ", "kJ", 0.001),
        ("sqrt(x^2)", "m", 1.0),
        ("x + 1", "m", 1.0),
        ("x + 0.001*y in cm", "cm", 100.0),
        ("2*x + x", None, 1.0),
        ("2*x + x in mm", "mm", 1000.0),
        ("max(x, -x) - x", "m", 1.0),
        ("integral(I)", "C", 1.0),
        ("p/1e5", "bar", 1.0),
        ("time/60", "min", 1.0),
        ("atan2(x, x)", "rad", 1.0),
        ("x/x in %", "%", 100.0),
        ("eta in %", "%", 100.0),
        ("if time < 0.5 then x else -x", "m", 1.0),
        ("n*x", None, 1.0),
        ("C - C", None, 1.0),
        ("x in in", "in", 1 / 0.0254),
    ],
)
def test_units(result: Result, text: str, unit: str | None, factor: float) -> None:
    (quantity,) = quantities(result, [text])
    assert (quantity.unit, quantity.conversion.factor) == (unit, pytest.approx(factor, rel=1e-15))


def test_values_are_converted_once(result: Result) -> None:
    for text, expected in [
        ("q in deg", np.degrees(result["q"])),
        ("q*180/pi", np.degrees(result["q"])),
        ("q*180/pi in deg", np.degrees(result["q"])),
        ("w in rpm", result["w"] * 60 / (2 * np.pi)),
        ("T in degC", result["T"] - 273.15),
        ("C in degF", result["C"] * 1.8 + 32.0),
        ("2", np.full(5, 2.0)),
    ]:
        (quantity,) = quantities(result, [text])
        assert np.allclose(quantity.values(result), expected, rtol=1e-15, atol=1e-12), text


def test_units_of_display_convert_what_they_fit(result: Result) -> None:
    shown = quantities(result, ["q", "w", "I", "x in cm", "n", "eta"], ["deg", "rpm", "mA", "mm"])
    assert [q.unit for q in shown] == ["deg", "rpm", "mA", "cm", None, "1"]


@pytest.mark.parametrize(
    ("text", "units", "code", "said"),
    [
        ("x + y", (), "F022", "multiply what is in mm by 0.001"),
        ("U + I", (), "F022", "V and A are added or compared"),
        ("x in s", (), "F022", "x is in m, which cannot be shown in s"),
        ("w in Hz", (), "F022", "rpm, deg/s or rev/s"),
        ("f in rpm", (), "F022", "cannot be shown in rpm"),
        ("n in mm", (), "F022", "the unit of n is unknown"),
        ("n*x in mm", (), "F022", "the unit of n*x is unknown"),
        ("wrong in m", (), "F022", "cannot be shown in m"),
        ("x in furlong", (), "F022", "unknown unit furlong"),
        ("x in metres", (), "F022", "did you mean m?"),
        ("T - T in degC", (), "F022", "not a single temperature"),
        ("x", ("mA",), "F022", "plotted: x [m]"),
        ("* in deg", (), "F022", "--unit deg"),
        ("xx", (), "F005", "the result has no variable xx"),
        ("x*zz", (), "F005", "zz"),
        ("x^2 + zz", (), "F005", "zz"),
        ("maxx(x)", (), "F010", "did you mean max?"),
        ("x + ", (), "P019", "after `+`"),
    ],
)
def test_mistakes(result: Result, text: str, units: tuple[str, ...], code: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        quantities(result, [text], units)
    assert caught.value.report.diagnostics[0].code == code
    assert said in str(caught.value)


def test_patterns_and_expressions_are_told_apart(result: Result) -> None:
    assert [q.label for q in quantities(result, ["x*y"])] == ["x*y"]
    assert [q.label for q in quantities(result, ["U*", "x", "x in mm"])] == ["U", "x", "x"]


def test_conversions_are_exact() -> None:
    for old, new, factor in [
        ("A", "mA", 1000.0),
        ("mm", "m", 0.001),
        ("Pa", "bar", 1e-5),
        ("rpm", "rad/s", np.pi / 30),
    ]:
        assert fits(old, new)
        assert conversion(old, new).factor == pytest.approx(factor, rel=2.3e-16)
    assert not fits("rad", "%")
    assert not fits("1", "Hz")
