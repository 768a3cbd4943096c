"""Effects of kernels on memory; the order of evaluation is then never left to a C compiler.

C does not say in which order operands and arguments are evaluated. So where one operand changes memory no other one may
change any, or read what is changed: whoever needs both assigns one to a local variable first.
"""

from collections.abc import Mapping, Sequence

from acausal.runtime.kernel.overlay import Overlay
from acausal.runtime.kernel.scope import KernelError
from acausal.runtime.kernel.tree import (
    Call,
    Choice,
    Element,
    Expression,
    Field,
    For,
    Function,
    Invoke,
    Logic,
    Statement,
    Store,
)
from acausal.runtime.kernel.types import StructType
from acausal.runtime.kernel.walk import all_expressions, expressions, operands, parts, statements


class Effects:
    """Effects of these functions, which call no others."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self._stored = {f.name: _stored(f.body) for f in functions}
        calls = {f.name: [e.name for e in all_expressions(f.body) if isinstance(e, Call)] for f in functions}
        _close(self._stored, calls)

    def stored(self, body: Sequence[Statement]) -> set[str]:
        """The fields that a block may change; ELEMENTS and ANYTHING stand for those of arrays, and for all."""
        found = _stored(body)
        for value in all_expressions(body):
            if isinstance(value, Call):
                found |= self._stored[value.name]
        return found

    def is_constant(self, value: Expression, body: Sequence[Statement]) -> bool:
        """True if the value stays the same while the block is executed; its local variables aside."""
        stored = self.stored(body)
        for part in parts(value):
            if isinstance(part, Call | Invoke) or (isinstance(part, Element) and stored):
                return False
            if isinstance(part, Field) and not stored.isdisjoint((*_names(part), ANYTHING)):
                return False
        return True

    def check_order(self, function: Function) -> None:
        """Refuses expressions whose value depends on the order of evaluation."""
        for statement in statements(function.body):
            found = expressions(statement)
            if isinstance(statement, Store):
                self._check_operands(function, (found[0], *operands(statement.place)))
            elif isinstance(statement, For):
                self._check_operands(function, found)
            for value in found:
                self._check(function, value)

    def _check(self, function: Function, value: Expression) -> None:
        for part in parts(value):
            if not isinstance(part, Logic | Choice):  # C, too, evaluates these from left to right
                self._check_operands(function, operands(part))

    def _check_operands(self, function: Function, values: Sequence[Expression]) -> None:
        for value in values:
            stored = self._stored_by(value)
            if stored and any(self._depends(other, stored) for other in values if other is not value):
                calls = [part for part in parts(value) if isinstance(part, Call | Invoke) and self._stored_by(part)]
                name, origin = _called(calls[0]), function.origin
                raise KernelError(
                    f"{origin.module}:{origin.line}: {function.name}: the call of {name} and other operands depend on "
                    "the order of evaluation; assign its result to a variable first"
                )

    def _depends(self, value: Expression, stored: set[str]) -> bool:
        """True if it reads what is stored, or stores something itself."""
        return bool(self._stored_by(value)) or any(_reads(part, stored) for part in parts(value))

    def _stored_by(self, value: Expression) -> set[str]:
        found: set[str] = set()
        for part in parts(value):
            if isinstance(part, Call):
                found |= self._stored[part.name]
            elif isinstance(part, Invoke):
                found.add(ANYTHING)
        return found


def check_order(functions: Sequence[Function]) -> None:
    """Refuses expressions whose value depends on the order of evaluation."""
    effects = Effects(functions)
    for function in functions:
        effects.check_order(function)


ELEMENTS, ANYTHING = "[]", "*"


def _stored(body: Sequence[Statement]) -> set[str]:
    """Changes made by a block itself."""
    places = [statement.place for statement in statements(body) if isinstance(statement, Store)]
    found = {name for place in places for name in _names(place)}
    if any(isinstance(value, Invoke) for value in all_expressions(body)):
        found.add(ANYTHING)
    return found


def _close(stored: dict[str, set[str]], calls: Mapping[str, Sequence[str]]) -> None:
    """Functions change what those change that they call."""
    is_changed = True
    while is_changed:
        is_changed = False
        for name, callees in calls.items():
            for callee in callees:
                if not stored[callee] <= stored[name]:
                    stored[name] |= stored[callee]
                    is_changed = True


def _reads(part: Expression, stored: set[str]) -> bool:
    match part:
        case Field() | Element():
            return not stored.isdisjoint((*_names(part), ANYTHING))
    return isinstance(part, Call)


def _names(place: Field | Element) -> tuple[str, ...]:
    """Names of what is in memory there: a field of an `Overlay` is an element of an array, too."""
    if isinstance(place, Element):
        return (ELEMENTS,)
    kind = place.base.type
    is_element = isinstance(kind, StructType) and issubclass(kind.struct, Overlay)
    return (place.name, ELEMENTS) if is_element else (place.name,)


def _called(part: Call | Invoke) -> str:
    return part.name if isinstance(part, Call) else part.routine.name
