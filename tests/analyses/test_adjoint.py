"""Gradients by the adjoint equations, against closed forms and slopes."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.linalg import expm

import acausal

DECAY = """
model Decay
  parameter a (tunable=true) = 2, x0 (tunable=true) = 3
  local x (start=x0), y
  der(x) = -a*x
  y = a*x
end
"""


def test_closed_forms_of_all_objectives() -> None:
    t, a, x0, end = acausal.translate(DECAY), 2.0, 3.0, 0.8
    e = np.exp(-a * end)
    expected = {
        "final(x)": (x0 * e, (-end * x0 * e, e)),
        "final(y)": (a * x0 * e, ((1 - a * end) * x0 * e, a * e)),
        "integral(x)": (x0 * (1 - e) / a, (x0 * (end * e / a - (1 - e) / a**2), (1 - e) / a)),
        "integral(y)": (x0 * (1 - e), (end * x0 * e, 1 - e)),
        "min(x)": (x0 * e, (-end * x0 * e, e)),
        "max(x)": (x0, (0.0, 1.0)),
    }
    for objective, (value, slopes) in expected.items():
        found = t.gradient(objective, ["a", "x0"], stop=end, tolerance=1e-9, method="adjoint")
        assert found[0] == pytest.approx(value, rel=1e-8)
        assert found[1] == pytest.approx(slopes, rel=1e-7)


SECTIONS, STOP = 20, 30.0
LADDER = f"""
model Ladder
  parameter R[{SECTIONS}] (tunable=true), C[{SECTIONS}] (tunable=true)
  local u[{SECTIONS}] (start=zeros({SECTIONS})), i[{SECTIONS}]
  R[1]*i[1] = 1 - u[1]
  for k = 2 to {SECTIONS}
    R[k]*i[k] = u[k - 1] - u[k]
  endfor
  for k = 1 to {SECTIONS - 1}
    C[k]*der(u[k]) = i[k] - i[k + 1]
  endfor
  C[{SECTIONS}]*der(u[{SECTIONS}]) = i[{SECTIONS}]
end
"""
NAMES = [f"{kind}[{k}]" for kind in "RC" for k in range(1, SECTIONS + 1)]
VALUES = np.concatenate([np.linspace(1, 2, SECTIONS), np.linspace(0.5, 1.5, SECTIONS)])


def voltage(p: np.ndarray) -> float:
    """That in the middle at the end, by the exponential of the matrix."""
    g, c = 1 / p[:SECTIONS], p[SECTIONS:]
    matrix = np.diag(-(g + np.append(g[1:], 0.0)) / c)
    matrix += np.diag(g[1:] / c[:-1], 1) + np.diag(g[1:] / c[1:], -1)
    return float((np.ones(SECTIONS) - expm(matrix * STOP) @ np.ones(SECTIONS))[SECTIONS // 2])


def voltage_slope(k: int) -> float:
    """Differences of order 4."""
    step = 1e-3 * np.eye(2 * SECTIONS)[k] * VALUES[k]
    near, far = (voltage(VALUES + j * step) - voltage(VALUES - j * step) for j in (1, 2))
    return (8 * near - far) / (12 * step[k])


def test_a_ladder_by_its_matrix() -> None:
    """By forty parameters from the adjoint equations, by four of them from slopes, whose matrix is a band of blocks."""
    t = acausal.translate(LADDER, parameters=dict(zip(NAMES, VALUES.tolist(), strict=True)))
    middle, some = f"u[{SECTIONS // 2 + 1}]", (0, 7, 25, 39)
    value, slopes = t.gradient(f"final({middle})", NAMES, stop=STOP, tolerance=1e-9)
    assert value == pytest.approx(voltage(VALUES), rel=1e-8)
    expected = [voltage_slope(k) for k in some]
    assert slopes[list(some)] == pytest.approx(expected, rel=1e-6, abs=1e-9)
    forward = t.sensitivities([NAMES[k] for k in some], [middle], times=[STOP], tolerance=1e-9)
    assert forward.result.stats.matrix == "band 1+1+1, exact"
    assert forward.derivatives[0, 0] == pytest.approx(expected, rel=1e-6, abs=1e-9)


BLOCKS = """
model Blocks
  parameter a (tunable=true) = 2, b (tunable=true) = 0.5, c (tunable=true) = 1.5
  parameter k (tunable=true) = a*b
  input u
  local x (start=c), z (start=0.3), y, v, w
  y + k*y^3 = x + sin(time)
  v + b*w = x + u
  c*v - a*w = z
  der(x) = -y + u*v
  der(z) = w - a*z
