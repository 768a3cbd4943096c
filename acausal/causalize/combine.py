"""Hidden constraints: of linear equations that depend on each other, one becomes what they say together.

    y + z = x,  2*y + 2*z = x + sin(time)     ->     y + z = x,  0 = x - sin(time)

Structure saw two equations for y and z; now it sees a constraint, and differentiates it. (Cellier, Kofman,
Continuous System Simulation, 2006, section 7.8: singularities hidden from structure.)
"""

from dataclasses import replace

from acausal.causalize.rank import Dependence
from acausal.ir.dae import Dae, ReducedDae
from acausal.ir.expr import Expr, Pool
from acausal.ir.flat import Equation
from acausal.ir.origin import How
from acausal.ir.walk import variables_of
from acausal.symbolic.linear import linear_form

MOST = 1000
"""Factors are whole numbers up to this."""
ROUNDING = 1e-13


def combine(reduced: ReducedDae, found: Dependence) -> Dae | None:
    """The system with one of the equations replaced by their combination; None where this says nothing new."""
    dae = reduced.dae
    sources = reduced.index.eq_source
    numbers = [sources[e][0] for e in found.equations]
    equally_often = len({sources[e][1] for e in found.equations}) == 1
    factors = _whole_numbers(tuple(found.equations.values()))
    if not equally_often or factors is None or not found.always:
        return None
    equations = [dae.equations[e] for e in numbers]
    total = _combination(dae.pool, equations, factors)
    if total is None or not any(True for _ in variables_of([total])):
        return None
    last = max(range(len(numbers)), key=numbers.__getitem__)
    changed = list(dae.equations)
    others = [e.origin for k, e in enumerate(equations) if k != last]
    origin = replace(equations[last].origin, how=How.COMBINED, of=(equations[last].origin, *others))
    changed[numbers[last]] = replace(equations[last], left=total, right=dae.pool.zero, origin=origin, derivatives=())
    return replace(dae, equations=tuple(changed))


def _whole_numbers(factors: tuple[float, ...]) -> tuple[float, ...] | None:
    """The factors as small whole numbers, if they are in such proportion."""
    smallest = min(map(abs, factors))
    scaled = [f / smallest for f in factors]
    rounded = [float(round(f)) for f in scaled]
    exact = all(abs(f - r) < 1e-9 * abs(r) and abs(r) <= MOST for f, r in zip(scaled, rounded, strict=True))
    return tuple(rounded) if exact else None


def _combination(pool: Pool, equations: list[Equation], factors: tuple[float, ...]) -> Expr | None:
    """The sum of the equations times their factors, without what cancels; None if they are not linear."""
    terms: dict[Expr, list[Expr]] = {}
    rest: list[Expr] = []
    for equation, factor in zip(equations, factors, strict=True):
        residual = pool.sub(equation.left, equation.right)
        form = linear_form(pool, residual, set(variables_of([residual])))
        if form is None:
            return None
        rest.append(pool.mul(pool.const(factor), form.rest))
        for x, c in form.coefficients.items():
            terms.setdefault(x, []).append(pool.mul(pool.const(factor), c))
    sums = [(_total(pool, cs), x) for x, cs in terms.items()]
    return pool.add(*[pool.mul(c, x) for c, x in sums], *rest)


def _total(pool: Pool, coefficients: list[Expr]) -> Expr:
    """The sum, 0 where only rounding errors are left."""
    total = pool.add(*coefficients)
    if total.op == "const" and all(c.op == "const" for c in coefficients):
        largest = max(abs(c.number) for c in coefficients)
        return pool.zero if abs(total.number) < ROUNDING * largest else total
    return total
