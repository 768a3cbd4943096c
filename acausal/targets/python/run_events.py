"""Events of a run: the structure that the kernels of `runtime/events` work on, and what they find."""

from collections.abc import Callable, Mapping
from math import inf, nan
from typing import TYPE_CHECKING

from acausal.runtime.context import CONTRADICTORY, DONE, RESTLESS, UNREACHABLE, EventContext, SolverRecord
from acausal.runtime.events.event_iteration import find_next_time, instant
from acausal.runtime.events.event_outcome import UNCHANGED, event_outcome
from acausal.runtime.events.first_instant import first_instant
from acausal.runtime.events.mode_tolerances import acausal_find_tolerances
from acausal.runtime.events.relations.first_values import find_first_values
from acausal.runtime.events.relations.relation_search import search_relations, search_room
from acausal.runtime.events.relations.rest_bands import give_bands, note_changes
from acausal.runtime.events.restart_others import restart_others
from acausal.runtime.events.root_functions import find_violated, leave
from acausal.runtime.limits import AHEAD, FIRST_CHECK, MOST_PASSES, PASSES_EACH
from acausal.runtime.phase_checks import next_check
from acausal.simulate.solver.unmet_restarts import restart_room, unmet_reason
from acausal.targets.python.run_values import SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.targets.python.run_system import ModelSystem


