"""Whole-array expressions -> the scalar expressions of their elements, each shared part once.

    T*v      ->      T[1,1]*v[1] + T[1,2]*v[2], ...        known elements are substituted at once

`inverse(A)*b` becomes unknowns x with the equations A*x = b.
"""

from collections.abc import Iterable, Mapping
from operator import attrgetter

from acausal.base.diagnostics import InternalError
from acausal.causalize.arrays.element_names import element_leaves, lower_leaves, stands_for
from acausal.causalize.arrays.number_inverse import inverted, reciprocals
from acausal.ir.expr import Expr, Shape
from acausal.ir.flat import ArrayAlias, Equation, Variable
from acausal.ir.names import Name
from acausal.ir.ops import EVENT_OPS, OPS
from acausal.ir.origin import How, Origin
from acausal.ir.pool import Pool
from acausal.symbolic.differentiate import total
from acausal.symbolic.elements import RULES, elements
from acausal.symbolic.substitute import rebuild

Items = tuple[Expr, ...]

NONE_MERGED: Mapping[Expr, ArrayAlias] = {}


class Expansion:
    """Elements of expressions; `values` are the numbers that stand for leaves, of parameters and of variables.

    Arrays named in `symmetric` have a lower triangle only; the elements of `merged` ones are those of others.

    `variables` and `equations` collect what inverses need.
    """

    def __init__(
        self,
        pool: Pool,
        values: dict[Expr, Expr],
        symmetric: frozenset[Name] = frozenset(),
        merged: Mapping[Expr, ArrayAlias] = NONE_MERGED,
    ) -> None:
        self.pool = pool
        self.values = values
        self._symmetric = symmetric
        self._merged = merged
        self._other_names: dict[Expr, list[Expr]] = {}
        self.variables: list[Variable] = []
        self.equations: list[Equation] = []
        self._memo: dict[Expr, Items] = {}
        self._slopes: dict[Expr, Expr] = {}
        self._own: dict[Expr, Items] = {}
        self._leaves: dict[Expr, Items] = {}
        self._tables: dict[Expr, frozenset[Expr]] = {}
        self._partly_known: set[Expr] = set()

    def items(self, expr: Expr, origin: Origin | None = None) -> Items:
        """The elements of the expression, row by row; `origin` is that of the equation it stands in."""
        memo, pool = self._memo, self.pool
        found = memo.get(expr)
        if found is not None:
            return found
        if not expr.args:
            found = memo[expr] = self._leaf(expr)
            return found
        below = self._below(expr)
        for node in sorted(below, key=_serial):  # arguments are made before what they are arguments of
            children, op = below[node], node.op
            rule = RULES.get(op)
            if rule is not None and children is node.args:
                memo[node] = rule(pool, node, [*map(memo.__getitem__, children)])
            elif op in OPS:
                args = tuple([memo[a][0] for a in children])
                memo[node] = (node if args == children else rebuild(pool, node, args),)
            else:
                memo[node] = self._special(node, children, origin)
        return memo[expr]

    def _below(self, expr: Expr) -> dict[Expr, Items]:
        """The nodes below that are to be worked out, with what must be known before; leaves are known now."""
        memo = self._memo
        below: dict[Expr, Items] = {}
        stack: list[Items] = [(expr,)]
        while stack:
            for node in stack.pop():
                if node in memo or node in below:
                    continue
                children = node.args
                if not children:
                    memo[node] = self._leaf(node)
                elif node.op == "index" and children[0].op in _ARRAYS:
                    memo[node] = self._leaf_items(children[0], node.value)  # type: ignore[arg-type]  # positions
                else:
                    if node.op == "matmul":
                        children = _children(node)
                    below[node] = children
                    stack.append(children)
        return below

    def changed(self) -> set[Expr]:
        """All nodes of the pool whose elements may be others than they are, where there are no arrays."""
        changed: set[Expr] = set(self.values)
        for node in self.pool.made_since(0):  # arguments are made before what they are arguments of
            if node.args and (node.op in _SPECIAL or not changed.isdisjoint(node.args)):
                changed.add(node)
        return changed

    def own_leaves(self, leaf: Expr) -> Items:
        """The scalar leaves that bear the names of the elements, also above the diagonal of a symmetric array."""
        found = self._own.get(leaf)
        if found is None:
            found = self._own[leaf] = element_leaves(self.pool, leaf)
        return found

    def leaves(self, leaf: Expr) -> Items:
        """The scalar leaves that stand for the elements of a parameter or variable."""
        found = self._leaves.get(leaf)
        if found is None:
            found = self.own_leaves(leaf)
            if leaf.op == "variable" and leaf.shape and leaf.name in self._symmetric:
                found = lower_leaves(found, leaf.shape[0])
            self._leaves[leaf] = found
        return found

    def learn(self, array: Expr, constants: Mapping[Expr, Expr]) -> None:
        """From now on these values stand for the elements of the array that are among the leaves."""
        if not constants:
            return
        own = self._tables.get(array)
        if own is None:
            own = self._tables[array] = frozenset(self.leaves(array))
        for leaf, value in constants.items():
            if leaf in own:
                self.values.setdefault(leaf, value)
                self._partly_known.add(array)

    def forget(self, exprs: list[Expr]) -> None:
        """Work these out again when they are needed again, arrays under all their names."""
        for expr in exprs:
            self._memo.pop(expr, None)
            for other in self._other_names.pop(expr, ()):
                self._memo.pop(other, None)

    def _special(self, node: Expr, children: Items, origin: Origin | None) -> Items:
        """Operators that are no functions of the elements of the arguments alone."""
        op, memo, pool = node.op, self._memo, self.pool
        if op == "new":
            return tuple([pool.node("new", (x,)) for x in memo[node.args[0]]])
        if op in EVENT_OPS:
            return (pool.node(op, tuple([memo[a][0] for a in children])),)
        if op == "der":
            return tuple([total(pool, x, self._slopes) for x in memo[node.args[0]]])
        return self._solution(node, children, origin)

    def _leaf(self, node: Expr) -> Items:
        if not node.shape:
            return (self.values.get(node, node),)
        return self._leaf_items(node) if node.op in _ARRAYS else ()

    def _leaf_items(self, node: Expr, positions: Iterable[int] | None = None) -> Items:
        """Elements of a parameter or variable: all, or those at some positions without looking at all the others."""
        pool, values, kept, sign = self.pool, self.values, node, 1
        if node.op == "variable" and (node.order or node in self._merged):
            kept, sign = stands_for(pool, node, self._merged)
            if kept.name != node.name:
                self._other_names.setdefault(kept, []).append(node)
                node = pool.variable(kept.name, node.order, node.shape)
        found = self.leaves(node)
        if positions is not None:
            found = tuple([found[i] for i in positions])
        if node.op == "parameter":
            return tuple([values.get(x, x) for x in found])
        if kept in self._partly_known:
            if node.order:
                base = self.leaves(kept)
                at = range(len(base)) if positions is None else positions
                found = tuple([pool.zero if base[i] in values else x for x, i in zip(found, at, strict=True)])
            else:
                found = tuple([values.get(x, x) for x in found])
        return found if sign > 0 else tuple([pool.neg(x) for x in found])

    # ------------------------------------------------------------- inverses

    def _solution(self, node: Expr, children: Items, origin: Origin | None) -> Items:
        """x of A*x = b, or of x*A = b: numbers where A is known, else new unknowns."""
        on_left = node.op == "inverse" or node.args[0].op == "inverse"
        matrix = children[0] if on_left else children[1]
        known = self._memo[matrix]
        size = matrix.shape[0]
        if size == 1:
            factors = None if node.op == "inverse" else self._memo[children[1 if on_left else 0]]
            return reciprocals(self.pool, known[0], factors, origin)
        inverse: Items | None = None
        if all(x.op == "const" for x in known):
            inverse = inverted(self.pool, known, size, origin)
        if node.op == "inverse":
            pool = self.pool
            unit = tuple([pool.one if i % (size + 1) == 0 else pool.zero for i in range(size * size)])
            return inverse if inverse is not None else self._unknowns(matrix, unit, node.shape, True, origin)
        right = children[1] if on_left else children[0]
        if inverse is None:
            return self._unknowns(matrix, self._memo[right], node.shape, on_left, origin)
        args = [inverse, self._memo[right]] if on_left else [self._memo[right], inverse]
        return elements(self.pool, node, args)

    def _unknowns(self, matrix: Expr, right: Items, shape: Shape, on_left: bool, origin: Origin | None) -> Items:
        if origin is None:
            raise InternalError("scalarize", "an inverse outside of equations")
        pool, element = self.pool, origin.become(How.ELEMENT)
        name: Name = (*origin.path, f"inverse${len(self.variables) + 1}")
        whole = pool.variable(name, 0, shape)
        unknowns = self.leaves(whole)
        self.variables += [Variable(x, "local", "real", element) for x in unknowns]
        product = pool.node("matmul", (matrix, whole) if on_left else (whole, matrix), None, shape)
        factors = [self._memo[matrix], unknowns] if on_left else [unknowns, self._memo[matrix]]
        sums = elements(pool, product, factors)
        self.equations += [Equation(left, x, element) for left, x in zip(sums, right, strict=True)]
        return unknowns


_SPECIAL = frozenset(("new", "der", "inverse", "matmul", *EVENT_OPS))
"""Operators that `Expansion` makes by more than the elements of their arguments."""

_ARRAYS = ("variable", "parameter")
"""Leaves that may be arrays."""

_serial = attrgetter("serial")


def _children(node: Expr) -> Items:
    """Operands of a product: for a product with an inverse, the matrix itself."""
    left, right = node.args
    if left.op == "inverse":
        return (left.args[0], right)
    if right.op == "inverse":
        return (left, right.args[0])
    return node.args
