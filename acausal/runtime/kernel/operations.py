"""Bounds of the floating-point operations of kernels, from their typed trees.

for i in range(e.states): e.y[i] = e.y[i] + h*e.rate[i]         with 3 states: 6

Each addition, subtraction, multiplication, division, change of sign, comparison and call of a function counts as one,
a test for equality as two, as some processors have it. Of branches the more expensive one counts, unless integers that
are known decide; loops count as often as they turn at most: `for` by its limits, `while` by `turns`. Integers are
intervals; fields of structures have the values that a model gives them.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf

from acausal.runtime.kernel.known_expressions import KnownExpressions
from acausal.runtime.kernel.known_values import (
    Bound,
    Interval,
    Known,
    Routine,
    Table,
    Values,
    any_of,
    either,
)
from acausal.runtime.kernel.operation_flow import Flow, Limits, decides, longest_part, turned
from acausal.runtime.kernel.tree import (
    Assign,
    Binary,
    Break,
    Call,
    Choice,
    Comparison,
    Continue,
    Convert,
    Element,
    Evaluate,
    Expression,
    Field,
    For,
    Function,
    If,
    Invoke,
    Local,
    Logic,
    Primitive,
    Return,
    Statement,
    Store,
    Unary,
    While,
)
from acausal.runtime.kernel.types import Scalar
from acausal.runtime.kernel.walk import operands, statements

MOST_TURNS_APART = 2000
"""A loop of more turns counts each as the most expensive one."""
MOST_ROUNDS = 3
"""So often a loop is examined with the values that variables have behind a turn, before nothing is known of them."""


class Operations(KnownExpressions):
    """Bounds for kernels in one model.

    `fields` gives what is known of a field of a structure, `results` what is known of results of kernels with these
    arguments. What is limited (`Limits`) by a kernel counts at its end, and nothing where it stands.
    """

    def __init__(
        self,
        functions: Sequence[Function],
        fields: Callable[[str, str], Known],
        limits: Limits,
        results: Mapping[str, Callable[..., Known]],
    ) -> None:
        super().__init__(fields)
        self._functions = {function.name: function for function in functions}
        self._limits, self._results = limits, results
        self._found: dict[tuple[str, tuple[Known, ...]], tuple[float, Known, dict[str, float]]] = {}
        self._returned: list[list[Known]] = []
        self._apart: list[dict[str, float]] = []

    def of(self, name: str, *arguments: Known) -> float:
        """Operations of a call at most; infinite where a loop, or a call within its limits, has none that is known."""
        self._apart.append({})
        count = self._called(name, arguments)[0]
        left = self._apart.pop()
        if self._apart:
            self._note(left)
        return inf if left and not self._apart else count

    def _called(self, name: str, arguments: tuple[Known, ...]) -> tuple[float, Known]:
        """Operations of a call at most, and what is known of its result."""
        key = name, arguments
        if key not in self._found:
            function = self._functions[name]
            given = [*arguments, *[None] * (len(function.parameters) - len(arguments))]
            values = {parameter: value for (parameter, _), value in zip(function.parameters, given, strict=True)}
            self._returned.append([])
            self._apart.append({})
            flow = self._block(function.body, values, name)
            results, apart = self._returned.pop(), self._apart.pop()
            known = self._results[name](*given) if name in self._results else any_of(results)
            count = self._limits.with_limited(name, max(flow.through, flow.returned), apart)
            self._found[key] = count, known, apart
        count, known, apart = self._found[key]
        self._note(apart)
        if name in self._limits.apart:
            self._note({name: count})
            return 0.0, known
        return count, known

    def _note(self, apart: Mapping[str, float]) -> None:
        """Operations of what is limited by a kernel around this one."""
        for limited, count in apart.items():
            self._apart[-1][limited] = max(self._apart[-1].get(limited, 0.0), count)

    # ------------------------------------------------------------ statements

    def _block(self, body: Sequence[Statement], values: Values, kernel: str) -> Flow:
        through, turned, broken, returned = 0.0, -inf, -inf, -inf
        for statement in body:
            flow = self._statement(statement, values, kernel).after(through)
            through = flow.through
            turned, broken = max(turned, flow.turned), max(broken, flow.broken)
            returned = max(returned, flow.returned)
            if through == -inf:
                break
        return Flow(through, turned, broken, returned)

    def _statement(self, statement: Statement, values: Values, kernel: str) -> Flow:
        match statement:
            case Assign(name, value):
                count = self._count(value, values)
                values[name] = self._value(value, values)
                return Flow(count)
            case Store(place, value):
                return Flow(self._count(value, values) + sum([self._count(v, values) for v in operands(place)]))
            case Evaluate(value):
                return Flow(self._count(value, values))
            case If(test, yes, no):
                return self._if(test, yes, no, values, kernel)
            case For():
                return self._for(statement, values, kernel)
            case While(test, body):
                flow = self._turn(body, values, kernel, {})
                turns = self._limits.turns.get(kernel, inf)
                count = self._count(test, values)
                return turned([flow.after(count)], turns).after(count)
            case Return(value):
                count = 0.0 if value is None else self._count(value, values)
                self._returned[-1].append(None if value is None else self._value(value, values))
                return Flow(-inf, returned=count)
            case Break():
                return Flow(-inf, broken=0)
            case Continue():
                return Flow(-inf, turned=0)
        return Flow()

    def _if(
        self, test: Expression, yes: Sequence[Statement], no: Sequence[Statement], values: Values, kernel: str
    ) -> Flow:
        count, known = self._count(test, values), self._value(test, values)
        if isinstance(known, bool):
            return self._block(yes if known else no, values, kernel).after(count)
        first, second = dict(values), dict(values)
        flows = self._block(yes, first, kernel), self._block(no, second, kernel)
        for name in {**first, **second}:
            values[name] = either(first.get(name), second.get(name))
        return Flow(*map(max, *flows)).after(count)

    def _for(self, loop: For, values: Values, kernel: str) -> Flow:
        count = self._count(loop.first, values) + self._count(loop.end, values)
        first, end = self._interval(loop.first, values), self._interval(loop.end, values)
        name = f"{kernel}.{loop.name}"
        turns = max(0.0, min(self._length(loop, values, first, end), self._limits.turns.get(name, inf)))
        is_limited = name in self._limits.turns or name in self._limits.apart
        is_apart = turns <= MOST_TURNS_APART and first.low > -inf and decides(loop.name, loop.body) and not is_limited
        if is_apart:
            places = [Interval(first.low + k, first.low + k) for k in range(int(turns))]
            flows = [self._turn(loop.body, values, kernel, {loop.name: place}) for place in places]
            return turned(flows, len(flows)).after(count)
        flow = self._turn(loop.body, values, kernel, {loop.name: Interval(first.low, end.high - 1)})
        if name in self._limits.apart:
            self._note({name: max(flow)})
            return Flow(count, returned=-inf if flow.returned == -inf else count)
        return turned([flow], turns).after(count)

    def _length(self, loop: For, values: Values, first: Interval, end: Interval) -> float:
        """The number of turns at most; parts of a table are as long as the longest."""
        if isinstance(loop.first, Element) and isinstance(loop.end, Element):
            table = self._value(loop.end.array, values)
            if isinstance(table, Table) and loop.first.array == loop.end.array:
                return longest_part(table.numbers)
        return end.high - first.low

    def _turn(self, body: Sequence[Statement], values: Values, kernel: str, own: Values) -> Flow:
        """One turn of a loop, in which variables may have the values behind another one."""
        names = dict.fromkeys([s.name for s in statements(body) if isinstance(s, Assign)])
        for number in range(MOST_ROUNDS):
            inner = {**values, **own}
            results = len(self._returned[-1])
            flow = self._block(body, inner, kernel)
            joined = {name: either(values.get(name), inner.get(name)) for name in names if name in values}
            if all(values[name] == known for name, known in joined.items()):
                return flow
            del self._returned[-1][results:]
            values |= joined if number + 2 < MOST_ROUNDS else dict.fromkeys(joined)
        return self._block(body, {**values, **own}, kernel)

    # ------------------------------------------------------------ expressions

    def _count(self, value: Expression, values: Values) -> float:
        """Operations of an expression."""
        match value:
            case Choice(test, yes, no):
                known, branches = self._value(test, values), [self._count(v, values) for v in (yes, no)]
                chosen = max(branches) if not isinstance(known, bool) else branches[0 if known else 1]
                return self._count(test, values) + chosen
            case Logic(op, parts):
                total = 0.0
                for part in parts:
                    total += self._count(part, values)
                    if self._value(part, values) is (op == "or"):
                        break
                return total
        inner = sum([self._count(v, values) for v in operands(value)])
        match value:
            case Binary(_, _, _, kind) | Unary(_, _, kind):
                return inner + (kind is Scalar.REAL)
            case Comparison(op, left, _):
                return inner + (left.type is Scalar.REAL) * (2 if op in ("==", "!=") else 1)
            case Convert(operand, kind):
                return inner + (kind is Scalar.INT and operand.type is Scalar.REAL)
            case Primitive(_, arguments, _):
                return inner + max(1, len(arguments) - 1) * (arguments[0].type is Scalar.REAL)
            case Call(name, arguments):
                return inner + self.of(name, *[self._value(a, values) for a in arguments])
            case Invoke(routine, _, arguments):
                return inner + self._invoked(routine, [self._value(a, values) for a in arguments], values)
        return inner

    def _invoked(self, routine: Field | Local, arguments: Sequence[Known], values: Values) -> float:
        found = self._value(routine, values)
        if found == Interval(0, 0):  # an address that no model has given is not called
            return 0.0
        if isinstance(found, Routine):
            return found.operations
        return self.of(found.kernel, *arguments) if isinstance(found, Bound) else inf
