"""What kernels change in memory; the order of evaluation is then never left to a C compiler.

C does not say in which order operands and arguments are evaluated. So at most one operand may change memory, and then
no other one may read it: whoever needs both assigns one to a local variable first.
"""

from collections.abc import Mapping, Sequence

from acausal.runtime.scope import KernelError
from acausal.runtime.tree import (
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
from acausal.runtime.walk import all_expressions, expressions, operands, parts, statements


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
        """Whether the value stays the same while the block is executed; its local variables aside."""
        stored = self.stored(body)
        for part in parts(value):
            if isinstance(part, Call | Invoke) or (isinstance(part, Element) and stored):
                return False
            if isinstance(part, Field) and not stored.isdisjoint((part.name, ANYTHING)):
                return False
        return True

    def check_order(self, function: Function) -> None:
        """Refuse expressions whose value depends on the order of evaluation."""
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
        changing = [v for v in values if self._changes_memory(v)]
        if changing and sum(any(_reads_memory(p) for p in parts(v)) for v in values) > 1:
            name = next(_called(p) for p in parts(changing[0]) if self._is_change(p))
            file, line = function.origin.module, function.origin.line
            raise KernelError(
                f"{file}:{line}: {function.name}: the call of {name} and other operands depend on the order of "
                "evaluation; assign its result to a variable first"
            )

    def _changes_memory(self, value: Expression) -> bool:
        return any(self._is_change(part) for part in parts(value))

    def _is_change(self, part: Expression) -> bool:
        return isinstance(part, Invoke) or (isinstance(part, Call) and bool(self._stored[part.name]))


ELEMENTS, ANYTHING = "[]", "*"


def _stored(body: Sequence[Statement]) -> set[str]:
    """What a block itself changes."""
    places = [statement.place for statement in statements(body) if isinstance(statement, Store)]
    found = {place.name if isinstance(place, Field) else ELEMENTS for place in places}
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


def _reads_memory(part: Expression) -> bool:
    return isinstance(part, Field | Element | Call | Invoke)


def _called(part: Expression) -> str:
    assert isinstance(part, Call | Invoke)
    return part.name if isinstance(part, Call) else part.routine.name
