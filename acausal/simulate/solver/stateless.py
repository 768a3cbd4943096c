"""Models without states: time goes on and relations in them cross (`runtime/steps/time_steps`)."""

from math import inf, nan
from typing import TYPE_CHECKING, Any

from acausal.codegen.context_memory import ContextMemory, struct_view, zeros_of
from acausal.codegen.native.native_events import search_addresses, time_addresses
from acausal.runtime.context import SolverRecord
from acausal.runtime.crossings.hidden_search import HiddenSearch
from acausal.runtime.crossings.hidden_steps import search_step
from acausal.runtime.crossings.root_search import RootSearch
from acausal.runtime.kernel.signature import fields
from acausal.runtime.steps.followed_time import FollowedTime
from acausal.runtime.steps.time_steps import TimeSolver, advance_time
from acausal.simulate.failure.checked import delayed_values
from acausal.simulate.solver.cvode_settings import TOO_MUCH_WORK, WHY
from acausal.simulate.solver.event_context import LOOP_FIELDS, plain_fields
from acausal.simulate.solver.followed import followed_in_python, followed_native
from acausal.simulate.solver.hidden import search_room
from acausal.simulate.solver.integrator import Counts, StepResult, StuckError
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_IN_PLACE = {
    "solve": "solve_time",
    "set_stop": "stop_time",
    "root_info": "crossed_roots",
    "reinit": "begin_time",
    **dict.fromkeys(("set_least", "set_first"), "ignore_time"),
    **dict.fromkeys(("count_steps", "count_jacobians"), "count_nothing"),
    "interpolate": "no_states",
    "step_with_history": "step_in_time",
}
"""Functions of CVODE, and what stands in their place."""


def _search_room(count: int) -> "dict[str, Any]":
    import numpy as np

    return {name: np.zeros(count) for name in ("first", "below", "above", "values")}


def _numbers(system: System, start: float) -> "dict[str, Any]":
    program = system.program
    return {
        "time": start,
        "stop": inf,
        "way_end": nan,
        **dict.fromkeys(("way_begin", "parts", "part"), 0.0),
        "is_begin": 1,
        "shortest": system.delays.shortest,
        "has_delays": int(bool(program.delays)),
        "sides": system.sides,
        "has_hidden": int(bool(program.table.hidden)),
    }


class TimeInstance:
    """In place of CVODE's memory for machine code; see `SolverInstance`."""

    def __init__(self, system: System, settings: Settings) -> None:
        import numpy as np

        self._system, self._settings = system, settings
        self._record_memory, record = zeros_of(SolverRecord)
        self.record: SolverRecord = record
        count, whole = system.program.table.crossings, np.zeros(0, dtype=np.int64)
        self._roots, self.watched = np.zeros(count, dtype=np.int32), np.full(count + 1, np.nan)
        code, nothing = time_addresses(), np.zeros(0)
        self.context = ContextMemory(
            LOOP_FIELDS,
            {
                **plain_fields(system),
                **{field: code[name] for field, name in _IN_PLACE.items()},
                **dict.fromkeys(("numbers", "between_there"), nothing),
                **dict.fromkeys(("place", "order"), whole),
                "record": self._record_memory.address,
                "roots": self._roots,
                "watched_values": self.watched,
            },
        )
        own: dict[str, Any] = {"context": self.context.address, "watch": code["watch_in_time"]}
        found: dict[str, Any] = {**own, **_search_room(count), "count": count, "roots": self._roots, "time": 0.0}
        self._search = ContextMemory(tuple(fields(RootSearch)), found)
        numbers = _numbers(system, settings.start)
        followed, self._followed = followed_native(system, self.context.values, self._record_memory)
        parts: dict[str, Any] = {"search": self._search.address, "seen": self.watched}
        parts |= {"begin": code["watch_begin"], "extend": code["extend_in_time"]}
        if numbers["has_hidden"]:
            self._hidden = ContextMemory(tuple(fields(HiddenSearch)), {**search_room(system), **own})
            parts |= {"hidden": self._hidden.address, "hidden_address": self._hidden.address}
            parts["search_step"] = search_addresses()["search_step"]
        self._memory = ContextMemory(tuple(fields(TimeSolver)), {**numbers, **parts, **followed})
        self._solver = struct_view(self._memory, TimeSolver)
        self.context.fill({"cvode": self._memory.address, "address": self.context.address})

    def can_begin(self, settings: Settings) -> bool:
        """True if it can serve another run with these settings."""
        return settings.solver == self._settings.solver

    def forget_roots(self) -> None:
        """Nothing is remembered."""

    def forget_first_step(self) -> None:
        """No step is limited."""

    def limit_steps(self, settings: Settings, y: "Array") -> None:  # noqa: ARG002 - there are no states
        """The settings of another run."""
        self._settings = settings

    def reinitialize(self, t: float, y: "Array", first: float) -> None:  # noqa: ARG002 - as solvers with states
        """Begin at a time."""
        self.context.fill({"is_checking": 0})
        solver = self._solver
        solver.time, solver.is_begin, solver.shortest = t, 1, self._system.delays.shortest

    def solved_until(self) -> float:
        """The time to which blocks were followed."""
        return -inf if self._followed is None else struct_view(self._followed, FollowedTime).time

    def states(self) -> "Array":
        """None."""
        import numpy as np

        return np.zeros(0)

    def crossed(self) -> dict[int, int]:
        """The root functions that have crossed, and whether they grow (1) or fall (-1)."""
        return {i: int(root) for i, root in enumerate(self._roots) if root}

    def counts(self) -> tuple[int, int]:
        """None."""
        return 0, 0

    def status_name(self, status: int) -> str:
        """The number itself."""
        return str(status)


