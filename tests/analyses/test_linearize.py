"""Linearization against equations of motion by hand, differentiated by complex steps, and against differences."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import solve_continuous_are

import acausal
from acausal.analyses.linearization import matrices
from acausal.analyses.linearization.linear import Linear
from acausal.base.diagnostics import LimitError, ModelError, SimulationError, UsageError
from acausal.simulate.run.operating_point import OperatingPoint
from tests.collection import ROOT

G = 9.81
CHAIN = """@mbsdir.lib
@rotational.lib
model Chain
  submodel (Inertial) ground(ng3=-1)
  submodel (Revolute) a(n2=1) (ic q=0.4, w=0.3), b(n2=1) (ic q=0.7, w=-0.2)
  submodel (Bar) rod(r3=-0.8)
  submodel (Body) upper(m=2, r3=-0.5, I22=0.1), lower(m=1.5, r3=-0.6, I22=0.05)
  submodel (signaltorque) drive
  input u
  drive.torque = u
  connect ground - a - rod - b, upper at a, lower at b, drive at a:Axis
end
"""
CART = """@mbsdir.lib
@translational.lib
model Cart
  submodel (Inertial) ground(ng3=-1)
  submodel (Prismatic) rail(n1=1) (ic q=0.3, w=0.1)
  submodel (Revolute) hinge(n2=1) (ic q=0.2, w=-0.4)
  submodel (Body) cart(m=1.2), rod(m=0.2, r3=0.5, I22=0.3)
  submodel (signalforce) motor
  input F
  motor.force = F
  connect ground to rail to hinge, cart at rail, rod at hinge, motor at rail:Axis
end
"""

RATES = ("der(rail.q)", "der(hinge.q)")
REST = {"F": 0.0}


def by_complex_steps(f: "Callable[[np.ndarray], np.ndarray]", x: "np.ndarray") -> "np.ndarray":
    """The Jacobian without cancellation: f must be analytic."""
    step = 1e-30
    return np.array([f(x + 1j * step * unit).imag / step for unit in np.eye(len(x))]).T


def chain(x: "np.ndarray") -> "np.ndarray":
    """Rates of two angles and velocities of a double pendulum under the torque x[4]; b turns relative to a."""
    qa, qb, wa, wb, torque = x
    m1, l1, i1, m2, l2, i2, rod = 2, 0.5, 0.1, 1.5, 0.6, 0.05, 0.8
    c, s = np.cos(qb), np.sin(qb)
    cross = m2 * rod * l2
    lower = i2 + m2 * l2**2
    whole = i1 + m1 * l1**2 + m2 * rod**2 + lower + 2 * cross * c
    mass = np.array([[whole, lower + cross * c], [lower + cross * c, lower]])
    weight_b = m2 * G * l2 * np.sin(qa + qb)
    weight_a = (m1 * l1 + m2 * rod) * G * np.sin(qa) + weight_b
    right = np.array([torque + cross * s * (2 * wa * wb + wb**2) - weight_a, -cross * s * wa**2 - weight_b])
    return np.array([wa, wb, *np.linalg.solve(mass, right)])


def cart(x: "np.ndarray") -> "np.ndarray":
    """Rates of position, angle from the upright, and their velocities, under the force x[4]."""
    _, q, v, w, force = x
    m, big, r, i = 0.2, 1.2, 0.5, 0.3
    mass = np.array([[big + m, m * r * np.cos(q)], [m * r * np.cos(q), i + m * r**2]])
    right = np.array([force + m * r * w**2 * np.sin(q), m * G * r * np.sin(q)])
    return np.array([v, w, *np.linalg.solve(mass, right)])


@pytest.mark.parametrize(
    ("text", "rates", "names", "inputs"),
    [
        (CHAIN, chain, ("a.q", "b.q", "a.w", "b.w"), {"u": 0.5}),
        (CART, cart, ("rail.q", "hinge.q", "rail.w", "hinge.w"), {"F": -0.7}),
    ],
    ids=["double pendulum", "cart with a pole"],
)
def test_mechanisms(
    text: str, rates: "Callable[[np.ndarray], np.ndarray]", names: tuple[str, ...], inputs: dict[str, float]
) -> None:
    """A, B, C and D to 1e-12: positions, velocities and accelerations of the joints are the outputs."""
    model = acausal.translate(text)
    accelerations = [f"{name.removesuffix('.w')}.wd" for name in names[2:]]
    found = model.linearize(outputs=[*names, *accelerations], values=inputs)
    assert found.inputs == tuple(inputs)
    start = np.array([found.y[k] for k in range(4)] + list(inputs.values()))
    expected = by_complex_steps(rates, start)
    order = [names.index(_joint_name(state)) for state in found.states]
    assert pytest.approx(expected[np.ix_(order, order)], rel=1e-12, abs=1e-12) == found.A
    assert found.B[:, 0] == pytest.approx(expected[order, 4], rel=1e-12, abs=1e-12)
    assert found.C[:4] == pytest.approx(np.eye(4)[:, order], abs=1e-15)
    assert found.C[4:] == pytest.approx(expected[2:, order], rel=1e-12, abs=1e-12)
    assert found.D[4:, 0] == pytest.approx(expected[2:, 4], rel=1e-12, abs=1e-12)


def _joint_name(state: str) -> str:
    """`a.w` for `der(a.q)`."""
    return f"{state[4:-3]}.w" if state.startswith("der(") else state


RLC = """model RLC
  parameter R=2, L=0.5, C=0.1
  input u
  local i (start=0.3, fixed=true, unit="A"), v (start=0.2, fixed=true, unit="V")
  u = R*i + L*der(i) + v
  C*der(v) = i
  experiment (plot=[v])
