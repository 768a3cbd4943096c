"""Equations, events, and what holds statements: classes and files."""

from dataclasses import field

from acausal.base.frozen import record
from acausal.base.source import Span
from acausal.ir.ast.connections import Close, Connect, CutDeclaration, PathDeclaration
from acausal.ir.ast.declarations import (
    Argument,
    ClassReference,
    DefaultDeclaration,
    ExperimentDeclaration,
    NodeDeclaration,
    SubmodelDeclaration,
    ValueDeclaration,
)
from acausal.ir.ast.expressions import Expression, Node, Part
from acausal.ir.kinds import ClassKind, ConditionKind


@record(frozen=True, slots=True)
class Equation(Node):
    """`left = right`, with the derivatives given by hand and a description."""

    left: Expression
    right: Expression
    derivatives: tuple[tuple[Expression, Expression], ...] = ()
    description: str | None = None


@record(frozen=True, slots=True)
class InitialEquation(Node):
    """`initial left = right`."""

    left: Expression
    right: Expression
    description: str | None = None


@record(frozen=True, slots=True)
class Condition(Node):
    """`assert(condition, "text")` or `terminate(...)`; `kind` is which."""

    kind: ConditionKind
    condition: Expression
    text: str


@record(frozen=True, slots=True)
class When(Node):
    """`when c then ... elsewhen d then ... endwhen`: (condition, items)."""

    branches: "tuple[tuple[Expression, tuple[Item, ...]], ...]"


@record(frozen=True, slots=True)
class If(Node):
    """`if c then ... endif` around equations: (condition, items), and the `else` items."""

    branches: "tuple[tuple[Expression, tuple[Item, ...]], ...]"
    otherwise: "tuple[Item, ...] | None"


@record(frozen=True, slots=True)
class For(Node):
    """`for variable = start to stop` ... `endfor`."""

    variable: str
    start: Expression
    stop: Expression
    items: "tuple[Item, ...]"


@record(frozen=True, slots=True)
class Include(Node):
    """`@file as name`."""

    file: str
    prefix: str | None = None


@record(frozen=True, slots=True)
class Function(Node):
    """`function f(x, y) = expression`."""

    name: str
    parameters: tuple[Part, ...]
    body: Expression
    description: str | None = None


@record(frozen=True, slots=True)
class Super(Node):
    """A superclass with changed parameter values: `Frame(n=1)`."""

    class_: ClassReference
    arguments: tuple[Argument, ...] = ()


@record(frozen=True, slots=True)
class ClassParameter(Node):
    """`Motor = DcMotor` in `model class Drive <Motor = DcMotor>`."""

    name: str
    default: ClassReference | None = None


@record(frozen=True, slots=True)
class Class(Node):
    """`kind` is `model class`, `model type` or `model`; `name_span` is where the name stands.

    `excluded` are names that the file of a class from elsewhere has and the class has not, with hints.
    """

    kind: ClassKind
    name: str
    supers: tuple[Super, ...]
    parameters: tuple[ClassParameter, ...]
    items: "tuple[Item, ...]"
    name_span: Span = field(compare=False)
    excluded: tuple[tuple[str, str], ...] = field(default=(), compare=False)


Item = (
    ValueDeclaration
    | DefaultDeclaration
    | NodeDeclaration
    | SubmodelDeclaration
    | ExperimentDeclaration
    | CutDeclaration
    | PathDeclaration
    | Connect
    | Close
    | Equation
    | InitialEquation
    | Condition
    | When
    | If
    | For
    | Include
    | Function
    | Class
)


@record(frozen=True, slots=True)
class File(Node):
    """One file: includes, classes, models and functions in order."""

    units: tuple[Include | Function | Class, ...]
