"""Tearing variables that the others determine are taken back, whatever made a heuristic choose them before.

    0: a x
    1: a b      tearing variables a, x       (0: x) from a, hence a alone:  (0: x), (1: b), residual 2
    2: b x

What is left of a block has then, for the loops of a mechanism, the size of their cut forces.
"""

from collections.abc import Mapping, Sequence

from acausal.ir.graph import Incidence
from acausal.structure.tearing import NOT_SOLVABLE, Tearing

TRIALS, WORK = 32, 100_000
"""So many tearing variables are tried, and so many unknowns gone through besides: in large blocks the work is
proportional to their size, in small ones every tearing variable is tried."""


def reduce_tears(
    tearing: Tearing, incidence: Incidence, solvable: Mapping[tuple[int, int], int], least: int
) -> Tearing:
    """The tearing of a whole block with less variables, the first chosen being tried first.

    `solvable` and `least` as in `tear`: equations are solved for variables of class `least` or above only.
    """
    columns = incidence.eqs_of_var()
    trials = TRIALS + WORK // max(incidence.variable_count, 1)
    for var in tearing.tearing_vars[:trials]:
        others = [v for v in tearing.tearing_vars if v != var]
        inner = _assigned(others, incidence.vars_of_eq, columns, solvable, least)
        if len(others) + len(inner) == incidence.variable_count:
            residuals = tuple([e for e in range(incidence.equation_count) if e not in inner])
            tearing = Tearing(tuple(others), residuals, tuple(inner.items()))
    return tearing


def _assigned(
    known: Sequence[int],
    rows: Sequence[Sequence[int]],
    columns: Sequence[Sequence[int]],
    solvable: Mapping[tuple[int, int], int],
    least: int,
) -> dict[int, int]:
    """Equations with the variables that they are solved for, in order, as far as one after the other can be."""
    left = [len(row) for row in rows]
    reached = dict.fromkeys(known)
    ready = list(known)
    inner: dict[int, int] = {}
    todo = [e for e, row in enumerate(rows) if len(row) == 1]
    while ready or todo:
        if ready:
            for e in columns[ready.pop()]:
                left[e] -= 1
                if left[e] == 1:
                    todo.append(e)
            continue
        e = todo.pop()
        var = next((v for v in rows[e] if v not in reached), None)
        if var is not None and solvable.get((e, var), NOT_SOLVABLE) >= least:
            inner[e] = var
            reached[var] = None
            ready.append(var)
    return inner
