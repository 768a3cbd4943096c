"""The state of the process: caches have one owner, the state of the host program stays, threads get what one gets."""

import ast
import gc
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base import caches
from acausal.simulate.solver.foreign_warnings import without_foreign_warnings
from acausal.units import dimension
from tests.threads import THREADS, at_once

PACKAGE = Path(acausal.__file__).parent
EXAMPLES = PACKAGE.parent / "examples"

ALLOWED = {
    "base/caches.py": ("_CACHES",),
    "cli/app.py": ("app",),
    "codegen/llvm/kernel_code.py": ("_PUBLISHED",),  # machine code in use, under its lock
    "base/gc_pause.py": ("_PAUSE",),
    "simulate/jacobian/exact_jacobian.py": ("_MADE",),  # goes with its executable, under its lock
    "simulate/solver/foreign_warnings.py": ("_FILTER",),
    "simulate/jacobian/storage.py": ("_CHOSEN",),  # goes with its executable, under the lock of the caches
    "ir/external.py": ("_UNITS",),  # holds nothing, under its lock
    "sweep/cluster.py": ("_MODELS",),  # of a worker, under its lock
    "analyses/fitting/cluster_starts.py": ("_PROBLEMS",),  # the same
    "units/dimension.py": ("_MADE",),  # holds nothing, under the lock of the caches
}
"""Objects of modules that change and are no cache, each with a lock of its own."""
MUTABLE = ("dict", "list", "set", "defaultdict", "OrderedDict", "Counter", "deque", "local", "Typer", "_Pause")
MUTABLE += ("WeakKeyDictionary", "WeakValueDictionary", "WeakSet", "_Filter")
"""Calls that make what changes."""


