"""Arrays that equal another array as a whole are that array, before elements are made.

    f1.Tr = i.T        j1.I - b1.I = zeros(6, 6)        f1.Tr -> i.T,  b1.I -> j1.I

What connections of frames say of nine, six or thirty-six elements is said once. Scalars, and arrays of which more is
said than their unit (start values, preferences), are left to `alias`; which array of a class stays is chosen as there.
"""

from collections.abc import Mapping
from dataclasses import replace

from acausal.base.frozen import record
from acausal.causalize.aliases.representative import may_be_left_out, preference
from acausal.causalize.aliases.signed_union_find import SignedUnionFind
from acausal.ir.expr import Expr
from acausal.ir.flat import ArrayAlias, Equation, FlatModel, Variable
from acausal.ir.names import without_indices


@record(frozen=True, slots=True)
class MergedArrays:
    """The model without the declarations of arrays that equal others, and these by their symbols.

    The equations still name them: who reads these minds `aliases`, which costs less than to rewrite them.
    """

    flat: FlatModel
    aliases: Mapping[Expr, ArrayAlias]


def merge_arrays(flat: FlatModel) -> MergedArrays:
    """Linear in the number of equations, but for the union of classes."""
    free = _free(flat)
    classes = SignedUnionFind(flat.pool)
    size = dict.fromkeys(free, 1)
    used: set[int] = set()
    zero = flat.pool.zero
    for number, equation in enumerate(flat.equations):
        pair = _pair(equation, free, zero)
        if pair is None:
            continue
        a, b, sign = pair
        (root_a, sign_a), (root_b, sign_b) = classes.find(a), classes.find(b)
        if root_a is root_b:
            continue
        smaller, larger = sorted((root_a, root_b), key=size.__getitem__)
        classes.join(smaller, larger, sign * sign_a * sign_b, number)
        size[larger] += size[smaller]
        used.add(number)
    if not used:
        return MergedArrays(flat, {})
    aliases = _aliases(flat, classes, free)
    left = tuple([e for i, e in enumerate(flat.equations) if i not in used])
    return MergedArrays(replace(flat, variables=_kept(flat.variables, aliases), equations=left), aliases)


def _free(flat: FlatModel) -> dict[Expr, Variable]:
    """The arrays that may be merged, by their symbols."""
    known = {without_indices(name) for name in flat.known}
    return {
        v.symbol: v
        for v in flat.variables
        if v.symbol.shape and v.type == "real" and may_be_left_out(v) and v.symbol.name not in known
    }


def _pair(equation: Equation, free: Mapping[Expr, Variable], zero: Expr) -> tuple[Expr, Expr, int] | None:
    """Two arrays and the sign between them, if the equation says no more than that."""
    if not equation.left.shape or equation.derivatives:
        return None
    found: list[tuple[Expr, int]] = []
    for side, sign in ((equation.left, 1), (equation.right, -1)):
        for term in side.args if side.op == "array_add" else (side,):
            negative = term.op == "array_neg"
            leaf = term.args[0] if negative else term
            if leaf in free:
                found.append((leaf, -sign if negative else sign))
            elif term.op != "array" or term.args.count(zero) != len(term.args):
                return None
    if len(found) != 2 or found[0][0] is found[1][0]:
        return None
    (a, sign_a), (b, sign_b) = found
    return a, b, -sign_a * sign_b


def _aliases(flat: FlatModel, classes: SignedUnionFind, free: Mapping[Expr, Variable]) -> dict[Expr, ArrayAlias]:
    best: dict[Expr, tuple[tuple[int, ...], Expr]] = {}
    for array, variable in free.items():
        root = classes.root(array)
        if root in classes.joined:
            rank = preference(variable)
            if root not in best or rank < best[root][0]:
                best[root] = rank, array
    aliases: dict[Expr, ArrayAlias] = {}
    for array in free:
        root, sign = classes.find(array)
        if root not in best:
            continue
        keeper = best[root][1]
        if keeper is not array:
            because = tuple([flat.equations[i] for i in classes.between(array, keeper)])
            aliases[array] = ArrayAlias(keeper, sign * classes.sign(keeper), because)
    return aliases


def _kept(variables: tuple[Variable, ...], aliases: Mapping[Expr, ArrayAlias]) -> tuple[Variable, ...]:
    """The arrays that stay, with a unit where only what equals them has one."""
    unit_of: dict[Expr, str | None] = {}
    for v in variables:
        alias = aliases.get(v.symbol)
        if alias is not None and unit_of.get(alias.keeper) is None:
            unit_of[alias.keeper] = v.attributes.unit
    kept = [v for v in variables if v.symbol not in aliases]
    return tuple(
        [
            replace(v, attributes=replace(v.attributes, unit=unit_of[v.symbol]))
            if v.attributes.unit is None and unit_of.get(v.symbol) is not None
            else v
            for v in kept
        ]
    )
