"""Terminals of FMI 3.0: cuts of the model."""

from xml.etree import ElementTree

import acausal
from acausal.targets.fmi.content import content_of
from acausal.targets.fmi.start_values import with_start_parameters
from acausal.targets.fmi.terminals import terminals
from tests.targets.fmi.models import ball

SHAFT = """
model class Shaft
  cut A (phi, w / tau), B (phi_b, w_b / -tau_b)
  cut bus (T[2] / f[2])
  main cut H [A, B]
  parameter J(unit="kg.m^2") = 2
  J*der(w) = tau - tau_b
  der(phi) = w
  phi_b = phi
  w_b = w
  T = [phi; w]
end
"""


def test_cuts_are_terminals_with_their_variables_in_order() -> None:
    model = acausal.translate(SHAFT, model="Shaft")._model
    text = terminals(model.stages.flat, content_of(with_start_parameters(model), "shaft", 3))
    assert text is not None
    root = ElementTree.fromstring(text)
    outer = root.findall("Terminals/Terminal")
    assert [t.get("name") for t in outer] == ["bus", "H"]
    assert [t.get("name") for t in outer[1].findall("Terminal")] == ["A", "B"]
    assert {t.get("matchingRule") for t in root.iter("Terminal")} == {"sequence"}
    found = {
        t.get("name"): [(m.get("variableName"), m.get("variableKind")) for m in t.findall("TerminalMemberVariable")]
        for t in root.iter("Terminal")
    }
    assert found["A"] == [("phi", "signal"), ("w", "signal"), ("tau", "inflow")]
    assert found["B"] == [("phi_b", "signal"), ("w_b", "signal"), ("tau_b", "outflow")]
    assert found["bus"] == [("T", "signal"), ("f", "inflow")]


def test_a_model_without_cuts_has_none() -> None:
    model = ball()._model
    assert terminals(model.stages.flat, content_of(with_start_parameters(model), "ball", 3)) is None
