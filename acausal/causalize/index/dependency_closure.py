"""State selection through derivatives given by hand (language page, section 6).

    r = f(q),  r = 0 derivative v = 0 derivative a = 0,  v = J*der(q),  a = J*der(q, 2) + ...
    the row of a = 0 is that of v = 0, led through v = J*der(q): the total derivative J

An equation that was replaced has variables that other equations, its closure, determine from variables whose
derivatives occur. The derivative by hand says nothing of der(q, 2) itself, hence it is judged by the total
derivative of the equation before it with respect to der(q).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from acausal.base.frozen import dataclass
from acausal.ir.dae import ReducedDae
from acausal.ir.expr import Expr
from acausal.ir.graph import Incidence
from acausal.structure.state_order import predecessors
from acausal.symbolic.differentiate import differentiate


@dataclass(frozen=True, slots=True)
class DependencyClosure:
    """Equations that determine the variables of equation `before`, whose derivative is given by hand.

    `steps` are pairs of an equation and its variable, each behind those it needs if the closure is
    `explicit`. `candidates` are the derivatives of the variables that the closure begins with, those left out with
    which a closure begins whose equation has more derivatives to come: positions, where `before` speaks of velocities.
    It `begins` with all of them, and with those of the equations before. Candidates `left_out` seem to have factors
    that are zero. Where it is of `own` factors, these are those of equation `before` with respect to the candidates
    themselves, not to the variables below them.
    """

    before: int
    steps: tuple[tuple[int, int], ...]
    candidates: tuple[int, ...]
    begins: tuple[int, ...]
    explicit: bool
    left_out: tuple[int, ...] = ()
    own: bool = False


def find_dependencies(reduced: ReducedDae, incidence: Incidence) -> dict[int, DependencyClosure]:
    """The closure of each derivative given by hand, by the number of this derivative."""
    found: dict[int, DependencyClosure] = {}
    begins: dict[int, dict[int, None]] = {}
    places: dict[int, dict[int, None]] = {}
    for before, after in enumerate(reduced.index.eq_derivative):
        to_come = len(reduced.equations[before].derivatives)
        if after is not None and to_come:
            closure = _closure(before, reduced, incidence)
            begins[after] = begins.get(before, {}) | dict.fromkeys(closure.candidates)
            found[after] = replace(closure, begins=tuple(begins[after]))
            places.setdefault(to_come, {}).update(dict.fromkeys(closure.candidates))
    for after, closure in found.items():
        to_come = len(reduced.equations[closure.before].derivatives)
        others = set().union(*[some for count, some in places.items() if count > to_come])
        found[after] = replace(closure, candidates=tuple([c for c in closure.candidates if c not in others]))
    below = predecessors(reduced.index.var_derivative)
    return {after: _without_zeros(closure, found.get(closure.before), below) for after, closure in found.items()}


def _without_zeros(
    closure: DependencyClosure, lower: DependencyClosure | None, below: Sequence[int | None]
) -> DependencyClosure:
    """The closure without second derivatives whose first derivatives the equation before does not have.

    The factors of the highest derivatives are the same on all levels, so that theirs are zero: as where velocities in
    axes that turn are turned back, which structure does not show. (Not so where elements of the derivative are
    combinations of those before, see `combined_derivatives`.)
    """
    if lower is None:
        return closure
    kept = [c for c in closure.candidates if (b := below[c]) is None or below[b] is None or b in lower.begins]
    left_out = tuple([c for c in closure.candidates if c not in kept])
    return replace(closure, candidates=tuple(kept), left_out=left_out) if kept else replace(closure, left_out=left_out)


def with_dependencies(incidence: Incidence, dependencies: Mapping[int, DependencyClosure]) -> Incidence:
    """The incidence in which derivatives given by hand hold the candidates of their closures."""
    if not dependencies:
        return incidence
    rows = [
        tuple(dict.fromkeys((*row, *dependencies[eq].candidates))) if eq in dependencies else row
        for eq, row in enumerate(incidence.vars_of_eq)
    ]
    return Incidence(tuple(rows), incidence.variable_count)


def through_closure(reduced: ReducedDae, closure: DependencyClosure, candidates: Sequence[int]) -> tuple[Expr, ...]:
    """The total derivative of the equation before, with respect to the variable below each candidate of the closure.

    (That of an equation of velocities with respect to a place says nothing of the place's derivative: zero.)
    """
    below = predecessors(reduced.index.var_derivative)
    known = frozenset(closure.candidates)
    factors: dict[int, Expr] = {}
    bases = [None if c not in known else c if closure.own else below[c] for c in candidates]
    return tuple([_total(reduced, closure, base, factors) for base in bases])


def _closure(before: int, reduced: ReducedDae, incidence: Incidence) -> DependencyClosure:
    """Depth first along the matching of the highest derivatives."""
    index = reduced.index
    steps: list[tuple[int, int]] = []
    candidates: dict[int, None] = {}
    done: set[int] = set()
    open_: set[int] = set()
    explicit = True
    stack = [(v, False) for v in reversed(incidence.vars_of_eq[before])]
    while stack:
        var, leaving = stack.pop()
        derivative, eq = index.var_derivative[var], index.matching.eq_of_var[var]
        if leaving:
            assert eq is not None
            open_.discard(var)
            done.add(var)
            steps.append((eq, var))
        elif derivative is not None:
            candidates[derivative] = None
        elif var in open_:
            explicit = False
        elif var not in done and eq is not None:
            open_.add(var)
            stack.append((var, True))
            stack += [(v, False) for v in reversed(incidence.vars_of_eq[eq]) if v != var]
    return DependencyClosure(before, tuple(steps), tuple(candidates), tuple(candidates), explicit)


def _total(reduced: ReducedDae, closure: DependencyClosure, base: int | None, factors: dict[int, Expr]) -> Expr:
    pool = reduced.dae.pool
    return pool.zero if base is None else _led(reduced, closure, {reduced.unknowns[base]: pool.one}, factors)


def along(reduced: ReducedDae, closure: DependencyClosure) -> tuple[Expr, list[Expr]]:
    """The derivative of the equation before with respect to time, and the rates of what its closure begins with."""
    pool, unknowns = reduced.dae.pool, reduced.unknowns
    below = predecessors(reduced.index.var_derivative)
    bases = [unknowns[b] for b in (below[c] for c in closure.begins) if b is not None]
    rates = [pool.derivative(x) for x in bases]
    return _led(reduced, closure, {pool.time: pool.one, **dict(zip(bases, rates, strict=True))}, {}), rates


def _led(reduced: ReducedDae, closure: DependencyClosure, slopes: dict[Expr, Expr], factors: dict[int, Expr]) -> Expr:
    """The derivative of the equation before, where these change with these slopes and the closure follows.

    `factors` keeps the derivatives of the closure's equations with respect to the variables that they determine.
    """
    pool, unknowns = reduced.dae.pool, reduced.unknowns
    in_time = pool.time in slopes
    for eq, var in closure.steps:
        equation = reduced.equations[eq]
        if not in_time and slopes.keys().isdisjoint(equation.variables):
            continue
        residual = pool.sub(equation.left, equation.right)
        change = differentiate(pool, residual, slopes, {})
        if change is not pool.zero:
            if eq not in factors:
                factors[eq] = differentiate(pool, residual, {unknowns[var]: pool.one}, {})
            slopes[unknowns[var]] = pool.neg(pool.div(change, factors[eq]))
    equation = reduced.equations[closure.before]
    return differentiate(pool, pool.sub(equation.left, equation.right), slopes, {})
