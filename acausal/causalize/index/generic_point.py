"""A generic point: coordinates are any numbers, and what is explicit follows from them.

    x = L*sin(phi), y = L*cos(phi)      phi is any number, x and y follow

What is singular there is so anywhere.
"""

from collections.abc import Iterable, Mapping
from math import cos

from acausal.causalize.blocks.incidence import numbering
from acausal.ir.dae import Dae, ReducedDae
from acausal.ir.evaluate import Evaluator
from acausal.ir.expr import Expr
from acausal.ir.operator import Value
from acausal.ir.walk import variables_of
from acausal.symbolic.isolate import isolate


class GenericPoint:
    """Values of variables, found as they are asked for."""

    def __init__(self, reduced: ReducedDae) -> None:
        self.reduced = reduced
        self.number_of = numbering(reduced.unknowns)
        self.values: dict[Expr, Value] = {
            p.symbol: p.value
            for p in reduced.dae.parameters
            if isinstance(p.value, float | bool) and not p.symbol.shape
        }

    def with_values(self, variables: Iterable[Expr]) -> Mapping[Expr, Value]:
        """All values found so far, those of these variables among them: depth first along the matching."""
        formulas: dict[Expr, Expr | None] = {}
        stack = [(x, False) for x in variables]
        while stack:
            var, leaving = stack.pop()
            if leaving:
                self.values[var] = self._value(formulas[var])
            elif var not in self.values and var not in formulas:
                formula = formulas[var] = self._formula(var)
                stack.append((var, True))
                stack += [(x, False) for x in variables_of([formula] if formula is not None else [])]
        return self.values

    def _formula(self, var: Expr) -> Expr | None:
        """Formula of an equation for a variable that is not differentiated."""
        index, number = self.reduced.index, self.number_of.get(var)
        if number is None or index.var_derivative[number] is not None:
            return None
        eq = index.matching.eq_of_var[number]
        if eq is None:
            return None
        equation = self.reduced.equations[eq]
        return isolate(self.reduced.dae.pool, equation.left, equation.right, var)

    def _value(self, formula: Expr | None) -> Value:
        if formula is not None and all(x in self.values for x in variables_of([formula])):
            found = evaluate([formula], self.values)
            if found is not None:
                return found[formula]
        return 0.3 + abs(cos(len(self.values)))


class _OrZero(Evaluator):
    def missing(self, node: Expr) -> Value | None:
        return None if node.args else 0.0


def evaluate(exprs: Iterable[Expr], values: Mapping[Expr, Value]) -> Mapping[Expr, Value] | None:
    """The values of these expressions and their parts with these leaves, others 0; None where one has none."""
    found = _OrZero(values)
    return found.values if all(found.value(expr) is not None for expr in exprs) else None


def start_values(dae: Dae) -> dict[Expr, Value]:
    """Parameters, and start values where they are given; derivatives and other variables count as 0."""
    values: dict[Expr, Value] = {
        p.symbol: p.value for p in dae.parameters if isinstance(p.value, float | bool) and not p.symbol.shape
    }
    for variable in dae.variables:
        start = variable.attributes.start
        if start is not None:
            found = evaluate([start], values)
            if found is not None:
                values[variable.symbol] = found[start]
    return values
