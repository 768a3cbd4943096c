"""Linear blocks: tearing, elimination of the torn part, and the small system that is left.

    R1*i1 + v = u      tearing variable v:  i1 = (u - v)/R1, i2 = v/R2, residual i1 = i2
    R2*i2 = v     ->   (1/R1 + 1/R2)*v = u/R1
    i1 = i2

Systems of up to three unknowns are solved by formula, larger ones by LAPACK in
the generated code.
"""

from collections.abc import Sequence

from acausal.base.frozen import dataclass
from acausal.causalize.blocks.tear import coefficient_class, tear_linear_block
from acausal.causalize.solve.branch_sign import is_negative
from acausal.causalize.solve.conditioning_cuts import TrialValue, find_cuts
from acausal.causalize.solve.robust_tearing import adds_spread_terms, is_fragile
from acausal.causalize.solve.sparse_elimination import eliminate, eliminate_constant, nothing_eliminated
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import LeastNorm
from acausal.ir.plan import Assign, BlockSummary, SolveLinear, Step
from acausal.ir.pool import Pool
from acausal.structure.tearing import Tearing
from acausal.symbolic.cancel import cancelled
from acausal.symbolic.isolate import divide_negated
from acausal.symbolic.linear import LinearForm
from acausal.symbolic.term_signs import TermSigns

BY_FORMULA = 3
"""Largest system that is solved by Cramer's rule."""
WHOLE = 200
"""Largest one that is solved without tearing where tearing loses digits."""


@dataclass(frozen=True, slots=True)
class _Torn:
    """A torn block: inner unknowns by their forms in unknowns before them, tearing variables, residual equations."""

    inner: dict[Expr, LinearForm]
    equation_of: dict[Expr, int]
    tears: tuple[Expr, ...]
    residuals: tuple[int, ...]


def solve_linear(
    pool: Pool,
    equations: Sequence[Equation],
    unknowns: tuple[Expr, ...],
    forms: Sequence[LinearForm],
    trial: TrialValue,
    norm: LeastNorm | None = None,
) -> tuple[list[Step], BlockSummary]:
    """Steps for a block whose equations are the linear `forms` = 0 in its unknowns, and how it is torn.

    A block with a `norm` may be singular, and is solved whole (`runtime/blocks/least_norm`). `trial` gives a
    coefficient's value, at a sample of the variables where it varies.
    """
    if norm is not None:
        return _whole(pool, equations, unknowns, _with_positive_diagonal(pool, unknowns, forms), norm)
    eliminated = eliminate(pool, unknowns, forms, trial)
    left = eliminated or nothing_eliminated(unknowns, forms)
    torn = _cut_chains(pool, left.unknowns, left.forms, _tear(left.unknowns, left.forms), trial)
    sparse = None if eliminated else eliminate_constant(pool, unknowns, forms, trial, len(torn.tears))
    if sparse is not None:
        eliminated = left = sparse
        torn = _cut_chains(pool, left.unknowns, left.forms, _tear(left.unknowns, left.forms), trial)
    if eliminated is None and _loses_digits(torn, forms, trial):
        return _whole(pool, equations, unknowns, forms, None)
    own = [equations[e] for e in left.rows]
    steps = _tear_steps(pool, own, left.forms, torn)
    inner = [(left.rows[torn.equation_of[x]], x, form) for x, form in torn.inner.items()]
    inner += [(e, x, form) for x, form, e in reversed(left.inner)]
    steps += [Assign(x, _value(pool, form), equations[e].origin) for e, x, form in inner]
    residuals = tuple([left.rows[e] for e in torn.residuals])
    return steps, BlockSummary("linear", unknowns, torn.tears, residuals, tuple([(e, x) for e, x, _ in inner]))


def _whole(
    pool: Pool,
    equations: Sequence[Equation],
    unknowns: tuple[Expr, ...],
    forms: Sequence[LinearForm],
    norm: LeastNorm | None,
) -> tuple[list[Step], BlockSummary]:
    """One step for all unknowns, refined unless it has a norm."""
    matrix = tuple([tuple([form.coefficients.get(x, pool.zero) for x in unknowns]) for form in forms])
    right = tuple([pool.neg(form.rest) for form in forms])
    origins = tuple([e.origin for e in equations])
    step = SolveLinear(unknowns, matrix, right, len(equations), origins, norm, refined=norm is None)
    return [step], BlockSummary("linear", unknowns, unknowns, tuple(range(len(equations))), ())


def _with_positive_diagonal(pool: Pool, unknowns: Sequence[Expr], forms: Sequence[LinearForm]) -> Sequence[LinearForm]:
    """Lower triangular forms with signs such that what divides is not negative; others as they are.

    Where it is zero in some mode, the sign of an infinite solution is that of what is divided.
    """
    order = {x: k for k, x in enumerate(unknowns)}
    if any(order[y] > k for k, form in enumerate(forms) for y in form.coefficients):
        return forms
    changed = []
    for x, form in zip(unknowns, forms, strict=True):
        if is_negative(form.coefficients[x]):
            form = LinearForm({y: pool.neg(c) for y, c in form.coefficients.items()}, pool.neg(form.rest))
        changed.append(form)
    return changed


