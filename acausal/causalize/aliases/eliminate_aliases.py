"""Signed alias elimination: variables that equal another one, or a parameter expression, go.

    a = b        0 = a + i        x = 5*R        u = x - x + v
    a -> b       i -> -a          x -> 5*R       u -> v

Candidates are real unknowns; an equation is examined again whenever a merge leaves
it with at most two variables, so chains close. Each merge visits the equations of
the smaller class: O(n log n) in all. Equations that become `0 = 0` are kept, because
they are faults for structural analysis to explain.
"""

from collections import defaultdict, deque
from collections.abc import Sequence

from acausal.causalize.aliases.lasting_terms import cannot_cancel, lone_rate
from acausal.causalize.aliases.signed_union_find import SignedUnionFind
from acausal.causalize.aliases.substitute_aliases import without_aliases
from acausal.ir.dae import Dae
from acausal.ir.expr import RATE, VARIES, Expr
from acausal.ir.flat import Equation
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
    """`closed[eq]` means that an equation waits in the queue, or is used.

    `is_nonlinear[eq]` means that it is no sum of variables, whatever these turn out to be. `rate_of_eq` has the
    variable whose derivative stands in a term that nothing else in the equation can cancel.
    """

    def __init__(self, dae: Dae) -> None:
        self.dae = dae
        self.pool = dae.pool
        self.classes = SignedUnionFind(dae.pool)
        self.unknown = {v.symbol: v for v in dae.variables if v.type == "real" and v.kind != "discrete"}
        self.leaves_of_eq: list[Sequence[Leaf]] = []
        self.eqs_of_leaf: defaultdict[Leaf, list[int]] = defaultdict(list)
        self.closed = bytearray(b"\x01") * len(dae.equations)
        self.has_zero: set[int] = set()
        self.is_nonlinear = bytearray(len(dae.equations))
        self.rate_of_eq: dict[int, Leaf] = {}

    def _find_leaves(self) -> None:
        """The variables in each equation, derivatives by what they are derivatives of, and where each of them is."""
        variable = self.pool.variable
        leaves_of_eq, eqs_of_leaf = self.leaves_of_eq, self.eqs_of_leaf
        for eq, equation in enumerate(self.dae.equations):
            left, right = equation.left, equation.right
            leaves: Sequence[Leaf]
            plain = left.op == "variable" and not left.order
            if plain and not right.flags & VARIES:
                leaves_of_eq.append((left,))
                eqs_of_leaf[left].append(eq)
                continue
            if plain and right.op == "variable" and not right.order and right is not left:
                leaves = (left, right)
            else:
                leaves = equation.variables
                if (left.flags | right.flags) & RATE:
                    leaves = [variable(x.name) if x.order else x for x in leaves]
                    rate = lone_rate(equation)
                    if rate is not None:
                        self.rate_of_eq[eq] = variable(rate.name)
            leaves_of_eq.append(leaves)
            for leaf in leaves:
                eqs_of_leaf[leaf].append(eq)

    def run(self) -> Dae:
        self._find_leaves()
        closed = self.closed
        queue = deque(range(len(closed)))
        look = self._look
        while queue:
            eq = queue.popleft()
            closed[eq] = 0
            for touched in look(eq):
                if not closed[touched]:
                    closed[touched] = 1
                    queue.append(touched)
        left = {eq: self.leaves_of_eq[eq] for eq, used in enumerate(closed) if not used}
        return without_aliases(self.dae, self.classes, left)

    # ------------------------------------------------------------ equations that say no more than that

    def _look(self, eq: int) -> Sequence[int]:
        """Use the equation if it is an alias; the equations to examine again."""
        equation = self.dae.equations[eq]
        if equation.derivatives:
            return ()
        left, right = equation.left, equation.right
        if left.op == "variable" and not left.order:
            if not right.flags & VARIES:
                if left not in self.classes.parent:
                    return self._fix(eq, left, right)
                root, sign = self.classes.find(left)
                return self._fix(eq, root, right if sign > 0 else self.pool.neg(right))
            if right.op == "variable" and not right.order:
                return self._equal(eq, left, right)
        return self._look_inside(eq, equation)

    def _equal(self, eq: int, left: Leaf, right: Leaf) -> Sequence[int]:
        """Use `left = right`."""
        find, values = self.classes.find, self.classes.values
        (a, sign_a), (b, sign_b) = find(left), find(right)
        same_sign = sign_a == sign_b
        if a in values:
            a, b = b, a
        if b in values:
            return self._fix(eq, a, values[b] if same_sign else self.pool.neg(values[b]))
        if a is not b:
            return self._join(eq, a, b, same_sign)
        return () if same_sign else self._fix(eq, a, self.pool.zero)

    def _fix(self, eq: int, root: Leaf, value: Expr) -> Sequence[int]:
        """Use `root = value`, if nothing is known of the root."""
        variable = self.unknown.get(root)
        if variable is None or root in self.classes.values:
            return ()
        attributes = variable.attributes
        if attributes.state == "always" or attributes.fixed:
            return ()
        self.closed[eq] = 1
        self.classes.fix(root, value, eq)
        touched = self.eqs_of_leaf[root]
        if value is self.pool.zero:
            self.has_zero.update(touched)
        return touched

    def _join(self, eq: int, a: Leaf, b: Leaf, same_sign: bool) -> Sequence[int]:
        known_a, known_b = a not in self.unknown, b not in self.unknown
        if known_a and known_b:
            return ()
        eqs_of_leaf = self.eqs_of_leaf
        b_is_smaller = len(eqs_of_leaf[b]) < len(eqs_of_leaf[a])
        smaller, larger = (b, a) if known_a or (b_is_smaller and not known_b) else (a, b)
        self.closed[eq] = 1
        self.classes.join(smaller, larger, 1 if same_sign else -1, eq)
        moved = eqs_of_leaf.pop(smaller)
        eqs_of_leaf[larger] += moved
        return moved

    # ------------------------------------------------------------ other equations

    def _look_inside(self, eq: int, equation: Equation) -> Sequence[int]:
        """Use the equation if little is left of it by what is known now."""
        classes, leaves = self.classes, self.leaves_of_eq[eq]
        parent, values = classes.parent, classes.values
        rate = self.rate_of_eq.get(eq)
        if rate is not None and classes.root(rate) not in values:
            return ()
        is_new = parent.keys().isdisjoint(leaves) and values.keys().isdisjoint(leaves)
        open_roots: dict[Leaf, None] = dict.fromkeys(leaves) if is_new else {}
        for leaf in () if is_new else leaves:
            root = classes.find(leaf)[0] if leaf in parent else leaf
            if root not in values:
                open_roots[root] = None
        if len(open_roots) > 2 and not self._may_cancel(eq, len(open_roots)):
            return ()
        if len(open_roots) == 1 and next(iter(open_roots)) not in self.unknown:
            return ()
        terms = None if self.is_nonlinear[eq] else self._linear(equation)
        if terms is None:
            self.is_nonlinear[eq] = 1
            if len(open_roots) == len(leaves) and cannot_cancel(equation):
                return ()
            terms = self._simplified(eq, equation)
        return () if terms is None else self._use(eq, *terms)

    def _may_cancel(self, eq: int, still_open: int) -> bool:
        """True if a leaf has become zero, or leaves one, as in n = j - u*(1/d)*u with u = d = j."""
        if eq in self.has_zero:
            self.has_zero.discard(eq)
            return True
        return still_open == CANCEL_LEFT and len(self.leaves_of_eq[eq]) > CANCEL_LEFT

    def _linear(self, equation: Equation) -> Terms | None:
        """Terms of an equation that only adds and subtracts variables and constants; else None."""
        factors: dict[Leaf, float] = {}
        fixed: list[Expr] = []
        pool, find, values = self.pool, self.classes.find, self.classes.values
        for side, sign in ((equation.left, 1.0), (equation.right, -1.0)):
            if side.op == "neg":
                side, sign = side.args[0], -sign
            for term in side.args if side.op == "add" else (side,):
                factor, base = (1.0, term) if term.op == "variable" else pool.split(term)
                if base.op == "variable" and not base.order:
                    root, same = find(base)
                    value = values.get(root)
                    if value is None:
                        factors[root] = factors.get(root, 0.0) + sign * factor * same
                        continue
                    factor, base = factor * same, value
                elif base.flags & VARIES:
                    return None
                if base is not pool.zero:
                    fixed.append(pool.mul(pool.const(sign * factor), base))
        return {x: f for x, f in factors.items() if f}, pool.add(*fixed)

    def _simplified(self, eq: int, equation: Equation) -> Terms | None:
        """Remaining terms of the equation by the known aliases; None if it is no sum of unknowns."""
        residual = self.pool.sub(equation.left, equation.right)
        parent, values = self.classes.parent, self.classes.values
        if [x for x in self.leaves_of_eq[eq] if x in parent or x in values]:
            residual = rewrite(self.pool, residual, self.classes.resolve, {}, parameters=False)
        _, body = self.pool.split(residual)
        if body in self.unknown:
            return {body: 1.0}, self.pool.zero
        if body.op != "add":
            return None
        split = [self.pool.split(t) for t in body.args if t.flags & VARIES]
        return {x: f for f, x in split}, self.pool.add(*[t for t in body.args if not t.flags & VARIES])

    def _use(self, eq: int, factors: dict[Leaf, float], fixed: Expr) -> Sequence[int]:
        terms = list(factors.items())
        if len(terms) == 1:
            leaf, factor = terms[0]
            value = self.pool.neg(fixed)
            return self._fix(eq, leaf, value if factor == 1.0 else self.pool.div(value, self.pool.const(factor)))
        if len(terms) == 2 and fixed is self.pool.zero:
            (a, factor_a), (b, factor_b) = terms
            variables = a.op == b.op == "variable" and not a.order and not b.order
            if variables and abs(factor_a) == abs(factor_b):
                return self._join(eq, a, b, factor_a * factor_b < 0)
        return ()
