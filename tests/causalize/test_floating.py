"""Three-phase circuits without ground: one fault, the missing ground, however the rest of the circuit hides it."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError
from tests.multibody.models import made

CIRCUIT = """@electrical.lib
model M
  submodel (sinevoltage) u1(amplitude=1, f=50), u2(amplitude=1, f=50, phase=2.1), u3(amplitude=1, f=50, phase=4.2)
  submodel ({kind}) r1({value}), r2({value}), r3({value})
  submodel (inductor) l1(L=1), l2(L=1), l3(L=1)
  submodel (ground) G
  node n, m, a, b, c
  connect {text}
end
"""
STAR = "n - u1 - l1 - r1 - m, n - u2 - l2 - r2 - m, n - u3 - l3 - r3 - m"
DELTA = "n - u1 - l1 - a, n - u2 - l2 - b, n - u3 - l3 - c, a - r1 - b - r2 - c - r3 - a"
SOURCES = "a - u1 - b - u2 - c - u3 - a, a - r1 - b - r2 - c - r3 - a, a - l1 - b - l2 - c - l3 - a"


@pytest.mark.parametrize("text", [STAR, DELTA, SOURCES], ids=["star", "delta", "sources in delta"])
@pytest.mark.parametrize(("kind", "value"), [("resistor", "R=1"), ("capacitor", "C=1")])
def test_a_circuit_without_ground(tmp_path: Path, text: str, kind: str, value: str) -> None:
    lines = CIRCUIT.format(kind=kind, value=value, text=text)
    with pytest.raises(ModelError, match="has no ground") as raised:
        made(tmp_path, lines.replace("  submodel (ground) G\n", ""))
    (found,) = raised.value.report.diagnostics
    assert found.code == "S003"
    assert found.help == "connect one of its cuts to a ground"
    place = "n" if text is not SOURCES else "a"
    if text is not SOURCES:  # there the phases contradict: their sum is not zero
        made(tmp_path, lines.replace(text, f"{text}, G at {place}"))


def test_current_sources_in_series_are_no_floating_part(tmp_path: Path) -> None:
    """The potential between them is open, but a ground there would not do."""
    text = "G - i1 - i2 - r1 - G"
    lines = CIRCUIT.format(kind="resistor", value="R=1", text=text)
    lines = lines.replace("  submodel (inductor) l1(L=1), l2(L=1), l3(L=1)\n", "")
    lines = lines.replace("r1(R=1), r2(R=1), r3(R=1)", "r1(R=1)").replace("  node n, m, a, b, c\n", "")
    begin, end = lines.index("  submodel (sinevoltage)"), lines.index("  submodel (resistor)")
    lines = lines[:begin] + "  submodel (currentsource) i1(I=1), i2(I=2)\n" + lines[end:]
    with pytest.raises(ModelError, match="over-determine") as raised:
        made(tmp_path, lines)
    assert raised.value.report.diagnostics[0].code == "S001"
