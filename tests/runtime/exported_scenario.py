"""Runs of exported models in Python: calls of the loop over events, and changes of states (`runtime/state_sets`)."""

from array import array
from itertools import count
from math import inf, nan
from typing import Any

import numpy as np

from acausal.runtime import delay_events, delays, state_sets, step_limits
from acausal.runtime.context import DONE
from acausal.runtime.events import exported_run
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.reported_polynomials import ReportedSteps, input_between
from acausal.runtime.events.reported_steps import POINTS, begin_reports, begin_segment, complete_pieces, report_point
from acausal.runtime.state_selection import StateSelections, vectors_size

GOALS = 8
STATES = 2


def run_exported(e: LoopContext) -> None:
    """A run in parts, in which events are left now and then, and states may have to change."""
    if e.has_delays:
        delays.start_history(e.inputs.history, 0.0, 1e-13)
        e.inputs.history.has_begun = 1
    exported_run.forget_limit(e)
    if exported_run.start_run(e, 0.0) != DONE:
        return
    for i in range(e.states):
        e.numbers[i] = e.y[i]
    exported_run.restart_steps(e, 0.0)
    stop = e.stop
    for goal, calls in zip(np.linspace(0.0, stop, GOALS + 1)[1:], count(), strict=False):
        place = exported_run.ON_THE_WAY
        while place in (exported_run.ON_THE_WAY, exported_run.BEHIND_EVENT):
            if e.has_delays:
                exported_run.make_room(e)
            before = e.reached[0]
            place = exported_run.run_part(e, float(goal), stop, calls % 2)
            if place == exported_run.AT_EVENT and exported_run.do_left_event(e) == DONE:
                place = exported_run.BEHIND_EVENT
            if e.reached[0] <= before:
                return


def report_steps(e: LoopContext) -> None:
    """A run with delays in which the steps of another integrator are reported: equal, very short and longer ones."""
    if not e.has_delays:
        return
    h, n, inputs = e.inputs.history, e.states, e.inputs.count
    delays.start_history(h, 0.0, 1e-13)
    h.has_begun = 1
    if exported_run.start_run(e, 0.0) != DONE:
        return
    rooms = {"times": 1, "states": n, "rates": n, "inputs": inputs, "used": 1}
    rooms |= dict.fromkeys(("weights", "rate_weights", "input_weights"), 1)
    arrays: dict[str, Any] = {name: np.zeros(POINTS * max(1, size)) for name, size in rooms.items()}
    arrays |= {"used": np.zeros(POINTS, dtype=np.int64), "kept": np.zeros(max(1, inputs))}
    arrays |= {name: np.zeros(max(1, h.count)) for name in ("middle", "largest")}
    r = ReportedSteps(loop=e, points=0, longest=0.0, error=0.0, error_before=0.0, **arrays)
    begin_reports(r)
    t, rates, shortest = 0.0, np.zeros(max(1, n)), min(h.times[k] for k in range(h.count))
    for number, share in enumerate((0.0, 0.2, 0.2, 0.001, 0.3, 1e-6, 0.25, 0.1, 0.3, 0.2, 0.4)):
        t += share * shortest
        for i in range(n):
            e.y[i] += share * shortest * np.cos(t + i)
            rates[i] = np.cos(t + i)
        report_point(r, t, rates, 1e-6, number % 2)
        if number % 4 == 3:
            complete_pieces(r, POINTS, 1e-6)
            delay_events.add_break(h, t)
            begin_segment(r, t)
            report_point(r, t, rates, 1e-6, 0)
        for k in range(h.count):
            delays.delayed_value(h, k, number % 2, t + 1.5 * h.times[k])
        input_between(r, number % 2)


def switch_sets(e: LoopContext) -> None:
    """From set to set: good, nearly ill-conditioned and ill-conditioned ones, and those whose states are not finite."""
    if exported_run.start_run(e, 0.0) != DONE:
        return
    for turned in (0.0, 1.3, 1.57, nan):
        for bad in (-1, 1, 2):
            s = sets_of_states(bad)
            s.first_parameters[0] = turned
            state_sets.find_parameters(s)
            state_sets.find_known(s, 0.5, s.y)
            state_sets.complete_known(s, 0.5)
            state_sets.show_known(s, np.zeros(2))
            for t in (0.0, 1.0, 2.0):
                exported_run.switch_states(e, s, t)


def sets_of_states(bad: int) -> state_sets.StateSets:
    """Three sets, each of two out of three numbers; the variables of the set `bad` are not finite."""

    def setup(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
        out[1] = p[0] + t
        return 0

    def variables(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
        out[:3] = y[0], y[1], y[0] * y[1] + p[0]
        if s.number == bad:
            out[2] = inf
        return 0

    def choices(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
        out[:2] = np.cos(p[0] + s.number + t), np.sin(p[0] + s.number + t)
        return int(t > 1.5)

    known = 2 + 3 + 2 + 2  # choices, variables, parameters, time and 1
    pairs = 9
    s = state_sets.StateSets(
        count=3,
        number=0,
        is_due=1,
        transfer=state_sets.StateTransfer(
            states=STATES,
            places=np.array([2 + (pair + i) % 3 for pair in range(pairs) for i in range(STATES)]),
            factors=np.array([1.0, -2.0] * pairs),
            first_start=np.arange(pairs + 1),
            start_places=np.array([2 + pair % 3 for pair in range(pairs)]),
            start_factors=np.full(pairs, 0.5),
            targets=np.zeros(pairs, dtype=np.int64),
        ),
        bind=lambda _: None,
        model=0,
        states=STATES,
        memory=0,
        known=np.zeros(known),
        given=np.zeros(1),
        first_parameters=np.array([0.3]),
        own_parameters=1,
        variables=variables,
        choices=choices,
        setup=setup,
        choice_count=2,
        stored=3,
        parameters=2,
        memory_size=1,
        y=np.array([0.4, -0.7]),
        u=np.zeros(1),
        p=np.array([0.3, 0.0]),
        m=np.zeros(1),
        choice_results=np.zeros(2),
        selections=StateSelections(
            count=1,
            rows=np.array([1]),
            columns=np.array([2]),
            position=np.array([0]),
            first_weight=np.array([0]),
            weights=np.ones(2),
            first_dummy=np.array([0]),
            dummies=np.array([0]),
            best=np.zeros(2, dtype=np.int64),
            vectors=np.zeros(vectors_size(1, 2)),
        ),
        shown_count=2,
        shown=array("q", [2, 4]),
        shown_factors=np.array([1.0, -1.0]),
    )
    return s


def find_step_tolerances() -> None:
    """Coarse and fine ones."""
    for tolerance in (1e-2, 1e-4, 1e-6, 1e-9, 1e-12):
        step_limits.step_tolerance(tolerance)
