"""Defaults of terminals that no equation determines from outside of their class."""

from collections.abc import Container, Iterable, Iterator, Mapping

from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Variable
from acausal.ir.names import Name
from acausal.ir.origin import How
from acausal.ir.walk import variables_of


def defaults_of_terminals(
    default: Mapping[Expr, Expr], variables: Iterable[Variable], equations: Iterable[Equation], known: Container[Name]
) -> Iterator[Equation]:
    """A terminal that no equation outside its class names takes its default; only classes around it can name it."""
    if not default:
        return
    terminals = {v.symbol: v for v in variables if v.kind == "terminal" and v.symbol in default}
    around = {path[:k] for path in {v.origin.path for v in terminals.values()} for k in range(len(path))}
    named = {
        leaf
        for e in equations
        if e.origin.path in around
        for leaf in variables_of((e.left, e.right))
        if leaf in terminals and e.origin.path != terminals[leaf].origin.path
    }
    for symbol, variable in terminals.items():
        if symbol not in named and symbol.name not in known:
            yield Equation(symbol, default[symbol], variable.origin.become(How.DEFAULT))
