"""The tree of instances: every submodel of the model with its names bound.

model RC                        RC
  submodel (resistor) R(R=5)      R: template resistor, values {R: parameter R.R, i: variable R.i, ...}
  submodel (ground) G             G: template ground
"""

from collections.abc import Callable
from dataclasses import field

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import no_reference, record
from acausal.ir import ast
from acausal.ir.expr import Expr, Shape
from acausal.ir.flat_connections import Loop
from acausal.ir.model.classes import SimpleCut, Template
from acausal.ir.names import Name
from acausal.ir.origin import Origin
from acausal.ir.pool import Pool

Index = tuple[int, ...]


@record(frozen=True, slots=True, eq=False, weakref_slot=True)
class Instance:
    """One submodel, or the model itself; the reference to the one around it is weak, the root holds all.

    `item` is its declaration, None for the model itself; `index` and `dimensions` its
    place in an array of submodels. `values` gives the expression of each name: a leaf,
    or what a constant stands for. `children` are submodels and arrays of them. `broken` are names whose declarations
    are wrong in this instance.
    """

    template: Template
    path: Name
    parent_ref: "Callable[[], Instance | None]" = no_reference
    item: ast.SubmodelItem | None = None
    index: Index = ()
    dimensions: Shape = ()
    values: dict[str, Expr] = field(default_factory=dict)
    children: "dict[str, Instance | SubmodelArray]" = field(default_factory=dict)
    nodes: dict[str, Shape] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def is_broken(self, name: str) -> bool:
        """True if a declaration of this name is wrong, so that nothing has the name."""
        return name in self.broken or name in self.template.broken

    @property
    def parent(self) -> "Instance | None":
        """The instance that this one is declared in."""
        return self.parent_ref()


@record(frozen=True, slots=True, eq=False)
class SubmodelArray:
    """An array of submodels, row by row; indices count from 1."""

    dimensions: Shape
    elements: tuple[Instance, ...]


@record(frozen=True, slots=True)
class CutEnd:
    """A simple cut of an instance; `inside` if it is the enclosing model's own, seen from within."""

    instance: Instance
    cut: SimpleCut
    inside: bool

    @property
    def name(self) -> Name:
        """Path of the instance, then the cut."""
        return (*self.instance.path, self.cut.name)


@record(frozen=True, slots=True)
class NodeEnd:
    """A node of an instance, or a part of it where hierarchical cuts meet."""

    instance: Instance
    name: Name


@record(frozen=True, slots=True)
class JoinedSet:
    """The ends at one point, and the statements that joined them, both in the order of the text."""

    ends: tuple[CutEnd | NodeEnd, ...]
    statements: tuple[Origin, ...]
    _cuts: tuple[CutEnd, ...] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def cuts(self) -> tuple[CutEnd, ...]:
        """The ends that are cuts."""
        found = self._cuts
        if found is None:
            found = tuple([e for e in self.ends if isinstance(e, CutEnd)])
            object.__setattr__(self, "_cuts", found)
        return found


@record(frozen=True, slots=True)
class KnownUnknown:
    """Variables the user has made known (whole ones, and elements of arrays by their names) and unknown."""

    known: tuple[Expr, ...] = ()
    elements: tuple[Name, ...] = ()
    unknown: tuple[Expr, ...] = ()


@record(frozen=True, slots=True)
class Binding:
    """The value that a former parameter is bound to."""

    symbol: Expr
    value: Expr
    origin: Origin


@record(frozen=True, slots=True, eq=False)
class Tree:
    """All instances, parents first, children in the order of the text, and what is joined.

    Parameters made unknown are variables; `guesses` are their usual values, `bindings` those of parameters that
    depend on them and are variables too.
    """

    pool: Pool
    root: Instance
    instances: tuple[Instance, ...]
    sets: tuple[JoinedSet, ...]
    loops: tuple[Loop, ...]
    roles: KnownUnknown = KnownUnknown()
    notes: tuple[Diagnostic, ...] = ()
    bindings: tuple[Binding, ...] = ()
    guesses: tuple[Binding, ...] = ()
