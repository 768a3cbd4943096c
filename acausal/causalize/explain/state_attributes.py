"""Preferences for states (`state=` of a declaration) that are not met, in the user's words."""

import re
from collections.abc import Iterable, Iterator

from acausal.base.diagnostics import Diagnostic, Label, Severity
from acausal.base.source import Span
from acausal.ir.dae import StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Variable
from acausal.ir.names import listed, show_derivative, show_name
from acausal.ir.origin import Origin
from acausal.ir.show.expressions import show_equation
from acausal.ir.walk import variables_of

MOST = 3
STRICT = ("always", "never")
"""Preferences that are reported wherever they are written; `prefer` and `avoid` only in the model itself."""


def unmet_preferences(selection: StateSelection) -> Iterator[Diagnostic]:
    """I030: a warning for each variable that should be a state and is none, or should not and is one."""
    dae = selection.reduced.dae
    value_of = {a.variable.symbol: a.value for a in dae.aliases}
    states = {x for x in selection.states if x.order == 0}
    done: set[Span] = set()
    for variable in (*dae.variables, *(a.variable for a in dae.aliases)):
        preference, place = variable.attributes.state, variable.origin.span
        if preference == "default" or place in done or not _is_reported(variable):
            continue
        _, leaf = dae.pool.split(value_of.get(variable.symbol, variable.symbol))
        wanted = preference in ("always", "prefer")
        if wanted != (leaf in states):
            done.add(place)
            yield _not_a_state(selection, variable, leaf) if wanted else _a_state(selection, variable, leaf)


def _is_reported(variable: Variable) -> bool:
    """A strict preference always, a weaker one of the model itself; not one that came from an alias."""
    written = re.search(r"\bstate\s*=", variable.origin.span.text) is not None
    return written and (variable.attributes.state in STRICT or not variable.origin.path)


def _not_a_state(selection: StateSelection, variable: Variable, leaf: Expr) -> Diagnostic:
    name = show_name(variable.symbol.name)
    ties = _ties(selection, leaf)
    if ties:
        others = [show_derivative(x.name, x.order) for x in selection.states if _satisfies(selection, x, ties)]
        why = f"constraints relate it to {listed(others, MOST)}" if others else "the equations determine it"
        help_ = f'to select {name} as a state, lower the preference of another variable: (state="avoid")'
    else:
        why = "none of its derivatives is required"
        help_ = "remove the preference, or write the equations with its derivative"
    return Diagnostic(
        "I030",
        f'{name} is not a state, though state="{variable.attributes.state}": {why}',
        Label(variable.origin.span, "this preference is not satisfied"),
        tuple(_labels(ties)),
        help=help_,
        severity=Severity.WARNING,
    )


def _a_state(selection: StateSelection, variable: Variable, leaf: Expr) -> Diagnostic:
    name = show_name(variable.symbol.name)
    rate = selection.reduced.dae.pool.derivative(leaf)
    uses = [e for e in selection.reduced.equations if rate in variables_of((e.left, e.right))]
    return Diagnostic(
        "I030",
        f'{name} is a state, though state="{variable.attributes.state}": no other variable can replace it',
        Label(variable.origin.span, "this preference is not satisfied"),
        tuple(_labels(uses)),
        help=f"remove the preference, or write the equations with the derivative of another variable than {name}",
        severity=Severity.WARNING,
    )


def _ties(selection: StateSelection, leaf: Expr) -> list[Equation]:
    """The differentiated equations that determine the derivative of a variable."""
    reduced = selection.reduced
    rate = reduced.dae.pool.derivative(leaf)
    if rate not in selection.dummies:
        return []
    made = reduced.equations[len(reduced.dae.equations) :]
    return [e for e in made if rate in variables_of((e.left, e.right))]


def _satisfies(selection: StateSelection, state: Expr, ties: Iterable[Equation]) -> bool:
    rate = selection.reduced.dae.pool.derivative(state)
    return any(rate in variables_of((e.left, e.right)) for e in ties)


def _labels(equations: Iterable[Equation]) -> list[Label]:
    written = [(_first(e.origin), e) for e in equations]
    return list({o.span: Label(o.span, show_equation(e)) for o, e in written}.values())[:MOST]


def _first(origin: Origin) -> Origin:
    while origin.of:
        origin = origin.of[0]
    return origin