end
"""


@pytest.fixture(scope="module")
def rlc() -> Linear:
    """A circuit with resonance at 4.47 rad/s; parameters are inputs, too."""
    return acausal.translate(RLC).linearize(["u", "R", "L", "C"], ["v", "der(i)"], values={"u": 1.5})


def test_circuit(rlc: Linear) -> None:
    r, l, c, i, v, u = 2, 0.5, 0.1, 0.3, 0.2, 1.5  # noqa: E741
    assert rlc.states == ("i", "v")
    assert pytest.approx(np.array([[-r / l, -1 / l], [1 / c, 0]]), rel=1e-15) == rlc.A
    by_l = -(u - r * i - v) / l**2
    assert pytest.approx(np.array([[1 / l, -i / l, by_l, 0], [0, 0, 0, -i / c**2]]), rel=1e-14) == rlc.B
    assert pytest.approx(np.array([[0, 1], [-r / l, -1 / l]]), rel=1e-15) == rlc.C
    assert rlc.D[1] == pytest.approx([1 / l, -i / l, by_l, 0], rel=1e-14)
    assert rlc.units == {"i": "A", "v": "V", "u": "V", "R": "Ohm", "L": "H", "C": "F", "der(i)": "A/s"}
    assert (rlc.time, list(rlc.x), list(rlc.u)) == (0, [i, v], [u, r, l, c])
    assert rlc.y == pytest.approx([v, (u - r * i - v) / l], rel=1e-15)


def test_motor_with_parameters_that_setup_computes() -> None:
    """Inputs are parameters of a motor; J + m*l^2 of its arm is computed before a run."""
    text = (ROOT / "examples/dc_motor.mdl").read_text(encoding="utf-8")
    model = acausal.translate(text)
    names = ["U.V", "Ra.R", "La.L", "M.k", "rotor.J", "n.ratio", "arm.m", "arm.l", "arm.d", "arm.g"]
    found = model.linearize(names, [], at=0.3)
    rates = model.derivative
    assert found.states == rates.states
    for k, name in enumerate(names):
        value = float(found.u[k])

        def slope(h: float, name: str = name, value: float = value) -> "np.ndarray":
            changed = np.array([value + h, value - h])
            both = rates.batch(np.array([found.x, found.x]), parameters={name: changed})
            return (both[0] - both[1]) / (2 * h)

        h = 1e-3 * abs(value)
        expected = (4 * slope(h / 2) - slope(h)) / 3
        assert found.B[:, k] == pytest.approx(expected, rel=1e-8, abs=1e-9 * np.abs(expected).max()), name


@pytest.mark.parametrize("name", ["fourbar", "suspension", "robot/robot"])
def test_examples_beside_differences(name: str) -> None:
    """Loops, reduced index and 36 states: central differences of the rates agree to 1e-9 of the largest entry."""
    model = acausal.translate(ROOT / f"examples/{name}.mdl")
    found = model.linearize([], [], at=0.02)
    point = found._point
    columns = [_difference(point, k, 1e-4 * max(1.0, abs(y))) for k, y in enumerate(point.y)]
    assert np.abs(np.array(columns).T - found.A).max() < 1e-9 * np.abs(found.A).max()


def _difference(point: OperatingPoint, k: int, h: float) -> "np.ndarray":
    """Two central differences, extrapolated to the step 0."""

    def slope(h: float) -> "np.ndarray":
        found = []
        for change in (h, -h):
            y, out = point.y.copy(), np.empty(len(point.y))
            y[k] += change
            kept = point.system.memory.copy()
            point.system.slope(point.t, y, out)
            point.system.memory[:] = kept
            found.append(out)
        return (found[0] - found[1]) / (2 * h)

    return (4 * slope(h / 2) - slope(h)) / 3


def test_both_sides_of_an_event() -> None:
    """x' = 1 up to x = 0.5, then 2*x: at 0.5 s either side."""
    model = acausal.translate("model M\n  local x (start=0, fixed=true)\n  der(x) = if x < 0.5 then 1 else 2*x\nend")
    assert model.linearize(at=0.4).A.tolist() == [[0]]
    assert model.linearize(at=0.6).A.tolist() == [[2]]
    event = model.simulate(stop=0.6).events[0].time
    assert model.linearize(at=event, side="before").A.tolist() == [[0]]
    assert model.linearize(at=event, side="after").A.tolist() in ([[0]], [[2]])  # rounding decides whether it came
    with pytest.raises(UsageError, match="side is"):
        model.linearize(at=0.4, side="left")


