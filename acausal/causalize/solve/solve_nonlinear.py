"""Nonlinear blocks: tearing, residuals in the tearing variables, and their exact Jacobian.

Inner unknowns are computed from the tearing variables one after the other; the
Jacobian goes through them by the chain rule, so Newton iterates on the tearing
variables alone.
"""

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from acausal.causalize.blocks.tear import coefficient_class, tear_block
from acausal.causalize.solve.conditioning_cuts import TrialValue, find_cuts
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, Equation
from acausal.ir.plan import Assign, BlockSummary, SolveNonlinear, Step
from acausal.ir.pool import Pool
from acausal.ir.walk import variables_of
from acausal.structure.tearing import Tearing
from acausal.symbolic.differentiate import Memo, differentiate
from acausal.symbolic.isolate import isolate
from acausal.symbolic.linear import LinearForm, linear_form


def solve_nonlinear(
    pool: Pool,
    equations: Sequence[Equation],
    unknowns: tuple[Expr, ...],
    forms: Sequence[LinearForm | None],
    attributes: Mapping[Expr, Attributes],
    trial: TrialValue,
    moving: frozenset[Expr],
) -> tuple[list[Step], BlockSummary]:
    """Steps for a block of which at least one equation is not linear in its unknowns, and how it is torn.

    Tearing variables start Newton's method from their guesses: those with a start value are preferred, and those
    that have derivatives (`moving`), as the zero of a coordinate means something.
    """
    guessed = frozenset([x for x in unknowns if (a := attributes.get(x)) is not None and a.start is not None])
    tearing = _tear(pool, equations, unknowns, forms, (guessed | moving.intersection(unknowns), guessed))
    assigned = [(e, _assigned(pool, equations[e], unknowns[v])) for e, v in tearing.inner]
    first = [unknowns[v] for v in tearing.tearing_vars]
    cuts = _cuts(pool, [a for _, a in assigned], first, trial)
    kept = [(e, a) for e, a in assigned if a.target not in cuts]
    inner = tuple([a for _, a in kept])
    tears = (*first, *[a.target for _, a in assigned if a.target in cuts])
    residual_eqs = (*tearing.residual_eqs, *[e for e, a in assigned if a.target in cuts])
    left_over = [equations[e] for e in residual_eqs]
    residuals = tuple([pool.sub(e.left, e.right) for e in left_over])
    step = SolveNonlinear(
        tears,
        inner,
        residuals,
        _jacobian(pool, residuals, inner, tears),
        tuple([_guess(pool, t, attributes) for t in tears]),
        tuple([_nominal(t, attributes) for t in tears]),
        len(equations),
        tuple([e.origin for e in left_over]),
    )
    order = tuple([(e, a.target) for e, a in kept])
    return [step, *inner], BlockSummary("nonlinear", unknowns, tears, residual_eqs, order)


def _cuts(pool: Pool, assigned: Sequence[Assign], tears: Sequence[Expr], trial: TrialValue) -> frozenset[Expr]:
    """The inner unknowns that become tearing variables: long chains lead Newton's method astray.

    What is magnified a thousand times and then squared or raised to a power is soon beyond all numbers.
    """
    known = dict.fromkeys(tears)
    chain = []
    for assign in assigned:
        inside = [x for x in variables_of((assign.value,)) if x in known]
        chain.append((assign.target, {x: trial(differentiate(pool, assign.value, {x: pool.one}, {})) for x in inside}))
        known[assign.target] = None
    return find_cuts(tears, chain)


def _tear(
    pool: Pool,
    equations: Sequence[Equation],
    unknowns: Sequence[Expr],
    forms: Sequence[LinearForm | None],
    wanted: Sequence[frozenset[Expr]],
) -> Tearing:
    """A tearing; one with all that is wanted among its tearing variables, the first of these where it is no larger."""
    number_of = {x: i for i, x in enumerate(unknowns)}
    rows = []
    solvable: dict[tuple[int, int], int] = {}
    for e, (equation, form) in enumerate(zip(equations, forms, strict=True)):
        inside = [x for x in equation.variables if x in number_of]
        rows.append([number_of[x] for x in inside])
        for x in inside:
            coefficient = _coefficient(pool, equation, form, x)
            if coefficient is not None:
                solvable[e, number_of[x]] = coefficient_class(coefficient)
    found = tear_block(rows, solvable)
    for some in filter(None, wanted):
        kept = {(e, v): s for (e, v), s in solvable.items() if unknowns[v] not in some}
        other = tear_block(rows, kept)
        if len(other.tearing_vars) <= len(found.tearing_vars):
            return other
    return found


def _coefficient(pool: Pool, equation: Equation, form: LinearForm | None, unknown: Expr) -> Expr | None:
    """Coefficient of the unknown in the equation, if the equation is linear in it."""
    if form is None:
        form = linear_form(pool, pool.sub(equation.left, equation.right), (unknown,))
    return None if form is None else form.coefficients.get(unknown)


def _assigned(pool: Pool, equation: Equation, unknown: Expr) -> Assign:
    value = isolate(pool, equation.left, equation.right, unknown)
    assert value is not None, "tearing assigns only unknowns in which the equation is linear"
    return Assign(unknown, value, equation.origin)


def _jacobian(
    pool: Pool, residuals: Sequence[Expr], inner: Sequence[Assign], tears: Sequence[Expr]
) -> tuple[tuple[Expr, ...], ...]:
    """d residuals / d tears with inner unknowns as functions of the tears: forward accumulation.

    For each tear only through what depends on it: of many equations most do not.
    """
    users, of_residuals = _users([assign.value for assign in inner]), _users(residuals)
    columns = []
    for tear in tears:
        slope_of: dict[Expr, Expr] = {tear: pool.one}
        memo: Memo = {}
        queue = list(users.get(tear, ()))  # in ascending order: a heap
        seen, touched = set(queue), set(of_residuals.get(tear, ()))
        while queue:
            number = heappop(queue)
            target = inner[number].target
            slope_of[target] = differentiate(pool, inner[number].value, slope_of, memo)
            touched.update(of_residuals.get(target, ()))
            for user in users.get(target, ()):
                if user > number and user not in seen:
                    seen.add(user)
                    heappush(queue, user)
        column = [pool.zero] * len(residuals)
        for number in sorted(touched):
            column[number] = differentiate(pool, residuals[number], slope_of, memo)
        columns.append(column)
    return tuple(zip(*columns, strict=True))


def _users(values: Sequence[Expr]) -> dict[Expr, list[int]]:
    """The numbers of the expressions in which each variable stands."""
    found: dict[Expr, list[int]] = {}
    for number, value in enumerate(values):
        for leaf in variables_of((value,)):
            found.setdefault(leaf, []).append(number)
    return found


def _guess(pool: Pool, unknown: Expr, attributes: Mapping[Expr, Attributes]) -> Expr:
    given = attributes.get(unknown)
    return given.start if given is not None and given.start is not None else pool.zero


def _nominal(unknown: Expr, attributes: Mapping[Expr, Attributes]) -> float:
    given = attributes.get(unknown)
    nominal = given.nominal if given is not None else None
    return abs(nominal.number) if nominal is not None and nominal.op == "const" and nominal.number else 1.0
