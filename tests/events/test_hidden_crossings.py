"""Two crossings within one step, of a variable whose derivative no formula knows: both are events, at their times.

z^3 + z = sin(t) reaches its extremes, +-0.6823278038280193 (the root of z^3 + z = 1), at pi/2 + k*pi; it passes the
level z there where sin(t) = z^3 + z. Most of these events were missed by every solver: 41 of 96 runs counted less.
"""

from functools import cache
from math import asin, pi
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.translation import Translation
from tests.events.models import event_times
from tests.python_loop import python_loop

OSCILLATOR = """
  local u (start=0, fixed=true), v (start=1, fixed=true), z
  discrete n
  der(u) = v
  der(v) = -u
  z^3 + z = u"""
DRIVEN = """
  local x (start=0, fixed=true), z
  discrete n
  der(x) = z
  z^3 + z = sin(time)"""
EXTREMES = """
  when z > LEVEL then
    new(n) = n + 1
  elsewhen z < -LEVEL then
    new(n) = n + 1
  endwhen"""
STOP = 20.0
SOLVERS = {"auto": 1e-10, "rk45": 1e-6, "dop853": 1e-10, "radau": 1e-6, "bdf": 1e-6, "lsoda": 1e-8}
"""Solvers, and the smallest tolerance for which they do not take many thousand steps."""


def level_of(depth: float) -> float:
    """The root of z^3 + z = 1 - depth by Cardano's formula."""
    q = (1.0 - depth) / 2.0
    root = (q * q + 1.0 / 27.0) ** 0.5
    return float(np.cbrt(q + root) + np.cbrt(q - root))


