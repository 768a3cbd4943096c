"""Sensitivities through `init` of variables that are no states, against closed forms."""

import pytest

import acausal

TEXT = """model Jump
  parameter a = 0.5, b = 0.25, e = 0.5
  local x (start=1), v (start=-1), w (start=2), z, q
  der(x) = v
  der(v) = 0
  der(w) = 0
  z = a*v + w
  q = LEFT
  when x < b then
    init(z) = -e*z
  endwhen
end
"""


def test_a_linear_combination() -> None:
    """The least change of v and w that turns z into -e*z; another derivative of z changes the direction of it."""
    model = acausal.translate(TEXT.replace("LEFT", "2*w"), cache=False)
    s = model.sensitivities(["a", "b", "e"], ["v", "w", "x", "z"], times=[2.0], tolerance=1e-11)
    a, b, e = 0.5, 0.25, 0.5
    z, size = 2 - a, 1 + a**2
    v = -1 - (1 + e) * a * z / size
    dv = -(1 + e) * ((2 - 2 * a) * size - 2 * a * a * z) / size**2
    dw = (1 + e) * (size + 2 * a * z) / size**2
    assert s.derivatives[0, 0] == pytest.approx([dv, 0, -a * z / size], rel=1e-9, abs=1e-9)
    assert s.derivatives[0, 1] == pytest.approx([dw, 0, -z / size], rel=1e-9, abs=1e-9)
    assert s.derivatives[0, 2] == pytest.approx([(1 + b) * dv, 1 + v, -(1 + b) * a * z / size], rel=1e-9)
    assert s.derivatives[0, 3] == pytest.approx([e, 0, -z], rel=1e-9, abs=1e-9)


def test_beside_a_state_that_restarts_itself() -> None:
    """v takes its own value; only w is free for z, whatever a is."""
    text = TEXT.replace("LEFT", "0").replace("init(z) = -e*z", "init(v) = -e*v\n    init(z) = -e*z")
    s = acausal.translate(text, cache=False).sensitivities(["a", "e"], ["v", "w"], times=[2.0], tolerance=1e-11)
    a, e = 0.5, 0.5
    assert s.derivatives[0, 0] == pytest.approx([0, 1], rel=1e-9, abs=1e-9)
    # w = -e*(2 - a) - a*e
    assert s.derivatives[0, 1] == pytest.approx([e - e, -2], rel=1e-9, abs=1e-9)
    assert s.values[0, 1] == pytest.approx(-e * (2 - a) - a * e)


def test_a_nonlinear_variable_in_several_steps() -> None:
    """w is the only state that z^3 depends on: w = (-e)^(1/3)*w."""
    text = TEXT.replace("LEFT", "0").replace("a*v + w", "w^3 + a*w")
    s = acausal.translate(text, cache=False).sensitivities(["a", "e"], ["w"], times=[2.0], tolerance=1e-11)
    w, a, e = float(s.values[0, 0]), 0.5, 0.5
    assert w**3 + a * w == pytest.approx(-e * (8 + 2 * a))
    slope = 3 * w**2 + a
    assert s.derivatives[0, 0] == pytest.approx([(-2 * e - w) / slope, -(8 + 2 * a) / slope], rel=1e-8)
