"""Values between the rows of a result."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.formats.columns import Column
    from acausal.results.trajectories import Trajectories


def interpolate(result: "Trajectories", t: float) -> dict[str, float]:
    """All variables at t: cubic where the derivative is among them, else linear; UsageError F006 outside the run."""
    import numpy as np

    time = result.time
    if not len(time) or not time[0] <= t <= time[-1]:
        covered = f"it covers {time[0]:g} to {time[-1]:g}" if len(time) else "it has no rows"
        raise UsageError(Diagnostic("F006", f"the result has no value at t = {t:g}: {covered}"))
    right = int(np.searchsorted(time, t, side="right"))
    row = result.stored[right - 1] if time[right - 1] == t else _between(result, right, t)
    return {name: _value(column, row, t) for name, column in result.columns.items()}


def _between(result: "Trajectories", right: int, t: float) -> "Array":
    """The stored variables between row `right` and the one before."""
    time, stored = result.time, result.stored
    left = right - 1
    width = float(time[right] - time[left])
    s = (t - float(time[left])) / width
    row: Array = stored[left] + s * (stored[right] - stored[left])
    for name, column in result.columns.items():
        slope = result.columns.get(_derivative(name))
        if column.position is not None and slope is not None:
            place = column.position
            ends = [column.sign * width * _value(slope, stored[i], float(time[i])) for i in (left, right)]
            row[place] = _hermite(s, float(stored[left, place]), float(stored[right, place]), *ends)
    return row


def _derivative(name: str) -> str:
    """The name of the derivative: x -> der(x) -> der(x, 2)."""
    if not name.startswith("der("):
        return f"der({name})"
    inside = name[4:-1]
    variable, comma, order = inside.rpartition(", ")
    return f"der({variable}, {int(order) + 1})" if comma else f"der({inside}, 2)"


def _value(column: "Column", row: "Array", t: float) -> float:
    if column.position is not None:
        return column.sign * float(row[column.position])
    return column.sign * t if column.is_time else column.value


def _hermite(s: float, left: float, right: float, left_slope: float, right_slope: float) -> float:
    """The cubic with these values and slopes (per width) at s = 0 and 1."""
    rise = right - left
    curve = 3 * rise - 2 * left_slope - right_slope + s * (left_slope + right_slope - 2 * rise)
    return left + s * (left_slope + s * curve)
