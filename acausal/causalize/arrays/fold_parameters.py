"""Folding of parameters into the equations: zeros and ones, and those that determine the structure of the model.

A parameter whose value is exactly 0, 1 or -1 is folded, unless it or one it depends on
is tunable. Where the value of a folded parameter changes, given or by its binding, another
translation is needed: `folded` lists them all.
"""

from acausal.base.frozen import dataclass
from acausal.causalize.arrays.element_names import element_leaves
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel, Parameter
from acausal.ir.pool import Pool
from acausal.ir.walk import postorder

UNITS = (0.0, 1.0, -1.0)


@dataclass(frozen=True, slots=True)
class Folding:
    """Numbers for scalar parameter leaves (elements, where the parameter is an array), and what `folded` lists."""

    values: dict[Expr, Expr]
    folded: tuple[Expr, ...]


def fold(flat: FlatModel, foldable: bool) -> Folding:
    """The parameters to be folded; only the structural ones if not `foldable`."""
    pool = flat.pool
    values: dict[Expr, Expr] = {}
    below = _Dependencies(flat)
    for parameter in flat.parameters:
        if parameter.type == "string":
            continue
        always = parameter.structural or parameter.constant
        found = _numbers(pool, parameter, always, foldable)
        if not found or not (always or below.may_change_nothing(parameter)):
            continue
        values |= found
    return Folding(values, tuple(values))


def _numbers(pool: Pool, parameter: Parameter, always: bool, foldable: bool) -> dict[Expr, Expr]:
    value = parameter.value
    units = foldable and not parameter.tunable
    if isinstance(value, float) and not always and not (units and value in UNITS):
        return {}  # most parameters
    items = value if isinstance(value, tuple) else (value,)
    found: dict[Expr, Expr] = {}
    for leaf, item in zip(element_leaves(pool, parameter.symbol), items, strict=True):
        if isinstance(item, bool):
            if always:
                found[leaf] = pool.boolean(item)
        elif isinstance(item, float | int) and (always or (units and item in UNITS)):
            found[leaf] = pool.const(item)
    return found


class _Dependencies:
    """The parameters that a parameter's binding needs, directly or through others."""

    def __init__(self, flat: FlatModel) -> None:
        self.by_leaf = {p.symbol: p for p in flat.parameters}
        self.tunable = {p.symbol for p in flat.parameters if p.tunable}

    def of(self, parameter: Parameter) -> tuple[Expr, ...]:
        if not parameter.binding.args and parameter.binding.op != "parameter":
            return ()
        found: dict[Expr, None] = {}
        stack = [parameter.binding]
        while stack:
            for node in postorder([stack.pop()]):
                if node.op == "parameter" and node not in found:
                    found[node] = None
                    if node in self.by_leaf and node is not parameter.symbol:
                        stack.append(self.by_leaf[node].binding)
        return tuple(found)

    def may_change_nothing(self, parameter: Parameter) -> bool:
        """True if nothing below is tunable."""
        return not self.tunable or self.tunable.isdisjoint(self.of(parameter))
