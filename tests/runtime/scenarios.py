"""Runs in Python in which kernels are recorded."""

import ctypes
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from math import inf, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from acausal.codegen.executable import Executable
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.tangent.sensitivities.augment import augment
from acausal.pipeline import translate
from acausal.runtime.branches.branch_results import predict
from acausal.runtime.context import DONE
from acausal.runtime.delays import NODES, DelayHistory
from acausal.runtime.events.event_loop import (
    acausal_advance,
    acausal_begin_events,
    acausal_run_events,
    acausal_start_events,
)
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.mode_tolerances import acausal_find_tolerances
from acausal.runtime.events.relations.consistency import are_consistent
from acausal.runtime.events.relations.relation_search import search_relations
from acausal.runtime.events.restart_others import restart_others
from acausal.runtime.events.root_functions import leave
from acausal.runtime.events.run_parts import FIRST, PARTS, RunParts, acausal_run_parts
from acausal.runtime.events.single_event import (
    CHECK,
    EVENT,
    FIRST_STEP,
    LEAVE,
    LEAVE_ANEW,
    START,
    acausal_event_outcome,
    acausal_find_violated,
    acausal_single_event,
)
from acausal.runtime.events.single_steps import step_to
from acausal.runtime.events.slope_event import slope_task
from acausal.runtime.inputs import DELAY, WITH_INPUTS, InputContext
from acausal.runtime.limits import ILL_CONDITIONED, WITHIN, WITHOUT_END
from acausal.runtime.slope_context import ENDING, STARTING, SlopeContext
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import DelayInput, Signals, make_signals
from acausal.simulate.solver.event_context import most_passes, native_fields, numbers_of
from acausal.simulate.solver.unmet_restarts import restart_room
from acausal.simulate.system.initialization import initial_states
from acausal.simulate.system.parameters import parameter_values
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from tests.events import test_native as native
from tests.runtime.branch_scenarios import BRANCHES
from tests.runtime.cvode_scenario import differences_context, exact_context, filled, solver_record
from tests.runtime.exported_scenario import find_step_tolerances, report_steps, run_exported, switch_sets
from tests.runtime.fixed_scenario import MODELS as FIXED
from tests.runtime.fixed_scenario import fixed_context
from tests.runtime.integrator import Integrator
from tests.runtime.recorder import Recorded, Recorder
from tests.runtime.relation_scenario import SWITCHES, chatter, search_all, search_room
from tests.runtime.slope_scenario import SLOPES, slope_context
from tests.runtime.small_scenarios import SMALL
from tests.runtime.sweep_scenario import MODELS as SWEEPS
from tests.runtime.sweep_scenario import sweep
from tests.runtime.time_scenario import MODELS as TIMES
from tests.runtime.time_scenario import time_context

ROWS, EVENTS, ROOM = 12, 30, 64
_CODES = {np.dtype(np.float64): "d", np.dtype(np.int64): "q", np.dtype(np.int32): "i"}
_ROUTINES = ("initial", "derivatives", "events", "crossings")

Run = Callable[[], None]
"""What is recorded, behind what is prepared."""

LOOP = """model M
  local x, y, n
  der(x) = -y
  y + 0.2*y^3 = if n > 0 then x else 2*x - 0.5
  n = sin(5*time)
end
"""
"""A nonlinear block of several branches, and relations."""

ANGLES = """model M
  local phi (start=0, fixed=true), q (start=0)
  discrete n
  der(phi) = 3
  q^3 + q = phi
  when sin(q) > 0.5 then
    new(n) = n + 1
  endwhen
end
"""
"""A sine of an angle whose velocity no formula gives."""

IMPACT = """model M
  local h (start=0.3, fixed=true), v (start=0, fixed=true), w (start=1, fixed=true), s, r
  der(h) = v
  der(v) = -9.81
  der(w) = -w
  s = v + 0.1*v^3 + w
  r = h + v*w
  when h < 0 then
    init(s) = -0.8*s
  endwhen
  when v > 0.5 then
    init(w) = 2
    init(r) = r + 0.1
  endwhen
end
"""
"""`init` of variables that are no states."""

