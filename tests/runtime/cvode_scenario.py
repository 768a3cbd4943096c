"""Calls of the functions that CVODE calls, with a solver that goes its own way."""

from itertools import product
from math import inf, nan
from typing import Any, TypeVar, cast

import numpy as np

from acausal.runtime import limits
from acausal.runtime.branches.branch_record import BranchRecord, record_size
from acausal.runtime.branches.moved_routine import TrackedRoutine, workspace_size
from acausal.runtime.context import SolverRecord
from acausal.runtime.crossings.hidden_search import MOST_POINTS, REAL_NUMBERS, WHOLE_NUMBERS, HiddenSearch
from acausal.runtime.crossings.hidden_steps import search_step, watch_within
from acausal.runtime.cvode import callbacks as cvode
from acausal.runtime.cvode import jacobian, newton_system
from acausal.runtime.cvode.cvode_context import (
    CvodeContext,
    DifferencesContext,
    ExactContext,
    NewtonContent,
    Vector,
    VectorContent,
)
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.overlay import overlay
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.types import Scalar
from tests.runtime.arguments import ARRAYS

STATES, MEMORY, CROSSINGS = 3, 2, 3
S = TypeVar("S", bound=Struct)


def filled(struct: type[S], **given: Any) -> S:
    """A structure with these fields; the others are zero, or have one zero, or nothing."""
    zeros: dict[str, Any] = {}
    for name, (_, kind) in fields(struct).items():
        if kind in ARRAYS:
            zeros[name] = np.zeros(1, ARRAYS[kind])  # type: ignore[index]
        else:
            zeros[name] = {Scalar.REAL: 0.0, Scalar.INT: 0, Scalar.ADDRESS: 0}.get(kind)  # type: ignore[arg-type]
    return struct(**{**zeros, **given})


class Solver:
    """CVode and its counters: it moves the states a little, and says one status after the other."""

    def __init__(self, statuses: tuple[int, ...], verdict: int) -> None:
        self._statuses, self._verdict = statuses, verdict
        self._calls = 0
        self.context: CvodeContext

    def solve(self, memory: int, goal: float, vector: int, reached: Any, task: int) -> int:
        self._calls += 1
        for i in range(STATES):
            self.context.numbers[i] += 0.1 * goal + i
        reached[0] = goal
        return self._statuses[self._calls % len(self._statuses)]

    def count_steps(self, memory: int, count: Any) -> int:
        count[0] = 3 * self._calls
        return 0

    def set_most_steps(self, memory: int, count: int) -> int:
        return 0

    def interpolate(self, memory: int, t: float, order: int, vector: int) -> int:
        """States on a parabola; none behind 3."""
        for i in range(STATES):
            self.context.between_there[i] = (t - 2.0) ** 2 + self.context.p[0] + i
        return int(t > 3.0)

    def monitor(self, results: Any, selections: int) -> int:
        return self._verdict if results[0] > 1.0 else 0


