"""`check FILE.lib`: every class by itself."""

from pathlib import Path

import pytest

from acausal.checking import check

STDLIB = Path(__file__).parents[2] / "stdlib"

TWO = """model class two
  cut A (Va / i), B (Vb / -i)
  main path <A - B>
  local u
  Va - Vb = u
end

"""

EXPORTING = """model class a
  submodel (inner) s
  cut B = s:A
  main cut C [B]
end
model class inner
  cut A (x / f, g)
  g = 2*x
"""


@pytest.mark.parametrize("library", sorted(STDLIB.glob("*.lib")), ids=lambda p: p.stem)
def test_the_standard_library(library: Path) -> None:
    assert check(library).diagnostics == ()


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        ("model class (two) a\n  parameter R\n  R*i = u\nend\n", None, 0),
        ("model class (two) a\n  parameter R\n  R*i = u\n  i = 1\nend\n", "B001", 8),
        ("model class (two) a\n  local w\n  u = 1\nend\n", "B001", 8),
        ("model class (two) a\n  terminal w\n  u = w\nend\n", None, 0),
        ("model class (two) a\n  u = 2*w\nend\n", "N002", 9),
        ("model class (two) a\n  parameter integer n\n  local x[n]\n  x = zeros(n)\n  u = 1\nend\n", "N010", 9),
    ],
)
def test_classes(tmp_path: Path, body: str, code: str | None, line: int) -> None:
    file = tmp_path / "some.lib"
    file.write_text(TWO + body, encoding="utf-8")
    found = check(file).diagnostics
    assert [d.code for d in found] == ([code] if code else [])
    if code:
        assert found[0].primary is not None
        assert found[0].primary.span.line == line


@pytest.mark.parametrize(("equation", "wrong"), [("", None), ("  x = 1\n", ["a", "inner"])])
def test_cuts_of_submodels_seen_from_outside(equation: str, wrong: list[str] | None) -> None:
    """Such a cut is open like a cut of the class: that its through variables are zero is no equation of the class."""
    found = check(f"{EXPORTING}  f = x\n{equation}end\n").diagnostics
    assert [d.message.split()[1] for d in found] == (wrong or [])
    assert {d.code for d in found} == ({"B001"} if wrong else set())


MODELS = """model class unused
  local x
  x = y
end
model class used
  local x
  x = z
end
model A
  submodel (used) a
end
model B
  submodel (used) b
  local x[2]
  x = 1
end
"""


def test_all_models_of_a_file_and_the_classes_that_none_uses() -> None:
    """A mistake in a class that several models use is reported once."""
    found = check(MODELS).errors
    assert [(d.code, d.primary.span.line) for d in found if d.primary] == [("N002", 7), ("T001", 15), ("N002", 3)]


def test_one_model_named() -> None:
    assert [d.code for d in check(MODELS + "model C\n  local x\n  x = 1\nend\n", model="C").diagnostics] == []


def test_arrays_of_discrete_variables_are_counted_by_elements() -> None:
    text = "model class a\n  discrete n[2]\n  when time > 1 then\n    new(n) = [1; 2]\n  endwhen\nend\n"
    assert check(text).diagnostics == ()
