"""Many states and parameter sets at once: row by row what one call gives, and what is told of wrong shapes."""

from math import nan
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal import SimulationError, UsageError
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.native import batch
from acausal.codegen.native.batch import Batch
from acausal.ir.program.program import Program
from acausal.runtime.trig import LARGEST
from acausal.simulate.system.derivative import Derivative
from tests.codegen.plans import PlanMaker, lowered, run
from tests.codegen.test_executables import rich_program

EXAMPLES = Path(__file__).parents[2] / "examples"


def functions() -> Program:
    """Every function and operator of the language, without blocks."""
    m = PlanMaker()
    p = m.pool
    x, y = m.state("x"), m.state("y")
    k, v = m.parameter("k", 0.7), m.input("v")
    less = p.call("<", x, y)
    both = p.and_(less, p.not_(p.call(">=", y, v)))
    values = [
        p.call("sin", x), p.call("cos", x), p.call("tan", x), p.call("exp", y), p.call("log", p.call("abs", y)),
        p.call("atan2", x, y), p.call("tanh", p.mul(x, y)), p.pow(p.call("abs", x), k), p.call("sign", x),
        p.call("floor", p.mul(p.const(3), x)), p.call("min", x, y), p.call("max", x, v), p.call("sqrt", p.mul(x, x)),
        p.if_(both, x, p.const(-0.5)), p.if_(less, k, p.time), p.mul(p.pow(y, p.const(-1)), p.pow(x, p.const(3))),
    ]  # fmt: skip
    for i, value in enumerate(values):
        m.rate(m.state(f"z{i}"), value)
    flag = m.variable("flag", "boolean")
    m.assign(flag, p.if_(less, p.call(">", x, v), p.call("<", x, v)))
    m.rate(x, p.if_(flag, p.const(2), v))
    m.rate(y, p.neg(x))
    return lowered(m.plan())


