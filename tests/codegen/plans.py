"""Plans built by hand, and both back ends run on them side by side."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from acausal.base.source import SourceFile, Span
from acausal.codegen.executable import Executable
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.lower.lower import lower
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.ir.check.program import check_program
from acausal.ir.dae import Alias
from acausal.ir.experiment import Experiment
from acausal.ir.expr import Expr
from acausal.ir.flat import NO_ATTRIBUTES, Attributes, Parameter, RunCondition, Variable
from acausal.ir.origin import Origin
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, SolvePlan, Step
from acausal.ir.pool import Pool
from acausal.ir.program.program import Program

ORIGIN = Origin(Span(SourceFile("test.mdl", "x"), 0, 1), ("test",))


@dataclass
class PlanMaker:
    """Gathers the parts of a plan."""

    pool: Pool = field(default_factory=Pool)
    parameters: list[Parameter] = field(default_factory=list)
    inputs: list[Variable] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)
    conditions: list[RunCondition] = field(default_factory=list)
    states: list[Expr] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    initial_steps: list[Step] = field(default_factory=list)

    def parameter(self, name: str, value: float, binding: Expr | None = None, type_: str = "real") -> Expr:
        symbol = self.pool.parameter((name,))
        self.parameters.append(Parameter(symbol, binding or self.pool.const(value), value, type_, ORIGIN))
        return symbol

    def input(self, name: str) -> Expr:
        symbol = self.pool.variable((name,))
        self.inputs.append(Variable(symbol, "input", "real", ORIGIN))
        return symbol

    def variable(self, name: str, type_: str = "real", attributes: Attributes = NO_ATTRIBUTES) -> Expr:
        symbol = self.pool.variable((name,))
        self.variables.append(Variable(symbol, "local", type_, ORIGIN, attributes))
        return symbol

    def alias(self, name: str, value: Expr) -> Expr:
        symbol = self.pool.variable((name,))
        self.aliases.append(Alias(Variable(symbol, "local", "real", ORIGIN), value, ORIGIN))
        return symbol

    def state(self, name: str, start: Expr | float = 0.0, attributes: Attributes = NO_ATTRIBUTES) -> Expr:
        symbol = self.variable(name, attributes=attributes)
        self.states.append(symbol)
        start = self.pool.const(start) if isinstance(start, float) else start
        self.initial_steps.append(Assign(symbol, start, ORIGIN))
        return symbol

    def assign(self, target: Expr, value: Expr) -> None:
        self.steps.append(Assign(target, value, ORIGIN))

    def rate(self, state: Expr, value: Expr) -> None:
        self.assign(self.pool.derivative(state), value)

    def linear(self, targets: Iterable[Expr], matrix: Iterable[Iterable[Expr]], right: Iterable[Expr]) -> None:
        targets = tuple(targets)
        step = SolveLinear(targets, tuple(map(tuple, matrix)), tuple(right), len(targets), (ORIGIN,))
        self.steps.append(step)

    def plan(self, outputs: tuple[Expr, ...] = ()) -> SolvePlan:
        return SolvePlan(
            "test", self.pool, tuple(self.parameters), (), tuple(self.inputs), tuple(self.variables),
            tuple(self.aliases), tuple(self.states), tuple(self.steps), tuple(self.initial_steps),
            tuple(self.conditions), outputs, Experiment(),
        )  # fmt: skip


def nonlinear(
    pool: Pool,
    targets: tuple[Expr, ...],
    residuals: tuple[Expr, ...],
    jacobian: tuple[tuple[Expr, ...], ...],
    guesses: tuple[float, ...],
    inner: tuple[Assign, ...] = (),
) -> SolveNonlinear:
    """A nonlinear block with nominal values 1."""
    guess = tuple(pool.const(g) for g in guesses)
    size = len(targets) + len(inner)
    return SolveNonlinear(targets, inner, residuals, jacobian, guess, (1.0,) * len(targets), size, (ORIGIN,))


def lowered(plan: SolvePlan) -> Program:
    """The program, checked."""
    program = lower(plan)
    assert check_program(program) == ()
    return program


BACK_ENDS: tuple[Callable[[Program], Executable], ...] = (compile_numpy, compile_llvm)


@dataclass
class Run:
    """One evaluation of everything: p after setup, states at the start, then the results of the others at (t, y, u)."""

    p: np.ndarray
    start: np.ndarray
    rates: np.ndarray
    values: np.ndarray
    events: np.ndarray
    crossings: np.ndarray
    choices: np.ndarray
    m: np.ndarray
    statuses: tuple[int, ...]
    point: tuple[float, np.ndarray, np.ndarray]
    """t, y and u."""


def run(
    executable: Executable,
    t: float = 0.0,
    y: Iterable[float] | None = None,
    u: Iterable[float] = (),
    given: dict[str, float] | None = None,
) -> Run:
    """All routines once; y None: at the initial states."""
    program = executable.program
    p = np.zeros(program.parameter_size)
    flags = np.zeros(len(program.parameter_slots))
    for i, slot in enumerate(program.parameter_slots):
        value = (given or {}).get(str(slot.name[0]))
        p[i] = slot.value if value is None else value
        flags[i] = value is not None
    states = len(program.state_slots)
    start, rates, values = np.zeros(program.result_size("initial")), np.zeros(states), np.zeros(program.stored_size)
    m, inputs = np.zeros(program.memory_size), np.array([*u], dtype=float)
    statuses = [executable.setup(p, flags), executable.initial(t, inputs, p, m, start)]
    at = start[:states].copy() if y is None else np.array([*y], dtype=float)
    statuses.append(executable.derivatives(t, at, inputs, p, m, rates))
    statuses.append(executable.variables(t, at, inputs, p, m, values))
    found = []
    for routine in ("events", "crossings", "choices"):
        out = np.zeros(program.result_size(routine))
        status = executable.bind(routine, at, inputs, p, m, out)(t)
        assert not status or any(statuses)
        found.append(out)
    return Run(p, start, rates, values, *found, m, tuple(statuses), (t, at, inputs))


PARTS = ("p", "start", "rates", "values", "events", "crossings", "choices")


def run_both(program: Program, bound: float = 1e-12, **arguments: object) -> Run:
    """Both back ends; they agree to `bound`, relatively; the LLVM result.

    Both do the same operations in the same order, but for large systems, which LAPACK solves for one of them: there
    the bound follows from the conditioning of the system (`bounds.relative_bound`).
    """
    one, two = (run(compile_(program), **arguments) for compile_ in BACK_ENDS)  # type: ignore[arg-type]
    assert one.statuses == two.statuses
    if not any(one.statuses):
        for name in PARTS:
            np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=bound, atol=1e-300, err_msg=name)
    return two


def value_of(program: Program, found: Run, name: str, order: int = 0) -> float:
    """A variable by name, wherever its slot says."""
    slot = next(s for s in program.variable_slots if s.symbol == ((name,), order))
    source = {"stored": found.values, "parameter": found.p, "constant": [slot.value]}[slot.kind]
    return slot.sign * float(source[slot.position])
