"""Functions of the classes that are made for functional mock-up units (`elaborate/classes/fmu_classes`)."""

from collections.abc import Sequence

from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.values.arrays import as_scalar
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.external import FmuFile


def unit(_: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """`$file(path, digest, is for Co-Simulation)`: the number of a running unit."""
    path, digest, cosimulation = [argument.value for argument in arguments]
    return scope.pool.node("unit", (), FmuFile(str(path), str(digest), cosimulation is True))


def unit_value(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """`$value(function, unit, x, y, ...)`: the value of a function of a unit."""
    pool = scope.pool
    given = [as_scalar(pool, "external", e, n.span) for e, n in zip(arguments, node.arguments, strict=True)]
    return pool.call("external", *given)
