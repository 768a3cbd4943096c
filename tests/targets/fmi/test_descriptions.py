"""Model descriptions of FMI 2.0 and 3.0: variables with their attributes, units, and the model structure."""

from xml.etree import ElementTree

import pytest

import acausal
from acausal.targets.fmi.content import content_of, identifier_of
from acausal.targets.fmi.description2 import description2
from acausal.targets.fmi.description3 import build_description, description3
from acausal.targets.fmi.interfaces import Interfaces
from acausal.targets.fmi.start_values import with_start_parameters
from acausal.targets.fmi.units import fmu_unit
from acausal.targets.fmi.xml_text import document, element
from tests.targets.fmi.models import ball

BOTH = Interfaces(True, True, ("fmi.c",))


def described(version: int, interfaces: Interfaces = BOTH) -> ElementTree.Element:
    content = content_of(with_start_parameters(ball()._model), "ball", version)
    return ElementTree.fromstring((description2 if version == 2 else description3)(content, interfaces))


@pytest.fixture(scope="module")
def second() -> dict[str, ElementTree.Element]:
    return {v.attrib["name"]: v for v in described(2).iter("ScalarVariable")}


@pytest.fixture(scope="module")
def third() -> dict[str, ElementTree.Element]:
    return {v.attrib["name"]: v for v in described(3).iterfind("ModelVariables/*")}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("time", ("independent", "continuous", None, "Real")),
        ("e", ("parameter", "tunable", "exact", "Real")),
        ("g", ("parameter", "fixed", "exact", "Real")),
        ("doubled", ("calculatedParameter", "tunable", "calculated", "Real")),
        ("count", ("parameter", "fixed", "exact", "Integer")),
        ("is_on", ("parameter", "fixed", "exact", "Boolean")),
        ("shape", ("local", "constant", "exact", "String")),
        ("mass", ("local", "constant", "exact", "Real")),  # its value 1 is part of the equations
        ("f", ("input", "continuous", None, "Real")),
        ("height", ("output", "continuous", "calculated", "Real")),
        ("pair[2]", ("output", "continuous", "calculated", "Real")),
        ("h", ("local", "continuous", "exact", "Real")),
        ("der(h)", ("local", "continuous", "calculated", "Real")),
        ("bounces", ("local", "discrete", "calculated", "Integer")),
        ("is_low", ("local", "discrete", "calculated", "Boolean")),
    ],
)
def test_causality_and_variability(
    second: dict[str, ElementTree.Element], name: str, expected: tuple[str | None, ...]
) -> None:
    v = second[name]
    assert (v.get("causality"), v.get("variability"), v.get("initial"), v[0].tag) == expected


def test_start_values_limits_and_units(
    second: dict[str, ElementTree.Element], third: dict[str, ElementTree.Element]
) -> None:
    assert second["e"][0].attrib == {"unit": "1", "min": "0.0", "max": "1.0", "start": "0.7"}
    assert second["f"][0].attrib == {"unit": "N", "start": "0.5"}
    assert second["shape"][0].attrib == {"start": 'box & "ball"'}
    assert second["h"][0].attrib == {"unit": "m", "nominal": "2.0", "start": "1.0", "reinit": "true"}
    assert third["shape"].findall("Start")[0].attrib == {"value": 'box & "ball"'}
    assert third["is_on"].get("start") == "true"
    assert third["e"].get("description") == "restitution"


def test_arrays_and_aliases(second: dict[str, ElementTree.Element], third: dict[str, ElementTree.Element]) -> None:
    assert [d.get("start") for d in third["pair"].findall("Dimension")] == ["2"]
    assert third["h"].findall("Alias")[0].get("name") == "other"
    assert second["other"].get("valueReference") == second["h"].get("valueReference")


