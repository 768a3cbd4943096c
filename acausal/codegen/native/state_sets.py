"""The same model with other states: which are good at a point, and the code for them, each made once."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from acausal.base.gc_pause import gc_paused
from acausal.causalize.index.propagate import propagate
from acausal.causalize.index.select_states import select_states
from acausal.causalize.index.state_choice import choose_at
from acausal.causalize.plan.plan_variant import plan_with
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.lower.lower import lower
from acausal.codegen.lower.texts import with_texts_of
from acausal.ir.dae import StateSelection
from acausal.ir.experiment import Start
from acausal.ir.expr import Expr
from acausal.ir.names import Symbol, show_derivative, show_name
from acausal.ir.plan import SolvePlan
from acausal.units.check.result_units import with_units_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Executable

Best = tuple[tuple[int, ...], ...]
"""For each choice of a program the positions of the candidates that are the best dummy derivatives."""


class OtherStates:
    """All programs of one translation.

    What follows a program depends on the best dummies alone, so that it does not matter what ran before.
    """

    def __init__(self, selection: StateSelection, plan: SolvePlan, executable: "Executable", start: Start) -> None:
        self._plan = plan
        self._first = executable.program
        self._start = start
        self._codes: dict[tuple[Expr, ...], Executable] = {plan.states: executable}
        self._selections = {id(executable): selection}
        self._following: dict[tuple[int, Best], StateSelection] = {}

    def good_at(
        self,
        executable: "Executable",
        best: Best,
        values: Callable[[], Mapping[Symbol, float]],
        given: Mapping[str, float],
    ) -> "Executable":
        """The code with these dummies instead of those of one of the programs.

        Where there is none yet, it is made for the states that are good where variables have these `values`.
        """
        step = id(executable), best
        selection = self._following.get(step)
        if selection is None:
            selection = _with_dummies(self._selections[id(executable)], best)
            self._following[step] = selection
        return self._codes.get(selection.states) or self._made(choose_at(selection, self._numbers(values(), given)))

    def good_for(
        self, executable: "Executable", values: Mapping[Symbol, float], given: Mapping[str, float]
    ) -> "Executable":
        """The code for the states that are good where variables have these values; maybe this one.

        Other variables have the value that follows from these, else zero.
        """
        selection = self._selections[id(executable)]
        return self._made(choose_at(selection, propagate(selection.reduced, self._numbers(values, given))))

    def dummies(self, executable: "Executable") -> tuple[str, ...]:
        """The dummy derivatives of one of the programs by name."""
        return tuple([show_derivative(x.name, x.order) for x in self._selections[id(executable)].dummies])

    def with_dummies(self, names: tuple[str, ...]) -> "Executable":
        """The code with these dummy derivatives, which one of the programs had."""
        reduced = next(iter(self._selections.values())).reduced
        leaves = {show_derivative(x.name, x.order): x for x in reduced.unknowns}
        return self._made(select_states(reduced, [leaves[name] for name in names]))

    def _numbers(self, values: Mapping[Symbol, float], given: Mapping[str, float]) -> dict[Expr, float | bool]:
        """Values by leaves, with those of parameters."""
        numbers: dict[Expr, float | bool] = {
            p.symbol: given.get(show_name(p.symbol.name), p.value)
            for p in self._plan.parameters
            if isinstance(p.value, float | bool)
        }
        pool = self._plan.pool
        return numbers | {pool.variable(*symbol): value for symbol, value in values.items()}

    def _made(self, selection: StateSelection) -> "Executable":
        found = self._codes.get(selection.states)
        if found is None:
            with gc_paused():
                program = lower(plan_with(selection, self._plan.outputs, self._start))
                found = compile_llvm(with_texts_of(with_units_of(program, self._first), self._first))
            self._codes[selection.states] = found
            self._selections[id(found)] = selection
        return found


def _with_dummies(selection: StateSelection, best: Best) -> StateSelection:
    """Choices that do not vary stay; programs have the others, in their order."""
    chosen = iter(best)
    dummies: list[Expr] = []
    for choice in selection.choices:
        dummies += [choice.candidates[i] for i in next(chosen)] if choice.varies else choice.dummies
    return select_states(selection.reduced, dummies)
