"""Classes of variables that are equal up to sign, each with at most one value, and the equations that made them.

A union-find structure with signs: `root` and `sign` of a leaf give x = sign * root.
The caller says which side of a join is smaller, so the ways between leaves are short.
"""

from collections.abc import Mapping, Sequence

from acausal.ir.expr import Expr
from acausal.ir.pool import Pool


class SignedUnionFind:
    """Mutable while aliases are sought; a leaf never mentioned is a class of its own.

    `parent` has leaf and sign that a leaf was joined to (a root has none), `joined` holds the leaves that others
    were joined to, `values` the parameter expressions that roots equal, `given` the equations that gave these: who
    asks often looks into these first.
    """

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.parent: dict[Expr, tuple[Expr, int]] = {}
        self.values: dict[Expr, Expr] = {}
        self.joined: set[Expr] = set()
        self.given: dict[Expr, int] = {}
        self._step: dict[Expr, tuple[int, Expr]] = {}

    def find(self, leaf: Expr) -> tuple[Expr, int]:
        """Root and sign of a leaf; paths are shortened on the way."""
        parent = self.parent
        found = parent.get(leaf)
        if found is None:
            return leaf, 1
        if found[0] not in parent:
            return found
        trail = []
        while found is not None:
            trail.append((leaf, found[1]))
            leaf = found[0]
            found = parent.get(leaf)
        sign = 1
        for node, step in reversed(trail):
            sign *= step
            parent[node] = (leaf, sign)
        return leaf, sign

    def root(self, leaf: Expr) -> Expr:
        """The leaf that stands for the class."""
        return self.find(leaf)[0] if leaf in self.parent else leaf

    def sign(self, leaf: Expr) -> int:
        """1 or -1: the leaf is this times its root."""
        return self.find(leaf)[1] if leaf in self.parent else 1

    def join(self, smaller: Expr, larger: Expr, sign: int, equation: int) -> None:
        """smaller = sign * larger, both roots, as the equation of this number says."""
        self.parent[smaller] = (larger, sign)
        self.joined.add(larger)
        self._step[smaller] = equation, larger

    def fix(self, root: Expr, value: Expr, equation: int) -> None:
        """The root equals a parameter expression, as the equation of this number says."""
        self.values[root] = value
        self.given[root] = equation

    def resolve(self, leaf: Expr) -> Expr:
        """The leaf (of any order) by what is known now."""
        if leaf.op != "variable":
            return leaf
        base = self.pool.variable(leaf.name) if leaf.order else leaf
        if base not in self.parent and base not in self.values:
            return leaf
        root, sign = self.find(base)
        value = self.values.get(root)
        if value is None:
            value = self.pool.variable(root.name, leaf.order)
        elif leaf.order:
            value = self.pool.zero
        return value if sign > 0 else self.pool.neg(value)

    def derived(self, leaf: Expr, value_of: Mapping[Expr, Expr]) -> Expr:
        """The leaf (of any order) by final values: plus or minus a variable, or a parameter expression."""
        if leaf.op != "variable":
            return leaf
        value = value_of.get(self.pool.variable(leaf.name) if leaf.order else leaf)
        if value is None:
            return leaf
        if not leaf.order:
            return value
        factor, base = self.pool.split(value)
        if base.op != "variable":
            return self.pool.zero
        return self.pool.mul(self.pool.const(factor), self.pool.variable(base.name, leaf.order))

    def between(self, leaf: Expr, keeper: Expr | None) -> Sequence[int]:
        """The equations that lead from a leaf to the one that is kept; without such to the value of its class."""
        up = self._up(leaf)
        if keeper is None or (keeper not in self._step and keeper not in self.given):
            return up
        down = self._up(keeper)
        while up and down and up[-1] == down[-1]:
            up.pop()
            down.pop()
        return (*up, *reversed(down))

    def _up(self, leaf: Expr) -> list[int]:
        """The equations that joined a leaf to larger and larger classes, and the one that gave the last its value."""
        found = []
        step = self._step.get(leaf)
        while step is not None:
            equation, leaf = step
            found.append(equation)
            step = self._step.get(leaf)
        if leaf in self.given:
            found.append(self.given[leaf])
        return found