def test_points() -> None:
    """First instant, time, given states, steady state: x' = u - x^2 has the slope -2*x."""
    model = acausal.translate("model M\n  input u\n  local x (start=0.5)\n  der(x) = u - x^2\nend")
    values = {"u": 4.0}
    exact = 2 * np.tanh(2 * 0.3 + np.arctanh(0.25))
    for at, x in ((None, 0.5), (0.3, exact), ({"x": 3}, 3.0), ("steady", 2.0)):
        found = model.linearize(["u"], ["x"], at=at, values=values, tolerance=1e-10)
        assert found.x[0] == pytest.approx(x, rel=1e-8)
        assert found.A[0, 0] == pytest.approx(-2 * found.x[0], rel=1e-14)
        assert found.B.tolist() == [[1]]
    held = acausal.translate("model M\n  local x (start=1, fixed=true)\n  der(x) = 2 - x\nend")
    with pytest.raises(ModelError, match="takes precedence over") as steady:
        held.linearize(at="steady")
    assert [d.code for d in steady.value.report.diagnostics] == ["A004"]
    for wrong, code in (({"y": 1}, "F005"), ("later", "F006"), ({"x": "1"}, "F006")):
        with pytest.raises(UsageError) as error:
            model.linearize(["u"], ["x"], at=wrong, values=values)  # type: ignore[arg-type]
        assert [d.code for d in error.value.report.diagnostics] == [code]


def test_an_input_whose_derivative_is_needed() -> None:
    """C*der(u - x) + G*(u - x) = x: der(u) is the input, u a state; the transfer function from u is known."""
    model = acausal.translate(
        "model M\n  parameter C=3, G=2\n  input u\n  local x (start=0)\n  C*der(u - x) + G*(u - x) = x\nend"
    )
    values = {"u": "sin(time)"}
    found = model.linearize(["der(u)"], ["x"], values=values)
    assert found.states[-1] == "u"
    omega = np.array([0.1, 1.0, 10.0])
    s = 1j * omega
    expected = (3 * s + 2) / (3 * s + 3) / s
    assert found.frequency_response(omega)[:, 0, 0] == pytest.approx(expected, rel=1e-13)
    assert model.linearize(values=values).inputs == ("der(u)",)
    with pytest.raises(ModelError, match=r"make der\(u\) the input"):
        model.linearize(["u"], values=values)


MISTAKES = """model M
  parameter k=2, one=1, integer n=3
  constant c=2
  input u
  local x (start=0, fixed=true), y
  der(x) = one*u - k*c*n*x
  y = 2*x
end
"""


@pytest.mark.parametrize(
    ("inputs", "outputs", "code", "message"),
    [
        (["v"], ["y"], "F005", "unknown input v"),
        (["uu"], ["y"], "F005", "did you mean u"),
        (["u"], ["z"], "F005", "unknown output z"),
        (["u", "u"], ["y"], "F006", "u is listed twice among the inputs"),
        (["u"], ["y", "y"], "F006", "y is listed twice among the outputs"),
        (["y"], ["x"], "A001", "the equations determine y"),
        (["n"], ["y"], "A001", "integer parameter n"),
        (["c"], ["y"], "A001", "constant c"),
    ],
)
def test_names(inputs: list[str], outputs: list[str], code: str, message: str) -> None:
    model = acausal.translate(MISTAKES)
    with pytest.raises((ModelError, UsageError), match=message) as error:
        model.linearize(inputs, outputs, values={"u": 0})
    assert [d.code for d in error.value.report.diagnostics] == [code]


@pytest.mark.parametrize("at", [-1.0, float("nan"), float("inf")])
def test_times_that_no_run_has(at: float) -> None:
    with pytest.raises(UsageError, match="the run starts at 0") as error:
        acausal.translate(MISTAKES).linearize(["u"], ["y"], at, values={"u": 0})
    assert f"at={at:g}" in str(error.value)


