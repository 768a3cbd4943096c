"""Units: the texts, their algebra, what is found of undeclared variables, and clashes with place and words.

References: the table of derived units and prefixes of the SI brochure, 9th edition (2019), tables 2, 4, 7, 8.
"""

import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from acausal.base.diagnostics import Diagnostic, ModelError, Severity
from acausal.base.options import Limits, TranslateOptions
from acausal.checking import check
from acausal.elaborate.classes.library import load
from acausal.elaborate.model.flatten import flatten
from acausal.elaborate.model.instantiate import instantiate
from acausal.units.check.check_units import UnitCheck, check_units
from acausal.units.dimension import factor_of, power, product, quotient, without_scale
from acausal.units.name_unit import name_unit
from acausal.units.parse_unit import UnitError, parse_unit

ROOT = Path(__file__).parents[2]
LIBRARIES = sorted((ROOT / "stdlib").glob("*.lib"))

EQUAL = [
    ("N", "kg*m/s^2"), ("Pa", "N/m2"), ("J", "N.m"), ("W", "J/s"), ("C", "A.s"), ("V", "W/A"), ("F", "C/V"),
    ("Ohm", "V/A"), ("S", "1/Ohm"), ("Wb", "V.s"), ("T", "Wb/m2"), ("H", "Wb/A"), ("lx", "lm/m2"), ("Hz", "s-1"),
    ("rad", "1"), ("", "1"), ("sr", "m2/m2"), ("Gy", "J/kg"), ("kat", "mol/s"), ("l", "dm^3"),
    ("L", "1.l"), ("t", "Mg"),
    ("hPa", "mbar"),
    ("m^(1/2)*m^(1/2)", "m"), ("Pa^(1/2)", "kg^(1/2).m^(-1/2)/s"), ("V/(rad/s)", "V.s"), ("V/rad/s", "V/s"),
    ("N*m*s/rad", "N.m.s"), ("W/(m^2*K)", "kg.s-3.K-1"), ("Wh", "W.h"), ("Ah", "A.h"), ("kWh", "1.kW.h"), ("degC", "K"),
    ("(m/s)^2", "m2/s2"), ("(m/s)2", "Sv"), ("\N{MICRO SIGN}m", "um"), (" N * m ", "N*m"),
]  # fmt: skip

FACTORS = [
    ("mm", 1e-3), ("km/h", 1 / 3.6), ("rpm", 0.10471975511965977), ("deg", 0.017453292519943295),
    ("rev", 6.283185307179586),
    ("bar", 1e5), ("l/min", 1e-3 / 60), ("h", 3600), ("d", 86400), ("atm", 101325), ("kOhm", 1e3), ("uF", 1e-6),
    ("dam", 10),
    ("GPa", 1e9), ("eV", 1.602176634e-19), ("in", 0.0254), ("ft", 0.3048), ("lb", 0.45359237), ("%", 0.01),
    ("mm^2", 1e-6), ("mm^(1/2)", 1e-3**0.5), ("kg", 1), ("g", 1e-3), ("cal", 4.184), ("ms", 1e-3), ("min", 60),
]  # fmt: skip

WRONG = [
    "foo",
    "1.5m",
    "Nm",
    "N*",
    "*N",
    "(m",
    "m)",
    "m//s",
    "m^",
    "2*m",
    "N m",
    "m^(1/0)",
    "m^x",
    "mKg",
    "kmin",
    "kk",
    "()",
    "m^1234",
    "1" * 300,
]
WRONG += ["__import__('os')", "m/", "m..s", "m2s", "m^(1/2", "\N{SUPERSCRIPT TWO}", "kdeg"]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_units_are_one_dimension(one: str, other: str) -> None:
    assert parse_unit(one).dimension is parse_unit(other).dimension


@pytest.mark.parametrize(("text", "factor"), FACTORS)
def test_factor(text: str, factor: float) -> None:
    assert factor_of(parse_unit(text).dimension) == pytest.approx(factor, rel=1e-13)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_unit(text: str) -> None:
    with pytest.raises(UnitError):
        parse_unit(text)


