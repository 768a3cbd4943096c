"""What parameters are bound to: a value given with --set, else an argument of the submodel, else the declaration."""

from collections.abc import Mapping
from weakref import ref

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.given_values import need_type, number_of
from acausal.elaborate.broadcast import count, spread
from acausal.elaborate.classes.attributes import attributes_of
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.types import need_declared
from acausal.elaborate.scopes.expression_templates import expression
from acausal.elaborate.scopes.parameters import Declared
from acausal.elaborate.scopes.scope import InstanceScope, World
from acausal.ir import ast
from acausal.ir.expr import Expr, Pool, Shape
from acausal.ir.flat import Attributes
from acausal.ir.names import show_name


class Bindings:
    """Looks bindings and attributes of parameters up where they stand; `given` are values by name.

    The reference to the world is weak, as its parameters ask here for their bindings.
    """

    def __init__(self, world: World, given: Mapping[str, float]) -> None:
        self._world = ref(world)
        self.given = given

    @property
    def world(self) -> World:
        """What all scopes share."""
        found = self._world()
        assert found is not None
        return found

    def bind(self, declared: Declared) -> Expr | None:
        """What gives the parameter its value; None where the user must give it."""
        instance, symbol, argument = declared.instance, declared.symbol, declared.argument
        number = self.given.get(show_name(symbol.name)) if self.given else None
        if number is not None:
            return self._given_number(number, declared)
        written = declared.value.binding
        if argument is not None and instance.parent is not None:
            node, where, home = argument.value, instance.parent, instance.parent.template.use
        elif written is not None:
            node, where, home = written.node, instance, written.home
        else:
            return None
        pool = self.world.pool
        if isinstance(node, ast.Number) and not symbol.shape and declared.value.type == "real":  # nearly all
            return pool.const(node.value)
        scope = InstanceScope(self.world, where, home)
        bound = expression(node, scope)
        need_declared(show_name(symbol.name), declared.value.type, bound, node.span, scope)
        return _fitting(pool, bound if argument is None else spread(pool, bound, instance, symbol.shape), symbol, node)

    def attributes(self, declared: Declared) -> Attributes:
        """The attributes of a parameter that hold expressions."""
        scope = InstanceScope(self.world, declared.instance, declared.value.home)
        return attributes_of(declared.value.written, scope, declared.symbol.shape, declared.value.type)

    def _given_number(self, number: float, declared: Declared) -> Expr:
        """A value given with --set; UsageError T014 for one of another type, N033 for an array."""
        symbol, pool = declared.symbol, self.world.pool
        name, type_ = show_name(symbol.name), declared.value.type
        need_type(name, type_, number_of(name, number), Label(declared.value.span, "declared here"))
        if symbol.shape and count(symbol.shape) != 1:
            shape = ", ".join(map(str, symbol.shape))
            message = f"{show_name(symbol.name)} is an array [{shape}]: one number cannot be its value"
            label = Label(declared.value.span)
            raise UsageError(Diagnostic("N033", message, label, help="change the value in the model"))
        value = pool.boolean(bool(number)) if type_ == "boolean" else pool.const(float(number))
        return pool.node("array", (value,), None, symbol.shape) if symbol.shape else value


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