LEAK = """model M
  local i (start=0.1, fixed=true), s
  der(i) = cos(5*time) - i
  i = if s < 0 then 1e-12*s else s
end
"""
"""A diode: errors of the current are large ones of its voltage."""

DELAYS = """model M
  local x (start=1, fixed=true), y, z (start=0.3, fixed=true)
  discrete n
  y = delay(x, 0.21)
  der(x) = (if y > 0.8 then -1 else 1) - delay(z, 0.13)
  der(z) = der(y) - z
  when x > 1.1 then
    new(n) = n + 1
    init(z) = 0.5*z
  endwhen
end
"""


def model_run(text: str, stop: float, is_ordinary: bool) -> Run:
    """A run of a model from event to event."""
    e, _ = prepared(text, stop)
    e.is_ordinary, e.has_search = int(is_ordinary), int(not is_ordinary)
    return lambda: run(e)


def prepared(text: str, stop: float) -> tuple[LoopContext, System]:
    """A model at its start."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(text, encoding="utf-8")
        program = translate(file)
    return prepared_run(program.executable, stop)


def prepared_run(executable: Executable, stop: float) -> tuple[LoopContext, System]:
    """The same of an executable."""
    settings = Settings(0.0, stop, stop / 12, 1e-6, "cvode")
    p = np.asarray(parameter_values(executable, {}))
    signals = make_signals(executable.program, {}, p, 0.0, stop)
    system = System(executable, p, signals, Delays(executable.program, 0.0, stop))
    if executable.program.delays:
        initial_states(system, 0.0)
    return loop_context(system, settings, signals), system


def restarted_run(text: str, stop: float) -> Run:
    """A run with `init` of variables that are no states."""
    e, system = prepared(text, stop)
    e.restart_others, e.has_restart_others = _restart_others, 1
    e.restart_room = restart_room(e.states, e.restarts, system.positions)
    return lambda: run(e)


def slope_run(text: str, stop: float) -> Run:
    """A run with slopes along the first two parameters."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(text, encoding="utf-8")
        augmented = augment(translate(file).executable.program, (0, 1), ())
    e, _ = prepared_run(compile_llvm(augmented.program), stop)
    e.slope_context, e.has_slopes = slope_context(augmented, stop, EVENTS), 1
    e.slope_task = _slope_task

    def with_ends() -> None:
        slope_task(e, 0.0, STARTING)
        run(e)
        slope_task(e, e.reached[0], ENDING)

    return with_ends


def leaking_run(text: str) -> Run:
    """Bands of a relation at rest, whose errors differ by orders of magnitude between its values; tolerances of it."""
    e, _ = prepared(text, 1.0)

    def both() -> None:
        for i in range(e.frozen_count):
            e.widening[i] = 1.0
        for value in (0.0, 1.0):
            e.frozen[0] = value
            leave(e, 0.0, e.y)
            acausal_find_tolerances(e, 0.0, e.y, 1e-7, array("d", [0.0]))

    return both


def monitored_run(text: str, stop: float) -> Run:
    """The same with states that have been selected, and now and then are ill-conditioned."""
    e, _ = prepared(text, stop)
    judged = 0

    def choices(t: float, y: Any, u: Any, p: Any, m: Any, out: Any) -> int:
        out[0] = t
        return 0

    def monitor(results: Any, selections: int) -> int:
        nonlocal judged
        judged += 1
        return ILL_CONDITIONED if judged % 7 == 0 else 0

    e.choices, e.monitor, e.is_monitored, e.choice_results = choices, monitor, 1, array("d", [0.0])

    def again() -> None:
        for _ in range(3):
            run(e)

    return again


def quiet_run(text: str, stop: float) -> Run:
    """Output times of a model without events, from its state 1 on."""
    e, _ = prepared(text, stop)

    def through() -> None:
        e.numbers[0] = 1.0
        e.limit = inf
        e.reinit(e.cvode, 0.0, e.vector)
        times = {"begin": 0.0, "length": stop / PARTS, "boundary": stop / FIRST, "time": 0.0}
        acausal_run_parts(RunParts(loop=e, steps=0, earlier=0, **times))

    return through