def test_structure_of_version_2() -> None:
    root = described(2)
    names = [v.attrib["name"] for v in root.iter("ScalarVariable")]

    def listed(kind: str) -> list[tuple[str, list[str] | None]]:
        found = []
        for u in root.findall(f"ModelStructure/{kind}/Unknown"):
            of = u.get("dependencies")
            found.append(
                (names[int(u.attrib["index"]) - 1], None if of is None else [names[int(i) - 1] for i in of.split()])
            )
        return found

    assert listed("Outputs") == [("height", ["h"]), ("pair[1]", ["h"]), ("pair[2]", ["v"])]
    assert listed("Derivatives") == [("der(h)", ["v"]), ("der(v)", ["f"])]
    unknowns = [name for name, _ in listed("InitialUnknowns")]
    assert unknowns == sorted(unknowns, key=names.index)
    assert set(unknowns) == {"doubled", "height", "pair[1]", "pair[2]", "der(h)", "der(v)"}
    assert root.get("numberOfEventIndicators") == str(ball().program.table.crossings)


def test_structure_of_version_3() -> None:
    root = described(3)
    names = {v.attrib["valueReference"]: v.attrib["name"] for v in root.iterfind("ModelVariables/*")}
    rates = [names[u.attrib["valueReference"]] for u in root.findall("ModelStructure/ContinuousStateDerivative")]
    indicators = root.findall("ModelStructure/EventIndicator")
    assert rates == ["der(h)", "der(v)"]
    assert len(indicators) == ball().program.table.crossings
    by_name = {v.attrib["name"]: v for v in root.iterfind("ModelVariables/*")}
    assert names[by_name["der(v)"].attrib["derivative"]] == "v"


def test_interfaces_of_one_kind() -> None:
    root = described(3, Interfaces(False, True, ("fmi.c",)))
    assert root.find("ModelExchange") is None
    assert root.find("ModelStructure/EventIndicator") is None
    content = content_of(with_start_parameters(ball()._model), "ball", 3)
    build = ElementTree.fromstring(build_description(content, BOTH))
    assert [f.attrib["name"] for f in build.iter("SourceFile")] == ["fmi.c"]


@pytest.mark.parametrize(
    ("text", "exponents", "factor", "offset"),
    [
        ("N*m", {"kg": 1, "m": 2, "s": -2}, 1.0, 0.0),
        ("mm", {"m": 1}, 1e-3, 0.0),
        ("km/h", {"m": 1, "s": -1}, 1.0 / 3.6, 0.0),
        ("deg", {}, 0.017453292519943295, 0.0),
        ("degC", {"K": 1}, 1.0, 273.15),
        ("degF", {"K": 1}, 5.0 / 9.0, 255.3722222222222),  # 459.67 * 5/9
    ],
)
def test_units(text: str, exponents: dict[str, int], factor: float, offset: float) -> None:
    unit = fmu_unit(text)
    assert dict(unit.exponents or ()) == exponents
    assert unit.factor == pytest.approx(factor, rel=1e-15)
    assert unit.offset == pytest.approx(offset, rel=1e-15)


def test_units_without_whole_exponents_have_no_base_unit() -> None:
    assert fmu_unit("Pa^(1/2)").exponents is None
    assert fmu_unit("apples").exponents is None


def test_identifiers_and_text() -> None:
    assert [identifier_of(n) for n in ("motor", "2 motors", "Übung-1")] == ["motor", "_2_motors", "_bung_1"]
    text = document(element("a", [("b", 'x<&">\n\x00\ud800')]))
    assert ElementTree.fromstring(text).get("b") == 'x<&">\n\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}'


def test_states_that_conditions_determine_are_calculated() -> None:
    text = """
model Pair
  parameter k = 2
  local x(start=1), y, z(start=k, fixed=true), w
  der(x) = -x
  der(y) = -y
  der(z) = -z
  der(w) = -w
  initial y = 2*x + z
  initial w = 3
end
"""
    given = with_start_parameters(acausal.translate(text)._model)
    content = content_of(given, "pair", 2)
    found = {v.name: (v.attributes.initial, v.start) for v in content.variables if v.places[0].kind == "state"}
    assert found == {"x": ("exact", (1.0,)), "y": ("calculated", ()), "z": ("calculated", ()), "w": ("exact", (3.0,))}
    unknown = {content.variables[u.variable].name for u in content.initial}
    assert unknown == {"y", "z", "der(x)", "der(y)", "der(z)", "der(w)"}
