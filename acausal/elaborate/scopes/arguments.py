"""Arguments of submodels, for one element where the submodel is an array.

submodel (resistor) R[3](R=1/k for k = 1 to 3)      R[2].R = 1/2
"""

from acausal.elaborate.broadcast import broadcast
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scopes.expression_templates import expression
from acausal.elaborate.scopes.scope import InstanceScope
from acausal.elaborate.values.comprehension import range_of
from acausal.ir import ast
from acausal.ir.expr import Expr, Shape
from acausal.ir.model.instance import Instance


def argument_value(node: ast.Expression, scope: InstanceScope, instance: Instance, shape: Shape) -> Expr:
    """The argument for one instance, whose own value has this shape; T001 where it is for another number of elements.

    An array with as many dimensions more is spread over the elements, a comprehension has an item for each.
    """
    if instance.dimensions and has_items(node):
        assert isinstance(node, ast.Comprehension)
        return _item(node, scope, instance)
    return broadcast(scope.pool, expression(node, scope), instance, shape)


def has_items(node: ast.Expression) -> bool:
    """True if an argument has an item for each element of an array of submodels."""
    return isinstance(node, ast.Comprehension) and node.each


def _numbers(node: ast.Comprehension, scope: InstanceScope) -> range:
    """The numbers of the loop variable, found once for all elements of the array."""
    known, key = scope.world.ranges, (scope.instance, id(node))
    found = known.get(key)
    if found is None:
        bounds = [expression(bound, scope) for bound in (node.start, node.stop)]
        found = known[key] = node, range_of(node, bounds, scope)
    return found[1]


def _item(node: ast.Comprehension, scope: InstanceScope, instance: Instance) -> Expr:
    numbers = _numbers(node, scope)
    if instance.dimensions != (len(numbers),):
        size = ", ".join(map(str, instance.dimensions))
        raise mistake(
            "T001",
            f"the array of submodels is [{size}], but the comprehension gives {len(numbers)} values",
            node.span,
            hint=f"write {node.variable} = 1 to {instance.dimensions[0]}"
            if len(instance.dimensions) == 1
            else "write an array of the same shape in brackets",
        )
    return expression(node.item, scope.with_loop(node.variable, numbers[instance.index[0] - 1]))
