"""Every class of the libraries of this folder stands in one of its tests, and is free of unit mistakes by itself."""

import re
from pathlib import Path

import pytest

import acausal

HERE = Path(__file__).parent
LIBRARIES = HERE.parents[1] / "stdlib"
SUPERCLASSES = {
    "semiconductor", "junction", "bipolar", "ebersmoll", "gummelpoon", "gatejunctions", "jfet", "mos1",
    "elastic", "flowpath", "element0", "element1", "controller",
}  # fmt: skip


@pytest.mark.parametrize("library", ["semiconductors", "translational", "hydraulic", "bondgraph", "control"])
def test_no_class_is_forgotten(library: str) -> None:
    text = (LIBRARIES / f"{library}.lib").read_text(encoding="utf-8")
    tests = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.py")))
    used = set(re.findall(r"submodel \((\w+)\)|\"(\w+)\"", tests))
    used = {name for names in used for name in names}
    classes = set(re.findall(r"^model class (?:\(.*\) )?(\w+)$", text, re.MULTILINE))
    assert len(classes) > 5
    assert classes - SUPERCLASSES - used == set()


@pytest.mark.parametrize(
    "library", ["electrical", "semiconductors", "translational", "hydraulic", "bondgraph", "control"]
)
def test_library_is_clean(library: str) -> None:
    assert [d.message for d in acausal.check(LIBRARIES / f"{library}.lib").diagnostics] == []
