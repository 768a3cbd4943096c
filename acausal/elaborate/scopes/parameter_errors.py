"""Errors of parameters: without value, variable, outside their limits."""

from acausal.elaborate.broadcast import first_element
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scopes.declared import Declared
from acausal.ir.expr import Expr
from acausal.ir.names import listed, show_name
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import postorder

MOST = 4
"""Number of parameters that a message names."""


def outside_limits(declared: Declared, what: str) -> Exception:
    """T013: a value is outside the limits of its parameter."""
    message = f"{show_name(declared.symbol.name)} is {what}"
    return mistake("T013", message, declared.span, hint="give another value, or change its min or max")


def without_value(missing: list[Declared]) -> Exception:
    """N010: parameters have no value."""
    names = [show_name(d.symbol.name) for d in missing]
    first, *rest = missing
    plural = "s" if rest else ""
    shown = listed(names, MOST)
    own = first.symbol.name[-1]
    submodel = f"where the submodel is declared: {names[0].split('.')[-2]}({own}=...)" if first.instance.item else ""
    return mistake(
        "N010",
        f"parameter{plural} {shown} {'have' if rest else 'has'} no value",
        first.place,
        f"{names[0]} has no value",
        others=[(d.place, f"{show_name(d.symbol.name)} too") for d in rest[: MOST - 1]],
        notes=(f"{names[0]}: {first.value.description}",) if first.value.description else (),
        hint=f"give it one {submodel or 'where it is declared'}, or with {_set(first_element(first.symbol))}",
    )


def _set(name: str) -> str:
    """The option that gives a parameter, or an element of one, its value; quoted where a shell would expand it."""
    return f"--set '{name}=...'" if "[" in name else f"--set {name}=..."


def variable_binding(declared: Declared, bound: Expr) -> Exception:
    """N019: a parameter depends on a variable."""
    name = show_name(declared.symbol.name)
    on = next((show_expr(n) for n in postorder([bound]) if n.varies and not n.args), "variables")
    return mistake(
        "N019",
        f"parameter {name} depends on {on}, which changes during a run",
        declared.span,
        "constant during a run",
        hint=f"declare it as a variable with an equation: local {declared.symbol.name[-1]} = ...",
    )
