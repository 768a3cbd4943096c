"""State selection through derivatives given by hand (language page, section 6).

    r = f(q),  r = 0 derivative v = 0 derivative a = 0,  v = J*der(q),  a = J*der(q, 2) + ...
    the row of a = 0 is that of v = 0, led through v = J*der(q): the total derivative J

An equation that was replaced has variables that other equations, its cone, determine from variables whose
derivatives occur. The derivative by hand says nothing of der(q, 2) itself, hence it is judged by the total
derivative of the equation before it with respect to der(q).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from acausal.ir.dae import ReducedDae
from acausal.ir.expr import Expr
from acausal.ir.graph import Incidence
from acausal.structure.dummy import predecessors
from acausal.symbolic.differentiate import differentiate


@dataclass(frozen=True, slots=True)
class Cone:
    """Equations that determine the variables of equation `before`, whose derivative is given by hand.

    `steps` are pairs of an equation and its variable, each behind those it needs if the cone is
    `explicit`. `candidates` are the derivatives of the variables that the cone begins with, those left out with
    which a cone begins whose equation has more derivatives to come: positions, where `before` speaks of velocities.
    It `begins` with all of them, and with those of the equations before.
    """

    before: int
    steps: tuple[tuple[int, int], ...]
    candidates: tuple[int, ...]
    begins: tuple[int, ...]
    explicit: bool


def find_cones(reduced: ReducedDae, incidence: Incidence) -> dict[int, Cone]:
    """The cone of each derivative given by hand, by the number of this derivative."""
    found: dict[int, Cone] = {}
    begins: dict[int, dict[int, None]] = {}
    places: dict[int, dict[int, None]] = {}
    for before, after in enumerate(reduced.index.eq_derivative):
        to_come = len(reduced.equations[before].derivatives)
        if after is not None and to_come:
            cone = _cone(before, reduced, incidence)
            begins[after] = begins.get(before, {}) | dict.fromkeys(cone.candidates)
            found[after] = replace(cone, begins=tuple(begins[after]))
            places.setdefault(to_come, {}).update(dict.fromkeys(cone.candidates))
    for after, cone in found.items():
        to_come = len(reduced.equations[cone.before].derivatives)
        others = set().union(*[some for count, some in places.items() if count > to_come])
        found[after] = replace(cone, candidates=tuple([c for c in cone.candidates if c not in others]))
    return found


def with_cones(incidence: Incidence, cones: Mapping[int, Cone]) -> Incidence:
    """The incidence in which derivatives given by hand hold the candidates of their cones."""
    if not cones:
        return incidence
    rows = [
        tuple(dict.fromkeys((*row, *cones[eq].candidates))) if eq in cones else row
        for eq, row in enumerate(incidence.vars_of_eq)
    ]
    return Incidence(tuple(rows), incidence.variable_count)


def through_cone(reduced: ReducedDae, cone: Cone, candidates: Sequence[int]) -> tuple[Expr, ...]:
    """The total derivative of the equation before, with respect to the variable below each candidate of the cone.

    (That of an equation of velocities with respect to a place says nothing of the place's derivative: zero.)
    """
    below = predecessors(reduced.index.var_derivative)
    own = frozenset(cone.candidates)
    factors: dict[int, Expr] = {}
    return tuple([_total(reduced, cone, below[c] if c in own else None, factors) for c in candidates])


def _cone(before: int, reduced: ReducedDae, incidence: Incidence) -> Cone:
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
    return Cone(before, tuple(steps), tuple(candidates), tuple(candidates), explicit)


def _total(reduced: ReducedDae, cone: Cone, base: int | None, factors: dict[int, Expr]) -> Expr:
    pool = reduced.dae.pool
    return pool.zero if base is None else _led(reduced, cone, {reduced.unknowns[base]: pool.one}, factors)


def along(reduced: ReducedDae, cone: Cone) -> tuple[Expr, list[Expr]]:
    """The derivative of the equation before with respect to time, and the rates of what its cone begins with."""
    pool, unknowns = reduced.dae.pool, reduced.unknowns
    below = predecessors(reduced.index.var_derivative)
    bases = [unknowns[b] for b in (below[c] for c in cone.begins) if b is not None]
    rates = [pool.derivative(x) for x in bases]
    return _led(reduced, cone, {pool.time: pool.one, **dict(zip(bases, rates, strict=True))}, {}), rates


def _led(reduced: ReducedDae, cone: Cone, slopes: dict[Expr, Expr], factors: dict[int, Expr]) -> Expr:
    """The derivative of the equation before, where these change with these slopes and the cone follows.

    `factors` keeps the derivatives of the cone's equations with respect to the variables that they determine.
    """
    pool, unknowns = reduced.dae.pool, reduced.unknowns
    in_time = pool.time in slopes
    for eq, var in cone.steps:
        equation = reduced.equations[eq]
        if not in_time and slopes.keys().isdisjoint(equation.variables):
            continue
        residual = pool.sub(equation.left, equation.right)
        change = differentiate(pool, residual, slopes, {})
        if change is not pool.zero:
            if eq not in factors:
                factors[eq] = differentiate(pool, residual, {unknowns[var]: pool.one}, {})
            slopes[unknowns[var]] = pool.neg(pool.div(change, factors[eq]))
    equation = reduced.equations[cone.before]
    return differentiate(pool, pool.sub(equation.left, equation.right), slopes, {})
