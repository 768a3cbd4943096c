"""Numbers with SI prefixes and units where values are given, and where they are not."""

from math import pi

import pytest

import acausal
from acausal.base.diagnostics import ModelError
from acausal.base.source import SourceFile
from acausal.ir import ast
from acausal.syntax.parser import parse_expression
from acausal.units.convert import MismatchError, converted, si_unit


@pytest.mark.parametrize(
    ("text", "number", "prefix", "unit"),
    [
        ("1k", "1", "k", ""),
        ("4.7uF", "4.7", "", "uF"),
        ("1k Ohm", "1", "k", "Ohm"),
        ("5m", "5", "m", ""),
        ("5 m", "5", "", "m"),
        ("5mm", "5", "", "mm"),
        ("1.E-3 m/s^2", "1.E-3", "", "m/s^2"),
        ("400 W/(m^2*K)", "400", "", "W/(m^2*K)"),
        ("50 %", "50", "", "%"),
        ("3 kg.m2", "3", "", "kg.m2"),
        ("-5 degC", "-5", "", "degC"),
        ("10 \N{MICRO SIGN}m", "10", "", "\N{MICRO SIGN}m"),
    ],
)
def test_parts(text: str, number: str, prefix: str, unit: str) -> None:
    found = parse_expression(SourceFile("text", text))
    assert found == ast.Quantity(found.span, text, number, prefix, unit)


@pytest.mark.parametrize("text", ["10 V/R", "2 m + 3", "1 kOhm*k", "5 s - 1", "[1 m, 2 m]", "if b then 1 V else 2 V"])
def test_a_unit_ends_before_what_is_none(text: str) -> None:
    assert not isinstance(parse_expression(SourceFile("text", text)), ast.Quantity)


@pytest.mark.parametrize(
    ("number", "prefix", "unit", "wanted", "value"),
    [
        ("4.7", "", "uF", "F", 4.7e-6),
        ("4.7", "", "uF", None, 4.7e-6),
        ("1", "k", "Ohm", "MOhm", 1e-3),
        ("4.7", "k", "", "mA", 4700.0),
        ("90", "", "deg", None, pi / 2),
        ("1", "", "rev", "deg", 360.0),
        ("3000", "", "rpm", "rad/s", 100 * pi),
        ("25", "", "degC", "K", 298.15),
        ("-40", "", "degC", "degF", -40.0),
        ("212", "", "degF", "degC", 100.0),
        ("36", "", "km/h", "m/s", 10.0),
        ("1", "", "kWh", "J", 3.6e6),
        ("2", "", "Pa^(1/2)", "kPa^(1/2)", 2 / 1000**0.5),
        ("1e-999999999", "", "m", "mm", 0.0),
    ],
)
def test_conversion(number: str, prefix: str, unit: str, wanted: str | None, value: float) -> None:
    assert converted(number, prefix, unit, wanted) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(("unit", "wanted"), [("mm", "Ohm"), ("50 Hz".split()[1], "rad/s"), ("rpm", "Hz"), ("K", "m")])
def test_other_quantities_are_not_converted(unit: str, wanted: str) -> None:
    with pytest.raises(MismatchError):
        converted("1", "", unit, wanted)


@pytest.mark.parametrize(("unit", "si"), [("deg", "rad"), ("rpm", "rad/s"), ("mm", "m"), ("degC", "K")])
def test_si_unit(unit: str, si: str) -> None:
    assert si_unit(unit) == si


MODEL = """
model class Part
  parameter L (unit="m") = 1, c (unit="degC") = 0, plain = 5 mm
  local u (unit="mV")
  der(u) = 0
end
model M
  constant n = 2
  parameter R = 4.7 kOhm, phi = -90 deg, k = n*45 deg/2, v[3] (unit="mA") = [1 A, 2 mA, 3]
  parameter T (unit="K") = -10 degC, chosen = if n > 1 then 1 bar else 2 Pa
  submodel (Part) a(L=25 cm, c=300.15 K) (ic u=5 V), b[2](L=k*1 mm for k = 1 to 2, plain=3 cm)
  local x (start=10 mm, min=-1 km, nominal=1 cm, unit="m")
  der(x) = 0
  experiment (stop=20 ms, interval=5 ms)
end
"""


