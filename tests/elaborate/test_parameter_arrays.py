"""Array parameters: conditions and strings keep their type, elements take values from outside, folded or not."""

from math import exp
from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError, UsageError
from acausal.pipeline import translate

MODEL = """model class Part
  parameter v[2]=[1, 7], integer n[2]=[1, 2], boolean on[2]=[false, true]
  local y
  y = v[1] + 10*v[2] + 100*n[1] + 1000*n[2] + (if on[1] then 1e4 else 0) + (if on[2] then 1e5 else 0)
end
model M
  submodel (Part) p[2]
  parameter A[2,2]=[1, 2; 3, 4], k=A[1,1], c[2]=k*[1, 0]
  constant e[2]=[1, 2]
  local x[2], s
  x = A*[1; 10] + c
  s = e[1] + k
end
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.mdl"
    path.write_text(MODEL, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"A[1,1]": 3}, {"x[1]": 23 + 3, "x[2]": 43, "s": 4, "k": 3, "c[1]": 3}),
        ({"A[2,1]": 0}, {"x[1]": 22, "x[2]": 40, "s": 2}),
        ({"A[1,2]": 5, "A[2,2]": 6}, {"x[1]": 52, "x[2]": 63}),
        ({"c[2]": 1}, {"x[1]": 22, "x[2]": 44}),
        ({"c[1]": 0, "k": 5}, {"x[1]": 21, "x[2]": 43, "s": 6, "c[2]": 0}),
        ({"p[2].v[1]": 0}, {"p[1].y": 1 + 70 + 100 + 2000 + 1e5, "p[2].y": 70 + 100 + 2000 + 1e5}),
        ({"p[1].n[1]": 3, "p[1].on[1]": True}, {"p[1].y": 1 + 70 + 300 + 2000 + 1.1e5}),
    ],
)
def test_every_way_gives_the_same(file: Path, given: dict[str, float], expected: dict[str, float]) -> None:
    results = translate(file, parameters=given).simulate(stop=1), translate(file).simulate(stop=1, parameters=given)
    for result in results:
        assert {name: result[name][-1] for name in expected} == expected


def test_a_folded_element_in_a_sweep(tmp_path: Path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text("model M\nparameter a[2]=[1, 0]\nlocal x (start=1, fixed=true)\nder(x) = -a[1]*x + a[2]\nend\n")
    swept = translate(path).sweep({"a[1]": [1, 2, 3]}, final=["x"], tolerance=1e-9)
    assert swept["final(x)"] == pytest.approx([exp(-1), exp(-2), exp(-3)], rel=1e-7)


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("A[3,1]", "N031", "A has elements A[1,1] to A[2,2]"),
        ("A[1]", "N031", "A has elements A[1,1] to A[2,2]"),
        ("p[3].v[1]", "N031", "did you mean"),
        ("A", "N033", "--set 'A[1,1]=...'"),
        ("e[1]", "N032", "declare it as a parameter"),
    ],
)
def test_what_is_no_element(file: Path, name: str, code: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        translate(file, parameters={name: 1})
    (found,) = caught.value.report.errors
    assert found.code == code
    assert says in (found.help or "")


@pytest.mark.parametrize(("name", "value"), [("p[1].n[2]", 2.5), ("p[1].on[2]", 3), ("A[1,2]", True)])
def test_an_element_has_the_type_of_its_array(file: Path, name: str, value: float) -> None:
    with pytest.raises(UsageError) as caught:
        translate(file, parameters={name: value})
    assert [d.code for d in caught.value.report.errors] == ["T014"]


def test_an_array_without_value_is_given_element_by_element(tmp_path: Path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text("model M\nparameter a[2]\nlocal x\nx = a[1] + 10*a[2]\nend\n")
    assert translate(path, parameters={"a[1]": 3, "a[2]": 4}).simulate(stop=1)["x"][-1] == 43
    with pytest.raises(ModelError) as caught:
        translate(path, parameters={"a[1]": 3})
    (found,) = caught.value.report.errors
    assert found.code == "N010"
    assert "--set 'a[1]=...'" in (found.help or "")


CONDITIONS = """model M
  parameter boolean c[2,2]=[true, false; false, true], boolean d[2]=[c[1,1], not c[1,1]]
  local y, z[2], w
  y = if c[1,1] and not c[1,2] then 1 else 0
  z = if d[2] then [1, 2] else [3, 4]
  w = if d[1] then 1e4 else 3
end
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {"y": 1, "z[1]": 3, "z[2]": 4, "w": 1e4}),
        ({"c[1,1]": False}, {"y": 0, "z[1]": 1, "z[2]": 2, "w": 3}),
        ({"c[1,2]": True}, {"y": 0, "z[1]": 3, "z[2]": 4, "w": 1e4}),
        ({"d[2]": True}, {"y": 1, "z[1]": 1, "z[2]": 2, "w": 1e4}),
    ],
)
def test_arrays_of_conditions(tmp_path: Path, given: dict[str, float], expected: dict[str, float]) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(CONDITIONS, encoding="utf-8")
    results = translate(path, parameters=given).simulate(stop=1), translate(path).simulate(stop=1, parameters=given)
    for result in results:
        assert {name: result[name][-1] for name in expected} == expected


STRINGS = """model class Part
  parameter string kind="a"
  terminal y
  y = if kind == "a" then 1 else 2
end
model M
  parameter string names[2]=["a", "b"], string turned[2]=[names[2], names[1]]
  submodel (Part) p[2](kind=turned)
  local y
  y = if names[1] == "a" then 5 else 7
end
"""


def test_arrays_of_strings(tmp_path: Path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(STRINGS, encoding="utf-8")
    result = translate(path).simulate(stop=1)
    assert {name: result[name][-1] for name in ("p[1].y", "p[2].y", "y")} == {"p[1].y": 2, "p[2].y": 1, "y": 5}
