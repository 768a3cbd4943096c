"""Linkages whose crank angle is a function of time, without states: rows in dead centers, before and behind them.

Their blocks are followed through time, by points whose distance depends on how well each predicts the next.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from acausal.results.result import Result
from acausal.runs import RunError
from acausal.translation import Translation
from tests.branches.test_dead_centers import made

DRIVE = """model class Drive
  cut A (phi, w, wd / t)
  parameter a, b, c, d
  phi = a + b*time + c*sin(2*time) + d*time^2
end

"""
IN_LINE = """@{library}.lib
{drive}model InLine
  parameter a, b, c=0, d=0
  submodel (Inertial) i(ng2=-1)
  submodel (Drive) drive(a=a, b=b, c=c, d=d)
  submodel (Revolute) crank(n3=1), knee(n3=1, r1=0.5)
  submodel (Prismatic) piston(n1=1, r1=1)
  submodel (Bar) rod(r1=0.5)
  submodel (CutPlanar) pin(n3=1)
  submodel (Body) b1(m=1, r1=0.25, I33=0.02), b2(m=1, r1=0.25, I33=0.02), b3(m=1)
  connect i - crank - knee - rod, i - piston, pin at (rod:B, piston:B), b1 at crank, b2 at knee, b3 at piston
  connect drive:A at crank:Axis
  experiment (stop=4, interval=0.1)
end
"""
PARALLELOGRAM = """@{library}.lib
{drive}model Parallelogram
  parameter a, b, c=0, d=0
  submodel (Inertial) i(ng2=-1)
  submodel (Drive) drive(a=a, b=b, c=c, d=d)
  submodel (Revolute) crank(n3=1), rocker(n3=1, r1=1), knee(n3=1)
  submodel (Bar) l0(r2=1), l1(r2=1), x(r1=1)
  submodel (Body) b0(m=1, r2=0.5, I33=1/12), b1(m=1, r2=0.5, I33=1/12), b2(m=1, r1=0.5, I33=1/12)
  submodel (CutPlanar) pin(n3=1)
  connect i - crank - l0 - knee - x, i - rocker - l1, pin at (x:B, l1:B), b0 at crank, b1 at rocker, b2 at knee
  connect drive:A at crank:Axis
  experiment (stop=4, interval=0.1)
end
"""
FIVE_BAR = """@{library}.lib
{drive}model FiveBar
  parameter a, b, c=0, d=0
  submodel (Inertial) i(ng2=-1)
  submodel (Drive) drive(a=a, b=b, c=c, d=d), other(a=pi-a, b=-b, c=-c, d=-d)
  submodel (Revolute) crank(n3=1), k1(n3=1, r1=1), c2(n3=1, r1=1), k2(n3=1, r1=1)
  submodel (Bar) l1(r1=0.5), l2(r1=0.5)
  submodel (CutPlanar) pin(n3=1)
  submodel (Body) b1(m=1, r1=0.5, I33=0.1), b2(m=1, r1=0.25, I33=0.02)
  submodel (Body) b3(m=1, r1=0.5, I33=0.1), b4(m=1, r1=0.25, I33=0.02)
  connect i - crank - k1 - l1, i - c2 - k2 - l2, pin at (l1:B, l2:B), b1 at crank, b2 at k1, b3 at c2, b4 at k2
  connect drive:A at crank:Axis, other:A at c2:Axis
  experiment (stop=0.6, interval=0.01)
