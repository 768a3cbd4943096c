"""Expressions of kernels to typed trees."""

import ast
import math

from acausal.runtime.kernel.language import bits_of, floor, fma, from_bits, nearest, sqrt, tail
from acausal.runtime.kernel.overlay import overlay
from acausal.runtime.kernel.scope import Scope
from acausal.runtime.kernel.signature import fields, signature, type_of
from acausal.runtime.kernel.tree import (
    Binary,
    Call,
    Choice,
    Comparison,
    Convert,
    Element,
    Expression,
    Field,
    Invoke,
    Literal,
    Local,
    Logic,
    Overlaid,
    Primitive,
    Tail,
    Unary,
)
from acausal.runtime.kernel.types import InnerArray, RoutineType, Scalar, StructType, Type, shown

ITEMS = {Scalar.REALS: Scalar.REAL, Scalar.INTS: Scalar.INT, Scalar.CINTS: Scalar.INT}
_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.LShift: "<<",
}
_OF_INTS, _OF_REALS = "+ - * & ^ <<".split(), "+ - * /".split()
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
PRIMITIVES = {
    "abs": (1,),
    "min": (2, 3),
    "max": (2, 3),
    **{f.__name__: (1,) for f in (floor, nearest, sqrt)},
    fma.__name__: (3,),
}
"""Functions of Real, `min` and `max` of Int as well, with the numbers of arguments they take."""
_BITS = {bits_of.__name__: (Scalar.REAL, Scalar.INT), from_bits.__name__: (Scalar.INT, Scalar.REAL)}
"""Functions between Real and Int."""


def is_base(base: Type, kind: Type) -> bool:
    """True if a structure begins with the fields of another one."""
    return isinstance(base, StructType) and isinstance(kind, StructType) and issubclass(kind.struct, base.struct)


