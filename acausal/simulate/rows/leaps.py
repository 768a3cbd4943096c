"""States that change more between two rows than their derivatives allow: a solver has leapt over a pole.

der(p) = 1/(sqrt(2) - p)        p comes to sqrt(2) with an infinite derivative, and there the solution ends

Beside the pole the derivatives of the derivatives are so large that Newton's method takes any point for the solution.
A solver that keeps them goes on with the derivative it had last, whatever the equations say. So the divisor may have
one sign in all rows: what tells is that the mean rate between two rows is larger than all rates on the way.
"""

from typing import TYPE_CHECKING

from acausal.ir.program.program import Program

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.simulate.rows.between_rows import Between

LARGER = 10.0
"""Mean rate, as a multiple of the largest one on the way, which is a line and not the solution."""
FEW, MANY = 4, 1024
"""Parts of the way at whose ends the rates are evaluated; many where a short pulse could be between few."""
SIGNIFICANT = 1e-3
"""Change, as a share of the largest state."""


def leaping_rate(between: "Between") -> int | None:
    """The state that leaps most, of those whose derivatives depend on the divisor; None where none does."""
    import numpy as np

    leaps = np.flatnonzero(_leaps(between, FEW)).tolist()
    if leaps:
        dependent = rates_with(between.program, between.divisor.register)
        leaps = [k for k in leaps if k in dependent]
    if leaps:
        certain = _leaps(between, MANY)
        leaps = [k for k in leaps if certain[k]]
    return max(leaps, key=lambda k: abs(float(between.change[k])), default=None)


def _leaps(between: "Between", parts: int) -> "NDArray[np.bool_]":
    """True for states that change more than their rates on the way allow; for none where these have no values."""
    import numpy as np

    change = np.abs(between.change)
    most = np.zeros_like(change)
    for share in np.linspace(0.0, 1.0, parts + 1).tolist():
        rates = between.rates(share)
        if rates is None or not np.isfinite(rates).all():
            return np.zeros_like(change, dtype=bool)
        most = np.maximum(most, np.abs(rates))
    return (change > LARGER * between.width * most) & (change > SIGNIFICANT * between.size)


def rates_with(program: Program, register: int) -> set[int]:
    """The states whose derivatives depend on a register."""
    reached, found = {register}, set[int]()
    for number, (op, args, value) in enumerate(program.derivatives.code):
        if number in reached or not reached.isdisjoint(args):
            reached.add(number)
            if op == "store" and isinstance(value, int):
                found.add(value)
    return found
