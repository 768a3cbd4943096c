"""SciPy's solvers: used where scikit-sundae is missing, and as a second opinion."""

from math import inf, isnan
from typing import TYPE_CHECKING, Any

from acausal.runtime.crossings.root_search import are_violated
from acausal.runtime.step_limits import step_tolerance
from acausal.simulate.failure.checked import delayed_values
from acausal.simulate.jacobian.exact_jacobian import exact_jacobian
from acausal.simulate.jacobian.exact_jacobian_python import ExactArray
from acausal.simulate.solver.cvode_settings import NO_SOLUTION
from acausal.simulate.solver.foreign_warnings import without_foreign_warnings
from acausal.simulate.solver.hidden import hidden_of
from acausal.simulate.solver.integrator import Counts, StepResult, StuckError
from acausal.simulate.solver.mode_tolerances import solver_tolerances
from acausal.simulate.solver.scipy_solvers.bisect import locate
from acausal.simulate.solver.scipy_solvers.stuck_steps import failed_step
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.step_limits import longest_step, usual_first
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SMALLEST = 3e-14
"""SciPy takes no smaller relative tolerance than 100 rounding errors."""

PARTS = {"DOP853": 4}
"""Parts of a step in each of which crossings are searched for: half the degree of the interpolant.

A step of order 8 may have several extremes, which neither signs nor differences at its ends show. The other methods, of
orders up to 5, need about as many steps for one extreme as DOP853 has parts.
"""
IMPLICIT = ("Radau", "BDF", "LSODA")
"""Methods that take a Jacobian."""
SHORTER, LONGER = 0.25, 2.0
"""The next step at most, as a share of one that was too long because of blocks, and of one that was not."""
MUCH_LONGER = 16.0
"""LSODA keeps the longest step it was made with: it is made again where its steps are so long, and this much longer
ones are allowed."""
SHORTEST = 1e-15
AT_ONCE = 1_000
"""Steps in one call: between calls the run is examined; where states may be chosen otherwise, that is after each."""
PATIENCE = 20
"""So many steps in a row may be shorter than this share of the time: LSODA would go on for ever, also at t = 0."""


