"""The model as functions of JAX: `t.to_jax()`.

    model = t.to_jax()
    jax.jit(model.derivative)(t, y)                           dy/dt
    jax.jacobian(model.derivative, argnums=3)(t, y, u, p)     its derivatives by the parameters

Numbers have the precision of JAX, single unless `jax_enable_x64` is set. Nonlinear equations are solved by Newton's
method from the solutions at the first instant, and differentiated by the implicit function theorem.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from acausal.base.frozen import record
from acausal.base.optional_library import required
from acausal.ir.program.instructions import Routine
from acausal.targets.functions.evaluate_routine import (
    Arguments,
    Value,
    arguments_of,
    complete,
    evaluate_routine,
    ordered,
    start_values,
)
from acausal.targets.functions.first_solutions import first_solutions

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel

Function = Callable[..., Any]
_NAMED = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "min": "minimum", "max": "maximum",
          "pow": "power", "neg": "negative", "not": "logical_not", "sub": "subtract", "div": "divide",
          "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal", "==": "equal",
          "<>": "not_equal"}  # fmt: skip
_REDUCED = {"add": "add", "mul": "multiply", "and": "logical_and", "or": "logical_or"}
MOST_ITERATIONS = 50
"""Iterations of Newton's method: it ends earlier where a step changes nothing but for rounding."""


@record(frozen=True, slots=True)
class JaxModel:
    """Functions of a model, for `jax.jit` and differentiation: dy/dt, and all variables that are stored.

    derivative(t, y, u, p), variables(t, y, u, p); `arguments` has the names of y, u and p. Without u it is 0, without
    p the model's own values hold.
    """

    derivative: Function
    variables: Function
    arguments: Arguments


class JaxAlgebra:
    """Operators of JAX."""

    name = "JAX"

    def __init__(self) -> None:
        import jax
        import jax.numpy

        self._jax, self._numpy = jax, jax.numpy

    def call(self, op: str, arguments: Sequence[Value]) -> Value:
        """An operator."""
        numpy = self._numpy
        if op in _REDUCED:
            return reduce(getattr(numpy, _REDUCED[op]), arguments)
        if op == "noevent":
            return arguments[0]
        if op == "if":
            return numpy.where(*arguments)
        if op == "mod":
            return arguments[0] - arguments[1] * numpy.floor(arguments[0] / arguments[1])
        if op == "linexp" or op == "linlog":
            x = arguments[0]
            above = numpy.maximum(x, 0.0)
            return numpy.where(x > 0.0, numpy.expm1(above) if op == "linexp" else numpy.log1p(above), x)
        return getattr(numpy, _NAMED.get(op, op))(*arguments)

    def linear(self, matrix: Sequence[Value], right: Sequence[Value]) -> Sequence[Value]:
        """JAX's solver."""
        n = len(right)
        a = self._numpy.stack([self._numpy.asarray(x, dtype=float) for x in matrix]).reshape(n, n)
        b = self._numpy.stack([self._numpy.asarray(x, dtype=float) for x in right])
        found: Sequence[Value] = self._numpy.linalg.solve(a, b)
        return found

    def newton(
        self,
        residuals: Callable[[Sequence[Value], Sequence[Value]], list[Value]],
        captured: Sequence[Value],
        start: Sequence[Value],
        nominals: Sequence[float],
    ) -> Sequence[Value]:
        """Newton's method as a loop of JAX."""
        jax, numpy = self._jax, self._numpy
        first = numpy.stack([numpy.asarray(x, dtype=float) for x in start])
        least = 16.0 * numpy.finfo(first.dtype).eps
        sizes = numpy.asarray(nominals, dtype=first.dtype)

        def function(x: Value) -> Value:
            return numpy.stack([numpy.asarray(r, dtype=first.dtype) for r in residuals(captured, x)])

        def solve(f: Function, guess: Value) -> Value:
            def goes_on(state: tuple[Value, Value, Value]) -> Value:
                count, x, step = state
                return (count < MOST_ITERATIONS) & (numpy.abs(step) > least * (sizes + numpy.abs(x))).any()

            def step(state: tuple[Value, Value, Value]) -> tuple[Value, Value, Value]:
                count, x, _ = state
                change = numpy.linalg.solve(jax.jacfwd(f)(x), -f(x))
                return count + 1, x + change, change

            return jax.lax.while_loop(goes_on, step, (0, guess, numpy.ones_like(guess)))[1]

        def solve_tangent(g: Function, y: Value) -> Value:
            return numpy.linalg.solve(jax.jacobian(g)(y), y)

        found: Sequence[Value] = jax.lax.custom_root(function, first, solve, solve_tangent)
        return found


def need_jax() -> None:
    """UsageError F007 where JAX is not installed."""
    with required("to_jax", "JAX", "jax"):
        import jax  # noqa: F401 - whether it is there


def to_jax(model: "CompiledModel") -> JaxModel:
    """The functions of a model; UsageError F007 without JAX, ModelError F040 for what it cannot express."""
    need_jax()
    import jax.numpy

    program, numpy = model.program, jax.numpy
    arguments, algebra = arguments_of(program, model.folded), JaxAlgebra()
    memory = start_values(program, first_solutions(model))

    def function(routine: Routine, count: int) -> Function:
        def call(t: Value, y: Value, u: Value = None, p: Value = None) -> Value:
            """(t, y, u, p) to an array."""
            values = arguments.values if p is None else p
            chosen = complete(program, arguments, algebra, [values[i] for i in range(len(arguments.parameters))])
            inputs = numpy.zeros(len(arguments.inputs)) if u is None else u
            arrays = {"state": y, "input": inputs, "parameter": chosen.values, "memory": memory}
            found = ordered(evaluate_routine(program, routine, algebra, arrays, chosen, t), count)
            return numpy.stack([numpy.asarray(x, dtype=float) for x in found]) if found else numpy.zeros(0)

        return call

    derivative = function(program.derivatives, len(program.state_slots))
    return JaxModel(derivative, function(program.variables, program.stored), arguments)
