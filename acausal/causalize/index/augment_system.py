"""Hidden constraints that no combination of equations shows: the augmentation method.

    der(x)^2 + ... = 0 (1),  h(der(x), x) = 0 (2)      as functions of der(x) one follows from the other: a copy of (1)
    with y in place of der(x) determines y, and (2) with y in place of der(x) is the constraint

Of equations whose Jacobian with respect to the highest derivatives is singular, but which have one equation fewer
that is regular, copies determine new unknowns in place of the highest derivatives; the equation left over holds
these instead, and nothing that they do not determine, hence highest derivatives that are left may have any value.
(T. Oki, Improved structural methods for nonlinear differential-algebraic equations via combinatorial relaxation,
IMA J. Numer. Anal. 43 (2023) 357-386, section 4.)
"""

from dataclasses import replace

from acausal.causalize.index.hidden_constraints import SEEDS, Candidate, combined, folded_by, jacobian
from acausal.causalize.index.row_combination import row_combination
from acausal.ir.dae import Dae, ReducedDae
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, Equation, Variable
from acausal.ir.names import without_indices
from acausal.ir.walk import variables_of
from acausal.symbolic.slopes import Point
from acausal.symbolic.substitute import substitute

MOST_EQUATIONS = 30
"""More equations are not copied."""


def augment(reduced: ReducedDae, candidate: Candidate) -> Dae | None:
    """The system with one equation replaced and the others copied; None where there are too many."""
    if len(candidate.equations) > MOST_EQUATIONS:
        return None
    pool = reduced.dae.pool
    matrix = jacobian(pool, candidate.residuals, candidate.targets)
    point = Point(pool, *SEEDS[0], candidate.known)
    for last in reversed(candidate.replaceable):
        found = row_combination(pool, matrix, last, point)
        if found is not None:
            return _augmented(reduced, candidate, last, found.pivots)
    return None


def _augmented(reduced: ReducedDae, candidate: Candidate, replaced: int, pivots: tuple[Expr, ...]) -> Dae:
    dae, sources = reduced.dae, reduced.index.eq_source
    declared = {v.symbol.name: v for v in dae.variables}
    new = {x: _copy_of(dae, declared.get(x.name), x, number) for number, x in enumerate(pivots, len(dae.variables))}
    values = {x: dae.pool.zero for x in variables_of(candidate.residuals) if x in set(candidate.targets)}
    values |= {x: v.symbol for x, v in new.items()}
    copies = [substitute(dae.pool, r, values) for r in candidate.residuals]
    bases = [dae.equations[sources[n][0]] for n in candidate.equations]
    changed = list(dae.equations)
    for k, (base, copy) in enumerate(zip(bases, copies, strict=True)):
        others = [b.origin for b in bases if b is not base]
        equation = Equation(copy, dae.pool.zero, combined(base.origin, others))
        if k == replaced:
            changed[sources[candidate.equations[k]][0]] = replace(equation, description=base.description)
        else:
            changed.append(equation)
    folded = (*dae.folded, *folded_by(reduced, candidate))
    return replace(dae, equations=tuple(changed), variables=(*dae.variables, *new.values()), folded=folded)


def _copy_of(dae: Dae, original: Variable | None, x: Expr, number: int) -> Variable:
    """An unknown in the place of x, with its attributes."""
    assert original is not None, "derivatives are those of variables"
    name = (*without_indices(x.name)[:-1], f"{without_indices(x.name)[-1]}${number}")
    attributes = Attributes() if x.order else replace(original.attributes, fixed=False, state="default")
    return Variable(dae.pool.variable(name), "local", "real", original.origin, attributes)
