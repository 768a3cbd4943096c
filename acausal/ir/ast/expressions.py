"""Expressions of the syntax tree, and what all its nodes have."""

from dataclasses import field

from acausal.base.frozen import record
from acausal.base.source import Span


@record(frozen=True, slots=True)
class Node:
    """Anything with a place in the text."""

    span: Span = field(compare=False, repr=False)


@record(frozen=True, slots=True)
class Number(Node):
    """A number as it was spelled."""

    text: str

    @property
    def value(self) -> float:
        """Value of the number."""
        return float(self.text)


@record(frozen=True, slots=True)
class Quantity(Node):
    """A number with an SI prefix, a unit or both, as `text` has it; prefix and unit may be empty."""

    text: str
    number: str
    prefix: str
    unit: str


@record(frozen=True, slots=True)
class String(Node):
    """A string, escapes resolved."""

    value: str


@record(frozen=True, slots=True)
class Boolean(Node):
    """`true` or `false`."""

    value: bool


@record(frozen=True, slots=True)
class Slice(Node):
    """`a:b` or `:` in an index."""

    start: "Expression | None"
    stop: "Expression | None"


@record(frozen=True, slots=True)
class Part(Node):
    """One name of a reference with its indices: `R[3]`."""

    name: str
    indices: "tuple[Expression | Slice, ...]" = ()


@record(frozen=True, slots=True)
class Reference(Node):
    """`a.b[2].x`: the last part is a value, those before it submodels."""

    parts: tuple[Part, ...]


@record(frozen=True, slots=True)
class Call(Node):
    """`f(x, y)`: a function of the language or of the user, also `der`, `new`, `init`."""

    name: str
    arguments: "tuple[Expression, ...]"


@record(frozen=True, slots=True)
class Unary(Node):
    """`-x`, `+x`, `not x`; `operator` is `-`, `+` or `not`."""

    operator: str
    operand: "Expression"


@record(frozen=True, slots=True)
class Sum(Node):
    """`a + b - c`: operators `+` and `-`, one fewer than operands."""

    operands: "tuple[Expression, ...]"
    operators: tuple[str, ...]


@record(frozen=True, slots=True)
class Product(Node):
    """`a*b/c`: operators `*`, `/` and `.*`, from the left, one fewer than operands."""

    operands: "tuple[Expression, ...]"
    operators: tuple[str, ...]


@record(frozen=True, slots=True)
class Power(Node):
    """`a^b`, which binds to the right and above unary minus."""

    base: "Expression"
    exponent: "Expression"


@record(frozen=True, slots=True)
class Compare(Node):
    """A relation; `operator` is one of `<`, `<=`, `>`, `>=`, `==`, `<>`."""

    operator: str
    left: "Expression"
    right: "Expression"


@record(frozen=True, slots=True)
class Logic(Node):
    """`a and b and c` or `a or b or c`."""

    operator: str
    operands: "tuple[Expression, ...]"


@record(frozen=True, slots=True)
class IfExpression(Node):
    """`if c then a elseif d then b else e`; branches are (condition, value)."""

    branches: "tuple[tuple[Expression, Expression], ...]"
    otherwise: "Expression"


@record(frozen=True, slots=True)
class ArrayLiteral(Node):
    """`[a, b; c, d]`: rows of items."""

    rows: "tuple[tuple[Expression, ...], ...]"


@record(frozen=True, slots=True)
class Comprehension(Node):
    """`[item for variable = start to stop]`; as an argument without brackets, `each` submodel of an array has one."""

    item: "Expression"
    variable: str
    start: "Expression"
    stop: "Expression"
    each: bool = False


@record(frozen=True, slots=True)
class Indexed(Node):
    """`(A*b)[2]`: elements of what is no name."""

    operand: "Expression"
    indices: "tuple[Expression | Slice, ...]"


Expression = (
    Number
    | Quantity
    | String
    | Boolean
    | Reference
    | Call
    | Unary
    | Sum
    | Product
    | Power
    | Compare
    | Logic
    | IfExpression
    | ArrayLiteral
    | Comprehension
    | Indexed
)
