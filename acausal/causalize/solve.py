"""Solving: each block of a sorted system becomes steps that compute its unknowns.

one equation, formula known        Assign
one or more equations, linear      tearing, then Assign or SolveLinear
otherwise                          tearing, then SolveNonlinear
"""

from collections.abc import Mapping

from acausal.causalize.chains import TrialValue
from acausal.causalize.solve_linear import solve_linear
from acausal.causalize.solve_nonlinear import solve_nonlinear
from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, Equation
from acausal.ir.graph import Block
from acausal.ir.plan import Assign, BlockSummary, Step
from acausal.symbolic.isolate import isolate
from acausal.symbolic.linear import linear_form

Solved = dict[Expr, tuple[Equation, Assign, BlockSummary]]
"""Unknowns that one equation gives by a formula, with this equation."""


def solve(
    system: SortedSystem,
    attributes: Mapping[Expr, Attributes],
    trial: TrialValue,
    moving: frozenset[Expr] = frozenset(),
    solved: Solved | None = None,
) -> tuple[tuple[Step, ...], tuple[BlockSummary, ...]]:
    """The steps of all blocks in order, and how each block was solved.

    `attributes` (of variables of order 0) give guesses and nominal values, `trial` the
    value of a coefficient at a sample of the variables, `moving` are the variables that have derivatives.
    What one equation gives is kept in `solved`: the first instant has most of it as the run has it.
    """
    solved = {} if solved is None else solved
    pool, equations, unknowns = system.pool, system.equations, system.unknowns
    steps: list[Step] = []
    summaries: list[BlockSummary] = []
    for block in system.blocks:
        if len(block.eqs) == 1:
            equation, unknown = equations[block.eqs[0]], unknowns[block.vars[0]]
            known = solved.get(unknown)
            if known is not None and known[0] is equation:
                steps.append(known[1])
                summaries.append(known[2])
                continue
            value = isolate(pool, equation.left, equation.right, unknown)
            if value is not None:
                step, explicit = Assign(unknown, value, equation.origin), BlockSummary("explicit", (unknown,))
                solved[unknown] = equation, step, explicit
                steps.append(step)
                summaries.append(explicit)
                continue
        more, summary = _solve_block(system, block, attributes, trial, moving)
        steps += more
        summaries.append(summary)
    return tuple(steps), tuple(summaries)


def _solve_block(
    system: SortedSystem,
    block: Block,
    attributes: Mapping[Expr, Attributes],
    trial: TrialValue,
    moving: frozenset[Expr],
) -> tuple[list[Step], BlockSummary]:
    """A block that no formula for one unknown solves."""
    pool = system.pool
    equations = [system.equations[e] for e in block.eqs]
    unknowns = tuple([system.unknowns[v] for v in block.vars])
    own = frozenset(unknowns)
    forms = [linear_form(pool, pool.sub(e.left, e.right), own) for e in equations]
    linear = [f for f in forms if f is not None]
    if len(linear) == len(forms) and all(f.coefficients for f in linear):
        return solve_linear(pool, equations, unknowns, linear, trial)
    return solve_nonlinear(pool, equations, unknowns, forms, attributes, trial, moving)
