"""A pool and a scope that remember what they are asked, for `expression_templates`."""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, TypeVar, cast

from acausal.elaborate.scope_protocol import ParameterValue, Scope
from acausal.ir import ast
from acausal.ir.expr import Expr, Payload, Shape
from acausal.ir.pool import Pool

Method = Callable[..., Expr]
Step = tuple[Method | None, Any, tuple[int, ...], Payload, Shape]
"""A function of the pool (None: `node`), what it is given first, the numbers of its operands, a node's value, shape."""

_Same = TypeVar("_Same", bound=Method)


def _noted(method: _Same) -> _Same:
    """The same method of the true pool, its calls kept as steps."""

    def call(self: "RecordingPool", *args: Any) -> Expr:  # noqa: ANN401  # a number, a name or operands
        given = None if not args or isinstance(args[0], Expr) else args[0]
        return self.step(method, given, args if given is None else args[1:])

    return cast(_Same, call)


class RecordingPool(Pool):
    """Asks the true pool and keeps the calls, each once. Results are numbered, the given leaves first."""

    def __init__(self, true_pool: Pool, leaves: Sequence[Expr]) -> None:
        self.zero, self.one, self.time = true_pool.zero, true_pool.one, true_pool.time
        self.true, self.false = true_pool.true, true_pool.false
        self._true_pool = true_pool
        self._number = {leaf: number for number, leaf in enumerate(leaves)}
        self._leaves = len(leaves)
        self._made: dict[Step, Expr] = {}
        self._whole = True

    def __len__(self) -> int:
        return len(self._true_pool)

    def steps_to(self, exprs: Sequence[Expr]) -> tuple[tuple[Step, ...], tuple[int, ...]] | None:
        """All steps and the numbers of these results; None where the steps are not all."""
        numbers = [self._number_of(expr) for expr in exprs]
        return (tuple(self._made), tuple(numbers)) if self._whole else None

    def step(
        self,
        method: Method | None,
        given: Any,  # noqa: ANN401  # an operator, a number or None, by the method
        operands: Sequence[Expr],
        value: Payload = None,
        shape: Shape = (),
    ) -> Expr:
        """The result of a call of a method of the pool, or of another function of the pool and operands alone."""
        key = (method, given, tuple([self._number_of(operand) for operand in operands]), value, shape)
        made = self._made.get(key) if self._whole else None
        if made is None:
            if method is None:
                made = self._true_pool.node(given, tuple(operands), value, shape)
            else:
                made = method(self._true_pool, *(() if given is None else (given,)), *operands)
            self._number.setdefault(made, self._leaves + len(self._made))
            self._made[key] = made
        return made

    def _number_of(self, operand: Expr) -> int:
        """The number of a value; that of a value that is known without names is made a step."""
        if operand not in self._number:
            if operand.op in _NAMELESS:
                self.step(_NAMELESS[operand.op], operand.value, ())
            else:
                self._whole = False
        return self._number.get(operand, 0)

    def node(self, op: str, args: tuple[Expr, ...], value: Payload = None, shape: Shape = ()) -> Expr:
        """A node; strings may name files, whose contents no template would see change."""
        self._whole = self._whole and op != "string"
        return self.step(None, op, args, value, shape)

    const, boolean, derivative = _noted(Pool.const), _noted(Pool.boolean), _noted(Pool.derivative)
    add, sub, neg, mul, div = _noted(Pool.add), _noted(Pool.sub), _noted(Pool.neg), _noted(Pool.mul), _noted(Pool.div)
    pow, call = _noted(Pool.pow), _noted(Pool.call)
    if_, not_, and_, or_ = _noted(Pool.if_), _noted(Pool.not_), _noted(Pool.and_), _noted(Pool.or_)


_NAMELESS: dict[str, Method] = {"const": Pool.const, "boolean": Pool.boolean, "time": lambda pool: pool.time}


class Record:
    """The scope of an instance; what it is asked is kept: functions, and leaves whose values shapes depend on."""

    def __init__(self, scope: Scope, leaves: Sequence[Expr]) -> None:
        self.pool = RecordingPool(scope.pool, leaves)
        self.limits, self.types, self.rounds, self.unit = scope.limits, scope.types, scope.rounds, scope.unit
        self.functions: dict[str, ast.Function | None] = {}
        self.asked: list[tuple[Expr, ParameterValue]] = []
        self._scope = scope

    def with_loop(self, variable: str, number: int, rounds: list[int]) -> "Record":
        """The same record inside of a comprehension."""
        inner = copy(self)
        inner.__dict__ |= {"_scope": self._scope.with_loop(variable, number, rounds), "rounds": rounds}
        return inner

    def lookup(self, reference: ast.Reference) -> Expr:
        """Expression that the reference names."""
        return self._scope.lookup(reference)

    def function(self, name: str) -> ast.Function | None:
        """The user's function of that name."""
        found = self.functions[name] = self._scope.function(name)
        return found

    def structural(self, parameter: Expr) -> ParameterValue:
        """The value of a parameter that decides shapes."""
        value = self._scope.structural(parameter)
        self.asked.append((parameter, value))
        return value
