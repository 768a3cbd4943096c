"""What structure cannot see: dependent equations, hidden constraints, states that are a choice in name only."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from acausal.checking import check
from acausal.pipeline import translate

ISLAND = """@electrical.lib
model M
  submodel (resistor) R1(R=1), R2(R=2), R3(R=3), R4(R=4), R5(R=5)
  submodel (source) U(V=1)
  node a, b, c, d
  connect R1 at (a, b), R2 at (b, c), R3 at (a, d), R4 at (d, c), R5 at (b, d), U at (a, c){}
end
"""


def _file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "m.mdl"
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("body", "words", "lines"),
    [
        ("local x, y\nx + y = 1\n2*x + 2*y = 2", "redundant", {3, 4}),
        ("local x, y\nx + y = 1\n2*x + 2*y = 3", "inconsistent", {3, 4}),
        ("local x, y, z\nx + y + z = 1\nx - y = 2*time\n2*x + z = 1 + 2*time", "redundant", {3, 4, 5}),
        ("local x (start=1), y\nx^2 + y^2 = 1\n2*x^2 + 2*y^2 = 2", "redundant", {3, 4}),
        ("parameter k=3\nlocal x, y\nk*x + sin(y) = time\nk*k*x + k*sin(y) = k*time", "redundant", {4, 5}),
        ("local x, y\n0.1*x + 0.2*y = time\n0.3*x + 0.6*y = 3*time", "redundant", {3, 4}),
    ],
)
def test_dependent_equations(tmp_path: Path, body: str, words: str, lines: set[int]) -> None:
    report = check(_file(tmp_path, f"model M\n{body}\nend\n"))
    (found,) = report.errors
    assert found.code == "S006"
    assert words in found.message
    spans = [label.span for label in (found.primary, *found.secondary) if label is not None]
    assert {s.file.text[: s.start].count("\n") + 1 for s in spans} == lines


def test_an_island_without_ground_whose_equations_are_as_many_as_its_unknowns(tmp_path: Path) -> None:
    (found,) = check(_file(tmp_path, ISLAND.format(""))).errors
    assert found.code == "S003"
    grounded = ISLAND.format(", G at c").replace("submodel (source)", "submodel (ground) G\n  submodel (source)")
    assert not check(_file(tmp_path, grounded)).errors


def test_branches_are_not_dependent_because_one_configuration_is(tmp_path: Path) -> None:
    """Two ideal switches in series: singular when both are open, not in general."""
    body = "local i, u1, u2, s\ns = time - 0.5\n0 = if s > 0 then i else u1\n0 = if s > 0 then u2 else i\nu1 + u2 = 1"
    assert not check(_file(tmp_path, f"model M\n{body}\nend\n")).errors


def test_a_constraint_that_only_numbers_show(tmp_path: Path) -> None:
    """y + z is given twice: x = sin(time) + 1 follows, and must be differentiated; then w = cos(time)."""
    body = "local x, y, z, w\nder(x) = w\ny + z = x\n2*y + 2*z = 2*sin(time) + 2\nw = y - z"
    t = translate(_file(tmp_path, f"model M\n{body}\nend\n"))
    assert t.statistics["states"] == 0
    r = t.simulate(stop=2)
    assert np.abs(r["w"] - np.cos(r.time)).max() < 1e-12
    assert np.abs(r["y"] - (np.sin(r.time) + 1 + np.cos(r.time)) / 2).max() < 1e-12


def test_dummy_derivatives_that_structure_would_choose_but_numbers_forbid(tmp_path: Path) -> None:
    """x + y is constrained twice, z by the difference of the constraints: x or y is the state, not z."""
    body = 'local x (start=1), y, z (state="always"), g, h\nder(x) = -x\nder(y) = h\nder(z) = g\n'
    body += "x + y + z = sin(time)\nx + y + 2*z = time"
    t = translate(_file(tmp_path, f"model M\n{body}\nend\n"))
    with pytest.raises(ModelError):
        translate(_file(tmp_path, f"model M\n{body}\nz = 0\nend\n"))
    r = t.simulate(stop=1, tolerance=1e-9)
    assert np.abs(r["z"] - (r.time - np.sin(r.time))).max() < 1e-12
    assert np.abs(r["x"] - np.exp(-r.time)).max() < 1e-7


def test_a_redundant_loop_of_gears(tmp_path: Path) -> None:
    """Two gears of one ratio in parallel move as one, with half of the torque each; of two ratios, they lock."""
    text = """@rotational.lib
model M
  submodel (inertia) J1(J=1), J2(J=2)
  submodel (gear) G1(ratio=2), G2(ratio={})
  submodel (torquesource) T(T=1)
  connect T - J1 - (G1 // G2) - J2
end
"""
    found = check(_file(tmp_path, text.format(2)))
    assert not found.errors
    assert "G1, G2 are overconstrained: 1 redundant constraint removed" in [d.message for d in found.diagnostics]
    assert not [d for d in check(_file(tmp_path, text.format(3))).diagnostics if d.code == "I040"]
