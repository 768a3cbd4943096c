"""The settings of the runs of one model: output interval, tolerance, order of statements, observer, solver."""

from dataclasses import dataclass
from random import Random

INTERVALS = (1.5, 0.5, 0.3, 0.1, 0.07, 0.05, 0.01, 0.004)
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-8)
ORDERS = 3
SOLVERS = (("cvode",), ("rk45", "dop853"), ("lsoda",), ("radau", "bdf"))
OBSERVERS = ("none", "progress", "python")
"""`progress` shows it; in `python` CVODE returns to Python at every output time and event."""
LEVELS = (len(INTERVALS), len(TOLERANCES), ORDERS, len(OBSERVERS), len(SOLVERS))
"""Of the five factors; their product has 1152 combinations."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Of one run; `order` is that of the statements."""

    interval: float
    tolerance: float
    order: int
    observer: str
    solver: str


def covering() -> list[tuple[int, ...]]:
    """A covering array of strength 2: each pair of levels of two factors is in one of 32 rows.

    All pairs of interval i and tolerance t; the solver is a Latin square of both.
    """
    return [(i, t, (t + i // 2) % ORDERS, (t - i // 2) % 3, i % 4 ^ t) for i in range(8) for t in range(4)]


def settings_of(rng: Random) -> list[Setting]:
    """The covering array with the levels of each factor permuted, so that many models cover all combinations."""
    levels = [rng.sample(range(count), count) for count in LEVELS]
    found = []
    for row in covering():
        interval, tolerance, order, observer, solver = [
            permuted[level] for permuted, level in zip(levels, row, strict=True)
        ]
        name = rng.choice(SOLVERS[solver])
        found.append(Setting(INTERVALS[interval], TOLERANCES[tolerance], order, OBSERVERS[observer], name))
    return found
