"""The attribute `state`: which variables become states, and what is said where a wish is not met."""

from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from acausal import translate
from acausal.base.diagnostics import Diagnostic, Severity
from acausal.translation import Translation


def made(tmp_path: Path, body: str) -> Translation:
    file = tmp_path / "model.mdl"
    file.write_text(f"model M\n{body}\nend\n", encoding="utf-8")
    return translate(file)


def states(model: Translation) -> list[str]:
    return sorted(model.statistics["state_names"])  # type: ignore[call-overload, no-any-return]  # a list of names


def warnings(model: Translation) -> list[Diagnostic]:
    return [d for d in model.report.diagnostics if d.severity is Severity.WARNING]


PAIR = """\
  local x{x}, y{y}, f
  der(x) = f
  der(y) = time - f
  y = 3*x + 1"""


def test_without_wishes_the_first_stays(tmp_path: Path) -> None:
    assert states(made(tmp_path, PAIR.format(x="", y=""))) == ["x"]


@pytest.mark.parametrize(
    ("x", "y", "chosen"),
    [
        ("", "prefer", "y"),
        ("prefer", "", "x"),
        ("avoid", "", "y"),
        ("never", "", "y"),
        ("", "always", "y"),
        ("prefer", "always", "y"),
        ("never", "avoid", "y"),
        ("avoid", "never", "x"),
    ],
)
def test_of_two_tied_variables_the_more_wanted_one(tmp_path: Path, x: str, y: str, chosen: str) -> None:
    wish = {"x": x, "y": y}
    model = made(tmp_path, PAIR.format(**{k: f' (state="{w}")' if w else "" for k, w in wish.items()}))
    assert states(model) == [chosen]
    unmet = [w for name, w in wish.items() if (w in ("prefer", "always")) != (name == chosen) and w]
    assert len(warnings(model)) == len(unmet)


def test_a_variable_that_is_not_differentiated_can_be_wanted(tmp_path: Path) -> None:
    """A charge is given by the voltage: with the voltage as state nothing is solved by iteration."""
    body = "  local q, v (start=1{}), i\n  der(q) = -v\n  q = v + 0.1*v^3"
    plain = made(tmp_path, (body.format("") + "\n  i = 0"))
    assert states(plain) == ["q"]
    assert plain.statistics["nonlinear_blocks"] == [[1, 1]]
    wanted = made(tmp_path, (body.format(', state="prefer"') + "\n  i = 0"))
    assert states(wanted) == ["v"]
    assert wanted.statistics["nonlinear_blocks"] == []
    assert not warnings(wanted)
    result = wanted.simulate(stop=2, tolerance=1e-10)
    for t, v in zip(result.time, result["v"], strict=True):  # t + ln v + 0.15 v^2 = 0.15, from dv/dt (1 + 0.3 v^2) = -v
        assert t + log(v) + 0.15 * v * v == pytest.approx(0.15, abs=1e-7)


def test_an_algebraic_variable_is_not_differentiated_for_a_weak_wish(tmp_path: Path) -> None:
    """`prefer` asks for no more differentiation than the step from a charge to its voltage; `always` does."""
    body = '  local x, y (state="{}"), z\n  der(x) = z\n  z = y - x\n  y + z = time'
    assert states(made(tmp_path, body.format("prefer"))) == ["x"]
    assert states(made(tmp_path, body.format("always"))) == ["y"]


def test_the_same_solution_with_any_wish(tmp_path: Path) -> None:
    ends = []
    for x in ("", ' (state="never")', ' (state="always")'):
        model = made(tmp_path, PAIR.format(x=x, y="") + "\n  initial x = 0")
        ends.append(model.simulate(tolerance=1e-9)["x"][-1])
    assert ends == pytest.approx([0.125] * 3)  # 4 dx/dt = t


def test_a_wish_for_an_always_state_is_not_changed_during_the_run(tmp_path: Path) -> None:
    body = """\
  local x (start=1, state="{}"), y, F, vx, vy
  der(x) = vx
  der(y) = vy
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1"""
    assert made(tmp_path, body.format("prefer")).stages.plan.choices
    model = made(tmp_path, body.format("always"))
    assert "x" in states(model)
    first = [c for choice in model.stages.plan.choices for c in choice.candidates if c.order == 1]
    assert first
    assert all(c.name != ("x",) for c in first)


def test_warnings_tell_why(tmp_path: Path) -> None:
    body = """\
  local x (state="always"), y (state="always"), z (state="never"), w (state="prefer")
  der(x) = -x
  y = 2*x
  der(z) = x
  w = sin(time)"""
    model = made(tmp_path, body)
    told = [d.message for d in warnings(model)]
    assert told == [
        'y is not a state, though state="always": constraints relate it to x',
        'z is a state, though state="never": no other variable can replace it',
        'w is not a state, though state="prefer": none of its derivatives is required',
    ]
    first = warnings(model)[0]
    assert [label.span.text for label in first.secondary] == ["y = 2*x"]
    result = model.simulate()
    assert result["w"] == pytest.approx(np.sin(result.time))


def test_an_alias_can_be_the_state_that_is_wanted(tmp_path: Path) -> None:
    model = made(tmp_path, '  local x, y (state="always")\n  der(x) = 1 - x\n  y = x')
    assert not warnings(model)
    assert model.simulate(stop=1, tolerance=1e-9)["y"][-1] == pytest.approx(1 - exp(-1))


def test_wishes_of_library_classes_are_not_reported_unless_strict(tmp_path: Path) -> None:
    body = """\
  model class C
    terminal a (state="{}"), b
    der(a) = b
  end
  submodel (C) c
  c.a = sin(time)"""
    assert not warnings(made(tmp_path, body.format("prefer")))
    assert len(warnings(made(tmp_path, body.format("always")))) == 1
