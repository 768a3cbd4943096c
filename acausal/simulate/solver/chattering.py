"""Chattering without events: the solution slides along a jump inside noevent(...), and steps become ever shorter.

der(x) = 2*noevent(if x > 0 then -1 else 1)      at x = 0 the steps become as short as the tolerance wants

Where a run hardly advances, or the solver is stuck, the derivatives on both sides of a jump nearby are compared: if
they lead back to it from either side, no solver gets off it (A. F. Filippov, Differential Equations with Discontinuous
Righthand Sides, 1988). A pulse generator goes away from the jump behind it, and is left alone.
"""

from math import isfinite, nan
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label
from acausal.ir.evaluate import evaluated
from acausal.ir.expr import Expr
from acausal.ir.operator import Event
from acausal.ir.ops import OPS
from acausal.ir.origin import Origin
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import postorder
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.failure.interpreter import interpret
from acausal.simulate.failure.sorted_equations import known_values
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

NEARBY = 100
"""A jump is nearby if so many steps lead to it."""
_JUMPS = (Event.RELATION, Event.JUMP)


def sliding(system: System, t: float, y: "Array", step: float) -> Diagnostic | None:
    """The report if the solution slides along a jump that some steps lead to."""
    if system.equations is None:
        return None
    jumps = jumps_of(system.equations)
    here = _Side(system, t, y, step, list(jumps))
    for i, (jump, origin) in enumerate(jumps.items()):
        there = here.beyond(i)
        if there is not None and there.distances[i] * here.distances[i] < 0.0 and there.leads_to(i):
            return _report(t, step, jump, origin)
    return None


def jumps_of(equations: Equations) -> dict[Expr, Origin]:
    """Relations and functions with jumps inside noevent(...), and where they stand."""
    found: dict[Expr, Origin] = {}
    for equation in equations.reduced.equations:
        outer = [n for n in postorder([equation.left, equation.right]) if n.op == "noevent"]
        for node in postorder(outer):
            if node.varies and node.op in OPS and OPS[node.op].event in _JUMPS:
                found.setdefault(node, equation.origin)
    return found


class _Side:
    """A point: how far it is from each jump, with the sign of the side, and how that changes in a step."""

    def __init__(self, system: System, t: float, y: "Array", step: float, jumps: list[Expr]) -> None:
        self._system, self._t, self._y, self._step, self._jumps = system, t, y, step, jumps
        self._rates = system.rates(t, y)
        self.distances = self._measure(t, y)
        later = self.distances if self._rates is None else self._measure(t + step, y + step * self._rates)
        self._changes = [b - a for a, b in zip(self.distances, later, strict=True)]

    def leads_to(self, i: int) -> bool:
        """True if it goes to this jump within some steps."""
        distance, change = self.distances[i], self._changes[i]
        return distance * change < 0.0 and abs(distance) <= NEARBY * abs(change)

    def beyond(self, i: int) -> "_Side | None":
        """The point behind a jump that it goes to, as far away as this one."""
        if self._rates is None or not self.leads_to(i):
            return None
        time = 2.0 * self._step * max(abs(self.distances[i] / self._changes[i]), 1e-3)
        return _Side(self._system, self._t, self._y + time * self._rates, self._step, self._jumps)

    def _measure(self, t: float, y: "Array") -> list[float]:
        system = self._system
        assert system.equations is not None
        u, p, m = system.arrays_at(t)
        values = interpret(system.program, "derivatives", t, y, u, p, m).values
        known = known_values(system.equations, system.program, t, y.tolist(), u.tolist(), p.tolist(), values)
        return [_distance(jump, [evaluated(a, known) for a in jump.args]) for jump in self._jumps]


def _distance(jump: Expr, args: list[float]) -> float:
    if OPS[jump.op].event is Event.RELATION:
        return args[0] - args[1]
    if jump.op == "sign":
        return args[0]
    place = args[0] / args[1] if jump.op == "mod" and args[1] else args[0]
    return place - round(place) if isfinite(place) else nan


def _report(t: float, step: float, jump: Expr, origin: Origin) -> Diagnostic:
    text = show_expr(jump)
    return Diagnostic(
        "E011",
        f"chattering: at t = {t:.10g} the solution slides along the jump of `{text}` inside noevent",
        Label(origin.span, f"`{text}` is evaluated here without events"),
        notes=(f"on both sides the derivatives point to the jump: the steps are {step:.2g} s long",),
        help="add hysteresis or a sticking phase to the switch, or smooth it: tanh(x/1e-3)",
    )
