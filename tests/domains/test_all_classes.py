"""Every class of these libraries stands in a test of this folder or of the events, and is free of unit mistakes."""

import re
from pathlib import Path

import pytest

import acausal

HERE = Path(__file__).parent
LIBRARIES = HERE.parents[1] / "stdlib"
SUPERCLASSES = {
    "semiconductor", "junction", "bipolar", "ebersmoll", "gummelpoon", "gatejunctions", "jfet", "mos1",
    "elastic", "flowpath", "element0", "element1", "controller", "stickslip", "slidingmodes", "oneway",
    "linearstickslip", "brokenline", "memory",
    "machinerotor", "dcwindings", "statorwindings", "inductionwindings", "magnetaxes", "cells",
    "logicblock", "logicgate", "flipflop", "allinputs", "anyinput", "randomnumbers",
    "semiconductorvalues", "heatedsemiconductor", "junctionvalues", "bipolarvalues", "heatingebersmoll", "heatingmos",
}  # fmt: skip


@pytest.mark.parametrize(
    "library",
    ["semiconductors", "translational", "hydraulic", "bondgraph", "control", "friction", "switches", "discrete",
     "machines", "inverters", "logic"],
)  # fmt: skip
def test_no_class_is_forgotten(library: str) -> None:
    text = (LIBRARIES / f"{library}.lib").read_text(encoding="utf-8")
    files = [*sorted(HERE.glob("*.py")), *sorted((HERE.parent / "events").glob("*.py"))]
    tests = "\n".join(path.read_text(encoding="utf-8") for path in files)
    used = set(re.findall(r"submodel \((\w+)\)|\"(\w+)\"", tests))
    used = {name for names in used for name in names}
    classes = set(re.findall(r"^model class (?:\(.*\) )?(\w+)$", text, re.MULTILINE))
    assert len(classes) > 4
    assert classes - SUPERCLASSES - used == set()


@pytest.mark.parametrize(
    "library",
    ["electrical", "semiconductors", "rotational", "translational", "friction", "switches", "discrete", "signals",
     "thermal", "hydraulic", "bondgraph", "blocks", "control", "machines", "inverters", "batteries", "logic"],
)  # fmt: skip
def test_library_is_clean(library: str) -> None:
    assert [d.message for d in acausal.check(LIBRARIES / f"{library}.lib").diagnostics] == []
