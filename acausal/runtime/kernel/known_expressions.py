"""Values of expressions of kernels as far as they are known, by what is known of variables and of fields."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from acausal.runtime.kernel.known_values import (
    ANY,
    Bound,
    Interval,
    Known,
    Routine,
    Structure,
    Table,
    Values,
    bounds,
    combined,
    compared,
    either,
)
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
    Primitive,
    Unary,
)
from acausal.runtime.kernel.types import Scalar


class KnownExpressions(ABC):
    """Expressions of the kernels of one model; `fields` gives what is known of a field of a structure."""

    def __init__(self, fields: Callable[[str, str], Known]) -> None:
        self._fields = fields

    @abstractmethod
    def _called(self, name: str, arguments: tuple[Known, ...]) -> tuple[float, Known]:
        """Operations of a call at most, and what is known of its result."""

    def _interval(self, value: Expression, values: Values) -> Interval:
        found = self._value(value, values)
        return bounds(found) if isinstance(found, Interval | Table) else ANY

    def _value(self, value: Expression, values: Values) -> Known:
        """The value of an expression as far as it is known."""
        match value:
            case Literal(number, kind):
                return bool(number) if kind is Scalar.BOOL else Interval(number, number) if kind is Scalar.INT else None
            case Local(name):
                return values.get(name)
            case Field(base, _, name):
                structure = self._value(base, values)
                return self._fields(structure.name, name) if isinstance(structure, Structure) else None
            case Convert(operand):
                return self._value(operand, values)
            case Binary(op, left, right, Scalar.INT):
                return combined(op, self._interval(left, values), self._interval(right, values))
            case Unary("-", operand, Scalar.INT):
                known = self._interval(operand, values)
                return Interval(-known.high, -known.low)
            case Primitive("min" | "max" as name, arguments, Scalar.INT):
                known_all = [self._interval(a, values) for a in arguments]
                chosen = min if name == "min" else max
                return Interval(chosen([k.low for k in known_all]), chosen([k.high for k in known_all]))
            case Call(name, arguments):
                return self._called(name, tuple([self._value(a, values) for a in arguments]))[1]
            case Invoke(routine, _, arguments):
                called = self._value(routine, values)
                if isinstance(called, Bound):
                    return self._called(called.kernel, tuple([self._value(a, values) for a in arguments]))[1]
                return Interval(0, 0) if isinstance(called, Routine) and called.succeeds else None
            case Element(array):
                table = self._value(array, values)
                return table if isinstance(table, Table) and table.numbers else None
        return self._truth(value, values)

    def _truth(self, value: Expression, values: Values) -> Known:
        match value:
            case Comparison(op, left, right) if left.type is Scalar.INT:
                table, number = self._value(left, values), self._interval(right, values)
                is_other = isinstance(table, Table) and number.low == number.high and number.low not in table.numbers
                if is_other and op in ("==", "!="):
                    return op == "!="
                return compared(op, self._interval(left, values), self._interval(right, values))
            case Unary("not", operand):
                known = self._value(operand, values)
                return not known if isinstance(known, bool) else None
            case Logic(op, parts):
                known_parts = [self._value(part, values) for part in parts]
                if any(part is (op == "or") for part in known_parts):
                    return op == "or"
                return op == "and" if all(isinstance(part, bool) for part in known_parts) else None
            case Choice(test, yes, no):
                known = self._value(test, values)
                if isinstance(known, bool):
                    return self._value(yes if known else no, values)
                return either(self._value(yes, values), self._value(no, values))
        return None
