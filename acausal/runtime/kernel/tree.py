"""The typed tree of kernels: what `check` makes and printers print."""

from typing import NamedTuple

from acausal.base.frozen import record
from acausal.runtime.kernel.types import RoutineType, Scalar, Type

# ------------------------------------------------------------------ expressions


class Literal(NamedTuple):
    """A number or truth value, with its name if it is a constant of the module."""

    value: float | int | bool
    type: Type
    name: str = ""


class Local(NamedTuple):
    """A parameter or local variable."""

    name: str
    type: Type


class Field(NamedTuple):
    """A field of a structure: the one of this number."""

    base: "Expression"
    number: int
    name: str
    type: Type


class Element(NamedTuple):
    """Element of an array."""

    array: "Expression"
    position: "Expression"
    type: Type


class Tail(NamedTuple):
    """The elements of an array from this one on: the address of the first."""

    array: "Expression"
    start: "Expression"
    type: Type


class Overlaid(NamedTuple):
    """The structure that lies in an array from this element on."""

    array: "Expression"
    start: "Expression"
    type: Type


class Unary(NamedTuple):
    """`op` is - or not."""

    op: str
    operand: "Expression"
    type: Type


class Binary(NamedTuple):
    """`op` is one of + - * / for Real, + - * & ^ << for Int, with operands of its type."""

    op: str
    left: "Expression"
    right: "Expression"
    type: Type


class Comparison(NamedTuple):
    """`op` is one of < <= > >= == !=; the operands have the same type."""

    op: str
    left: "Expression"
    right: "Expression"
    type: Type = Scalar.BOOL


class Logic(NamedTuple):
    """`op` is `and` or `or`; later parts are evaluated only if need be."""

    op: str
    parts: "tuple[Expression, ...]"
    type: Type = Scalar.BOOL


class Choice(NamedTuple):
    """`yes if test else no`."""

    test: "Expression"
    yes: "Expression"
    no: "Expression"
    type: Type


class Convert(NamedTuple):
    """A value as another type.

    Int or Bool to Real, Real towards 0 to Int, Int from or to CInt, a structure to its base, an array in it to Reals.
    """

    operand: "Expression"
    type: Type


class Primitive(NamedTuple):
    """One of the functions of the language."""

    name: str
    arguments: "tuple[Expression, ...]"
    type: Type


class Call(NamedTuple):
    """Call of a kernel."""

    name: str
    arguments: "tuple[Expression, ...]"
    type: Type


class Invoke(NamedTuple):
    """Call of a routine by its address."""

    routine: Field | Local
    signature: RoutineType
    arguments: "tuple[Expression, ...]"
    type: Type


Expression = (
    Literal
    | Local
    | Field
    | Element
    | Tail
    | Overlaid
    | Unary
    | Binary
    | Comparison
    | Logic
    | Choice
    | Convert
    | Primitive
    | Call
    | Invoke
)

# ------------------------------------------------------------------ statements


class Assign(NamedTuple):
    """A local variable gets a value."""

    name: str
    value: Expression


class Store(NamedTuple):
    """A field or element gets a value."""

    place: Field | Element
    value: Expression


class Evaluate(NamedTuple):
    """A call whose result is not used."""

    value: Expression


class If(NamedTuple):
    """`if` with its `else`, which may be empty."""

    test: Expression
    yes: "tuple[Statement, ...]"
    no: "tuple[Statement, ...]"


class While(NamedTuple):
    """`while`."""

    test: Expression
    body: "tuple[Statement, ...]"


class For(NamedTuple):
    """`for name in range(first, end)`: both are evaluated once."""

    name: str
    first: Expression
    end: Expression
    body: "tuple[Statement, ...]"


class Return(NamedTuple):
    """`return`."""

    value: Expression | None


class Break(NamedTuple):
    """`break`."""


class Continue(NamedTuple):
    """`continue`."""


Statement = Assign | Store | Evaluate | If | While | For | Return | Break | Continue


@record(frozen=True, slots=True)
class Origin:
    """Module and line of a kernel, and the first line of its docstring."""

    module: str
    line: int
    summary: str


@record(frozen=True, slots=True)
class Function:
    """A kernel; `variables` are its local variables."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    result: Type
    variables: tuple[tuple[str, Type], ...]
    body: tuple[Statement, ...]
    origin: Origin
