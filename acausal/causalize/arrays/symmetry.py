"""Square arrays that are symmetric by their equations: only their lower triangle is computed.

    N = I - U*transpose(U)/d        I, N symmetric: 21 of 36 elements, 21 of 36 equations

Every square variable is assumed symmetric. An equation keeps the assumption if its residual is
symmetric for random numbers in place of all leaves, symmetric ones for the arrays assumed so (an
identity of rational functions that holds at a random point holds everywhere, but for a set of
measure zero). The assumption is dropped for arrays that no such equation can be given to, until
nothing changes. The numbers are the same in every run. Equations of one form, as those of many instances
of a class, are examined once.
"""

from collections.abc import Mapping, Sequence
from random import Random

from acausal.base.caches import Memo
from acausal.base.diagnostics import InternalError, ModelError
from acausal.causalize.arrays.element_names import stands_for
from acausal.causalize.arrays.equation_signature import form_of, is_square
from acausal.elaborate.scope_protocol import ParameterValue
from acausal.elaborate.values.evaluate import array_of_numbers, evaluate
from acausal.ir.expr import Expr
from acausal.ir.flat import NO_SYMMETRY, ArrayAlias, Equation, FlatModel, Symmetry
from acausal.ir.graph import Incidence
from acausal.ir.names import Name
from acausal.ir.pool import Pool
from acausal.structure.matching import match

NEAR = 1e-9
MOST_ROUNDS = 50
MOST_JUDGED = 10_000

_JUDGED: Memo[tuple[tuple[object, ...], tuple[bool, ...]], bool] = Memo(MOST_JUDGED)
"""Forms that were examined, with the arrays assumed symmetric: libraries have the same in every translation."""


def find_symmetry(flat: FlatModel, merged: Mapping[Expr, ArrayAlias]) -> Symmetry:
    """All symmetric arrays but merged ones; linear in the size of the square equations in each round."""
    pool = flat.pool
    square = [i for i, e in enumerate(flat.equations) if e.left.shape and is_square(e.left) and not e.derivatives]
    if not square:
        return NO_SYMMETRY
    forms = {i: form_of(pool, flat.equations[i], merged) for i in square}
    arrays_of = {i: [a.name for a in forms[i].arrays if is_square(a)] for i in square}
    terms_of = {i: _terms(flat.equations[i], merged) for i in square}
    plain = {v.symbol.name for v in flat.variables if is_square(v.symbol) and v.attributes.start is None}
    assumed = {name: None for i in square for name in arrays_of[i] if name in plain}
    dirty = set(square)
    symmetric: dict[int, bool] = {}
    for _ in range(MOST_ROUNDS):
        values = _Values(assumed, pool, merged)
        for i in sorted(dirty):
            case = forms[i].key, tuple([name in assumed for name in arrays_of[i]])
            judged = _JUDGED.get(case)
            if judged is None:
                judged = _JUDGED.keep(case, _is_symmetric(flat.equations[i], values))
            symmetric[i] = judged
        kept = [i for i in square if symmetric[i] and any(n in assumed for n in terms_of[i])]
        dropped = _without_equation(list(assumed), kept, terms_of)
        if not dropped:
            return Symmetry(frozenset(assumed), frozenset(kept), {i: forms[i].arrays for i in square})
        for name in dropped:
            del assumed[name]
        dirty = {i for i in square if any(n in dropped for n in arrays_of[i])}
    return NO_SYMMETRY


def _terms(equation: Equation, merged: Mapping[Expr, ArrayAlias]) -> tuple[Name, ...]:
    """The arrays that are terms of the equation, hence could be given by it."""
    found: dict[Name, None] = {}
    stack = [equation.right, equation.left]
    while stack:
        node = stack.pop()
        if node.op in ("array_add", "array_neg"):
            stack += reversed(node.args)
        elif node.op == "variable" and not node.order:
            found[merged[node].keeper.name if node in merged else node.name] = None
    return tuple(found)


def _without_equation(
    names: Sequence[Name], kept: Sequence[int], terms_of: Mapping[int, tuple[Name, ...]]
) -> dict[Name, None]:
    """Arrays to which no symmetric equation can be given in which they are a term; those of equations left over too."""
    number_of = {name: k for k, name in enumerate(names)}
    rows = tuple([tuple([number_of[n] for n in terms_of[i] if n in number_of]) for i in kept])
    matching = match(Incidence(rows, len(names)))
    dropped = {names[v]: None for v in matching.unmatched_vars}
    for e in matching.unmatched_eqs:
        dropped |= dict.fromkeys([n for n in terms_of[kept[e]] if n in number_of])
    return dropped


class _Values(dict[Expr, ParameterValue]):
    """Random numbers for leaves, made when they are asked for; the same for a leaf in every run."""

    def __init__(self, symmetric: Mapping[Name, None], pool: Pool, merged: Mapping[Expr, ArrayAlias]) -> None:
        super().__init__()
        self._symmetric = symmetric
        self._pool = pool
        self._merged = merged

    def get(self, leaf: Expr, default: object = None) -> ParameterValue:  # noqa: ARG002 - never absent
        """The value of a leaf."""
        found = super().get(leaf)
        if found is None:
            found = self[leaf] = self._made(leaf)
        return found

    def _made(self, leaf: Expr) -> ParameterValue:
        if leaf.op == "variable" and leaf.shape:
            kept, sign = stands_for(self._pool, leaf, self._merged)
            if kept.name != leaf.name:
                value = self.get(self._pool.variable(kept.name, leaf.order, leaf.shape))
                numbers = array_of_numbers(value)
                return value if numbers is None else tuple([sign * x for x in numbers])
        chance = Random(f"{leaf.op} {leaf.name} {leaf.order}")
        if not leaf.shape:
            return chance.uniform(0.5, 2.0)
        count = 1
        for n in leaf.shape:
            count *= n
        random = [chance.uniform(-2.0, 2.0) for _ in range(count)]
        if leaf.op == "variable" and leaf.name in self._symmetric and is_square(leaf):
            n = leaf.shape[0]
            random = [random[max(i, j) * n + min(i, j)] for i in range(n) for j in range(n)]
        return tuple(random)


def _is_symmetric(equation: Equation, values: _Values) -> bool:
    n = equation.left.shape[0]
    try:
        sides = [evaluate(side, values, equation.origin.span) for side in (equation.left, equation.right)]
    except (ModelError, InternalError, TypeError):
        return False
    left, right = map(array_of_numbers, sides)
    if left is None or right is None:
        return False
    residual = [a - b for a, b in zip(left, right, strict=True)]
    size = max(map(abs, (*left, *right)))
    return all(abs(residual[i * n + j] - residual[j * n + i]) <= NEAR * size for i in range(n) for j in range(i))
