"""Small systems from their equations to numbers: causalized, lowered, run on both back ends.

The reference is the equations themselves: their residuals at the computed values vanish.
"""

from dataclasses import replace

import numpy as np
import pytest

from acausal.causalize.aliases.eliminate_aliases import eliminate_aliases
from acausal.causalize.blocks.sort import sort
from acausal.causalize.index.reduce_index import reduce_index
from acausal.causalize.index.select_states import select_states
from acausal.causalize.initial.initial_system import initial_system
from acausal.causalize.plan.make_plan import make_plan
from acausal.codegen.lower.lower import lower
from acausal.ir.check.program import check_program
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes
from acausal.ir.ops import OPS
from acausal.ir.plan import SolvePlan
from acausal.ir.walk import postorder
from tests.causalize.dae_text import dae_of
from tests.codegen.plans import BACK_ENDS, run, run_both


def plan_of(text: str, parameters: dict[str, float] | None = None, inputs: str = "", **guesses: float) -> SolvePlan:
    raw = dae_of(text, parameters, inputs)
    start = {(n,): Attributes(start=raw.pool.const(v)) for n, v in guesses.items()}
    variables = [replace(v, attributes=start.get(v.symbol.name, v.attributes)) for v in raw.variables]
    dae = eliminate_aliases(replace(raw, variables=tuple(variables)))
    reduced = reduce_index(dae)
    selection = select_states(reduced)
    system = sort(dae.pool, reduced.equations, selection.unknowns)
    return make_plan(selection, system, initial_system(selection).system, ())


def evaluate(expr: Expr, known: dict) -> float:
    done: dict = {}
    for node in postorder([expr]):
        if node.op == "variable":
            done[node] = known[node.name, node.order]
        elif node.op == "parameter":
            done[node] = known[node.name]
        elif node.op == "time":
            done[node] = known["time"]
        elif not node.args:
            done[node] = node.value
        else:
            done[node] = OPS[node.op].evaluate(*(done[a] for a in node.args))
    return done[expr]


SYSTEMS = {
    "RC": ("c*v' = i; u = r*i + v", {"c": 0.5, "r": 4.0}, "u", {"v": 1.0}),
    "bridge": (
        "u - x = 2*a; u - y = 3*b; x - y = 5*d; x = 7*e; y = r*f; a = d + e; b + d = f; z' = x - z",
        {"r": 11.0}, "u", {},
    ),
    "nonlinear": ("x' = -y; y + exp(y) = x + z; z + k*sin(z) = y", {"k": 0.3}, "", {"x": 1.5}),
    "two tanks": ("h' = q - w; w*w = 2*h + 1; q = sin(t); t' = 1", {}, "", {"h": 2.0, "w": 2.0}),
    "pendulum": ("x'' = -x*f; y'' = -y*f - g; x*x + y*y = l*l", {"g": 9.81, "l": 1.5}, "", {"x": 0.9, "y": -1.2}),
}  # fmt: skip


@pytest.mark.parametrize("name", SYSTEMS)
def test_values_fulfil_the_equations(name: str) -> None:
    text, parameters, inputs, guesses = SYSTEMS[name]
    plan = plan_of(text, parameters, inputs, **guesses)
    program = lower(plan)
    assert check_program(program) == ()
    u = np.linspace(2.0, 3.0, len(program.input_slots))
    found = run_both(program, u=u)
    assert found.statuses == (0, 0, 0, 0)
    known: dict = {"time": 0.0} | {(n,): v for n, v in parameters.items()}
    known |= {symbol: u[i] for i, symbol in enumerate(program.input_slots)}
    for slot, rate in zip(program.state_slots, found.rates, strict=True):
        known[slot.symbol[0], slot.symbol[1] + 1] = rate
    for slot in program.variable_slots:
        source = {"stored": found.values, "parameter": found.p, "constant": [slot.value]}[slot.kind]
        known[slot.symbol] = slot.sign * source[slot.position]
    for equation in dae_of(text, parameters, inputs).equations:
        left, right = evaluate(equation.left, known), evaluate(equation.right, known)
        assert left == pytest.approx(right, rel=1e-10, abs=1e-10), equation


@pytest.mark.parametrize("name", SYSTEMS)
def test_rates_are_smooth(name: str) -> None:
    """Central differences of the rates at two widths agree: no jumps from iteration noise."""
    text, parameters, inputs, guesses = SYSTEMS[name]
    program = lower(plan_of(text, parameters, inputs, **guesses))
    u = np.ones(len(program.input_slots))
    for compile_ in BACK_ENDS:
        executable = compile_(program)
        start = run(executable, u=u).start
        slopes = []
        for width in (1e-4, 1e-5):
            step = np.zeros(len(start))
            step[0] = width
            up, down = (run(executable, y=start + s * step, u=u).rates for s in (1, -1))
            slopes.append((up - down) / (2 * width))
        np.testing.assert_allclose(slopes[0], slopes[1], rtol=1e-5, atol=1e-5)
