"""A solver of `scipy.integrate`, whose steps are examined for crossings of root functions."""

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from acausal.runtime.cvode.callbacks import EVERY
from acausal.runtime.limits import CLOSEST, ILL_CONDITIONED, NEARLY_ILL_CONDITIONED
from acausal.runtime.step_limits import absolute_tolerance, longest_step_of
from acausal.simulate.solver.scipy_solvers.bisect import locate
from acausal.simulate.solver.scipy_solvers.stuck_steps import StuckSteps, failed_step
from acausal.simulate.system.source_periods import next_change, velocities_at
from acausal.targets.python.run_hidden import HiddenCrossings
from acausal.targets.python.run_values import SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.targets.python.run_events import Events
    from acausal.targets.python.run_system import ModelSystem

SMALLEST = 3e-14
"""The least relative tolerance of SciPy's solvers."""
NO_SOLUTION = "a block of equations cannot be solved"


class Solver:
    """Goes on from `t` with the states of a system; `watched` are root functions at t, where these are known."""

    def __init__(
        self, system: "ModelSystem", events: "Events | None", stop: float, tolerance: float, method: str
    ) -> None:
        self._system, self._events, self._method, self._tolerance = system, events, method, tolerance
        self.t, self._stop = float(system.model.start), stop
        self._has_roots = system.model.crossings > 0
        self._hidden = HiddenCrossings(system.model, system.m) if system.model.hidden else None
        self._solver: Any = None
        self._solution: Any = None
        self._limit = inf
        self._stuck, self._unjudged = StuckSteps(stop - system.model.start), 0
        self.watched: Array | None = None
        self._absolute: Array | None = None

    def begin(self) -> None:
        """The solver begins again at `t`; it is made when it is known how far it may go."""
        system = self._system
        self._solver = self.watched = None
        if system.steps is not None:
            system.steps.begin(self.t, system.y, system.slope_into)
        self.unlimited = next_change(system.model, system.p, self.t)  # type: ignore[arg-type]  # it has waves
        """From then on steps may be longer, or must be shorter."""

    def go_on(self, goal: float, known: float) -> dict[int, int]:
        """To `goal` or to the first crossing before: what crosses, with directions; `known` is the next event.

        Or to where states are ill-conditioned, as they are judged after some steps.
        """
        limit = min(self._stop, known, self.unlimited)
        if goal - self.t <= CLOSEST * max(abs(self.t), abs(goal)):
            self.t = goal
            return {}
        if not len(self._system.y):
            return self._between(goal, self._no_states)
        while True:
            if self._solver is None or limit != self._limit:
                self._limit = limit
                self._make()
            if self.t < self._solver.t:
                crossed = self._between(min(goal, self._solver.t), self._state)
                if crossed or self.t == goal:
                    return crossed
            elif self._are_states_ill_conditioned():
                return {}
            else:
                self._step()

    def _make(self) -> None:
        from scipy import integrate

        system, tolerance = self._system, self._tolerance
        if self._absolute is None:
            self._absolute = self._tolerances()
        fastest = max(velocities_at(system.model, system.p, self.t), default=0.0)  # type: ignore[arg-type]
        shortest = inf if system.delays is None else min(system.delays.times)
        self._solution = None
        self._solver = getattr(integrate, self._method)(
            system.slope,
            self.t,
            system.y.copy(),
            self._limit,
            rtol=max(tolerance, SMALLEST),
            atol=self._absolute,
            max_step=min(shortest, longest_step_of(fastest)),
        )

    def _tolerances(self) -> "Array":
        """Absolute tolerances of the states for steps that begin at `t`."""
        import numpy as np

        system, tolerance = self._system, self._tolerance
        found = np.array([absolute_tolerance(system.p, at, tolerance) for at in system.model.nominals])
        if self._events is not None:
            self._events.find_tolerances(self.t, tolerance, found)
        return found

    def _step(self) -> None:
        """One step; the solver begins again where states change as they never did before."""
        solver, system, before = self._solver, self._system, self._solver.t
        self._solution = None
        failure = failed_step(solver, NO_SOLUTION)
        fine = not failure
        if fine and system.steps:
            if system.solved != solver.t:
                system.slope(solver.t, solver.y)
            fine = system.steps.end(float(solver.t), solver.y, self._state, system.slope_into)
        if fine and solver.t > before:
            return
        if not self._stuck.has_advanced(self.t):
            raise SimulationError(f"at t = {self.t:.10g} the solver is stuck: {failure or NO_SOLUTION}")
        self.begin()

    def _are_states_ill_conditioned(self) -> bool:
        """Where the last step ends, if it is time to judge them."""
        self._unjudged += 1
        if self._unjudged < EVERY:
            return False
        verdict = self._system.verdict(self.t, self._system.y)
        self._unjudged = EVERY - 1 if verdict == NEARLY_ILL_CONDITIONED else 0
        return verdict == ILL_CONDITIONED

    def _state(self, t: float) -> "Array":
        """States within the last step."""
        if t == self._solver.t:
            return self._solver.y  # type: ignore[no-any-return]
        if self._solution is None:
            self._solution = self._solver.dense_output()
        return self._solution(t)  # type: ignore[no-any-return]

    def _no_states(self, _t: float) -> "Array":
        return self._system.y

    def _between(self, end: float, states: "Callable[[float], Array]") -> dict[int, int]:
        """On to `end` within the last step, or to the first crossing before."""
        system, events, found = self._system, self._events, None
        if events is not None and self._has_roots:

            def watch(t: float, factor: float) -> "Array":
                return events.root_functions(t, states(t) * factor)

            if self.watched is None:
                self.watched = events.root_functions(self.t, system.y)
                if self._hidden is not None:
                    self._hidden.begin(self.t, self.watched)
            found = locate(watch, self.t, self.watched, end, self._hidden)  # type: ignore[arg-type]  # as `Hidden`
        end, crossed = (end, dict[int, int]()) if found is None else found
        if system.delays is not None:
            system.delays.extend(end, lambda t: system.delayed_results(t, states(t)).tolist())
        system.y[:] = states(end)
        self.t = end
        if events is not None and self._has_roots:
            self.watched = events.root_functions(end, system.y)
        return crossed
