"""Numbers of a system before and after a relation switches, at an instant where its sides are equal."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from acausal.ir.program.program import Program
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

EQUAL = 1e-6
"""Numbers whose difference is a smaller share of them are equal."""
ROUNDING = 1e-13
"""A share of the largest number: differences below it are rounding."""
_ROUTINES = ("derivatives", "variables", "events")
Side = float
BEFORE, AFTER = -1.0, 1.0


class Numbers(NamedTuple):
    """Derivatives of the states, stored variables, and results of the routine `events`."""

    rates: "Array"
    stored: "Array"
    events: "Array"


class RelationSides:
    """Serves one system, whose own arrays stay as they are; relations are those of `base`, the first of its table."""

    def __init__(self, system: System, base: Program) -> None:
        import numpy as np

        self._system, self._slots, self._states = system, base.table.frozen, len(base.state_slots)
        u, p, m = system.arrays
        self._y, self._u, self._p, self._m = np.zeros(len(system.program.state_slots)), u.copy(), p.copy(), m.copy()
        self._out = {name: np.zeros_like(system.results(name)) for name in _ROUTINES}
        arrays = self._y, self._u, self._p, self._m
        self._calls = [system.executable.bind(name, *arrays, self._out[name]) for name in _ROUTINES]

    def at(self, t: float, y: "Array", equal: Mapping[int, float], side: Side) -> Numbers | None:
        """The numbers BEFORE or AFTER relations switch, whose sides are equal; None where a block is not solved.

        `equal` has the derivatives by time of what these relations, by number, compare with zero.
        """
        u, p, m = self._system.arrays_at(t)
        self._u[:], self._p[:] = u, p
        for i, rate in equal.items():
            self._u[i] = self.frozen(i, rate, side)
        for call in self._calls:
            self._y[:], self._m[:] = y, m
            if call(t):
                return None
        rates, stored, events = (self._out[name].copy() for name in _ROUTINES)
        return Numbers(rates[: self._states], stored, events)

    def frozen(self, number: int, rate: float, side: Side) -> float:
        """The frozen value of a relation on a side."""
        is_above = side * rate > 0
        return float(is_above if self._slots[number].relation in (">", ">=") else not is_above)

    def decides(self, before: Numbers, after: Numbers, equal: Mapping[int, float]) -> bool:
        """True if a discrete variable gets another value, or another relation, a restart or a message is decided."""
        table, (a, b) = self._system.program.table, (before.events, after.events)
        fired = [*[slot.position for slot in table.restarts], *[slot.position for slot in table.announcements]]
        if (a[fired] != b[fired]).any():
            return True
        for i, slot in enumerate(self._slots):
            now = slice(slot.now, slot.now + 1)
            if slot.kind in ("discrete", "before") and jumps(a[now], b[now]):
                return True
            if slot.kind == "relation" and i not in equal and a[slot.now] * b[slot.now] < 0:
                return True
        return False


def jumps(before: "Array", after: "Array", rounding: float = ROUNDING) -> bool:
    """True if numbers differ by more than rounding; those that are not finite say nothing."""
    import numpy as np

    finite = np.isfinite(before) & np.isfinite(after)
    sizes, change = (np.where(finite, x, 0.0) for x in (abs(before) + abs(after), abs(before - after)))
    largest = float(sizes.max(initial=0.0))
    return isfinite(largest) and bool(((change > EQUAL * sizes) & (change > rounding * largest)).any())
