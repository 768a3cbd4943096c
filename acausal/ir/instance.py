"""The tree of instances: every submodel of the model with its names bound.

    model RC                        RC
      submodel (resistor) R(R=5)      R: template resistor, values {R: parameter R.R, i: variable R.i, ...}
      submodel (ground) G             G: template ground
"""

from dataclasses import dataclass, field

from acausal.diagnostics import Diagnostic
from acausal.ir import ast
from acausal.ir.classes import Template
from acausal.ir.expr import Expr, Pool, Shape
from acausal.ir.flat import Parameter
from acausal.ir.names import Name

Index = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """One submodel, or the model itself.

    `item` is its declaration, None for the model itself; `index` and `dimensions` its
    place in an array of submodels. `values` gives the expression of each name: a leaf,
    or what a constant stands for. `children` are submodels and arrays of them.
    """

    template: Template
    path: Name
    parent: "Instance | None" = None
    item: ast.SubmodelItem | None = None
    index: Index = ()
    dimensions: Shape = ()
    values: dict[str, Expr] = field(default_factory=dict)
    children: "dict[str, Instance | SubmodelArray]" = field(default_factory=dict)
    nodes: dict[str, Shape] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class SubmodelArray:
    """An array of submodels, row by row; indices count from 1."""

    dimensions: Shape
    elements: tuple[Instance, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """All instances, parents first, children in the order of the text.

    `known` and `unknown` are the variables whose role the user has changed.
    """

    pool: Pool
    root: Instance
    instances: tuple[Instance, ...]
    parameters: tuple[Parameter, ...]
    known: tuple[Expr, ...]
    unknown: tuple[Expr, ...]
    notes: tuple[Diagnostic, ...] = ()