def run(e: LoopContext) -> None:
    """From the first instant to the end, or to where Python would go on."""
    if acausal_start_events(e) != DONE or acausal_begin_events(e) != DONE:
        return
    for i in range(e.states):
        e.numbers[i] = e.y[i]
    e.reinit(e.cvode, 0.0, e.vector)
    if e.has_delays:
        acausal_advance(e, 0.01)
    for task in (START, LEAVE_ANEW, FIRST_STEP, EVENT, LEAVE, *((CHECK,) if e.has_phases else ())):
        acausal_single_event(e, 0.0, task)
    acausal_event_outcome(e, 0.0, e.limit)
    acausal_find_violated(e)
    find_lost_relations(e)
    while e.number < e.count:
        before = e.number, e.event_count
        e.rows = 0
        if acausal_run_events(e) < 0 or before == (e.number, e.event_count) or e.event_count == e.event_room:
            return


def find_lost_relations(e: LoopContext) -> None:
    """The check of frozen values, each in turn on the wrong side."""
    for i in range(e.frozen_count):
        right = e.frozen[i]
        e.frozen[i] = 1.0 - right
        are_consistent(e, 0.0, e.y)
        e.frozen[i] = right


def loop_context(system: System, settings: Settings, signals: Signals) -> LoopContext:
    """All fields, for Python."""
    program, values = system.program, dict(native_fields(system))
    states, crossings, frozen = len(program.state_slots), program.table.crossings, len(program.table.frozen)
    routines = {name: _routine(system, name) for name in _ROUTINES}
    grid, rows = settings.grid, ROWS
    values |= {
        "times": np.asarray(grid, dtype=np.float64),
        "row_times": np.zeros(rows),
        "row_states": np.zeros(rows * states),
        "row_frozen": np.zeros(rows * frozen),
        "row_memory": np.zeros(rows * program.memory),
        "numbers": np.zeros(states),
        "watched_values": np.full(crossings + 1, nan),
        "event_times": np.full(EVENTS + WITHOUT_END - 1, -inf),
        "event_frozen": np.zeros(EVENTS * 2 * frozen),
        "event_roots": np.zeros(EVENTS * crossings, dtype=np.int32),
        "roots": np.zeros(crossings, dtype=np.int32),
        "touched": np.zeros(frozen, dtype=np.int64),
        **dict.fromkeys(("place", "order"), np.arange(states)),
        "record": solver_record(),
        "between_there": np.zeros(states),
        "most_passes": most_passes(program, settings),
        **numbers_of(program, settings),
    }
    arrays = {name: array(_CODES[v.dtype], v.tobytes()) for name, v in values.items() if isinstance(v, np.ndarray)}
    arrays["m"] = np.frombuffer(arrays["m"])  # kernels take parts of it
    arrays["u"] = arrays["frozen"]
    values["inputs"] = inputs = input_context(system, arrays, signals)
    if program.delays:
        beside = input_context(system, arrays, signals)  # its routines are not recorded besides those of the loop
        beside.history = inputs.history
        routines = {name: _with_inputs(name, beside) for name in _ROUTINES}

    def slope(t: float, y: Any) -> list[float]:
        out = array("d", bytes(8 * states))
        routines["derivatives"](t, array("d", y), arrays["u"], arrays["p"], arrays["m"], out)
        return list(out)

    def root_functions(t: float, y: Any) -> list[float]:
        out = array("d", bytes(8 * crossings))
        routines["crossings"](t, array("d", y), arrays["u"], arrays["p"], arrays["m"], out)
        return list(out)

    integrator = Integrator(slope, root_functions)
    whole = dict.fromkeys(("number", "rows", "event_count", "steps", "jacobians", "cvode", "vector", "wrong"), 0)
    whole |= dict.fromkeys(("cycle_turn", "cycle_length", "looks_ahead", "is_ahead", "inconsistent"), 0)
    whole |= {"ready": 0, "ready_status": 0, "vector": 1, "between": 2}
    real = dict.fromkeys(("found", "limit", "first_step", "usual_first", "restarted", "ready_time"), 0.0)
    of_run = {"last_row": nan, "solver_limit": nan, "stop": settings.stop, "chattering_time": WITHIN * settings.stop}
    sizes = {"count": len(grid), "row_room": rows, "event_room": EVENTS, "announced": -1}
    own = {"search": _search, "predict": _predict, "step_with_history": _step_to}
    fields = {**values, **arrays, **routines, **whole, **real, **of_run, **sizes, **own, **integrator.routines()}
    solver = {
        "choices": None,
        "differences": differences_context(),
        "exact": exact_context(),
        "slope_context": filled(SlopeContext),
    }
    context = filled(
        LoopContext, **{**fields, **solver, "initial_ahead": routines["initial"], "events_ahead": routines["events"]}
    )
    integrator.context = context
    context.address = context.restart_context = context.search_context = context  # type: ignore[assignment]
    context.search_room = search_room(context)
    return context


