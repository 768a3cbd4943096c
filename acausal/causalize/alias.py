"""Signed alias elimination: variables that equal another one, or a parameter expression, go.

    a = b        0 = a + i        x = 5*R        u = x - x + v
    a -> b       i -> -a          x -> 5*R       u -> v

Candidates are real unknowns; an equation is looked at again whenever a merge leaves
it with at most two variables, so chains close. Each merge visits the equations of
the smaller class: O(n log n) in all. Equations that become `0 = 0` are kept, because
they are faults for structural analysis to explain.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace

from acausal.causalize.classes import Classes, Reasons
from acausal.causalize.prefer import merged_attributes, preference
from acausal.ir.dae import Alias, Dae
from acausal.ir.events import map_events
from acausal.ir.expr import Expr, variables_of
from acausal.ir.flat import Equation
from acausal.ir.origin import How
from acausal.symbolic.substitute import rewrite

Leaf = Expr
Terms = tuple[dict[Leaf, float], Expr]
"""The sum of leaves with factors, and of what does not vary, is zero."""

CANCEL_LEFT = 3
"""Variables left in an equation, others being merged, with which it is tried for whether they cancel."""


def eliminate_aliases(dae: Dae) -> Dae:
    """The system without alias variables; they are listed in `aliases` of the result."""
    return _Elimination(dae).run()


class _Elimination:
    def __init__(self, dae: Dae) -> None:
        self.dae = dae
        self.pool = dae.pool
        self.classes = Classes(dae.pool)
        self.unknown = {v.symbol: v for v in dae.variables if v.type == "real" and v.kind != "discrete"}
        self.leaves_of_eq = [self._bases(e) for e in dae.equations]
        self.eqs_of_leaf: dict[Leaf, list[int]] = {}
        for eq, leaves in enumerate(self.leaves_of_eq):
            for leaf in leaves:
                self.eqs_of_leaf.setdefault(leaf, []).append(eq)
        self.used: set[int] = set()
        self.reasons = Reasons()
        self.has_zero: set[int] = set()

    def _bases(self, equation: Equation) -> list[Leaf]:
        """The variables in the equation, derivatives by what they are derivatives of."""
        leaves = variables_of((equation.left, equation.right))
        return [self.pool.variable(x.name) if x.order else x for x in leaves]

    def run(self) -> Dae:
        queue = deque(range(len(self.dae.equations)))
        queued = bytearray(b"\x01") * len(self.dae.equations)
        while queue:
            eq = queue.popleft()
            queued[eq] = 0
            if eq in self.used or self.dae.equations[eq].derivatives:
                continue
            for touched in self._look(eq):
                if not queued[touched] and touched not in self.used:
                    queued[touched] = 1
                    queue.append(touched)
        return self._result()

    def _look(self, eq: int) -> list[int]:
        """Use the equation if it is an alias; the equations to look at again."""
        roots = dict.fromkeys([self.classes.root(leaf) for leaf in self.leaves_of_eq[eq]])
        open_roots = [r for r in roots if self.classes.value(r) is None]
        if len(open_roots) > 2 and not self._may_cancel(eq, open_roots):
            return []
        equation = self.dae.equations[eq]
        if any(r not in self.unknown and r.op == "variable" for r in open_roots) and len(open_roots) < 2:
            return []
        terms = self._linear(equation) or self._simplified(equation)
        return [] if terms is None else self._use(eq, *terms)

    def _may_cancel(self, eq: int, open_roots: list[Leaf]) -> bool:
        """Whether a leaf has become zero, or leaves one, as in n = j - u*(1/d)*u with u = d = j."""
        if eq in self.has_zero:
            self.has_zero.discard(eq)
            return True
        return len(open_roots) == CANCEL_LEFT and len(self.leaves_of_eq[eq]) > CANCEL_LEFT

    def _linear(self, equation: Equation) -> Terms | None:
        """What is left of an equation that only adds and subtracts variables and what does not vary; else None."""
        factors: dict[Leaf, float] = {}
        fixed: list[Expr] = []
        pool, classes = self.pool, self.classes
        for side, sign in ((equation.left, 1.0), (equation.right, -1.0)):
            for term in side.args if side.op == "add" else (side,):
                factor, base = pool.split(term)
                if base.op == "variable" and not base.order:
                    root, same = classes.find(base)
                    value = classes.value(root)
                    if value is None:
                        factors[root] = factors.get(root, 0.0) + sign * factor * same
                        continue
                    factor, base = factor * same, value
                elif base.varies:
                    return None
                if base is not pool.zero:
                    fixed.append(pool.mul(pool.const(sign * factor), base))
        return {x: f for x, f in factors.items() if f}, pool.add(*fixed)

    def _simplified(self, equation: Equation) -> Terms | None:
        """What is left of the equation by what is known now; None if no sum of unknowns."""
        residual = self.pool.sub(equation.left, equation.right)
        if residual.varies:
            residual = rewrite(self.pool, residual, self.classes.resolve, {})
        _, body = self.pool.split(residual)
        if body in self.unknown:
            return {body: 1.0}, self.pool.zero
        if body.op != "add":
            return None
        split = [self.pool.split(t) for t in body.args if t.varies]
        return {x: f for f, x in split}, self.pool.add(*[t for t in body.args if not t.varies])

    def _use(self, eq: int, factors: dict[Leaf, float], fixed: Expr) -> list[int]:
        terms = list(factors.items())
        if len(terms) == 1 and terms[0][0] in self.unknown:
            leaf, factor = terms[0]
            value = (
                self.pool.neg(fixed) if factor == 1.0 else self.pool.div(self.pool.neg(fixed), self.pool.const(factor))
            )
            return self._fix(eq, leaf, value)
        if len(terms) == 2 and fixed is self.pool.zero and abs(terms[0][1]) == abs(terms[1][1]):
            return self._join(eq, terms[0][0], terms[1][0], -terms[0][1] * terms[1][1] > 0)
        return []

    def _fix(self, eq: int, leaf: Leaf, value: Expr) -> list[int]:
        variable = self.unknown[leaf]
        if variable.attributes.state == "always" or variable.attributes.fixed:
            return []
        self._note(eq, leaf, None)
        self.classes.fix(leaf, value)
        touched = self.eqs_of_leaf.get(leaf, [])
        if value is self.pool.zero:
            self.has_zero.update(touched)
        return touched

    def _join(self, eq: int, a: Leaf, b: Leaf, same_sign: bool) -> list[int]:
        known = [x for x in (a, b) if x not in self.unknown]
        if len(known) == 2 or any(x.op != "variable" or x.order for x in (a, b)):
            return []
        smaller, larger = sorted((a, b), key=lambda x: len(self.eqs_of_leaf.get(x, ())))
        if smaller in known:
            smaller, larger = larger, smaller
        self._note(eq, smaller, larger)
        self.classes.join(smaller, larger, 1 if same_sign else -1)
        moved = self.eqs_of_leaf.pop(smaller, [])
        self.eqs_of_leaf.setdefault(larger, []).extend(moved)
        return moved

    def _note(self, eq: int, leaf: Leaf, larger: Leaf | None) -> None:
        self.used.add(eq)
        self.reasons.note(leaf, eq, larger)

    # ------------------------------------------------------------ the result

    def _result(self) -> Dae:
        aliases = self._choose()
        value_of = {a.variable.symbol: a.value for a in aliases}
        kept_attributes = merged_attributes(self.pool, self.dae.variables, value_of)
        memo: dict[Expr, Expr] = {}

        def leaf_value(leaf: Leaf) -> Expr:
            return self.classes.derived(leaf, value_of)

        def changed(equation: Equation) -> Equation:
            left = rewrite(self.pool, equation.left, leaf_value, memo)
            right = rewrite(self.pool, equation.right, leaf_value, memo)
            if left is right:
                left = right = self.pool.zero
            by_hand = tuple(
                [
                    (rewrite(self.pool, a, leaf_value, memo), rewrite(self.pool, b, leaf_value, memo))
                    for a, b in equation.derivatives
                ]
            )
            return Equation(left, right, equation.origin, by_hand, equation.description)

        kept = [v for v in self.dae.variables if v.symbol not in value_of]
        variables = tuple(
            [
                v if kept_attributes[v.symbol] is v.attributes else replace(v, attributes=kept_attributes[v.symbol])
                for v in kept
            ]
        )
        return replace(
            self.dae,
            variables=variables,
            equations=tuple(changed(e) for i, e in enumerate(self.dae.equations) if i not in self.used),
            initial_equations=tuple(changed(e) for e in self.dae.initial_equations),
            conditions=tuple(
                replace(c, condition=rewrite(self.pool, c.condition, leaf_value, memo)) for c in self.dae.conditions
            ),
            aliases=(*self._older(aliases, leaf_value), *aliases),
            events=map_events(self.dae.events, lambda e: rewrite(self.pool, e, leaf_value, memo)),
            delays=tuple([replace(d, value=rewrite(self.pool, d.value, leaf_value, memo)) for d in self.dae.delays]),
        )

    def _older(self, aliases: tuple[Alias, ...], leaf_value: Callable[[Leaf], Expr]) -> Iterator[Alias]:
        """The aliases that were there before, of what is kept now."""
        because_of = {a.variable.symbol: a.because for a in aliases}
        for alias in self.dae.aliases:
            _, leaf = self.pool.split(alias.value)
            further = because_of.get(leaf)
            if further is None:
                yield alias
                continue
            value = rewrite(self.pool, alias.value, leaf_value, {})
            yield Alias(alias.variable, value, alias.origin, (*alias.because, *further))

    def _choose(self) -> tuple[Alias, ...]:
        """All variables that do not stay, as aliases of what they equal, in the order of the text."""
        keepers = self._keepers()
        aliases = []
        for variable in self.dae.variables:
            symbol = variable.symbol
            root, sign = self.classes.find(symbol)
            value, keeper = self.classes.value(root), None
            if value is None:
                keeper = keepers.get(root)
                if keeper is None or keeper is symbol:
                    continue
                value, sign = keeper, sign * self.classes.sign(keeper)
            because = tuple([self.dae.equations[e] for e in self.reasons.between(symbol, keeper)])
            signed = value if sign > 0 else self.pool.neg(value)
            aliases.append(Alias(variable, signed, because[0].origin.become(How.ALIAS), because))
        return tuple(aliases)

    def _keepers(self) -> dict[Leaf, Leaf]:
        """By its root the variable that stays of each class without a value; classes of one are left out."""
        best: dict[Leaf, tuple[tuple[int, ...], Leaf]] = {}
        for position, variable in enumerate((*self.dae.inputs, *self.dae.variables)):
            root = self.classes.root(variable.symbol)
            if root not in self.classes.joined or self.classes.value(root) is not None:
                continue
            rank = (*preference(variable), position)
            if root not in best or rank < best[root][0]:
                best[root] = (rank, variable.symbol)
        return {root: symbol for root, (_, symbol) in best.items()}