class Events:
    """The events of one run of a system."""

    def __init__(self, system: "ModelSystem", span: float, tolerance: float) -> None:
        import numpy as np

        self._system = system
        model, crossings, frozen = system.model, system.model.crossings, len(system.model.frozen)
        self.next_samples = [0.0] * frozen
        self._offset, self._starts = np.zeros(crossings), np.full(crossings + 1, nan)
        self._context = EventContext(
            is_ordinary=0,
            **model.event_sizes,
            **model.event_tables,
            **{name: [0.0] * size for name, size in model.event_room.items()},
            **{name: np.zeros(len(system.y)) for name in ("moved", "taken", "rate", "located_states")},
            y=system.y,
            u=system.u,
            frozen=system.u,
            p=system.p,
            m=system.m,
            initial=self._initial,
            initial_ahead=self._initial_ahead,
            derivatives=self._derivatives,
            events=self._events,
            events_ahead=self._events_ahead,
            crossings=self._crossings,
            restart_others=self._restart,
            restart_context=0,
            has_restart_others=int(any(slot.state is None for slot in model.restarts)),
            restart_room=restart_room(len(system.y), len(model.restarts), model.positions),
            search=self._search,
            search_context=0,
            search_room=search_room(frozen, model.event_sizes["results_count"]),
            has_search=1,
            begins=0,
            undefined=0,
            touched=[0] * frozen,
            event_number=0,
            offset=self._offset,
            sides=np.zeros(crossings),
            starts=self._starts,
            watched_values=[nan] * (crossings + 1),
            memory_aside=np.zeros(len(system.m)),
            usual_first=0.0,
            agrees_later=0,
            next_sample=self.next_samples,
            widening=[0.0] * frozen,
            band=[0.0] * frozen,
            record=SolverRecord(calls=0.0, failed_block=0.0, failed_time=0.0, last_time=0.0, repeated=0.0),
            roots=[0] * crossings,
            most_passes=max(MOST_PASSES, PASSES_EACH * frozen),
            ahead=AHEAD * span,
            tolerance=tolerance,
            first_check=FIRST_CHECK * span,
            located_time=nan,
            announced=-1,
            **dict.fromkeys(("found", "limit", "first_step", "restarted", "check_begin", "check_time"), 0.0),
            **dict.fromkeys(("check_rate", "check_growth", "check_due"), 0.0),
            **dict.fromkeys(("wrong", "cycle_turn", "cycle_length", "looks_ahead", "is_ahead"), 0),
            **dict.fromkeys(("inconsistent", "is_checking"), 0),
        )

    # ------------------------------------------------------------ routines as the kernels call them

    def _initial(self, t: float, *arrays: "Array") -> int:
        arrays[-1][:] = self._system.first_states(t)
        return 0

    def _initial_ahead(self, t: float, *arrays: "Array") -> int:
        status = self._system.evaluate("initial", t, self._system.y)
        arrays[-1][:] = self._system.results["initial"][: len(arrays[-1])]
        return status

    def _derivatives(self, t: float, y: "Array", *arrays: "Array") -> int:
        return self._system.slope_into(t, y, arrays[-1])

    def _events(self, t: float, y: "Array", *arrays: "Array") -> int:
        self._system.must_be_solved(self._events_ahead(t, y, *arrays), t)
        return 0

    def _events_ahead(self, t: float, y: "Array", *arrays: "Array") -> int:
        status = self._system.evaluate("events", t, y)
        arrays[-1][:] = self._system.results["events"].tolist()
        return status

    def _crossings(self, t: float, y: "Array", *arrays: "Array") -> int:
        status = self._system.evaluate("crossings", t, y)
        arrays[-1][:] = self._system.results["crossings"].tolist()
        return status

    def _search(self, _: EventContext, t: float, y: "Array") -> int:
        return search_relations(self._context, t, y)

    def _restart(self, _: EventContext, t: float) -> int:
        return restart_others(self._context, t)

    # ------------------------------------------------------------ what a run asks

    def go_on_as(self, other: "Events") -> None:
        """Samples of another set of states."""
        for i, t in enumerate(other.next_samples):
            self.next_samples[i] = t

    def start(self, t: float) -> None:
        """States and frozen values of the first instant."""
        system = self._system
        before = system.frozen.copy(), system.m.copy()
        try:
            self._run(first_instant, t, {})
        except SimulationError:
            system.frozen[:], system.m[:] = before
            if find_first_values(self._context, t) != DONE:
                raise
            self._run(first_instant, t, {})

    def at(self, t: float, crossed: Mapping[int, int]) -> None:
        """States and frozen values behind the event at t, where these root functions have crossed."""
        self._run(instant, t, crossed)

    def is_changed(self, t: float, y: "Array", frozen: "Array") -> bool:
        """True if the event at t has changed states or frozen values, which are given as they were before it."""
        nothing = [0] * len(frozen)  # the solver begins again in any case
        return event_outcome(self._context, t, inf, y, frozen, nothing) != UNCHANGED

    def _run(self, kernel: Callable[[EventContext, float], int], t: float, crossed: Mapping[int, int]) -> None:
        context = self._context
        before = self._system.frozen.tolist()
        for i in range(context.crossing_count):
            context.roots[i] = crossed.get(i, 0)
        status = kernel(context, t)
        note_changes(context, before)
        if status == UNREACHABLE:
            fired = [slot for slot in self._system.model.restarts if context.results[slot.position]]
            raise SimulationError(f"at t = {t:.10g} init cannot be satisfied: {unmet_reason(fired, context.results)}")
        if status != DONE:
            why = {CONTRADICTORY: "no values of relations satisfy the equations", RESTLESS: "events do not converge"}
            raise SimulationError(f"at t = {t:.10g}: {why.get(status, 'the event is not consistent')}")

    def rests(self) -> bool:
        """True if the last events come from relations at rest: these get bands, and the events are forgotten."""
        return bool(give_bands(self._context))

    def leave(self, t: float) -> float:
        """The time of the next event that is known; root functions begin on the sides of their frozen values."""
        context = self._context
        if leave(context, t, context.y) != DONE:
            text = self._system.model.frozen[context.inconsistent]
            raise SimulationError(f"at t = {t:.10g} the value of {text} is not consistent")
        find_next_time(context, t, context.y)
        context.is_checking = 0
        return float(context.limit)

    def find_tolerances(self, t: float, share: float, out: "Array") -> None:
        """Absolute tolerances with which relations can be seen in all modes."""
        acausal_find_tolerances(self._context, t, self._context.y, share, out)

    def root_functions(self, t: float, y: "Array") -> "Array":
        """Root functions as the solver sees them: with offsets, and as they begin where it begins."""
        if t == self._starts[-1]:
            return self._starts[:-1].copy()
        if self._system.evaluate("crossings", t, y):
            return self._system.results["crossings"] + nan
        return self._system.results["crossings"] + self._offset

    def violated(self, values: "Array") -> dict[int, int]:
        """Root functions that have come to the other side without being noticed, with directions."""
        context, numbers = self._context, values.tolist()
        for i in range(context.crossing_count):
            context.roots[i] = 0
        if not find_violated(context, numbers):
            return {}
        return {i: context.roots[i] for i in range(context.crossing_count) if context.roots[i]}

    def next_check(self, t: float, values: "Array | None") -> float:
        """The time at which sines in root functions are to be evaluated next; infinite where there are none."""
        if not self._context.has_phases:
            return inf
        seen = self._starts if self._starts[-1] == t else values
        return float(next_check(self._context, t, nan if seen is None else float(seen[self._context.phase_place])))

    @property
    def announced(self) -> str:
        """The `assert` or `terminate` that ends the run, empty if there is none."""
        number = self._context.announced
        return "" if number < 0 else str(self._system.model.announcements[number])
