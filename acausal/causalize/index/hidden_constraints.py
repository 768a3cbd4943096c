"""Hidden constraints: of equations that depend on each other, one is replaced by their combination.

    y + z = x,  2*y + 2*z = x + sin(time)             ->     y + z = x,  x - sin(time) = 0
    der(x) + t*der(y) = f,  x + t*y = g               ->     f - der(g) = -y,  x + t*y = g

Structure saw two equations for y and z; now it sees a constraint, and differentiates it. The combination is the
linear combination method of G. Tan, N. S. Nedialkov, J. D. Pryce, Conversion methods for improving structural analysis
of differential-algebraic equation systems, BIT 57 (2017) 845-865, section 3: with factors u in the left null space of
the Jacobian, the sum of u[i] times the equation i, differentiated c[i] - min(c) times, has none of the highest
derivatives, provided that u has none of them either. Where it has, `augment` has another way.

    der(Q[k]) = rate_k(Q, w),  g(Q) = 0    ->    der(Q[k]) + u[k]*y = rate_k(Q, w),  g(Q) = 0,  sum of u[k]*rate_k = 0

Only an equation that is differentiated least can be replaced, as der(Q[k]) above: g must then determine Q[k], which it
does not do everywhere. Where a division by what may be zero tells so, all equations stay, and a new unknown y relaxes
those differentiated least along u: it is zero, as the combination shows (C. W. Gear, B. Leimkuhler, G. K. Gupta,
Automatic integration of Euler-Lagrange equations with constraints, J. Comput. Appl. Math. 12-13 (1985) 77-90).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum

from acausal.base.frozen import dataclass
from acausal.causalize.index.numeric_rank import Dependence
from acausal.causalize.index.row_combination import Matrix, row_combination
from acausal.ir.dae import Dae, ReducedDae, SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, Equation, Variable, numbers_of
from acausal.ir.origin import How, Origin
from acausal.ir.pool import Pool
from acausal.ir.walk import variables_of
from acausal.symbolic.differentiate import differentiate
from acausal.symbolic.linear import linear_form
from acausal.symbolic.slopes import NoSlopeError, Point
from acausal.symbolic.substitute import substitute

MOST = 1000
"""Factors are whole numbers up to this, where they are numbers."""
MOST_EQUATIONS = 60
"""More equations are not combined with factors that are expressions."""
MOST_TRIED = 4
"""Equations that may be replaced are tried up to this number, to find factors without doubtful divisions."""
ROUNDING = 1e-9
"""Sums that cancel to this share of their terms are zero."""
SEEDS = ((3, 1.0), (4, 0.3), (5, 0.05))
"""Seeds and sizes of the points where a combination is verified."""


class Verdict(Enum):
    """Verdict on dependent equations that hide no constraint."""

    REPEAT = "repeat"
    CONTRADICT = "contradict"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Equations that depend on each other, before the differentiations that they have in common.

    `equations` are numbers of the reduced system, `targets` the unknowns that they are to determine there; `known`
    are values of parameters where the equations depend on each other with these only.
    """

    equations: tuple[int, ...]
    residuals: tuple[Expr, ...]
    targets: tuple[Expr, ...]
    factors: tuple[float, ...]
    replaceable: tuple[int, ...]
    known: Mapping[Expr, float]


def candidate_of(reduced: ReducedDae, run: SortedSystem, found: Dependence) -> Candidate:
    """The dependent equations, each differentiated as often as it is more than the least of them."""
    pool, index = reduced.dae.pool, reduced.index
    sources = [index.eq_source[e] for e in found.equations]
    least = min(count for _, count in sources)
    known = {} if found.always else numbers_of(p for p in reduced.dae.parameters if not p.tunable)
    fixed = {p: pool.const(v) for p, v in known.items()}
    numbers = [index.eq_chain(base)[count - least] for base, count in sources]
    chosen = [reduced.equations[n] for n in numbers]
    residuals = [substitute(pool, pool.sub(e.left, e.right), fixed) for e in chosen]
    targets = [x for x in (run.unknowns[v] for v in found.block.vars) if x.order >= least]
    return Candidate(
        tuple(numbers),
        tuple(residuals),
        tuple([pool.variable(x.name, x.order - least) for x in targets]),
        tuple(found.equations.values()),
        tuple([k for k, (_, count) in enumerate(sources) if count == least]),
        known,
    )


