"""The model as functions of CasADi: `t.to_casadi()`.

    model = t.to_casadi()
    model.derivative(t, y, u, p)                              dy/dt, a casadi.Function
    casadi.integrator("F", "cvodes", model.dae, 0, 1)         with the model's own parameters as p

Without systems of equations the functions are of SX, scalar by scalar, else of MX; nonlinear equations are solved by
CasADi's Newton method, from the solutions at the first instant, and differentiated by the implicit function theorem.
"""

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, get_args

from acausal.base.frozen import record
from acausal.base.optional_library import required
from acausal.ir.kinds import RelationOp
from acausal.ir.ops import OPS
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

_SAME = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt",
         "sign", "floor", "ceil")  # fmt: skip
_NAMED = {"abs": "fabs", "min": "fmin", "max": "fmax", "not": "logic_not"}
_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "sub": operator.sub,
    "div": operator.truediv,
    "pow": operator.pow,
    **{sign: OPS[sign].evaluate for sign in get_args(RelationOp)},
}

NEWTON = {"abstol": 1e-12, "abstolStep": 1e-12, "max_iter": 100}
"""Newton's method ends where residuals, or its step as a share of the unknowns, are that small."""


@record(frozen=True, slots=True)
class CasadiModel:
    """Functions (t, y, u, p) of a model: `derivative` gives dy/dt, `variables` all variables that are stored.

    `arguments` has the names of y, u and p, and the values of p. `dae` is for `casadi.integrator`: x are the states, u
    the inputs, p the parameters, t the time, ode the derivatives.
    """

    derivative: Any
    variables: Any
    dae: dict[str, Any]
    arguments: Arguments


class CasadiAlgebra:
    """Operators of CasADi."""

    name = "CasADi"

    def __init__(self) -> None:
        import casadi

        self._casadi = casadi
        self._count = 0

    def call(self, op: str, arguments: Sequence[Value]) -> Value:
        """An operator."""
        casadi = self._casadi
        if op == "add":
            return reduce(operator.add, arguments)
        if op == "mul":
            return reduce(operator.mul, arguments)
        if op in _SIGNS:
            return _SIGNS[op](*arguments)
        if op == "neg":
            return -arguments[0]
        if op == "noevent":
            return arguments[0]
        if op == "if":
            return casadi.if_else(*arguments)
        if op == "and" or op == "or":
            return reduce(casadi.logic_and if op == "and" else casadi.logic_or, arguments)
        if op == "mod":
            return arguments[0] - arguments[1] * casadi.floor(arguments[0] / arguments[1])
        if op == "linexp" or op == "linlog":
            x = arguments[0]
            above = casadi.fmax(x, 0)
            return casadi.if_else(x > 0, casadi.exp(above) - 1 if op == "linexp" else casadi.log(1 + above), x)
        return getattr(casadi, op if op in _SAME else _NAMED[op])(*arguments)

    def linear(self, matrix: Sequence[Value], right: Sequence[Value]) -> Sequence[Value]:
        """CasADi's solver."""
        casadi, n = self._casadi, len(right)
        rows = [casadi.horzcat(*matrix[i * n : (i + 1) * n]) for i in range(n)]
        return self._elements(casadi.solve(casadi.vertcat(*rows), casadi.vertcat(*right)), n)

    def newton(
        self,
        residuals: Callable[[Sequence[Value], Sequence[Value]], list[Value]],
        captured: Sequence[Value],
        start: Sequence[Value],
        nominals: Sequence[float],
    ) -> Sequence[Value]:
        """CasADi's Newton method; unknowns are shares of their sizes, as its tolerances are absolute."""
        casadi, n = self._casadi, len(start)
        self._count += 1
        share, c, s = casadi.SX.sym("share", n), casadi.SX.sym("c", len(captured)), casadi.SX.sym("s", n)
        found = residuals([c[i] for i in range(len(captured))], [share[i] * s[i] for i in range(n)])
        function = casadi.Function(f"residuals_{self._count}", [share, c, s], [casadi.vertcat(*found)])
        solver = casadi.rootfinder(f"block_{self._count}", "newton", function, NEWTON)
        first = casadi.vertcat(*start)
        sizes = casadi.fmax(casadi.fabs(first), casadi.vertcat(*nominals))
        return self._elements(solver(first / sizes, casadi.vertcat(*captured), sizes) * sizes, n)

    def _elements(self, vector: Value, count: int) -> list[Value]:
        return [vector[i] for i in range(count)]


def need_casadi() -> None:
    """UsageError F007 where CasADi is not installed."""
    with required("to_casadi", "CasADi", "casadi"):
        import casadi  # noqa: F401 - whether it is there


def to_casadi(model: "CompiledModel") -> CasadiModel:
    """The functions of a model; UsageError F007 without CasADi, ModelError F040 for what it cannot express."""
    need_casadi()
    import casadi

    program = model.program
    arguments, algebra = arguments_of(program, model.folded), CasadiAlgebra()
    kind: Any = casadi.MX if program.blocks else casadi.SX
    names = {"y": arguments.states, "u": arguments.inputs, "p": arguments.parameters}
    symbols = {name: kind.sym(name, len(labels)) for name, labels in names.items()}
    t = kind.sym("t")
    elements = {name: [symbol[i] for i in range(len(names[name]))] for name, symbol in symbols.items()}
    p = complete(program, arguments, algebra, elements["p"])
    memory = start_values(program, first_solutions(model))
    arrays = {"state": elements["y"], "input": elements["u"], "parameter": p.values, "memory": memory}

    def function(name: str, count: int, routine: str) -> tuple[Any, Any]:
        code = program.derivatives if routine == "derivatives" else program.variables
        found = ordered(evaluate_routine(program, code, algebra, arrays, p, t), count)
        vector = casadi.vertcat(*[kind(value) for value in found]) if found else kind(0, 1)
        ends = ["t", "y", "u", "p"], [name]
        return casadi.Function(name, [t, *symbols.values()], [vector], *ends), vector

    derivative, rates = function("derivative", len(program.state_slots), "derivatives")
    variables, _ = function("variables", program.stored, "variables")
    dae = {"t": t, "x": symbols["y"], "u": symbols["u"], "p": symbols["p"], "ode": rates}
    return CasadiModel(derivative, variables, dae, arguments)
