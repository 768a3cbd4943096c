"""Model structure of FMI 2.0 and 3.0: which variables are listed, what they depend on, derivatives of states.

The expectations follow from the equations of the model by hand and from the standards: `InitialUnknowns` are all
outputs, calculated parameters, states and derivatives of states whose `initial` is calculated.
"""

from xml.etree import ElementTree

import pytest

import acausal
from acausal.targets.fmi.content import content_of
from acausal.targets.fmi.description2 import description2
from acausal.targets.fmi.description3 import description3
from acausal.targets.fmi.interfaces import Interfaces
from acausal.targets.fmi.start_values import with_start_parameters

PLANT = """
model Plant
  parameter k = 2, T = 3
  parameter ratio = k/T
  input u
  output y, z, rate, again
  output boolean is_high
  local x(start=1, fixed=true), v, w, p[2](start=[1; 2], fixed=true)
  w = k*x
  der(x) = v
  T*der(v) = u - w
  der(p) = -ratio*p
  y = x
  z = w + u + time
  rate = der(v)
  again = z
  is_high = x > 2
  initial v = 3*x
end
"""
OUTPUTS = {
    "y": {"x"},
    "z": {"x", "u", "time"},
    "rate": {"x", "u"},
    "again": {"x", "u", "time"},
    "is_high": {"x"},
}
RATES = {"der(x)": {"v"}, "der(v)": {"x", "u"}}
OF_ARRAYS = {2: {"der(p[1])": {"p[1]"}, "der(p[2])": {"p[2]"}}, 3: {"der(p)": {"p"}}}
LISTS = {
    2: {"outputs": "Outputs/Unknown", "rates": "Derivatives/Unknown", "initial": "InitialUnknowns/Unknown"},
    3: {"outputs": "Output", "rates": "ContinuousStateDerivative", "initial": "InitialUnknown"},
}


class Described:
    """A model description of one version, read again."""

    def __init__(self, version: int) -> None:
        content = content_of(with_start_parameters(acausal.translate(PLANT)._model), "plant", version)
        write = description2 if version == 2 else description3
        self.version = version
        self.root = ElementTree.fromstring(write(content, Interfaces(True, True, ("fmi.c",))))
        self.variables = list(self.root.iterfind("ModelVariables/*"))
        self.by_reference = {v.attrib["valueReference"]: v for v in self.variables}

    def named(self, number: str) -> ElementTree.Element:
        """By the position in the list in FMI 2, from 1, by the value reference in FMI 3."""
        return self.variables[int(number) - 1] if self.version == 2 else self.by_reference[number]

    def listed(self, kind: str) -> dict[str, set[str]]:
        """Names of the unknowns and of what they depend on, for each element of this kind."""
        found = self.root.findall(f"ModelStructure/{LISTS[self.version][kind]}")
        key = "index" if self.version == 2 else "valueReference"
        names = [(self.named(u.attrib[key]).attrib["name"], u.get("dependencies", "")) for u in found]
        assert len({name for name, _ in names}) == len(names)
        return {name: {self.named(k).attrib["name"] for k in of.split()} for name, of in names}

    def derivatives(self) -> dict[str, str]:
        """The state of each derivative by the attribute `derivative`."""
        found = [(v.attrib["name"], (v[0] if self.version == 2 else v).get("derivative")) for v in self.variables]
        return {name: self.named(of).attrib["name"] for name, of in found if of is not None}


@pytest.fixture(scope="module", params=[2, 3])
def plant(request: pytest.FixtureRequest) -> Described:
    return Described(request.param)


def test_outputs_with_dependencies(plant: Described) -> None:
    assert plant.listed("outputs") == OUTPUTS


def test_derivatives_with_dependencies(plant: Described) -> None:
    assert plant.listed("rates") == RATES | OF_ARRAYS[plant.version]


def test_each_derivative_names_its_state(plant: Described) -> None:
    expected = {"der(x)": "x", "der(v)": "v"}
    assert plant.derivatives() == expected | {d: s for d, of in OF_ARRAYS[plant.version].items() for s in of}
    assert set(plant.derivatives()) == set(plant.listed("rates"))


def test_initial_unknowns_are_all_that_initialization_calculates(plant: Described) -> None:
    unknowns = plant.listed("initial")
    assert set(unknowns) == {"ratio", "v", *RATES, *OF_ARRAYS[plant.version], *OUTPUTS}
    order = [v.attrib["name"] for v in plant.variables]
    assert list(unknowns) == sorted(unknowns, key=order.index)
    states = set(plant.derivatives().values())
    for v in plant.variables:
        belongs = v.get("causality") in ("output", "calculatedParameter") or v.attrib["name"] in states
        if belongs or v.attrib["name"] in plant.derivatives():
            assert (v.get("initial") == "calculated") == (v.attrib["name"] in unknowns)
            assert (v.get("initial") == "exact") == ("start" in (v[0] if plant.version == 2 else v).attrib)
