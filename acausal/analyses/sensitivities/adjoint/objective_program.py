"""Programs with the number that a gradient is asked for as a variable, whose value at the end of the run it is.

integral(x)                          a further state
integral(x^2) + 10*final(x)^2        x^2 as a variable, its integral as a state, the sum as a variable
"""

from acausal.analyses.optimize.control_request import functionals_of
from acausal.analyses.optimize.functionals import Functionals
from acausal.analyses.sensitivities.objective import EXPRESSION, Objective
from acausal.analyses.sensitivities.request import variable_symbols
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.codegen.tangent.sensitivities.expressions import with_expressions
from acausal.codegen.tangent.sensitivities.integrals import integral_symbol, with_integrals
from acausal.ir.expr import Expr
from acausal.ir.names import Symbol, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.ir.program.slots import VariableSlot
from acausal.symbolic.substitute import substitute

MOST = 2_000_000
"""Instructions of a routine of the adjoint equations."""


def objective_program(own: Program, asked: Objective) -> tuple[Program, VariableSlot]:
    """The program, and the slot of the number; UsageError F005 for unknown names, F006, F010 for no objective."""
    if asked.kind == EXPRESSION:
        return _expression_program(own, asked.variable)
    (symbol,) = variable_symbols(own, (asked.variable,))
    is_integral = asked.kind == "integral"
    program = with_integrals(own, (symbol,), MOST) if is_integral else own
    return program, _slot(program, integral_symbol(symbol) if is_integral else symbol)


def require_ends(program: Program, text: str) -> None:
    """UsageError F006 for an expression of other numbers than integrals and final values."""
    functionals, _, _ = functionals_of(program, (text, 1.0), ())
    others = [f.kind for f in functionals.found.values() if f.kind not in ("final", "integral")]
    if others:
        message = f"{text} has no adjoint equations: {others[0]} is neither integral nor final"
        raise UsageError(Diagnostic("F006", message, help='use method="forward": one slope for each parameter'))


def _expression_program(own: Program, text: str) -> tuple[Program, VariableSlot]:
    functionals, expr, _ = functionals_of(own, (text, 1.0), ())
    integrals: list[tuple[Symbol, Expr]] = []
    finals: dict[Expr, Expr] = {}
    states: dict[Expr, Symbol] = {}
    for leaf, functional in functionals.found.items():
        if functional.kind == "final":
            finals[leaf] = functional.inner
            continue
        symbol: Symbol = (f"integrand {len(integrals) + 1} of {text}",), 0
        integrals.append((symbol, functional.inner))
        states[leaf] = integral_symbol(symbol)
    leaves = _leaves(own, functionals)
    program = with_expressions(own, integrals, leaves, MOST) if integrals else own
    program = with_integrals(program, [symbol for symbol, _ in integrals], MOST)
    known = leaves | {leaf: _slot(program, symbol) for leaf, symbol in states.items()}
    whole = substitute(functionals.pool, expr, finals)
    number: Symbol = (text,), 0
    program = with_expressions(program, [(number, whole)], known, MOST)
    return program, _slot(program, number)


def _leaves(program: Program, functionals: Functionals) -> dict[Expr, VariableSlot]:
    """The slots of names in an expression: variables, parameters, time."""
    slots = {show_derivative(*slot.symbol): slot for slot in program.variable_slots}
    positions = {show_name(slot.name): i for i, slot in enumerate(program.parameter_slots)}
    found = {}
    for name, leaf in functionals.variables.items():
        if name in slots:
            found[leaf] = slots[name]
        elif name in positions:
            found[leaf] = VariableSlot(((name,), 0), "parameter", positions[name])
        else:
            found[leaf] = VariableSlot((("time",), 0), "time")
    return found


def _slot(program: Program, symbol: Symbol) -> VariableSlot:
    return next(slot for slot in program.variable_slots if slot.symbol == symbol)