@pytest.mark.parametrize("lanes", [2, 4, 8])
@pytest.mark.parametrize("fused", [True, False])
def test_vectors_of_every_width(lanes: int, fused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_lanes", lambda: lanes)
    if not fused:
        monkeypatch.setattr(batch, "_features", dict)
    program = functions()
    executable = compile_llvm(program)
    many = Batch(executable)
    assert many.lanes == lanes
    chance = np.random.default_rng(5)
    rows, states = 2 * lanes + 1, len(program.state_slots)
    y, u, t = chance.uniform(-2, 2, (rows, states)), chance.uniform(-1, 1, (rows, 1)), chance.uniform(size=rows)
    for p in (run(executable, u=[0.0]).p[None], chance.uniform(0.5, 2, (rows, program.parameter_size))):
        out = np.full((rows, states), nan)
        assert many.derivatives(t, y, u, p, np.zeros(0), out) == (0, rows)
        for i in range(rows):
            one = np.zeros(states)
            executable.derivatives(t[i], y[i], u[i], p[i if len(p) > 1 else 0], np.zeros(program.memory_size), one)
            np.testing.assert_allclose(out[i], one, rtol=4e-16, atol=0)
            if not fused:
                assert out[i].tobytes() == one.tobytes()


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_sine_and_cosine_to_the_last_digit(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against mpmath, also close to multiples of pi/2 and beyond what is reduced here: one unit of the last place."""
    mp = pytest.importorskip("mpmath").mp.clone()
    mp.prec = 160
    monkeypatch.setattr(batch, "_lanes", lambda: lanes)
    m = PlanMaker()
    x = m.state("x")
    m.rate(x, m.pool.call("sin", x))
    m.rate(m.state("y"), m.pool.call("cos", x))
    chance = np.random.default_rng(6)
    multiples = np.arange(-150, 150) * np.pi / 2
    hard = [0.0, 5e-324, 1e-200, 6381956970095103.0 * 2.0**-797, 0.99 * LARGEST, -LARGEST, 1.01 * LARGEST, 1e22]
    angles = [
        *hard,
        *chance.uniform(-4, 4, 400),
        *chance.uniform(-5e5, 5e5, 400),
        *multiples,
        *np.nextafter(multiples, 9),
    ]
    y = np.zeros((len(angles), 2))
    y[:, 0] = angles
    found = Derivative(compile_llvm(lowered(m.plan())), ()).batch(y)
    for angle, pair in zip(angles, found.tolist(), strict=True):
        for value, exact in zip(pair, (mp.sin(mp.mpf(angle)), mp.cos(mp.mpf(angle))), strict=True):
            assert abs(mp.mpf(value) - exact) <= np.spacing(abs(float(exact))), angle


def test_what_is_no_number_stays_none() -> None:
    program = functions()
    y = np.zeros((3, len(program.state_slots)))
    y[:, 0] = [np.inf, nan, 1.0]
    found = Derivative(compile_llvm(program), ()).batch(y, inputs=[0.0])
    at = next(i for i, s in enumerate(program.state_slots) if s.symbol[0] == ("z0",))
    assert np.isnan(found[:2, at]).all()
    assert found[2, at] == pytest.approx(np.sin(1.0), rel=1e-15)


def test_motor_by_hand() -> None:
    """L*i' = U - R*i - k*n*w: the rotor turns n times as fast as the arm."""
    f = acausal.translate(EXAMPLES / "dc_motor.mdl").derivative
    values = dict(zip(f.parameters, np.zeros(len(f.parameters)), strict=True))
    voltages, chance = np.linspace(-24, 24, 21), np.random.default_rng(7)
    y = chance.uniform(-1, 1, (21, 3))
    assert {"U.V", "Ra.R", "La.L", "M.k", "n.ratio"} <= set(values)
    given = {"U.V": voltages, "Ra.R": 0.5, "La.L": 2.0, "M.k": 0.25, "n.ratio": 3.0}
    current, speed = y[:, f.states.index("La.i")], y[:, f.states.index("der(arm.phi)")]
    found = f.batch(y, parameters=given)[:, f.states.index("La.i")]
    np.testing.assert_allclose(found, (voltages - 0.5 * current - 0.25 * 3.0 * speed) / 2.0, rtol=1e-14)


def test_parameters_in_rows_by_name_and_for_all_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNK", 5000)
    f = acausal.translate(EXAMPLES / "dc_motor.mdl").derivative
    chance = np.random.default_rng(8)
    rows = f._batch.rows + 77
    y, sets = chance.uniform(-1, 1, (rows, 3)), chance.uniform(0.5, 2, (rows, len(f.parameters)))
    found = f.batch(y, parameters=sets)
    by_name = f.batch(y, parameters={name: sets[:, i] for i, name in enumerate(f.parameters)})
    assert found.tobytes() == by_name.tobytes()
    for i in (0, 1, rows - 78, rows - 77, rows - 1):
        np.testing.assert_allclose(found[i], f(0.0, y[i], parameters=sets[i]), rtol=1e-15)
    assert f.batch(y[:0]).shape == f.batch(y[:0], parameters=sets[:0]).shape == (0, 3)
    assert f.batch(y[:2], parameters={}).tobytes() == f.batch(y[:2]).tobytes()
    assert f.batch(y[:2], np.zeros((2, 0))).tobytes() == f.batch(y[:2]).tobytes()
    assert f.batch(y[:1], parameters=sets[:1]).tobytes() == found[:1].tobytes()


def test_blocks_are_solved_row_by_row() -> None:
    program = rich_program()
    f = Derivative(compile_llvm(program), ())
    chance = np.random.default_rng(9)
    y, u = chance.normal(size=(9, 5)), chance.normal(size=(9, 1))
    found = f.batch(y, u, time=np.linspace(0, 1, 9))
    for i in range(9):
        expected = run(compile_llvm(program), t=i / 8, y=y[i], u=u[i]).rates
        np.testing.assert_allclose(found[i], expected, rtol=1e-9)  # Newton's method starts elsewhere


def test_a_row_without_solution_is_named() -> None:
    m = PlanMaker()
    x, y = m.state("x", 1.0), m.variable("y")
    m.linear([y], [[x]], [m.pool.one])
    m.rate(x, y)
    f = Derivative(compile_llvm(lowered(m.plan())), ())
    assert f.batch([[2.0], [4.0]]).tolist() == [[0.5], [0.25]]
    with pytest.raises(SimulationError, match="row 2: at t = 0"):
        f.batch([[1.0], [2.0], [0.0], [4.0]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"states": [[1.0]]}, r"states: the shape is \(1, 1\), required is \(m, 3\)"),
        ({"states": [1.0, 2.0, 3.0]}, r"states: the shape is \(3,\)"),
        ({"states": [[1.0, 2.0, "x"]]}, "states are not a table of numbers"),
        ({"states": [[1.0, 2.0, 3.0], [4.0]]}, "states are not a table of numbers"),
        (
            {"parameters": {"arm.m": [1.0, 2.0]}},
            r"the parameter arm.m: the shape is \(2,\), required is a number or \(4,\)",
        ),
        ({"parameters": {"arm.n": 1.0}}, "unknown parameter arm.n"),
        ({"parameters": [[1.0] * 10] * 3}, r"parameters: the shape is \(3, 10\), required is \(10,\) or \(4, 10\)"),
        ({"inputs": [1.0]}, r"inputs: the shape is \(1,\), required is \(0,\)"),
        ({"time": [0.0]}, r"time: the shape is \(1,\), required is a number or \(4,\)"),
    ],
)
def test_wrong_shapes_are_told(arguments: dict[str, object], message: str) -> None:
    f = acausal.translate(EXAMPLES / "dc_motor.mdl").derivative
    with pytest.raises(UsageError, match=message):
        f.batch(**{"states": np.zeros((4, 3)), **arguments})


