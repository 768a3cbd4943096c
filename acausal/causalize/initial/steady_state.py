"""The conditions of a steady state: at the first instant nothing that is a state changes.

C*der(u) = i, R*i = v - u     ->     der(u) = 0, hence i = 0, u = v
"""

from collections.abc import Sequence

from acausal.causalize.blocks.incidence import incidence_of, numbering
from acausal.ir.dae import ReducedDae, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.origin import How
from acausal.ir.walk import postorder, variables_of


def resting_equations(reduced: ReducedDae) -> list[Equation] | None:
    """The equations with all derivatives zero, those made by differentiating left out: they hold by themselves.

    None where they do not, as they contain time or derivatives of inputs. With the differentiated ones left out a
    constraint has no spurious solution, as x^2 + y^2 = 1 would by y*der(y) = 0.
    """
    dae, pool = reduced.dae, reduced.dae.pool
    unknown = frozenset(reduced.unknowns)
    made = reduced.equations[len(dae.equations) :]
    leaves = [n for n in postorder([side for e in made for side in (e.left, e.right)]) if n.op in ("variable", "time")]
    if any(x not in unknown for x in leaves):
        return None
    origin_of = {v.symbol.name: v.origin for v in dae.variables}
    rests = [Equation(x, pool.zero, origin_of[x.name].become(How.STEADY)) for x in reduced.unknowns if x.order]
    return [*dae.equations, *rests]


def rest_conditions(selection: StateSelection, conditions: Sequence[Equation]) -> list[Equation]:
    """`der(x) = 0` for each state x, the more important ones first.

    What one of the `conditions` of the model says already is left out.
    Last come those of states for which the model has conditions, before them those of states whose derivative is
    no more than another state: of a shaft that turns steadily the speed rests and the angle goes on.
    """
    dae = selection.reduced.dae
    pool = dae.pool
    origin_of = {v.symbol.name: v.origin for v in dae.variables}
    follows = _following(selection)
    given = {v.symbol for v in dae.variables if v.attributes.fixed}
    given |= {leaf for e in dae.initial_equations for leaf in variables_of((e.left, e.right))}
    ordered = sorted(selection.states, key=lambda x: (x in given, x in follows))
    said = {(e.left, e.right) for e in conditions}
    rests = [Equation(pool.derivative(x), pool.zero, origin_of[x.name].become(How.STEADY)) for x in ordered]
    return [e for e in rests if (e.left, e.right) not in said]


def _following(selection: StateSelection) -> frozenset[Expr]:
    """The states whose derivative other states alone determine, in one equation: positions."""
    reduced, states = selection.reduced, selection.states
    pool, unknowns = reduced.dae.pool, reduced.unknowns
    number_of = numbering(unknowns)
    state_numbers = {number_of[x]: x for x in states}
    state_of_rate = {number_of[d]: x for x in states if (d := pool.derivative(x)) in number_of}
    found = {x for x in states if pool.derivative(x) in states}
    for row in incidence_of(reduced.equations, number_of).vars_of_eq:
        rates = [v for v in row if v in state_of_rate and v not in state_numbers]
        if len(rates) == 1 and all(v in state_numbers for v in row if v != rates[0]):
            state = state_of_rate[rates[0]]
            if number_of[state] not in row and len(row) > 1:
                found.add(state)
    return frozenset(found)
