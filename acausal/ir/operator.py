"""Operators on scalars as data: a row of the table `ir/ops`, and what makes expressions of them."""

from collections.abc import Callable
from enum import Enum
from typing import Protocol, TypeVar

from acausal.base.frozen import record
from acausal.ir.kinds import ScalarOp

Value = float | bool


E = TypeVar("E")


class Builder(Protocol[E]):
    """Whatever makes expressions of operators: a `Pool`."""

    zero: E

    def const(self, value: float, /) -> E:
        """Number."""
        ...

    def neg(self, x: E, /) -> E:
        """-x."""
        ...

    def add(self, *terms: E) -> E:
        """Sum."""
        ...

    def sub(self, x: E, y: E, /) -> E:
        """x - y."""
        ...

    def mul(self, *factors: E) -> E:
        """Product."""
        ...

    def div(self, x: E, y: E, /) -> E:
        """x/y."""
        ...

    def pow(self, x: E, y: E, /) -> E:
        """x^y."""
        ...

    def if_(self, condition: E, yes: E, no: E, /) -> E:
        """One of two values."""
        ...

    def call(self, function: ScalarOp, /, *args: E) -> E:
        """Any operator."""
        ...


class Partials(Protocol):
    """The derivatives with respect to the arguments."""

    def __call__(self, p: Builder[E], a: tuple[E, ...], /) -> tuple[E, ...]:
        """One of each argument."""
        ...


class Event(Enum):
    """Effect of a change of an operator's value on integration."""

    NONE = 0
    RELATION = 1
    KINK = 2
    JUMP = 3


@record(frozen=True, slots=True)
class Op:
    """One operator.

    `arity` is None for any number. `numpy` is the function or the sign in NumPy text, `llvm` an instruction, the
    condition of a comparison, an intrinsic or a function of the C library. `partials` gives the
    derivative with respect to each argument, `inverse` the function g with
    x = g(y) the only solution of f(x) = y for every y in the domain of g. `boolean` is true if the result is.
    """

    name: ScalarOp
    arity: int | None
    evaluate: Callable[..., Value]
    partials: Partials | None = None
    numpy: str = ""
    llvm: str = ""
    inverse: ScalarOp | None = None
    event: Event = Event.NONE
    boolean: bool = False
