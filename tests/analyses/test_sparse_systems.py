"""Linear systems with sparse matrices, and descriptor systems."""

import numpy as np
import pytest
from scipy.sparse import issparse

import acausal
from acausal.analyses.linear_systems import sparse_systems
from acausal.analyses.linearization.linear import Linear
from acausal.base.diagnostics import LimitError, UsageError
from tests.analyses.ladder import ladder_text
from tests.collection import ROOT

SECTIONS, TAP = 320, 3
OMEGA = np.geomspace(1e-3, 10, 50)


@pytest.fixture(scope="module")
def ladder() -> Linear:
    return acausal.translate(ladder_text(SECTIONS, TAP), cache=False).linearize(["u"], ["y"], values={"u": 0})


def test_frequency_response(ladder: Linear) -> None:
    """x[k] = cosh((N - k + 1/2) g)/cosh((N + 1/2) g) with s + 2 = 2 cosh g: the ladder's difference equation."""
    assert issparse(ladder.A)
    g = np.arccosh((1j * OMEGA + 2) / 2)
    expected = (np.exp(-g * TAP) + np.exp(-g * (2 * SECTIONS + 1 - TAP))) / (1 + np.exp(-g * (2 * SECTIONS + 1)))
    assert ladder.frequency_response(OMEGA)[:, 0, 0] == pytest.approx(expected, abs=1e-13)


def test_poles_and_plotted_frequencies(ladder: Linear) -> None:
    """Poles -4 sin((2k - 1) pi/(4 N + 2))^2, k = 1 ... N; a Bode plot reaches a decade beyond them."""
    k = np.arange(1, SECTIONS + 1)
    expected = -4 * np.sin((2 * k - 1) * np.pi / (4 * SECTIONS + 2)) ** 2
    assert np.sort(ladder.poles.real) == pytest.approx(np.sort(expected), abs=1e-12)
    plotted = ladder._plotted(None)
    assert plotted[[0, -1]] == pytest.approx([-expected[0] / 10, 10 * -expected[-1]], rel=1e-3)


def test_data_and_text(ladder: Linear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acausal.analyses.linearization.linear.DENSE_MOST", SECTIONS - 1)
    assert ladder.data()["modes"] == []
    entries = ladder.data()["A"]
    assert isinstance(entries, dict) and entries["shape"] == [SECTIONS, SECTIONS]
    assert len(entries["values"]) == 3 * SECTIONS - 2
    assert "not shown" in str(ladder)


def test_too_large_for_dense_matrices(ladder: Linear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse_systems, "DENSE_MOST", SECTIONS - 1)
    with pytest.raises(LimitError, match=f"L021.*modes of {SECTIONS} states"):
        _ = ladder.modes
    with pytest.raises(LimitError, match="reduction"):
        ladder.reduce(3)


@pytest.mark.parametrize(
    ("file", "inputs", "blocks"),
    [("amplifier", ["RL.R"], True), ("fourbar", ["b1.m"], True), ("h_bridge", ["U.V"], True), ("rc", ["R.R"], False)],
)
def test_descriptor(file: str, inputs: list[str], blocks: bool) -> None:
    """The unknowns of blocks eliminated give the state-space model."""
    model = acausal.translate(ROOT / f"examples/{file}.mdl")
    linear = model.linearize(inputs)
    found = linear.descriptor()
    assert bool(found.algebraic) == blocks
    assert found.A.shape == (len(found.states) + len(found.algebraic),) * 2
    assert found.states == linear.states and found.E.nnz == len(linear.states)
    expected = linear.frequency_response(OMEGA)
    assert np.abs(found.frequency_response(OMEGA) - expected).max() <= 1e-12 * np.abs(expected).max()
    assert np.abs(found.poles - linear.poles).max() <= 1e-12 * np.abs(linear.poles).max()


def test_descriptor_of_an_opened_loop() -> None:
    """An integrator with k*x/(1 + x^2) fed back: the loop opened at the feedback."""
    text = """@blocks.lib
model Loop
  submodel (comparator) error
  submodel (PI) controller(k=2, T=0.5)
  submodel (firstorder) motor(k=3, T=0.2), sensor(T=0.05)
  error.wanted = 1
  connect error - controller - motor - sensor
  connect sensor:exit at error:back
end
"""
    linear = acausal.translate(text).linearize(open_at=["error.measured"])
    found = linear.descriptor()
    assert found.inputs == linear.inputs and found.outputs == linear.outputs
    expected = linear.frequency_response(OMEGA)
    assert (np.abs(found.frequency_response(OMEGA) - expected) <= 1e-11 * np.abs(expected)).all()


def test_descriptor_of_a_reduced_system() -> None:
    model = acausal.translate("model M\n  input u\n  local x\n  der(x) + x = u\nend", cache=False)
    with pytest.raises(UsageError, match="descriptor"):
        model.linearize(["u"], ["x"], values={"u": 0.0}).reduce(1).descriptor()