def input_context(system: System, arrays: dict[str, Any], signals: Signals) -> InputContext:
    """Delays as the only inputs, if there are any."""
    sources = [source for source in signals.sources if isinstance(source, DelayInput)]
    delays = system.delays
    history = {"count": len(delays.times), "has_begun": 1, "start": 0.0, "near": 1e-13, "seen": -inf, "pieces": 0}
    history |= {"largest": 0.0, "reported": 0}
    sizes = {"ends": ROOM + 1, "nodes": ROOM * NODES * len(delays.times), "breaks": ROOM}
    found = {name: array("d", bytes(8 * size)) for name, size in sizes.items()}
    found |= {"times": array("d", delays.times), "before": array("d", delays.memory.array("before") if sources else [])}
    found["at"] = array("q", [0] * len(delays.times))
    empty = {name: array("d") for name in ("expression_values", "function_values", "table_times", "table_values")}
    numbers = {
        "number": [s.delay for s in sources],
        "order": [s.order for s in sources],
        "kind": [DELAY] * len(sources),
    }
    numbers |= {"table_first": [0], "table_segment": []}
    past = DelayHistory(**history, **found, late=len(delays.times), piece_room=ROOM, break_count=1)
    program, names = system.program, [name for name in WITH_INPUTS if name != "tangent"]
    return InputContext(
        **empty,
        **{name: array("q", values) for name, values in numbers.items()},
        constant=array("d", bytes(8 * len(sources))),
        u=arrays["frozen"],
        p=arrays["p"],
        first=len(program.table.frozen),
        count=len(sources),
        history=past,
        recorded=past,
        **dict.fromkeys(("expression_count", "function_count", "memory_size"), 0),
        **dict.fromkeys(("memory_aside", "delayed_results"), array("d")),
        **dict.fromkeys(("expressions", "functions", "tangent")),
        **{name: _routine(system, name) for name in names},
    )


def _with_inputs(name: str, inputs: InputContext) -> Callable[..., int]:
    kernel = WITH_INPUTS[name]

    def called(t: float, y: Any, _: Any, *arrays: Any) -> int:
        return int(kernel(t, y, inputs, *arrays))  # type: ignore[call-overload]

    return called


def _predict(m: Any, base: int, count: int, t: float) -> None:
    predict(m, base, count, t)  # by the name in this module, by which it is recorded


def _step_to(e: LoopContext, goal: float) -> int:
    return step_to(e, goal)


def _restart_others(e: LoopContext, t: float) -> int:
    return restart_others(e, t)


def _slope_task(e: LoopContext, t: float, task: int) -> int:
    return slope_task(e, t, task)


def _search(e: LoopContext, t: float, y: Any) -> int:
    return search_relations(e, t, y)


def _routine(system: System, name: str) -> Callable[..., int]:
    """A routine of the model, for arrays of Python."""
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, *[ctypes.c_void_p] * 5)
    function = kind(system.executable.address(name) or 0)

    def called(t: float, *arrays: Any) -> int:
        assert system  # it owns the machine code
        return int(function(t, *[_address(a) for a in arrays]))

    return called


