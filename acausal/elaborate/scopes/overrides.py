"""The names of values given with --set, by a sweep or from Python: parameters of the model or their elements."""

from collections.abc import Collection, Iterable, Mapping

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.near_names import did_you_mean
from acausal.elaborate.broadcast import count, first_element
from acausal.elaborate.scopes.bindings import given_elements
from acausal.elaborate.scopes.declared import Declared
from acausal.ir.expr import Expr
from acausal.ir.names import listed, show_name

MOST = 6
"""Parameters that a hint names."""
SHOW = "`acausal translate FILE --show flat` lists all names"


def check_overrides(given: Mapping[str, float], symbols: Mapping[Expr, Declared], unknown: Collection[str]) -> None:
    """N031 and N032 for given values that no parameter can take; those made `unknown` need none."""
    if not given:
        return
    by_name = {show_name(symbol.name): symbol for symbol in symbols}
    by_name |= {name: symbol for symbol in symbols for name in given_elements(given, symbol).values()}
    for name in given:
        if name in unknown:
            continue
        symbol = by_name.get(name)
        if symbol is None:
            array = by_name.get(name.partition("[")[0])
            hint = _elements_of(array) or parameters_of(name, by_name) or did_you_mean(name, by_name) or SHOW
            raise UsageError(Diagnostic("N031", f"unknown parameter {name}", help=hint))
        declared = symbols[symbol]
        if declared.value.kind == "constant":
            label = Label(declared.origin.span, "declared here")
            message = f"{name} is a constant: it cannot be set"
            raise UsageError(Diagnostic("N032", message, label, help="declare it as a parameter"))


def parameters_of(name: str, known: Iterable[str]) -> str:
    """The parameters of a submodel, for its name in place of one of them; empty for another name."""
    found = [other for other in known if other.rpartition(".")[0] == name]
    return f"{name} is a submodel: its parameters are {listed(found, MOST)}" if found else ""


def _elements_of(array: Expr | None) -> str:
    """The elements of an array parameter, for a name that is none of them; empty for no array."""
    if array is None or not array.shape or not count(array.shape):
        return ""
    last = show_name((*array.name, *array.shape))
    return f"{show_name(array.name)} has elements {first_element(array)} to {last}"
