"""`experiment (stop=10, ...)`: the model's defaults of a run."""

from collections.abc import Iterable
from itertools import product

from acausal.base.near_names import did_you_mean
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.foreign_habits import EXPERIMENT
from acausal.elaborate.scopes.scope import InstanceScope, World
from acausal.elaborate.values.structural import structural_value
from acausal.ir import ast
from acausal.ir.experiment import Experiment
from acausal.ir.model.instance import Instance
from acausal.ir.names import Name

NUMBERS = ("start", "stop", "interval", "tolerance")


def experiment_of(root: Instance, world: World) -> Experiment:
    """The experiment of the model itself; N016 for an unknown item."""
    written = root.template.experiment
    if written is None:
        return Experiment()
    scope = InstanceScope(world, root, root.template.use, sees_locals=True)
    numbers: dict[str, float] = {}
    plot: tuple[Name, ...] = ()
    steady = False
    for argument in written.arguments:
        if argument.name in NUMBERS:
            numbers[argument.name] = _number(argument, scope)
        elif argument.name == "plot":
            plot = _names(argument, scope)
        elif argument.name == "steady":
            steady = _flag(argument, scope)
        else:
            hint = EXPERIMENT.get(argument.name) or did_you_mean(argument.name, (*NUMBERS, "plot", "steady"))
            hint = hint or "the items are start, stop, interval, tolerance, plot, steady"
            raise mistake("N016", f"unknown item {argument.name} of an experiment", argument.span, hint=hint)
    return Experiment(
        numbers.get("start", 0.0), numbers.get("stop"), numbers.get("interval"), numbers.get("tolerance"), plot, steady
    )


def _number(argument: ast.Argument, scope: InstanceScope) -> float:
    unit = "1" if argument.name == "tolerance" else "s"
    value = structural_value(
        expression(argument.value, scope.for_value(argument.value, unit)), argument.value.span, scope
    )
    if not isinstance(value, float):
        raise mistake("N016", f"{argument.name} must be a number", argument.value.span, hint=f"write {argument.name}=1")
    return value


def _flag(argument: ast.Argument, scope: InstanceScope) -> bool:
    """True or false, also of a parameter."""
    value = structural_value(expression(argument.value, scope), argument.value.span, scope)
    if not isinstance(value, bool):
        hint = f"write {argument.name}=true"
        raise mistake("N016", f"{argument.name} must be true or false", argument.value.span, hint=hint)
    return value


def _names(argument: ast.Argument, scope: InstanceScope) -> tuple[Name, ...]:
    items = [argument.value]
    if isinstance(argument.value, ast.ArrayLiteral):
        items = [item for row in argument.value.rows for item in row]
    return tuple([name for item in items for name in _elements(item, scope)])


def _elements(item: ast.Expression, scope: InstanceScope) -> list[Name]:
    """The names of a variable's elements. A derivative that a ladder names (`w`) is named as it is written."""
    leaf = expression(item, scope)
    variable = leaf.args[0] if leaf.op == "index" else leaf
    if not isinstance(item, ast.Reference) or variable.op != "variable":
        raise mistake("N016", "plot must be a list of variables", item.span, hint="write plot=[x, R.i]")
    name = (*variable.name[:-1], item.parts[-1].name) if variable.order else variable.name
    every = list(product(*(range(1, n + 1) for n in variable.shape)))
    positions: Iterable[int] = leaf.value if leaf.op == "index" else range(len(every))  # type: ignore[assignment]
    return [(*name, *every[i]) for i in positions]
