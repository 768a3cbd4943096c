"""The system that is left when it is known which variables are equal: one of each class stays, the others are aliases.

a = b, b = -c, a*d = c     ->     -c*d = c   with the aliases   a = -c, b = -c
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from acausal.causalize.aliases.representative import merged_attributes, preference
from acausal.causalize.aliases.signed_union_find import SignedUnionFind
from acausal.ir.dae import Alias, Dae
from acausal.ir.events import map_events
from acausal.ir.expr import VARIES, Expr
from acausal.ir.flat import Equation, Variable
from acausal.ir.origin import How, Origin
from acausal.ir.pool import Pool
from acausal.symbolic.substitute import rebuild, rewrite

Leaf = Expr
Member = tuple[Variable, Leaf, int]
"""A variable that is this sign times the root of its class."""
Substitute = Callable[[Expr], Expr]
"""An expression with what its variables are."""


def without_aliases(dae: Dae, classes: SignedUnionFind, left: Mapping[int, Sequence[Leaf]]) -> Dae:
    """The system in the variables that stay; `left` are the equations that are not used up, with their variables."""
    aliases = _choose(dae, classes)
    alias_of = {a.variable.symbol: a for a in aliases}
    value_of = {symbol: a.value for symbol, a in alias_of.items()}
    kept = [v for v in dae.variables if v.symbol not in value_of]
    substitute = _substitute(classes, value_of, kept)
    completed = merged_attributes(dae.pool, kept, aliases)
    return replace(
        dae,
        variables=tuple([replace(v, attributes=completed[v.symbol]) if v.symbol in completed else v for v in kept]),
        equations=tuple(_without(dae, left, value_of, substitute)),
        initial_equations=tuple([_changed(e, substitute, dae.pool) for e in dae.initial_equations]),
        conditions=tuple([replace(c, condition=substitute(c.condition)) for c in dae.conditions]),
        aliases=(*_older(dae.aliases, alias_of, substitute), *aliases),
        events=map_events(dae.events, substitute),
        delays=tuple([replace(d, value=substitute(d.value)) for d in dae.delays]),
    )


def _without(
    dae: Dae, left: Mapping[int, Sequence[Leaf]], value_of: Mapping[Leaf, Expr], substitute: Substitute
) -> list[Equation]:
    """The equations that are left, in the variables that stay."""
    gone, pool = value_of.keys(), dae.pool
    found = []
    for eq, leaves in left.items():
        equation = dae.equations[eq]
        same = gone.isdisjoint(leaves) and not equation.derivatives and equation.left is not equation.right
        found.append(equation if same else _changed(equation, substitute, pool))
    return found


def _choose(dae: Dae, classes: SignedUnionFind) -> list[Alias]:
    """All variables that do not stay, as aliases of what they equal, in the order of the text."""
    members = _members(dae, classes)
    keepers = _keepers(members, classes)
    values, between, given, equations = classes.values, classes.between, classes.given, dae.equations
    aliases = []
    reasons: dict[int, Origin] = {}
    for variable, root, sign in members:
        symbol, keeper = variable.symbol, None
        value = values.get(root)
        if value is None:
            keeper, sign_of_keeper = keepers[root]
            if keeper is symbol:
                continue
            value, sign = keeper, sign * sign_of_keeper
        if keeper is None and symbol in given:  # most aliases are zero, as an equation says
            because: tuple[Equation, ...] = (equations[given[symbol]],)
        else:
            because = tuple([equations[eq] for eq in between(symbol, keeper)])
        origin = because[0].origin
        reason = reasons.get(id(origin))
        if reason is None:  # elements of arrays have it in common, and what meets at one point
            reason = reasons[id(origin)] = origin.become(How.ALIAS)
        aliases.append(Alias(variable, value if sign > 0 else dae.pool.neg(value), reason, because))
    return aliases


def _members(dae: Dae, classes: SignedUnionFind) -> list[Member]:
    """The variables of which something is known, with root and sign."""
    parent, joined, values = classes.parent, classes.joined, classes.values
    members: list[Member] = []
    for variable in (*dae.inputs, *dae.variables):
        symbol = variable.symbol
        if symbol in values or (symbol in joined and symbol not in parent):
            members.append((variable, symbol, 1))
        elif symbol in parent:
            members.append((variable, *classes.find(symbol)))
    return members


def _keepers(members: Sequence[Member], classes: SignedUnionFind) -> dict[Leaf, tuple[Leaf, int]]:
    """By its root the variable that stays of each class without a value, and its sign."""
    values = classes.values
    best: dict[Leaf, tuple[tuple[int, ...], Leaf, int]] = {}
    for position, (variable, root, sign) in enumerate(members):
        if root not in values:
            rank = (*preference(variable), position)
            if root not in best or rank < best[root][0]:
                best[root] = (rank, variable.symbol, sign)
    return {root: (symbol, sign) for root, (_, symbol, sign) in best.items()}


def _substitute(classes: SignedUnionFind, value_of: dict[Leaf, Expr], kept: Sequence[Variable]) -> Substitute:
    pool = classes.pool
    memo = value_of | {v.symbol: v.symbol for v in kept}

    def leaf_value(leaf: Leaf) -> Expr:
        return classes.derived(leaf, value_of)

    def term(expr: Expr) -> Expr | None:
        found = memo.get(expr) if expr.flags & VARIES else expr
        if found is None and expr.op == "neg":
            inner = memo.get(expr.args[0])
            if inner is not None:
                found = memo[expr] = expr if inner is expr.args[0] else pool.neg(inner)
        return found

    def substitute(expr: Expr) -> Expr:
        found = memo.get(expr)
        if found is not None:
            return found
        negative = expr.op == "neg" and bool(expr.args[0].args)
        whole = expr.args[0] if negative else expr
        known = tuple([term(a) for a in whole.args])
        if not known or None in known:  # most are sums and products of variables
            return rewrite(pool, expr, leaf_value, memo, parameters=False)
        found = whole if known == whole.args else rebuild(pool, whole, known)  # type: ignore[arg-type]
        memo[whole] = found
        if negative:
            found = memo[expr] = expr if found is whole else pool.neg(found)
        return found

    return substitute


def _changed(equation: Equation, substitute: Substitute, pool: Pool) -> Equation:
    left, right = substitute(equation.left), substitute(equation.right)
    if left is right:
        left = right = pool.zero
    elif left is equation.left and right is equation.right and not equation.derivatives:
        return equation
    by_hand = tuple([(substitute(a), substitute(b)) for a, b in equation.derivatives])
    return Equation(left, right, equation.origin, by_hand, equation.description)


def _older(older: Sequence[Alias], alias_of: Mapping[Leaf, Alias], substitute: Substitute) -> list[Alias]:
    """The aliases from before, expressed by the variables that remain."""
    changed = []
    for alias in older:
        value = alias.value
        negative = value.op == "neg"
        further = alias_of.get(value.args[0] if negative else value)
        if further is not None:
            value = substitute(value) if negative else further.value
            alias = Alias(alias.variable, value, alias.origin, (*alias.because, *further.because))
        changed.append(alias)
    return changed