end
"""
Numbers = NDArray[np.float64]
Closed = Callable[[Numbers, Numbers, Numbers], Mapping[str, Numbers]]


def of_in_line(a: Numbers, w: Numbers, e: Numbers) -> Mapping[str, Numbers]:
    """The rod is the mirror image of the crank."""
    angles = {"knee.q": -2 * a, "knee.w": -2 * w, "knee.wd": -2 * e}
    ways = {"piston.q": np.cos(a) - 1, "piston.w": -np.sin(a) * w, "piston.wd": -np.sin(a) * e - np.cos(a) * w**2}
    return angles | ways


def of_parallelogram(a: Numbers, w: Numbers, e: Numbers) -> Mapping[str, Numbers]:
    of_rocker = {"rocker.q": a, "rocker.w": w, "rocker.wd": e}
    return of_rocker | {name.replace("rocker", "knee"): -value for name, value in of_rocker.items()}


def of_five_bar(a: Numbers, w: Numbers, e: Numbers) -> Mapping[str, Numbers]:
    """The upper bar at b: 0.5*cos(b) = 0.5 - cos(a), so that cos(b/2) = sqrt(2)*sin(a/2) on the branch of the start."""
    x, by_a, twice = np.sqrt(2) * np.sin(a / 2), np.sqrt(0.5) * np.cos(a / 2), -np.sqrt(0.125) * np.sin(a / 2)
    root = np.sqrt(1 - x**2)
    first, second = -2 * by_a / root, -2 * (twice / root + x * by_a**2 / root**3)
    return {"k1.q": 2 * np.arccos(x) - a, "k1.w": (first - 1) * w, "k1.wd": (first - 1) * e + second * w**2}


CASES = {
    "in line": (IN_LINE, of_in_line, {"a": 0.2, "b": 1.5}, (np.pi / 2 - 0.2) / 1.5),
    "parallelogram": (PARALLELOGRAM, of_parallelogram, {"a": 0.2, "b": 1.5}, (np.pi / 2 - 0.2) / 1.5),
    "five bar": (FIVE_BAR, of_five_bar, {"a": 1.0, "b": -2.0, "d": -1.0}, np.sqrt(2) - 1),
}
"""Models, closed forms, the drive, and the time of its first dead center."""


def values(given: Mapping[str, float]) -> str:
    return ", ".join([f"{name}={given.get(name, 0.0)!r}" for name in "abcd"])


BOUNDS = {"q": 1e-9, "w": 1e-8, "wd": 1e-7}


def check(r: Result, closed: Closed, given: Mapping[str, float], bounds: Mapping[str, float] = BOUNDS) -> None:
    """Angles, whole turns aside, velocities and accelerations by their closed forms; bounds are those at 1 rad/s."""
    t, (a, b, c, d) = r.time, [given.get(name, 0.0) for name in "abcd"]
    angle = a + b * t + c * np.sin(2 * t) + d * t**2
    speed, rate = b + 2 * c * np.cos(2 * t) + 2 * d * t, -4 * c * np.sin(2 * t) + 2 * d
    for name, value in closed(angle, speed, rate).items():
        error = r[name] - value
        if name.endswith(".q"):
            error = np.angle(np.exp(1j * error))
        kind = name.rpartition(".")[2]
        scale = max(1.0, float(np.abs(speed).max())) ** ("q", "w", "wd").index(kind)
        assert np.abs(error).max() < bounds[kind] * scale, name


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Translation]:
    known: dict[tuple[str, str], Translation] = {}

    def model(case: str, library: str) -> Translation:
        if (case, library) not in known:
            text, _, given, _ = CASES[case]
            text = text.format(library=library, drive=DRIVE)
            for name in "abcd":
                text = text.replace("parameter a, b, c=0, d=0", f"parameter {values(given)}") if name == "a" else text
            known[case, library] = made(tmp_path_factory.mktemp("driven"), text)
        return known[case, library]

    return model


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
@pytest.mark.parametrize("case", CASES)
def test_rows_at_and_beside_dead_centers(case: str, library: str, models: Callable[[str, str], Translation]) -> None:
    """Before, rows 0.1 s apart went on along another branch without a message, and rows in centers had 1e9 rad/s^2."""
    t, (_, closed, given, center) = models(case, library), CASES[case]
    assert not t.program.state_slots
    for interval in (center, center / 40, center * (1 + 1e-12), center * (1 - 1e-9), center * (1 + 1e-5), center / 6.9):
        check(t.simulate(interval=interval), closed, given)


def test_cranks_that_swing_and_stop(models: Callable[[str, str], Translation]) -> None:
    """The crank turns back beside the center, passes it slowly and fast, and rests in the center itself.

    There the pivot grows with the square of time: rounding errors of accelerations are larger.
    """
    t = models("in line", "mbsdir")
    for given in ({"a": 0.2, "c": 1.3}, {"a": 0.2, "b": 1.0, "c": 0.49}, {"a": 0.2, "b": 40.0}):
        check(t.simulate(parameters={name: given.get(name, 0.0) for name in "abcd"}, interval=0.01), of_in_line, given)
    resting = {"a": 0.2, "b": 0.0, "c": np.pi / 2 - 0.2}
    check(t.simulate(parameters=resting, interval=0.01), of_in_line, resting, {**BOUNDS, "wd": 1e-5})


def test_rows_far_apart(models: Callable[[str, str], Translation]) -> None:
    """Several turns between two rows: steps were longer than a turn, and one ended on the other branch beside a center.

    A point from which no step is predicted well is left again for the one before.
    """
    for case, closed in (("parallelogram", of_parallelogram), ("in line", of_in_line)):
        given = {"a": 0.3, "b": 4.0, "c": -1.4}
        for interval in (20 / 7, 20.0):
            r = models(case, "mbsdir").simulate(parameters={**given, "d": 0.0}, interval=interval, stop=20)
            check(r, closed, given, {**BOUNDS, "wd": 1e-5})


@pytest.mark.parametrize("beside", [1e-2, 9e-3, 1e-3])
def test_cranks_that_turn_back_beside_the_center(beside: float, models: Callable[[str, str], Translation]) -> None:
    """Rows took nodes behind the center for those of the branch: positions were wrong by the distance to the center."""
    for case, closed in (("parallelogram", of_parallelogram), ("in line", of_in_line)):
        given = {"a": np.pi / 2 - beside - 1.3, "b": 0.0, "c": 1.3}
        r = models(case, "mbsdir").simulate(parameters={**given, "d": 0.0}, interval=0.00702, stop=2)
        check(r, closed, given, {**BOUNDS, "wd": 1e-4})


def test_a_knee_that_stays_straight(models: Callable[[str, str], Translation]) -> None:
    """From this start the rod lies on the crank for good: what is left of the piston's way is rounding, no branch."""
    given = {"a": 1.0811128711822449, "b": -2.135042323682198, "c": 2.6918966828234634, "d": 0.0}
    r = models("in line", "mbsdir").simulate(parameters=given, interval=0.05, stop=4)
    assert np.abs(r["piston.q"] + 1).max() < 1e-12
    assert np.abs(np.cos(r["knee.q"]) + 1).max() < 1e-12


