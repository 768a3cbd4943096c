"""Parts of a hybrid model that are symmetric mechanisms: several events of each come at one time, but for rounding."""

from math import pi, sin

from tests.hybrid.engine import CYLINDER, Engine
from tests.hybrid.model import Model
from tests.hybrid.swing import Swing

GRAVITY = 9.81


def _swing(m: Model, is_pendulum: bool, stop: float) -> Swing:
    amplitude = min(stop * m.rng.uniform(1.15, 1.8), 0.95 if is_pendulum else 99.0)
    return Swing(
        is_pendulum, stop, amplitude, m.rng.choice((1.0, 0.95, 0.9)), m.rng.choice(m.common), m.rng.uniform(0.5, 0.95)
    )


def _stops(m: Model, q: str, w: str, stop: float, swing: Swing, sign: int) -> None:
    """Rigid stops at both ends, with a counter each; `sign` is -1 for what moves the other way."""
    for side in (sign, -sign):
        n = m.name("n")
        relation = ">" if side > 0 else "<"
        m.lines.append(f"discrete integer {n}")
        m.lines.append(
            f"when {q} {relation} {side * stop!r} and {w} {relation} 0 then\n"
            f"init({w}) = -{swing.restitution!r}*{w}\nnew({n}) = {n} + 1\nendwhen"
        )
        first = 0 if side == sign else 1
        m.counts[n] = swing.hits[first::2]
        m.slowness[n] = max([swing.slowness(i) for i in range(first, len(swing.hits), 2)], default=0.0)


def pendulums(m: Model) -> None:
    """Two or three pendulums of one frequency between equal stops, in phase or mirrored, of unequal masses."""
    stop = m.rng.uniform(0.4, 1.0)
    swing = _swing(m, True, sin(stop / 2))
    m.libraries.append("mbsdir")
    i = m.name("I")
    m.lines.append(f"submodel (Inertial) {i}(g={GRAVITY!r}, ng1=1)")
    for _ in range(m.rng.choice((2, 2, 3))):
        sign = m.rng.choice((-1, 1))
        p, b, mass = m.name("P"), m.name("B"), m.rng.choice((1.0, 0.3, 20.0))
        reduced = GRAVITY / swing.omega**2  # (J + m*l^2)/(m*l)
        length = m.rng.uniform(0.3, 0.9) * reduced
        m.lines += [
            f"submodel (Revolute) {p}(n3=1) (ic q={sign * swing(0.0)!r}, w={sign * swing.velocity!r})",
            f"submodel (Body) {b}(m={mass!r}, r1={length!r}, I33={mass * length * (reduced - length)!r})",
            f"connect {i} - {p} - {b}",
        ]
        _stops(m, f"{p}.q", f"{p}.w", stop, swing, sign)
        m.curves[f"{p}.q"] = (lambda t, sign=sign: sign * swing(t)), swing.size


def masses(m: Model) -> None:
    """Two equal masses with a spring between them, mirrored, which meet stops at both sides."""
    stop = m.rng.choice((1.0, 0.01, 0.2))
    swing = _swing(m, False, stop)
    m.libraries.append("translational")
    spring, (left, right) = m.name("C"), (m.name("M"), m.name("M"))
    mass = m.rng.choice((1.0, 0.02, 500.0))
    m.lines.append(f"submodel (linearspring) {spring}(c={mass * swing.omega**2 / 2!r})")
    for name, sign in ((left, 1), (right, -1)):
        start = f"s={sign * swing(0.0)!r}, v={sign * swing.velocity!r}"
        m.lines.append(f"submodel (mass) {name}(m={mass!r}) (ic {start})")
        _stops(m, f"{name}.s", f"{name}.v", stop, swing, sign)
        m.curves[f"{name}.s"] = (lambda t, sign=sign: sign * swing(t)), swing.size
    m.lines.append(f"connect {left} - {spring} - {right}")


LAYOUTS = {
    "boxer": ((0.0, 0.0), (pi, pi)),
    "parallel twin": ((0.0, 0.0), (pi, 0.0)),
    "V of four": ((-pi / 6, -pi / 6), (pi / 2, pi / 6), (7 * pi / 6, -pi / 6), (7 * pi / 6, pi / 6)),
}
"""Offset on the crank and tilt of each cylinder."""


def engine(m: Model) -> None:
    """Cylinders at dead centers in pairs, at a common time; the gas follows the sign of their speed."""
    layout = m.rng.choice(list(LAYOUTS.values()))
    at, down = m.rng.choice(m.common), m.rng.choice((30.0, 100.0))
    up = down * m.rng.choice((0.5, 1.0, 1.2))
    shifts = tuple([offset - tilt for offset, tilt in layout])
    found = Engine(1.1, shifts, down, up, at, pi * m.rng.choice((1, 2)) - shifts[0], m.rng.uniform(10, 20))
    m.libraries += ["mbsdir", "translational"]
    m.classes.append(CYLINDER)
    i, crank, wheel = m.name("I"), m.name("K"), m.name("W")
    phi = found.phi(0.0)
    m.lines += [
        f"submodel (Inertial) {i}",
        f"submodel (Revolute) {crank}(n3=1) (ic q={phi!r}, w={float(found.w(phi))!r})",
        f"submodel (Body) {wheel}(m=1, I33=1.1)",
        f"connect {i} - {crank}, {wheel} at {crank}",
    ]
    for (offset, tilt), shift in zip(layout, shifts, strict=True):
        c = m.name("Y")
        m.lines.append(f"submodel (Piston) {c}(offset={offset!r}, tilt={tilt!r}, down={down!r}, up={up!r})")
        m.lines.append(f"connect {crank} - {c}:A, {i} - {c}:base")
        slowness = 5.0 * 15.0 / found.speed
        m.count(f"{c}.piston.w > 0", found.dead_centers(shift, True), slowness)
        m.count(f"{c}.piston.w < 0", found.dead_centers(shift, False), slowness)
    m.curves[f"{crank}.q"] = found.phi, 5.0 * 15.0
    m.curves[f"{crank}.w"] = (lambda t: float(found.w(found.phi(t)))), 5.0 * found.speed
