"""Whole-array expressions -> the scalar expressions of their elements, each shared part once.

    T*v      ->      T[1,1]*v[1] + T[1,2]*v[2], ...        with elements that are known put in at once

`inverse(A)*b` becomes unknowns x with the equations A*x = b.
"""

from acausal.causalize.leaves import element_leaves, lower_leaves
from acausal.diagnostics import Diagnostic, InternalError, Label, ModelError
from acausal.elaborate.evaluate import invert
from acausal.ir.expr import Expr, Pool, Shape
from acausal.ir.flat import Equation, Variable
from acausal.ir.names import Name, show_name
from acausal.ir.ops import EVENT_OPS, OPS
from acausal.ir.origin import How, Origin
from acausal.symbolic.differentiate import total
from acausal.symbolic.elements import elements
from acausal.symbolic.substitute import rebuild

Items = tuple[Expr, ...]


class Expansion:
    """Elements of expressions; `values` are the numbers that stand for leaves, of parameters and of variables.

    Arrays named in `symmetric` have a lower triangle only.

    `variables` and `equations` collect what inverses need.
    """

    def __init__(self, pool: Pool, values: dict[Expr, Expr], symmetric: frozenset[Name] = frozenset()) -> None:
        self.pool = pool
        self.values = values
        self._symmetric = symmetric
        self.variables: list[Variable] = []
        self.equations: list[Equation] = []
        self._memo: dict[Expr, Items] = {}
        self._slopes: dict[Expr, Expr] = {}
        self._own: dict[Expr, Items] = {}
        self._leaves: dict[Expr, Items] = {}
        self._tables: dict[Expr, dict[Expr, None]] = {}

    def items(self, expr: Expr, origin: Origin | None = None) -> Items:
        """The elements of the expression, row by row; `origin` is that of the equation it stands in."""
        memo = self._memo
        found = memo.get(expr)
        if found is not None:
            return found
        stack = [expr]
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            children = _children(node)
            missing = [a for a in children if a not in memo]
            if missing:
                missing.reverse()
                stack += missing
                continue
            stack.pop()
            memo[node] = self._items(node, children, origin)
        return memo[expr]

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

    def leaf_table(self, leaf: Expr) -> dict[Expr, None]:
        """Its scalar leaves, to look one up."""
        found = self._tables.get(leaf)
        if found is None:
            found = self._tables[leaf] = dict.fromkeys(self.leaves(leaf))
        return found

    def forget(self, exprs: list[Expr]) -> None:
        """Work these out again when they are needed again."""
        for expr in exprs:
            self._memo.pop(expr, None)

    def _items(self, node: Expr, children: Items, origin: Origin | None) -> Items:
        op, memo = node.op, self._memo
        if op == "index" and not children:
            return self._picked(node)
        if not children and op != "array" and op != "stack":
            return self._leaf(node)
        if op in OPS:
            args = tuple([memo[a][0] for a in children])
            return (node,) if args == node.args else (rebuild(self.pool, node, args),)
        if op == "new":
            return tuple([self.pool.node("new", (x,)) for x in memo[node.args[0]]])
        if op in EVENT_OPS:
            return (self.pool.node(op, tuple([memo[a][0] for a in children])),)
        if op == "der":
            return tuple([total(self.pool, x, self._slopes) for x in memo[node.args[0]]])
        if op == "inverse" or len(children) != len(node.args) or children != node.args:
            return self._solution(node, children, origin)
        return elements(self.pool, node, [memo[a] for a in children])

    def _leaf(self, node: Expr) -> Items:
        values = self.values
        if not node.shape:
            return (values.get(node, node),)
        leaves = self.leaves(node)
        if node.op == "variable" and node.order:
            base = self.leaves(self.pool.variable(node.name, 0, node.shape))
            return tuple([self.pool.zero if b in values else x for x, b in zip(leaves, base, strict=True)])
        return tuple([values.get(x, x) for x in leaves])

    def _picked(self, node: Expr) -> Items:
        """Elements of a parameter or variable, without looking at all the others."""
        leaf, values = node.args[0], self.values
        positions: tuple[int, ...] = node.value  # type: ignore[assignment]  # `index` holds positions
        leaves = self.leaves(leaf)
        if leaf.op == "variable" and leaf.order:
            base = self.leaves(self.pool.variable(leaf.name, 0, leaf.shape))
            return tuple([self.pool.zero if base[i] in values else leaves[i] for i in positions])
        return tuple([values.get(leaves[i], leaves[i]) for i in positions])

    # ------------------------------------------------------------- inverses

    def _solution(self, node: Expr, children: Items, origin: Origin | None) -> Items:
        """x of A*x = b, or of x*A = b: numbers where A is known, else new unknowns."""
        on_left = node.op == "inverse" or node.args[0].op == "inverse"
        matrix = children[0] if on_left else children[1]
        known = self._memo[matrix]
        size = matrix.shape[0]
        if size == 1:
            return self._quotients(node, children, known[0], on_left, origin)
        inverse: Items | None = None
        if all(x.op == "const" for x in known):
            inverse = self._inverted(known, size, origin)
        if node.op == "inverse":
            pool = self.pool
            unit = tuple([pool.one if i % (size + 1) == 0 else pool.zero for i in range(size * size)])
            return inverse if inverse is not None else self._unknowns(matrix, unit, node.shape, True, origin)
        right = children[1] if on_left else children[0]
        if inverse is None:
            return self._unknowns(matrix, self._memo[right], node.shape, on_left, origin)
        args = [inverse, self._memo[right]] if on_left else [self._memo[right], inverse]
        return elements(self.pool, node, args)

    def _quotients(self, node: Expr, children: Items, divisor: Expr, on_left: bool, origin: Origin | None) -> Items:
        """The inverse of one number is its reciprocal, so that it cancels against the number."""
        if divisor is self.pool.zero:
            raise _singular(origin)
        reciprocal = self.pool.pow(divisor, self.pool.const(-1))
        if node.op == "inverse":
            return (reciprocal,)
        return tuple([self.pool.mul(reciprocal, x) for x in self._memo[children[1 if on_left else 0]]])

    def _inverted(self, known: Items, size: int, origin: Origin | None) -> Items:
        try:
            return tuple([self.pool.const(float(x)) for x in invert(tuple([x.number for x in known]), size)])
        except ZeroDivisionError:
            raise _singular(origin) from None

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


def _singular(origin: Origin | None) -> ModelError:
    """T010: what is inverted is zero, or a singular matrix of numbers."""
    label = None if origin is None else Label(origin.span)
    where = f" in {show_name(origin.path)}" if origin is not None and origin.path else ""
    message = f"this has no value{where}: inverse of a singular matrix"
    hint = "look for a mass, an inertia, an axis or another factor that is zero there"
    return ModelError(Diagnostic("T010", message, label, help=hint))


def _children(node: Expr) -> Items:
    """What must be known before: of a product with an inverse the matrix itself, for elements of a leaf nothing."""
    if node.op == "index" and node.args[0].op in ("variable", "parameter"):
        return ()
    if node.op == "matmul":
        left, right = node.args
        if left.op == "inverse":
            return (left.args[0], right)
        if right.op == "inverse":
            return (left, right.args[0])
    return node.args
