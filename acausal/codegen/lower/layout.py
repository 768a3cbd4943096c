"""Layout of parameters, states, inputs, hoisted values and start values: the slot and array of each.

Slots of hoisted values and of derivatives of inputs are given out as they are asked for,
hence a `Layout` grows while the routines are lowered; the order of asking is that of the plan.
"""

from collections.abc import Sequence

from acausal.base.diagnostics import InternalError
from acausal.codegen.lower.workspace import factors_size
from acausal.codegen.optimize.liveness import Body, body_of, positions_of
from acausal.ir.expr import Expr
from acausal.ir.kinds import BlockKind
from acausal.ir.ops import OPS
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, SolvePlan, Step
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import Block

Matrix = tuple[tuple[Expr, ...], ...]


class Layout:
    """Positions in p, y, u and m; frozen values stand before the inputs in u."""

    def __init__(self, plan: SolvePlan) -> None:
        self.parameters = tuple(p for p in plan.parameters if p.type != "string" and not p.symbol.shape)
        self.parameter_of = {p.symbol: i for i, p in enumerate(self.parameters)}
        self.state_of = {leaf: i for i, leaf in enumerate(plan.states)}
        self.frozen_of = {h.symbol: i for i, h in enumerate(plan.events.frozen)}
        self.input_of = {v.symbol: i for i, v in enumerate(plan.inputs, len(self.frozen_of))}
        self.hoisted_of: dict[Expr, int] = {}
        self.factor_of: dict[Matrix, int] = {}
        self.parameter_size = len(self.parameters)
        self.memory_of: dict[Expr, int] = {}
        self.blocks: list[Block] = []
        self._block_of: dict[tuple[str, tuple[Expr, ...]], int] = {}
        for routine, steps in (("initial", plan.initial_steps), ("run", plan.steps)):
            for step in steps:
                if isinstance(step, Assign):
                    continue
                kind: BlockKind = "nonlinear" if isinstance(step, SolveNonlinear) else "linear"
                redundant = isinstance(step, SolveLinear) and step.norm is not None
                targets = tuple((t.name, t.order) for t in step.targets)
                self.blocks.append(Block(kind, routine, step.size, targets, step.origins, redundant))
                self._block_of[routine, step.targets] = len(self.blocks)
                if routine == "run" and kind == "nonlinear":
                    self.memory_of |= {t: i for i, t in enumerate(step.targets, len(self.memory_of))}
        self._positions: dict[int, tuple[tuple[Step, ...], dict[Expr, int]]] = {}
        self._bodies: dict[int, tuple[SolveNonlinear, Body]] = {}
        self.residuals: dict[int, tuple[Body, Routine, tuple[Expr, ...]]] = {}
        self.followed = 0
        self.beside, self.is_timed = 0, False
        self.driven: tuple[int, ...] = ()
        self._input_names = {v.symbol.name for v in plan.inputs}
        variables = [*plan.variables, *plan.inputs, *(a.variable for a in plan.aliases)]
        self._booleans = {v.symbol for v in variables if v.type == "boolean"}
        self._booleans |= {p.symbol for p in plan.parameters if p.type == "boolean"}
        self._booleans |= {h.symbol for h in plan.events.frozen if h.type == "boolean"}

    def positions(self, steps: tuple[Step, ...]) -> dict[Expr, int]:
        """The positions of steps by their targets, found once for all routines of these steps."""
        found = self._positions.get(id(steps))
        if found is None:
            found = self._positions[id(steps)] = steps, positions_of(steps)
        return found[1]

    def body(self, step: SolveNonlinear) -> Body:
        """The body of a nonlinear block, divided once for all routines that solve it."""
        found = self._bodies.get(id(step))
        if found is None:
            found = self._bodies[id(step)] = step, body_of(step)
        return found[1]

    def follow(self, targets: Sequence[Expr], beside: int, is_timed: bool) -> None:
        """The start values of these come first: their branches are followed.

        The rates do not need the last ones, which stand `beside`; `is_timed` if time moves some.
        """
        self.beside, self.is_timed = beside, is_timed
        others = [t for t in self.memory_of if t not in set(targets)]
        self.memory_of = {t: i for i, t in enumerate([*targets, *others])}
        self.followed = len(targets)

    def follow_rates(self, driven: tuple[int, ...], rates: Sequence[Expr]) -> None:
        """The rates of driven states come behind the followed unknowns: it is known how they move, too."""
        self.driven = driven
        found = [*self.memory_of]
        found[self.followed : self.followed] = [rates[i] for i in driven]
        self.memory_of = {t: i for i, t in enumerate(found)}
        self.followed += len(driven)

    def hoisted(self, node: Expr) -> int:
        """The position in p of a parameter or of the value of a parameter expression."""
        position = self.parameter_of.get(node)
        if position is None:
            position = self.hoisted_of.get(node)
        if position is None:
            position = self.hoisted_of[node] = self._take(1)
        return position

    def factored(self, matrix: Matrix) -> int:
        """Position in p of the factors of a matrix of parameter expressions."""
        position = self.factor_of.get(matrix)
        if position is None:
            position = self.factor_of[matrix] = self._take(factors_size(len(matrix)))
        return position

    def _take(self, count: int) -> int:
        """Further places in p."""
        self.parameter_size += count
        return self.parameter_size - count

    def block(self, routine: str, targets: tuple[Expr, ...]) -> int:
        """The number of a block, from 1; `routine` is initial or run."""
        return self._block_of[routine, targets]

    def input(self, leaf: Expr) -> int | None:
        """The position in u of a frozen value, an input or a derivative of one; None for other variables."""
        if leaf.op == "frozen":
            return self.frozen_of[leaf]
        position = self.input_of.get(leaf)
        if position is None and leaf.name in self._input_names:
            position = self.input_of[leaf] = len(self.frozen_of) + len(self.input_of)
        return position

    def is_boolean(self, node: Expr) -> bool:
        """True if an expression is a truth value."""
        while node.op in ("if", "noevent"):
            node = node.args[-1]
        if node.op == "boolean" or node in self._booleans:
            return True
        if node.op == "string":
            raise InternalError("lower", f"the string {node} reached the generated code")
        row = OPS.get(node.op)
        return row is not None and row.boolean
