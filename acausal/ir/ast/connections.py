"""Cuts, paths and connect statements."""

from acausal.base.frozen import record
from acausal.ir.ast.declarations import ClassReference
from acausal.ir.ast.expressions import Expression, Node, Part


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