def _changing(path: Path) -> Iterator[str]:
    """Objects of a module that look as if they were filled later, and functions with a cache of their own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        value = getattr(node, "value", None)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        name = targets[0].id if isinstance(targets[0], ast.Name) else ""
        empty = isinstance(value, ast.Dict | ast.List | ast.Set) and not ast.unparse(value).strip("{}[]")
        called = ast.unparse(value.func).rsplit(".", 1)[-1] if isinstance(value, ast.Call) else ""
        if name and (empty or called in MUTABLE):
            yield name
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            yield from node.names
        for decorator in getattr(node, "decorator_list", []):
            if ast.unparse(decorator).split("(")[0] in ("cache", "lru_cache", "functools.cache", "functools.lru_cache"):
                yield node.name  # type: ignore[attr-defined]  # a function


def test_every_cache_belongs_to_the_owner_of_caches() -> None:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        names = [n for n in _changing(path) if n not in ALLOWED.get(place, ()) and not _is_frozen(path, n)]
        if names:
            found[place] = names
    assert found == {}


def _is_frozen(path: Path, name: str) -> bool:
    """An empty mapping that is annotated as one that nobody changes, or a registered cache."""
    text = path.read_text(encoding="utf-8")
    return f"\n{name}: Mapping[" in text or f"register({name})" in text


def test_caches_are_emptied_and_models_are_the_same_then() -> None:
    before = acausal.translate(EXAMPLES / "fourbar.mdl", cache=False)
    caches.clear()
    after = acausal.translate(EXAMPLES / "fourbar.mdl", cache=False)
    assert after.code() == before.code()
    assert after.equations("sorted") == before.equations("sorted")


def test_a_memo_forgets_when_it_is_full_and_keeps_the_first_value() -> None:
    memo: caches.Memo[int, object] = caches.Memo(3)
    first = memo.keep(0, object())
    assert memo.keep(0, object()) is first
    for i in range(1, 5):
        memo.keep(i, i)
    assert len(memo) <= 3
    caches.clear()
    assert not memo


def test_what_is_made_once_is_made_once() -> None:
    made = []

    @caches.once
    def thing(key: int) -> object:
        made.append(key)
        return object()

    for key in range(30):
        results = at_once(THREADS, lambda _, key=key: thing(key))  # type: ignore[misc]
        assert len({id(r) for r in results}) == 1
    assert made == list(range(30))


def test_equal_dimensions_are_one_object_in_all_threads() -> None:
    for number in range(100):
        powers = [(-8, number + 3), (-5, 7 * number + 1)]
        found = at_once(THREADS, lambda _, powers=powers: dimension.dimension(powers))  # type: ignore[misc]
        assert len({id(d) for d in found}) == 1


def test_dimensions_that_nobody_uses_go() -> None:
    gc.collect()
    before = len(dimension._MADE)
    made = [dimension.dimension([(-8, 1000 + i)]) for i in range(100)]
    assert len(dimension._MADE) == before + 100
    del made
    gc.collect()
    assert len(dimension._MADE) <= before


# ------------------------------------------------------------------ the host's own


def _state() -> tuple[object, ...]:
    streams = sys.stdin, sys.stdout, sys.stderr, sys.excepthook, sys.displayhook
    handlers = tuple(signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM))
    collector = gc.isenabled(), gc.get_threshold(), gc.get_debug(), tuple(gc.callbacks)
    limits = sys.getrecursionlimit(), sys.getswitchinterval()
    floats = tuple(sorted(np.geterr().items()))
    environment = tuple(sorted(os.environ.items())), Path.cwd(), os.umask(0o022)
    os.umask(environment[2])
    return (*streams, *handlers, *collector, *limits, floats, environment, tuple(warnings.filters))


def test_state_of_the_process_stays(tmp_path: Path) -> None:
    tilt = tmp_path / "tilt.mdl"
    tilt.write_text("model M\n  local x (start=1)\n  input u\n  der(x) = u - x^2\nend\n")
    seen: list[tuple[object, ...]] = []

    def u(t: float) -> float:
        if not seen:
            seen.append(_state())
        return t

    for library in ("scipy.special", "scipy.integrate", "scipy.sparse.csgraph"):
        import_module(library)  # they add filters of warnings themselves
    before = _state()
    model = acausal.translate(tilt, cache=False)
    for solver in ("auto", "lsoda", "dop853"):
        seen.clear()
        model.simulate(inputs={"u": u}, stop=0.5, solver=solver)
        streams = 5
        assert seen[0][:streams] == before[:streams], solver
    motor = acausal.translate(EXAMPLES / "dc_motor.mdl", cache=False)
    motor.sweep({"arm.m": "0.5:4:4"}, stop=0.1)
    motor.simulate(stop=0.1).write(tmp_path / "a.npz")
    acausal.check(EXAMPLES / "h_bridge.mdl")
    assert _state() == before


def test_threads_of_the_host_print_while_a_solver_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "m.mdl"
    model.write_text("model M\n  local x (start=0)\n  input u\n  der(x) = u - x\nend\n")
    translation = acausal.translate(model, cache=False)

    def u(t: float) -> float:
        print("u")
        return t

    calls = 0
    for solver in ("auto", "lsoda"):
        translation.simulate(inputs={"u": u}, stop=0.5, interval=0.1, solver=solver)
        calls = capsys.readouterr().out.count("u\n")
        assert calls > 10


def test_filters_of_warnings_come_back_whichever_thread_is_last() -> None:
    before = list(warnings.filters)
    first, second = without_foreign_warnings(), without_foreign_warnings()
    first.__enter__()
    second.__enter__()
    with pytest.warns(UserWarning, match="of the host"):
        warnings.warn("of the host", UserWarning, stacklevel=1)
    first.__exit__(None, None, None)
    second.__exit__(None, None, None)
    assert warnings.filters == before


def test_threads_ask_one_translation_for_everythingat_once() -> None:
    alone = acausal.translate(EXAMPLES / "h_bridge.mdl", cache=False)
    wanted = alone.code(), alone.equations("solved"), alone.simulate(stop=0.01).stored.tobytes(), alone.why("S1.i")
    shared = acausal.translate(EXAMPLES / "h_bridge.mdl", cache=False)

    def ask(_: int) -> tuple[object, ...]:
        run = shared.simulate(stop=0.01).stored.tobytes()
        return shared.code(), shared.equations("solved"), run, shared.why("S1.i")

    assert at_once(THREADS, ask) == [wanted] * THREADS
