"""Magnitude of a coefficient: its value at the parameters of the translation and at a sample of the variables."""

from collections.abc import Callable, Iterable, Mapping

from acausal.ir.evaluate import Evaluator, operate
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter
from acausal.ir.operator import Value
from acausal.symbolic.samples import Fingerprints


class _Trial(Evaluator):
    SPECIAL = frozenset(("if", "pow"))
    FINITE = True

    def __init__(self, values: Mapping[Expr, Value]) -> None:
        super().__init__(values)
        self._fingerprints = Fingerprints()

    def special(self, node: Expr) -> Value | None:
        arguments = [self.values[a] for a in node.args]
        if node.op == "if":
            return max(arguments[1:], key=abs)
        return None if node.varies else operate("pow", arguments)

    def missing(self, node: Expr) -> Value:
        return self._fingerprints.sample(node, 0)


def trial_values(parameters: Iterable[Parameter]) -> Callable[[Expr], float]:
    """A function that gives an expression's value; unknown numbers lie between -1 and 1, the same in every run.

    Sums and products of what varies are evaluated, so that a rotation does not look like growth; its reciprocals
    are not, since those of a sample may be as large as you like. Of two branches the larger one is taken.
    """
    trial: list[_Trial] = []

    def value(expr: Expr) -> float:
        if not trial:  # a model without blocks asks for no value
            trial.append(_Trial({p.symbol: p.value for p in parameters if isinstance(p.value, float | bool)}))
        found = trial[0].value(expr)
        assert found is not None
        return float(found)

    return value
