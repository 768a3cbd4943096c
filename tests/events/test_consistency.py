"""The invariant of events, verified by each run: faults are put in, and each path notices them.

Frozen values agree with the sides of their relations where a solver begins and where it stops, and a sample fires at
its instants (`runtime/events/relations/consistency`). What a solver does not notice becomes an event; what a kernel
does wrong ends the run.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from math import asin, pi
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import InternalError, ModelError
from acausal.codegen.llvm.kernel_code import load_text
from acausal.codegen.native import native_events
from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.runtime.context import DONE, EventContext
from acausal.runtime.crossings.root_search import RootSearch, locate_root
from acausal.runtime.events import event as event_module
from acausal.runtime.events import event_iteration, event_loop, single_event, single_steps
from acausal.runtime.events.relations import fixed_point
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel
from acausal.runtime.kernel.llvm.printer import print_llvm
from acausal.runtime.steps import time_steps
from acausal.runtime.sweep import sweep
from acausal.simulate.cvode.instance import CvodeInstance
from acausal.simulate.jacobian.sundials_library import sundials_library
from acausal.simulate.run import choose_solver
from acausal.simulate.run.run import Run
from acausal.simulate.solver import event_iteration as python_events
from acausal.simulate.solver.scipy_solvers import scipy_solver
from acausal.simulate.solver.stateless import NoStates
from acausal.sweep import native_sweep
from acausal.translation import Translation
from tests.python_loop import simulate_in_python

# ------------------------------------------------------------ where a solver stops

WAVE = """model M
  local x, v (start=7, fixed=true), z (start=0, fixed=true), w
  discrete n
  w = x - 0.5
  der(x) = v
  der(v) = -49*x
  der(z) = if w > 0 then 1 else 0
  when w < 0 then
    new(n) = n + 1
  endwhen
  initial x = 0
end
"""
"""x = sin(7t) passes 1/2."""
DELAYED = WAVE.replace("w = x - 0.5", "w = x - 0.5 + 0*delay(x, 0.1)")
STATELESS = """model M
  local w, y
  discrete n
  w = sin(7*time) - 0.5
  y = if w > 0 then 1 else 0
  when w < 0 then
    new(n) = n + 1
  endwhen
end
"""
FALLS = [(pi - asin(0.5) + 2 * pi * k) / 7 for k in range(3)]
INTERVAL, END = 0.01, 3.0


def _made(text: str, folder: Path) -> Translation:
    file = folder / "m.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


@contextmanager
def _unseen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Solvers do not notice what falls below zero."""
    library = sundials_library()
    assert library is not None
    set_up, forget, locate = CvodeInstance._set_up, CvodeInstance.forget_roots, scipy_solver.locate

    def rising(instance: CvodeInstance) -> None:
        count = len(instance._roots)
        directions = np.ones(count, dtype=np.int32)
        library.CVodeSetRootDirection(instance.memory.cvode, ctypes.c_void_p(directions.ctypes.data))

    def located(watch: object, begin: float, first: object, end: float, hidden: object = None) -> object:
        found = locate(watch, begin, first, end, hidden)  # type: ignore[arg-type]
        return None if found is None or -1 in found[1].values() else found

    with monkeypatch.context() as patch:
        patch.setattr(CvodeInstance, "_set_up", lambda i, start: (set_up(i, start), rising(i)))
        patch.setattr(CvodeInstance, "forget_roots", lambda i: (forget(i), rising(i)))
        patch.setattr(scipy_solver, "locate", located)
        yield


def _check(r: Result, late: float) -> None:
    """Each crossing is an event, late by a step or an output interval at most; frozen values agree with their sides."""
    times = [event.time for event in r.events if any("n =" in change for change in event.changes)]
    assert len(times) == len(FALLS)
    delays = [t - fall for t, fall in zip(times, FALLS, strict=True)]
    assert min(delays) > -1e-6 and 1e-5 < max(delays) <= late, delays
    w, once = r["w"], np.append(np.diff(r.time) > 0, True)
    frozen = r["z"] if "z" in r.names else r["y"]
    if "y" in r.names:
        assert ((w[once] > 1e-9) <= (frozen[once] == 1)).all()
        assert ((w[once] < -1e-9) <= (frozen[once] == 0)).all()


