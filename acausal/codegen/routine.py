"""One routine of a run: steps in the order of the plan, those that its results need."""

from collections.abc import Iterable

from acausal.codegen.count import count
from acausal.codegen.emit import Emitter
from acausal.codegen.layout import Layout
from acausal.codegen.needs import Bodies, Body, needs_of
from acausal.diagnostics import InternalError
from acausal.ir.expr import VARIES, Expr, Pool
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, Step
from acausal.ir.program import LinearSolve, NewtonSolve, Routine


class RoutineBuilder:
    """Lowers the steps; then the caller asks for `register`s of results and stores them.

    The initial routine knows no states; its nonlinear blocks start from their guesses, those
    of a run from memory.
    """

    def __init__(
        self, pool: Pool, layout: Layout, bodies: Bodies, steps: tuple[Step, ...], roots: Iterable[Expr], initial: bool
    ) -> None:
        needs = needs_of(steps, roots, bodies, initial)
        self.layout = layout
        self.initial = initial
        self.bodies = bodies
        self.emitter = Emitter(pool, layout, needs.uses, self._outer)
        for step in needs.steps:
            if isinstance(step, Assign):
                self.emitter.define(step.target, self.emitter.register(step.value))
            elif isinstance(step, SolveLinear):
                self._linear(step)
            else:
                self._nonlinear(step)

    def store(self, results: Iterable[Expr]) -> None:
        """Stores the results in order."""
        for position, result in enumerate(results):
            self.emitter.effect("store", self.emitter.register(result), position)

    def keep(self, guesses: dict[Expr, Expr]) -> None:
        """Fills the memory: the solutions where they are known here, else the guesses."""
        for target, position in self.layout.memory_of.items():
            known = self.emitter.registers.get(target)
            register = self.emitter.register(guesses[target]) if known is None else known
            self.emitter.effect("keep", register, position)

    def routine(self) -> Routine:
        """What has been emitted."""
        code = tuple(self.emitter.code)
        return Routine(code, count(code), tuple(self.emitter.names))

    def _outer(self, node: Expr) -> int | None:
        """Loads of what no step computes."""
        layout, emitter = self.layout, self.emitter
        if not node.flags & VARIES:
            return emitter.load("parameter", layout.hoisted(node), layout.is_boolean(node))
        if node.args:
            return None
        if node.op == "time":
            return emitter.emit("time")
        state = None if self.initial else layout.state_of.get(node)
        if state is not None:
            return emitter.load("state", state, layout.is_boolean(node))
        position = layout.input(node)
        return None if position is None else emitter.load("input", position, layout.is_boolean(node))

    def _block(self, targets: tuple[Expr, ...]) -> int:
        return self.layout.block("initial" if self.initial else "run", targets)

    def _extract(self, targets: tuple[Expr, ...], solution: int) -> list[int]:
        registers = [self.emitter.emit("extract", (solution,), i) for i in range(len(targets))]
        for target, register in zip(targets, registers, strict=True):
            self.emitter.define(target, register)
        return registers

    def _linear(self, step: SolveLinear) -> None:
        entries = [self.emitter.register(e) for row in step.matrix for e in row]
        entries += [self.emitter.register(e) for e in step.right]
        solve = LinearSolve(len(step.targets), self._block(step.targets))
        self._extract(step.targets, self.emitter.append("linear_solve", tuple(entries), solve))

    def _nonlinear(self, step: SolveNonlinear) -> None:
        residuals, captured = _residuals(self.emitter.pool, self.layout, self.bodies[step.targets], step)
        registers = [self.emitter.register(node) for node in captured]
        if self.initial:
            registers += [self.emitter.register(guess) for guess in step.guesses]
        else:
            registers += [self.emitter.emit("memory", (), self.layout.memory_of[t]) for t in step.targets]
        solve = NewtonSolve(len(step.targets), self._block(step.targets), step.nominals, residuals)
        solutions = self._extract(step.targets, self.emitter.append("newton_solve", tuple(registers), solve))
        if not self.initial:
            for target, register in zip(step.targets, solutions, strict=True):
                self.emitter.effect("keep", register, self.layout.memory_of[target])


def _residuals(pool: Pool, layout: Layout, body: Body, step: SolveNonlinear) -> tuple[Routine, tuple[Expr, ...]]:
    """The routine of residuals and Jacobian, and the expressions whose values it captures."""
    captured: dict[Expr, int] = {}

    def outer(node: Expr) -> int | None:
        if node in body.inside:
            return None
        if node.op == "string":
            raise InternalError("lower", f"the string {node} reached the generated code")
        position = captured.setdefault(node, len(captured))
        return emitter.load("captured", position, layout.is_boolean(node))

    emitter = Emitter(pool, layout, body.uses, outer)
    for i, target in enumerate(step.targets):
        emitter.define(target, emitter.emit("unknown", (), i))
    for assign in step.inner:
        emitter.define(assign.target, emitter.register(assign.value))
    results = [*step.residuals, *(e for row in step.jacobian for e in row)]
    for position, result in enumerate(results):
        emitter.effect("store", emitter.register(result), position)
    code = tuple(emitter.code)
    return Routine(code, count(code), tuple(emitter.names)), tuple(captured)
