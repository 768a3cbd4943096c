"""Components of a hybrid model by a line or two each: ramps, oscillators, samples, balls, relays and clocks."""

from math import acos, ceil, cos, pi, sin, sqrt

from tests.hybrid.model import STOP, Model


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
