"""What the lowered program computes, and how many operations it takes (counted by hand)."""

import math
import os
import subprocess
import sys

import pytest

from acausal.base.diagnostics import InternalError
from acausal.codegen.lower.lower import lower
from acausal.ir.flat import Attributes, RunCondition
from acausal.ir.plan import Assign
from acausal.ir.program.instructions import Operations
from acausal.ir.program.program import Program
from acausal.ir.show.program import show_program
from tests.codegen.plans import ORIGIN, PlanMaker, lowered, run_both, value_of


def ops(program: Program) -> Operations:
    return program.derivatives.operations


def opcodes(program: Program) -> list[str]:
    return [i.op for i in program.derivatives.code]


def test_motor_by_hand() -> None:
    """der(i) = (u - R*i)/L, v = R*i: hoisted 1/L, R*i shared with the stored variable."""
    m = PlanMaker()
    p = m.pool
    resistance, inductance = m.parameter("R", 2.0), m.parameter("L", 0.5)
    u, i = m.input("u"), m.state("i", 3.0)
    v = m.variable("v")
    m.assign(v, p.mul(resistance, i))
    m.rate(i, p.div(p.sub(u, v), inductance))
    program = lowered(m.plan())
    found = run_both(program, u=[10.0])
    assert found.rates == pytest.approx([8.0])
    assert value_of(program, found, "v") == 6.0
    assert ops(program) == Operations(mul=2, add=1)
    assert program.hoisted == 1


def test_parameter_factors_are_hoisted_as_one() -> None:
    """2*a*b*x + a + b: one product and one sum at run time."""
    m = PlanMaker()
    p = m.pool
    a, b, x = m.parameter("a", 3.0), m.parameter("b", 5.0), m.state("x", 7.0)
    m.rate(x, p.add(p.mul(p.const(2), a, b, x), a, b))
    program = lowered(m.plan())
    assert run_both(program).rates == pytest.approx([218.0])
    assert ops(program) == Operations(mul=1, add=1)


def test_bound_parameters_follow_unless_given() -> None:
    m = PlanMaker()
    p = m.pool
    c = p.parameter(("c",))
    m.parameter("b", 4.0, p.mul(p.const(2), c))  # bound to a parameter declared later
    b = p.parameter(("b",))
    m.parameter("c", 2.0)
    x = m.state("x", b)
    m.rate(x, p.mul(b, x))
    program = lowered(m.plan())
    assert [s.bound for s in program.parameter_slots] == [True, False]
    assert run_both(program, given={"c": 5.0}).start == pytest.approx([10.0])
    assert run_both(program, given={"c": 5.0, "b": 1.0}).start == pytest.approx([1.0])


def test_circular_bindings_are_our_own_error() -> None:
    m = PlanMaker()
    a, b = (m.pool.parameter((n,)) for n in "ab")
    m.parameter("a", 1.0, b)
    m.parameter("b", 1.0, a)
    with pytest.raises(InternalError, match="cyclic bindings"):
        lower(m.plan())


def test_steps_without_use_are_left_out() -> None:
    m = PlanMaker()
    p = m.pool
    x, dead = m.state("x", 1.0), m.variable("dead")
    m.assign(dead, p.call("exp", x))
    m.rate(x, p.neg(x))
    program = lowered(m.plan())
    assert "exp" not in opcodes(program)
    assert "exp" in [i.op for i in program.variables.code]
    only = lowered(m.plan(outputs=(x,)))
    assert "exp" not in [i.op for i in only.variables.code]
    assert [s.symbol for s in only.variable_slots] == [(("x",), 0)]


@pytest.mark.parametrize(("uses", "expected"), [(1, Operations(mul=0, div=1)), (3, Operations(mul=3, div=1))])
def test_reciprocals_are_shared_where_it_pays(uses: int, expected: Operations) -> None:
    m = PlanMaker()
    p = m.pool
    d = m.state("d", 4.0)
    m.rate(d, p.const(0))
    for k in range(uses):
        x = m.state(f"x{k}", 1.0 + k)
        m.rate(x, p.div(x, d))
    program = lowered(m.plan())
    assert run_both(program).rates[1:] == pytest.approx([(1.0 + k) / 4 for k in range(uses)])
    assert ops(program) == expected


