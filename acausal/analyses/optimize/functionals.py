"""Objectives and constraints: expressions of numbers that are made of trajectories.

integral(u^2) + 10*final(x)^2      final(x) = 1      -1 <= u <= 1      max(F) <= 100

`final`, `first`, `integral`, `max`, `min` make a number of an expression in variables, the functional; what stands
outside of them is an expression of these numbers. A constraint without any is one at every instant (a path constraint).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from math import inf, pi
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.frozen import dataclass
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.operator import Event
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool
from acausal.ir.walk import postorder as nodes_below
from acausal.results.expression_tree import derivative_name, parsed, postorder, reference_name
from acausal.symbolic.differentiate import differentiate

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

KINDS = ("final", "first", "integral", "max", "min")
_COMPARED = re.compile(r"<=|>=|==|=|<|>")
FORMS = "for example final(x) = 1, -1 <= u <= 1, max(F) <= 100"


@dataclass(frozen=True, slots=True)
class Functional:
    """A number made of an expression in variables; `kind` is one of `KINDS`."""

    kind: str
    inner: Expr


@dataclass(frozen=True, slots=True)
class Constraint:
    """An expression between two bounds; `is_path` if it holds at each instant."""

    text: str
    expr: Expr
    low: float
    high: float
    is_path: bool


@dataclass(eq=False)
class Functionals:
    """All expressions of a problem in one pool: `variables` are their leaves by name, `found` functionals by leaf.

    `require` raises the error for a name that is no variable.
    """

    require: Callable[[str, Label], None]
    pool: Pool = field(default_factory=Pool)
    variables: dict[str, Expr] = field(default_factory=dict)
    found: dict[Expr, Functional] = field(default_factory=dict)

    def objective(self, text: str) -> Expr:
        """The expression to be minimized; UsageError F010 where it is not a single number."""
        tree = parsed(text)
        expr = self._expr(tree)
        if self._free(expr):
            hint = f"choose a value of it: {', '.join([f'{kind}({text.strip()})' for kind in KINDS])}"
            raise UsageError(
                Diagnostic("F010", "the objective is not a number, but a trajectory", Label(tree.span), help=hint)
            )
        return expr

    def constraint(self, text: str) -> Constraint:
        """A constraint from its text; UsageError F010 where it is none."""
        signs = _COMPARED.findall(text)
        parts = [self._expr(parsed(part)) for part in _COMPARED.split(text)] if 0 < len(signs) < 3 else []
        if not parts or (len(signs) == 2 and signs[0][0] + signs[1][0] not in ("<<", ">>")):
            raise UsageError(Diagnostic("F010", f"{text.strip()} is not a constraint", help=FORMS))
        if len(signs) == 2:
            bounds = [self._number(part, text) for part in (parts[0], parts[2])]
            low, high = bounds if signs[0][0] == "<" else bounds[::-1]
            return self._made(text, parts[1], low, high)
        left, right = parts
        if left.op == "const":
            left, right = right, left
            signs = [signs[0].translate(str.maketrans("<>", "><"))]
        known = right.number if right.op == "const" else None
        expr = left if known is not None else self.pool.sub(left, right)
        bound = 0.0 if known is None else known
        return self._made(text, expr, -inf if signs[0][0] == "<" else bound, inf if signs[0][0] == ">" else bound)

    def _made(self, text: str, expr: Expr, low: float, high: float) -> Constraint:
        free = self._free(expr)
        if free and any(leaf in self.found for leaf in nodes_below([expr])):
            hint = f"{next(iter(free))} is a trajectory: write final({next(iter(free))}), or a constraint of its own"
            raise UsageError(Diagnostic("F010", f"{text.strip()} mixes numbers and trajectories", help=hint))
        if not free and not any(leaf in self.found for leaf in nodes_below([expr])):
            raise UsageError(Diagnostic("F010", f"{text.strip()} contains no variable", help=FORMS))
        if low > high:
            raise UsageError(
                Diagnostic("F010", f"{text.strip()}: the lower bound is above the upper bound", help=FORMS)
            )
        return Constraint(" ".join(text.split()), expr, low, high, bool(free))

    def _number(self, expr: Expr, text: str) -> float:
        if expr.op != "const":
            raise UsageError(Diagnostic("F010", f"the bounds of {text.strip()} must be numbers", help=FORMS))
        return expr.number

    def _free(self, expr: Expr) -> list[str]:
        """Variables outside of functionals."""
        names = {leaf: name for name, leaf in self.variables.items()}
        return [names[leaf] for leaf in nodes_below([expr]) if leaf in names]

    def _expr(self, tree: ast.Expression) -> Expr:
        values: list[Expr] = []
        for node, count in postorder(tree):
            operands = values[len(values) - count :]
            del values[len(values) - count :]
            values.append(self._node(node, operands))
        return values[0]

    def _node(self, node: ast.Expression, operands: Sequence[Expr]) -> Expr:
        pool = self.pool
        match node:
            case ast.Number(text=number):
                return pool.const(float(number))
            case ast.Reference():
                return self._variable(reference_name(node), node)
            case ast.Unary(operator="-"):
                return pool.neg(operands[0])
            case ast.Unary(operator="+"):
                return operands[0]
            case ast.Sum(operators=operators):
                signed = zip(("+", *operators), operands, strict=True)
                return pool.add(*[x if sign == "+" else pool.neg(x) for sign, x in signed])
            case ast.Product(operators=operators):
                total = operands[0]
                for sign, x in zip(operators, operands[1:], strict=True):
                    total = pool.div(total, x) if sign == "/" else pool.mul(total, x)
                return total
            case ast.Power():
                return pool.pow(operands[0], operands[1])
            case ast.Call():
                return self._call(node, operands)
        hint = "use numbers, names of variables, + - * / ^ and smooth functions"
        raise UsageError(Diagnostic("F010", "this has no derivative", Label(node.span), help=hint))

    def _variable(self, name: str, node: ast.Expression) -> Expr:
        if name == "pi":
            return self.pool.const(pi)
        if name not in self.variables:
            self.require(name, Label(node.span))
            self.variables[name] = self.pool.variable((name,))
        return self.variables[name]

    def _call(self, node: ast.Call, operands: Sequence[Expr]) -> Expr:
        name = node.name
        if name == "der":
            return self._variable(derivative_name(node), node)
        if name in KINDS and len(operands) == 1:
            (inner,) = operands
            if any(leaf in self.found for leaf in nodes_below([inner])):
                message = f"{name} of a number, not of a trajectory"
                raise UsageError(Diagnostic("F010", message, Label(node.span), help=f"remove {name}"))
            made = Functional(name, inner)
            known = next((leaf for leaf, other in self.found.items() if other == made), None)
            leaf = known or self.pool.variable((f"{name} {len(self.found)}",))
            self.found[leaf] = made
            return leaf
        row = OPS.get(name)
        if (
            row is None
            or row.partials is None
            or row.arity != len(operands)
            or row.event in (Event.JUMP, Event.RELATION)
        ):
            hint = f"functions of trajectories: {', '.join(KINDS)}"
            raise UsageError(Diagnostic("F010", f"{name} cannot be differentiated here", Label(node.span), help=hint))
        return self.pool.call(row.name, *operands)


class Evaluation:
    """Values and slopes of expressions along the leaves, for many values of the leaves at once."""

    def __init__(self, pool: Pool, exprs: Sequence[Expr], leaves: Sequence[Expr]) -> None:
        self._leaves = tuple(leaves)
        self._exprs = tuple(exprs)
        self._slopes = [[differentiate(pool, e, {leaf: pool.one}, {}) for leaf in leaves] for e in exprs]

    def __call__(self, values: "Array") -> "tuple[Array, Array]":
        """Values (rows, expressions) and slopes (rows, expressions, leaves) for values (rows, leaves) of the leaves."""
        import numpy as np

        known = {leaf: values[:, k] for k, leaf in enumerate(self._leaves)}
        roots = [*self._exprs, *[s for slopes in self._slopes for s in slopes]]
        for node in nodes_below(roots):
            if node not in known:
                known[node] = _vector(node, [known[a] for a in node.args])
        rows = len(values)
        found = np.array([np.broadcast_to(known[root], rows) for root in roots]).reshape(len(roots), rows).T
        n, m = len(self._exprs), len(self._leaves)
        return found[:, :n].copy(), found[:, n:].reshape(rows, n, m).copy()


def _vector(node: Expr, given: "Sequence[Array]") -> "Array":
    """The value of one operator for arrays."""
    import numpy as np

    if not node.args:
        return np.asarray(float(node.value))  # type: ignore[arg-type]  # a number
    if node.op == "if":
        return np.where(*given)
    reduced = {"add": np.add, "mul": np.multiply}.get(node.op)
    if reduced is not None:
        total = given[0]
        for other in given[1:]:
            total = reduced(total, other)
        return np.asarray(total)
    binary = {"neg": np.negative, "pow": np.power, "div": np.divide, "sub": np.subtract}.get(node.op)
    function = binary or getattr(np, OPS[node.op].numpy)
    return np.asarray(function(*given))