end
"""


def test_blocks_bindings_inputs_and_time() -> None:
    """A nonlinear and a linear system, a bound parameter, an input: as slopes that are integrated forwards."""
    t, names = acausal.translate(BLOCKS), ["a", "b", "c"]
    for objective in ("final(y)", "integral(v)", "max(z)"):
        found = [
            t.gradient(objective, names, stop=2, tolerance=1e-9, inputs={"u": "cos(3*time)"}, method=method)
            for method in ("adjoint", "forward")
        ]
        assert found[0][0] == pytest.approx(found[1][0], rel=1e-7)
        assert found[0][1] == pytest.approx(found[1][1], rel=1e-6, abs=1e-8)
    given = t.gradient("final(y)", [*names, "k"], stop=1, inputs={"u": 0.1}, values={"k": 3}, method="adjoint")
    forward = t.gradient("final(y)", [*names, "k"], stop=1, inputs={"u": 0.1}, values={"k": 3}, method="forward")
    assert given[1] == pytest.approx(forward[1], rel=1e-4)


def test_initial_values_and_small_numbers() -> None:
    """States of microamperes: the error of w is small beside what it is, not beside 1."""
    t = acausal.translate("""
model Small
  parameter tau (tunable=true) = 1e-6, i0 (tunable=true) = 1e-6
  local i (start=i0), q (start=0)
  tau*der(i) = -i
  der(q) = i
end
""")
    value, slopes = t.gradient("integral(i)", ["tau", "i0"], stop=1e-4, tolerance=1e-10, method="adjoint")
    assert value == pytest.approx(1e-12, rel=1e-4)
    assert slopes == pytest.approx([1e-6, 1e-6], rel=1e-4)
    given = {"stop": 2e-6, "tolerance": 1e-10, "initial": {"i": 2e-6}}
    value, slopes = t.gradient("final(q)", ["tau", "i0"], method="adjoint", **given)
    assert slopes == pytest.approx([2e-6 * (1 - 3 * np.exp(-2)), 0.0], rel=1e-4)


SWITCHED = """
model Switched
  parameter a (tunable=true) = 1.3, b (tunable=true) = 2, c (tunable=true) = 0.6, T (tunable=true) = 0.7
  local x (start=1)
  discrete boolean late
  der(x) = (if x < c then -b*x else -a) + (if time > T then 0.2 else 0)
  when x < 0.01 then
    new(late) = true
  endwhen
end
"""


def test_relations_that_switch() -> None:
    """From 1 down a line to c, then an exponential; from T on with a source."""
    t, values, end = acausal.translate(SWITCHED), {"a": 1.3, "b": 2.0, "c": 0.6, "T": 0.7}, 1.5

    def value(a: float, b: float, c: float, T: float) -> float:  # noqa: N803 - as the model calls it
        source = c * np.exp(-b * (T - (1 - c) / a))
        return float((source - 0.2 / b) * np.exp(-b * (end - T)) + 0.2 / b)

    found = t.gradient("final(x)", list(values), stop=end, tolerance=1e-9, method="adjoint")
    assert found[0] == pytest.approx(value(**values), rel=1e-7)
    expected = []
    for name, size in values.items():
        near, far = (value(**{**values, name: size + d}) - value(**{**values, name: size - d}) for d in (1e-3, 2e-3))
        expected.append((8 * near - far) / 12e-3)
    assert found[1] == pytest.approx(expected, rel=1e-6)
    for objective in ("integral(x)", "max(x)"):
        slopes = [
            t.gradient(objective, list(values), stop=end, tolerance=1e-9, method=m) for m in ("adjoint", "forward")
        ]
        assert slopes[0][1] == pytest.approx(slopes[1][1], rel=1e-6, abs=1e-8)


def test_a_relation_that_is_nearly_crossed_has_no_gradient() -> None:
    """The time above the top is 2*acos(top)."""
    t = acausal.translate("""
model Graze
  parameter top (tunable=true) = 0.5
  local x (start=0), above (start=0)
  der(x) = cos(time)
  der(above) = if x > top then 1 else 0
