"""Functionals of a run that is given by rows: each is a weighted sum of rows of its expression.

Integrals by Simpson's rule for intervals that differ (P. J. Davis, P. Rabinowitz, Methods of Numerical Integration,
1984, section 2.2), separately between events, where an instant has two rows.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from acausal.analyses.fitting.unknowns import Unknown
from acausal.analyses.optimize.functionals import Evaluation, Functionals
from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.ir.expr import Expr
from acausal.runtime.limits import NEAR

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class EventTimes(Protocol):
    """Interface of the times of events of a run (`analyses/sensitivities`)."""

    @property
    def times(self) -> "Array":
        """Times (events,)."""

    @property
    def derivatives(self) -> "Array":
        """Their derivatives (events, p)."""


class TrajectoryNumbers:
    """Values of expressions of functionals, and their slopes along what moves the rows."""

    def __init__(self, functionals: Functionals, outer: "list[Expr]") -> None:
        self.names = tuple(functionals.variables)
        leaves, self._found = tuple(functionals.found), tuple(functionals.found.values())
        pool = functionals.pool
        self._inner = Evaluation(pool, [f.inner for f in self._found], list(functionals.variables.values()))
        self._outer = Evaluation(pool, outer, leaves)

    def values(self, time: "Array", of: "Callable[[str], Array]") -> "Array":
        """The values (outer,) of the expressions for variables `of` a name (rows,) at `time` (rows,)."""
        import numpy as np

        inner = self._inner(self._columns(time, of))[0]
        weights = self._weights(time, inner)
        found: Array = self._outer(np.einsum("fr,rf->f", weights, inner)[None])[0][0]
        return found

    def slopes(
        self, time: "Array", of: "Callable[[str], Array]", moved: "Array", events: "EventTimes"
    ) -> "tuple[Array, Array]":
        """Values (outer,) and slopes (outer, p), where `moved` (rows, variables, p) are those of the variables.

        An integrand that jumps from f- to f+ at an event whose time moves adds (f- - f+)*dt to the integral.
        SimulationError A023 for an extreme value at such an event.
        """
        import numpy as np

        inner, partials = self._inner(self._columns(time, of))
        weights = self._weights(time, inner)
        found = np.einsum("fr,rfv,rvp->fp", weights, partials, moved)
        for row, shift in _moving_rows(time, events):
            for k, functional in enumerate(self._found):
                if functional.kind == "integral":
                    found[k] += (inner[row, k] - inner[row + 1, k]) * shift
                elif functional.kind in ("max", "min") and weights[k, [row, row + 1]].any():
                    raise _at_moving_event(functional.kind, float(time[row]))
        values, outer = self._outer(np.einsum("fr,rf->f", weights, inner)[None])
        return values[0], outer[0] @ found

    def _columns(self, time: "Array", of: "Callable[[str], Array]") -> "Array":
        import numpy as np

        found = [np.broadcast_to(time if name == "time" else of(name), time.shape) for name in self.names]
        return np.array(found).T.reshape(len(time), len(found))

    def _weights(self, time: "Array", inner: "Array") -> "Array":
        """Weights (functionals, rows) of the rows."""
        import numpy as np

        weights = np.array([_weights(f.kind, time, inner[:, k]) for k, f in enumerate(self._found)])
        return weights.reshape(-1, len(time))


def _moving_rows(time: "Array", events: "EventTimes") -> "Iterator[tuple[int, Array]]":
    """Rows at whose time the next one stands behind an event that moves, and the slopes of its time."""
    import numpy as np

    span = float(time[-1] - time[0])
    for row in np.flatnonzero(time[1:] == time[:-1]).tolist():
        t = float(time[row])
        here = np.flatnonzero(np.abs(events.times - t) <= NEAR * max(abs(t), span)).tolist()
        if here and events.derivatives[here[0]].any():
            yield row, events.derivatives[here[0]]


def _at_moving_event(kind: str, t: float) -> SimulationError:
    message = f"a {kind} is attained at t = {t:.10g}, at an event whose time depends on the parameters"
    hint = "set a discrete variable there, when ... then new(top) = x, and take final(top)"
    return SimulationError(Diagnostic("A023", message, help=hint))


def _weights(kind: str, time: "Array", values: "Array") -> "Array":
    """Weights of the rows (rows,)."""
    import numpy as np

    if kind == "integral":
        return integral_weights(time)
    found = np.zeros(len(time))
    row = {"first": 0, "final": -1}.get(kind)
    found[(np.argmax(values) if kind == "max" else np.argmin(values)) if row is None else row] = 1.0
    return found


def integral_weights(time: "Array") -> "Array":
    """Weights (rows,) of the rows at times that do not decrease; between equal times there is nothing."""
    import numpy as np

    found = np.zeros(len(time))
    steps = np.diff(time).tolist()
    k = 0
    while k < len(steps):
        first = steps[k]
        second = steps[k + 1] if k + 1 < len(steps) else 0.0
        if 0.5 * first <= second <= 2.0 * first and first > 0:
            both = (first + second) / 6
            found[k] += both * (2 - second / first)
            found[k + 1] += both * (first + second) ** 2 / (first * second)
            found[k + 2] += both * (2 - first / second)
            k += 2
            continue
        found[k] += first / 2
        found[k + 1] += first / 2
        k += 1
    return found


class SlopesOfRun(Protocol):
    """Interface of a run with sensitivities (`acausal.analyses.sensitivities`)."""

    time: "Array"

    @property
    def values(self) -> "Array":
        """Values (rows, variables)."""
        ...

    @property
    def derivatives(self) -> "Array":
        """Derivatives (rows, variables, parameters)."""
        ...

    @property
    def events(self) -> EventTimes:
        """Times of the events, with their derivatives."""


class NumbersOfRuns:
    """Objective and constraints of a point with their slopes, remembered for the last one.

    `without` are parameters on which nothing of the last run depends.
    """

    def __init__(
        self, numbers: TrajectoryNumbers, unknowns: Sequence[Unknown], run: Callable[[dict[str, float]], SlopesOfRun]
    ) -> None:
        self._numbers, self._unknowns, self._run = numbers, unknowns, run
        self._last: tuple[Array, Array, Array] | None = None
        self.without: tuple[str, ...] = ()

    def values(self, x: "Array") -> dict[str, float]:
        """Values of the parameters."""
        return {u.name: u.value(number) for u, number in zip(self._unknowns, x.tolist(), strict=True)}

    def __call__(self, x: "Array") -> "tuple[Array, Array]":
        """Values (outer,) and slopes (outer, parameters)."""
        import numpy as np

        if self._last is None or not (self._last[0] == x).all():
            given = self.values(x)
            found = self._run(given)
            names, parameters = self._numbers.names, [u.name for u in self._unknowns]
            variables = variables_of(self._numbers, self._unknowns)
            columns = {name: found.values[:, k] for k, name in enumerate(variables)}
            columns |= {name: np.full(len(found.time), value) for name, value in given.items()}
            moved = np.zeros((len(found.time), len(names), len(parameters)))
            moved[:, [names.index(name) for name in variables]] = found.derivatives[:, : len(variables)]
            for k, name in enumerate(parameters):
                if name in names:
                    moved[:, names.index(name), k] = 1.0
            changes = np.concatenate([moved.reshape(-1, len(parameters)), found.events.derivatives])
            self.without = tuple([name for k, name in enumerate(parameters) if not changes[:, k].any()])
            values, slopes = self._numbers.slopes(found.time, columns.__getitem__, moved, found.events)
            inner = np.array([given[u.name] if u.log else 1.0 for u in self._unknowns])
            self._last = x.copy(), values, slopes * inner
        return self._last[1], self._last[2]


def variables_of(numbers: TrajectoryNumbers, unknowns: Sequence[Unknown]) -> tuple[str, ...]:
    """The names in objective and constraints that are neither time nor parameters to be found."""
    parameters = {u.name for u in unknowns}
    return tuple([name for name in numbers.names if name != "time" and name not in parameters])


def number_of_run(
    functionals: Functionals, expr: "Expr", unknowns: Sequence[Unknown], run: Callable[[tuple[str, ...]], SlopesOfRun]
) -> "tuple[float, Array]":
    """The value of an expression of functionals at the starts of the parameters, and its slopes (parameters,)."""
    import numpy as np

    numbers = TrajectoryNumbers(functionals, [expr])
    variables = variables_of(numbers, unknowns)
    values, slopes = NumbersOfRuns(numbers, unknowns, lambda _: run(variables))(np.array([u.start for u in unknowns]))
    return float(values[0]), slopes[0].copy()
