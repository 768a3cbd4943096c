"""Bindings of parameters: a value given with --set, else an argument of the submodel, else the declaration."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from weakref import ref

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.given_values import need_type, number_of
from acausal.elaborate.broadcast import broadcast, count, first_element
from acausal.elaborate.classes.attributes import attributes_of, unit_of, with_unit_of
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scopes.arguments import argument_value, has_items
from acausal.elaborate.scopes.declared import Declared
from acausal.elaborate.scopes.expression_templates import expression
from acausal.elaborate.scopes.scope import InstanceScope, World
from acausal.elaborate.values.arrays import pick
from acausal.elaborate.values.types import need_declared
from acausal.ir import ast
from acausal.ir.expr import Expr, Shape
from acausal.ir.flat import Attributes
from acausal.ir.model.classes import Value
from acausal.ir.model.instance import Instance
from acausal.ir.names import show_name
from acausal.ir.pool import Pool
from acausal.units.convert import si_unit
from acausal.units.given_quantity import GivenQuantity


class Bindings:
    """Looks bindings and attributes of parameters up where they stand; `given` are values by name.

    The reference to the world is weak, as its parameters ask here for their bindings. The last argument that was
    spread over an array of submodels is kept: elements ask one after the other.
    """

    def __init__(self, world: World, given: Mapping[str, float]) -> None:
        self._world = ref(world)
        self.given = given
        self._shared: tuple[Instance, ast.Expression, Value, Expr] | None = None

    @property
    def world(self) -> World:
        """State shared by all scopes."""
        found = self._world()
        assert found is not None
        return found

    def bind(self, declared: Declared) -> Expr | None:
        """Binding of the parameter; None where the user must give it."""
        if not self.given:
            return self._written(declared)
        number = self.given.get(show_name(declared.symbol.name))
        if number is not None:
            return self._given_number(number, declared)
        elements = given_elements(self.given, declared.symbol)
        return self._with_elements(elements, declared) if elements else self._written(declared)

    def _written(self, declared: Declared) -> Expr | None:
        """Binding of the parameter in the text."""
        instance, symbol, argument = declared.instance, declared.symbol, declared.argument
        written, parent = declared.value.binding, instance.parent
        if argument is not None and parent is not None:
            node, where, home = argument.value, parent, parent.template.use
        elif written is not None:
            node, where, home = written.node, instance, written.home
        else:
            return None
        pool = self.world.pool
        if isinstance(node, ast.Number) and not symbol.shape and declared.value.type == "real":  # nearly all
            return pool.const(node.value)
        last = self._shared
        if last is not None and last[0] is where and last[1] is node and last[2] is declared.value:
            return _fitting(pool, broadcast(pool, last[3], instance, symbol.shape), symbol, node)
        scope = InstanceScope(self.world, where, home).for_value(node, unit_of(declared.value.written))
        given: Expr | None = None
        if argument is None:
            bound = expression(node, scope)
        elif not instance.dimensions or has_items(node):
            bound = argument_value(node, scope, instance, symbol.shape)
        else:  # the same for all elements of the array
            given = expression(node, scope)
            bound = broadcast(pool, given, instance, symbol.shape)
        need_declared(show_name(symbol.name), declared.value.type, bound, node.span, scope)
        if given is not None:
            self._shared = where, node, declared.value, given
        return _fitting(pool, bound, symbol, node)

    def attributes(self, declared: Declared) -> Attributes:
        """The attributes of a parameter that hold expressions."""
        scope = InstanceScope(self.world, declared.instance, declared.value.home)
        return attributes_of(declared.value.written, scope, declared.symbol.shape, declared.value.type)

    def with_implied_unit(self, declared: Declared, attributes: Attributes) -> Attributes:
        """The attributes of a parameter without unit, with that of the value it is given: `amplitude=5 mA` is in A."""
        number = self.given.get(show_name(declared.symbol.name)) if self.given else None
        if isinstance(number, GivenQuantity):
            return replace(attributes, unit=si_unit(number.parts[2]), unit_at=declared.value.span)
        if declared.argument is None or number is not None:
            return attributes
        return with_unit_of(attributes, declared.argument.value, declared.argument.span)

    def _given_number(self, number: float, declared: Declared) -> Expr:
        """A value given with --set; UsageError T014 for one of another type, N033 for an array."""
        symbol, pool = declared.symbol, self.world.pool
        name = show_name(symbol.name)
        value = self._given_value(name, number, declared)
        if symbol.shape and count(symbol.shape) != 1:
            shape = ", ".join(map(str, symbol.shape))
            message = f"{name} is an array [{shape}]: a single number cannot be its value"
            hint = f"set each element: --set '{first_element(symbol)}=...'"
            raise UsageError(Diagnostic("N033", message, Label(declared.value.span), help=hint))
        return pool.node("array", (value,), None, symbol.shape) if symbol.shape else value

    def _with_elements(self, elements: Mapping[int, str], declared: Declared) -> Expr | None:
        """The array with the values given for these elements; None where others have no value."""
        symbol, pool = declared.symbol, self.world.pool
        base, size = self._written(declared), count(symbol.shape)
        if base is None and len(elements) < size:
            return None
        items = {} if base is None else {i: pick(pool, base, (i,), ()) for i in range(size)}
        items |= {i: self._given_value(name, self.given[name], declared) for i, name in elements.items()}
        return pool.node("array", tuple([items[i] for i in range(size)]), None, symbol.shape)

    def _given_value(self, name: str, number: float, declared: Declared) -> Expr:
        """The constant that a parameter, or one of its elements, is given; UsageError T014 for one of another type."""
        type_, pool = declared.value.type, self.world.pool
        label = Label(declared.value.span, "declared here")
        if isinstance(number, GivenQuantity):
            number = number.in_unit(name, unit_of(declared.value.written), label)
        need_type(name, type_, number_of(name, number), label)
        return pool.boolean(bool(number)) if type_ == "boolean" else pool.const(float(number))


def given_elements(given: Mapping[str, float], symbol: Expr) -> dict[int, str]:
    """The elements of an array parameter that are given values: their names by flat position."""
    start = show_name(symbol.name) + "["
    if not symbol.shape or not any(name.startswith(start) for name in given):
        return {}
    indices = product(*(range(1, n + 1) for n in symbol.shape))
    names = {i: show_name((*symbol.name, *at)) for i, at in enumerate(indices)}
    return {i: name for i, name in names.items() if name in given}


def _fitting(pool: Pool, bound: Expr, symbol: Expr, node: ast.Expression) -> Expr:
    """The value in the shape of its parameter: an array of one element and a scalar are interchangeable."""
    if bound.shape == symbol.shape:
        return bound
    if count(bound.shape) == count(symbol.shape) == 1:
        item = pool.node("index", (bound,), (0,), ()) if bound.shape else bound
        return pool.node("array", (item,), None, symbol.shape) if symbol.shape else item
    have, want = (_shape_text(s) for s in (bound.shape, symbol.shape))
    raise mistake(
        "T001",
        f"{show_name(symbol.name)} is {want}, but its value {have}",
        node.span,
        "of another shape",
        hint="give a value of its shape",
    )


def _shape_text(shape: Shape) -> str:
    if not shape:
        return "one number"
    return f"an array of {' by '.join(map(str, shape))} element{'s' * (shape != (1,))}"
