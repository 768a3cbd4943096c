"""Solving: each block of a sorted system becomes steps that compute its unknowns.

one equation, formula known        Assign
one or more equations, linear      tearing, then Assign or SolveLinear
otherwise                          tearing, then SolveNonlinear
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

from acausal.base.frozen import dataclass
from acausal.causalize.solve.conditioning_cuts import TrialValue
from acausal.causalize.solve.solve_linear import solve_linear
from acausal.causalize.solve.solve_nonlinear import solve_nonlinear
from acausal.ir.dae import Redundancy, SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, Equation
from acausal.ir.graph import LeastNorm
from acausal.ir.plan import Assign, BlockSummary, Step
from acausal.ir.pool import Pool
from acausal.symbolic.isolate import isolate
from acausal.symbolic.linear import linear_form

_Block = tuple[list[Equation], list[Attributes | None]]


@dataclass(slots=True)
class Solved:
    """Blocks by their unknowns, with what their solution depends on: the first instant has most blocks of the run.

    `explicit` are those of one equation with a formula; others depend on their unknowns' attributes too.
    """

    explicit: dict[Expr, tuple[Equation, Assign, BlockSummary]] = field(default_factory=dict)
    others: dict[tuple[Expr, ...], tuple[_Block, tuple[list[Step], BlockSummary]]] = field(default_factory=dict)


def solve(
    system: SortedSystem,
    attributes: Mapping[Expr, Attributes],
    trial: TrialValue,
    moving: frozenset[Expr] = frozenset(),
    solved: Solved | None = None,
    redundancies: Sequence[Redundancy] = (),
) -> tuple[tuple[Step, ...], tuple[BlockSummary, ...]]:
    """The steps of all blocks in order, and how each block was solved.

    `attributes` (of variables of order 0) give guesses and nominal values, `trial` the
    value of a coefficient at a sample of the variables, `moving` are the variables that have derivatives.
    `solved` keeps the solutions from one system to the next with the same `trial`, `moving` and `redundancies`.
    """
    solved = Solved() if solved is None else solved
    pool, equations, unknowns = system.pool, system.equations, system.unknowns
    steps: list[Step] = []
    summaries: list[BlockSummary] = []
    for block in system.blocks:
        if len(block.eqs) == 1:
            equation, unknown = equations[block.eqs[0]], unknowns[block.vars[0]]
            known = solved.explicit.get(unknown)
            if known is not None and known[0] is equation:
                steps.append(known[1])
                summaries.append(known[2])
                continue
            value = isolate(pool, equation.left, equation.right, unknown)
            if value is not None:
                step, explicit = Assign(unknown, value, equation.origin), BlockSummary("explicit", (unknown,))
                solved.explicit[unknown] = equation, step, explicit
                steps.append(step)
                summaries.append(explicit)
                continue
        own = tuple([unknowns[v] for v in block.vars])
        given = [equations[e] for e in block.eqs], [attributes.get(x) for x in own]
        found = solved.others.get(own)
        if found is None or found[0] != given:
            solution = _solve_block(pool, given[0], own, attributes, trial, moving, redundancies)
            found = solved.others[own] = given, solution
        steps += found[1][0]
        summaries.append(found[1][1])
    return tuple(steps), tuple(summaries)


def _solve_block(
    pool: Pool,
    equations: list[Equation],
    unknowns: tuple[Expr, ...],
    attributes: Mapping[Expr, Attributes],
    trial: TrialValue,
    moving: frozenset[Expr],
    redundancies: Sequence[Redundancy],
) -> tuple[list[Step], BlockSummary]:
    """A block that no formula for one unknown solves."""
    own = frozenset(unknowns)
    forms = [linear_form(pool, pool.sub(e.left, e.right), own) for e in equations]
    linear = [f for f in forms if f is not None]
    if len(linear) == len(forms) and all(f.coefficients for f in linear):
        return solve_linear(pool, equations, unknowns, linear, trial, _norm(unknowns, redundancies))
    return solve_nonlinear(pool, equations, unknowns, forms, attributes, trial, moving)


def _norm(unknowns: tuple[Expr, ...], redundancies: Sequence[Redundancy]) -> LeastNorm | None:
    """Least-norm data of a block that may be singular in some mode; None for other blocks."""
    place = {x: k for k, x in enumerate(unknowns)}
    found = [r for r in redundancies if place.keys() >= set(r.reactions)]
    if not found:
        return None
    reactions = dict.fromkeys(place[x] for r in found for x in r.reactions)
    measured: dict[int, int] = {}
    for r in found:
        for x in r.measured:
            measured[place[x]] = max(measured.get(place[x], 0), r.measured.count(x))
    return LeastNorm(tuple(sorted(reactions)), tuple([k for k in sorted(measured) for _ in range(measured[k])]))