class Expressions:
    """Typed trees of the expressions of one kernel."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def of(self, node: ast.expr, wanted: Type | None = None) -> Expression:
        """The tree of an expression, of the type that is wanted."""
        found = self._any(node)
        if wanted is None or found.type == wanted:
            return found
        if wanted is Scalar.CINT and found.type is Scalar.INT:
            return Convert(found, wanted)
        if is_base(wanted, found.type):
            return Convert(found, wanted)
        raise self.scope.error(node, f"{shown(wanted)} is required, this is {shown(found.type)}")

    def _any(self, node: ast.expr) -> Expression:
        match node:
            case ast.Constant():
                return self._literal(node, node.value)
            case ast.Name():
                return self._name(node)
            case ast.Attribute() | ast.Subscript():
                place = self.place(node)
                return Convert(place, Scalar.REALS) if isinstance(place.type, InnerArray) else place
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Call():
                return self._call(node)
        return self._truth(node)

    def _truth(self, node: ast.expr) -> Expression:
        match node:
            case ast.Compare():
                return self._comparison(node)
            case ast.BoolOp():
                parts = tuple([self.of(part, Scalar.BOOL) for part in node.values])
                return Logic("and" if isinstance(node.op, ast.And) else "or", parts)
            case ast.IfExp():
                test, yes = self.of(node.test, Scalar.BOOL), self.of(node.body)
                return Choice(test, yes, self.of(node.orelse, yes.type), yes.type)
        raise self.scope.error(node, "no such expression")

    def _literal(self, node: ast.AST, value: object) -> Literal:
        if isinstance(value, bool):
            return Literal(value, Scalar.BOOL)
        if isinstance(value, int):
            return Literal(value, Scalar.INT)
        if isinstance(value, float):
            return Literal(value, Scalar.REAL)
        raise self.scope.error(node, "a number is required")

    def _name(self, node: ast.Name) -> Expression:
        kind = self.scope.types.get(node.id)
        if kind is None:
            return self._literal(node, self.scope.constant(node.id))._replace(name=node.id)
        if node.id not in self.scope.assigned:
            raise self.scope.error(node, "not assigned on every way to here")
        return Local(node.id, kind)

    def place(self, node: ast.expr) -> Field | Element:
        """A field of a structure or an element of an array."""
        match node:
            case ast.Attribute():
                base = self.of(node.value)
                known = fields(base.type.struct) if isinstance(base.type, StructType) else {}
                if node.attr not in known:
                    raise self.scope.error(node, "no such field")
                index, kind = known[node.attr]
                return Field(base, index, node.attr, kind)
            case ast.Subscript():
                array = self.of(node.value)
                item = ITEMS.get(array.type) if isinstance(array.type, Scalar) else None
                if item is None:
                    raise self.scope.error(node, "an array is required")
                return Element(array, self.of(node.slice, Scalar.INT), item)
        raise self.scope.error(node, "a variable, field or element is required")

    def _binary(self, node: ast.BinOp) -> Expression:
        op, left = _BINARY.get(type(node.op)), self.of(node.left)
        right = self.of(node.right, left.type)
        known = {Scalar.INT: _OF_INTS, Scalar.REAL: _OF_REALS}.get(left.type) if isinstance(left.type, Scalar) else None
        if op is None or op not in (known or ()):
            raise self.scope.error(node, "no such operation")
        return Binary(op, left, right, left.type)

    def _unary(self, node: ast.UnaryOp) -> Expression:
        if isinstance(node.op, ast.Not):
            return Unary("not", self.of(node.operand, Scalar.BOOL), Scalar.BOOL)
        operand = self.of(node.operand)
        if not isinstance(node.op, ast.USub) or operand.type not in (Scalar.REAL, Scalar.INT):
            raise self.scope.error(node, "no such operation")
        if isinstance(operand, Literal) and not operand.name:
            return Literal(-operand.value, operand.type)
        return Unary("-", operand, operand.type)

    def _comparison(self, node: ast.Compare) -> Expression:
        op = _COMPARE.get(type(node.ops[0]))
        if op is None or len(node.ops) != 1:
            raise self.scope.error(node, "no such comparison")
        left = self.of(node.left)
        right = self.of(node.comparators[0], left.type)
        ordered = left.type in (Scalar.REAL, Scalar.INT)
        if not ordered and not (left.type in (Scalar.BOOL, Scalar.ADDRESS) and op in ("==", "!=")):
            raise self.scope.error(node, "no such comparison")
        return Comparison(op, left, right)

    # ------------------------------------------------------------------ calls

    def _call(self, node: ast.Call) -> Expression:
        if node.keywords:
            raise self.scope.error(node, "arguments have no names")
        if isinstance(node.func, ast.Attribute):
            return self._invoke(node, self.place(node.func))
        if not isinstance(node.func, ast.Name):
            raise self.scope.error(node, "no such function")
        name, count = node.func.id, len(node.args)
        if isinstance(self.scope.types.get(name), RoutineType):
            return self._invoke(node, self._name(node.func))
        if name == "int" and count == 1:
            found = self.of(node.args[0])
            return Convert(found if found.type is Scalar.CINT else self.of(node.args[0], Scalar.REAL), Scalar.INT)
        special = {("float", 1): self._to_real, (tail.__name__, 2): self._tail, (overlay.__name__, 3): self._overlay}
        if (name, count) in special:
            return special[name, count](node)
        if name in _BITS and count == 1:
            source, kind = _BITS[name]
            return Primitive(name, (self.of(node.args[0], source),), kind)
        if count in PRIMITIVES.get(name, ()):
            is_int = name in ("min", "max") and self.of(node.args[0]).type is Scalar.INT
            kind = Scalar.INT if is_int else Scalar.REAL
            return Primitive(name, tuple([self.of(a, kind) for a in node.args]), kind)
        callee = self.scope.kernel(name)
        if callee is None:
            raise self.scope.error(node, "no such function")
        parameters, result = signature(callee)
        if len(parameters) != count:
            raise self.scope.error(node, f"{len(parameters)} arguments are required")
        given = [self.of(a, type_of(kind)) for a, (_, kind) in zip(node.args, parameters, strict=True)]
        call = Call(name, tuple(given), type_of(result) or Scalar.NOTHING)
        return Convert(call, Scalar.INT) if call.type is Scalar.CINT else call

    def _to_real(self, call: ast.Call) -> Expression:
        node = call.args[0]
        if isinstance(node, ast.Constant) and node.value in ("inf", "nan"):
            return Literal(math.inf if node.value == "inf" else math.nan, Scalar.REAL)
        found = self.of(node)
        if found.type not in (Scalar.INT, Scalar.BOOL):
            raise self.scope.error(node, "Int or Bool is required")
        return Convert(found, Scalar.REAL)

    def _tail(self, node: ast.Call) -> Expression:
        array = self.of(node.args[0])
        if array.type not in ITEMS:
            raise self.scope.error(node, "an array is required")
        return Tail(array, self.of(node.args[1], Scalar.INT), array.type)

    def _overlay(self, node: ast.Call) -> Expression:
        name = node.args[0]
        struct = self.scope.overlay(name.id) if isinstance(name, ast.Name) else None
        if struct is None:
            raise self.scope.error(node, "a structure that lies in an array is required")
        return Overlaid(self.of(node.args[1], Scalar.REALS), self.of(node.args[2], Scalar.INT), StructType(struct))

    def _invoke(self, node: ast.Call, routine: Expression) -> Expression:
        kind = routine.type
        if not isinstance(kind, RoutineType) or not isinstance(routine, Field | Local):
            raise self.scope.error(node, "no such routine")
        if len(kind.parameters) != len(node.args):
            raise self.scope.error(node, f"{len(kind.parameters)} arguments are required")
        given = tuple([self.of(a, k) for a, k in zip(node.args, kind.parameters, strict=True)])
        call = Invoke(routine, kind, given, kind.result)
        return Convert(call, Scalar.INT) if kind.result is Scalar.CINT else call