@pytest.mark.parametrize(
    ("exponent", "expected"),
    [
        (2, Operations(mul=1)), (3, Operations(mul=2)), (4, Operations(mul=2)), (7, Operations(mul=4)),
        (-1, Operations(div=1)), (-2, Operations(mul=1, div=1)), (0.5, Operations(functions=1)),
        (1.5, Operations(mul=1, functions=1)), (-0.5, Operations(div=1, functions=1)), (2.5, Operations(functions=1)),
        (65, Operations(functions=1)),
    ],
)  # fmt: skip
def test_powers(exponent: float, expected: Operations) -> None:
    m = PlanMaker()
    x = m.state("x", 1.3)
    m.rate(x, m.pool.pow(x, m.pool.const(exponent)))
    program = lowered(m.plan())
    assert run_both(program).rates == pytest.approx([1.3**exponent], rel=1e-13)
    assert ops(program) == expected


def test_signs_go_into_sums_and_coefficients() -> None:
    m = PlanMaker()
    p = m.pool
    a, k, x, y = m.parameter("a", 2.0), m.parameter("k", 3.0), m.state("x", 5.0), m.state("y", 7.0)
    m.rate(x, p.neg(p.mul(a, x)))  # (-a)*x
    m.rate(y, p.neg(p.sub(x, p.mul(k, y))))  # k*y - x
    program = lowered(m.plan())
    assert run_both(program).rates == pytest.approx([-10.0, 16.0])
    assert ops(program) == Operations(mul=2, add=1)


def test_common_parts_of_sums_and_products_are_found() -> None:
    """b*c stands in a*b*c although a comes first; x + y in x + y + z."""
    m = PlanMaker()
    p = m.pool
    a, b, c = (m.state(n, v) for n, v in (("a", 2.0), ("b", 3.0), ("c", 5.0)))
    m.rate(a, p.mul(b, c))
    m.rate(b, p.mul(a, b, c))
    m.rate(c, p.add(p.mul(b, c), a, p.const(1)))
    program = lowered(m.plan())
    assert run_both(program).rates == pytest.approx([15.0, 30.0, 18.0])
    assert ops(program) == Operations(mul=2, add=2)


def test_aliases_and_fixed_variables_take_no_code() -> None:
    m = PlanMaker()
    p = m.pool
    k, x = m.parameter("k", 3.0), m.state("x", 2.0)
    fixed = m.variable("fixed")
    m.assign(fixed, p.mul(k, k))
    m.alias("minus", p.neg(x))
    m.alias("twice", p.mul(p.const(2), k))
    m.alias("five", p.const(5))
    m.alias("other", fixed)
    m.rate(x, fixed)
    program = lowered(m.plan())
    found = run_both(program)
    names = {"x": 2.0, "minus": -2.0, "twice": 6.0, "five": 5.0, "fixed": 9.0, "other": 9.0}
    assert {n: value_of(program, found, n) for n in names} == names
    assert program.stored == 2  # x and its derivative


def test_states_of_states_inputs_and_their_derivatives() -> None:
    """q and der(q) are states; der(u) is an input of its own."""
    m = PlanMaker()
    p = m.pool
    u, q = m.input("u"), m.state("q", 1.0)
    rate = p.derivative(q)
    m.states.append(rate)
    m.initial_steps.append(Assign(rate, p.const(4), ORIGIN))
    m.assign(p.derivative(rate), p.add(p.derivative(u), u))
    program = lowered(m.plan())
    assert program.input_slots == ((("u",), 0), (("u",), 1))
    found = run_both(program, u=[10.0, 20.0])
    assert found.rates == pytest.approx([4.0, 30.0])