def test_nested_parentheses_do_not_recurse() -> None:
    assert parse_unit("(" * 90 + "m" + ")" * 90).dimension is parse_unit("m").dimension


def test_unequal_dimensions_differ() -> None:
    texts = ["1", "m", "kg", "s", "A", "K", "mol", "cd", "N", "Pa", "J", "W", "C", "V", "F", "Ohm", "S", "Wb", "T", "H"]
    dimensions = [parse_unit(text).dimension for text in texts]
    assert len(set(dimensions)) == len(texts)
    assert [name_unit(d) for d in dimensions] == texts


def test_algebra() -> None:
    volt, ampere = parse_unit("V").dimension, parse_unit("mA").dimension
    assert quotient(volt, ampere) is parse_unit("kOhm").dimension
    assert power(power(volt, Fraction(1, 3)), 3) is volt
    assert without_scale(product(volt, ampere)) is parse_unit("W").dimension


def check_text(text: str, folder: Path) -> UnitCheck:
    """The units of a model text."""
    file = folder / "m.mdl"
    file.write_text(text)
    options = TranslateOptions(None, (), (), (), (), (), Limits())
    tree, world = instantiate(load(file, options), options)
    return check_units(flatten(tree, world))


def model(body: str) -> str:
    return "model M\n" + body + "\nend\n"


GIVEN = 'local u (unit="V"), i (unit="A"), x (unit="m"), z (unit="m"), n (unit="1"), d (unit="deg")\n'

CLEAN = [
    "x = 3 + z", "x = 2*time", "u = 5*sin(time)", "u = time^2",
    "u = sin(time)", "der(x) = -9.81*time", "x*x = z^2", "sqrt(x*z) = x",
    "n = sin(x/z) + exp(n)", "x = if time < 1 then z else 0", "x = max(z, 3)", "local q = u*i\nq = 7", "n = sign(x)",
    "n = atan2(x, z)", "x = mod(z, 2)", "local v[3] = [x, u, 1]\nlocal w = v[2]\nw = i", "local p = x^1.5\np^2 = x*x*z",
    "parameter T (unit=\"s\") = 2\nx = z*exp(-time/T)", "local a\na = noevent(abs(x))\na = z",
    "local k\nk = sum([x, z])\nk = x",
    "local y\nder(y) = -y\nlocal s\ns = y*time", "u = i^n",
]  # fmt: skip

CLASHES = [
    ("u = i", "U002", "u is in V, but i in A"),
    ("u = time", "U002", "u is in V, but time in s"),
    ("u + i = 0", "U002", "u is in V, but i in A"),
    ("der(x) = z", "U002", "der(x) is in m/s, but z in m"),
    ("x = sqrt(z)", "U002", "x is in m, but sqrt(z) in m^(1/2)"),
    ("n = sin(u)", "U004", "u is in V, but is the argument of sin"),
    ("n = sin(d)", "U004", "d is in deg"),
    ("n = 2^x", "U004", "is an exponent"),
    ("x = if u < i then 1 else 2", "U002", "u is in V, but i in A"),
    ("x = if time < 1 then u else i", "U002", "u is in V, but i in A"),
    ("x = max(z, u)", "U002", "z is in m, but u in V"),
    ("local y (unit=\"mm\") = x", "U003", "y is in mm, but x in m"),
    ("local y (unit=\"mm\")\nx = y", "U003", "x is in m, but y in mm"),
    ("local t (unit=\"degC\")\nlocal q (unit=\"K\")\nt = q", "U003", "a different zero"),
    ("local y\ny = x\ny = u", "U002", "y is in m, but u in V"),
    ("local y, w\ny*w = x\ny/w = x\ny = u", "U002", ""),
    ("local y, w\ny*w = x\ny/w = x\nw = u", "U002", ""),
    ("local v[3] (unit=\"m\")\nv = [1, 2, 3]*u", "", ""),
    ("local v[3] (unit=\"m\"), w[3] (unit=\"V\")\nv = w", "U002", "v is in m, but w in V"),
    ("local v[3] (unit=\"m\")\nv[2] = u", "U002", "v[2] is in m, but u in V"),
    ("parameter p (unit=\"V\") = 1, q (unit=\"A\") = p", "U002", "q is in A, but p in V"),
    ("local y (unit=\"A\", start=p)\nparameter p (unit=\"V\") = 1", "U002", "y is in A, but p in V"),
    ("initial x = u", "U002", "x is in m, but u in V"),
    ("assert(u < i, \"no\")", "U002", "u is in V, but i in A"),
    ("when x < u then\n  init(z) = 0\nendwhen", "U002", "x is in m, but u in V"),
    ("local y (unit=\"ohm\")", "U001", "did you mean Ohm?"),
    ("local y (unit=\"Vlot\")", "U001", "unknown unit Vlot"),
    ("local y (unit=\"N*\")", "U001", "is not a unit"),
]  # fmt: skip


