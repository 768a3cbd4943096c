"""Declarations of values, nodes, submodels and experiments."""

from acausal.base.frozen import record
from acausal.ir.ast.expressions import Expression, Node
from acausal.ir.kinds import DeclarationKind, ValueType


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
    """`el.Drive<Servo>`: a dotted name and class arguments; `fmu "file.fmu"`: the class that is made from a file."""

    names: tuple[str, ...]
    arguments: "tuple[ClassReference, ...]" = ()
    file: str | None = None


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