def test_times_that_differ_by_their_last_digits(tmp_path: Path) -> None:
    """Events some 1e-16 s before a row: a first step of 1e-4 of that way did not advance, and the run did not end."""
    text = "model M\n  local c\n  discrete n, k\n  c^3 - c/100 = 2 + sin(3*time)\n"
    for name, shift in (("n", 4e-16), ("k", 9e-16)):
        text += f"  when time > 2.8 - {shift} then\n    new({name}) = {name} + c\n  endwhen\n"
    r = made(tmp_path, text + "  experiment (stop=4, interval=0.1)\nend\n").simulate()
    c = r["c"][r.time > 2.799999][0]
    assert c**3 - c / 100 == pytest.approx(2 + np.sin(8.4), abs=1e-9)
    assert [r["n"][-1], r["k"][-1]] == pytest.approx([c, c], abs=1e-9)


def test_rows_of_sweeps(models: Callable[[str, str], Translation]) -> None:
    """Runs that end in the center, before and behind it, are those of single runs."""
    for case, (_, closed, given, center) in CASES.items():
        t = models(case, "mbsdir")
        names = [*closed(np.zeros(1), np.zeros(1), np.zeros(1))]
        for stop in (center - 1e-6, center, center + 1e-9):
            speeds = [given["b"], given["b"] * (1 + 1e-9), 0.7 * given["b"]]
            swept = t.sweep({"b": speeds}, final=names, stop=stop, interval=stop / 3, jobs=1)
            for k, speed in enumerate(speeds):
                r = t.simulate(parameters={"b": speed}, stop=stop, interval=stop / 3)
                check(r, closed, {**given, "b": speed})
                for name in names:
                    assert swept[f"final({name})"][k] == pytest.approx(r[name][-1], abs=BOUNDS[name.rpartition(".")[2]])


def test_a_driven_crank_does_not_begin_in_its_center(models: Callable[[str, str], Translation]) -> None:
    for beside in (0.0, 1e-9):
        with pytest.raises(RunError) as caught:
            models("in line", "mbsdir").simulate(parameters={"a": np.pi / 2 + beside})
        assert caught.value.report.diagnostics[0].code == "R016"


def test_events_of_driven_linkages(tmp_path: Path) -> None:
    """The piston passes a place twice in each turn, four times in all: cos(a) = -0.9 and its mirror image."""
    text = IN_LINE.format(library="mbsdir", drive=DRIVE).replace(
        "parameter a, b, c=0, d=0", "parameter a=0.2, b=1.5, c=0, d=0"
    )
    text = text.replace(
        "  experiment", "  discrete n\n  when piston.q < -1.9 then\n    new(n) = n + 1\n  endwhen\n  experiment"
    )
    t = made(tmp_path, text)
    for interval in (0.5, 0.1, 0.01):
        r = t.simulate(interval=interval, stop=8)
        check(r, of_in_line, {"a": 0.2, "b": 1.5})
        assert r["n"][-1] == 2
        at = [float(r.time[i]) for i in np.flatnonzero(np.diff(r["n"])) + 1]
        assert at == pytest.approx([(np.arccos(-0.9) - 0.2 + 2 * np.pi * k) / 1.5 for k in range(2)], abs=1e-9)