def combine(reduced: ReducedDae, candidate: Candidate) -> Dae | Verdict:
    """The system with the combination of the equations, in place of one of them or besides; a verdict where none is."""
    points = [Point(reduced.dae.pool, seed, size, candidate.known) for seed, size in SEEDS]
    for last, factors in _combinations(reduced.dae.pool, candidate, points[0]):
        terms = [reduced.dae.pool.mul(f, r) for f, r in zip(factors, candidate.residuals, strict=True)]
        try:
            total = _without_cancelled(reduced.dae.pool, terms, points)
        except NoSlopeError:
            continue
        inside = variables_of([total])
        if not inside:
            return _verdict(reduced.dae, total, terms)
        if not set(candidate.targets).intersection(inside):
            if last in candidate.replaceable:
                return _replaced(reduced, candidate, last, total)
            if not set(candidate.targets).intersection(variables_of(factors)):
                return _relaxed(reduced, candidate, last, factors, total)
    return Verdict.UNKNOWN


def _combinations(pool: Pool, candidate: Candidate, point: Point) -> Iterable[tuple[int, Sequence[Expr]]]:
    """Factors, and an equation with a factor that cannot vanish: first numbers, then those with few doubtful divisions.

    The equations that cannot be replaced are tried where all others have doubtful ones.
    """
    numbers = _whole_numbers(candidate.factors) if candidate.factors else None
    if numbers is not None:
        last = max(candidate.replaceable, key=lambda k: candidate.equations[k])
        yield last, [pool.const(f) for f in numbers]
    if len(candidate.equations) > MOST_EQUATIONS:
        return
    matrix = jacobian(pool, candidate.residuals, candidate.targets)
    others = [k for k in range(len(candidate.equations)) if k not in candidate.replaceable]
    found: list[tuple[int, int, Sequence[Expr]]] = []
    for rows in (candidate.replaceable, others):
        if found and not min(doubtful for doubtful, _, _ in found):
            break
        for last in rows[: -MOST_TRIED - 1 : -1]:
            combination = row_combination(pool, matrix, last, point)
            if combination is not None:
                found.append((combination.doubtful, last, combination.factors))
    for _, last, factors in sorted(found, key=lambda f: f[0]):
        yield last, factors


def jacobian(pool: Pool, residuals: Sequence[Expr], targets: Sequence[Expr]) -> Matrix:
    """The derivatives that are not zero, a row for each residual."""
    memos: dict[Expr, dict[Expr, Expr]] = {x: {} for x in targets}
    rows = []
    for residual in residuals:
        inside = [x for x in variables_of([residual]) if x in memos]
        row = {x: differentiate(pool, residual, {x: pool.one}, memos[x]) for x in inside}
        rows.append({x: entry for x, entry in row.items() if entry is not pool.zero})
    return rows


def _whole_numbers(factors: tuple[float, ...]) -> tuple[float, ...] | None:
    """The factors as small whole numbers, if they are in such proportion."""
    smallest = min(map(abs, factors))
    scaled = [f / smallest for f in factors]
    rounded = [float(round(f)) for f in scaled]
    exact = all(abs(f - r) < 1e-9 * abs(r) and abs(r) <= MOST for f, r in zip(scaled, rounded, strict=True))
    return tuple(rounded) if exact else None


def _without_cancelled(pool: Pool, terms: Sequence[Expr], points: Sequence[Point]) -> Expr:
    """The sum of the terms without the variables that it does not depend on, coefficients collected if it is linear."""
    total = pool.add(*terms)
    cancelled = _cancelled(terms, total, points)
    form = linear_form(pool, total, cancelled)
    total = substitute(pool, total, dict.fromkeys(cancelled, pool.zero)) if form is None else form.rest
    form = linear_form(pool, total, set(variables_of([total])))
    if form is None:
        return total
    return pool.add(*[pool.mul(c, x) for x, c in form.coefficients.items()], form.rest)


