"""One routine of a run: steps in the order of the plan, those that its results need."""

from collections.abc import Sequence
from math import tau

from acausal.base.diagnostics import InternalError
from acausal.causalize.initial.periodic_angles import full_turns
from acausal.codegen.lower.emitter import Emitter, Outer
from acausal.codegen.lower.layout import Layout
from acausal.codegen.lower.operation_count import count
from acausal.codegen.lower.workspace import block_workspace
from acausal.codegen.optimize.liveness import Body, Liveness
from acausal.ir.expr import VARIES, Expr
from acausal.ir.kinds import SolveOp
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, Step
from acausal.ir.pool import Pool
from acausal.ir.program.instructions import FactoredSolve, Instruction, LinearSolve, NewtonSolve, Routine


class RoutineBuilder:
    """Lowers the steps that results need, step by step; what is there is not computed again.

    The initial routine knows no states; its nonlinear blocks start from their guesses, those
    of a run from memory.
    """

    def __init__(self, pool: Pool, layout: Layout, steps: tuple[Step, ...], initial: bool) -> None:
        self.layout = layout
        self.initial = initial
        self.bodies = {s.targets: layout.body(s) for s in steps if isinstance(s, SolveNonlinear)}
        self.liveness = Liveness(steps, layout.positions(steps), self.bodies, initial)
        self.emitter = Emitter(pool, self.liveness.uses, _leaves(layout, initial))
        self.workspace = 0

    def compute(self, results: list[Expr]) -> list[Step]:
        """Everything that the results need; the steps that nothing before has asked for."""
        steps = self.liveness.request(results)
        self.take(steps, results)
        return steps

    def take(self, steps: list[Step], results: list[Expr]) -> None:
        """The results by these steps, which are all that they need."""
        emitter = self.emitter
        define, register = emitter.define, emitter.register
        for step in steps:
            if isinstance(step, Assign):
                define(step.target, register(step.value))
            elif isinstance(step, SolveLinear):
                self._linear(step)
            else:
                self._nonlinear(step)
        for result in results:
            if result not in emitter.registers:
                register(result)

    def keep(self, guesses: dict[Expr, Expr]) -> None:
        """Fills the memory: the solutions where they are known here, else the guesses; rates of states are 0."""
        for target, position in self.layout.memory_of.items():
            known = self.emitter.registers.get(target)
            guess = guesses.get(target)
            if known is None:
                known = self.emitter.const(0.0) if guess is None else self.emitter.register(guess)
            self.emitter.effect("keep", known, position)

    def keep_value(self, value: Expr) -> None:
        """Keeps a value that is no unknown of a block."""
        self.emitter.effect("keep", self.emitter.registers[value], self.layout.memory_of[value])

    def routine(self, results: list[Expr]) -> Routine:
        """Routine of what was computed so far, followed by the stores of the results."""
        registers, new = self.emitter.registers, tuple.__new__  # in less time than by its class
        stores = [new(Instruction, ("store", (registers[r],), i)) for i, r in enumerate(results)]
        code = (*self.emitter.code, *stores)
        return Routine(code, count(code), tuple(self.emitter.names))

    def _block(self, targets: tuple[Expr, ...]) -> int:
        return self.layout.block("initial" if self.initial else "run", targets)

    def _solve(
        self,
        op: SolveOp,
        args: list[int],
        step: SolveLinear | SolveNonlinear,
        solve: LinearSolve | FactoredSolve | NewtonSolve,
        angles: Sequence[int | None] = (),
    ) -> None:
        """The solution of a block, taken apart; `angles` are the guesses of angles, None for other unknowns."""
        self.workspace = max(self.workspace, block_workspace(solve, len(args)))
        solution = self.emitter.append(op, tuple(args), solve)
        for i, target in enumerate(step.targets):
            register = self.emitter.emit("extract", (solution,), i)
            guess = angles[i] if angles else None
            self.emitter.define(target, register if guess is None else self._nearest(register, guess))

    def _nearest(self, angle: int, guess: int) -> int:
        """The angle with as many full turns more or less as bring it next to the guess."""
        emit, turn = self.emitter.emit, self.emitter.const(tau)
        share = emit("div", (emit("sub", (angle, guess)), turn))
        turns = emit("floor", (emit("add", (share, self.emitter.const(0.5))),))
        return emit("sub", (angle, emit("mul", (turn, turns))))

    def _linear(self, step: SolveLinear) -> None:
        varies = any(e.flags & VARIES for row in step.matrix for e in row)
        if not (varies or self.initial or step.refined or step.norm):
            self._factored(step)
            return
        entries = [self.emitter.register(e) for row in step.matrix for e in row]
        entries += [self.emitter.register(e) for e in step.right]
        solve = LinearSolve(len(step.targets), self._block(step.targets), step.norm, step.refined)
        self._solve("linear_solve", entries, step, solve)

    def _factored(self, step: SolveLinear) -> None:
        """A matrix of parameters is factored once, in `setup`."""
        right = [self.emitter.register(e) for e in step.right]
        solve = FactoredSolve(len(step.targets), self._block(step.targets), self.layout.factored(step.matrix))
        self._solve("factored_solve", right, step, solve)

    def _nonlinear(self, step: SolveNonlinear) -> None:
        residuals, captured = _residuals(self.emitter.pool, self.layout, self.bodies[step.targets], step)
        registers = [self.emitter.register(node) for node in captured]
        angles: list[int | None] = []
        if self.initial:
            guesses = [self.emitter.register(guess) for guess in step.guesses]
            registers += guesses
            angles = [g if turns else None for g, turns in zip(guesses, full_turns(step), strict=True)]
        else:
            registers += [self.emitter.emit("memory", (), self.layout.memory_of[t]) for t in step.targets]
        solve = NewtonSolve(len(step.targets), self._block(step.targets), step.nominals, residuals)
        self._solve("newton_solve", registers, step, solve, angles)
        if not self.initial:
            for target in step.targets:
                self.emitter.effect("keep", self.emitter.registers[target], self.layout.memory_of[target])