def test_conditions_booleans_and_nominals() -> None:
    m = PlanMaker()
    p = m.pool
    on, k = m.parameter("on", 1.0, p.true, "boolean"), m.parameter("k", 2.0)
    x = m.state("x", 3.0, Attributes(nominal=p.mul(k, k)))
    high = m.variable("high", "boolean")
    m.assign(high, p.and_(on, p.call(">", x, p.time)))
    m.rate(x, p.if_(high, p.call("sqrt", x), p.if_(p.call(">", k, p.const(1)), p.neg(x), x)))
    m.conditions.append(RunCondition("assert", p.not_(high), "low", ORIGIN))
    program = lowered(m.plan())
    found = run_both(program, t=1.0)
    assert found.rates == pytest.approx([math.sqrt(3)])
    assert value_of(program, found, "high") == 1.0
    assert found.values[program.conditions[0].position] == 0.0
    nominal = program.state_slots[0].nominal
    assert nominal is not None
    assert found.p[nominal] == 4.0
    assert run_both(program, t=5.0).rates == pytest.approx([-3.0])
    assert run_both(program, given={"on": 0.0, "k": 1.0}).rates == pytest.approx([3.0])


def test_missing_values_are_our_own_error() -> None:
    m = PlanMaker()
    x = m.state("x", 1.0)
    m.rate(x, m.pool.variable(("nowhere",)))
    with pytest.raises(InternalError, match="nowhere"):
        lower(m.plan())


def test_deep_expressions_do_not_overflow() -> None:
    m = PlanMaker()
    p = m.pool
    x = m.state("x", 0.5)
    deep = x
    for _ in range(5000):
        deep = p.call("sin", p.add(deep, p.const(1)))
    m.rate(x, deep)
    assert lowered(m.plan()).derivatives.operations == Operations(add=5000, functions=5000)


_SHOW = """
from tests.codegen.plans import PlanMaker, lowered
from acausal.codegen.numpy.to_numpy import numpy_text
from acausal.ir.show.program import show_program
m = PlanMaker(); p = m.pool
xs = [m.state(f"x{i}", float(i)) for i in range(9)]
k = [m.parameter(f"k{i}", float(i)) for i in range(9)]
for i, x in enumerate(xs):
    m.rate(x, p.add(*(p.mul(k[j], k[i], y, p.call("sin", x)) for j, y in enumerate(xs)), k[i], k[0]))
program = lowered(m.plan())
print(show_program(program), numpy_text(program))
"""


def test_same_text_whatever_the_hash_seed() -> None:
    texts = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        shown = subprocess.run([sys.executable, "-c", _SHOW], env=environment, capture_output=True, check=True)
        texts.append(shown.stdout)
    assert texts[0] == texts[1]
    assert len(texts[0]) > 1000


def test_show() -> None:
    m = PlanMaker()
    k, x = m.parameter("k", 3.0), m.state("x", 2.0)
    m.rate(x, m.pool.neg(m.pool.mul(k, x)))
    assert (
        show_program(lowered(m.plan()))
        == """\
program test
  parameter 0 k
  state 0 x
  variable x stored 0
  variable der(x) stored 1
routine setup { mul 0, add 0, div 0, neg 1, functions 0 }
  %0 = parameter 0
  %1 = neg %0
  store 1 %1
routine initial { mul 0, add 0, div 0, neg 0, functions 0 }
  %0 = const 2.0  { x }
  store 0 %0
routine derivatives { mul 1, add 0, div 0, neg 0, functions 0 }
  %0 = state 0
  %1 = parameter 1
  %2 = mul %0 %1  { der(x) }
  store 0 %2
routine variables { mul 1, add 0, div 0, neg 0, functions 0 }
  %0 = state 0
  %1 = parameter 1
  %2 = mul %0 %1  { der(x) }
  store 0 %0
  store 1 %2
end
"""
    )
