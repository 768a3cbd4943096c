"""A steady start together with events, changed parameters and folded values."""

from pathlib import Path

import pytest

from acausal import translate
from acausal.translation import Translation


def made(tmp_path: Path, text: str) -> Translation:
    file = tmp_path / "model.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


def test_steady_state_left_by_an_event(tmp_path: Path) -> None:
    """x' = u - x rests at u = 1; at t = 1 the input is 3."""
    text = "model M\n  local x, u\n  u = if time < 1 then 1 else 3\n  der(x) = u - x\nend\n"
    result = made(tmp_path, text).simulate(steady=True, stop=3, tolerance=1e-9)
    assert result.at(0.9)["x"] == pytest.approx(1.0)
    assert result["x"][-1] == pytest.approx(3 - 2 * 2.718281828459045**-2, abs=1e-7)


def test_a_relation_that_the_steady_state_decides(tmp_path: Path) -> None:
    """The valve opens above 2; at rest with the inflow 3 it is open: 3 = x + 2*(x - 2)."""
    text = "model M\n  local x\n  der(x) = 3 - x - (if x > 2 then 2*(x - 2) else 0)\nend\n"
    result = made(tmp_path, text).simulate(steady=True)
    assert result["x"] == pytest.approx(7 / 3)


def test_a_folded_parameter_is_translated_again(tmp_path: Path) -> None:
    model = made(tmp_path, "model M\n  parameter k=1, q=2\n  local x\n  der(x) = q - k*x\nend\n")
    result = model.simulate(steady=True, parameters={"k": 4.0})
    assert result["x"] == pytest.approx(0.5)
    assert "R012" in [d.code for d in result.notes]
    assert model.steady_state.steady_state is model.steady_state
