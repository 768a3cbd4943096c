"""Representative of an alias class, and the attributes it takes from the others."""

from collections.abc import Iterable
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.base.source import Span
from acausal.ir.dae import Alias
from acausal.ir.expr import VARIES, Expr
from acausal.ir.flat import NO_ATTRIBUTES, Attributes, Variable
from acausal.ir.names import show_name
from acausal.ir.pool import Pool
from acausal.ir.show.expressions import show_expr

STATE_RANK = {"always": 0, "prefer": 1, "default": 2, "avoid": 3, "never": 4}


def preference(variable: Variable) -> tuple[int, ...]:
    """Small for variables that should stay: inputs, chosen states, those with start values, scalars, short names."""
    a = variable.attributes
    return (
        0 if variable.kind == "input" else 1,
        STATE_RANK[a.state],
        0 if a.fixed else 1 if a.start is not None else 2,
        1 if isinstance(variable.symbol.name[-1], int) else 0,
        0 if variable.kind in ("local", "output", "terminal") else 1,
        len(variable.symbol.name),
    )


def may_be_left_out(variable: Variable) -> bool:
    """True if no more is said of it than its unit, and equations alone give its values."""
    a = variable.attributes
    said = a.fixed, a.start, a.start_at, a.minimum, a.maximum, a.nominal
    return variable.kind not in ("input", "discrete") and a.state == "default" and not any(said)


def merged_attributes(pool: Pool, variables: Iterable[Variable], aliases: Iterable[Alias]) -> dict[Expr, Attributes]:
    """The attributes of the variables of which aliases say more than they do themselves (signs minded)."""
    variable_of = {v.symbol: v for v in variables}
    completed: dict[Expr, Attributes] = {}
    for alias in aliases:
        given = alias.variable.attributes
        if given is NO_ATTRIBUTES or not alias.value.flags & VARIES:
            continue
        factor, keeper = pool.split(alias.value)
        mine = variable_of.get(keeper)
        if mine is not None and _says_more(given, mine.attributes):
            completed[keeper] = _completed(pool, mine, alias.variable, factor)
            variable_of[keeper] = replace(mine, attributes=completed[keeper])
    return completed


def _says_more(other: Attributes, mine: Attributes) -> bool:
    """True if the attributes of an alias may complete those of the variable that stays."""
    if other.start is not None or other.fixed or other.nominal is not None or other.state != "default":
        return True
    return mine.unit is None and other.unit is not None


def _completed(pool: Pool, keeper: Variable, alias: Variable, factor: float) -> Attributes:
    mine, other = keeper.attributes, alias.attributes
    start = None if other.start is None else pool.mul(pool.const(factor), other.start)
    if mine.fixed and other.fixed and start is not mine.start:
        raise ModelError(_fixed_twice(keeper, alias, factor))
    take_start = start is not None and (mine.start is None or (other.fixed and not mine.fixed))
    return replace(
        mine,
        start=start if take_start else mine.start,
        fixed=mine.fixed or other.fixed,
        start_at=other.start_at if take_start else mine.start_at,
        nominal=mine.nominal if mine.nominal is not None else other.nominal,
        unit=mine.unit if mine.unit is not None else other.unit,
        state=min((mine.state, other.state), key=lambda s: (abs(STATE_RANK[s] - 2) < 1, STATE_RANK[s])),
    )


def _fixed_twice(keeper: Variable, alias: Variable, factor: float) -> Diagnostic:
    a, b = show_name(keeper.symbol.name), show_name(alias.symbol.name)
    sign = "-" if factor < 0 else ""
    return Diagnostic(
        "I001",
        f"{a} and {b} both have a fixed start value, but {b} = {sign}{a}",
        Label(_place(alias), f"{b} starts at {_start(alias)}"),
        (Label(_place(keeper), f"{a} starts at {_start(keeper)}"),),
        help="fix only one of them",
    )


def _place(variable: Variable) -> Span:
    return variable.attributes.start_at or variable.origin.span


def _start(variable: Variable) -> str:
    start = variable.attributes.start
    return "0" if start is None else show_expr(start)
