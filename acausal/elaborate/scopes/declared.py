"""A parameter as an instance declares it, and its binding."""

from typing import Protocol

from acausal.base.frozen import record
from acausal.base.source import Span
from acausal.ir.ast import Argument
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes
from acausal.ir.model.classes import Value
from acausal.ir.model.instance import Instance
from acausal.ir.origin import Origin


class Binder(Protocol):
    """Knows the scopes in which bindings and attributes of parameters are written."""

    def bind(self, declared: "Declared") -> Expr | None:
        """Binding of a parameter, None where the user must give it."""

    def attributes(self, declared: "Declared") -> Attributes:
        """The attributes of a parameter."""

    def with_implied_unit(self, declared: "Declared", attributes: Attributes) -> Attributes:
        """The attributes of a parameter without unit, with that of the value it is given."""


@record(frozen=True, slots=True, eq=False)
class Declared:
    """A parameter before its value is known; `argument` is what its submodel is given for it."""

    symbol: Expr
    value: Value
    instance: Instance
    argument: Argument | None
    binder: Binder

    def bind(self) -> Expr | None:
        """Binding of the parameter, None where the user must give it."""
        return self.binder.bind(self)

    @property
    def span(self) -> Span:
        """Place that gives the value."""
        return self.value.span if self.argument is None else self.argument.span

    @property
    def origin(self) -> Origin:
        """Origin of the value."""
        return Origin(self.span, self.instance.path)

    @property
    def place(self) -> Span:
        """Place where a value would be given: at the submodel, in the model itself at the declaration."""
        return self.span if self.instance.item is None else self.instance.item.span
