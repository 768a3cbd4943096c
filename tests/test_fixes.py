"""Corrections: each `fix` of a diagnostic, applied literally, leaves a model without this mistake."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import Diagnostic, Edit
from acausal.base.near_names import Suggestion
from acausal.base.source import SourceFile, Span
from acausal.checking import check

MODEL = "model M\n  parameter speed=1\n  local x (start=1, fixed=true), y\n  der(x) = -x\n  y = speed*x\nend\n"
CIRCUIT = "model M\n  submodel (sinevoltage) U(amplitude=1)\n  submodel (resistor) R(R=5)\n"
CIRCUIT += "  submodel (ground) g\n  connect g - U - R - g\nend\n"


def apply(text: str, diagnostic: Diagnostic) -> str:
    """The text with the edits of a diagnostic."""
    assert all(edit.span.file.text == text for edit in diagnostic.fix)
    for edit in sorted(diagnostic.fix, key=lambda e: -e.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@pytest.mark.parametrize(
    ("text", "right", "wrong", "code"),
    [
        (MODEL, "y = speed*x", "y = sped*x", "N002"),
        (MODEL, "start=1,", "strat=1,", "N012"),
        (MODEL, "y = speed*x", "y == speed*x", "P012"),
        (MODEL, "y = speed*x", "y := speed*x", "P020"),
        (MODEL, "y = speed*x", "y = if x != 0 then 1 else 2", "P020"),
        (MODEL, "  parameter speed", "  paramter speed", "P024"),
        (MODEL, "speed=1\n", "speed=1 local z=2\n", "P015"),
        (MODEL, "(start=1, fixed", "(start=1 fixed", "P015"),
        (MODEL, "der(x) = -x", "if true then\n der(x) = -x\n end if", "P010"),
        (MODEL, "y = speed*x", "y = sinn(x)", "T004"),
        (MODEL, "y = speed*x\n", "y = speed*x\n  endif\n", "P009"),
        (MODEL, "(start=1,", '(unit="Vol", start=1,', "U001"),
        ("@electrical.lib\n" + CIRCUIT, "amplitude=1", "amplitud=1", "N004"),
        ("@electrical.lib\n" + CIRCUIT, "(resistor)", "(resitor)", "N001"),
        ("@electrical.lib\n" + CIRCUIT, "@electrical.lib\n", "", "N001"),
        ("@electrical.lib\n" + CIRCUIT, "@electrical.lib", "@electricl.lib", "F001"),
        ("@electrical.lib\n" + CIRCUIT, "g - U - R - g", "g - U - RR - g", "C001"),
        ("@electrical.lib\n" + CIRCUIT, "connect g - U - R - g", "connect g U", "P015"),
    ],
)
def test_a_fix_removes_the_mistake(text: str, right: str, wrong: str, code: str) -> None:
    assert text.count(right) == 1
    faulty = text.replace(right, wrong)
    found = [d for d in check(Path("m.mdl"), text=faulty).diagnostics if d.code == code]
    mended = apply(faulty, found[0]) if found else ""
    assert found, check(Path("m.mdl"), text=faulty)
    assert found[0].fix, found[0]
    left = check(Path("m.mdl"), text=mended).diagnostics
    assert [d for d in left if (d.code, d.message) == (code, found[0].message)] == [], mended
    assert not any(d.code.startswith("P") for d in left), mended


def test_a_name_used_often_is_corrected_everywhere() -> None:
    faulty = MODEL.replace("y = speed*x", "y = sped*x + sped^2")
    (found,) = check(Path("m.mdl"), text=faulty).diagnostics
    assert apply(faulty, found) == MODEL.replace("y = speed*x", "y = speed*x + speed^2")


def test_an_ambiguous_place_has_no_fix() -> None:
    """`vv.vv`: which of the two is meant cannot be read from the message."""
    source = SourceFile("m.mdl", "y = vv.vv")
    assert Suggestion.of("vv", "v").edits(Span(source, 4, 9)) == ()
    assert Suggestion.of("vv", "v").edits(Span(source, 7, 9)) == (Edit(Span(source, 7, 9), "v"),)