def test_a_folded_parameter_cannot_change(tmp_path: Path) -> None:
    """What is 1 is put into the equations; where it is bound to another parameter, that one cannot change either."""
    file = tmp_path / "m.mdl"
    file.write_text(
        "model M\n  parameter k = 3, j = 1, b = 2, o = b - 1\n  local x\n  der(x) = -k*x^2*j + b*x*o\nend\n"
    )
    f = acausal.translate(file).derivative
    assert f.parameters == ("k", "b")
    y = [[2.0], [3.0]]
    assert f.batch(y, parameters={"k": [5, 6]}).tolist() == [[-16.0], [-48.0]]
    assert f.batch(y, parameters={"j": 1, "b": 2}).tolist() == [[-8.0], [-21.0]]
    with pytest.raises(UsageError, match="j was folded into the equations"):
        f.batch(y, parameters={"j": [1, 3]})
    with pytest.raises(UsageError, match="o was folded into the equations"):
        f.batch(y, parameters=[[3.0, 2.0], [3.0, 4.0]])


def test_single_states_in_arrays_of_the_caller() -> None:
    """The values of the arrays at the time of the call, beside -2*x + v by hand; results are the caller's own."""
    m = PlanMaker()
    x, v = m.state("x"), m.input("v")
    m.rate(x, m.pool.add(m.pool.mul(m.pool.const(-2), x), v))
    f = Derivative(compile_llvm(lowered(m.plan())), ())
    states, inputs, out = np.array([1.0]), np.array([5.0]), np.array([nan])
    at = f.bind(states, inputs, out)
    assert at(0.0) is out
    assert out.tolist() == [3.0]
    states[:], inputs[:] = 4.0, 1.0
    assert at(0.0).tolist() == [-7.0]
    first, second = f(0.0, states, inputs), f(0.0, np.array([0.0]), inputs)
    assert first.tolist() == f(0, [4], [1]).tolist() == [-7.0]
    assert second.tolist() == [1.0]
    assert f.bind(states, inputs)(0.0).tolist() == [-7.0]
    for wrong, message in {"two": "required is", "single": "cannot be bound"}.items():
        array = np.zeros(2) if wrong == "two" else np.zeros(1, dtype=np.float32)
        with pytest.raises(UsageError, match=f"states.*{message}"):
            f.bind(array, inputs)
    with pytest.raises(UsageError, match=r"inputs: the shape is \(0,\)"):
        f(0.0, states)
    with pytest.raises(UsageError, match=r"inputs: the shape is \(0,\)"):
        f.bind(states)


def test_a_single_state_without_solution() -> None:
    m = PlanMaker()
    x, y = m.state("x", 1.0), m.variable("y")
    m.linear([y], [[x]], [m.pool.one])
    m.rate(x, y)
    f = Derivative(compile_llvm(lowered(m.plan())), ())
    with pytest.raises(SimulationError, match="at t = 0"):
        f(0.0, np.array([0.0]))
    assert f(0.0, np.array([4.0])).tolist() == [0.25]