def _cancelled(terms: Sequence[Expr], total: Expr, points: Sequence[Point]) -> set[Expr]:
    """The variables whose derivatives are zero at all points, beside those of the terms."""
    cancelled = set(variables_of([total]))
    for point in points:
        slope, sizes = point.slope(total, cancelled), dict.fromkeys(cancelled, 0.0)
        for term in terms:
            for x, s in point.slope(term, cancelled).items():
                sizes[x] += abs(s)
        cancelled = {x for x in cancelled if abs(slope.get(x, 0.0)) <= ROUNDING * sizes[x]}
    return cancelled


def _verdict(dae: Dae, total: Expr, terms: Sequence[Expr]) -> Verdict:
    """Verdict on equations whose unknowns have all cancelled: nothing is left, or a term that cannot be zero."""
    known = numbers_of(dae.parameters)
    for seed, size in SEEDS:
        point = Point(dae.pool, seed, size, known)
        if abs(point.value(total)) > ROUNDING * sum(abs(point.value(t)) for t in terms):
            return Verdict.CONTRADICT
    return Verdict.REPEAT


def _replaced(reduced: ReducedDae, candidate: Candidate, replaced: int, total: Expr) -> Dae:
    """The system with the combination in place of one equation; parameters whose values it relies on are folded."""
    dae, sources = reduced.dae, reduced.index.eq_source
    bases = [sources[n][0] for n in candidate.equations]
    changed = list(dae.equations)
    own = dae.equations[bases[replaced]]
    others = [dae.equations[b].origin for k, b in enumerate(bases) if k != replaced]
    changed[bases[replaced]] = replace(
        own, left=total, right=dae.pool.zero, origin=combined(own.origin, others), derivatives=()
    )
    return replace(dae, equations=tuple(changed), folded=(*dae.folded, *folded_by(reduced, candidate)))


def _relaxed(reduced: ReducedDae, candidate: Candidate, last: int, factors: Sequence[Expr], total: Expr) -> Dae:
    """The system with the combination as a further equation; a new unknown relaxes those that are differentiated least.

    Multiplied by their factors they add up to the combination, less the new unknown times the squares of the factors.
    """
    dae, sources = reduced.dae, reduced.index.eq_source
    bases = [sources[n][0] for n in candidate.equations]
    origins = [dae.equations[b].origin for b in bases]
    origin = combined(origins[last], [o for k, o in enumerate(origins) if k != last])
    relaxing = dae.pool.variable((*origin.path, f"relaxing${len(dae.variables)}"))
    changed = list(dae.equations)
    for k in candidate.replaceable:
        own = dae.equations[bases[k]]
        left = dae.pool.add(own.left, dae.pool.mul(factors[k], relaxing))
        changed[bases[k]] = replace(own, left=left, derivatives=())
    return replace(
        dae,
        equations=(*changed, Equation(total, dae.pool.zero, origin)),
        variables=(*dae.variables, Variable(relaxing, "local", "real", origin, Attributes())),
        folded=(*dae.folded, *folded_by(reduced, candidate)),
    )


def folded_by(reduced: ReducedDae, candidate: Candidate) -> list[Expr]:
    """The parameters whose values have gone into the candidate and are not folded yet."""
    if not candidate.known:
        return []
    from acausal.ir.walk import postorder

    chosen = [reduced.equations[n] for n in candidate.equations]
    nodes = postorder([side for e in chosen for side in (e.left, e.right)])
    already = set(reduced.dae.folded)
    return [n for n in nodes if n.op == "parameter" and n in candidate.known and n not in already]


def combined(own: Origin, others: Sequence[Origin]) -> Origin:
    """The origin of a combination that replaces an equation."""
    return replace(own, how=How.COMBINED, of=(own, *others))
