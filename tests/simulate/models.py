"""Small models made without text: states with their derivatives, and what follows from them."""

from collections.abc import Callable, Mapping

from acausal.base.source import SourceFile, Span
from acausal.codegen.executable import Executable
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.lower.lower import lower
from acausal.ir.experiment import Experiment
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, Parameter, RunCondition, Variable
from acausal.ir.origin import Origin
from acausal.ir.plan import Assign, SolvePlan, Step
from acausal.ir.pool import Pool

TEXT = "model made by hand\n" * 40
SOURCE = SourceFile("hand.mdl", TEXT)


def at_line(number: int) -> Origin:
    """An origin in that line."""
    start = TEXT.find("model") + (number - 1) * len("model made by hand\n")
    return Origin(Span(SOURCE, start, start + 5), ())


class Model:
    """Collects states, variables, parameters and inputs; `executable` compiles them."""

    def __init__(self) -> None:
        self.pool = Pool()
        self.parameters: list[Parameter] = []
        self.inputs: list[Variable] = []
        self.variables: list[Variable] = []
        self.states: list[Expr] = []
        self.steps: list[Step] = []
        self.initial_steps: list[Step] = []
        self.conditions: list[RunCondition] = []

    def parameter(self, name: str, value: float, binding: Expr | None = None, **about: bool) -> Expr:
        symbol = self.pool.parameter((name,))
        bound = self.pool.const(value) if binding is None else binding
        self.parameters.append(Parameter(symbol, bound, value, "real", at_line(1), **about))
        return symbol

    def input(self, name: str) -> Expr:
        symbol = self.pool.variable((name,))
        self.inputs.append(Variable(symbol, "input", "real", at_line(1)))
        return symbol

    def state(self, *name: str | int, start: float, nominal: float | None = None, unit: str | None = None) -> Expr:
        symbol = self.pool.variable(name)
        attributes = Attributes(nominal=None if nominal is None else self.pool.const(nominal), unit=unit)
        self.variables.append(Variable(symbol, "local", "real", at_line(1), attributes))
        self.states.append(symbol)
        self.initial_steps.append(Assign(symbol, self.pool.const(start), at_line(1)))
        return symbol

    def slope(self, state: Expr, value: Expr) -> None:
        step = Assign(self.pool.derivative(state), value, at_line(len(self.steps) + 2))
        self.steps.append(step)
        self.initial_steps.append(step)

    def variable(self, name: str, value: Expr, unit: str | None = None) -> Expr:
        symbol = self.pool.variable((name,))
        self.variables.append(Variable(symbol, "local", "real", at_line(1), Attributes(unit=unit)))
        step = Assign(symbol, value, at_line(len(self.steps) + 2))
        self.steps.append(step)
        self.initial_steps.append(step)
        return symbol

    def condition(self, kind: str, condition: Expr, text: str) -> None:
        self.conditions.append(RunCondition(kind, condition, text, at_line(9)))

    def plan(self, experiment: Experiment | None = None) -> SolvePlan:
        return SolvePlan(
            name="hand",
            pool=self.pool,
            parameters=tuple(self.parameters),
            folded=(),
            inputs=tuple(self.inputs),
            variables=tuple(self.variables),
            aliases=(),
            states=tuple(self.states),
            steps=tuple(self.steps),
            initial_steps=tuple(self.initial_steps),
            conditions=tuple(self.conditions),
            outputs=(),
            experiment=experiment or Experiment(),
        )

    def executable(self, experiment: Experiment | None = None) -> Executable:
        return compile_llvm(lower(self.plan(experiment)))


def system(slopes: Callable[[Pool, list[Expr]], list[Expr]], starts: Mapping[str, float]) -> Executable:
    """States with start values and the derivatives that a function of them gives."""
    model = Model()
    states = [model.state(name, start=start) for name, start in starts.items()]
    for state, value in zip(states, slopes(model.pool, states), strict=True):
        model.slope(state, value)
    return model.executable()
