"""Values that a run records for the adjoint equations, and programs that record them.

Values are states, inputs, time, and unknowns of blocks that Newton's method solves: these are never solved again.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from acausal.codegen.lower.workspace import code_workspace
from acausal.codegen.optimize.loop_rerolling import frame_size
from acausal.codegen.tangent.forward_mode import ForwardPass
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.operator_slopes import Slopes
from acausal.codegen.tangent.sensitivities.unsupported import too_long
from acausal.ir.names import Name
from acausal.ir.origin import Origin
from acausal.ir.program.instructions import FactoredSolve, Instruction, LinearSolve, NewtonSolve
from acausal.ir.program.program import Program
from acausal.ir.program.slots import DelaySlot


class Recorded(NamedTuple):
    """A value: `kind` state, input, time or unknown; its position in y or u, or unknown `position` of a `block`."""

    kind: str
    position: int = 0
    block: int = 0


class _ValuePass(ForwardPass):
    """The instructions of a routine without slopes, with the registers of what may be recorded."""

    def __init__(self, most: int) -> None:
        super().__init__(Code(), most)
        self.unknowns: dict[Recorded, int] = {}

    def seed(self, op: str, position: int) -> Slopes:  # noqa: ARG002 - as with slopes
        """None."""
        return {}

    def register(self, value: Recorded) -> int:
        """The register of a value."""
        if value.kind == "unknown":
            return self.unknowns[value]
        if value.kind == "time":
            return self.code.emit(Instruction("time"))
        op = "state" if value.kind == "state" else "input"
        return self.code.emit(Instruction(op, (), value.position))  # type: ignore[arg-type]  # a load

    def block(self, register: int, args: tuple[int, ...], solve: LinearSolve | FactoredSolve | NewtonSolve) -> None:
        """The solution taken apart; that of Newton's method may be recorded."""
        super().block(register, args, solve)
        if isinstance(solve, NewtonSolve):
            for i, unknown in enumerate(self._solutions[register]):
                self.unknowns[Recorded("unknown", i, solve.block)] = unknown


def delay_name(number: int) -> Name:
    """The name of a value that is recorded."""
    return (f"$recorded{number}",)


def with_recording(program: Program, registers: Sequence[int], code: Code, origin: Origin) -> Program:
    """The program that records these registers of `code`."""
    delayed = code.routine([at for register in registers for at in (register, code.zero)])
    names = [delay_name(k) for k in range(len(registers))]
    made = replace(
        program,
        delays=tuple([DelaySlot(name, origin) for name in names]),
        delayed=delayed,
        recorded=len(names),
        input_slots=(*program.input_slots, (names[0], 0)),
    )
    return replace(
        made,
        workspace=max(made.workspace, code_workspace(delayed.code)),
        frame=max(made.frame, frame_size(delayed.code)),
    )


def recording_program(program: Program, values: Sequence[Recorded], origin: Origin, most: int) -> Program:
    """The program with a recording of values of its derivatives."""
    found = _ValuePass(most)
    if found.run(program.derivatives.code, {}, []) is None:
        raise too_long(program)
    registers = [found.register(value) for value in values]
    return with_recording(program, registers, found.code, origin)
