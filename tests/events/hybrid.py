"""Random hybrid models whose events are known by formulas, under many settings.

A model is put together from parts: each has events at times known in closed form, most of them at or within rounding of
a few common times. What counts them, and integrals that begin at them, tell whether one was lost, came twice or late.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import acos, ceil, cos, inf, pi, sin, sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.translation import Translation
from tests.events.models import event_times
from tests.python_loop import simulate_in_python

STOP = 1.5
INTERVALS = (1.5, 0.5, 0.3, 0.1, 0.07, 0.05, 0.01, 0.004)
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-8)
ORDERS = 3
SOLVERS = (("cvode",), ("rk45", "dop853"), ("lsoda",), ("radau", "bdf"))
WITHIN = 20.0
"""Values may be off by so many times the tolerance, relative to their range."""
DISTANCES = (0.0, 0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-4)
LIBRARIES = "@electrical.lib\n@switches.lib\n"
Curve = Callable[[float], float]


@dataclass(slots=True)
class Model:
    """Declarations and statements; when each counter counts; values as functions of time, each with its range."""

    rng: Random
    common: tuple[float, ...]
    lines: list[str] = field(default_factory=list)
    counts: dict[str, list[float]] = field(default_factory=dict)
    slowness: dict[str, float] = field(default_factory=dict)
    curves: dict[str, tuple[Curve, float]] = field(default_factory=dict)
    number: int = 0

    def name(self, kind: str) -> str:
        """A new name."""
        self.number += 1
        return f"{kind}{self.number}"

    def time(self) -> float:
        """One of the common times or next to it."""
        return self.rng.choice(self.common) + self.rng.choice((-1, 1)) * self.rng.choice(DISTANCES)

    def count(self, condition: str, times: list[float], slowness: float = 1.0) -> str:
        """Counts how often a condition becomes true; `slowness` is by how much time an error of 1 moves it."""
        n = self.name("n")
        self.lines += [f"discrete integer {n}", f"when {condition} then\nnew({n}) = {n} + 1\nendwhen"]
        self.counts[n] = [t for t in times if t <= STOP]
        self.slowness[n] = slowness
        return n

    def integrate(self, condition: str, times: list[float]) -> None:
        """The time during which a condition holds, which begins as false and changes at these times."""
        z = self.name("z")
        self.lines += [f"local {z} (start=0, fixed=true)", f"der({z}) = if {condition} then 1 else 0"]
        edges = [*times, inf]

        def held(t: float) -> float:
            return sum([max(0.0, min(t, end) - begin) for begin, end in list(pairwise(edges))[::2]])

        self.curves[z] = held, 1.0


# ------------------------------------------------------------------ parts


def ramp(m: Model) -> None:
    """x = x0 + a*t crosses c where it is to; written in several ways."""
    x, a, at = m.name("x"), m.rng.choice((-1, 1)) * 10 ** m.rng.uniform(-1, 1.5), m.time()
    x0 = m.rng.choice((0.0, 1.0, -0.3, 1e3 * a))
    c = x0 + a * at
    greater = ">" if a > 0 else "<"
    m.lines += [f"local {x} (start={x0!r}, fixed=true)", f"der({x}) = {a!r}"]
    left, right = m.rng.choice(((x, repr(c)), (f"{x} - {c!r}", "0"), (f"3*{x}", f"3*{c!r}"), (f"{x}/{c!r}", "1")))
    greater = {">": "<", "<": ">"}[greater] if right == "1" and c < 0 else greater
    if c == 0.0 and right == "1":
        left, right = x, repr(c)
    slowness = (1.0 + abs(x0 / a)) if abs(x0) > 1 else 1.0
    m.count(f"{left} {greater} {right}", [at], slowness)
    m.integrate(f"{left} {greater} {right}", [at])
    m.curves[x] = (lambda t: x0 + a * t), abs(x0) + abs(a) * STOP


def zero_at_start(m: Model) -> None:
    """Crosses at the start, but for rounding: a condition that is false at zero acts right after it."""
    x, a = m.name("x"), m.rng.choice((-1, 1)) * 10 ** m.rng.uniform(-1, 1)
    zero = m.rng.choice(("0", "(0.1 + 0.2 - 0.3)", "(sin(pi) - sin(3*pi))", "1e-17", "(-1e-17)"))
    m.lines += [f"local {x} (start=0, fixed=true)", f"der({x}) = {a!r}"]
    up, down = m.count(f"{x} > {zero}", [0.0]), m.count(f"{x} < {zero}", [0.0])
    m.counts[down if a > 0 else up] = []
    m.integrate(f"{x} {'>' if a > 0 else '<'} {zero}", [0.0])


def oscillator(m: Model) -> None:
    """x = A cos(w t + p) crosses c upwards and downwards; two of them with one phase in pairs."""
    at, amplitude, rises = m.time(), 10 ** m.rng.uniform(-1, 1), m.rng.random() < 0.5
    while True:
        w, level = m.rng.uniform(3, 12), m.rng.uniform(-0.8, 0.8)
        phase = (-1 if rises else 1) * acos(level) - w * at
        if abs(cos(phase) - level) > 0.05:  # else it begins next to where it crosses
            break
    for _ in range(m.rng.choice((1, 2))):
        x, v = m.name("x"), m.name("v")
        x0, v0 = amplitude * cos(phase), -amplitude * w * sin(phase)
        c = amplitude * level
        m.lines += [f"local {x} (start={x0!r}, fixed=true)", f"local {v} (start={v0!r}, fixed=true)"]
        m.lines += [f"der({x}) = {v}", f"der({v}) = -{w * w!r}*{x}"]
        falls_at = _times((acos(level) - phase) / w, 2 * pi / w)
        rises_at = _times((-acos(level) - phase) / w, 2 * pi / w)
        slowness = 5.0 / (w * sqrt(1 - level * level))
        m.count(f"{x} > {c!r}", rises_at, slowness)
        m.count(f"{c!r} > {x}", falls_at, slowness)
        m.curves[x] = (lambda t: amplitude * cos(w * t + phase)), 5.0 * amplitude


def _times(first: float, period: float) -> list[float]:
    """All instants first + k*period in the run."""
    k = ceil(-first / period)
    return [first + period * i for i in range(k, k + 40) if first + period * i <= STOP]


def sampled(m: Model) -> None:
    """Samples, one of which is at a common time."""
    at, interval = m.rng.choice(m.common), m.rng.choice((0.05, 0.1, 0.07, 0.25))
    first = at - interval * m.rng.choice((0, 1, 2))
    first = first if first >= 0 else at
    n = m.count(f"sample({first!r}, {interval!r})", [])
    m.counts[n] = [first + interval * k for k in range(40) if first + interval * k <= STOP * (1 + 1e-12)]


def ball(m: Model) -> None:
    """A bouncing ball whose first bounce is at a common time."""
    h, v, at, g = m.name("h"), m.name("v"), m.rng.choice(m.common), m.rng.choice((9.81, 2.0))
    ratio = 2 * STOP / at - 1  # of all later bounces to the first fall: they end at twice the end of the run
    e = m.rng.uniform(ratio / (2 + ratio), 0.95)
    drop = g * at * at / 2
    n = m.name("n")
    m.lines += [f"local {h} (start={drop!r}, fixed=true)", f"local {v} (start=0, fixed=true)", f"discrete integer {n}"]
    m.lines += [f"der({h}) = {v}", f"der({v}) = -{g!r}"]
    m.lines.append(f"when {h} < 0 and {v} < 0 then\ninit({v}) = -{e!r}*{v}\nnew({n}) = {n} + 1\nendwhen")
    times, t, speed = [], at, g * at
    while t <= STOP:
        times.append(t)
        speed *= e
        t += 2 * speed / g
    m.counts[n], m.slowness[n] = times, 30.0 / at


def relay(m: Model) -> None:
    """A triangular wave by hysteresis: up and down between 0 and d, from 0."""
    x, s, at = m.name("x"), m.name("s"), m.rng.choice(m.common)
    m.lines += [f"local {x} (start=0, fixed=true)", f"discrete {s} (start=1)", f"der({x}) = {s}"]
    m.lines.append(f"when {x} > {at!r} then\nnew({s}) = -1\nelsewhen {x} < 0 and {s} < 0 then\nnew({s}) = 1\nendwhen")
    m.curves[x] = (lambda t: at - abs(at - t % (2 * at))), 1.0


def clock(m: Model) -> None:
    """What time alone decides, at a common time."""
    at, factor = m.time(), m.rng.choice((1.0, 2.0, 7.0, 0.3))
    m.count(f"{factor!r}*time > {factor * at!r}", [at])
    m.integrate(f"{factor!r}*time >= {factor * at!r}", [at])


def both(m: Model) -> None:
    """Two ramps that cross at one time, and a condition of both."""
    at, a, b = m.time(), m.rng.uniform(0.2, 5), m.rng.uniform(0.2, 5)
    x, y = m.name("x"), m.name("y")
    m.lines += [
        f"local {x} (start=0, fixed=true), {y} (start=1, fixed=true)",
        f"der({x}) = {a!r}",
        f"der({y}) = -{b!r}",
    ]
    first, second = f"{x} > {a * at!r}", f"{y} < {1 - b * at!r}"
    m.count(f"{first} and {second}", [at])
    m.count(f"{first} or {second}", [at])
    m.integrate(f"{first} and {second}", [at])


def diodes(m: Model) -> None:
    """A sine, a resistor and ideal diodes in series and in parallel: they change at the zeros of the sine."""
    at, u, r, d, e, g = m.rng.choice(m.common), *[m.name(k) for k in ("U", "R", "D", "E", "G")]
    f, amplitude, resistance = (
        m.rng.choice((1, 2, 3)) / (2 * at),
        m.rng.choice((1.0, 10.0, 325.0)),
        m.rng.choice((1.0, 50.0)),
    )
    joined = m.rng.choice((f"{d} - {e}", f"({d} // {e})", d))
    m.lines += [
        f"submodel (sinevoltage) {u}(amplitude={amplitude!r}, f={f!r})",
        f"submodel (resistor) {r}(R={resistance!r})",
    ]
    m.lines += [f"submodel (idealdiode) {d}(Ron=1e-3, Goff=1e-9)", f"submodel (ground) {g}"]
    if e in joined:
        m.lines.append(f"submodel (idealdiode) {e}(Ron=1e-3, Goff=1e-9)")
    m.lines.append(f"connect {g} - {u} - {r} - {joined} - {g}")
    drop = {f"{d} - {e}": 2e-3, d: 1e-3}.get(joined, 5e-4)
    peak, open_circuit = amplitude / resistance, {f"{d} - {e}": 5e-10, d: 1e-9}.get(joined, 2e-9)

    def current(t: float) -> float:
        voltage = amplitude * sin(2 * pi * f * t)
        return voltage / (resistance + drop) if voltage > 0 else voltage / (resistance + 1 / open_circuit)

    m.curves[f"{r}.i"] = current, peak
    z = m.name("z")
    m.lines += [f"local {z} (start=0, fixed=true)", f"der({z}) = {r}.i"]

    def charge(t: float) -> float:
        whole, rest = divmod(t * f, 1.0)
        halves = [
            (2 * whole + 1 - cos(2 * pi * part)) / (2 * pi * f) for part in (min(rest, 0.5), max(rest - 0.5, 0.0))
        ]
        return amplitude * (halves[0] / (resistance + drop) - halves[1] / (resistance + 1 / open_circuit))

    m.curves[z] = charge, peak


PARTS = (ramp, zero_at_start, oscillator, sampled, ball, relay, clock, both, diodes)


def random_model(rng: Random) -> Model:
    """Two to six parts around one or two common times."""
    common = tuple(
        [rng.choice((0.3, 0.5, 1.0, 0.1 + 0.2, rng.uniform(0.2, 1.2))) for _ in range(rng.choice((1, 1, 2)))]
    )
    model = Model(rng, common)
    for part in rng.choices(PARTS, k=rng.randint(2, 6)):
        part(model)
    return model


# ------------------------------------------------------------------ settings


@dataclass(frozen=True, slots=True)
class Setting:
    """Of one run; `order` is that of the statements."""

    interval: float
    tolerance: float
    order: int
    is_in_python: bool
    solver: str


def design(rng: Random) -> list[Setting]:
    """Each interval once, with all tolerances, orders and kinds of solvers, one by one in Python or not."""
    a, b, c, d = (rng.randrange(12) for _ in range(4))
    return [
        Setting(
            interval,
            TOLERANCES[(k + a) % 4],
            (k + b) % ORDERS,
            (k // 2 + c) % 2 == 0,
            rng.choice(SOLVERS[(k // 2 + d + k) % 4]),
        )
        for k, interval in enumerate(INTERVALS)
    ]


def hybrid(rng: Random) -> None:
    """All events of a model at their times, and all values, in each of eight settings."""
    model = random_model(rng)
    texts = []
    for order in range(ORDERS):
        lines = list(model.lines)
        if order:
            rng.shuffle(lines)
        texts.append(LIBRARIES + "model M\n" + "\n".join(lines) + "\nend\n")
    with TemporaryDirectory() as folder:
        made = []
        for number, text in enumerate(texts):
            file = Path(folder) / f"m{number}.mdl"
            file.write_text(text, encoding="utf-8")
            made.append(translate(file))
        for setting in design(rng):
            simulate = simulate_in_python if setting.is_in_python else Translation.simulate
            options = {"interval": setting.interval, "tolerance": setting.tolerance, "solver": setting.solver}
            result = simulate(made[setting.order], stop=STOP, **options)
            try:
                compare(model, result, setting.tolerance)
            except AssertionError as error:
                raise AssertionError(f"{setting}: {error}\n{texts[setting.order]}") from error


def compare(model: Model, result: Result, tolerance: float) -> None:
    """AssertionError where an event or a value is another one than by its formula."""
    found = []
    for n, times in model.counts.items():
        within = WITHIN * tolerance * model.slowness[n] + 1e-12
        later = [t for t in times if t > 0]
        surely = [t for t in later if t < STOP - within]
        got = event_times(result, n).tolist()
        assert len(surely) <= len(got) <= len(later), f"{n}: events at {got} instead of {times}"
        assert result[n][-1] == len(got) + len(times) - len(later), f"{n} = {result[n][-1]:g}, {len(times)} events"
        for t, expected in zip(got, later, strict=False):
            assert abs(t - expected) <= within, f"{n}: {t!r} instead of {expected!r}"
            found.append((t, n))
    assert [t for t, _ in sorted(found)] == sorted([t for t, _ in found])
    for name, (curve, size) in model.curves.items():
        exact = np.array([curve(t) for t in np.asarray(result.time).tolist()])
        error = float(np.max(np.abs(result[name] - exact)))
        assert error <= WITHIN * tolerance * size, (
            f"{name} is off by {error:.3g}, {error / tolerance / size:.3g} tolerances"
        )