def test_what_has_no_linear_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Singular points, delays, and more operations than there may be."""
    root = acausal.translate("model M\n  local x (start=0, fixed=true)\n  der(x) = 1 - sqrt(x)\nend")
    with pytest.raises(SimulationError, match=r"derivatives of der\(x\) are not finite") as error:
        root.linearize()
    assert [(d.code, d.primary is not None) for d in error.value.report.diagnostics] == [("A002", True)]
    assert root.linearize(at={"x": 4}).A.tolist() == [[-0.25]]
    delayed = acausal.translate("model M\n  local x (start=1, fixed=true)\n  der(x) = -delay(x, 0.1)\nend")
    with pytest.raises(ModelError, match="contains delays") as delays:
        delayed.linearize()
    assert delays.value.report.diagnostics[0].code == "A001"
    with monkeypatch.context() as patch:
        patch.setattr(matrices, "MOST", 1)
        with pytest.raises(LimitError, match="more than 1 operations") as long:
            root.linearize(at={"x": 4})
    assert long.value.report.diagnostics[0].code == "L019"


def test_bands() -> None:
    """A relation that chattered at rest decides as usual far from there; at instants within its band nothing does."""
    model = acausal.translate(ROOT / "stdlib/examples/switches.mdl", model="Rectifier")
    found = model.linearize([], [], at=0.037)
    assert found._point.system.band.any()
    assert np.isfinite(found.A).all()
    codes = []
    for event in model.simulate(stop=0.03).events:
        try:
            model.linearize([], [], at=event.time)
        except SimulationError as error:
            codes += [d.code for d in error.report.diagnostics]
    assert set(codes) == {"A003"}


def test_a_value_that_a_relation_contradicts() -> None:
    model = acausal.translate("model M\n  local x (start=0, fixed=true)\n  der(x) = if x < 0.5 then 1 else -2*x\nend")
    with pytest.raises(ModelError, match="relations have other values"):
        model.linearize(at={"x": 2})
    assert model.linearize(at={"x": 0.4}).A.tolist() == [[0]]


def test_folded_parameters_with_other_values_and_units() -> None:
    model = acausal.translate(RLC.replace("R=2", 'R (unit="Ohm") = 1'))
    assert model.linearize(values={"u": 0}, parameters={"R": "2 Ohm"}).A[0, 0] == -4


def test_other_libraries(rlc: Linear, monkeypatch: pytest.MonkeyPatch) -> None:
    """SciPy's object; without python-control and xarray what to install."""
    assert pytest.approx(rlc.A) == rlc.to_scipy().A
    for library in ("control", "xarray"):
        monkeypatch.setitem(__import__("sys").modules, library, None)
        with pytest.raises(UsageError, match=f"pip install {library}"):
            getattr(rlc, f"to_{library}")()


def test_file_of_a_model(tmp_path: Path) -> None:
    """A model without inputs and states."""
    file = tmp_path / "m.mdl"
    file.write_text("model M\n  local x\n  x = 2*time\nend\n", encoding="utf-8")
    found = acausal.translate(file).linearize(outputs=["x"])
    assert (found.A.shape, found.C.shape, found.D.shape) == ((0, 0), (1, 0), (1, 0))
    assert len(found.modes) == 0
    assert "no modes" in str(found)


def test_an_output_that_is_a_state_is_shown_once(tmp_path: Path) -> None:
    file = tmp_path / "m.mdl"
    file.write_text("model M\n  local x (start=2), y\n  der(x) = -x\n  y = 2*x\nend\n", encoding="utf-8")
    shown = str(acausal.translate(file).linearize(outputs=["x", "y"]))
    assert (shown.count("\n  x = 2\n"), shown.count("\n  y = 4\n")) == (1, 1)


def test_regulator_for_the_nonlinear_cart() -> None:
    """Gains of the linear system around the upright rod (LQR) bring the nonlinear model there from 0.5 rad."""
    linear = acausal.translate(CART).linearize(at={"rail.q": 0, "hinge.q": 0, **dict.fromkeys(RATES, 0.0)}, values=REST)
    assert not linear.is_stable
    riccati = solve_continuous_are(linear.A, linear.B, np.eye(4), np.eye(1))
    gains = dict(zip(linear.states, (linear.B.T @ riccati)[0].tolist(), strict=True))
    feedback = " - ".join([f"({gain!r})*{state}" for state, gain in gains.items()])
    controlled = CART.replace("  input F\n", "").replace("motor.force = F", f"motor.force = -{feedback}")
    result = acausal.translate(controlled.replace("q=0.2", "q=0.5")).simulate(stop=20)
    assert abs(result["hinge.q"][0]) == 0.5
    assert max(abs(result.final[state]) for state in gains) < 1e-3
