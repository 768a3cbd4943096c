"""Reduced systems and classes written from linear ones."""

from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.analyses.linearization.linear import Linear
from acausal.base.diagnostics import UsageError
from tests.analyses.ladder import ladder_text

OMEGA = np.geomspace(1e-3, 1e2, 200)


@pytest.fixture(scope="module")
def ladder() -> Linear:
    return acausal.translate(ladder_text(8, 8), cache=False).linearize(["u"], ["y"], values={"u": 1.0})


def test_balanced(ladder: Linear) -> None:
    """The error at each frequency is below twice the sum of the Hankel singular values left out."""
    values = ladder.hankel_singular_values
    exact = ladder.frequency_response(OMEGA)
    for order in range(9):
        reduced = ladder.reduce(order)
        assert reduced.A.shape == (order, order)
        error = np.abs(reduced.frequency_response(OMEGA) - exact).max()
        assert error <= 2 * values[order:].sum() + 1e-13
    chosen = ladder.reduce(tolerance=1e-3)
    assert len(chosen.A) == next(k for k in range(9) if 2 * values[k:].sum() <= 1e-3)
    assert np.abs(chosen.frequency_response(OMEGA) - exact).max() <= 1e-3


def test_hankel_singular_value_of_a_lag() -> None:
    """3/(2 s + 1) has the Hankel singular value 3/2."""
    model = acausal.translate("model M\n  input u\n  local x\n  2*der(x) + x = 3*u\nend", cache=False)
    assert model.linearize(["u"], ["x"], values={"u": 0.0}).hankel_singular_values == pytest.approx([1.5], rel=1e-14)


def test_modal(ladder: Linear) -> None:
    """Slow modes stay as they are, and so does the gain at frequency 0."""
    reduced = ladder.reduce(3, method="modal")
    assert reduced.poles == pytest.approx(ladder.poles[:3], rel=1e-10)
    assert reduced.frequency_response([0.0]) == pytest.approx(ladder.frequency_response([0.0]), rel=1e-12)
    slow = [s for s in ladder.poles if abs(s) <= 20 * abs(ladder.poles[0])]
    assert len(ladder.reduce(tolerance=0.05, method="modal").A) == len(slow)


def test_unstable_modes_stay() -> None:
    """x1' = x1 + u, x2' = -50 x2 + u, x3' = u: of these only x2 can be removed."""
    text = "model M\n  input u\n  local x1, x2, x3\n  output y\n  der(x1) = x1 + u\n  der(x2) = -50*x2 + u\n"
    text += "  der(x3) = u\n  y = x1 + x2 + x3\nend"
    linear = acausal.translate(text, cache=False).linearize(["u"], ["y"], values={"u": 1.0})
    for method in ("balanced", "modal"):
        reduced = linear.reduce(2, method=method)
        assert sorted(reduced.poles.real) == pytest.approx([0.0, 1.0], abs=1e-12)
    with pytest.raises(UsageError, match="2 modes of the system are not stable"):
        linear.reduce(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "either the order or a tolerance"),
        ({"order": 2, "tolerance": 0.1}, "either the order or a tolerance"),
        ({"order": 9}, "has 8 states"),
        ({"order": 1.5}, "number of states"),
        ({"tolerance": -1}, "positive"),
        ({"order": 1, "method": "modl"}, "unknown method"),
    ],
)
def test_mistakes(ladder: Linear, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ladder.reduce(**arguments)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="states are not variables"):
        ladder.reduce(2).modes[0].motion()


def test_class_with_signals(ladder: Linear, tmp_path: Path) -> None:
    """The class has the operating point (x = 0, u = 1), from which it moves: u = 2 gives twice the step response."""
    (tmp_path / "lower.lib").write_text(ladder.reduce(3).to_class("lower"))
    text = "@lower.lib\nmodel Test\n  submodel (lower) plant\n  plant.u = 2\nend"
    run = acausal.translate(text, path=[tmp_path], cache=False).simulate(stop=20, interval=0.5, tolerance=1e-10)
    times, response = ladder.reduce(3).step_response(20, 41)
    assert run.time == pytest.approx(times)
    assert run["plant.y"] == pytest.approx(2 * response[:, 0, 0], abs=1e-8)


def test_class_with_cuts(tmp_path: Path) -> None:
    """A nonlinear element is replaced in a circuit by its linear class: same cuts, same current to first order."""
    element = "@electrical.lib\nmodel class element\n  cut A (Va / i), B (Vb / -i)\n  main path <A - B>\n"
    element += "  local u (start=0)\n  u = Va - Vb\n  i = 2*u + u^3 + 0.5*der(u)\nend\n"
    (tmp_path / "element.lib").write_text(element)
    model = acausal.translate(tmp_path / "element.lib", model="element", known=["Va", "Vb"], cache=False)
    values = {"Va": "1.5 + 0*time", "Vb": "0.5"}
    linear = model.linearize(None, ["Va", "Vb", "i"], values=values)
    assert linear.inputs == ("der(Va)", "der(Vb)")
    resistive = element.replace(" + 0.5*der(u)", "")
    (tmp_path / "resistive.lib").write_text(resistive)
    model = acausal.translate(tmp_path / "resistive.lib", model="element", known=["Va", "Vb"], cache=False)
    text = model.linearize(["Va", "Vb"], ["i"], values=values).to_class("tangent")
    assert "cut A (Va / i)" in text
    assert "cut B (Vb / -i)" in text
    (tmp_path / "tangent.lib").write_text(text)
    circuit = "@tangent.lib\n@electrical.lib\nmodel Test\n  submodel (tangent) e\n  submodel (source) s(V=1.001)\n"
    circuit += "  submodel (ground) g\n  connect s:B at e:A, s:A at e:B, g at s:A\nend"
    run = acausal.translate(circuit, path=[tmp_path], cache=False).simulate(stop=1)
    assert run["e.i"][-1] == pytest.approx(3.0 + 5.0 * 0.001, rel=1e-12)


@pytest.mark.parametrize("name", ["der", "model", "2a", "a b", ""])
def test_names_of_classes(ladder: Linear, name: str) -> None:
    with pytest.raises(UsageError, match="is not a name of a class"):
        ladder.to_class(name)
