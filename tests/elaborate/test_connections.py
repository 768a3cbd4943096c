"""Cuts, grounds and defaults, from the text to the solution."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError
from acausal.pipeline import translate
from acausal.results.result import Result


def last(text: str, folder: Path) -> Result:
    """The result of a model file."""
    file = folder / "model.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file).simulate(stop=1)


GROUPS = """model class a
  main cut C {group}
  cut A (x / f), B (y / g)
  x = 2*f
  y = 3*g
end
model class b
  cut A (x / f), B (y / g)
  main cut C [A, B]
  x = 5 + f
  y = 7 + g
end
model M
  submodel (a) s
  submodel (b) t
  connect s at t
end
"""


@pytest.mark.parametrize("group", ["[A, B]", "(A, B)"])
def test_a_hierarchical_cut_may_stand_before_its_parts(tmp_path: Path, group: str) -> None:
    """x = 2 f = 5 - f, y = 3 g = 7 - g."""
    r = last(GROUPS.replace("{group}", group), tmp_path)
    assert r["s.f"][-1] == pytest.approx(5 / 3)
    assert r["s.g"][-1] == pytest.approx(7 / 4)


@pytest.mark.parametrize(
    ("body", "name", "value"),
    [
        ("terminal p\n  output y\n  default p=2\n  y = 2*p", "s.y", 4),
        ("cut A (x / f)\n  default x=2\n  f = 3*x", "s.f", 6),
        ("cut A (x / f)\n  default f=2\n  f = 4*x", "s.x", 0.5),
    ],
)
def test_defaults_of_what_is_left_open(tmp_path: Path, body: str, name: str, value: float) -> None:
    text = f"model class a\n  {body}\nend\nmodel M\n  submodel (a) s\nend\n"
    assert last(text, tmp_path)[name][-1] == pytest.approx(value)


def test_a_default_gives_way_to_an_equation_outside(tmp_path: Path) -> None:
    text = "model class a\n  terminal p\n  default p=2\nend\nmodel M\n  submodel (a) s\n  s.p = 3\nend\n"
    assert last(text, tmp_path)["s.p"][-1] == 3


BOX = """@electrical.lib
model class box
  submodel (ground) G
  submodel (resistor) R(R=2)
  cut A = R:A, B = R:B
  main path p <A - B>
  connect G at R:B
end
model M
  submodel (box) b
  submodel (Common) G
  submodel (ground) H
  submodel (source) U(V=1)
  connect G - U - b - G
  connect H at G
end
"""


def test_several_grounds_on_several_levels(tmp_path: Path) -> None:
    assert last(BOX, tmp_path)["b.R.i"][-1] == pytest.approx(0.5)


def test_the_cut_of_an_element_is_exported(tmp_path: Path) -> None:
    """Three springs in a row between walls 4 apart: the cut of the last is that of the row."""
    file = tmp_path / "m.mdl"
    file.write_text(
        "model class Spring\n parameter c=1\n cut A (x / f), B (y / -f)\n main path <A - B>\n f = c*(x - y)\nend\n"
        "model class Row\n parameter integer n=3\n submodel (Spring) s[n]\n cut A = s[1]:A, B = s[n]:B\n"
        " main path <A - B>\n for i = 1 to n - 1\n connect s[i] - s[i + 1]\n endfor\nend\n"
        "model class Wall\n parameter p\n main cut A (x / .)\n x = p\nend\n"
        "model M\n submodel (Wall) u(p=4), v(p=1)\n submodel (Row) r\n connect u - r - v\nend\n"
    )
    result = translate(file).simulate(stop=0.1)
    assert result["r.s[2].f"][0] == pytest.approx(1)


def test_a_free_end_carries_nothing(tmp_path: Path) -> None:
    """Rule 4: the through variable of an open cut is zero, also where it leaves by another cut that is connected."""
    file = tmp_path / "m.mdl"
    file.write_text(
        "@electrical.lib\nmodel M\n submodel (ground) G\n submodel (source) U(V=3)\n"
        " submodel (resistor) R(R=1), load(R=2)\n"
        " connect G - U - load - G, R:A at load:A\nend\n"
    )
    result = translate(file).simulate(stop=0.1)
    assert result["R.i"][0] == 0
    assert abs(result["R.Vb"][0]) == 3
    assert abs(result["U.i"][0]) == pytest.approx(1.5)


ONE_PART = """model class Load
  main cut a (v / i)
  v = 5*i
end
model class Box
  cut p (v1 / i1)
  main cut c [p]
  submodel (Load) l
  node n
  {inside}
end
model class Supply
  main cut a (v / i)
  v = 10
end
model T
  submodel (Supply) s
  submodel (Box) b
  node m
  {outside}
end
"""


@pytest.mark.parametrize("outside", ["connect s at b:p", "connect s at b", "connect s at m, b at m", "connect b to s"])
@pytest.mark.parametrize("inside", ["connect c at n, l at n", "connect l at c", "connect c to l", "connect l at p"])
def test_a_group_of_one_part_stands_for_its_part(tmp_path: Path, inside: str, outside: str) -> None:
    """10 V across 5 Ohm."""
    text = ONE_PART.replace("{inside}", inside).replace("{outside}", outside)
    assert last(text, tmp_path)["b.l.i"][-1] == pytest.approx(2)


@pytest.mark.parametrize(
    "statements",
    [
        "connect s at n, t at n",
        "connect n at m, s at n, t at m",
        "connect s at n, t at m, n at m",
        "connect s at n, n at m, k at m, t at k",
    ],
)
def test_groups_meet_at_nodes_in_any_order(tmp_path: Path, statements: str) -> None:
    """As connected directly: x = 2 f = 5 - f, y = 3 g = 7 - g."""
    text = GROUPS.replace("{group}", "[A, B]").replace("connect s at t", f"node n, m, k\n  {statements}")
    r = last(text, tmp_path)
    assert r["s.f"][-1] == pytest.approx(5 / 3)
    assert r["s.g"][-1] == pytest.approx(7 / 4)


@pytest.mark.parametrize(
    "statements",
    [
        "connect s at n, w at n",
        "connect w at n, s at n",
        "connect n at m, s at n, w at m",
        "connect s at n, w at m, n at m",
    ],
)
def test_a_node_has_one_shape(tmp_path: Path, statements: str) -> None:
    text = GROUPS.replace("{group}", "[A, B]").replace(
        "model M", "model class c\n  cut A (x / f)\n  x = f\nend\nmodel M"
    )
    text = text.replace("connect s at t", f"submodel (c) w\n  node n, m\n  {statements}")
    with pytest.raises(ModelError, match="cuts of different shape") as raised:
        last(text, tmp_path)
    (told,) = raised.value.report.diagnostics
    said = [(label.span.text, label.text) for label in (told.primary, *told.secondary) if label]
    shown = {text: span for span, text in said}
    assert shown["s:C has 2 parts [A, B]"].startswith("s at")
    assert shown["w:A has 1 across / 1 through (x / f)"].startswith("w at")
