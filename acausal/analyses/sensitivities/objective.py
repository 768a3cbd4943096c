"""Objectives: numbers of a run, with their derivatives with respect to parameters.

final(x)       the value of a variable at the end            max(x), min(x)   its largest and smallest value
integral(x)    over the run                                  event(3)         the time of the third event

Expressions of several such numbers, or of expressions, are those of `analyses/optimize/functionals`.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.request import SensitivityRequest
from acausal.analyses.sensitivities.result import Sensitivities
from acausal.base.diagnostics import Diagnostic, SimulationError, UsageError
from acausal.base.frozen import dataclass
from acausal.runtime.limits import NEAR

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_FORM = re.compile(r"\s*(final|integral|max|min|event)\s*\((.*)\)\s*", re.DOTALL)
_NAME = re.compile(r"(der\()?[A-Za-z_][\w.]*(\[[\d, ]+\][\w.]*)*(, *\d+)?\)?")
HINT = (
    "objectives are final(x), integral(x), max(x), min(x) of variables, event(n), the time of the n-th event, and "
    "expressions of such numbers, integral(x^2) + 10*final(x)^2"
)
EXPRESSION = "expression"
METHODS = ("auto", "forward", "adjoint")
FEW = 10
"""Parameters up to which slopes cost no more than the adjoint equations."""
FINER = 32
"""Rows for each one beside an extreme value, in the second run."""

Run = Callable[[SensitivityRequest], Sensitivities]


@dataclass(frozen=True, slots=True)
class Objective:
    """A number of a run: `kind`, and the variable or the number of the event; of an expression the text."""

    kind: str
    variable: str

    def request(self, parameters: tuple[str, ...], times: tuple[float, ...] | None = None) -> SensitivityRequest:
        """The sensitivities that it needs."""
        if self.kind == "integral":
            return SensitivityRequest(parameters, (), times, (self.variable,))
        return SensitivityRequest(parameters, () if self.kind == "event" else (self.variable,), times)


def objective(text: object) -> Objective:
    """The objective of a text, of kind "expression" for one of several; UsageError F006 for what is none."""
    if not isinstance(text, str):
        raise UsageError(Diagnostic("F006", f"{text!r} is not an objective", help=HINT))
    match = _FORM.fullmatch(text)
    kind, inside = (match[1], match[2].strip()) if match else ("", "")
    if kind != "event" and not _NAME.fullmatch(inside):
        return Objective(EXPRESSION, text)
    if kind == "event" and not (inside.isdecimal() and int(inside) > 0):
        raise UsageError(Diagnostic("F006", f"event({inside}) is not an objective", help=HINT))
    return Objective(kind, inside)


def wants_adjoint(asked: Objective, method: object, count: int) -> bool:
    """True if a gradient by so many parameters is to be computed backwards; UsageError F006 for an unknown method."""
    if method not in METHODS:
        raise unknown_method(method)
    if asked.kind == "event" and method == "adjoint":
        hint = 'use method="forward": one slope for each parameter'
        raise UsageError(Diagnostic("F006", f"{asked.kind}({asked.variable}) has no adjoint equations", help=hint))
    return method == "adjoint" or (method == "auto" and count > FEW and asked.kind != "event")


def unknown_method(method: object) -> UsageError:
    """F006."""
    return UsageError(Diagnostic("F006", f"unknown method {method!r:.40}", help=f"known: {', '.join(METHODS)}"))


def gradient(asked: Objective, parameters: tuple[str, ...], stop: float, run: Run) -> "tuple[float, Array]":
    """The value of an objective and its derivatives (parameters); SimulationError A023 where it has none."""
    if asked.kind == "event":
        return _event(asked, run(asked.request(parameters)))
    if asked.kind in ("final", "integral"):
        found = run(asked.request(parameters, (stop,)))
        return float(found.values[-1, 0]), found.derivatives[-1, 0].copy()
    return _extreme(asked, parameters, run)


def _event(asked: Objective, found: Sensitivities) -> "tuple[float, Array]":
    number = int(asked.variable)
    if number > len(found.events):
        message = f"the run has {len(found.events)} events: event({number}) has no time"
        raise SimulationError(Diagnostic("A023", message, help="choose another event, or a later stop"))
    return float(found.events.times[number - 1]), found.events.derivatives[number - 1].copy()


def _extreme(asked: Objective, parameters: tuple[str, ...], run: Run) -> "tuple[float, Array]":
    """An extreme value: where the variable is smooth its time has no part in the derivative.

    Rows about it are made finer once, and parabolas through three of them give value and derivatives.
    """
    import numpy as np

    first = run(asked.request(parameters))
    row = _row(asked, first)
    near = first.time[max(row - 1, 0) : row + 2]
    if near[0] == near[-1] or (near[1:] == near[:-1]).any():
        return _at_event(asked, first, row)
    times = np.linspace(near[0], near[-1], 2 * FINER + 1)
    found = run(asked.request(parameters, tuple(times.tolist())))
    row = _row(asked, found)
    if row in (0, len(found.time) - 1):
        return float(found.values[row, 0]), found.derivatives[row, 0].copy()
    t, x, s = (a[row - 1 : row + 2] for a in (found.time, found.values[:, 0], found.derivatives[:, 0]))
    center = t[1]
    at = top(t - center, x)
    weights = np.array([_lagrange(t - center, k, at) for k in range(3)])
    return float(weights @ x), weights @ s


def top(t: "Array", x: "Array") -> float:
    """The time of the extreme value of the parabola through three points."""
    import numpy as np

    curve = np.polyfit(t, x, 2)
    return float(-curve[1] / (2.0 * curve[0])) if curve[0] else 0.0


def _row(asked: Objective, found: Sensitivities) -> int:
    values = found.values[:, 0]
    return int(values.argmax() if asked.kind == "max" else values.argmin())


def _lagrange(t: "Array", k: int, at: float) -> float:
    """The k-th polynomial through three points."""
    others = [j for j in range(len(t)) if j != k]
    product = 1.0
    for j in others:
        product *= (at - t[j]) / (t[k] - t[j])
    return float(product)


def _at_event(asked: Objective, found: Sensitivities, row: int) -> "tuple[float, Array]":
    """An extreme value where rows are double: at an event that does not move time has no part in the derivative."""
    import numpy as np

    t, span = float(found.time[row]), float(found.time[-1] - found.time[0])
    here = np.abs(found.events.times - t) <= NEAR * max(abs(t), span)
    if not found.events.derivatives[here].any():
        return float(found.values[row, 0]), found.derivatives[row, 0].copy()
    message = (
        f"{asked.kind}({asked.variable}) is attained at t = {t:.10g}, at an event whose time depends on the parameters"
    )
    hint = "set a discrete variable there, when ... then new(top) = x, and use final(top)"
    raise SimulationError(Diagnostic("A023", message, help=hint))