def _leaves(layout: Layout, initial: bool) -> Outer:
    """Loads of what no step computes."""

    def outer(emitter: Emitter, node: Expr) -> int | None:
        if not node.flags & VARIES:
            return emitter.load("parameter", layout.hoisted(node), layout.is_boolean(node))
        if node.args:
            return None
        if node.op == "time":
            return emitter.emit("time")
        state = None if initial else layout.state_of.get(node)
        if state is not None:
            return emitter.load("state", state, layout.is_boolean(node))
        position = layout.input(node)
        return None if position is None else emitter.load("input", position, layout.is_boolean(node))

    return outer


def _residuals(pool: Pool, layout: Layout, body: Body, step: SolveNonlinear) -> tuple[Routine, tuple[Expr, ...]]:
    """The routine of residuals and Jacobian, and the expressions whose values it captures: once for all routines."""
    known = layout.residuals.get(id(body))
    if known is not None:
        return known[1:]
    captured: dict[Expr, int] = {}

    def outer(emitter: Emitter, node: Expr) -> int | None:
        if body.holds(node):
            return None
        if node.op == "string":
            raise InternalError("lower", f"the string {node} reached the generated code")
        position = captured.setdefault(node, len(captured))
        return emitter.load("captured", position, layout.is_boolean(node))

    emitter = Emitter(pool, body.uses, outer)
    for i, target in enumerate(step.targets):
        emitter.define(target, emitter.emit("unknown", (), i))
    for assign in step.inner:
        emitter.define(assign.target, emitter.register(assign.value))
    results = [*step.residuals, *(e for row in step.jacobian for e in row)]
    for position, result in enumerate(results):
        emitter.effect("store", emitter.register(result), position)
    code = tuple(emitter.code)
    routine = Routine(code, count(code), tuple(emitter.names))
    layout.residuals[id(body)] = body, routine, tuple(captured)
    return routine, tuple(captured)
