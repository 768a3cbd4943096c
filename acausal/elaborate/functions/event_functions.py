"""`new(k)`, `sample(start, interval)`, `initial()`, `delay(x, T)`: what the values of one instant do not determine."""

from collections.abc import Sequence

from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.functions.scalar_functions import need_arguments
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.values.arrays import as_scalar, pick, size
from acausal.elaborate.values.types import need_numbers
from acausal.ir import ast
from acausal.ir.expr import Expr


def new(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """The value of a discrete variable after the event; E001 for anything else."""
    need_arguments(node, 1)
    variable = arguments[0]
    if (variable.args[0] if variable.op == "index" else variable).op != "variable":
        raise mistake(
            "E001",
            "new(...) requires a discrete variable",
            node.arguments[0].span,
            "not a variable",
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
            hint = "sample requires numbers and parameters: sample(0, 0.01)"
            raise mistake("E002", "the times of sample cannot change during a run", written.span, hint=hint)
    return scope.pool.node("sample", tuple(times))


def initial(node: ast.Call, _: Sequence[Expr], scope: Scope) -> Expr:
    """True in the first instant."""
    need_arguments(node, 0)
    return scope.pool.node("initial", ())


def delay(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """Value of `x` the time `T` ago, for arrays item by item; E014 where T changes during a run."""
    need_arguments(node, 2)
    need_numbers("delay", node.arguments, arguments, scope)
    pool, x = scope.pool, arguments[0]
    time = as_scalar(pool, "delay", arguments[1], node.arguments[1].span)
    if time.varies:
        hint = "delay requires a number or an expression in parameters: delay(x, T)"
        raise mistake("E014", "the delay time cannot change during a run", node.arguments[1].span, hint=hint)
    if time.op == "const" and not time.number > 0:
        hint = "the delay time is the second argument: delay(x, 0.1)"
        raise mistake("E014", "the delay time must be positive", node.arguments[1].span, hint=hint)
    if not x.shape:
        return pool.node("delay", (x, time))
    items = [pick(pool, x, (i,), ()) for i in range(size(x.shape))]
    return pool.node("array", tuple([pool.node("delay", (item, time)) for item in items]), None, x.shape)


def init(node: ast.Call, _: Sequence[Expr], __: Scope) -> Expr:
    """E003: `init` stands on the left of an equation inside `when`."""
    raise mistake(
        "E003",
        "init(...) must be the whole left side of an equation inside when",
        node.span,
        hint="write when v < 0 then, init(v) = -e*v, endwhen, each on a separate line",
    )


EVENT_FUNCTIONS = {"new": new, "sample": sample, "initial": initial, "init": init, "delay": delay}
