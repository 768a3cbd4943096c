"""Values between the rows of a result."""

from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.columns import Column
    from acausal.results.result import Result


def interpolate(result: "Result", t: float) -> dict[str, float]:
    """All variables at t: cubic where the derivative is among them, else linear; UsageError F006 outside the run."""
    import numpy as np

    time = result.time
    if not len(time) or not time[0] <= t <= time[-1]:
        covered = f"it goes from {time[0]:g} to {time[-1]:g}" if len(time) else "it has no rows"
        raise UsageError(Diagnostic("F006", f"the result has nothing at t = {t:g}: {covered}"))
    right = int(np.searchsorted(time, t, side="right"))
    if time[right - 1] == t:
        row = result.stored[right - 1]
        return {name: _value(c, row, t) for name, c in result.columns.items()}
    rows = result.stored[right - 1], result.stored[right]
    width = float(time[right] - time[right - 1])
    share = (t - float(time[right - 1])) / width
    linear = rows[0] + share * (rows[1] - rows[0])
    values = {}
    for name, column in result.columns.items():
        values[name] = _value(column, linear, t)
        slope = result.columns.get(_derivative(name))
        if column.position is not None and slope is not None and not slope.is_time:
            ends = [(_value(column, row, t), width * _value(slope, row, t)) for row in rows]
            values[name] = _hermite(share, *ends)
    return values


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


def _hermite(s: float, left: tuple[float, float], right: tuple[float, float]) -> float:
    """The cubic with these values and slopes (per width) at s = 0 and 1."""
    rise = right[0] - left[0]
    return left[0] + s * (left[1] + s * (3 * rise - 2 * left[1] - right[1] + s * (left[1] + right[1] - 2 * rise)))
