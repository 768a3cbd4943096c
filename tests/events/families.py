"""Random models whose events have closed forms: tables, nested `if`, arrays of `when`, several `init`, delays.

Each family gives statements in any order and the values at the end, from the times at which its relations change.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import asin, cos, pi, sin
from random import Random

from scipy.interpolate import CubicSpline, PPoly, make_interp_spline

from acausal import translate

STOP = 10.0
SOLVERS = "auto", "auto", "cvode", "adams", "dop853", "lsoda", "radau"
MARGIN = 1e-3
"""No relation changes so near to the end."""
Family = Callable[[Random], tuple[list[str], dict[str, float]]]
Truth = Callable[[float], bool]


def families_agree(random: Random) -> None:
    """A model of one family against its closed form, with any solver, tolerance, interval and order of statements."""
    family = random.choice(FAMILIES)
    statements, expected = _drawn(family, random)
    random.shuffle(statements)
    tolerance = 10.0 ** -random.randint(4, 9)
    settings = {
        "solver": random.choice(SOLVERS),
        "interval": random.choice((0.01, 0.37, 2.5, 10.0)),
        "tolerance": tolerance,
    }
    model = translate("model M\n" + "\n".join(statements) + "\nend", cache=False)
    result = model.simulate(stop=STOP, **settings)
    for name, value in expected.items():
        found = float(result[name][-1])
        exact = name.startswith("n")
        share = 1000 if family in (_nested, _delay) else 20  # errors of an oscillator grow, and move its events
        assert abs(found - value) <= (0.0 if exact else share * tolerance * max(1.0, abs(value))), (
            f"{family.__name__}: {name} is {found}, not {value} ({settings})\n" + "\n".join(statements)
        )


def _drawn(family: Family, random: Random) -> tuple[list[str], dict[str, float]]:
    while True:
        try:
            return family(random)
        except UnclearError:
            continue


def _measured(times: Sequence[float], truth: Truth) -> tuple[int, float]:
    """How often a condition becomes true, and the time for which it is less that for which it is not."""
    inner = sorted(t for t in times if 0.0 < t < STOP)
    if inner and inner[-1] > STOP - MARGIN:
        raise UnclearError
    spans = [(a, b, truth((a + b) / 2)) for a, b in pairwise([0.0, *inner, STOP]) if b - a > 1e-12]
    rises = sum(1 for (_, _, before), (_, _, after) in pairwise(spans) if after and not before)
    return rises, sum((b - a) if on else (a - b) for a, b, on in spans)


class UnclearError(Exception):
    """The numbers drawn are no clear case."""


def _sine_times(w: float, phase: float, level: float) -> list[float]:
    """The times at which sin(w*t + phase) is at a level."""
    angles = (asin(level), pi - asin(level))
    turns = range(-2, int(w * STOP / (2 * pi)) + 3)
    return [(angle + 2 * pi * k - phase) / w for angle in angles for k in turns]


def _curve(random: Random) -> tuple[list[str], dict[str, float]]:
    """A relation on a table or a spline of a state that moves uniformly."""
    rate, count = random.uniform(0.3, 3.0), random.randint(3, 9)
    places = [0.0, *sorted(random.uniform(0.0, rate * STOP) for _ in range(count)), rate * STOP + 1.0]
    values = [random.uniform(-1.0, 1.0) for _ in places]
    level, method = random.uniform(-0.8, 0.8), random.choice(("linear", "spline"))
    curve = make_interp_spline(places, values, 1) if method == "linear" else CubicSpline(places, values)
    crossed = PPoly.from_spline(curve) if method == "linear" else curve
    times = [x / rate for x in crossed.solve(level, extrapolate=False)]
    n, z = _measured(times, lambda t: bool(curve(rate * t) > level))
    return [
        "local x (start=0, fixed=true), z (start=0, fixed=true), y",
        "discrete n (start=0)",
        f"der(x) = {rate!r}",
        f'y = interp(x, {places!r}, {values!r}, "{method}")',
        f"der(z) = if y > {level!r} then 1 else -1",
        f"when y > {level!r} then\n  new(n) = n + 1\nendwhen",
    ], {"n": n, "z": z}


def _nested(random: Random) -> tuple[list[str], dict[str, float]]:
    """Branches in branches, by relations of time and of an oscillator."""
    w, phase = random.uniform(0.5, 6.0), random.uniform(0.0, 6.0)
    low, high, other = [*sorted(random.uniform(-0.9, 0.9) for _ in range(2)), random.uniform(-0.9, 0.9)]
    c = [round(random.uniform(-2.0, 2.0), 3) for _ in range(5)]

    def value(t: float) -> float:
        s, q = sin(w * t + phase), cos(w * t + phase)
        if s > low:
            return (c[0] if q > other else c[1]) if s > high else c[2]
        return c[3] if q < other else c[4]

    times = [x for level in (low, high) for x in _sine_times(w, phase, level)]
    times += _sine_times(w, phase + pi / 2, other)
    inner = sorted(t for t in times if 0.0 < t < STOP)
    z = sum((b - a) * value((a + b) / 2) for a, b in pairwise([0.0, *inner, STOP]))
    return [
        f"local s (start={sin(phase)!r}, fixed=true), q (start={cos(phase)!r}, fixed=true), z (start=0, fixed=true)",
        f"der(s) = {w!r}*q",
        f"der(q) = -{w!r}*s",
        f"der(z) = if s > {low!r} then (if s > {high!r} then (if cos({w!r}*time + {phase!r}) > {other!r} then {c[0]} "
        f"else {c[1]}) else {c[2]}) elseif q < {other!r} then {c[3]} else {c[4]}",
    ], {"z": z}


def _array(random: Random) -> tuple[list[str], dict[str, float]]:
    """Counters in a loop, some of them of the same frequency."""
    count = random.randint(2, 6)
    same = random.uniform(0.5, 8.0)
    w = [same if random.random() < 0.4 else random.uniform(0.5, 8.0) for _ in range(count)]
    phase = [0.5 if random.random() < 0.4 else random.uniform(0.0, 6.0) for _ in range(count)]
    level = [random.choice((0.0, 0.3, random.uniform(-0.95, 0.95))) for _ in range(count)]
    expected = {}
    for i in range(count):
        crossed = _sine_times(w[i], phase[i], level[i])
        truth = lambda t, i=i: sin(w[i] * t + phase[i]) > level[i]  # noqa: E731 - a condition by the number
        expected[f"n[{i + 1}]"], expected[f"z[{i + 1}]"] = _measured(crossed, truth)
    return [
        f"parameter w[{count}]={w!r}, p[{count}]={phase!r}, l[{count}]={level!r}",
        f"discrete n[{count}] (start=0)",
        f"local z[{count}] (start=0, fixed=true)",
        f"for i = 1 to {count}\n  when sin(w[i]*time + p[i]) > l[i] then\n    new(n[i]) = n[i] + 1\n  endwhen\n"
        "  der(z[i]) = if sin(w[i]*time + p[i]) > l[i] then 1 else -1\nendfor",
    ], expected


def _restarts(random: Random) -> tuple[list[str], dict[str, float]]:
    """States that start again together, from values of each other before."""
    rates = [random.uniform(-1.0, 1.0) for _ in range(3)]
    x = [random.uniform(-1.0, 1.0) for _ in range(3)]
    first, period = random.uniform(0.1, 1.0), random.uniform(0.4, 1.5)
    a, b, c = (random.uniform(-0.7, 0.7) for _ in range(3))
    lines = [
        ", ".join(
            ["local x (start={!r}, fixed=true)", "y (start={!r}, fixed=true)", "v (start={!r}, fixed=true)"]
        ).format(*x),
        f"der(x) = {rates[0]!r}",
        f"der(y) = {rates[1]!r}",
        f"der(v) = {rates[2]!r}",
        f"when sample({first!r}, {period!r}) then\n  init(x) = {a!r}*y + {b!r}*v\n  init(v) = x - {c!r}*y\n"
        "  init(y) = v\n  new(n) = n + 1\nendwhen",
        "discrete n (start=0)",
    ]
    t, n = 0.0, 0
    while first + n * period <= STOP:
        step = first + n * period - t
        x = [value + step * rate for value, rate in zip(x, rates, strict=True)]
        x = [a * x[1] + b * x[2], x[2], x[0] - c * x[1]]
        t, n = first + n * period, n + 1
    if STOP - t < MARGIN or first + n * period - STOP < MARGIN:
        raise UnclearError
    x = [value + (STOP - t) * rate for value, rate in zip(x, rates, strict=True)]
    return lines, {"n": n, "x": x[0], "y": x[1], "v": x[2]}


def _delay(random: Random) -> tuple[list[str], dict[str, float]]:
    """A relation on a delayed expression, which before is what it was at the start."""
    w, phase, length = random.uniform(0.5, 5.0), random.uniform(0.0, 6.0), random.uniform(0.05, 3.0)
    level = random.uniform(-0.9, 0.9)
    if abs(sin(phase) - level) < 1e-2:
        raise UnclearError
    crossed = [t + length for t in _sine_times(w, phase, level) if t > 0.0]
    n, z = _measured(crossed, lambda t: sin(w * max(0.0, t - length) + phase) > level)
    delayed = random.choice((f"sin({w!r}*time + {phase!r})", "s"))
    return [
        f"local s (start={sin(phase)!r}, fixed=true), q (start={cos(phase)!r}, fixed=true), y",
        "local z (start=0, fixed=true)",
        "discrete n (start=0)",
        f"der(s) = {w!r}*q",
        f"der(q) = -{w!r}*s",
        f"y = delay({delayed}, {length!r})",
        f"der(z) = if y > {level!r} then 1 else -1",
        f"when y > {level!r} then\n  new(n) = n + 1\nendwhen",
    ], {"n": n, "z": z}


FAMILIES: tuple[Family, ...] = (_curve, _curve, _nested, _array, _restarts, _delay)
