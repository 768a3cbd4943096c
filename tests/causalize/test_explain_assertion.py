"""Assertions about parameters alone: `check` tells of one that does not hold, with what would."""

from pathlib import Path

import pytest

from acausal.checking import check

CLASSES = """model class Axis
  parameter n1=0, n2=0, n3=0
  assert(abs(n1^2 + n2^2 + n3^2 - 1) < 1e-6, "n1, n2, n3 is a unit vector")
end
model class Rod
  parameter length=1
  assert(length > 0, "a rod has a length")
end
"""


@pytest.mark.parametrize(
    ("part", "notes", "hint"),
    [
        (
            "submodel (Axis) a(n1=3, n3=-4)",
            ["here a.n1 = 3, a.n2 = 0, a.n3 = -4"],
            "the unit vector in that direction is n1=0.6, n2=0, n3=-0.8",
        ),
        (
            "submodel (Axis) a",
            ["here a.n1 = 0, a.n2 = 0, a.n3 = 0"],
            "give the parameters values that satisfy it",
        ),
        ("submodel (Rod) r(length=-1)", ["here r.length = -1"], "give the parameters values that satisfy it"),
    ],
)
def test_check_tells_of_it(tmp_path: Path, part: str, notes: list[str], hint: str) -> None:
    file = tmp_path / "m.mdl"
    file.write_text(f"{CLASSES}model M\n  {part}\n  local x\n  x = time\nend\n", encoding="utf-8")
    (found,) = check(file, model="M").diagnostics
    assert (found.code, list(found.notes), found.help) == ("R010", notes, hint)
    assert found.primary is not None
    assert found.primary.span.text in part


def test_what_holds_or_moves_is_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / "m.mdl"
    parts = 'submodel (Axis) a(n2=-1)\n  submodel (Rod) r\n  local x\n  x = time\n  assert(x < r.length, "far")'
    file.write_text(f"{CLASSES}model M\n  {parts}\nend\n", encoding="utf-8")
    assert check(file, model="M").diagnostics == ()
