"""Initial values by name, given for runs: conditions of the first instant in the place of those of the model.

arm.phi = initial(arm.phi)        a parameter, so that other values need no other translation
"""

from collections.abc import Iterable
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.near_names import unknown_name
from acausal.ir.dae import Dae, ReducedDae, StateSelection
from acausal.ir.experiment import Start, initial_parameter
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Parameter, Variable
from acausal.ir.names import show_derivative, show_name
from acausal.ir.origin import How
from acausal.ir.walk import variables_of


def with_initial_parameters(selection: StateSelection, start: Start) -> StateSelection:
    """The selection with a parameter for each initial value."""
    if not start.initial:
        return selection
    dae = selection.reduced.dae
    found = leaves_of(selection.reduced, start.initial)
    known = {p.symbol.name for p in dae.parameters}
    made = [
        Parameter(
            dae.pool.parameter(initial_parameter(name)), dae.pool.zero, 0.0, "real", variable.origin, tunable=True
        )
        for name, (_, variable) in zip(start.initial, found, strict=True)
        if initial_parameter(name) not in known
    ]
    dae = replace(dae, parameters=(*dae.parameters, *made))
    return replace(selection, reduced=replace(selection.reduced, dae=dae))


def given_conditions(reduced: ReducedDae, start: Start) -> list[Equation]:
    """Equations for the variables whose initial values are given."""
    pool = reduced.dae.pool
    return [
        Equation(leaf, pool.parameter(initial_parameter(name)), variable.origin.become(How.START))
        for name, (leaf, variable) in zip(start.initial, leaves_of(reduced, start.initial), strict=True)
    ]


def without_replaced(conditions: Iterable[Equation], given: Iterable[Equation]) -> list[Equation]:
    """The conditions of the model that do not give one of these variables a value of its own."""
    own = {leaf for e in given for leaf in variables_of((e.left,))}
    return [e for e in conditions if not (variables_of((e.left, e.right)) and _sole(e) in own)]


def _sole(equation: Equation) -> Expr | None:
    leaves = list(dict.fromkeys(variables_of((equation.left, equation.right))))
    return leaves[0] if len(leaves) == 1 else None


def leaves_of(reduced: ReducedDae, names: Iterable[str]) -> list[tuple[Expr, Variable]]:
    """Unknowns or their negatives that the names stand for, with their variables; UsageError F005 for others."""
    dae = reduced.dae
    variables = {v.symbol.name: v for v in dae.variables}
    known = {show_derivative(x.name, x.order): (x, variables[x.name]) for x in reduced.unknowns if x.name in variables}
    aliases = {show_name(a.variable.symbol.name): (a.value, a.variable) for a in dae.aliases}
    unknowns = frozenset(reduced.unknowns)
    found: list[tuple[Expr, Variable]] = []
    for name in names:
        item = known.get(name) or aliases.get(name)
        if item is None:
            raise _unknown(dae, name, [*known, *aliases])
        if not any(leaf in unknowns for leaf in variables_of((item[0],))):
            raise _not_free(name, *item)
        found.append(item)
    return found


def _not_free(name: str, value: Expr, variable: Variable) -> UsageError:
    label = Label(variable.origin.span, "declared here")
    if variable.kind == "discrete":
        hint = f"declare its first value in the model: discrete {name} (start=1)"
        return UsageError(Diagnostic("F005", f"{name} is discrete: only events change it", label, help=hint))
    what = "time" if value.op == "time" else "parameters"
    return UsageError(Diagnostic("F005", f"{name} is determined by {what}: it has no initial value", label))


def _unknown(dae: Dae, name: str, names: list[str]) -> UsageError:
    parameters = [show_name(p.symbol.name) for p in dae.parameters]
    inputs = [show_name(v.symbol.name) for v in dae.inputs]
    if name in parameters:
        return UsageError(Diagnostic("F005", f"{name} is a parameter", help=f"set it: --set {name}=1, or parameters="))
    if name in inputs:
        return UsageError(Diagnostic("F005", f"{name} is an input", help=f"give its value: --input {name}=1"))
    return unknown_name("variable", name, names, "`acausal translate FILE --show flat` lists the variables")