@pytest.mark.parametrize(
    "path", ["batch", "progress", "python loop", "callable", "rk45", "dop853", "radau", "bdf", "lsoda"]
)
@pytest.mark.parametrize("text", [WAVE, DELAYED])
def test_a_crossing_that_the_solver_does_not_notice(
    text: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if path == "callable":
        text = text.replace("model M\n", "model M\n  input f\n  local g\n  g = f\n")
    model = _made(text, tmp_path)
    options = {"stop": END, "interval": INTERVAL}
    with _unseen(monkeypatch):
        if path == "python loop":
            found = simulate_in_python(model, **options)
        elif path == "callable":
            found = model.simulate(inputs={"f": lambda t: t}, **options)
        elif path == "progress":
            found = model.simulate(progress=lambda _: None, **options)
        else:
            found = model.simulate(solver="auto" if path == "batch" else path, **options)
    _check(found, INTERVAL)


def test_a_crossing_that_is_not_located_without_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def rising(search: RootSearch, begin: float, end: float) -> bool:
        at_end = np.array(search.above)
        if locate_root(search, begin, end) and min(search.roots) >= 0:  # type: ignore[call-overload]  # an array
            return True
        search.above[:], search.time = at_end, end  # type: ignore[index]
        return False

    model = _made(STATELESS, tmp_path)
    monkeypatch.setattr(time_steps, "locate_root", rising)
    monkeypatch.setattr(choose_solver, "_without_states", lambda system, y, s: NoStates(system, y, s.start))
    _check(model.simulate(stop=END, interval=INTERVAL), INTERVAL)


# ------------------------------------------------------------ where a solver begins

RESET = """model M
  parameter a=1
  local x (start=0, fixed=true), z (start=0, fixed=true)
  discrete n
  der(x) = a
  der(z) = if x > 0.5 then 1 else 0
  when x > 0.8 then
    new(n) = n + 1
    init(x) = 0
  endwhen
end
"""
"""z grows during the last 0.3 of each 0.8 s."""
RESET_STATELESS = """model M
  local y
  discrete k
  when sample(0.3, 0.3) then
    new(k) = 1 - k
  endwhen
  y = if k + 0.1*sin(time) > 0.5 then 1 else 0
end
"""
TWO = """model M
  local x (start=0, fixed=true)
  discrete n, k
  der(x) = 1
  when sample(0.25, 0.25) then
    new(n) = n + 1
  endwhen
  when x > 0.6 then
    new(k) = 1
  endwhen
end
"""


SAMPLE = """model M
  parameter a=1
  local x (start=0, fixed=true)
  discrete n
  der(x) = a
  when sample(0.25, 0.25) then
    new(n) = n + 1
  endwhen
end
"""
SAMPLE_STATELESS = SAMPLE.replace("der(x) = a", "x = a*time").replace(" (start=0, fixed=true)", "")


@kernel
def propose(e: EventContext, t: Real, y: Reals, is_single: Bool) -> None:
    """Faulty: relations keep their values."""
    e.wrong = 0
    for i in range(e.frozen_count):
        e.fresh[i] = e.frozen[i]


@kernel
def find_next_time(e: EventContext, t: Real, y: Reals) -> Int:
    """Faulty: no sample is due."""
    e.limit = 1e300
    return DONE


MODULES = {"propose": (fixed_point,), "find_next_time": (event_iteration, event_module, single_event)}


@cache
def _faulty_engine(fault: str) -> tuple[object, dict[str, int]]:
    """Machine code of events with the faulty kernel."""
    exported = (
        *(event_loop.acausal_start_events, event_loop.acausal_begin_events, event_loop.acausal_run_events),
        *(event_loop.acausal_advance, single_event.acausal_single_event, single_event.acausal_find_violated),
        single_event.acausal_event_outcome,
        *(single_steps.step_to, sweep.acausal_runs),
    )
    names = [function.__name__ for function in exported]
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES[fault]:
            patch.setattr(module, fault, globals()[fault])
        engine = load_text(print_llvm(check_kernels(exported), names))
    return engine, {name: int(engine.get_function_address(name)) for name in names}


@contextmanager
def _faulty(monkeypatch: pytest.MonkeyPatch, fault: str, in_python: bool) -> Iterator[None]:
    """The kernel is the faulty one, in machine code or also in Python."""
    _, addresses = _faulty_engine(fault)
    with monkeypatch.context() as patch:
        patch.setattr(native_events, "_addresses", lambda: addresses)
        for module in (*MODULES[fault], python_events) if in_python else ():
            patch.setattr(module, fault, globals()[fault], raising=False)
        yield


PATHS = ("batch", "progress", "python loop", "rk45", "radau", "lsoda")


def _run(model: Translation, path: str) -> Result:
    if path == "python loop":
        return simulate_in_python(model, stop=2.0, interval=0.3)
    if path == "progress":
        return model.simulate(stop=2.0, interval=0.3, progress=lambda _: None)
    return model.simulate(stop=2.0, interval=0.3, solver="auto" if path == "batch" else path)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("in_python", [False, True])
def test_relations_at_an_event(in_python: bool, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """init(x) = 0 makes x > 0.5 false: a fault leaves it true."""
    assert _run(_made(RESET, tmp_path), path)["z"][-1] == pytest.approx(0.6, abs=1e-6)
    with _faulty(monkeypatch, "propose", in_python), pytest.raises(InternalError, match=r"x > 0\.5"):
        _run(_made(RESET, tmp_path), path)


def test_relations_at_an_event_of_a_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in which machine code finds a fault are repeated one by one."""
    values = {"a": np.array([0.9, 1.0, 1.1, 1.2])}
    options = {"stop": 2.0, "interval": 0.3, "final": ["z"]}
    _, addresses = _faulty_engine("propose")
    with monkeypatch.context() as patch:
        patch.setattr(native_sweep, "kernel_addresses", lambda *_: addresses)
        found = _made(RESET, tmp_path).sweep(values, **options)["final(z)"]
        one_by_one = [_made(RESET, tmp_path).simulate(stop=2.0, interval=0.3, parameters={"a": a}) for a in values["a"]]
        assert found == pytest.approx([run["z"][-1] for run in one_by_one], abs=1e-9)
        with _faulty(monkeypatch, "propose", in_python=False), pytest.raises(InternalError, match=r"x > 0\.5"):
            _made(RESET, tmp_path).sweep(values, **options)


@pytest.mark.parametrize("in_python", [False, True])
def test_relations_at_an_event_without_states(in_python: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _made(RESET_STATELESS, tmp_path).simulate(stop=0.5)["y"][-1] == 1
    with _faulty(monkeypatch, "propose", in_python), pytest.raises(InternalError, match=r"k > 0\.5"):
        _made(RESET_STATELESS, tmp_path).simulate(stop=0.5)


@pytest.mark.parametrize("path", PATHS)
def test_a_sample_does_not_fire_late(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The instant at 0.25 is forgotten: at the next event it would fire late."""
    with _faulty(monkeypatch, "find_next_time", in_python=True), pytest.raises(InternalError, match="sample"):
        _run(_made(TWO, tmp_path), path)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("text", [SAMPLE, SAMPLE_STATELESS], ids=["states", "no states"])
def test_each_sample_fires(text: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No event comes behind the instants that are forgotten: the end of the run notices."""
    model = _made(text, tmp_path)
    assert _run(model, path)["n"][-1] == 8
    with _faulty(monkeypatch, "find_next_time", in_python=True), pytest.raises(InternalError, match="sample"):
        _run(_made(text, tmp_path), path)


@pytest.mark.parametrize("end", ["failure", "interrupt", "rows"])
def test_each_sample_fires_before_any_end(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ends at about 1 by a failure, by the user, or by what its rows show as they are written."""
    begin = Run.__init__

    def interrupt(t: float) -> None:
        if end == "interrupt" and t > 1.0:
            raise KeyboardInterrupt

    def ended(run: Run, *args: object) -> None:
        begin(run, *args)  # type: ignore[arg-type]
        run._end_run = (lambda run: run.rows.last_time > 1.0) if end == "rows" else None

    text = SAMPLE.replace("der(x) = a", "der(x) = a/(1 - x)^2") if end == "failure" else SAMPLE
    monkeypatch.setattr(Run, "__init__", ended)
    with _faulty(monkeypatch, "find_next_time", in_python=True), pytest.raises(InternalError, match="sample"):
        _made(text, tmp_path).simulate(stop=2.0, interval=0.3, progress=interrupt)


def test_each_sample_of_a_sweep_fires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, addresses = _faulty_engine("find_next_time")
    options = {"stop": 2.0, "interval": 0.3, "final": ["n"]}
    with monkeypatch.context() as patch:
        patch.setattr(native_sweep, "kernel_addresses", lambda *_: addresses)
        found = _made(SAMPLE, tmp_path).sweep({"a": [1.0, 2.0]}, **options)["final(n)"]
        assert found.tolist() == [8, 8]  # one by one
        with _faulty(monkeypatch, "find_next_time", in_python=True), pytest.raises(InternalError, match="sample"):
            _made(SAMPLE, tmp_path).sweep({"a": [1.0, 2.0]}, **options)


def test_exact_value_of_a_relation_is_no_tie(tmp_path: Path) -> None:
    """A bridge whose controller sees the voltage that it changes: none of both states is consistent.

    up: 11 V at p, 1/11 > 0.2 - x/5 from 0.545; not up: 10 V, 0.1 > 0.2 - x/5 from 0.5. Between is no solution; it was
    a short circuit with T2 closed though T2.fire = 0, as both sides of `fire <= 0` are equal there.
    """
    file = tmp_path / "m.mdl"
    file.write_text(
        """@switches.lib
model M
  submodel (source) U(V=10)
  submodel (resistor) Ri(R=1)
  submodel (idealGTO) T1, T2
  submodel (idealdiode) D1, D2
  submodel (currentsource) J(I=1)
  submodel (ground) G
  local x (start=0, fixed=true), up, down
  node p, o
  connect G - U - Ri at p, T1 at (p, o), T2 at (o, G), D1 at (o, p), D2 at (G, o), J at (G, o)
  der(x) = 1
  up = if 1/T1.Va > 0.2 - x/5 then 1 else 0
  down = if not (up > 0) then 1 else 0
  T1.fire = up
  T2.fire = down
end
""",
        encoding="utf-8",
    )
    with pytest.raises(ModelError, match=r"E01[13]\]: .*at t = 0.4999"):
        translate(file).simulate(stop=1)
