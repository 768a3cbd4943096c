"""Every class of the library is described: a summary, each parameter with meaning and unit, an example that runs."""

import re
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import Severity
from acausal.base.files.paths import stdlib_folder
from acausal.base.source import SourceFile
from acausal.reference.classes import class_entry
from acausal.reference.data import ClassSummary, ExampleEntry
from acausal.reference.examples import class_examples
from acausal.reference.libraries import classes, libraries
from acausal.syntax.format import fmt

CLASSES = list(classes().values())
OPEN_UNITS = {
    "blocks.lib", "bondgraph.lib", "control.lib", "discrete.lib", "signals.lib",
}  # fmt: skip
"""Libraries whose signals have the units of what they are connected to."""
OPEN_PARAMETERS = {
    ("Held", "stage"),  # a constant 0 in the place of the stage of an impact
    ("JointQ", "near"),  # rad or m
    ("Rubbing", "lever"),  # torque or force for each newton
    ("Rubbing", "side"),
    ("Stopped", "low"),  # rad or m
    ("Stopped", "high"),
    ("Stopped", "slow"),
    ("above", "limit"),  # the unit of the signal
    ("asnumber", "high"),
    ("asnumber", "low"),
}
INSERTED = {"RigidLoop", "Umpire", "Moved", "ExplicitPin", "ExplicitRod", "ExplicitParallel"}
"""Classes without example: what closes a loop, also in other classes, and superclasses in variants of mbsdir.lib."""


def test_libraries_have_a_summary() -> None:
    assert len(libraries()) >= 20
    assert [entry.name for entry in libraries() if not entry.summary.endswith(".")] == []


@pytest.mark.parametrize("known", CLASSES, ids=[known.name for known in CLASSES])
def test_class_is_described(known: ClassSummary) -> None:
    entry = class_entry(known)
    assert len(known.summary) > 10
    assert known.summary.endswith((".", "..."))
    parameters = [p for p in entry.parameters if p.kind == "parameter"]
    assert [p.name for p in parameters if not p.description] == []
    homes = {p.home: classes()[p.home].library for p in parameters}
    without = [
        (p.home, p.name) for p in parameters if p.type == "real" and not p.unit and homes[p.home] not in OPEN_UNITS
    ]
    assert set(without) <= OPEN_PARAMETERS
    assert entry.statements or entry.submodels or entry.variables or entry.ancestors or entry.inherited_by
    assert entry.example is not None or entry.inherited_by or known.name in INSERTED


def test_every_class_of_the_files_has_an_entry() -> None:
    texts = [path.read_text(encoding="utf-8") for path in stdlib_folder().glob("*.*")]
    written = {name for text in texts for name in re.findall(r"^model class (?:\(.*\) ?)?(\w+)$", text, re.MULTILINE)}
    assert len(written) > 250
    assert written <= set(classes())


EXAMPLES = class_examples()


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e.name}-{'-'.join(e.classes[:2])}" for e in EXAMPLES])
def test_example_runs(example: ExampleEntry, tmp_path: Path) -> None:
    """As printed, without warnings; what it plots has finite values that are not all the same."""
    file = tmp_path / "example.mdl"
    file.write_text(example.text, encoding="utf-8")
    model = acausal.translate(file)
    assert [d.message for d in model.report.diagnostics if d.severity is not Severity.NOTE] == []
    result = model.simulate()
    (experiment,) = re.findall(r"experiment \(stop=(\S+), plot=\[(.*)\]\)", example.text)
    assert result.time[-1] == pytest.approx(float(experiment[0]))
    plotted = [result[name] for name in re.split(r", (?=[A-Za-z])", experiment[1])]
    assert all(np.isfinite(values).all() for values in plotted)
    assert any(np.ptp(values) > 0 for values in plotted)


@pytest.mark.parametrize("path", sorted((stdlib_folder() / "examples").glob("*.mdl")), ids=lambda path: path.stem)
def test_examples_are_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert fmt(SourceFile(path.name, text)) == text


def test_description_at_the_end_of_a_list_holds_for_names_of_the_same_unit_and_shape() -> None:
    described = {v.name: v.description for v in class_entry(classes()["Rubbing"]).variables}
    assert described["t0"] == "friction of sliding"
    assert described["N2"] == ""  # an array before t0
    parameters = {p.name: p.description for p in class_entry(classes()["Body"]).parameters}
    assert parameters["m"] == "mass"
    assert parameters["r1"] == parameters["r3"] == "centre of mass"


def test_states_units_and_balance() -> None:
    inertia = class_entry(classes()["inertia"])
    assert inertia.states == (("phi", 2),)
    assert {v.name: v.unit for v in inertia.variables}["w"] == "rad/s"
    assert class_entry(classes()["resistor"]).equations == 2
    assert class_entry(classes()["resistor"]).missing == 0
    assert class_entry(classes()["twopin"]).missing == 1
    computed = {p.name: p.computed for p in class_entry(classes()["zener"]).parameters}
    assert computed["IST"]
    assert not computed["BV"]
