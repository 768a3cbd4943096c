"""The equations behind a program, with numbers for what is known: for messages about runs that fail."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from acausal.base.frozen import record
from acausal.ir.dae import ReducedDae, SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel, Variable
from acausal.ir.names import Symbol
from acausal.ir.program import Program
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import postorder, variables_of
from acausal.symbolic.substitute import substitute

Values = dict[Expr, float]


@record(frozen=True, slots=True)
class Equations:
    """Equations of a translation, loaded when a message needs them; `steady`: the first instant is a steady state."""

    source: Callable[[], ReducedDae]
    steady: bool = False
    written: Callable[[], FlatModel] | None = None

    @property
    def reduced(self) -> ReducedDae:
        """The equations."""
        return self.source()

    @property
    def flat(self) -> FlatModel | None:
        """The model before its equations were reduced, where it is known."""
        return None if self.written is None else self.written()

    def system(self, program: Program, routine: str) -> SortedSystem:
        """The sorted system that the routine solves."""
        from acausal.causalize.blocks.sort import sort
        from acausal.causalize.initial.initial_system import initial_system

        pool, reduced = self.reduced.dae.pool, self.reduced
        states = tuple([pool.variable(*slot.symbol) for slot in program.state_slots])
        held = frozenset(states)
        unknowns = tuple([x for x in reduced.unknowns if x not in held])
        if routine != "initial":
            return sort(pool, reduced.equations, unknowns)
        return initial_system(StateSelection(reduced, states, (), unknowns), self.steady).system

    def as_written(self, equation: Equation) -> Equation:
        """The equation with relations in place of the values held for them."""
        pool, events = self.reduced.dae.pool, self.reduced.dae.events
        texts = {h.symbol: h.written for h in events.held if h.written is not None and h.kind != "before"}
        texts |= {h.symbol: texts.get(h.now[0], h.now[0]) for h in events.held if h.internal and h.type == "boolean"}
        left, right = (substitute(pool, side, texts) for side in (equation.left, equation.right))
        return replace(equation, left=left, right=right)

    def changing_index(self, equations: Iterable[Equation]) -> list[str]:
        """Relations that decide which unknowns these equations hold."""
        found: dict[str, None] = {}
        for equation in map(self.as_written, equations):
            for node in postorder([equation.left, equation.right]):
                if node.op == "if" and variables_of([node.args[1]]) != variables_of([node.args[2]]):
                    found[show_expr(node.args[0])] = None
        return list(found)

    def variable(self, symbol: Symbol) -> Variable | None:
        """The declaration of a variable, or of what it is a derivative of."""
        return next((v for v in self.reduced.dae.variables if v.symbol.name == symbol[0]), None)

    def known(
        self,
        program: Program,
        t: float,
        y: Sequence[float],
        u: Sequence[float],
        p: Sequence[float],
        values: Mapping[Symbol, float],
    ) -> Values:
        """Leaves and their values: time, parameters, states, held values, inputs and computed variables."""
        pool = self.reduced.dae.pool
        known: Values = {pool.time: t}
        known |= {pool.parameter(s.name): float(x) for s, x in zip(program.parameter_slots, p, strict=False)}
        known |= {pool.variable(*s.symbol): float(x) for s, x in zip(program.state_slots, y, strict=False)}
        held = program.table.held
        known |= {pool.held(s.name): float(x) for s, x in zip(held, u, strict=False)}
        known |= {pool.variable(*s): float(x) for s, x in zip(program.input_slots, u[len(held) :], strict=False)}
        known |= {pool.variable(*s): x for s, x in values.items()}
        return known


def residual(system: SortedSystem, equation: Equation) -> Expr:
    """Residual, left side minus right side."""
    return system.pool.sub(equation.left, equation.right)
