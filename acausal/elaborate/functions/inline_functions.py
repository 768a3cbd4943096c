"""The user's functions: the text of the body with the arguments in place of the parameters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, LimitError, ModelError
from acausal.base.near_names import did_you_mean
from acausal.base.options import Limits
from acausal.base.source import Span
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scope_protocol import ParameterValue, Scope
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool

Translate = Callable[[ast.Expression, Scope], Expr]


class _Calls:
    """The calls made so far for one call in the model, so that equal ones are worked out once."""

    __slots__ = ("done",)

    def __init__(self) -> None:
        self.done: dict[tuple[str, tuple[Expr, ...]], Expr] = {}


class _FunctionScope:
    """Inside a function only its parameters are known, and all functions."""

    __slots__ = ("active", "calls", "function_name", "limits", "outer", "pool", "rounds", "types", "unit", "values")

    def __init__(
        self,
        name: str,
        values: Mapping[str, Expr],
        outer: Scope,
        active: tuple[str, ...],
        calls: _Calls,
        rounds: list[int] | None,
    ) -> None:
        self.function_name = name
        self.rounds = rounds
        self.unit: str | None = None
        self.values = values
        self.outer = outer
        self.active = active
        self.calls = calls
        self.pool: Pool = outer.pool
        self.limits: Limits = outer.limits
        self.types: Mapping[Expr, str] = outer.types

    def lookup(self, reference: ast.Reference) -> Expr:
        name = reference.parts[0].name
        found = self.values.get(name) if len(reference.parts) == 1 else None
        if found is None:
            raise mistake(
                "T009",
                f"the function {self.function_name} has no parameter {name}",
                reference.span,
                hint=did_you_mean(name, self.values)
                or "a function can use only its parameters; pass the value as an argument",
            )
        return found

    def with_loop(self, variable: str, number: int, rounds: list[int]) -> "_FunctionScope":
        values = {**self.values, variable: self.pool.const(number)}
        return _FunctionScope(self.function_name, values, self.outer, self.active, self.calls, rounds)

    def function(self, name: str) -> ast.Function | None:
        return self.outer.function(name)

    def structural(self, parameter: Expr) -> ParameterValue:
        return self.outer.structural(parameter)


def inline(
    function: ast.Function, node: ast.Call, arguments: Sequence[Expr], scope: Scope, translate: Translate
) -> Expr:
    """The body for these arguments.

    T003 for a wrong number of arguments, T007 where a function calls itself.
    """
    if len(arguments) != len(function.parameters):
        wanted = len(function.parameters)
        message = f"{function.name} takes {wanted} argument{'s'[: wanted != 1]}, not {len(arguments)}"
        raise mistake("T003", message, node.span, hint=f"write {_form(function)}")
    outer: Scope = scope
    active: tuple[str, ...] = ()
    calls = _Calls()
    if isinstance(scope, _FunctionScope):
        outer, active, calls = scope.outer, scope.active, scope.calls
    key = (function.name, tuple(arguments))
    if key in calls.done:
        return calls.done[key]
    _check_depth(function, node, active, len(calls.done), scope)
    values = dict(zip([p.name for p in function.parameters], arguments, strict=True))
    body_scope = _FunctionScope(function.name, values, outer, (*active, function.name), calls, scope.rounds)
    try:
        result = calls.done[key] = translate(function.body, body_scope)
    except LimitError:
        raise
    except ModelError as error:
        raise (error if active else _called(error, node.span)) from None
    return result


def _form(function: ast.Function) -> str:
    return f"{function.name}({', '.join(p.name for p in function.parameters)})"


def _called(error: ModelError, span: Span) -> ModelError:
    """The mistake in a function's text, with the call in the model that brought it up."""
    found = error.report.diagnostics
    return ModelError(*[replace(d, secondary=(*d.secondary, Label(span, "called here"))) for d in found])


def _check_depth(function: ast.Function, node: ast.Call, active: tuple[str, ...], done: int, scope: Scope) -> None:
    if function.name in active:
        round_ = " calls ".join((*active[active.index(function.name) :], function.name))
        raise mistake(
            "T007", f"a function cannot call itself: {round_}", node.span, hint="write the formula out, or as a model"
        )
    if len(active) >= scope.limits.nesting or done >= scope.limits.calls:
        option = "nesting" if len(active) >= scope.limits.nesting else "calls"
        message = f"function calls are nested too often: more than {getattr(scope.limits, option)}"
        raise LimitError(
            Diagnostic("L010", message, Label(node.span), help=f"raise the limit with --limit {option}=NUMBER")
        )