@cache
def made(text: str) -> Translation:
    """Translated once for all solvers and tolerances."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(f"model M\n{text}\nend\n", encoding="utf-8")
        return translate(file)


def tolerances(solver: str) -> list[float]:
    """1e-4 and on."""
    return [tolerance for tolerance in (1e-4, 1e-6, 1e-8, 1e-10) if tolerance >= SOLVERS[solver]]


def simulate(body: str, depth: float, **options: float | str) -> Result:
    text = body + EXTREMES.replace("LEVEL", repr(level_of(depth)))
    return made(text).simulate(stop=STOP, **options)  # type: ignore[arg-type]


def passages(depth: float, of: int = 2) -> list[float]:
    """When z passes a level before an extreme, and (`of` 2) behind it."""
    first = asin(1.0 - depth)
    return [t for k in range(7) for t in (first + k * pi, (k + 1) * pi - first)[:of] if t < STOP]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("depth", [0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6])
def test_extremes(depth: float, solver: str) -> None:
    """All crossings are there where the depth is more than what the tolerance allows the amplitude to be wrong."""
    for tolerance in tolerances(solver):
        if depth >= 100 * tolerance:
            r = simulate(OSCILLATOR, depth, interval=STOP, tolerance=tolerance, solver=solver)
            assert event_times(r, "n") == pytest.approx(passages(depth, 1), abs=(200 * tolerance) ** 0.5)
            assert r.stats.events == len(passages(depth))


@pytest.mark.parametrize("interval", [STOP, 0.1])
@pytest.mark.parametrize("solver", SOLVERS)
def test_extremes_that_time_determines(solver: str, interval: float) -> None:
    """Errors of states do not matter here; steps of 1e-4 are longest."""
    for depth in (0.1, 1e-3, 1e-5):
        for tolerance in tolerances(solver):
            r = simulate(DRIVEN, depth, interval=interval, tolerance=tolerance, solver=solver)
            assert [event.time for event in r.events] == pytest.approx(passages(depth), abs=1e-8)


@pytest.mark.parametrize("depth", [1e-8, 1e-9, 1e-10])
def test_next_to_extremes(depth: float) -> None:
    """The slope is so small that a located crossing differs from zero by rounding of the block: it counts once.

    In each event the counter changes, so that the block is solved again: its solution fell back to the other side, and
    the crossing came again: 13 to 15 events for 12.
    """
    text = f"""parameter level=0.5
  {DRIVEN}
  {EXTREMES.replace("LEVEL", "level")}"""
    for tolerance in (1e-4, 1e-6):
        for interval in (STOP, 0.1):
            options = {"interval": interval, "tolerance": tolerance}
            r = made(text).simulate(stop=STOP, parameters={"level": level_of(depth)}, **options)
            wanted = passages(depth)
            assert [event.time for event in r.events] == pytest.approx(wanted, abs=1e-9)
            assert event_times(r, "n") == pytest.approx(wanted[::2], abs=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6])
def test_turning_points_beyond_the_level(gap: float, solver: str) -> None:
    """z stays below the level by as little as it was above it: no event."""
    for tolerance in tolerances(solver):
        assert simulate(DRIVEN, -gap, interval=STOP, tolerance=tolerance, solver=solver).stats.events == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_two_relations(solver: str) -> None:
    """Pairs of two relations within one step, one pair inside the other, and an ordinary crossing next to them."""
    outer, inner = level_of(1e-3), level_of(1e-4)
    text = f"""{DRIVEN}
  discrete m, k
  when z > {outer!r} then
    new(n) = n + 1
  endwhen
  when z > {inner!r} then
    new(m) = m + 1
  endwhen
  when time > {pi / 2 + 1e-3!r} then
    new(k) = k + 1
  endwhen"""
    for tolerance in tolerances(solver):
        r = made(text).simulate(stop=4.0, interval=4.0, tolerance=tolerance, solver=solver)
        before, behind = asin(1 - 1e-3), asin(1 - 1e-4)
        times = sorted([before, behind, pi - behind, pi - before, pi / 2 + 1e-3])
        assert [event.time for event in r.events] == pytest.approx(times, abs=1e-8)
        assert [float(r[name][-1]) for name in ("n", "m", "k")] == [1, 1, 1]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("shift", [-0.03, 0.03])
def test_next_to_another_event(shift: float, solver: str) -> None:
    """An event that restarts the solver just before a pair, or just behind it; the pair's width is 0.028."""
    text = f"""{DRIVEN}
  local j (start=0, fixed=true)
  der(j) = if time > {pi / 2 + shift!r} then 1 else -1
  when z > {level_of(1e-4)!r} then
    new(n) = n + 1
  endwhen"""
    first = asin(1 - 1e-4)
    times = sorted([first, pi - first, pi / 2 + shift])
    for tolerance in tolerances(solver):
        r = made(text).simulate(stop=3.0, interval=3.0, tolerance=tolerance, solver=solver)
        assert [event.time for event in r.events] == pytest.approx(times, abs=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("begin", [1.555, 1.2])
def test_first_and_last_step(begin: float, solver: str) -> None:
    """A run that begins just before the pair, and one that ends just behind it."""
    first = asin(1 - 1e-4)
    text = f"""{DRIVEN.replace("time", f"(time + {begin!r})")}
  when z > {level_of(1e-4)!r} then
    new(n) = n + 1
  endwhen"""
    for tolerance in tolerances(solver):
        stop = pi - first + 1e-3 - begin
        r = made(text).simulate(stop=stop, interval=stop, tolerance=tolerance, solver=solver)
        assert [event.time for event in r.events] == pytest.approx([first - begin, pi - first - begin], abs=1e-8)


def test_paths(tmp_path: Path) -> None:
    """Event by event in Python, with a progress display, and in a sweep."""
    text = DRIVEN.replace("sin(time)", "a*sin(time)") + EXTREMES.replace("LEVEL", repr(level_of(1e-3)))
    file = tmp_path / "m.mdl"
    file.write_text(f"model M\n  parameter a=1\n{text}\nend\n", encoding="utf-8")
    translation, times = translate(file), passages(1e-3)
    with python_loop():
        found = translation.simulate(stop=STOP, interval=STOP)
    assert [event.time for event in found.events] == pytest.approx(times, abs=1e-8)
    found = translation.simulate(stop=STOP, interval=STOP, progress=lambda _: None)
    assert [event.time for event in found.events] == pytest.approx(times, abs=1e-8)
    table = translation.sweep({"a": [0.998, 1.0, 1.002]}, stop=STOP, final=["n"])
    assert table["final(n)"].tolist() == [0, 6, 6]


def test_time_alone() -> None:
    """A model without states."""
    text = """
  local z
  discrete n
  z^3 + z = sin(time)
  when z > LEVEL then
    new(n) = n + 1
  endwhen"""
    for depth in (1e-1, 1e-3, 1e-5):
        times = [t for k in range(4) if (t := asin(1 - depth) + 2 * pi * k) < STOP]
        r = made(text.replace("LEVEL", repr(level_of(depth)))).simulate(stop=STOP, interval=STOP / 40)
        assert event_times(r, "n") == pytest.approx(times, abs=1e-8)


def test_several_extremes_within_a_step() -> None:
    """sin(5*t) by the states of an oscillator, whose steps are longer than 1 with DOP853: 2 to 6 of 32 events.

    T5(u) = 16*u^5 - 20*u^3 + 5*u is sin(5*t) for u = sin(t) (Chebyshev polynomial).
    """
    text = """parameter a = 0.3, level = 0.5
  local u (start=sin(a), fixed=true), v (start=cos(a), fixed=true), z
  discrete n
  der(u) = v
  der(v) = -u
  z = 16*u^5 - 20*u^3 + 5*u
  when z > level then
    new(n) = n + 1
  endwhen"""
    for solver in ("dop853", "rk45"):
        for depth, begin in ((0.2, -1.363), (0.6, -0.101), (0.3, -1.112), (0.2, 0.855)):
            values = {"a": begin, "level": 1 - depth}
            r = made(text).simulate(stop=STOP, interval=STOP, tolerance=1e-4, solver=solver, parameters=values)
            angles = [x + 2 * pi * k for k in range(-3, 20) for x in (asin(1 - depth), pi - asin(1 - depth))]
            times = sorted([t for x in angles if 0 < (t := x / 5 - begin) < STOP])
            assert [event.time for event in r.events] == pytest.approx(times, abs=0.02)
