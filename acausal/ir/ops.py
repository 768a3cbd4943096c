"""The one table of scalar operators and functions.

A row says how an operator is printed, evaluated, generated and differentiated; a
new function is a row here and a test case. Array operators live in expressions
only until `scalarize` and have their own short table, `ARRAY_OPS`.
"""

import math
from collections.abc import Callable

from acausal.ir.external import external
from acausal.ir.kinds import RelationOp, ScalarOp
from acausal.ir.operator import Builder, E, Event, Op, Partials, Value


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0))


def _mod(x: float, y: float) -> float:
    return x - y * math.floor(x / y)


def _linexp(x: float) -> float:
    return x if x <= 0 else math.exp(x) - 1


def _linlog(x: float) -> float:
    return x if x <= 0 else math.log(1 + x)


def _above(p: Builder[E], x: E) -> E:
    return p.call("max", x, p.zero)


def _external_partials(p: Builder[E], a: tuple[E, ...]) -> tuple[E, ...]:
    """Functions of units; their first two arguments say which."""
    return p.zero, p.zero, *[p.call("external", p.const(-float(k)), *a) for k in range(2, len(a))]


def _square(p: Builder[E], x: E) -> E:
    return p.pow(x, p.const(2))


def _function(
    name: ScalarOp,
    evaluate: Callable[..., Value],
    partials: Partials | None,
    inverse: ScalarOp | None = None,
    intrinsic: bool = False,
) -> Op:
    """A function of one real argument, of that name in the C library."""
    numpy = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}.get(name, name)
    return Op(name, 1, evaluate, partials, numpy, f"llvm.{name}.f64" if intrinsic else name, inverse)


def _relation(name: RelationOp, evaluate: Callable[..., Value]) -> Op:
    spelled = {"<>": "!="}.get(name, name)
    ordered = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "<>": "une"}[name]
    return Op(name, 2, evaluate, None, spelled, ordered, event=Event.RELATION, boolean=True)


