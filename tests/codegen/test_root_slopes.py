"""Which root functions have a derivative by formula, and events at turning points that it knows."""

from math import acos, pi
from pathlib import Path

import pytest

from acausal.ir.program.slots import EventTable
from acausal.pipeline import translate
from acausal.translation import Translation

OSCILLATOR = """
  parameter k=2
  local u (start=0, fixed=true), v (start=1, fixed=true), a, b, z
  discrete n
  der(u) = v
  der(v) = -u
"""


def translated(folder: Path, body: str) -> Translation:
    file = folder / "m.mdl"
    file.write_text(f"model M\n{OSCILLATOR}{body}\nend\n", encoding="utf-8")
    return translate(file)


def when(relation: str) -> str:
    return f"\n  when {relation} then\n    new(n) = n + 1\n  endwhen"


def table(folder: Path, body: str) -> EventTable:
    return translated(folder, body).executable.program.table


KNOWN = {
    "states": ("a = u\n b = v\n z = 0", "u > 0.5", 2),
    "through two assignments": ("a = k*u\n b = a*a + time\n z = 0", "b > 3", 2),
    "a constant slope": ("a = time/k\n b = 3*a\n z = 0", "b > 1", 1),
    "constant between events, which time determines": ("a = if time < 1 then 1 else 2\n b = a*k\n z = 0", "b > 3", 1),
}
"""Assignments, relation, number of root functions."""


@pytest.mark.parametrize("case", KNOWN)
def test_known_slopes(tmp_path: Path, case: str) -> None:
    """Nothing to search for; a derivative that moves is a root function of its own."""
    body, relation, count = KNOWN[case]
    found = table(tmp_path, body + when(relation))
    assert found.hidden == ()
    assert found.crossings == count


UNKNOWN = {
    "a nonlinear block": ("a = 1\n b = z + u\n z^3 + z = u", "b > 0.5"),
    "too many operations": ("a = " + "*".join([f"sin({i}*u)" for i in range(1, 30)]) + "\n b = a\n z = 0", "b > 0.5"),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_unknown_slopes(tmp_path: Path, case: str) -> None:
    body, relation = UNKNOWN[case]
    assert table(tmp_path, body + when(relation)).hidden == (0,)


@pytest.mark.parametrize("depth", [1e-2, 1e-6, 1e-10])
@pytest.mark.parametrize("solver", ["auto", "dop853"])
def test_extremes_of_assigned_variables(tmp_path: Path, solver: str, depth: float) -> None:
    """b = cos(w*t)^2 + 1 passes 2 - depth twice in each half period of the cosine, both within one step."""
    body = "a = cos(k*time)\n b = a*a + 1\n z = 0"
    found = translated(tmp_path, body + when(f"b > {2.0 - depth!r}"))
    width = acos((1.0 - depth) ** 0.5) / 2.0
    times = sorted([t for i in range(8) for t in (i * pi / 2 - width, i * pi / 2 + width) if 0 < t < 10])
    result = found.simulate(stop=10.0, interval=10.0, solver=solver, tolerance=1e-6)
    assert [event.time for event in result.events] == pytest.approx(times, abs=1e-6 * depth**0.5 + 1e-15 / depth**0.5)
