"""Routines of a program around which branches are tracked; `codegen/llvm_tracking` is the same as machine code."""

from collections.abc import Callable

from acausal.runtime.branch import (
    back_to_last,
    begin_run,
    begin_slope,
    end_events,
    end_slope,
    predict,
    slope_again,
)
from acausal.runtime.language import Reals

Routine = Callable[[float, object, object, object, Reals, object], int]
"""f(t, y, u, p, m, out)."""
PREDICTED = ("events", "crossings", "choices", "delayed")


def tracked(base: int, n: int, name: str, routine: Routine) -> Routine:
    """The routine of this name where m has `base` start values, of which the derivatives solve the first n."""
    if not n or (name not in PREDICTED and name not in ("initial", "derivatives")):
        return routine

    def around(t: float, y: object, u: object, p: object, m: Reals, out: object) -> int:
        if name == "initial":
            begin_run(m, base, n)
        else:
            predict(m, base, n, t)
        status = routine(t, y, u, p, m, out)
        if status and name != "initial":
            back_to_last(m, base, n)
            status = routine(t, y, u, p, m, out)
        if name == "events":
            end_events(m, base, n)
        return status

    def slope(t: float, y: object, u: object, p: object, m: Reals, out: object) -> int:
        begin_slope(m, base, n, t)
        status = routine(t, y, u, p, m, out)
        if status and slope_again(m, base, n):
            status = routine(t, y, u, p, m, out)
        if not status:
            end_slope(m, base, n, t)
        return status

    return slope if name == "derivatives" else around
