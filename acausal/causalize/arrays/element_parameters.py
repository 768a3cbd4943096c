"""Parameters that are arrays -> scalar parameters."""

from math import prod

from acausal.causalize.arrays.element_names import element_leaves
from acausal.causalize.arrays.element_variables import element_attributes, has_expressions
from acausal.causalize.arrays.expand import Expansion, Items
from acausal.ir.expr import ARRAY, Expr
from acausal.ir.flat import FlatModel, Parameter
from acausal.ir.origin import How
from acausal.ir.pool import Pool
from acausal.ir.walk import marked, postorder

MOST_PRODUCTS = 20_000
"""Products of numbers in the binding of an array; another value below a longer one is another translation."""


def element_parameters(flat: FlatModel) -> tuple[tuple[Parameter, ...], tuple[Expr, ...]]:
    """Scalar parameters, and those on which bindings depend that are kept as numbers only."""
    if not any((p.symbol.flags | p.binding.flags) & ARRAY for p in flat.parameters):
        return flat.parameters, ()
    expansion = Expansion(flat.pool, {})
    made: list[Parameter] = []
    needed: dict[Expr, None] = {}
    for parameter in flat.parameters:
        if not (parameter.symbol.flags | parameter.binding.flags) & ARRAY:
            made.append(parameter)
            continue
        p, binding = parameter, parameter.binding
        if _is_element(binding) and not p.symbol.shape and not has_expressions(p.attributes):  # given to an array
            leaf = expansion.items(binding)[0]
            about = p.origin, p.tunable, p.structural, p.constant, p.attributes, p.description
            made.append(Parameter(p.symbol, leaf, p.value, p.type, *about))
            continue
        if _is_kept_as_numbers(parameter.binding):
            bindings = _numbers(flat.pool, parameter)
            for leaf in postorder([parameter.binding]):
                needed |= dict.fromkeys(element_leaves(flat.pool, leaf) if leaf.op == "parameter" else ())
        else:
            bindings = expansion.items(parameter.binding)
        made += _parameter(parameter, bindings, flat.pool, expansion)
    return tuple(made), tuple(needed)


def _is_element(binding: Expr) -> bool:
    """True if an element of an array of parameters is the value."""
    return binding.op == "index" and not binding.shape and binding.args[0].op == "parameter"


def _is_kept_as_numbers(binding: Expr) -> bool:
    """True if the elements have no short formulas: an inverse, or products of large matrices."""
    if binding.op == "index" and not binding.args[0].args:  # spread over an array of submodels
        return False
    products = 0
    for node in marked([binding], ARRAY):
        if node.op == "inverse":
            return True
        if node.op == "matmul":
            products += prod(node.shape) * node.args[1].shape[0]
    return products > MOST_PRODUCTS


def _numbers(pool: Pool, parameter: Parameter) -> Items:
    values = parameter.value if isinstance(parameter.value, tuple) else (parameter.value,)
    return tuple([pool.boolean(x) if isinstance(x, bool) else pool.const(float(x)) for x in values])


def _parameter(parameter: Parameter, bindings: Items, pool: Pool, expansion: Expansion) -> list[Parameter]:
    leaves = element_leaves(pool, parameter.symbol)
    if len(bindings) == 1:
        bindings *= len(leaves)
    origin = parameter.origin.become(How.ELEMENT) if parameter.symbol.shape else parameter.origin
    p = parameter
    values = p.value if isinstance(p.value, tuple) else (p.value,) * len(leaves)
    attributes = element_attributes(p.attributes, len(leaves), expansion, origin)
    return [
        Parameter(leaf, binding, value, p.type, origin, p.tunable, p.structural, p.constant, own, p.description)
        for leaf, binding, value, own in zip(leaves, bindings, values, attributes, strict=True)
    ]
