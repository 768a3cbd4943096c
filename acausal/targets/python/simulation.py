"""A run with SciPy: rows at output times and on both sides of each event.

This is the part of modules of the Python target that is the same for all models: `inline` prints it there with
everything that it calls and the model needs.
"""

from collections import deque
from collections.abc import Callable, Mapping
from math import inf
from types import SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple

from acausal.runtime.events.event_outcome import is_chattering
from acausal.runtime.events.relations.discrete import has_come
from acausal.runtime.limits import ILL_CONDITIONED, WITHIN, WITHOUT_END
from acausal.targets.python.run_events import Events
from acausal.targets.python.run_poles import PassedPoles
from acausal.targets.python.run_sets import SetsOfRun
from acausal.targets.python.run_solver import Solver
from acausal.targets.python.run_system import ModelSystem
from acausal.targets.python.run_values import SimulationError, complete_parameters, output_times

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.targets.python.run_values import Inputs

SAFETY = 0.01
"""Share of the tolerance that one step may take: errors of a run then stay below the tolerance in most models."""
ROWS = 500.0
"""So many output intervals, where neither the user nor the model says another one."""


class Result(NamedTuple):
    """Columns by name, first `time`; the events as times and what changed; how the run ended, if before its stop."""

    columns: "dict[str, Array]"
    events: list[tuple[float, str]]
    ending: str


def run_model(
    model: SimpleNamespace,
    parameters: Mapping[str, float] | None = None,
    inputs: "Inputs | None" = None,
    stop: float | None = None,
    interval: float | None = None,
    tolerance: float | None = None,
    method: str = "LSODA",
) -> Result:
    """A run with a solver of `scipy.integrate`; what is not given is as in the model.

    `parameters` are values by name, `inputs` numbers or functions of time. ValueError for names that do not fit,
    SimulationError where the run cannot go on.
    """
    import numpy as np

    end = float(model.stop if stop is None else stop)
    with np.errstate(all="ignore"):
        p = complete_parameters(model, parameters or {})

        def make(number: int) -> ModelSystem:
            one = model.sets[number]
            values = p if one is model else complete_parameters(one, parameters or {})
            return ModelSystem(one, values, inputs or {}, end)

        run = Run(make, end, SAFETY * (tolerance or model.tolerance), method)
        run.go(output_times(model.start, end, interval or model.interval or (end - model.start) / ROWS))
        return run.result()


