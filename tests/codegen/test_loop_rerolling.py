"""Routines cut into parts compute what straight ones compute, to the bit."""

from pathlib import Path

import numpy as np
import pytest

from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.codegen.optimize import loop_rerolling as parts
from acausal.codegen.optimize.loop_rerolling import reroll_loops
from acausal.ir.expr import Expr
from acausal.ir.program.program import Program
from tests.codegen.plans import PARTS, PlanMaker, lowered, run
from tests.codegen.test_both_back_ends import need_same
from tests.codegen.test_executables import rich_program
from tests.collection import correct_models

CELLS = 150


@pytest.fixture(params=[7, 1000])
def short(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even short routines are cut, into pieces of few or of many instructions."""
    monkeypatch.setattr(parts, "PARTS_FROM", 1)
    monkeypatch.setattr(parts, "LONGEST_PIECE", request.param)


def ladder(cells: int) -> Program:
    """Heat through rods: T'[k] = c[k]*(T[k-1] - 2*T[k] + T[k+1]), less what a thermostat takes; ends are held."""
    m = PlanMaker()
    p = m.pool
    rods: list[Expr] = [p.const(2), *(m.state(f"T{k}", 1.0 / k) for k in range(1, cells + 1)), m.input("end")]
    factors = [m.parameter(f"c{k}", 1.0 + k / 7) for k in range(1, cells + 1)]
    for k in range(1, cells + 1):
        below, here, above = rods[k - 1 : k + 2]
        taken = p.if_(p.call("<", p.const(0.02 * k), here), p.call("sqrt", p.call("abs", here)), p.const(0.125))
        flow = p.add(below, p.mul(p.const(-2), here), above)
        m.rate(here, p.add(p.mul(factors[k - 1], flow), p.neg(taken)))
    return lowered(m.plan())


def expected(y: np.ndarray, end: float) -> np.ndarray:
    """The same, written by hand."""
    k = np.arange(1, len(y) + 1)
    rods = np.concatenate([[2.0], y, [end]])
    taken = np.where(0.02 * k < y, np.sqrt(np.abs(y)), 0.125)
    return (1 + k / 7) * (rods[:-2] - 2 * y + rods[2:]) - taken


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("level", [0, 2])
def test_a_ladder_becomes_a_loop(level: int) -> None:
    program = ladder(CELLS)
    found = reroll_loops(program.derivatives.code).parts
    trip_count = sum(part.trip_count * part.length for part in found if part.trip_count > 1)
    assert trip_count > 0.8 * sum(len(part.registers) for part in found)
    y = np.random.default_rng(3).uniform(-1, 1, CELLS)
    result = run(compile_llvm(program, level), y=y, u=[0.5]).rates
    np.testing.assert_allclose(result, expected(y, 0.5), rtol=1e-13, atol=1e-14)
    assert result.tobytes() == run(compile_numpy(program), y=y, u=[0.5]).rates.tobytes()


def test_size_of_the_code_does_not_grow() -> None:
    code = [ladder(cells).derivatives.code for cells in (400, 1600)]
    small, large = (sum(part.length for part in reroll_loops(c).parts) for c in code)
    assert large < 1.5 * small
    assert len(code[1]) > 3.9 * len(code[0])


@pytest.mark.usefixtures("short")
def test_a_recurrence_takes_what_the_turn_before_gave() -> None:
    """x[k] = x[k-1]*y[k] + x[k-2], begun with other values: Horner's scheme with a twist."""
    m = PlanMaker()
    p = m.pool
    states = [m.state(f"y{k}") for k in range(60)]
    last: list[Expr] = [p.const(0.5), states[3]]
    for k, y in enumerate(states):
        x = m.variable(f"x{k}")
        m.assign(x, p.add(p.mul(last[-1], y), last[-2]))
        last.append(x)
    for y, x in zip(states, reversed(last[2:]), strict=True):
        m.rate(y, x)
    program = lowered(m.plan())
    assert any(part.trip_count > 1 for part in reroll_loops(program.derivatives.code).parts)
    y = np.random.default_rng(4).uniform(-1, 1, 60)
    x = [0.5, y[3]]
    for value in y:
        x.append(x[-1] * value + x[-2])
    result = run(compile_llvm(program), y=y).rates
    assert result.tobytes() == np.array(x[:1:-1]).tobytes()


@pytest.mark.usefixtures("short")
def test_constants_that_differ_stand_in_a_table() -> None:
    m = PlanMaker()
    p = m.pool
    x = [m.state(f"x{k}") for k in range(70)]
    numbers = [-0.0 if k % 3 else 0.0 for k in range(70)]
    for k, state in enumerate(x):
        m.rate(state, p.call("atan2", p.const(numbers[k]), p.const(-1 - k % 5)) if k % 2 else p.call("exp", state))
    program = lowered(m.plan())
    y = np.linspace(-1, 1, 70)
    one, two = run(compile_llvm(program), y=y).rates, run(compile_numpy(program), y=y).rates
    np.testing.assert_allclose(one, two, rtol=1e-15, atol=0)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("seed", range(3))
def test_everything_at_once(seed: int) -> None:
    """Blocks, truth values, memory, functions: all that a program may hold."""
    program = rich_program(seed)
    native = compile_llvm(program)
    random = np.random.default_rng(seed)
    for _ in range(3):
        y, u, t = random.normal(size=5), random.normal(size=1), random.uniform(0, 2)
        one, two = run(native, t=t, y=y, u=u), run(compile_numpy(program), t=t, y=y, u=u)
        assert one.statuses == two.statuses == (0, 0, 0, 0)
        for name in PARTS:
            np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-12, atol=1e-14)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("wanted", ["examples/dc_motor.mdl", "examples/double_pendulum.mdl", "examples/amplifier.mdl"])
def test_models(wanted: str, tmp_path: Path) -> None:
    model = next(m for m in correct_models() if m.name == wanted)
    program = model.translate(tmp_path).program
    need_same(compile_llvm(program), compile_numpy(program))


@pytest.mark.usefixtures("short")
def test_a_block_without_solution_leaves_all_parts() -> None:
    m = PlanMaker()
    x, y = m.state("x", 1.0), m.variable("y")
    m.linear([y], [[x]], [m.pool.one])
    total: Expr = y
    for k in range(30):
        total = m.pool.call("sin", m.pool.add(total, m.pool.const(k)))
    m.rate(x, total)
    executable = compile_llvm(lowered(m.plan()))
    assert run(executable, y=[1.0]).statuses == (0, 0, 0, 0)
    assert run(executable, y=[0.0]).statuses == (0, 0, 1, 1)