def _loses_digits(torn: _Torn, forms: Sequence[LinearForm], trial: TrialValue) -> bool:
    """True if rounding spoils what tearing leaves, or what follows; where no coefficient varies that is not judged."""
    if not torn.tears or len(forms) > WHOLE:
        return False
    varying = any(c.varies for form in forms for c in form.coefficients.values())
    if varying and not len(torn.tears) > BY_FORMULA:
        return False
    chain = [(x, {y: trial(c) for y, c in form.coefficients.items()}) for x, form in torn.inner.items()]
    rows = [{x: trial(c) for x, c in forms[e].coefficients.items()} for e in torn.residuals]
    if not varying:
        return adds_spread_terms(chain, rows)
    return is_fragile(torn.tears, chain, rows)


def _tear(unknowns: Sequence[Expr], forms: Sequence[LinearForm]) -> Tearing:
    number_of = {x: i for i, x in enumerate(unknowns)}
    rows = [[number_of[x] for x in form.coefficients] for form in forms]
    solvable = {
        (e, number_of[x]): coefficient_class(c) for e, form in enumerate(forms) for x, c in form.coefficients.items()
    }
    return tear_linear_block(rows, solvable)


def _cut_chains(
    pool: Pool, unknowns: Sequence[Expr], forms: Sequence[LinearForm], tearing: Tearing, trial: TrialValue
) -> _Torn:
    """The torn block; unknowns whose chains magnify too much become tearing variables."""
    first = [unknowns[v] for v in tearing.tearing_vars]
    explicit = {unknowns[v]: _eliminated(pool, forms[e], unknowns[v]) for e, v in tearing.inner}
    chain = [(x, {y: trial(c) for y, c in form.coefficients.items()}) for x, form in explicit.items()]
    cuts = find_cuts(first, chain)
    equation_of = {unknowns[v]: e for e, v in tearing.inner}
    cut = [x for x in explicit if x in cuts]
    return _Torn(
        {x: form for x, form in explicit.items() if x not in cuts},
        equation_of,
        (*first, *cut),
        (*tearing.residual_eqs, *[equation_of[x] for x in cut]),
    )


def _eliminated(pool: Pool, form: LinearForm, unknown: Expr) -> LinearForm:
    """The form of the unknown itself: x = sum of coefficients * others + rest."""
    slope = form.coefficients[unknown]
    others = {x: divide_negated(pool, c, slope) for x, c in form.coefficients.items() if x is not unknown}
    return LinearForm(others, divide_negated(pool, form.rest, slope))


def _value(pool: Pool, form: LinearForm) -> Expr:
    return pool.add(*[pool.mul(c, x) for x, c in form.coefficients.items()], form.rest)


def _tear_steps(pool: Pool, equations: Sequence[Equation], forms: Sequence[LinearForm], torn: _Torn) -> list[Step]:
    """Steps that compute the tearing variables from the residual equations."""
    if not torn.tears:
        return []
    explicit: dict[Expr, LinearForm] = {}
    signs: TermSigns = {}
    for x, form in torn.inner.items():
        explicit[x] = _in_tears(pool, form, explicit, signs)
    residuals = [_in_tears(pool, forms[e], explicit, signs) for e in torn.residuals]
    matrix = tuple([tuple([r.coefficients.get(t, pool.zero) for t in torn.tears]) for r in residuals])
    right = tuple([pool.neg(r.rest) for r in residuals])
    origins = tuple([equations[e].origin for e in torn.residuals])
    if len(torn.tears) <= BY_FORMULA:
        solution = _cramer(pool, matrix, right)
        return [Assign(t, s, o) for t, s, o in zip(torn.tears, solution, origins, strict=True)]
    return [SolveLinear(torn.tears, matrix, right, len(equations), origins)]


def _in_tears(pool: Pool, form: LinearForm, explicit: dict[Expr, LinearForm], signs: TermSigns) -> LinearForm:
    """The form with inner unknowns replaced by their forms in the tearing variables."""
    terms: dict[Expr, list[Expr]] = {}
    rest = [form.rest]
    for x, c in form.coefficients.items():
        known = explicit.get(x)
        if known is None:
            terms.setdefault(x, []).append(c)
            continue
        rest.append(pool.mul(c, known.rest))
        for tear, slope in known.coefficients.items():
            terms.setdefault(tear, []).append(pool.mul(c, slope))
    return LinearForm({x: cancelled(pool, cs, signs) for x, cs in terms.items()}, cancelled(pool, rest, signs))


def _cramer(pool: Pool, a: tuple[tuple[Expr, ...], ...], b: tuple[Expr, ...]) -> list[Expr]:
    """The solution of a system of at most three equations."""
    if len(b) == 1:
        return [pool.div(b[0], a[0][0])]
    scale = pool.pow(_determinant(pool, a), pool.const(-1))
    solution = []
    for column in range(len(b)):
        replaced = tuple([(*row[:column], r, *row[column + 1 :]) for row, r in zip(a, b, strict=True)])
        solution.append(pool.mul(_determinant(pool, replaced), scale))
    return solution


def _determinant(pool: Pool, a: tuple[tuple[Expr, ...], ...]) -> Expr:
    if len(a) == 2:
        return cancelled(pool, [pool.mul(a[0][0], a[1][1]), pool.neg(pool.mul(a[0][1], a[1][0]))])
    minors = [tuple([(*row[:c], *row[c + 1 :]) for row in a[1:]]) for c in range(3)]
    terms = [pool.mul(a[0][c], _determinant(pool, minors[c])) for c in range(3)]
    return cancelled(pool, [terms[0], pool.neg(terms[1]), terms[2]])