def test_values_are_in_the_units_of_their_declarations(tmp_path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(MODEL)
    model = acausal.translate(path)
    result = model.simulate()
    found = {name: float(result[name][-1]) for name in result if "der" not in name}
    expected = {
        "a.u": 5000.0,
        "x": 0.01,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    assert result.time[-1] == pytest.approx(0.02) and len(result.time) == 5
    flat = model.equations("flat")
    for line in (
        'R (unit="Ohm") = 4700',
        f'phi (unit="rad") = {-pi / 2!r}',
        f'k (unit="rad") = {pi / 8!r}*n',
        'v[3] (unit="mA") = [1000, 2, 3]',
        'T (unit="K") = 263.15',
        'chosen (unit="Pa") = if n > 1 then 100000 else 2',
        'a.L (unit="m") = 0.25',
        'a.c (unit="degC") = 27',
        'b[2].L (unit="m") = 0.002',
        'b[2].plain (unit="m") = 0.03',
    ):
        assert f"  parameter {line}\n" in flat


@pytest.mark.parametrize(
    ("line", "code", "place", "hint"),
    [
        ('parameter R (unit="Ohm") = 5 mm', "U005", "5 mm", "give a value in Ohm"),
        ('parameter f (unit="Hz") = 3000 rpm', "U005", "3000 rpm", "60 rpm"),
        ('parameter R (unit="Ohm") = 10K', "U005", "10K", "write 10k"),
        ('parameter R (unit="Ohm") = 10 ohm', "U006", "10 ohm", "write 10 Ohm"),
        ('parameter R (unit="Om") = 10 Ohm', "U006", "10 Ohm", "correct the unit of the declaration"),
        ("parameter P = 5 V*2 A", "U007", "2 A", "the whole value"),
        ("parameter P = 1/5 s", "U007", "5 s", "the whole value"),
        ("parameter P = sin(90 deg)", "U007", "90 deg", "the whole value"),
        ("parameter P = (2 m)^2", "U007", "2 m", "the whole value"),
        ("parameter P = 2*20 degC", "U007", "20 degC", "in K"),
        ("parameter P = if 2 m > 1 m then 1 else 2", "U007", "2 m", "the whole value"),
        ("local x = 2 m", "P015", "2 m", "write a product as `2*m`"),
        ("local x = 2k*time", "P015", "2k", "write 2000"),
    ],
)
def test_mistakes(tmp_path, line: str, code: str, place: str, hint: str) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(f"model M\n  {line}\n  local y = time\nend\n")
    with pytest.raises(ModelError) as caught:
        acausal.translate(path)
    found = caught.value.report.errors[0]
    assert (found.code, found.primary and found.primary.span.text) == (code, place)
    assert hint in (found.help or "")


def test_the_same_argument_for_classes_with_other_units(tmp_path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(
        'model class A\n  parameter p (unit="m") = 0\nend\nmodel class B\n  parameter p (unit="mm") = 0\nend\n'
        "model class Both <C>\n  submodel (C) c[4](p=k*1 cm for k = 1 to 4), d(p=2*5 cm)\nend\n"
        "model M\n  submodel (Both<A>) a\n  submodel (Both<B>) b\n  local y = time\nend\n"
    )
    flat = acausal.translate(path).equations("flat")
    for line in ('a.c[4].p (unit="m") = 0.04', 'b.c[4].p (unit="mm") = 40', 'a.d.p (unit="m") = 0.1'):
        assert f"  parameter {line}\n" in flat
    assert 'b.d.p (unit="mm") = 100' in flat


@pytest.mark.parametrize(
    ("text", "value"), [("L=5 mm", 5.0), ("L=0.2m", 2e-4), ("L=0.2 m", 200.0), ("L=-1e-3km", -1000.0), ("L=7", 7.0)]
)
def test_values_on_the_command_line(tmp_path, capsys, text: str, value: float) -> None:
    path = tmp_path / "m.mdl"
    path.write_text('model M\n  parameter L (unit="mm") = 1\n  local y = L*time\nend\n')
    from acausal.cli import main

    assert main(["translate", str(path), "--show", "flat", "--set", text]) == 0
    assert f'L (unit="mm") = {value:g}\n' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "code"), [("L=5 s", "U005"), ("L=5 x", "F006"), ("L=5 ohm", "F006"), ("L=mm", "F006")]
)
def test_wrong_values_on_the_command_line(tmp_path, capsys, text: str, code: str) -> None:
    path = tmp_path / "m.mdl"
    path.write_text('model M\n  parameter L (unit="mm") = 1\n  local y = L*time\nend\n')
    from acausal.cli import main

    assert main(["translate", str(path), "--set", text]) == 2
    assert f"error[{code}]" in capsys.readouterr().err
