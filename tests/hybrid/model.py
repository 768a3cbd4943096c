"""A random hybrid model under construction, with the events and values that its formulas give."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from random import Random

STOP = 1.5
DISTANCES = (0.0, 0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-4)
Curve = Callable[[float], float]
Size = float | Curve
"""What a tolerance of 1 is for the values of a curve: their range times a condition number, which may vary in time."""


@dataclass(slots=True)
class Model:
    """Declarations and statements; when each counter counts; values as functions of time, each with its size."""

    rng: Random
    common: tuple[float, ...]
    libraries: list[str] = field(default_factory=lambda: ["electrical", "switches"])
    classes: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    counts: dict[str, list[float]] = field(default_factory=dict)
    slowness: dict[str, float] = field(default_factory=dict)
    curves: dict[str, tuple[Curve, Size]] = field(default_factory=dict)
    number: int = 0

    def text(self, lines: list[str]) -> str:
        """The model with its statements in this order."""
        head = [f"@{library}.lib" for library in dict.fromkeys(self.libraries)] + list(dict.fromkeys(self.classes))
        return "\n".join([*head, "model M", *lines, "end", ""])

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

        def frozen(t: float) -> float:
            return sum([max(0.0, min(t, end) - begin) for begin, end in list(pairwise(edges))[::2]])

        self.curves[z] = frozen, 1.0