def routine(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
    """It fails from t = 2 on, and a function of the host from 3 on; at 1.5 there is no number."""
    for i in range(len(out)):
        out[i] = nan if t == 1.5 else u[0] * y[i] + p[0] * t - m[0]
    return (t >= 2.0) - 2 * (t >= 3.0)


def make_context(
    is_ordered: int, is_monitored: int, statuses: tuple[int, ...], verdict: int, width: float = 0.0
) -> CvodeContext:
    """With a `width` there are nodes around t = 1, beside which Jacobians are evaluated."""
    solver = Solver(statuses, verdict)
    reals = {"u": [0.3], "p": [-0.7], "offset": [0.1, -0.2, 0.0], "watched_values": [0.0] * 4}
    reals |= {"starts": [0.5, -0.5, 1.0, 1.0], "choice_results": [0.0] * 2, "numbers": [1.0, -2.0, 0.5]}
    reals |= {
        "m": [0.4] + [0.0] * (MEMORY + record_size(MEMORY, 1)),
        "model_states": [0.0] * 3,
        "model_slopes": [0.0] * 3,
        "between_there": [0.0] * STATES,
    }
    reals["m"] += [0.1 * i for i in range(workspace_size(1, STATES, STATES))]
    reals["reached"] = [0.0]
    whole = {"place": [2, 0, 1], "order": [1, 2, 0], "counted": [0]}
    sizes = {"states": STATES, "memory": MEMORY, "crossing_count": CROSSINGS, "followed": 1}
    names = ("solve", "count_steps", "set_most_steps", "monitor", "interpolate")
    context = filled(
        CvodeContext,
        **{name: np.array(numbers) for name, numbers in reals.items()},
        **{name: np.array(numbers, dtype=np.int64) for name, numbers in whole.items()},
        **sizes,
        **{name: getattr(solver, name) for name in names},
        **dict.fromkeys(("derivatives", "crossings", "choices"), routine),
        **dict.fromkeys(("cvode", "vector", "selections", "judged_at", "between"), 0),
        search_step=_search_step,
        has_hidden=1,
        differences=differences_context(),
        exact=exact_context(),
        newton=newton_content(STATES),
        nominal_at=np.array([0, -1, -1]),
        record=solver_record(),
        is_ordered=is_ordered,
        is_monitored=is_monitored,
    )
    record = overlay(BranchRecord, context.m, MEMORY)
    record.center, record.width = 1.0, width
    solver.context = context
    context.hidden_search = hidden_search(context)  # type: ignore[assignment]
    context.address = context  # type: ignore[assignment]
    return context


def _search_step(c: HiddenSearch, t: float, is_begin: int, out: Any) -> None:
    search_step(c, t, is_begin, out)  # by the name in this module, by which it is recorded


def _watch(c: CvodeContext, t: float, factor: float, out: Any) -> None:
    watch_within(c, t, factor, out)


def solver_record() -> SolverRecord:
    return SolverRecord(**dict.fromkeys(fields(SolverRecord), 0.0))


def hidden_search(context: CvodeContext) -> HiddenSearch:
    """A search among the first two functions that has not begun."""
    room = {"times": np.zeros(MOST_POINTS), "values": np.zeros(2 * MOST_POINTS), "root_functions": np.zeros(CROSSINGS)}
    room |= {"m": context.m, "memory_at_begin": np.zeros(MEMORY), "memory_at_end": np.zeros(MEMORY)}
    whole = {"functions": np.array([0, 1], dtype=np.int64), "states": np.zeros(2, dtype=np.int64)}
    numbers = dict.fromkeys(WHOLE_NUMBERS, 0)
    reals = {**dict.fromkeys(REAL_NUMBERS, 0.0), "next_time": nan, "found_time": inf, "sign": 1.0}
    places = {"count": 2, "jump_count": 0, "place": CROSSINGS - 1, "memory": MEMORY}
    return HiddenSearch(watch=_watch, context=context, **places, **whole, **room, **numbers, **reals)


def watch_double_crossings(is_ordered: int, step: float, least: float) -> None:
    """Two crossings within a step, or nearly; the solver then bisects."""
    c = make_context(is_ordered, 0, (0,), 0)
    c.crossings = parabolas
    c.u[0], c.p[0] = 1.0, least
    for t in (1.0, *np.arange(1.0 + step, 3.2, step).tolist()):
        y = vector(*[(t - 2.0) ** 2 + least + i for i in range(STATES)])
        cvode.cvode_crossings(t, y, np.zeros(CROSSINGS), c)
        search = cast("HiddenSearch", c.hidden_search)
        if search.found_time < inf:
            cvode.cvode_crossings(search.found_time, y, np.zeros(CROSSINGS), c)


def parabolas(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
    """States, the first one below zero for a while."""
    out[0], out[1], out[2] = u[0] * y[0] - 0.1, y[1] - y[0], 1.0
    return int(t > 3.0)


def watch_jumps(step: float, begin: float) -> None:
    """A pulse beside a jump at 2: within a step, or at its end; the solver asks for the end twice."""
    c = make_context(0, 0, (0,), 0)
    c.crossings = pulse
    c.offset[:] = 0.0
    cast("HiddenSearch", c.hidden_search).jump_count = 1
    for t in (1.0, *np.arange(begin, 3.2, step).tolist()):
        for _ in range(2):
            cvode.cvode_crossings(t, vector(*[t + i for i in range(STATES)]), np.zeros(CROSSINGS), c)


def pulse(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
    """Above zero from 1.999 to 2, where the second one is zero; no number for a while."""
    out[0], out[1], out[2] = (1.0 if 1.999 < t < 2.0 else -1.0), (2.0 - t) * (1.0 + t), 1.0
    if 1.4 < t < 1.45:
        out[1] = nan
    return int(t > 3.0)


PLACES = {"indices": [0, 2, 1, 2], "pointers": [0, 2, 3, 4]}
"""Entries of a sparse matrix, whose first and second column make a group."""


def sparse_places() -> dict[str, Any]:
    """Their places, as SUNDIALS has cleared them."""
    places: dict[str, Any] = {"index_count": 4, "pointer_count": 4, "filled": 0}
    for name, numbers in PLACES.items():
        places |= {name: np.array(numbers, dtype=np.int32), f"{name}_there": np.zeros(4, dtype=np.int32)}
    return places


def differences_context() -> DifferencesContext:
    columns = {"first_of_column": PLACES["pointers"], "rows": PLACES["indices"]}
    whole = {"first_of_group": [0, 2, 3], "columns": [0, 1, 2], **columns}
    return DifferencesContext(
        **sparse_places(),
        **{name: np.array(numbers, dtype=np.int64) for name, numbers in whole.items()},
        **{name: np.zeros(STATES) for name in ("moved", "slopes")},
        group_count=2,
        scales=np.array([0.5, 1.0, 1e-3]),
        values=np.zeros(4),
    )


def newton_content(size: int, **given: Any) -> NewtonContent:
    """A dense matrix whose Jacobian is made by differences; LAPACK reports success."""
    room = {name: np.zeros(size) for name in ("left", "right", "errors", "diagonal")}
    found = {**room, "size": size, "entries": np.zeros(size * size), "by_factors": 1, "by_sum": 2, **given}
    found.setdefault("jacobian", np.zeros(size * size))
    return filled(NewtonContent, **found, set_up=lambda *_: 0)


def exact_context() -> ExactContext:
    def tangent(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
        out[:] = [y[0] * t, u[0] / m[0], nan, inf if t == 1.0 else y[1] - p[0]]
        m[0] = 2.0 * m[0] + y[1]
        return (t >= 2.0) - 2 * (t >= 3.0)

    places = np.array([3, 0, 1, 2])
    sizes = {"entry_count": 4, "entries": np.zeros(4), "memory": np.zeros(MEMORY), "values": np.full(4, 7.0)}
    room = {"given": np.zeros(STATES), "states": np.zeros(STATES)}
    return ExactContext(**sparse_places(), **sizes, **room, tangent=tangent, motion=motion(), places=places)


def motion() -> TrackedRoutine:
    """The first state moves with the second one."""
    whole = {"base": MEMORY, "followed": 1, "states": STATES, "results": STATES, "first_block": 1, "is_near": 0}
    start = 1 + MEMORY + record_size(MEMORY, 1)
    places: dict[str, Any] = {"position": np.array([0]), "rate": np.array([1]), "interpolation_start": start}
    inputs = {"inputs": 0, "inputs_start": 0, "moving_inputs": 0, "input_position": [], "input_rate": []}
    flags = {"in_run": 1, "is_row": 0, "is_timed": 0, "is_judged": 0}
    return TrackedRoutine(
        **whole, **places, routine=routine, moving=1, driven=0, turning=1, turned=[0], block_of=[], **flags, **inputs
    )


def vector(*numbers: float) -> Vector:
    return Vector(content=VectorContent(length=len(numbers), values=np.array(numbers)))


def call_as_cvode() -> None:
    """Slopes, root functions and rows: in order or not, monitored or not, solved or not, and far from any progress."""
    for is_ordered, step, least in product((0, 1), (0.35, 0.6), (-0.01, 0.001)):
        watch_double_crossings(is_ordered, step, least)
    for step, begin in ((0.35, 1.35), (0.5, 1.5), (0.7, 1.3), (0.9, 1.9)):
        watch_jumps(step, begin)
    ways = product(
        (0, 1),
        (0, 1),
        ((0,), (0, -1, -1), (0, 0, 2)),
        (0, limits.ILL_CONDITIONED, limits.NEARLY_ILL_CONDITIONED),
        (0.0, 1.2),
    )
    for is_ordered, is_monitored, statuses, verdict, width in ways:
        c = make_context(is_ordered, is_monitored, statuses, verdict, width)
        y, slope = vector(0.3, -0.8, 2.5), vector(0.0, 0.0, 0.0)
        for t in (0.5, 0.5, 1.0, 1.5, 2.0, 3.0):
            cvode.cvode_slope(t, y, slope, c)
            cvode.cvode_crossings(t, y, np.zeros(CROSSINGS), c)
            jacobian.jacobian_by_differences(t, y, slope, 0, c, 0, 0, 0)
            jacobian.exact_jacobian(t, y, slope, 0, c, 0, 0, 0)
            for has_exact, is_kept in ((0, 0), (0, 1), (1, 0)):
                c.newton.has_exact = has_exact
                is_new, room = np.zeros(1, dtype=np.int32), vector(0.0, 0.0, 0.0)
                newton_system.newton_system(t, y, slope, 0, is_kept, is_new, 0.1 * t, c, room, 0, 0)
        c.record.repeated = 1e6
        cvode.cvode_slope(t, y, slope, c)
        for t in (0.5, 0.9, 1.3, 2.2, 3.5):
            cvode.cvode_advance(c, t)
