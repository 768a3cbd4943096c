"""Initial conditions of a submodel in its declaration: `submodel (body) b (ic x=1, v=0)`.

Those of variables are start values that hold, those of derivatives are initial equations.
"""

from collections.abc import Iterator

from acausal.elaborate.classes.attributes import fitting, known_value, unit_of, with_unit_of
from acausal.elaborate.scopes.arguments import argument_value
from acausal.elaborate.scopes.scope import InstanceScope, World
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, Equation
from acausal.ir.model.classes import Value
from acausal.ir.model.instance import Instance
from acausal.ir.origin import Origin


def with_initial(world: World, instance: Instance, value: Value, written: Attributes) -> Attributes:
    """Attributes with what `(ic u=0)` of the submodel says of the variable."""
    item, parent = instance.item, instance.parent
    if item is None or parent is None or not item.initial:
        return written
    for argument in item.initial:
        if argument.name == value.name:
            start = _start(world, instance, parent, argument)
            w = written  # `replace` would take four times as long
            found = Attributes(start, True, w.unit, w.minimum, w.maximum, w.nominal, w.state, argument.span, w.unit_at)
            return found if written.unit is not None else with_unit_of(found, argument.value, argument.span)
    return written


def initial_derivatives(world: World, instance: Instance) -> Iterator[Equation]:
    """`(ic w=1)` of a place of a ladder is an initial equation: a derivative has no start value of its own."""
    item, parent = instance.item, instance.parent
    if item is None or parent is None:
        return
    for argument in item.initial:
        value = instance.template.values.get(argument.name)
        if value is not None and value.of is not None and argument.name in instance.values:
            start = _start(world, instance, parent, argument)
            origin = Origin(argument.span, instance.path)
            yield Equation(instance.values[argument.name], start, origin)


def _start(world: World, instance: Instance, parent: Instance, argument: ast.Argument) -> Expr:
    declared = instance.template.values[argument.name]
    scope = InstanceScope(world, parent, parent.template.use)
    scope = scope.for_value(argument.value, unit_of(declared.written))
    shape = instance.values[argument.name].shape
    given = argument_value(argument.value, scope, instance, shape)
    known_value(given, argument, scope, declared.type)
    return fitting(given, argument, shape)
