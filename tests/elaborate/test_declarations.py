"""Inheritance, parameters, arrays of submodels and conditions, from the text to the flat model."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import Diagnostic, ModelError
from acausal.pipeline import translate
from acausal.translation import Translation


def made(text: str, folder: Path, **options: object) -> Translation:
    """The translation of a text."""
    file = folder / "model.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file, **options)  # type: ignore[arg-type]


def mistake(text: str, folder: Path, **options: object) -> Diagnostic:
    """The one mistake of a text."""
    with pytest.raises(ModelError) as caught:
        made(text, folder, **options)
    (found,) = caught.value.report.diagnostics
    return found


def line_of(found: Diagnostic) -> str:
    """The line of the text that a mistake points at."""
    assert found.primary is not None
    span = found.primary.span
    return span.file.text.split("\n")[span.line - 1].strip()


def test_a_long_chain_of_superclasses(tmp_path: Path) -> None:
    classes = "model class c0\n  local x\n  der(x) = -x\nend\n"
    classes += "".join(f"model class (c{i}) c{i + 1}\nend\n" for i in range(2000))
    result = made(classes + "model M\n  submodel (c2000) s (ic x=1)\nend\n", tmp_path).simulate(stop=1)
    assert abs(result["s.x"][-1] - 0.36787944) < 1e-5


def test_two_inherited_values_are_told(tmp_path: Path) -> None:
    text = (
        "model class F\n  parameter n=1\nend\nmodel class (F(n=2)) A\nend\nmodel class (F(n=3)) B\nend\n"
        "model class (A, B) C\nend\nmodel M\n  submodel (C) c\n  local x\n  x = 1\nend\n"
    )
    found = mistake(text, tmp_path)
    assert found.code == "N017"
    assert line_of(found) == "model class (F(n=3)) B"


def test_a_subclass_may_change_an_inherited_value_again(tmp_path: Path) -> None:
    text = (
        "model class F\n  parameter n=1\n  output y\n  y = n*time\nend\nmodel class (F(n=2)) A\nend\n"
        "model class (A(n=5)) B\nend\nmodel M\n  submodel (B) b\nend\n"
    )
    assert made(text, tmp_path).simulate(stop=1)["b.y"][-1] == 5


def test_local_classes_are_inherited(tmp_path: Path) -> None:
    text = (
        "model class Outer\n  model class Part\n    output y\n    y = 3\n  end\nend\n"
        "model (Outer) M\n  submodel (Part) p\nend\n"
    )
    assert made(text, tmp_path).simulate(stop=1)["p.y"][-1] == 3


def test_initial_values_are_spread(tmp_path: Path) -> None:
    text = (
        "model class lag\n  local x\n  parameter T=2\n  T*der(x) = -x\nend\n"
        "model M\n  submodel (lag) s[3](T=[1, 2, 4]) (ic x=[1, 2, 3])\nend\n"
    )
    result = made(text, tmp_path).simulate(stop=1)
    assert [result[f"s[{i}].x"][0] for i in (1, 2, 3)] == [1, 2, 3]


def test_dimensions_may_use_what_is_declared_later(tmp_path: Path) -> None:
    text = "model M\n  local x[N]\n  parameter v[N]=ones(N)\n  parameter integer N=3\n  x = 2*v\nend\n"
    assert made(text, tmp_path).simulate(stop=1)["x[3]"][-1] == 2


def test_all_missing_parameters_at_once(tmp_path: Path) -> None:
    text = "@electrical.lib\nmodel M\n  submodel (resistor) R\n  submodel (capacitor) C\n  connect R // C\nend\n"
    found = mistake(text, tmp_path)
    assert found.code == "N010"
    assert "R.R, C.C" in found.message
    assert line_of(found) == "submodel (resistor) R"


@pytest.mark.parametrize(
    ("declaration", "code"),
    [
        ("parameter integer N=2.5", "T014"),
        ("parameter a=2*x", "N019"),
        ("parameter a=b, b=a", "N011"),
    ],
)
def test_wrong_values(tmp_path: Path, declaration: str, code: str) -> None:
    found = mistake(f"model M\n  local x\n  {declaration}\n  der(x) = 1\nend\n", tmp_path)
    assert found.code == code
    assert line_of(found) == declaration


def test_an_integer_given_a_broken_number(tmp_path: Path) -> None:
    text = "model M\n  parameter integer N=2\n  local x[N]\n  x = ones(N)\nend\n"
    assert mistake(text, tmp_path, parameters={"N": 2.5}).code == "T014"


def test_local_variables_are_not_visible_outside(tmp_path: Path) -> None:
    text = "model class a\n  local x\n  x = 1\nend\nmodel M\n  submodel (a) s\n  local y\n  y = s.x\nend\n"
    found = mistake(text, tmp_path)
    assert found.code == "N018"
    assert line_of(found) == "y = s.x"


def test_an_unknown_parameter_is_found_from_a_known_variable(tmp_path: Path) -> None:
    """Sizing: the resistance with which 10 V drive 2 A."""
    text = "model M\n  parameter R=1\n  local u, i\n  u = 10\n  u = R*i\nend\n"
    result = made(text, tmp_path, known=["i"], unknown=["R"]).simulate(stop=1, inputs={"i": "2"})
    assert result["R"][-1] == 5


def test_an_input_with_a_value(tmp_path: Path) -> None:
    text = "model M\n  input u=3\n  local y\n  y = 2*u\nend\n"
    assert made(text, tmp_path).simulate(stop=1)["y"][-1] == 6
    assert made(text, tmp_path, known=["u"]).simulate(stop=1, inputs={"u": "5"})["y"][-1] == 10


def test_a_condition_that_changes_around_equations(tmp_path: Path) -> None:
    text = (
        "model M\n  local x, y, z\n  x = time - 1\n  if x > 0 then\n    y = x\n    z + 1 = 2\n  else\n"
        "    y = -x\n    z = y + 4\n  endif\nend\n"
    )
    result = made(text, tmp_path).simulate(stop=2)
    assert (result["y"][0], result["z"][0]) == (1, 5)
    assert (result["y"][-1], result["z"][-1]) == (1, 1)


def test_branches_with_different_numbers_of_equations(tmp_path: Path) -> None:
    text = "model M\n  local x, y\n  x = time\n  if x > 0 then\n    y = 1\n    y = 2\n  else\n    y = 0\n  endif\nend\n"
    found = mistake(text, tmp_path)
    assert found.code == "N020"
    assert line_of(found) == "if x > 0 then"
