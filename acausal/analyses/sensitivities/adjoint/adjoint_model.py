"""The programs of a gradient by the adjoint equations, compiled once for all runs."""

from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.adjoint.objective_program import MOST, objective_program
from acausal.analyses.sensitivities.adjoint.parameter_chain import parameter_chain
from acausal.analyses.sensitivities.objective import Objective
from acausal.analyses.sensitivities.request import parameter_places
from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.base.gc_pause import gc_paused
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.tangent.adjoint.backward import backward_program
from acausal.codegen.tangent.adjoint.recorded import Recorded, recording_program
from acausal.codegen.tangent.model_jacobian import routine_jacobian
from acausal.codegen.tangent.seeds import Tangent
from acausal.codegen.tangent.sensitivities.unsupported import require_slopes, too_long
from acausal.ir.names import show_name
from acausal.ir.origin import Origin
from acausal.ir.program.program import Program
from acausal.simulate.state.state import digest_of, state_names

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.inputs.recording import Recording


def without_adjoint(program: Program) -> ModelError | None:
    """A020 for a model with `init`, delays, redundant constraints or choices of states, and one without states."""
    table, redundant = program.table, [block for block in program.blocks if block.redundant]
    if table.restarts:
        return _refused("with `init`", table.restarts[0].origin)
    if program.delays:
        return _refused("with delays", program.delays[0].origin)
    if redundant:
        return _refused("with redundant constraints", redundant[0].origins[0])
    if program.choice_table.slots:
        return _refused("whose states change in a run", None)
    return None if program.state_slots else _refused("without states", None)


def _refused(what: str, origin: Origin | None) -> ModelError:
    label = None if origin is None else Label(origin.span, "here")
    message = f"the adjoint equations of models {what} are not available"
    return ModelError(Diagnostic("A020", message, label, help='use method="forward": one slope for each parameter'))


class AdjointModel:
    """`forward` records, `backward` has the adjoint equations; the objective is the value of a variable at the end.

    Of the `values` that are recorded the backward program reads the first ones, `recorded`, and its derivatives the
    first `moving` of these. Its variables belong to the `columns` of the targets.
    """

    def __init__(self, executable: "Executable", parameters: tuple[str, ...], asked: Objective) -> None:
        self._lock, self._crossings = Lock(), dict[int, Tangent]()
        with gc_paused():
            own = executable.program
            require_slopes(own, parameter_places(own, parameters))
            self.program, self.slot = objective_program(own, asked)
            self.chain = parameter_chain(own, parameter_places(own, parameters), MOST)
            self.own, self.states = len(own.state_slots), len(self.program.state_slots)
            self.seeds = self.chain.seeds(self.states)
            origins = [slot.origin for slot in own.state_slots if slot.origin is not None]
            where = origins[0], MOST
            made = backward_program(self.program, self.seeds, len(self.chain.targets), *where)
            self.recorded, self.moving, self.columns = made.recorded, made.moving, list(made.columns)
            whole = [Recorded("state", i) for i in range(self.states)] if self.program.table.frozen else []
            values = dict.fromkeys([*made.recorded, *_inputs(self.program), *whole])
            self.values = tuple(values) or (Recorded("state"),)
            self.plain = executable
            self.backward = compile_llvm(made.program)
            self.forward = compile_llvm(recording_program(self.program, self.values, *where))

    def inputs(self, row: "Array") -> "Array":
        """The inputs of the model among the recorded `values`."""
        return row[[self.values.index(value) for value in _inputs(self.program)]]

    def recorded_states(self, recording: "Recording", t: float) -> "Array":
        """All states where a piece begins."""
        piece = int(recording.ends.searchsorted(t, "left"))
        places = [self.values.index(Recorded("state", i)) for i in range(self.states)]
        found: Array = recording.nodes[min(piece, len(recording.nodes) - 1), 0][places]
        return found

    def crossing(self, number: int) -> Tangent:
        """Slopes of what decides about a frozen value, along states, targets, and time."""
        with self._lock:
            found = self._crossings.get(number)
            if found is None:
                seeds = replace(self.seeds, time=self.states + len(self.chain.targets))
                slot = self.program.table.frozen[number]
                made = routine_jacobian(self.program.events, (slot.now,), seeds, MOST)
                if made is None:
                    raise too_long(self.program)
                found = self._crossings[number] = made
            return found

    @property
    def moved(self) -> tuple[str, ...]:
        """Names of parameters that are part of the chain."""
        slots = self.program.parameter_slots
        return tuple([show_name(slots[at].name) for at, _ in self.chain.targets if at < len(slots)])

    @cached_property
    def final(self) -> tuple[str, tuple[str, ...]]:
        """Digest and names of states with which the backward program begins."""
        names = state_names(self.backward.program)
        return digest_of(self.backward.program, names), names

    @cached_property
    def first(self) -> Tangent:
        """Slopes of the first states."""
        return self._jacobian("initial", range(self.states))

    @cached_property
    def last(self) -> Tangent:
        """Slopes of the objective, if it is a stored variable."""
        return self._jacobian("variables", (self.slot.position,))

    def _jacobian(self, name: str, results: "range | tuple[int, ...]") -> Tangent:
        routine = self.program.initial if name == "initial" else self.program.variables
        found = routine_jacobian(routine, tuple(results), self.seeds, MOST)
        if found is None:
            raise too_long(self.program)
        return found


def _inputs(program: Program) -> list[Recorded]:
    return [Recorded("input", position) for position in range(program.input_size)]
