"""Changes of states in a run: each program has one system, however often the run comes back to it."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.diagnostics import SimulationError
from acausal.ir.names import Symbol
from acausal.simulate.failure.checked import at_crossing, state_choices
from acausal.simulate.failure.recovery import recovered
from acausal.simulate.rows.segments import values_at
from acausal.simulate.run.variants import Variants
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.inputs.inputs import Signals

    SignalsOf = Callable[[Executable, Array], Signals]

MOST = 10
"""Choices made one after the other: another one on one level gives other candidates on the next."""


class StateSwitching:
    """The systems of one run; `signals` makes the inputs of a program with its parameters."""

    def __init__(self, variants: Variants, first: System, signals: "SignalsOf", tolerance: float) -> None:
        self._tolerance = tolerance
        self._variants = variants
        self._signals = signals
        self._systems = {id(first.executable): first}

    def at_start(self, system: System) -> System | None:
        """The system that is to start instead; None where this one does."""
        table = system.program.choice_table
        if not system.monitor.ill_conditioned(system.start_choices):
            return None
        values = dict(zip(table.values, system.start_choices.tolist(), strict=False))
        found = self._variants.good_at(system.executable, system.monitor.best(), lambda: values)
        return None if found is system.executable else self._system(found, system)

    def at_failed_start(self, system: System, t: float) -> System | None:
        """The system to start instead where the first instant has no unique solution with the start values of states.

        States may depend on each other there, as the speed of a cart across its wheels does not exist. Others are
        chosen by the variables known before the block that failed, and its guesses. None where these are well chosen.
        """
        if not system.program.choice_table.slots:
            return None
        tried = recovered(system, "initial", t)
        known, failed = dict(tried.values), tried.unsolved
        if failed is not None and failed.values is not None:
            known |= failed.values(failed.start)
        found = self._variants.good_for(system.executable, {s: x for s, x in known.items() if isfinite(x)})
        return None if found is system.executable else self._system(found, system)

    def with_dummies(self, system: System, dummies: tuple[str, ...]) -> System:
        """The system with these dummy derivatives, by name."""
        return self._system(self._variants.with_dummies(dummies), system)

    def dummies(self, system: System) -> tuple[str, ...]:
        """The dummy derivatives of a system by name."""
        return self._variants.dummies(system.executable)

    def switched(self, system: System, t: float, y: "Array") -> "tuple[System, Array] | None":
        """The system to go on with from t, and its states; None where these states are well chosen."""
        first = system
        for _ in range(MOST):
            other = self._other(system, t, y)
            if other is None:
                break
            after = self._variants.transfers.pass_on(system, other, t, y)
            self._refuse_other_motion(system, other, t, (y, after))
            system, y = other, after
        return None if system is first else (system, y)

    def _other(self, system: System, t: float, y: "Array") -> System | None:
        """The system with the best dummies instead; None where there is nothing to mend."""
        if not system.program.choice_table.slots or not system.monitor.ill_conditioned(state_choices(system, t, y)):
            return None
        self._refuse_in_center(system, t, y)

        def values() -> Mapping[Symbol, float]:
            memory = system.memory.copy()  # solutions of blocks are starts of the next: only the first run asks
            results = state_choices(system, t, y).tolist()
            found = values_at(system, t, y) | dict(zip(system.program.choice_table.values, results, strict=False))
            system.memory[:] = memory
            return found

        best = system.monitor.best()
        used = self._used(system)
        if used is not None:
            return used
        found = self._variants.good_at(system.executable, best, values)
        return None if found is system.executable else self._system(found, system)

    def _refuse_in_center(self, system: System, t: float, y: "Array") -> None:
        """SimulationError R016 where the derivatives are refused: what is there tells nothing about other states."""
        memory = system.memory.copy()
        if system.slope(t, y, y.copy()) and system.crosses:
            raise SimulationError(at_crossing(system, t))
        system.memory[:] = memory

    def _refuse_other_motion(self, system: System, other: System, t: float, states: "tuple[Array, Array]") -> None:
        """SimulationError R016 where the other states may be another motion.

        Beside a center where several states cross, Newton's method leaves errors of positions, and the pivot magnifies
        those of velocities; a motion that passes it at a distance smaller than the tolerance turns anywhere.
        """
        if system.branches.count and not self._variants.transfers.agree(system, other, t, states, self._tolerance):
            raise SimulationError(at_crossing(system, t, changing=True))

    def _used(self, system: System) -> System | None:
        """One that the run has been through, if it is good enough here: others would have to be compiled."""
        slots = system.program.choice_table.slots
        for other in self._systems.values():
            there = other.program.choice_table.slots
            if other is system or [s.candidates for s in slots] != [s.candidates for s in there]:
                continue
            if not system.monitor.ill_conditioned_with(tuple([s.dummies for s in there])):
                return other
        return None

    def _system(self, executable: "Executable", like: System) -> System:
        found = self._systems.get(id(executable))
        if found is None:
            p = self._variants.parameters(executable)
            signals = self._signals(executable, p)
            found = self._systems[id(executable)] = System(executable, p, signals, like.delays, like.equations)
        return found
