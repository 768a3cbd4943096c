"""Inner unknowns of a torn block by as few steps as can be from its tearing variables.

    x1 = f(t1)   x2 = f(t2)   y1 = g(x1, x2)   y1 + y2 = 0   y2 = g(x2)     tearing variables t1, t2
        y2 from y1 + y2 = 0     residual y2 = g(x2): t1 and t2
        y2 from y2 = g(x2)      residual y1 + y2 = 0: t1 and t2, yet no third variable hangs on y1 through y2

Which order of assignment a heuristic has come upon decides how many tearing variables each residual equation has
in the end: a ring of equal stages is a band or a full triangle.
"""

from collections.abc import Mapping, Sequence

from acausal.ir.graph import Incidence
from acausal.structure.tearing import NOT_SOLVABLE, Tearing

FROM = 8
"""Of fewer tearing variables every residual equation may have all."""


def order_breadth_first(
    tearing: Tearing, incidence: Incidence, solvable: Mapping[tuple[int, int], int], least: int
) -> Tearing:
    """The tearing of a whole block with the same variables, assigned breadth first where that leaves fewer entries.

    `solvable` and `least` as in `tear`.
    """
    if len(tearing.tearing_vars) < FROM:
        return tearing
    inner = _breadth_first(tearing.tearing_vars, incidence, solvable, least)
    if len(inner) < len(tearing.inner):
        return tearing
    assigned = {e for e, _ in inner}
    residuals = tuple([e for e in range(incidence.equation_count) if e not in assigned])
    other = Tearing(tearing.tearing_vars, residuals, inner)
    return min((tearing, other), key=lambda t: entries(t, incidence))


def entries(tearing: Tearing, incidence: Incidence) -> int:
    """Number of tearing variables in all residual equations, inner unknowns replaced."""
    tears_of = {var: 1 << number for number, var in enumerate(tearing.tearing_vars)}

    def of(eq: int, without: int | None) -> int:
        found = 0
        for var in incidence.vars_of_eq[eq]:
            if var != without:
                found |= tears_of[var]
        return found

    for eq, var in tearing.inner:
        tears_of[var] = of(eq, var)
    return sum([of(eq, None).bit_count() for eq in tearing.residual_eqs])


def _breadth_first(
    tears: Sequence[int], incidence: Incidence, solvable: Mapping[tuple[int, int], int], least: int
) -> tuple[tuple[int, int], ...]:
    """Equations with the variables that they are solved for; those soonest known from the tearing variables first."""
    columns, rows = incidence.eqs_of_var(), incidence.vars_of_eq
    left = [len(row) for row in rows]
    reached = dict.fromkeys(tears)
    inner: list[tuple[int, int]] = []
    known = list(tears)

    def take(eq: int) -> None:
        var = next((v for v in rows[eq] if v not in reached), None)
        if var is not None and solvable.get((eq, var), NOT_SOLVABLE) >= least:
            inner.append((eq, var))
            reached[var] = None
            known.append(var)

    for eq, row in enumerate(rows):
        if len(row) == 1:
            take(eq)
    for var in known:
        for eq in columns[var]:
            left[eq] -= 1
            if left[eq] == 1:
                take(eq)
    return tuple(inner)
