"""Hints that name what was meant: a library, another cut, the parts of a main cut."""

from pathlib import Path

import pytest

import acausal
from acausal.base.near_names import did_you_mean

HINTS = {
    "model M\n  submodel (inertia) J(J=1)\nend\n": "add the line @rotational.lib, which defines inertia",
    "model M\n  submodel (Resistor) R(R=1)\nend\n": "add the line @electrical.lib, which defines resistor",
    "model M\n  submodel (Revolute) r(n3=1)\nend\n": "add the line @mbsdir.lib, which defines Revolute",
    "model M\n  submodel (nonsense) r\nend\n": (
        "include the file that defines it: @FILE.lib; `acausal list WORD` searches the standard libraries"
    ),
    "@electrical.lib\nmodel M\n  submodel (Resistor) R(R=1)\nend\n": "did you mean resistor?",
    "@hydraulic.lib\n@rotational.lib\nmodel M\n  submodel (speedsource) w(W=10)\n  submodel (pump) p(D=1e-6)\n"
    "  connect w to p\nend\n": "did you mean p:shaft?",
    "@electrical.lib\nmodel M\n  submodel (OpAmp) A\n  node a, b\n  connect A at (a, b)\nend\n": (
        "give one place for each of plus, minus, out"
    ),
}


@pytest.mark.parametrize("text", HINTS)
def test_hint(text: str, tmp_path: Path) -> None:
    file = tmp_path / "m.mdl"
    file.write_text(text, encoding="utf-8")
    (diagnostic,) = acausal.check(file).diagnostics
    assert diagnostic.help == HINTS[text]


def test_a_missing_ground_that_only_numbers_show(tmp_path: Path) -> None:
    """The currents of both loads sum to zero by their own equations: no balance of the connection is too many."""
    file = tmp_path / "m.mdl"
    items = "submodel (threephasevoltage) S\n  submodel (starload) Z(R=1)\n  connect S to Z"
    file.write_text(f"@electrical.lib\nmodel M\n  {items}\nend\n", encoding="utf-8")
    (diagnostic,) = acausal.check(file).diagnostics
    assert diagnostic.code == "S003"
    assert diagnostic.help == "connect one of its cuts to a ground"


def test_exchanged_letters_come_first() -> None:
    assert did_you_mean("strat", ["start", "state"]) == "did you mean start?"
    assert did_you_mean("PDI", ["PI", "PID"]) == "did you mean PID?"