class NoStates:
    """The same without machine code; see `Integrator`."""

    name = "none"
    is_loop = False
    batch = None

    def __init__(self, system: System, y: "Array", start: float) -> None:
        import numpy as np

        self._system, self._y = system, y
        count = system.program.table.crossings
        self._seen = np.full(count + 1, np.nan)

        def watch(_: object, t: float, factor: float, out: "Array") -> None:
            if count:
                system.crossings(t * factor, y, out)

        def begin(_: object, t: float, out: "Array") -> None:
            watch(None, t, 1.0, out)

        def extend(_: object, t: float) -> int:
            system.delays.extend(t, lambda t: delayed_values(system, t, y))
            return 0

        roots = np.zeros(count, dtype=np.int32)
        search = RootSearch(count=count, watch=watch, context=0, roots=roots, time=0.0, **_search_room(count))
        self._record = SolverRecord(**dict.fromkeys(fields(SolverRecord), 0.0))
        hidden = None
        if system.program.table.hidden:
            hidden = HiddenSearch(**search_room(system), watch=watch, context=0)
        self._solver = TimeSolver(
            **_numbers(system, start),
            search=search,
            seen=self._seen,
            begin=begin,
            extend=extend,
            hidden=hidden,
            hidden_address=hidden,
            search_step=search_step,
            **followed_in_python(system, y, self._record),
        )

    def advance(self, t: float, limit: float) -> StepResult:
        """At t, or at the first crossing before."""
        status = advance_time(self._solver, min(t, limit))
        self._system.take_record(self._record)
        if status < 0 and status != TOO_MUCH_WORK:
            followed = self._solver.followed.time if self._solver.has_followed else -inf  # type: ignore[attr-defined]
            raise StuckError(WHY[status], max(self._solver.time, followed), self._y)
        roots = self._solver.search.roots
        crossed = {i: int(roots[i]) for i in range(len(self._seen) - 1) if roots[i]} if status > 0 else {}
        return StepResult(self._solver.time, self._y, crossed)

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:  # noqa: ARG002 - there are no steps
        """Goes on from t."""
        solver = self._solver
        self._y, solver.time, solver.is_begin, solver.shortest = y, t, 1, self._system.delays.shortest
        self._seen[-1] = float("nan")

    def watched(self, t: float) -> "Array | None":
        """The root functions at t."""
        return self._seen[:-1] if self._seen[-1] == t else None

    def goes_on(self, t: float, limit: float) -> bool:  # noqa: ARG002 - it costs nothing to begin again
        """No."""
        return False

    def counts(self) -> Counts:
        """Nothing."""
        return Counts(0, 0)