def words(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.message} {diagnostic.help or ''}"


@pytest.mark.parametrize("body", CLEAN)
def test_clean(body: str, tmp_path: Path) -> None:
    assert check_text(model(GIVEN + body), tmp_path).warnings == ()


@pytest.mark.parametrize(("body", "code", "said"), CLASHES)
def test_clash(body: str, code: str, said: str, tmp_path: Path) -> None:
    warnings = check_text(model(GIVEN + body), tmp_path).warnings
    assert [w.code for w in warnings] == ([code] if code else [])
    assert all(said in words(w) and w.severity is Severity.WARNING and w.primary for w in warnings)


FOUND = [
    ("local y\ny = u/i", "y", "Ohm"), ("local y\nu = i*y^2", "y", "Ohm^(1/2)"), ("local y\nx = der(y, 2)", "y", "m.s2"),
    ("local y, w\ny*w = u\ny/w = i", "y", "W^(1/2)"), ("local y, w\ny*w = u\ny/w = i", "w", "Ohm^(1/2)"),
    ("parameter r = 2\nr*i = u", "r", "Ohm"), ("local a, b, c\na = b\nb = c\nc = x", "a", "m"),
    ("local y (unit=\"mm\")\nlocal w\nw = y", "w", "mm"), ("local y = n*time", "y", "s"),
    ("local v[2]\nv = x*[n, n]", "v", "m"),
    ("local a, b\na + b = x + a*b/z", "b", "m"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "name", "unit"), FOUND)
def test_found(body: str, name: str, unit: str, tmp_path: Path) -> None:
    assert check_text(model(GIVEN + body), tmp_path).dimensions[name,] is parse_unit(unit).dimension


@pytest.mark.parametrize("body", ["local y\ny = 2*u", "local y, w\ny*w = u", "local v[2]\nv = [x, u]", "local y = 3"])
def test_nothing_is_guessed(body: str, tmp_path: Path) -> None:
    found = check_text(model(GIVEN + body), tmp_path).dimensions
    assert not [name for name in found if name in (("y",), ("w",), ("v",))]


def test_one_mistake_gives_one_warning(tmp_path: Path) -> None:
    """A wrong parameter in a class of ten instances; a wrong variable in three equations."""
    many = ", ".join(f"r{k}(R=1)" for k in range(10))
    joined = " - ".join(["g", *(f"r{k}" for k in range(10)), "g"])
    text = f"""@electrical.lib
model class (twopin) bad
  parameter R (unit="H")
  R*i = u
end
model M
  submodel (bad) {many}
  submodel (ground) g
  connect {joined}
end
"""
    (warning,) = check_text(text, tmp_path).warnings
    assert warning.message == "r0.R*r0.i is in Wb, but r0.u in V"
    assert warning.primary is not None and warning.primary.span.text == "R*i = u"
    assert any(label.span.text == 'unit="H"' for label in warning.secondary)
    body = 'local y (unit="A")\ny = u\ny*x = u*z\ny + u = 0'
    assert len(check_text(model(GIVEN + body), tmp_path).warnings) == 1


def test_labels_are_at_the_declarations(tmp_path: Path) -> None:
    """An undeclared variable is followed back to where its unit comes from."""
    text = model('local y, w, u (unit="V"), x (unit="m")\ny = u\nw = y\nw = x')
    (warning,) = check_text(text, tmp_path).warnings
    said = {label.text: label.span.line for label in warning.secondary}
    assert set(said) <= {"u is in V, so w is in V", "u is in V, so y is in V", "x is in m", "x is in m, so w is in m"}
    assert set(said.values()) == {2}
    assert len(said) == 2


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.mdl")), ids=lambda p: p.stem)
def test_examples_are_clean(example: Path) -> None:
    assert [d for d in check(example).diagnostics if d.code.startswith("U")] == []