def _address(numbers: Any) -> int:
    """The address of an array of Python or NumPy."""
    found = numbers.ctypes.data if isinstance(numbers, np.ndarray) else numbers.buffer_info()[0]
    return int(found)


def sweep_run(text: str) -> Run:
    """Runs of a sweep."""
    loop, system = prepared(text, 2.0)
    return lambda: sweep(loop, system, _routine)


def time_run(text: str) -> Run:
    """A run without states."""
    e, system = prepared(text, 1.5)
    time_context(e, system)
    return lambda: run(e)


def fixed_run(text: str, method: int) -> Run:
    """A run with steps of fixed length."""
    e, system = prepared(text, 0.15)
    fixed_context(e, system, method)

    def in_parts() -> None:
        e.set_most_steps(e.cvode, 1000)
        e.count_steps(e.cvode, array("q", [0]))
        run(e)

    return in_parts


def exported_run(text: str, stop: float) -> Run:
    """The run of an exported model."""
    e, _ = prepared(text, stop)
    return lambda: run_exported(e)


def reported_run(text: str, stop: float) -> Run:
    """A run whose steps another integrator reports."""
    e, _ = prepared(text, stop)
    return lambda: report_steps(e)


def search_run() -> Run:
    """Values of relations are searched for."""
    e, _ = prepared(SWITCHES, 1.0)
    return lambda: search_all(e)


def resting_run() -> Run:
    """Relations at rest chatter."""
    e, _ = prepared(LEAK, 1.0)
    return lambda: chatter(e)


def set_changes() -> Run:
    """Changes of states behind an event."""
    e, _ = prepared(native.BALL, 2.5)
    return lambda: switch_sets(e)


MODELS = {
    "ball": (native.BALL, 2.5),
    "samples": (native.SAMPLED, 3.0),
    "steps": (native.STEPS, 1.5),
    "rectifier": (native.RECTIFIER, 0.02),
    "clutches": (native.CLUTCHES, 1.5),
    "stick slip": (native.STICK_SLIP, 10.0),
    "stop": (native.STOP, 3.0),
    "terminate": (native.ENDS, 2.5),
    "no states": (native.STUBBORN, 2.6),
    "chattering": (native.SLIDING, 2.0),
    "block": (LOOP, 2.0),
    "velocities": (ANGLES, 2.0),
    "delays": (DELAYS, 1.5),
}


BY_PYTHON = ("stop", "no states", "chattering")
"""Kernels do what is out of the ordinary, too."""


def _scenarios() -> Iterator[tuple[str, Callable[[], Run]]]:
    for name, (text, stop) in MODELS.items():
        yield name, partial(model_run, text, stop, name not in BY_PYTHON)
    yield "impact", partial(restarted_run, IMPACT, 1.5)
    yield "leak", partial(leaking_run, LEAK)
    for name, (text, stop) in SLOPES.items():
        yield name, partial(slope_run, text, stop)
    yield "no events", partial(quiet_run, SWEEPS["sweep"], 2.0)
    yield "monitored", partial(monitored_run, native.BALL, 2.5)
    for name, text in SWEEPS.items():
        yield name, partial(sweep_run, text)
    for name, text in TIMES.items():
        yield name, partial(time_run, text)
    for name, (text, method) in FIXED.items():
        yield name, partial(fixed_run, text, method)
    for name, text in {"exported": native.BALL, "exported, delays": DELAYS}.items():
        yield name, partial(exported_run, text, 1.5)
    yield "reported steps", partial(reported_run, DELAYS, 1.5)
    yield "sets of states", set_changes
    yield "search", search_run
    yield "rest", resting_run
    for name, calls in {**SMALL, **BRANCHES, "tolerances": find_step_tolerances}.items():
        yield name, lambda calls=calls: calls  # type: ignore[misc]


SCENARIOS = dict(_scenarios())


def recorded(name: str) -> tuple[Recorded, ...]:
    """The calls of kernels in a scenario."""
    from tests.runtime.machine import functions, kernels

    recorder, prepared = Recorder(kernels(), functions()), SCENARIOS[name]()
    with recorder.recording(), np.errstate(all="ignore"):
        prepared()
    return tuple(recorder.calls)
