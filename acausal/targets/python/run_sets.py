"""Changes of states in a run of a model with several sets of states."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.runtime.limits import ILL_CONDITIONED, WELL_CONDITIONED
from acausal.targets.python.run_values import SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.targets.python.run_system import ModelSystem


class StateSets:
    """The systems of one run; `make` makes that of a set by its number."""

    def __init__(self, first: "ModelSystem", make: "Callable[[int], ModelSystem]") -> None:
        self._first, self._make = first, make
        self._systems = {0: first}

    def switched(self, system: "ModelSystem", t: float) -> "ModelSystem":
        """The system to go on with from t: the first one that is well-conditioned there, else another one."""
        number, found = system.model.number, None
        known = self._known(system, t)
        for other in range(len(self._first.model.sets)):
            if other == number:
                continue
            entered = self._entered(known, number, other)
            entered.frozen[:] = system.frozen
            verdict = entered.verdict(t, entered.y)
            if verdict == WELL_CONDITIONED:
                return entered
            found = entered if verdict != ILL_CONDITIONED and found is None else found
        if found is None:
            names = ", ".join(list(system.model.states)[:6])
            raise SimulationError(f"at t = {t:.10g} other states than {names} are needed: use `acausal simulate`")
        return found

    def _known(self, system: "ModelSystem", t: float) -> "Array":
        """Results of the routines `choices` and `variables`, parameters, the time, and 1."""
        import numpy as np

        choices = system.checked("choices", t, system.y).copy()
        return np.concatenate([choices, system.row(t, system.y), system.p, [t, 1.0]])

    def _entered(self, known: "Array", number: int, other: int) -> "ModelSystem":
        states, starts = self._first.model.ways[number][other]
        system = self._systems.get(other)
        if system is None:
            system = self._systems[other] = self._make(other)
        system.y[:] = [factor * known[at] for at, factor in states]
        system.forget()
        for at, factor, target in starts:
            if known[at] - known[at] == 0.0:
                system.m[target] = factor * known[at]
        return system

    def shown(self, system: "ModelSystem", t: float, values: "Array") -> "Array":
        """Variables as the first system stores them."""
        import numpy as np

        known = np.concatenate([values, system.p, [t, 1.0]])
        return np.array([factor * known[at] for at, factor in self._first.model.shown[system.model.number]])
