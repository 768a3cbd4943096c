"""Interning: each node exists once; leaves by their names and numbers."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from acausal.ir.expr import ARRAY, EVENT, FLAGS, RATE, Expr, Payload, Shape, creation
from acausal.ir.kinds import ExprOp
from acausal.ir.names import Name

Picked = Callable[[list[Expr]], tuple[Expr, ...]]
NewNode = tuple[ExprOp, Picked, Any]
"""A node that is to be made: its operator, what picks its arguments from those before, and its flags.

In their place stands the order of a variable, which is a derivative, and the number of a constant, which may be old.
"""


class Interning:
    """The nodes of one translation, in the order of creation."""

    def __init__(self) -> None:
        self._all: list[Expr] = []
        self._plain: defaultdict[str, dict[Any, Expr]] = defaultdict(dict)
        self._others: dict[Any, Expr] = {}
        self._constants: dict[float, Expr] = {}
        self._variables: defaultdict[int, dict[Name | tuple[Name, Shape], Expr]] = defaultdict(dict)
        self._rest: dict[Expr, tuple[float, Expr]] = {}
        self._others_flags = 0
        self.verified = 0  # so many nodes `ir.check` has examined
        self.zero = self.const(0)
        self.one = self.const(1)
        self.true = self.node("boolean", (), True)
        self.false = self.node("boolean", (), False)
        self.time = self.node("time", ())

    def __len__(self) -> int:
        return len(self._all)

    def owns(self, node: Expr) -> bool:
        """Return True for a node of this pool."""
        return node.serial < len(self._all) and self._all[node.serial] is node

    def made_since(self, count: int) -> list[Expr]:
        """The nodes but for the first `count`, in the order of creation."""
        return self._all[count:]

    def node(self, op: ExprOp, args: tuple[Expr, ...], value: Payload = None, shape: Shape = ()) -> Expr:
        """The node as it stands, without any simplification."""
        key: tuple[object, ...] = args
        if args and value is None and not shape:  # an operation on scalars: nearly all nodes
            table = self._plain[op]
        else:
            table, key = self._others, (op, args, value, shape)
            self._others_flags |= FLAGS.get(op, 0)
        found = table.get(key)
        if found is not None:
            return found
        flags = FLAGS.get(op, 0)
        if shape:
            flags |= ARRAY
        for arg in args:
            flags |= arg.flags
        if op == "noevent":
            flags &= ~EVENT
        all_ = self._all
        found = table[key] = Expr(op, args, value, 0, shape, len(all_), flags)
        all_.append(found)
        return found

    def make_new(self, steps: Sequence[NewNode], values: list[Expr]) -> bool:
        """Make nodes on scalars as they stand and append them to `values`; False at the first that there is already."""
        all_, plain = self._all, self._plain
        for op, picked, given in steps:
            args = picked(values)
            if op == "const":
                made = self.const(given)
            elif op == "variable":
                name = args[0].name
                if name in self._variables[given]:
                    return False
                made = self.variable(name, given)
            else:
                table = plain[op]
                if args in table:
                    return False
                made = table[args] = Expr(op, args, None, 0, (), len(all_), given)
                all_.append(made)
            values.append(made)
        return True

    def has_operations(self, op: str) -> bool:
        """True if a node applies this operator to scalars."""
        return bool(self._plain[op])

    def has_flag(self, mark: int) -> bool:
        """True if an operator has been used that has this flag itself, be it of nodes that nothing needs any more."""
        used = [FLAGS.get(op, 0) for op, nodes in self._plain.items() if nodes]
        return bool(self._others_flags & mark or [flags for flags in used if flags & mark])

    def operations(self, *ops: str) -> list[Expr]:
        """All nodes made so far that apply one of these operators to scalars, in the order of their making."""
        return sorted([node for op in ops for node in self._plain[op].values()], key=creation)

    def const(self, value: float) -> Expr:
        """A number."""
        value = float(value) + 0.0  # no negative zero
        found = self._constants.get(value)
        if found is None:
            found = self._constants[value] = Expr("const", (), value, 0, (), len(self._all), 0)
            self._all.append(found)
        return found

    def boolean(self, value: bool) -> Expr:
        """`true` or `false`."""
        return self.true if value else self.false

    def parameter(self, name: Name, shape: Shape = ()) -> Expr:
        """A parameter of the given shape."""
        return self.node("parameter", (), name, shape)

    def variable(self, name: Name, order: int = 0, shape: Shape = ()) -> Expr:
        """A variable or its derivative of the given order."""
        table = self._variables[order]
        found = table.get((name, shape) if shape else name)
        if found is None:
            flags = FLAGS["variable"] | (ARRAY if shape else 0) | (RATE if order else 0)
            found = Expr("variable", (), name, order, shape, len(self._all), flags)
            table[(name, shape) if shape else name] = found
            self._all.append(found)
        return found

    def scalars(self, names: Iterable[Name], order: int = 0) -> tuple[Expr, ...]:
        """The scalar variables of these names, or their derivatives: `variable` for many at once."""
        table, all_, flags = self._variables[order], self._all, FLAGS["variable"] | (RATE if order else 0)
        found = []
        for name in names:
            leaf = table.get(name)
            if leaf is None:
                leaf = table[name] = Expr("variable", (), name, order, (), len(all_), flags)
                all_.append(leaf)
            found.append(leaf)
        return tuple(found)

    def frozen(self, name: Name) -> Expr:
        """A value that changes at events only: a discrete variable, or the truth of a relation."""
        return self.node("frozen", (), name)

    def derivative(self, variable: Expr) -> Expr:
        """The next derivative of a variable."""
        return self.variable(variable.name, variable.order + 1, variable.shape)
