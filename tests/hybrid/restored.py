"""Runs stopped at 20 random times and continued: to the last bit from checkpoints, within the solver's error else.

A chain of parts, each of which begins with the state that the last one left, is what a run with checkpoints computes.
Every part is computed again from its state, written to a file and read, by a translation that has run nothing before.
If rows and state at the end of each part are the same, then so are all remaining rows, wherever the run was stopped.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from acausal.base.options import SimulateOptions
from acausal.begun_run import BegunRun
from acausal.ir.names import show_derivative
from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.simulate.state.state import State
from acausal.simulate.state.state_file import read_state
from acausal.simulate.system.settings import settings
from acausal.translation import Translation
from tests.hybrid.campaign import compare, random_model
from tests.hybrid.model import STOP

TIMES = 20
RESTARTED = 10.0
"""The error of a chain that begins again 20 times, as a multiple of that of a run."""
WITHIN = 10.0
"""A continued run differs from the whole one by so many tolerances, or by so many times the error of that one."""

NEAR = 1e-3
"""Seconds from an event: one run may already be behind it where the other is before."""

Numbers = NDArray[np.float64]


def restored(rng: Random) -> None:
    """A random hybrid model."""
    model = random_model(rng)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(model.text(model.lines), encoding="utf-8")
        tolerance = rng.choice((1e-4, 1e-6, 1e-8))
        options = SimulateOptions(STOP, rng.choice((None, 0.01, 0.1)), tolerance, rng.choice(("auto", "auto", "Radau")))
        try:
            chain = check_chain(lambda: translate(file), options, rng, Path(folder) / "s.npz")
            compare(model, chain, RESTARTED * tolerance)
            worst, own = deviation(translate(file), options, rng)
            assert worst <= WITHIN * max(1.0, own), f"{worst:.3g} tolerances, own error {own:.3g}"
        except Exception as error:
            raise AssertionError(f"{options}: {type(error).__name__}: {error}\n{file.read_text()}") from error


def check_chain(make: Callable[[], Translation], options: SimulateOptions, rng: Random, file: Path) -> Result:
    """The result of the chain; AssertionError where a part is another one when it is continued from a file."""
    first, second = make(), make()
    chosen = settings(options, first.program.experiment)
    grid = chosen.grid.tolist()
    stops = [*sorted(rng.sample(grid[1:-1], min(TIMES, len(grid) - 2))), grid[-1]]
    whole: list[Result] = []
    state: State | None = None
    for stop in stops:
        asked = SimulateOptions(stop, chosen.interval, options.tolerance, options.solver)
        found = BegunRun(first, asked, {}, None, state, kept=True).run()
        if state is not None:
            state.write(file)
            again = BegunRun(second, asked, {}, None, read_state(file), kept=True).run()
            assert np.array_equal(again.time, found.time), f"other rows from {state.time!r} on"
            assert np.array_equal(again.stored, found.stored, equal_nan=True), f"other values from {state.time!r} on"
            assert equal(again.end, found.end), f"another state at {stop!r}"
        whole.append(found)
        state = found.end
        if any(note.code == "R011" for note in found.notes):
            break
    rows = [part.stored[bool(k) :] for k, part in enumerate(whole)]
    times = [part.time[bool(k) :] for k, part in enumerate(whole)]
    return Result(first.name, np.concatenate(times), np.concatenate(rows), whole[0].columns)


def equal(one: State | None, other: State | None) -> bool:
    """True if all numbers of two states are the same bits."""
    assert one is not None
    assert other is not None
    same = [np.array_equal(array, other.arrays[name], equal_nan=True) for name, array in one.arrays.items()]
    return all(same) and (one.time, one.names, one.dummies) == (other.time, other.names, other.dummies)


def deviation(model: Translation, options: SimulateOptions, rng: Random) -> tuple[float, float]:
    """Greatest deviation of runs that go on from states of a run, and the error of that run, in tolerances.

    Of the states at output times without events, as a share of their greatest value in the run.
    """
    names = [show_derivative(*slot.symbol) for slot in model.program.state_slots]
    if not names:
        return 0.0, 0.0
    keywords = {"stop": options.stop, "interval": options.interval, "solver": options.solver}
    tolerance = settings(options, model.program.experiment).tolerance
    run = model.simulate(**keywords, tolerance=tolerance)  # type: ignore[arg-type]
    tight = model.simulate(**keywords, tolerance=max(tolerance * 1e-3, 1e-11))  # type: ignore[arg-type]
    worst = 0.0
    for _ in range(TIMES):
        state = run.state(rng.uniform(float(run.time[0]), float(run.time[-1])))
        later = model.simulate(**keywords, tolerance=tolerance, start_from=state)  # type: ignore[arg-type]
        worst = max(worst, difference(run, later, names))
    return worst / tolerance, difference(tight, run, names) / tolerance


def difference(run: Result, other: Result, names: list[str]) -> float:
    """At output times that no event of either is near."""
    events = np.array([event.time for result in (run, other) for event in result.events])
    common = np.intersect1d(single(run.time), single(other.time))
    near = np.abs(common[:, None] - events[None, :]).min(axis=1, initial=np.inf)
    common = common[near > NEAR]
    own, others = np.searchsorted(run.time, common), np.searchsorted(other.time, common)
    worst = 0.0
    for name in names:
        size = float(np.abs(run[name]).max(initial=0.0))
        change = float(np.abs(run[name][own] - other[name][others]).max(initial=0.0))
        worst = max(worst, change / size if size > 1e-12 else 0.0)
    return worst


def single(times: Numbers) -> Numbers:
    """Times of rows that are no event."""
    found, counts = np.unique(times, return_counts=True)
    return found[counts == 1]
