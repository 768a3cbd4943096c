"""Random networks of diodes in series and parallel, beside an integration of the same piecewise-linear equations.

Each part is a two-terminal element whose current is a monotone, piecewise-linear function of its voltage: a sum of such
functions where parts are parallel, the inverse of a sum of inverses where they are in series. These are added here as
lists of points; nothing is iterated, and no relation is asked for.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from scipy.integrate import solve_ivp

from tests.events.models import library_model

Array = np.ndarray
FAR = 1e4
"""Characteristics are given from -FAR to FAR."""
CLASSES = """
model class Pin2
  cut A (Va / i), B (Vb / -i)
  main path <A - B>
  terminal u
  u = Va - Vb
end
model class (Pin2) res
  parameter R=1
  u = R*i
end
model class (Pin2) cap
  parameter C=1
  C*der(u) = i
end
model class (Pin2) ind
  parameter L=1
  L*der(i) = u
end
model class (Pin2) src
  u = -2*sin(2*pi*0.7*time + 0.3)
end
model class (Pin2) dio
  parameter g=3
  i = (if u > 0.1 then g*(u - 0.1) else 0) + 0.02*u
end
model class gnd
  main cut A (V / .)
  V = 0
end
"""


@dataclass(frozen=True)
class Part:
    """A resistor, diode, capacitor or inductor (kind), or parts in `series` or `parallel`."""

    kind: str
    value: float = 0.0
    name: str = ""
    reversed: bool = False
    parts: tuple["Part", ...] = ()

    @property
    def all(self) -> Iterator["Part"]:
        """The elements."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.all

    @property
    def is_fixed(self) -> bool:
        """Whether a state gives its voltage or current."""
        own = {"cap": "cap", "ind": "ind", "parallel": "cap", "series": "ind"}.get(self.kind)
        return self.kind == own or own in [p.kind for p in self.parts]

    @property
    def text(self) -> str:
        """As `connect` has it."""
        if not self.parts:
            return ("\\" if self.reversed else "") + self.name
        return "(" + (" - " if self.kind == "series" else " // ").join(p.text for p in self.parts) + ")"

    @property
    def declared(self) -> str:
        """Its submodel."""
        letter = {"res": "R", "dio": "g", "cap": "C", "ind": "L"}[self.kind]
        return f"submodel ({self.kind}) {self.name}({letter}={self.value!r})"


class Network:
    """A network at the source; `random` decides what it is, and the order of the statements."""

    def __init__(self, random: Random, part: Part | None = None) -> None:
        self._random = random
        self._count = 0
        self.part = part or self._part(3, "series")
        self.states = [p for p in self.part.all if p.kind in ("cap", "ind")]

    def _element(self, kind: str) -> Part:
        self._count += 1
        value = round(self._random.uniform(0.3, 3), 3)
        return Part(kind, value, f"{kind[0].upper()}{self._count}", self._random.random() < 0.3)

    def _part(self, depth: int, inside: str) -> Part:
        """Parts of a series where `inside` is parallel, and the other way round; one at least has a characteristic."""
        random = self._random
        store, other = ("cap", "parallel") if inside == "series" else ("ind", "series")
        if depth == 0 or random.random() < 0.2:
            one = self._element("dio" if random.random() < 0.7 else "res")
            return one if random.random() < 0.75 else Part(other, parts=(one, self._element(store)))
        parts = [self._part(depth - 1, other) for _ in range(random.choice((2, 2, 3)))]
        if random.random() < 0.3:
            parts.append(self._element("ind" if inside == "series" else "cap"))
        if all(p.is_fixed for p in parts):
            parts.append(self._element("res"))
        random.shuffle(parts)
        return Part(other, parts=tuple(parts))

    @property
    def model(self) -> str:
        """The body of the model, its statements in another order each time."""
        lines = [p.declared for p in self.part.all]
        lines += ["submodel (src) U", "submodel (gnd) G", "submodel (res) Rs(R=0.5)"]
        lines.append(f"connect G - U - Rs - {self.part.text} - G")
        for p in self.states:
            lines.append(f"initial {p.name}.{'u' if p.kind == 'cap' else 'i'} = 0")
        self._random.shuffle(lines)
        return "\n  ".join(lines)

    def exact(self, stop: float) -> Callable[[Array], Array]:
        """Voltages of capacitors and currents of inductors as a function of times: (states, times)."""
        inner = self.part.parts if self.part.kind == "series" else (self.part,)
        whole = Part("series", parts=(Part("res", 0.5), *inner))

        def slope(t: float, y: Array) -> list[float]:
            now = dict(zip([p.name for p in self.states], y.tolist(), strict=True))
            slopes: dict[str, float] = {}
            _spread(whole, None, 2 * np.sin(2 * np.pi * 0.7 * t + 0.3), _Curves(now), slopes)
            return [slopes[p.name] / p.value for p in self.states]

        start, accuracy = np.zeros(len(self.states)), {"rtol": 1e-9, "atol": 1e-10, "max_step": stop / 50}
        return solve_ivp(slope, (0, stop), start, "LSODA", dense_output=True, **accuracy).sol