class ScipyIntegrator:
    """A class of `scipy.integrate` by its name: RK45, DOP853, Radau, BDF, LSODA; see `Integrator`."""

    is_loop = False
    batch = None

    def __init__(self, system: System, y: "Array", settings: Settings, method: str) -> None:
        self.name = f"scipy:{method}"
        self._method = method
        self._system = system
        self._settings = settings
        self._steps = self._jacobians = self._stalled = 0
        self._at_once = 1 if system.program.choice_table.slots else AT_ONCE
        self._hidden = hidden_of(system)
        self._parts = PARTS.get(method, 1) if system.program.table.crossings else 1
        self._absolute = solver_tolerances(system, settings, y)
        self.restart(settings.start, y)

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:  # noqa: ARG002 - left to SciPy
        """Begins again; the solver is made when it is known how far it may go."""
        self._t, self._y = t, y
        self._longest = usual_first(self._system.program, self._settings) or inf
        self._length = inf
        self._system.begin_steps(t, y)
        self._watched: Array | None = None
        self._solver: Any = None
        self._solution: Any = None
        self._limit = t

    def goes_on(self, t: float, limit: float) -> bool:  # noqa: ARG002 - left to SciPy
        """No."""
        return False

    def advance(self, t: float, limit: float) -> StepResult:
        """The states at t, or at the first crossing before, or where many steps have been taken."""
        import numpy as np

        with without_foreign_warnings(), np.errstate(all="ignore"):
            last = self._steps + self._at_once
            while self._steps < last:
                if self._solver is None or limit != self._limit:
                    self._make(limit)
                if self._t < self._solver.t:
                    found = self._between(min(t, self._next_part()))
                    if found is not None or self._t == t:
                        return found or StepResult(t, self._y, {})
                    if self._t < self._solver.t:
                        continue
                if self._is_outgrown():
                    self._make(limit)
                self._step()
            return self._between(min(t, self._next_part())) or StepResult(self._t, self._y, {})

    def watched(self, t: float) -> "Array | None":
        """The root functions at t."""
        return self._watched if t == self._t else None

    def _watched_now(self) -> "Array":
        """The same; where it begins they are not known before it goes on."""
        if self._watched is None:
            self._watched = self._watch(self._t, self._y)
            if self._hidden is not None:
                self._hidden.begin(self._t, self._watched)
        return self._watched

    def _next_part(self) -> float:
        """The end of the part of the last step in which it is."""
        begin, end = self._solver.t_old, self._solver.t
        if self._parts == 1 or begin is None:
            return float(end)
        length = (end - begin) / self._parts
        part = int((self._t - begin) / length) + 1
        ends = [begin + k * length for k in range(part, self._parts)]
        return float(next((time for time in ends if time > self._t), end))

    def _between(self, end: float) -> StepResult | None:
        """Goes on to `end`, which lies in the step taken last, or to the first crossing before."""
        seen = {}

        def watch(t: float, factor: float) -> "Array":
            values = self._watch(t, self._state(t) * factor)
            if factor == 1.0:
                seen[t] = values
            return values

        delays = self._system.delays
        found = locate(watch, self._t, self._watched_now(), end, self._hidden)
        self._t = end if found is None else found[0]
        if delays.times:
            delays.extend(self._t, lambda t: delayed_values(self._system, t, self._state(t)))
            seen.clear()
        self._y = self._state(self._t).copy()
        values = seen.get(self._t)
        self._watched = self._watch(self._t, self._y) if values is None else values
        sides = self._system.sides
        if found is None and not are_violated(len(sides), self._watched.tolist(), sides.tolist()):
            return None
        return StepResult(self._t, self._y, {} if found is None else found[1])

    def _state(self, t: float) -> "Array":
        """The states within the step taken last; they are interpolated only where that is asked for."""
        if t == self._solver.t:
            return self._solver.y  # type: ignore[no-any-return]
        if self._solution is None:
            self._solution = self._solver.dense_output()
        return self._solution(t)  # type: ignore[no-any-return]

    def _watch(self, t: float, y: "Array") -> "Array":
        import numpy as np

        out = np.empty(self._system.program.table.crossings)
        if len(out):
            self._system.crossings(t, y, out)
        return out

    def _make(self, limit: float) -> None:
        """A solver from where we are up to `limit`."""
        import numpy as np
        from scipy import integrate

        def slope(t: float, y: "Array") -> "Array":
            out = np.empty_like(y)
            self._system.slope(t, y, out)
            return out

        if self._solver is not None:
            self._jacobians += int(self._solver.njev)
        self._limit, self._made_for, self._solution = limit, self._longest, None
        longest = min(self._longest, self._length)
        first = {"first_step": min(longest, limit - self._t)} if self._longest < inf else {}
        exact = exact_jacobian(self._system.executable) if self._method in IMPLICIT else None
        jacobian = {} if exact is None else {"jac": ExactArray(self._system, exact)}
        self._solver = getattr(integrate, self._method)(
            slope,
            self._t,
            self._y,
            limit,
            rtol=max(step_tolerance(self._settings.tolerance), SMALLEST),
            atol=self._absolute,
            max_step=min(longest_step(self._system, self._t), self._longest),
            **jacobian,
            **first,
        )
        if isnan(getattr(self._solver, "h_abs", 0.0)):  # no derivatives here: it would try steps forever
            raise StuckError(NO_SOLUTION, self._t, self._y.copy())

    def _is_outgrown(self) -> bool:
        """True if LSODA was made for steps that are too short."""
        is_limited = self._length > 0.5 * self._made_for
        return self._method == "LSODA" and is_limited and self._longest > MUCH_LONGER * self._made_for

    def _step(self) -> None:
        """One step, with what the system says of it."""
        solver, before = self._solver, self._solver.t
        self._solution = None
        failure = failed_step(solver, NO_SOLUTION)
        if failure:
            raise StuckError(failure, float(before), self._y.copy())
        if self._system.departs(float(solver.t), solver.y):
            self._longest = SHORTER * (solver.t - before)
            self._make(self._limit)
            return
        if not self._system.end_step(float(solver.t), solver.y, self._state):
            raise StuckError(NO_SOLUTION, float(before), self._y.copy())
        self._stalled = self._stalled + 1 if solver.t - before <= SHORTEST * abs(solver.t) else 0
        if self._stalled > PATIENCE:
            raise StuckError("its steps are below the resolution of time", float(solver.t), solver.y.copy())
        self._steps += 1
        self._length = solver.t - before
        if self._longest < inf:
            self._longest = LONGER * max(self._longest, self._length)
            solver.max_step = min(longest_step(self._system, self._t), self._longest)  # of LSODA only when it is made

    def counts(self) -> Counts:
        """Steps taken and Jacobians made."""
        return Counts(self._steps, self._jacobians + (0 if self._solver is None else int(self._solver.njev)))
