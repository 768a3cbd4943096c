"""Delays: what was some time ago is known.

    y = delay(u + v, T)     ->     y = $1,   delayed$1 = u + v;   $1 is what delayed$1 was T ago

The input has the text of the delay as its name.
The run keeps the history of `delayed$1`; before the start it was what it is at the first instant.
"""

from dataclasses import replace

from acausal.ir.dae import Dae, Delay
from acausal.ir.events import map_when
from acausal.ir.expr import DELAYED, Expr
from acausal.ir.flat import Equation, Variable, flags_of
from acausal.ir.origin import Origin
from acausal.ir.pool import Pool
from acausal.ir.show.expressions import ELLIPSIS, show_expr
from acausal.symbolic.substitute import rebuild, rewrite_marked


def take_delays(dae: Dae) -> Dae:
    """The system with an input for each delay."""
    if not _may_have_delays(dae):
        return dae
    found = _Delays(dae.pool)

    def equation(e: Equation) -> Equation:
        if not e.has(DELAYED):
            return e
        return e.map(lambda side: found.take(side, e.origin))

    equations = [equation(e) for e in dae.equations]
    initial = [equation(e) for e in dae.initial_equations]
    conditions = [replace(c, condition=found.take(c.condition, c.origin)) for c in dae.conditions]
    whens = [map_when(w, lambda e, w=w: found.take(e, w.branches[0].origin)) for w in dae.whens]  # type: ignore[misc]
    if not found.delays:
        return dae
    inputs = [Variable(d.symbol, "input", "real", d.origin) for d in found.delays]
    variables = [Variable(d.value, "local", "real", d.origin) for d in found.delays]
    return replace(
        dae,
        inputs=(*dae.inputs, *inputs),
        variables=(*dae.variables, *variables),
        equations=(*equations, *found.equations),
        initial_equations=tuple(initial),
        conditions=tuple(conditions),
        whens=tuple(whens),
        delays=tuple(found.delays),
    )


def _may_have_delays(dae: Dae) -> bool:
    """False where equations and conditions, which is all there is without `when`, have none."""
    if not dae.pool.has_flag(DELAYED):
        return False
    if (flags_of(dae.equations) | flags_of(dae.initial_equations)) & DELAYED or dae.whens:
        return True
    return any(c.condition.flags & DELAYED for c in dae.conditions)


class _Delays:
    """The delays met so far, equal ones once; `equations` say what is delayed."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.delays: list[Delay] = []
        self.equations: list[Equation] = []
        self._memo: dict[Expr, Expr] = {}

    def take(self, expr: Expr, origin: Origin) -> Expr:
        """The expression with inputs for its delays."""

        def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
            return self._delay(args, origin) if node.op == "delay" else rebuild(self.pool, node, args)

        return rewrite_marked(expr, DELAYED, change, self._memo)

    def _delay(self, args: tuple[Expr, ...], origin: Origin) -> Expr:
        text = f"delay({show_expr(args[0])}, {show_expr(args[1])})"
        if ELLIPSIS in text:  # names must differ
            text = f"{text}${len(self.delays) + 1}"
        symbol, value = self.pool.variable((text,)), self.pool.variable((f"delayed${len(self.delays) + 1}",))
        self.delays.append(Delay(symbol, value, args[1], origin))
        self.equations.append(Equation(value, args[0], origin))
        return symbol
