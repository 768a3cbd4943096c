"""Abstract syntax tree: the text as written, without interpretation.

Every node carries its `span`, which does not count in equality, so that
`parse(unparse(tree)) == tree` can be tested. Sums and products are n-ary, so the
depth of a tree is the depth of nesting in the text, which is limited.
"""

from dataclasses import field

from acausal.base.frozen import record
from acausal.base.source import Span
from acausal.ir.kinds import ClassKind, ConditionKind, DeclarationKind, ValueType


@record(frozen=True, slots=True)
class Node:
    """Anything with a place in the text."""

    span: Span = field(compare=False, repr=False)


# ---------------------------------------------------------------- expressions


@record(frozen=True, slots=True)
class Number(Node):
    """A number as it was spelled."""

    text: str

    @property
    def value(self) -> float:
        """Value of the number."""
        return float(self.text)


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


Expression = (
    Number
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
)

# --------------------------------------------------------------- declarations


@record(frozen=True, slots=True)
class Argument(Node):
    """`name = value` in parentheses: a submodel argument or an attribute."""

    name: str
    value: Expression


@record(frozen=True, slots=True)
class Declarator(Node):
    """One name of a declaration: type, dimensions, attributes, `= value`, description."""

    name: str
    type: ValueType | None = None
    dimensions: tuple[Expression, ...] = ()
    attributes: tuple[Argument, ...] = ()
    value: Expression | None = None
    description: str | None = None


@record(frozen=True, slots=True)
class ValueDeclaration(Node):
    """`kind` is parameter, constant, local, terminal, input, output, internal, external or discrete."""

    kind: DeclarationKind
    declarators: tuple[Declarator, ...]


@record(frozen=True, slots=True)
class DefaultDeclaration(Node):
    """`default phi = 0, ...`."""

    defaults: tuple[Argument, ...]
    description: str | None = None


@record(frozen=True, slots=True)
class NodeDeclaration(Node):
    """`node n0, n[5]`: names with dimensions, kept as declarators."""

    declarators: tuple[Declarator, ...]


@record(frozen=True, slots=True)
class ClassReference(Node):
    """`el.Drive<Servo>`: a dotted name and class arguments."""

    names: tuple[str, ...]
    arguments: "tuple[ClassReference, ...]" = ()


@record(frozen=True, slots=True)
class SubmodelItem(Node):
    """One instance: `C[10](C=1e-6) (ic u=0) "text"`."""

    name: str
    dimensions: tuple[Expression, ...] = ()
    arguments: tuple[Argument, ...] = ()
    initial: tuple[Argument, ...] = ()
    description: str | None = None


@record(frozen=True, slots=True)
class SubmodelDeclaration(Node):
    """`submodel (Class) a(p=1), b`."""

    class_: ClassReference
    items: tuple[SubmodelItem, ...]


@record(frozen=True, slots=True)
class ExperimentDeclaration(Node):
    """`experiment (stop=10, ...)`."""

    arguments: tuple[Argument, ...]
    description: str | None = None


# ------------------------------------------------------- cuts, paths, connect


@record(frozen=True, slots=True)
class CutReference(Node):
    """`a.b:cut.part`: the object before the colon (or the only name), the cut behind it (or nothing)."""

    object: tuple[Part, ...]
    cut: tuple[Part, ...] = ()


@record(frozen=True, slots=True)
class NothingPlace(Node):
    """`.`: nothing here."""


@record(frozen=True, slots=True)
class VariablePlace(Node):
    """`x`, `T[3,3]`, `-f[6]`: declares the variable."""

    name: str
    dimensions: tuple[Expression, ...] = ()
    negative: bool = False


@record(frozen=True, slots=True)
class LadderPlace(Node):
    """`qd = der(q)` or `der(q, 2)`: the derivative of the first place; `name` may be missing."""

    name: str | None
    of: str
    order: int = 1


Place = NothingPlace | VariablePlace | LadderPlace


@record(frozen=True, slots=True)
class PlacesCut(Node):
    """`A (Va / i) closing X root`. `[...]`-free: may turn out to be a group if all names are cuts."""

    name: str
    across: tuple[Place, ...]
    through: tuple[Place, ...]
    closing: ClassReference | None = None
    root: bool = False
    description: str | None = None


@record(frozen=True, slots=True)
class GroupCut(Node):
    """`control [mech, elec]`: a hierarchical cut; parts are names with their spans."""

    name: str
    parts: tuple[Part, ...]
    closing: ClassReference | None = None
    root: bool = False
    description: str | None = None


@record(frozen=True, slots=True)
class ExportedCut(Node):
    """`base = r1:A`: a submodel's cut under a name of its own."""

    name: str
    target: CutReference
    description: str | None = None


Cut = PlacesCut | GroupCut | ExportedCut


@record(frozen=True, slots=True)
class CutDeclaration(Node):
    """`main cut A (...), B (...)`."""

    main: bool
    cuts: tuple[Cut, ...]


@record(frozen=True, slots=True)
class PathItem(Node):
    """`p <A - B>`; a main path may go without name."""

    name: str | None
    first: CutReference
    last: CutReference
    description: str | None = None


@record(frozen=True, slots=True)
class PathDeclaration(Node):
    """`main path p <A - B>`."""

    main: bool
    paths: tuple[PathItem, ...]


@record(frozen=True, slots=True)
class Series(Node):
    """`X - Y to Z`."""

    items: "tuple[ConnectExpression, ...]"


@record(frozen=True, slots=True)
class Parallel(Node):
    """`X // Y par Z`."""

    items: "tuple[ConnectExpression, ...]"


@record(frozen=True, slots=True)
class Reversed(Node):
    """`reversed X`, `\\X`."""

    item: "ConnectExpression"


@record(frozen=True, slots=True)
class Loop(Node):
    """`loop (X - Y)`."""

    item: "ConnectExpression"


@record(frozen=True, slots=True)
class Join(Node):
    """`join (a, b, c)`."""

    items: "tuple[ConnectExpression, ...]"


@record(frozen=True, slots=True)
class Branch(Node):
    """`branch (a, b, c)`."""

    items: "tuple[ConnectExpression, ...]"


ConnectExpression = CutReference | Series | Parallel | Reversed | Loop | Join | Branch


@record(frozen=True, slots=True)
class Connection(Node):
    """One connection of a statement.

    `at` is None for `X - Y`; one place for `X at n`; several for
    `X at (n1, n2)` and `X from n1 to n2`; `grouped` distinguishes `at (n)` from `at n`.
    """

    item: ConnectExpression
    at: tuple[CutReference, ...] | None = None
    grouped: bool = False


@record(frozen=True, slots=True)
class Connect(Node):
    """`connect X - Y, b at n`."""

    connections: tuple[Connection, ...]


@record(frozen=True, slots=True)
class Close(Node):
    """`close X at Y`: connect, and cut the loop at X."""

    item: CutReference
    at: CutReference


# ------------------------------------------------------------------ behaviour


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


# ------------------------------------------------------------- units of text


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
    """`kind` is `model class`, `model type` or `model`; `name_span` is where the name stands."""

    kind: ClassKind
    name: str
    supers: tuple[Super, ...]
    parameters: tuple[ClassParameter, ...]
    items: "tuple[Item, ...]"
    name_span: Span = field(compare=False)


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
