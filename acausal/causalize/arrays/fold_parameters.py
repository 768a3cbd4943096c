"""Folding of parameters into the equations: zeros and ones, and those that determine the structure of the model.

A parameter whose value is exactly 0, 1 or -1 is folded, unless it or one it depends on
is tunable. Where others that are folded leave nothing of that dependence, as in C = C0*f(T)
with C0 = 0, it is folded, too. Where the value of a folded parameter changes, given or by its binding, another
translation is needed: `folded` lists them all.
"""

from collections.abc import Sequence

from acausal.base.frozen import dataclass
from acausal.causalize.arrays.element_names import element_leaves
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel, Parameter
from acausal.ir.pool import Pool
from acausal.ir.walk import postorder
from acausal.symbolic.substitute import substitute

UNITS = (0.0, 1.0, -1.0)


@dataclass(frozen=True, slots=True)
class Folding:
    """Numbers for scalar parameter leaves (elements, where the parameter is an array), and what `folded` lists.

    `settled` are numbers for bindings that depend on tunable parameters by name only.
    """

    values: dict[Expr, Expr]
    folded: tuple[Expr, ...]
    settled: dict[Expr, Expr]


def fold(flat: FlatModel, foldable: bool) -> Folding:
    """The parameters to be folded; only the structural ones if not `foldable`."""
    pool = flat.pool
    values: dict[Expr, Expr] = {}
    below = _Dependencies(flat)
    moving: list[Parameter] = []
    for parameter in flat.parameters:
        if parameter.type == "string":
            continue
        always = parameter.structural or parameter.constant
        found = _numbers(pool, parameter, always, foldable)
        if found and (always or below.may_change_nothing(parameter)):
            values |= found
        elif found and not parameter.symbol.shape:
            moving.append(parameter)
    settled = _settled(pool, moving, values)
    return Folding(values, tuple(values), settled)


def _settled(pool: Pool, moving: Sequence[Parameter], values: dict[Expr, Expr]) -> dict[Expr, Expr]:
    """The numbers that bindings become with `values`, to which they are added; one may need another."""
    settled: dict[Expr, Expr] = {}
    left = list(moving)
    while True:
        numbers = {p.symbol: substitute(pool, p.binding, values) for p in left}
        found = {symbol: number for symbol, number in numbers.items() if number.op == "const"}
        if not found:
            return settled
        values |= found
        settled |= found
        left = [p for p in left if p.symbol not in found]


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
