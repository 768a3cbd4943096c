"""Linkages that cannot be assembled: the gap that remains, at the user's line, and hints that work.

A four-bar closes if its longest bar is not longer than the others together; a connecting rod reaches the guide of its
slider if it is not shorter than the crank's pin is away from it.
"""

from math import cos, hypot, sin
from pathlib import Path

import pytest

from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.simulate.run import choose_solver
from acausal.simulate.solver.stateless import NoStates
from tests.multibody.models import made

FOUR_BAR = """@{library}.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) a(n3=1){start}, b(n3=1), d(n3=1)
  submodel (Bar) ground(r1=5), crank(r1=0.2), coupler(r1=1), rocker(r1={rocker})
  submodel (Body) m1(m=1, I33=0.1), m2(m=1, I33=0.1), m3(m=1, I33=0.1)
  connect i - a - crank - b - coupler, m1 at a, m2 at b, i - ground - d - rocker, m3 at d
  {closed}
end
"""
BY_CONNECT = "submodel (Revolute) c(n3=1{near})\n  connect coupler - c, rocker:B at c:B"
BY_CUT = "submodel (CutRevolute) c(n3=1)\n  connect c from coupler to rocker"
SLIDER = """@{library}.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) a(n3=1){start}, b(n3=1), c(n3=1)
  submodel (Prismatic) s(n1=1)
  submodel (Bar) crank(r1=0.5), rod(r1=0.3)
  submodel (Body) m1(m=1, I33=0.1), m2(m=1, I33=0.1), m3(m=1, I33=0.1)
  connect i - a - crank - b - rod - c, m1 at a, m2 at b, i - s, m3 at s
  connect s:B at c:B
end
"""
LIBRARIES = ["mbsdir", "mbsinv"]


def failure(tmp_path: Path, text: str, **options: object) -> Diagnostic:
    with pytest.raises(SimulationError) as caught:
        made(tmp_path, text).simulate(stop=2, interval=0.01, **options)
    return caught.value.report.diagnostics[0]


@pytest.mark.parametrize("closed", [BY_CONNECT.format(near=""), BY_CUT], ids=["connect", "cut joint"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_bars_that_are_too_short(tmp_path: Path, library: str, closed: str) -> None:
    text = FOUR_BAR.format(library=library, rocker=0.5, closed=closed, start=" (ic q=1, w=0)")
    found = failure(tmp_path, text)
    gap = hypot(5 - 0.2 * cos(1), 0.2 * sin(1)) - 1.5
    assert found.code == "R001"
    assert found.primary is not None
    assert found.primary.text == f"a gap of {gap:.4g} m remains"
    assert found.primary.span.text == ("rocker:B at c:B" if "at c:B" in closed else "c(n3=1)")
    assert "change the lengths" in str(found.help)
    longer = FOUR_BAR.format(library=library, rocker=3.95, closed=closed.replace("n3=1)", "n3=1, near=pi)"), start="")
    made(tmp_path, longer if "at c:B" in closed else longer.replace(", near=pi", "")).simulate(stop=0.1)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_condition_that_opens_the_loop(tmp_path: Path, library: str) -> None:
    """The rod is too short for this angle of the crank; with the angle that the hint names it is not."""
    found = failure(tmp_path, SLIDER.format(library=library, start=" (ic q=1.5, w=0)"))
    assert found.primary is not None
    assert found.primary.text == f"a gap of {0.5 * sin(1.5) - 0.3:.4g} m remains"
    hint = str(found.help)
    assert hint.startswith("the given values forbid it: it closes with a.q = ")
    angle = float(hint.rsplit(" ", 1)[1])
    assert abs(0.5 * sin(angle)) < 0.3
    made(tmp_path, SLIDER.format(library=library, start=f" (ic q={angle}, w=0)")).simulate(stop=0.1)


@pytest.mark.parametrize(("library", "in_python"), [*((name, False) for name in LIBRARIES), ("mbsinv", True)])
def test_a_driven_crank_that_opens_the_loop(
    tmp_path: Path, library: str, in_python: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It turns until 0.5*sin(a) = 0.3."""
    if in_python:  # the kernels as Python
        monkeypatch.setattr(choose_solver, "_without_states", lambda system, y, s: NoStates(system, y, s.start))
    file = tmp_path / "model.mdl"
    file.write_text(SLIDER.format(library=library, start=""), encoding="utf-8")
    from acausal import translate

    with pytest.raises(SimulationError) as caught:
        translate(file, known=["a.q"]).simulate(stop=2, interval=0.001, inputs={"a.q": "time"})
    found = caught.value.report.diagnostics[0]
    assert found.code == "R003"
    assert float(found.message.split("t = ")[1].split(":")[0]) == pytest.approx(0.6435, abs=2e-3)
    assert "closes the loop" in found.message


def test_a_loop_that_closes_turned_by_half_a_turn(tmp_path: Path) -> None:
    """The hint at the connect statement works."""
    start = " (ic q=1, w=0)"
    closed = BY_CONNECT.format(near="")
    found = failure(tmp_path, FOUR_BAR.format(library="mbsdir", rocker=3.9, closed=closed, start=start))
    assert found.code == "R010"
    assert found.primary is not None
    assert found.primary.span.text == "rocker:B at c:B"
    assert "near=pi" in found.message
    closed = BY_CONNECT.format(near=", near=pi")
    made(tmp_path, FOUR_BAR.format(library="mbsdir", rocker=3.9, closed=closed, start=start)).simulate(stop=0.1)


KNIVES = """@{library}.lib
model M
  submodel (Inertial) i
  submodel (Prismatic) px(n1=1){condition}, py(n2=1)
  submodel (Revolute) pz(n3=1)
  submodel (Bar) b(r1=1)
  submodel (Body) plate(m=2, r1=0.3, I33=1)
  submodel (KnifeEdge) k0(n2=1), k1(n1=1)
  connect i - px - py - pz - b, plate at pz, k0 from i to pz:B, k1 from i to b:B
  {initial}
end
"""


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("condition", "initial", "hint"),
    [("", "initial px.w = 2", "`initial px.w = 2`"), (" (ic w=2)", "", "`w=2` of px")],
    ids=["initial", "ic"],
)
def test_crossed_knife_edges_hold_a_plate(
    tmp_path: Path, library: str, condition: str, initial: str, hint: str
) -> None:
    """The edges let the plate turn about a point only: the speed that is given does not exist, at rest it starts."""
    found = failure(tmp_path, KNIVES.format(library=library, condition=condition, initial=initial))
    assert found.code == "R001"
    assert hint in str(found.help)
    result = made(tmp_path, KNIVES.format(library=library, condition="", initial="")).simulate(stop=1)
    assert abs(result["px.q"]).max() < 1e-9
