"""Arrays become scalars, once; zeros and ones are substituted before anything is multiplied out.

    f = [m, 0; 0, m]*a      ->      f[1] = m*a[1], f[2] = m*a[2]

The only stage that knows both arrays and scalars: after it there are none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from acausal.causalize.arrays.array_order import ArrayOrder, target_nodes
from acausal.causalize.arrays.element_names import lower_triangle
from acausal.causalize.arrays.element_parameters import element_parameters
from acausal.causalize.arrays.element_variables import all_element_variables, equal_elements, upper_elements
from acausal.causalize.arrays.expand import Expansion
from acausal.causalize.arrays.fold_parameters import fold
from acausal.causalize.arrays.output_names import wanted_arrays
from acausal.ir.dae import Dae
from acausal.ir.events import Action, Branch, When
from acausal.ir.expr import ARRAY, VARIES, Expr
from acausal.ir.flat import (
    NO_SYMMETRY,
    ArrayAlias,
    Equation,
    FlatModel,
    RunCondition,
    Symmetry,
    Variable,
)
from acausal.ir.origin import How
from acausal.ir.pool import Pool

MAY_BE_CONSTANT = ("add", "neg", "variable", "const")

LONGEST_SUM = 4
"""Sums of more terms are not tried for whether they leave one constant element."""


def scalarize(flat: FlatModel, foldable: bool = True, outputs: Sequence[str] = ()) -> Dae:
    """The model in scalars; parameters that are folded are numbers in it.

    An element has the name of its array with indices. Without `foldable` only structural
    parameters are folded. With `outputs` the aliases of other arrays are left out.
    """
    folding = fold(flat, foldable)
    declared = flat.variables
    shown = _shown(flat, outputs)
    flat, merged = _merged(flat)
    symmetry = _symmetry(flat, merged)
    expansion = Expansion(flat.pool, dict(folding.values), symmetry.arrays, merged)
    for v in declared:  # leaves in the order of the text, as results list them
        if v.symbol.shape and (v.symbol in shown or v.symbol not in merged):
            expansion.own_leaves(v.symbol)
    variables = _with_inputs(flat, all_element_variables(flat.variables, expansion))
    equations = _equations(flat, expansion, symmetry, merged)
    initial = tuple([x for e in flat.initial_equations for x in _elements(e, expansion)])
    conditions = tuple([_condition(c, expansion) for c in flat.conditions])
    symmetric = [v for v in flat.variables if v.symbol.name in symmetry.arrays and v.symbol in shown]
    upper = [a for v in symmetric for a in upper_elements(v, expansion)]
    gone = [v for v in declared if v.symbol in merged and v.symbol in shown]
    equal = [a for v in gone for a in equal_elements(v, merged[v.symbol], expansion)]
    settled = folding.settled
    if settled:
        flat = replace(
            flat, parameters=tuple([replace(p, binding=settled.get(p.symbol, p.binding)) for p in flat.parameters])
        )
    parameters, computed = element_parameters(flat)
    return Dae(
        name=flat.name,
        pool=flat.pool,
        parameters=parameters,
        folded=tuple(dict.fromkeys((*folding.folded, *computed))),
        inputs=tuple([v for v in variables if v.kind == "input"]),
        variables=(*[v for v in variables if v.kind != "input"], *expansion.variables),
        equations=(*equations, *expansion.equations),
        initial_equations=initial,
        conditions=conditions,
        aliases=(*upper, *equal),
        experiment=flat.experiment,
        notes=flat.notes,
        whens=tuple([_when(w, expansion) for w in flat.whens]),
    )


def _with_inputs(flat: FlatModel, variables: list[Variable]) -> list[Variable]:
    """The variables, known ones as inputs."""
    if not flat.known:
        return variables
    known = frozenset(flat.known)
    return [replace(v, kind="input") if v.symbol.name in known else v for v in variables]


def _merged(flat: FlatModel) -> tuple[FlatModel, Mapping[Expr, ArrayAlias]]:
    """Searched for, and loaded, only where there are arrays."""
    if not any(v.symbol.shape for v in flat.variables):
        return flat, {}
    from acausal.causalize.arrays.array_aliases import merge_arrays

    merged = merge_arrays(flat)
    return merged.flat, merged.aliases


def _shown(flat: FlatModel, outputs: Sequence[str]) -> set[Expr]:
    """The arrays that aliases name; of a model with loops all, as messages about these name them."""
    arrays = [v.symbol for v in flat.variables if v.symbol.shape]
    return wanted_arrays(arrays, outputs) if outputs and not flat.loops else set(arrays)


def _symmetry(flat: FlatModel, merged: Mapping[Expr, ArrayAlias]) -> Symmetry:
    """Searched for, and loaded, only where there are matrices."""
    if not any(len(v.symbol.shape) == 2 for v in flat.variables):
        return NO_SYMMETRY
    from acausal.causalize.arrays.symmetry import find_symmetry

    return find_symmetry(flat, merged)


# ------------------------------------------------------------------ equations


def _equations(
    flat: FlatModel, expansion: Expansion, symmetry: Symmetry, merged: Mapping[Expr, ArrayAlias]
) -> Iterable[Equation]:
    if not any(_has_array(e) for e in flat.equations):
        if not expansion.values:
            return flat.equations
        changed = expansion.changed()
        return [
            x
            for e in flat.equations
            for x in (_elements(e, expansion) if e.derivatives or not changed.isdisjoint((e.left, e.right)) else (e,))
        ]
    made: list[tuple[Equation, ...]] = [()] * len(flat.equations)
    for number, target in ArrayOrder(flat.pool, flat.equations, merged, symmetry.named):
        equation = flat.equations[number]
        lower = number in symmetry.equations
        made[number] = _elements(equation, expansion, lower)
        if target is not None:
            expansion.learn(target, _constants(flat.pool, made[number]))
            expansion.forget(target_nodes(equation, target))
    return [x for group in made for x in group]


def _constants(pool: Pool, equations: tuple[Equation, ...]) -> dict[Expr, Expr]:
    """The leaves that these equations make constant, with their values."""
    found: dict[Expr, Expr] = {}
    for equation in equations:
        left, right = equation.left, equation.right
        if left.op == "variable":
            if not right.flags & VARIES:
                found.setdefault(left, right)
                continue
            if (right.op != "add" and right.op != "neg") or left not in [pool.split(t)[1] for t in right.args]:
                continue  # the element is a product or the like, or a sum of others
        constant = _constant(pool, left, right)
        if constant is not None:
            found.setdefault(*constant)
    return found


def _constant(pool: Pool, left: Expr, right: Expr) -> tuple[Expr, Expr] | None:
    """A leaf and its value, if the equation says no more than that: a number, or what parameters give."""
    if right.op == "variable" and not left.flags & VARIES:
        return right, left
    for side in (left, right):
        if side.op not in MAY_BE_CONSTANT or len(side.args) > LONGEST_SUM:
            return None
    constant = 0.0
    factors: dict[Expr, float] = {}
    for side, sign in ((left, 1.0), (right, -1.0)):
        for term in side.args if side.op == "add" else (side,):
            if term.op == "const":
                constant += sign * term.number
                continue
            factor, base = (1.0, term) if term.op == "variable" else pool.split(term)
            factors[base] = factors.get(base, 0.0) + sign * factor
    left_over = [(base, factor) for base, factor in factors.items() if factor]
    if len(left_over) != 1 or left_over[0][0].op != "variable":
        return None
    leaf, factor = left_over[0]
    return leaf, pool.const(-constant / factor)


def _has_array(equation: Equation) -> bool:
    return bool((equation.left.flags | equation.right.flags) & ARRAY)


def _elements(equation: Equation, expansion: Expansion, lower: bool = False) -> tuple[Equation, ...]:
    """The scalar equations of an equation (`lower`: of its lower triangle), with the derivatives given by hand."""
    origin = equation.origin
    lefts, rights = expansion.items(equation.left, origin), expansion.items(equation.right, origin)
    if lower:
        size = equation.left.shape[0]
        lefts, rights = lower_triangle(lefts, size), lower_triangle(rights, size)
    if not equation.left.shape:
        if lefts[0] is equation.left and rights[0] is equation.right and not equation.derivatives:
            return (equation,)
    else:
        origin = origin.become(How.ELEMENT)
    about = equation.description
    if not equation.derivatives:
        return tuple([Equation(left, right, origin, (), about) for left, right in zip(lefts, rights, strict=True)])
    by_hand = [
        list(zip(expansion.items(a, origin), expansion.items(b, origin), strict=True)) for a, b in equation.derivatives
    ]
    return tuple(
        [
            Equation(left, right, origin, tuple([pairs[i] for pairs in by_hand]), about)
            for i, (left, right) in enumerate(zip(lefts, rights, strict=True))
        ]
    )


def _when(when: When, expansion: Expansion) -> When:
    return When(tuple([_branch(b, expansion) for b in when.branches]))


def _branch(branch: Branch, expansion: Expansion) -> Branch:
    condition = None if branch.condition is None else expansion.items(branch.condition, branch.origin)[0]
    actions: list[Action] = []
    for a in branch.actions:
        values = expansion.items(a.value, a.origin)
        targets = (None,) if a.target is None else expansion.items(a.target, a.origin)
        actions += [replace(a, target=t, value=v) for t, v in zip(targets, values, strict=True)]
    return replace(branch, condition=condition, actions=tuple(actions))


def _condition(condition: RunCondition, expansion: Expansion) -> RunCondition:
    (item,) = expansion.items(condition.condition, condition.origin)
    return condition if item is condition.condition else replace(condition, condition=item)
