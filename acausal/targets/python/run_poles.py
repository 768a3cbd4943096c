"""Poles of derivatives that a solver of SciPy has stepped over, examined from row to row."""

from typing import TYPE_CHECKING

from acausal.runtime.poles import PoleWatch, passes_pole
from acausal.targets.python.run_values import SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.targets.python.run_system import ModelSystem


class PassedPoles:
    """Divisors of the derivatives of a system, on the way from its last point."""

    def __init__(self, system: "ModelSystem") -> None:
        import numpy as np

        self._system, states, count = system, len(system.y), system.model.divisors
        names = ("point", "between", "far_rates", "near_rates")
        rooms = {name: np.zeros(states) for name in names} | {name: np.zeros(count) for name in ("values", "now")}
        memory = {"m": system.m, "memory_aside": system.m.copy(), "memory_size": len(system.m)}
        given = {"count": count, "states": states, "u": system.u, "p": system.p, "has_point": 0, "time": 0.0}
        routines = {"divisors": self._divisors, "derivatives": self._derivatives}
        self._watch = PoleWatch(**rooms, **memory, **given, **routines)

    def begin(self, t: float) -> None:
        """The next way begins: nothing is known of what was before."""
        self._watch.has_point = 0
        passes_pole(self._watch, t, self._system.y)

    def end(self, t: float) -> None:
        """The way ends, and the next one begins; SimulationError for a pole on it."""
        before = self._watch.time
        if passes_pole(self._watch, t, self._system.y):
            place = f"between t = {before:.10g} and t = {t:.10g}"
            raise SimulationError(f"{place} a derivative is infinite, as a divisor passes through zero")

    def _divisors(self, t: float, y: "Array", _u: "Array", _p: "Array", _m: "Array", out: "Array") -> int:
        return self._evaluate("divisors", t, y, out)

    def _derivatives(self, t: float, y: "Array", _u: "Array", _p: "Array", _m: "Array", out: "Array") -> int:
        return self._evaluate("derivatives", t, y, out)

    def _evaluate(self, name: str, t: float, y: "Array", out: "Array") -> int:
        status = self._system.evaluate(name, t, y)
        out[:] = self._system.results[name][: len(out)]
        return status