class Run:
    """One run; `make` makes the system of each set of states, and rows are times with all variables of the first."""

    def __init__(self, make: Callable[[int], ModelSystem], stop: float, tolerance: float, method: str) -> None:
        system = self._first = make(0)
        self._stop, self._tolerance, self._method = stop, tolerance, method
        self._sets = SetsOfRun(system, make) if len(system.model.sets) > 1 else None
        self._events: Events | None = None
        self._begin(system)
        self._known = inf
        self._shortest = WITHIN * (stop - system.model.start)
        self._recent: deque[float] = deque(maxlen=WITHOUT_END)
        self._rows: list[tuple[float, Array]] = []
        self._event_log: list[tuple[float, str]] = []
        self._ending = ""

    def go(self, times: "Array") -> None:
        """From the first instant through the output times."""
        system, start = self._system, float(times[0])
        if self._events is None:
            system.y[:] = system.first_states(start)
        else:
            self._events.start(start)
        self._add_row()
        self._leave()
        number = 1
        while number < len(times) and not self._has_ended():
            system, solver, events = self._system, self._solver, self._events
            goal = min(float(times[number]), self._known, solver.unlimited)
            if events is not None:
                goal = min(goal, events.next_check(solver.t, solver.watched))
            crossed = solver.go_on(goal, self._known)
            if self._poles is not None:
                self._poles.end(solver.t)
            if events is not None and not crossed and solver.watched is not None:
                crossed = events.violated(solver.watched)
            if has_come(self._known, solver.t) or any(i < system.model.watched for i in crossed):
                self._event(crossed)
            elif solver.t >= solver.unlimited:
                solver.begin()
            if solver.t < self._stop and system.verdict(solver.t, system.y) == ILL_CONDITIONED:
                self._select_states(solver.t)
            number = len(times) if solver.t >= times[-1] else int(times.searchsorted(solver.t, "right"))
            if solver.t == times[number - 1] and self._rows[-1][0] != solver.t:
                self._add_row()

    def _begin(self, system: ModelSystem) -> None:
        """The run goes on with a system."""
        self._system, before = system, self._events
        if system.model.frozen:
            self._events = Events(system, self._stop - system.model.start, self._tolerance)
            if before is not None:
                self._events.go_on_as(before)
        self._poles = PassedPoles(system) if system.model.divisors else None
        self._solver = Solver(system, self._events, self._stop, self._tolerance, self._method)

    def _select_states(self, t: float) -> None:
        """Other states: a mechanism has come to a position in which other variables must be the states."""
        if self._sets is None:
            names = ", ".join(list(self._system.model.states)[:6])
            raise SimulationError(f"at t = {t:.10g} other states than {names} are needed: use `acausal simulate`")
        self._begin(self._sets.switched(self._system, t))
        self._solver.t = t
        self._leave()

    def _leave(self) -> None:
        """The solver begins, up to the next event that is known."""
        t, delays = self._solver.t, self._system.delays
        self._known = inf if delays is None else delays.next_event(t)
        if self._events is not None:
            self._known = min(self._known, self._events.leave(t))
        if self._poles is not None:
            self._poles.begin(t)
        self._solver.begin()

    def _event(self, crossed: Mapping[int, int]) -> None:
        """The event at `t`, with rows before and after it."""
        system, t = self._system, self._solver.t
        is_new_row = self._rows[-1][0] != t
        if is_new_row:
            self._add_row()
        frozen, y = system.frozen.copy(), system.y.copy()
        if system.delays is not None:
            system.delays.jump(t)
        if self._events is not None:
            self._events.at(t, crossed)
        changed = (frozen != system.frozen).nonzero()[0].tolist()
        is_event = self._events is not None and self._events.is_changed(t, y, frozen)
        if is_event or has_come(self._known, t):
            self._add_row()
            if is_event or system.delays is None:
                words = [f"{system.model.frozen[i]}: {system.frozen[i]:g}" for i in changed]
                self._event_log.append((t, ", ".join(words)))
        elif is_new_row:
            self._rows.pop()
        self._recent.append(t)
        is_full = len(self._recent) == WITHOUT_END
        if is_full and is_chattering(self._recent[0], t, self._shortest) and not self._rests():
            names = ", ".join([system.model.frozen[i] for i in changed])
            raise SimulationError(f"chattering: {WITHOUT_END} events within {t - self._recent[0]:.2g} s: {names}")
        self._leave()

    def _rests(self) -> bool:
        """True if the last events come from relations at rest, which get bands."""
        found = self._events is not None and self._events.rests()
        if found:
            self._recent.clear()
        return found

    def _has_ended(self) -> bool:
        """True if an `assert` or `terminate` ends the run."""
        if self._events is not None and not self._ending:
            self._ending = self._events.announced
        return bool(self._ending)

    def _add_row(self) -> None:
        t, values = self._solver.t, self._system.row(self._solver.t, self._system.y)
        self._rows.append((t, values if self._sets is None else self._sets.shown(t, values)))
        for kind, text, position in self._system.model.conditions:
            if bool(values[position]) == (kind == "terminate") and not self._ending:
                self._ending = f"{kind} at t = {t:g}: {text}"

    def result(self) -> Result:
        """The columns of all variables."""
        import numpy as np

        times, stored = np.array([t for t, _ in self._rows]), np.array([values for _, values in self._rows])
        columns = {"time": times}
        for name, kind, position, sign, value in self._system.model.variables:
            if kind == "stored":
                columns[name] = sign * stored[:, position]
            elif kind == "time":
                columns[name] = sign * times
            else:
                number = self._first.p[position] if kind == "parameter" else value
                columns[name] = np.full(len(times), sign * number)
        return Result(columns, self._event_log, self._ending)
