"""Classes: the files of a model, where names of classes are looked up, and classes with all they inherit.

`Library` (files, spaces of names) -> `Template` (one class, inheritance merged) -> `ir.instance`.
"""

from collections.abc import Callable
from dataclasses import field
from typing import Literal

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import no_reference, record
from acausal.base.source import Span
from acausal.ir import ast
from acausal.ir.expr import Shape
from acausal.ir.flat import Attributes
from acausal.ir.kinds import DeclarationKind, ValueType

# -------------------------------------------------------------------- library


@record(frozen=True, slots=True, eq=False, weakref_slot=True)
class Namespace:
    """The classes and functions whose names hold in one file with its includes, or inside one class.

    What is not found here is searched for in `outer`. `prefixes` are the files included
    as a name. `owner` is the class whose local names these are. References outward are weak: the library holds all.
    """

    outer_ref: "Callable[[], Namespace | None]" = no_reference
    owner_ref: "Callable[[], Definition | None]" = no_reference
    classes: "dict[str, Definition]" = field(default_factory=dict)
    functions: dict[str, ast.Function] = field(default_factory=dict)
    prefixes: "dict[str, Namespace]" = field(default_factory=dict)

    @property
    def outer(self) -> "Namespace | None":
        """The space around this one."""
        return self.outer_ref()

    @property
    def owner(self) -> "Definition | None":
        """The class whose local names these are."""
        return self.owner_ref()


@record(frozen=True, slots=True, eq=False, weakref_slot=True)
class Definition:
    """A class as written; `space` is where it stands, `inner` holds its local classes."""

    node: ast.Class
    space_ref: Callable[[], Namespace | None]
    inner: list[Namespace] = field(default_factory=list)

    @property
    def space(self) -> Namespace:
        """Namespace of the class: a namespace of the library, which holds it as long as classes are looked up."""
        found = self.space_ref()
        assert found is not None
        return found

    @property
    def names(self) -> Namespace:
        """Namespace in which names inside the class are looked up first."""
        return self.inner[0] if self.inner else self.space


@record(frozen=True, slots=True, eq=False)
class Library:
    """Everything that was read: the space of the main file, its models, and warnings.

    `space` has all classes. Included ones stand in spaces below `included`, from where names are looked up in `space`
    at last; `templates` are those of theirs that depend on no class of the main file, kept from earlier translations.
    """

    space: Namespace
    main: ast.File
    notes: tuple[Diagnostic, ...]
    included: Namespace
    templates: "dict[ClassUse, Template]"


# ------------------------------------------------------------------ templates


@record(frozen=True, slots=True)
class ClassUse:
    """A class with its class parameters settled, and those of the classes around it."""

    definition: Definition
    settled: "tuple[tuple[Definition, str, ClassUse], ...]" = ()

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.definition.node.name


@record(frozen=True, slots=True)
class Written:
    """An expression and the class it stands in, where its functions are looked up."""

    node: ast.Expression
    home: ClassUse


@record(frozen=True, slots=True, eq=False)
class Value:
    """A declared parameter, constant or variable.

    `kind` is a kind of declaration, or `cut` for a variable declared by a cut; `shape` is
    None where the dimensions must be computed. A variable declared as a place of a ladder
    is the derivative of order `order` of the variable `of`. `attributes` is None where
    they must be computed, and in classes that are not finished.
    """

    name: str
    kind: DeclarationKind | Literal["cut"]
    type: ValueType
    span: Span
    home: ClassUse
    dimensions: tuple[ast.Expression, ...] = ()
    shape: Shape | None = ()
    binding: Written | None = None
    written: tuple[ast.Argument, ...] = ()
    attributes: Attributes | None = None
    description: str | None = None
    of: str | None = None
    order: int = 0


@record(frozen=True, slots=True, eq=False)
class Submodel:
    """A declared submodel or array of submodels."""

    name: str
    item: ast.SubmodelItem
    class_: ClassUse
    home: ClassUse


@record(frozen=True, slots=True)
class Place:
    """A place of a simple cut: `name` is None for `.` and for a derivative without name.

    `order` is above 0 for the derivative of the first place (a ladder); `nothing` for `.`.
    """

    name: str | None
    sign: int = 1
    order: int = 0
    nothing: bool = False


@record(frozen=True, slots=True, eq=False)
class SimpleCut:
    """Across and through places."""

    name: str
    across: tuple[Place, ...]
    through: tuple[Place, ...]
    span: Span
    closing: ClassUse | None = None
    root: bool = False


@record(frozen=True, slots=True, eq=False)
class GroupCut:
    """A hierarchical cut: the names of its parts."""

    name: str
    parts: tuple[str, ...]
    span: Span


@record(frozen=True, slots=True, eq=False)
class ExportedCut:
    """A submodel's cut under a name of this class."""

    name: str
    target: ast.CutReference
    span: Span


Cut = SimpleCut | GroupCut | ExportedCut


@record(frozen=True, slots=True)
class Statement:
    """An equation, connect or other statement and the class it stands in."""

    node: ast.Item
    home: ClassUse


@record(frozen=True, slots=True)
class Default:
    """`default name = value`."""

    value: Written
    span: Span


@record(frozen=True, slots=True, eq=False)
class Template:
    """A class with everything it inherits; all instances of the class share it.

    `behaviour` holds equations and what is written around them, `connections` the
    connect statements; a `for` or `if` with connects in it stands in both. `by_need` has the
    values in the order in which they can be declared: parameters before what they may give a shape to. `broken` are
    names whose declarations are wrong. `lineage` has name and file of the class, then of all that it inherits.
    """

    use: ClassUse
    values: dict[str, Value]
    by_need: tuple[Value, ...]
    submodels: dict[str, Submodel]
    cuts: dict[str, Cut]
    paths: dict[str, ast.PathItem]
    nodes: dict[str, ast.Declarator]
    defaults: dict[str, Default]
    main_cut: str | None
    main_path: ast.PathItem | None
    behaviour: tuple[Statement, ...]
    connections: tuple[Statement, ...]
    experiment: ast.ExperimentDeclaration | None
    broken: frozenset[str] = frozenset()
    lineage: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.use.name