end
""")
    found = t.gradient("final(above)", ["top"], stop=3, tolerance=1e-9, method="adjoint")
    assert found[0] == pytest.approx(2 * np.arccos(0.5), rel=1e-7)
    assert found[1] == pytest.approx([-2 / np.sqrt(0.75)], rel=1e-6)
    for top in (1 - 1e-9, 1 + 1e-9):
        with pytest.raises(acausal.RunError, match=r"A021.*at t = 1\.57.* x > top is grazing"):
            t.gradient("final(above)", ["top"], stop=3, values={"top": top}, method="adjoint")


def test_an_event_that_sets_something_is_refused_where_it_happens() -> None:
    t = acausal.translate(SWITCHED)
    with pytest.raises(acausal.SimulationError, match="A020") as caught:
        t.gradient("final(x)", ["b"], stop=4, values={"T": 5, "b": 3}, method="adjoint")
    assert "x < 0.01" in str(caught.value)
    assert "forward" in str(caught.value)


REFUSED: list[tuple[str, str]] = [
    ("local x (start=1)\n der(x) = p\n when x > 3 then\n init(x) = 1\n endwhen", "with `init`"),
    ("local x (start=1)\n der(x) = -p*delay(x, 0.1)", "with delays"),
    ("local x\n x = p*time", "without states"),
]


@pytest.mark.parametrize(("lines", "what"), REFUSED)
def test_models_without_adjoint_equations(lines: str, what: str) -> None:
    t = acausal.translate(f"model M\n parameter p (tunable=true) = 1\n {lines}\nend\n")
    with pytest.raises(acausal.ModelError, match="A020") as caught:
        t.gradient("final(x)", ["p"], method="adjoint")
    assert what in str(caught.value)
    assert "forward" in str(caught.value)
    assert t.gradient("final(x)", ["p"])[1].shape == (1,)


@pytest.mark.parametrize("call", [lambda t: t.gradient("final(x)", ["a"], method="backward"),
                                  lambda t: t.gradient("event(1)", ["a"], method="adjoint")])  # fmt: skip
def test_methods_that_do_not_fit(call: Callable[[acausal.Translation], object]) -> None:
    with pytest.raises(acausal.UsageError, match="F006"):
        call(acausal.translate(DECAY))


def test_parameters_of_the_start_alone() -> None:
    """The adjoint equations then have no integrals."""
    t = acausal.translate(DECAY)
    value, slopes = t.gradient("final(x)", ["x0"], stop=0.8, tolerance=1e-9, method="adjoint")
    assert value == pytest.approx(3 * np.exp(-1.6), rel=1e-7)
    assert slopes == pytest.approx([np.exp(-1.6)], rel=1e-7)


def test_expressions_by_the_adjoint_equations() -> None:
    """Integrals of expressions are states, the sum is a variable: closed forms, and slopes for blocks."""
    t, a, x0, end = acausal.translate(DECAY), 2.0, 3.0, 0.8
    e = np.exp(-a * end)
    square, final = x0**2 * (1 - e**2) / (2 * a), x0 * e
    by_a = x0**2 * (2 * a * end * e**2 - (1 - e**2)) / (2 * a**2)
    expected = {
        "integral(x^2) + 10*final(x)^2": (
            square + 10 * final**2,
            (by_a - 20 * final**2 * end, 2 * square / x0 + 20 * final * e),
        ),
        "sqrt(integral(x*x))/final(a)": (
            square**0.5 / a,
            (by_a / (2 * a * square**0.5) - square**0.5 / a**2, square**0.5 / (x0 * a)),
        ),
        "final(y + time^1.5)": (a * final + end**1.5, ((1 - a * end) * final, a * e)),
        "2*final(a*x0)": (2 * a * x0, (2 * x0, 2 * a)),
    }
    for text, (value, slopes) in expected.items():
        found = t.gradient(text, ["a", "x0"], stop=end, tolerance=1e-9, method="adjoint")
        assert found[0] == pytest.approx(value, rel=1e-7)
        assert found[1] == pytest.approx(slopes, rel=1e-6)
    model, names = acausal.translate(BLOCKS), ["a", "b", "c"]
    text = "integral(y^2 + u*v)*final(z) - final(c*w)"
    both = [
        model.gradient(text, names, stop=2, tolerance=1e-9, inputs={"u": "cos(3*time)"}, method=method)
        for method in ("adjoint", "forward")
    ]
    assert both[0][0] == pytest.approx(both[1][0], rel=1e-6)
    assert both[0][1] == pytest.approx(both[1][1], rel=1e-5, abs=1e-7)


def test_expressions_across_switches() -> None:
    """An integrand that jumps where a relation switches."""
    t, names = acausal.translate(SWITCHED), ["a", "b", "c", "T"]
    text = "integral(der(x)^2) + final(x)"
    found = t.gradient(text, names, stop=1.5, tolerance=1e-9, method="adjoint")
    forward = t.gradient(text, names, stop=1.5, tolerance=1e-9, method="forward")
    assert found[1] == pytest.approx(forward[1], rel=1e-5, abs=1e-7)


def test_many_parameters_choose_the_adjoint_equations_for_expressions() -> None:
    """Numbers other than integrals and final values are left to slopes, and named where the method is required."""
    t = acausal.translate(LADDER, parameters=dict(zip(NAMES, VALUES.tolist(), strict=True)))
    text = f"integral(u[{SECTIONS}]^2) + final(u[1])"
    found = t.gradient(text, NAMES, stop=STOP, tolerance=1e-9)
    assert (found[1] == t.gradient(text, NAMES, stop=STOP, tolerance=1e-9, method="adjoint")[1]).all()
    some = t.gradient(text, NAMES[::13], stop=STOP, tolerance=1e-9, method="forward")
    assert found[1][::13] == pytest.approx(some[1], rel=1e-4, abs=1e-8)
    with pytest.raises(acausal.UsageError, match=r"F006.*max is neither integral nor final"):
        t.gradient("max(u[1])^2", NAMES, method="adjoint")
    with pytest.raises(acausal.UsageError, match=r"F005.*unknown variable v"):
        t.gradient("final(v)^2", NAMES, method="adjoint")