WITH_ARRAYS = ("transferfunction",)
"""Checked with its parameters in tests/models/test_stdlib.py."""


def classes() -> list[tuple[Path, str]]:
    pattern = re.compile(r"^model class (?:\([^)]*\) )?(\w+)", re.MULTILINE)
    found = [(library, name) for library in LIBRARIES for name in pattern.findall(library.read_text(encoding="utf-8"))]
    return [(library, name) for library, name in found if name not in WITH_ARRAYS]


def check_class(library: Path, name: str) -> UnitCheck:
    """The units of one class; every parameter without value is given one."""
    given: dict[str, float] = {}
    for _ in range(20):
        options = TranslateOptions(name, (), (), (), tuple(given.items()), (), Limits())
        try:
            tree, world = instantiate(load(library, options), options)
            return check_units(flatten(tree, world))
        except ModelError as error:
            missing = re.search(r"parameters? (.*) ha(?:s|ve) no value", str(error))
            array = re.search(r"(\w+) is an array \[(\d+)\]", str(error))
            if array is not None:
                del given[array[1]]
                given |= {f"{array[1]}[{k}]": 1.0 for k in range(1, int(array[2]) + 1)}
                continue
            if missing is None:
                raise
            given |= dict.fromkeys(re.findall(r"\w+", missing[1]), 2.0)
    raise AssertionError(name)


@pytest.mark.parametrize(("library", "name"), classes(), ids=lambda p: p if isinstance(p, str) else p.stem)
def test_every_class_of_the_library_is_clean(library: Path, name: str) -> None:
    assert check_class(library, name).warnings == ()


@pytest.mark.parametrize(
    ("library", "name", "old", "new"),
    [
        ("electrical", "resistor", 'R (unit="Ohm")', 'R (unit="S")'),
        ("electrical", "capacitor", 'C (unit="F")', 'C (unit="H")'),
        ("electrical", "inductor", "L*der(i) = u", "L*i = u"),
        ("electrical", "emf", "u = k*w", "u = k*phi"),
        ("electrical", "source", 'V (unit="V") "voltage"', 'V (unit="mV") "voltage"'),
        ("rotational", "inertia", "J*a = ta + tb", "J*w = ta + tb"),
        ("rotational", "springdamper", "c*(dphi - phi0)", "c*der(dphi)"),
        ("rotational", "pendulumarm", "m*g*l*sin(phi)", "m*g*sin(phi)"),
        ("rotational", "pendulumarm", "J + m*l^2", "J + m*l"),
    ],
)
def test_a_mutated_class_warns(library: str, name: str, old: str, new: str, tmp_path: Path) -> None:
    text = (ROOT / f"stdlib/{library}.lib").read_text(encoding="utf-8")
    at = text.index(old, text.index(f"{name}\n"))
    file = tmp_path / f"{library}.lib"
    file.write_text(text[:at] + new + text[at + len(old) :])
    (warning,) = check_class(file, name).warnings
    assert warning.primary is not None
    lines = [warning.primary.span.line, *(label.span.line for label in warning.secondary)]
    assert text.count("\n", 0, at) + 1 in lines


def test_chains_of_undeclared_products_stay_short(tmp_path: Path) -> None:
    """x[k+1] = p[k]*x[k] with nothing declared near: the forms are cut, and what is declared is still found."""
    names = [f"x{k}" for k in range(200)]
    links = "\n".join(f"{b} = p{k}*{a}" for k, (a, b) in enumerate(pairwise(names)))
    text = model(f"local {', '.join(names)}\nlocal {', '.join(f'p{k}' for k in range(199))}\n{links}\n{GIVEN}x = z")
    checked = check_text(text, tmp_path)
    assert checked.warnings == ()
    assert checked.dimensions["x",] is parse_unit("m").dimension