_ROWS = (
    Op("add", None, lambda *xs: math.fsum(xs), None, "+", "fadd"),
    Op("mul", None, lambda *xs: math.prod(xs), None, "*", "fmul"),
    Op("neg", 1, lambda x: -x, None, "-", "fneg"),
    Op("pow", 2, lambda x, y: x**y, None, "", "llvm.pow.f64"),
    _function("sin", math.sin, lambda p, a: (p.call("cos", a[0]),), intrinsic=True),
    _function("cos", math.cos, lambda p, a: (p.neg(p.call("sin", a[0])),), intrinsic=True),
    _function("tan", math.tan, lambda p, a: (p.add(p.const(1), _square(p, p.call("tan", a[0]))),)),
    _function(
        "asin", math.asin, lambda p, a: (p.div(p.const(1), p.call("sqrt", p.sub(p.const(1), _square(p, a[0])))),)
    ),
    _function(
        "acos", math.acos, lambda p, a: (p.div(p.const(-1), p.call("sqrt", p.sub(p.const(1), _square(p, a[0])))),)
    ),
    _function("atan", math.atan, lambda p, a: (p.div(p.const(1), p.add(p.const(1), _square(p, a[0]))),)),
    _function("sinh", math.sinh, lambda p, a: (p.call("cosh", a[0]),)),
    _function("cosh", math.cosh, lambda p, a: (p.call("sinh", a[0]),)),
    _function("tanh", math.tanh, lambda p, a: (p.sub(p.const(1), _square(p, p.call("tanh", a[0]))),)),
    _function("exp", math.exp, lambda p, a: (p.call("exp", a[0]),), "log", intrinsic=True),
    _function("log", math.log, lambda p, a: (p.div(p.const(1), a[0]),), "exp", intrinsic=True),
    _function("log10", math.log10, lambda p, a: (p.div(p.const(1 / math.log(10)), a[0]),), None, intrinsic=True),
    _function("sqrt", math.sqrt, lambda p, a: (p.div(p.const(0.5), p.call("sqrt", a[0])),), None, intrinsic=True),
    Op("linexp", 1, _linexp, lambda p, a: (p.call("exp", _above(p, a[0])),), inverse="linlog"),
    Op("linlog", 1, _linlog, lambda p, a: (p.div(p.const(1), p.add(p.const(1), _above(p, a[0]))),), inverse="linexp"),
    Op(
        "atan2",
        2,
        math.atan2,
        lambda p, a: (
            p.div(a[1], p.add(_square(p, a[0]), _square(p, a[1]))),
            p.div(p.neg(a[0]), p.add(_square(p, a[0]), _square(p, a[1]))),
        ),
        "arctan2",
        "atan2",
    ),
    Op("abs", 1, abs, lambda p, a: (p.call("sign", a[0]),), "abs", "llvm.fabs.f64", event=Event.KINK),
    Op("sign", 1, _sign, lambda p, a: (p.const(0),), "sign", event=Event.JUMP),
    Op(
        "floor",
        1,
        lambda x: float(math.floor(x)),
        lambda p, a: (p.const(0),),
        "floor",
        "llvm.floor.f64",
        event=Event.JUMP,
    ),
    Op(
        "ceil",
        1,
        lambda x: float(math.ceil(x)),
        lambda p, a: (p.const(0),),
        "ceil",
        "llvm.ceil.f64",
        event=Event.JUMP,
    ),
    Op(
        "mod",
        2,
        _mod,
        lambda p, a: (p.const(1), p.neg(p.call("floor", p.div(a[0], a[1])))),
        "mod",
        event=Event.JUMP,
    ),
    Op(
        "min",
        2,
        min,
        lambda p, a: (
            p.if_(p.call("<=", a[0], a[1]), p.const(1), p.const(0)),
            p.if_(p.call("<=", a[0], a[1]), p.const(0), p.const(1)),
        ),
        "minimum",
        "llvm.minnum.f64",
        event=Event.KINK,
    ),
    Op(
        "max",
        2,
        max,
        lambda p, a: (
            p.if_(p.call(">=", a[0], a[1]), p.const(1), p.const(0)),
            p.if_(p.call(">=", a[0], a[1]), p.const(0), p.const(1)),
        ),
        "maximum",
        "llvm.maxnum.f64",
        event=Event.KINK,
    ),
    _relation("<", lambda x, y: x < y),
    _relation("<=", lambda x, y: x <= y),
    _relation(">", lambda x, y: x > y),
    _relation(">=", lambda x, y: x >= y),
    _relation("==", lambda x, y: x == y),
    _relation("<>", lambda x, y: x != y),
    Op("and", None, lambda *xs: all(xs), None, "", "and", boolean=True),
    Op("or", None, lambda *xs: any(xs), None, "", "or", boolean=True),
    Op("not", 1, lambda x: not x, None, boolean=True),
    Op("if", 3, lambda c, x, y: x if c else y, None, "where"),
    Op("noevent", 1, lambda x: x, lambda p, a: (p.const(1),)),
    Op("external", None, external, _external_partials, "external", "acausal_external"),
)

OPS: dict[str, Op] = {row.name: row for row in _ROWS}

LEAVES = ("const", "boolean", "string", "parameter", "variable", "time", "frozen", "unit")

EVENT_OPS: dict[str, str] = {
    "initial": "true in the first instant",
    "sample": "true at the first time and then in even intervals: start, interval",
    "new": "the value of a discrete variable after the event",
    "delay": "the value of the first argument, the second argument ago",
}
"""Operators of events only: removed by event lifting."""

ARRAY_OPS: dict[str, str] = {
    "array": "items, row by row",
    "array_add": "sum of arrays of one shape",
    "array_neg": "negation",
    "scale": "scalar times array",
    "elementwise": "product element by element",
    "matmul": "matrix product; of two vectors the scalar product",
    "transpose": "transposed matrix",
    "cross": "cross product of two 3-vectors",
    "skew": "3 by 3 matrix of the cross product",
    "outer": "matrix of all products of two vectors",
    "diag": "diagonal matrix of a vector",
    "index": "`value` holds the flat positions that are picked",
    "stack": "blocks of a matrix; `value` holds the counts of blocks in each row",
    "array_if": "condition, then-array, else-array",
    "map": "`value` names a scalar function applied to each element",
    "reduce": "scalar: `value` (add, mul, min, max) over all elements",
    "inverse": "inverse matrix: stands for a linear system",
    "der": "time derivative of an array or of an expression",
}
