"""Closing classes (language page, section 4, rule 9): where a loop is cut, and what is put there.

The links lie on a line; a loop is closed by a tie that pulls with the gap it bridges, so that
a wrong place of the tie gives other forces.
"""

from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError
from acausal.pipeline import translate

LIBRARY = """
model class Base
  main cut B (x / f) closing Tie root
  x = 0
end
model class Link
  parameter L=1
  cut A (xa / -fa) closing Tie
  main cut B (xb / fb) closing Tie
  main path <A - B>
  xb = xa + L
  fa = fb
end
model class Load
  parameter F=1
  main cut A (x / -f)
  f = F
end
model class Tie
  cut A (xa / -fa), B (xb / -fb)
  local f = xa - xb
  fa = f
  fb = -f
end
"""


def _translate(tmp_path: Path, text: str, model: str = "M"):
    file = tmp_path / "m.mdl"
    file.write_text(LIBRARY + text)
    return translate(file, model=model)


def _components(t) -> list[str]:
    return [".".join(map(str, c.path)) for c in t.stages.flat.components]


def _value(t, name: str) -> float:
    return float(t.simulate(stop=0.1)[name][0])


def test_a_ring_is_cut_where_it_comes_back_to_the_root(tmp_path: Path) -> None:
    t = _translate(
        tmp_path,
        "model M\n submodel (Base) i\n submodel (Link) a(L=1), b(L=2), c(L=-3.5)\n connect i - a - b - c - i\nend\n",
    )
    assert _components(t)[-1] == "loop1"
    assert _value(t, "loop1.f") == pytest.approx(0.5)
    assert _value(t, "c.xb") == pytest.approx(-0.5)
    assert _value(t, "loop1.xa") == 0


def test_the_edge_nearest_to_a_root_stays(tmp_path: Path) -> None:
    """c is one edge from the root, b two: b's end is taken out, although it stands first in the text."""
    text = "model M\n submodel (Base) i\n submodel (Link) a(L=1), b(L=2), c(L=4)\n {}\nend\n"
    t = _translate(tmp_path, text.format("connect i - a - b, i - c, b at c:B"))
    assert _value(t, "loop1.xb") == 3 and _value(t, "loop1.xa") == 4
    chosen = _translate(tmp_path, text.format("connect i - a - b, i - c\n close c at b"))
    assert _value(chosen, "loop1.xb") == 4 and _value(chosen, "loop1.xa") == 3


def test_of_equal_edges_the_first_in_the_text_stays(tmp_path: Path) -> None:
    text = "model M\n submodel (Base) i\n submodel (Link) {}\n submodel (Load) w\n"
    text += " connect i - a, i - b, a at b:B, w at b\nend\n"
    assert _value(_translate(tmp_path, text.format("a(L=1), b(L=2)")), "loop1.xb") == 2
    assert _value(_translate(tmp_path, text.format("b(L=2), a(L=1)")), "loop1.xb") == 1


def test_points_reach_through_cuts_of_enclosing_models(tmp_path: Path) -> None:
    text = """
model class Arm
  submodel (Link) p(L=1), q(L=1)
  cut base (x / f)
  cut tip = q:B
  main path <base - tip>
  connect p:A at base, p - q
end
model M
  submodel (Base) i
  submodel (Arm) u, v
  connect i - u, i - v, u:tip at v:tip
end
"""
    t = _translate(tmp_path, text)
    assert [c for c in _components(t) if c.startswith("loop")] == ["loop1"]
    assert _value(t, "v.q.fb") == 0


def test_two_loops_are_numbered_in_the_order_of_the_text_and_names_are_not_taken_twice(tmp_path: Path) -> None:
    text = "model M\n submodel (Base) i\n submodel (Link) a, b, loop1\n connect i - a - i, i - b - i, i - loop1\nend\n"
    assert _components(_translate(tmp_path, text))[-2:] == ["loop2", "loop3"]


def test_an_undirected_closing_class_takes_edges_either_way(tmp_path: Path) -> None:
    text = "model M\n submodel (Base) i\n submodel (Link) a, b\n connect i - a - \\b\nend\n"
    with pytest.raises(ModelError, match="C013"):
        _translate(tmp_path, text)
    library = LIBRARY.replace("local f =", "constant boolean undirected=true\n  local f =")
    file = tmp_path / "u.mdl"
    file.write_text(library + text)
    t = translate(file)
    assert not [c for c in _components(t) if c.startswith("loop")]
    assert _value(t, "b.xa") == 0


@pytest.mark.parametrize(
    ("code", "line", "text"),
    [
        ("C013", 4, "model M\n submodel (Base) i\n submodel (Link) a\n submodel (Link) b\n connect i - a - \\b\nend\n"),
        ("C014", 2, "model M\n submodel (Link) a, b\n connect a - b\nend\n"),
        ("C016", 4, "model M\n submodel (Base) i\n submodel (Link) a, b\n close a at b:A\n connect i - a\nend\n"),
        (
            "C016",
            5,
            "model M\n submodel (Base) i\n submodel (Link) a\n submodel (Load) w\n close w at a\n connect i - a\nend\n",
        ),
    ],
)
def test_a_mistake_is_told_once_at_its_line(tmp_path: Path, code: str, line: int, text: str) -> None:
    with pytest.raises(ModelError) as caught:
        _translate(tmp_path, text)
    (found,) = caught.value.report.diagnostics
    assert found.code == code
    assert found.primary is not None
    span = found.primary.span
    assert span.file.text[: span.start].count("\n") - LIBRARY.count("\n") + 1 == line


def test_a_closing_class_without_the_cuts_is_refused(tmp_path: Path) -> None:
    text = LIBRARY.replace("cut A (xa / -fa), B (xb / -fb)\n  local", "cut C (xa / -fa), B (xb / -fb)\n  local")
    file = tmp_path / "m.mdl"
    file.write_text(text + "model M\n submodel (Base) i\n submodel (Link) a\n connect i - a - i\nend\n")
    with pytest.raises(ModelError, match="C015"):
        translate(file)