def _spread(part: Part, i: float | None, u: float | None, curves: "_Curves", slopes: dict[str, float]) -> None:
    """What drives the states inside a part of which the current or the voltage is known."""
    sign = -1.0 if part.reversed else 1.0
    if part.kind in ("res", "dio"):
        return
    if part.kind in ("cap", "ind"):
        driven = i if part.kind == "cap" else u
        assert driven is not None
        slopes[part.name] = sign * driven
        return
    within = part.kind == "series"
    fixed = next((p for p in part.parts if p.kind == ("ind" if within else "cap")), None)
    others = [curves.of(p) for p in part.parts if p is not fixed]
    if within:
        if fixed is not None:
            i = curves.state(fixed)
        elif i is None:
            assert u is not None
            i = _at(u, *curves.of(part))
        rest = [_at(i, c[1], c[0]) for c in others]
    else:
        if fixed is not None:
            u = curves.state(fixed)
        elif u is None:
            assert i is not None
            voltages, currents = curves.of(part)
            u = _at(i, currents, voltages)
        rest = [_at(u, *c) for c in others]
    for p in part.parts:
        if p is not fixed:
            _spread(p, i if within else None, None if within else u, curves, slopes)
    if fixed is not None:
        whole = u if within else i
        assert whole is not None
        slopes[fixed.name] = (-1.0 if fixed.reversed else 1.0) * (whole - sum(rest))


def _at(x: float, xs: Array, ys: Array) -> float:
    return float(_line(np.array([x]), xs, ys)[0])


class _Curves:
    """Voltages and currents of the points of characteristics, each found once for the states `now`."""

    def __init__(self, now: dict[str, float]) -> None:
        self._now = now
        self._found: dict[int, tuple[Array, Array]] = {}

    def state(self, part: Part) -> float:
        """With the sign that it has in the network."""
        return (-1.0 if part.reversed else 1.0) * self._now[part.name]

    def of(self, part: Part) -> tuple[Array, Array]:
        """That of a part, from -FAR to FAR and straight on."""
        if id(part) not in self._found:
            self._found[id(part)] = self._curve(part)
        return self._found[id(part)]

    def _curve(self, part: Part) -> tuple[Array, Array]:
        far = np.array([-FAR, FAR])
        if part.kind == "res":
            return far, far / part.value
        if part.kind == "dio":
            u = np.array([-FAR, 0.1, FAR])
            i = part.value * np.maximum(u - 0.1, 0) + 0.02 * u
            return (-u[::-1], -i[::-1]) if part.reversed else (u, i)
        if part.kind == "cap":
            return np.full(2, self.state(part)), far
        if part.kind == "ind":
            return far, np.full(2, self.state(part))
        kinds = [p.kind for p in part.parts]
        fixed = "ind" if part.kind == "series" else "cap"
        if fixed in kinds:
            return self.of(part.parts[kinds.index(fixed)])
        curves = [self.of(p) for p in part.parts]
        if part.kind == "series":
            i = _merged([c[1] for c in curves])
            return sum(_line(i, c[1], c[0]) for c in curves), i
        u = _merged([c[0] for c in curves])
        return u, sum(_line(u, *c) for c in curves)


def _merged(points: list[Array]) -> Array:
    """Those within FAR, each once: slopes between points that differ by rounding would be noise."""
    x = np.unique(np.clip(np.concatenate(points), -FAR, FAR))
    return x[np.append(True, np.diff(x) > 1e-9 * (1 + np.abs(x[1:])))]


def _line(x: Array, xs: Array, ys: Array) -> Array:
    """Between the points and, straight on, beyond them; one value where all are the same."""
    y = np.interp(x, xs, ys)
    if xs[0] < xs[-1]:
        first, last = (ys[1] - ys[0]) / (xs[1] - xs[0]), (ys[-1] - ys[-2]) / (xs[-1] - xs[-2])
        y = np.where(x < xs[0], ys[0] + first * (x - xs[0]), y)
        y = np.where(x > xs[-1], ys[-1] + last * (x - xs[-1]), y)
    return y


def network_agrees(random: Random) -> None:
    """One network against the reference."""
    agrees(Network(random), (1e-4, 1e-6, 1e-9))


def agrees(network: Network, tolerances: Sequence[float], stop: float = 3.0) -> None:
    """At several tolerances, each with the statements in another order."""
    exact = network.exact(stop) if network.states else None
    for tolerance in tolerances:
        text = network.model
        result = library_model(CLASSES, text, stop=stop, interval=stop / 150, tolerance=tolerance)
        t, once = np.unique(result.time, return_index=True)
        assert t[-1] == stop
        for row, part in zip([] if exact is None else exact(t), network.states, strict=True):
            error = np.abs(result[f"{part.name}.{'u' if part.kind == 'cap' else 'i'}"][once] - row).max()
            assert error < 30 * tolerance * max(1.0, np.abs(row).max()) + 1e-8, (part.name, tolerance, error, text)


def network_runs(random: Random, stop: float = 3.0) -> None:
    """One network at many tolerances in as many orders."""
    network = Network(random)
    for digits in range(3, 11):
        result = library_model(CLASSES, network.model, stop=stop, interval=stop / 150, tolerance=10.0**-digits)
        assert result.time[-1] == stop
