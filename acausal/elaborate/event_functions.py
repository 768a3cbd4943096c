"""`new(k)`, `sample(start, interval)`, `initial()`: what only events know."""

from collections.abc import Sequence

from acausal.elaborate.arrays import as_scalar
from acausal.elaborate.mistakes import mistake
from acausal.elaborate.scalar_functions import need_arguments
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.types import need_numbers
from acausal.ir import ast
from acausal.ir.expr import Expr


def new(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """The value of a discrete variable after the event; E001 for anything else."""
    need_arguments(node, 1)
    variable = arguments[0]
    if (variable.args[0] if variable.op == "index" else variable).op != "variable":
        raise mistake(
            "E001",
            "new(...) takes a discrete variable",
            node.arguments[0].span,
            "no variable",
            hint="declare it: discrete k",
        )
    return scope.pool.node("new", (variable,), None, variable.shape)


def sample(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """True at the first time and then in even intervals; E002 where these change during a run."""
    need_arguments(node, 2)
    need_numbers("sample", node.arguments, arguments, scope)
    times = [as_scalar(scope.pool, "sample", e, n.span) for e, n in zip(arguments, node.arguments, strict=True)]
    for time, written in zip(times, node.arguments, strict=True):
        if time.varies:
            hint = "sample takes numbers and parameters: sample(0, 0.01)"
            raise mistake("E002", "the times of sample cannot change during a run", written.span, hint=hint)
    return scope.pool.node("sample", tuple(times))


def initial(node: ast.Call, _: Sequence[Expr], scope: Scope) -> Expr:
    """True in the first instant."""
    need_arguments(node, 0)
    return scope.pool.node("initial", ())


def init(node: ast.Call, _: Sequence[Expr], __: Scope) -> Expr:
    """E003: `init` stands on the left of an equation inside `when`."""
    raise mistake(
        "E003",
        "init(...) stands alone on the left side of an equation inside when",
        node.span,
        hint="write: when v < 0 then, init(v) = -e*v, endwhen, each on a line of its own",
    )


EVENT_FUNCTIONS = {"new": new, "sample": sample, "initial": initial, "init": init}
