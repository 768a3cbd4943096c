"""The equations behind a program as they are solved, with numbers for what is known: for messages about failed runs."""

from collections.abc import Iterable, Mapping, Sequence

from acausal.causalize.blocks.sort import sort
from acausal.causalize.explain.as_written import as_written
from acausal.causalize.initial.initial_system import initial_system
from acausal.ir.dae import SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Variable
from acausal.ir.names import Symbol
from acausal.ir.program.program import Program
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import postorder, variables_of
from acausal.simulate.failure.equations_behind import Equations

Values = dict[Expr, float]


def sorted_system(equations: Equations, program: Program, routine: str) -> SortedSystem:
    """The sorted system that the routine solves; slopes, which are states of a program too, have no equations here."""
    pool, reduced = equations.reduced.dae.pool, equations.reduced
    own = {variable.symbol.name for variable in reduced.dae.variables}
    states = tuple([pool.variable(*slot.symbol) for slot in program.state_slots if slot.symbol[0] in own])
    known = frozenset(states)
    unknowns = tuple([x for x in reduced.unknowns if x not in known])
    if routine != "initial":
        return sort(pool, reduced.equations, unknowns)
    return initial_system(StateSelection(reduced, states, (), unknowns), equations.start).system


def changing_index(equations: Equations, of: Iterable[Equation]) -> list[str]:
    """Relations that decide which unknowns some of the equations hold."""
    found: dict[str, None] = {}
    for equation in of:
        written = as_written(equations.reduced.dae, equation)
        for node in postorder([written.left, written.right]):
            if node.op == "if" and variables_of([node.args[1]]) != variables_of([node.args[2]]):
                found[show_expr(node.args[0])] = None
    return list(found)


def variable_of(equations: Equations, symbol: Symbol) -> Variable | None:
    """The declaration of a variable, or of what it is a derivative of."""
    return next((v for v in equations.reduced.dae.variables if v.symbol.name == symbol[0]), None)


def known_values(
    equations: Equations,
    program: Program,
    t: float,
    y: Sequence[float],
    u: Sequence[float],
    p: Sequence[float],
    values: Mapping[Symbol, float],
) -> Values:
    """Leaves and their values: time, parameters, states, frozen values, inputs and computed variables."""
    pool = equations.reduced.dae.pool
    known: Values = {pool.time: t}
    known |= {pool.parameter(s.name): float(x) for s, x in zip(program.parameter_slots, p, strict=False)}
    known |= {pool.variable(*s.symbol): float(x) for s, x in zip(program.state_slots, y, strict=False)}
    frozen = program.table.frozen
    known |= {pool.frozen(s.name): float(x) for s, x in zip(frozen, u, strict=False)}
    known |= {pool.variable(*s): float(x) for s, x in zip(program.input_slots, u[len(frozen) :], strict=False)}
    known |= {pool.variable(*s): x for s, x in values.items()}
    return known


def residual(system: SortedSystem, equation: Equation) -> Expr:
    """Residual, left side minus right side."""
    return system.pool.sub(equation.left, equation.right)
