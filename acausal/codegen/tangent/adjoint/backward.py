"""The program of the adjoint equations over the time that is left.

States are w, inputs what was recorded; `variables` are f_p' w, for each position in p that parameters move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from acausal.base.frozen import dataclass
from acausal.codegen.lower.workspace import code_workspace
from acausal.codegen.optimize.loop_rerolling import frame_size
from acausal.codegen.tangent.adjoint.recorded import Recorded, with_recording
from acausal.codegen.tangent.forward_mode import ForwardPass
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.operator_slopes import Slopes
from acausal.codegen.tangent.seeds import Seeds
from acausal.codegen.tangent.sensitivities.unsupported import too_long
from acausal.ir.names import Symbol, show_derivative
from acausal.ir.origin import Origin
from acausal.ir.program.instructions import (
    Instruction,
    NewtonSolve,
    Routine,
)
from acausal.ir.program.program import Program
from acausal.ir.program.slots import NO_CHOICES, NO_TABLE, StateSlot


@dataclass(frozen=True, slots=True)
class Backward:
    """`program` reads the `recorded` values in the order of its inputs, its derivatives the first `moving` ones.

    Its parameters end with nominal values of w. Its variables belong to the `columns`, others are zero.
    """

    program: Program
    recorded: tuple[Recorded, ...]
    moving: int
    columns: tuple[int, ...]


class _RecordedPass(ForwardPass):
    """Slopes along states and positions in p, where all that moves with time was recorded: `places` of inputs."""

    def __init__(self, most: int, seeds: Seeds) -> None:
        super().__init__(Code(), most, seeds)
        self.places: dict[Recorded, int] = {}

    def recorded(self, value: Recorded) -> int:
        """The register of a value."""
        return self.code.emit(Instruction("input", (), self.places.setdefault(value, len(self.places))))

    def value_of(self, instruction: Instruction, stores: Mapping[int, int]) -> int:
        """The register of a value, with its slopes."""
        op, args, value = instruction
        if op in ("state", "input", "time"):
            position = value if isinstance(value, int) else 0
            register = self.recorded(Recorded(op, position))
            if op == "state":
                self._slopes[register] = {position: self.code.one}
            return register
        if isinstance(value, NewtonSolve):
            solution = [self.recorded(Recorded("unknown", i, value.block)) for i in range(value.size)]
            self._solutions[solution[0]] = solution
            if any(a in self._slopes for a in args):
                slopes = self._implicit(args, value, solution)
                self._slopes.update(zip(solution, slopes, strict=True))
            return solution[0]
        return super().value_of(instruction, stores)


def backward_program(program: Program, seeds: Seeds, columns: int, origin: Origin, most: int) -> Backward:
    """The adjoint equations; `seeds` have `columns` positions in p behind the states; LimitError L019 if too long.

    `origin` is that of the recording of w.
    """
    n = len(program.state_slots)
    found = _RecordedPass(most, seeds)
    rates = found.run(program.derivatives.code, {}, [])
    if rates is None:
        raise too_long(program)
    slopes = [found.slopes_of(rates[i]) for i in range(n)]
    derivatives, variables, used = _products(found.code, slopes, n, columns)
    moving = _read(derivatives)
    order = [*sorted(moving), *sorted(_read(variables) - moving)]
    values = {position: value for value, position in found.places.items()}
    moved = {position: k for k, position in enumerate(order)}
    names = [_symbol(k) for k in range(len(order))]
    first = program.parameter_size
    slots = [StateSlot(_adjoint(slot.symbol), first + i, slot.origin) for i, slot in enumerate(program.state_slots)]
    zeros = Code()
    made = replace(
        program,
        name=f"{program.name}, adjoint",
        hoisted=program.hoisted + n,
        state_slots=tuple(slots),
        input_slots=tuple(names),
        variable_slots=(),
        conditions=(),
        stored=len(used),
        shared=0,
        memory=0,
        memory_slots=(),
        initial=zeros.routine([zeros.zero] * n),
        derivatives=_with_inputs(derivatives, moved),
        variables=_with_inputs(variables, moved),
        table=NO_TABLE,
        events=Routine((), program.events.operations),
        crossings=Routine((), program.crossings.operations),
        choice_table=NO_CHOICES,
        choices=Routine((), program.choices.operations),
        waves=(),
        tracking=0,
        followed=0,
        beside=0,
        is_timed=False,
        driven=(),
        interpolation=0,
    )
    routines = (made.derivatives, made.variables)
    made = replace(
        made,
        workspace=max([program.workspace, *[code_workspace(r.code) for r in routines]]),
        frame=max([program.frame, *[frame_size(r.code) for r in routines]]),
    )
    code = Code()
    own = [code.emit(Instruction("state", (), i)) for i in range(n)]
    recorded = tuple([values[position] for position in order])
    return Backward(with_recording(made, own, code, origin), recorded, len(moving), used)


def _products(
    code: Code, slopes: Sequence[Slopes], states: int, columns: int
) -> tuple[Routine, Routine, tuple[int, ...]]:
    """f_y' w and f_p' w, without columns that are zero; the others."""
    totals = [code.zero] * (states + columns)
    for i, row in enumerate(slopes):
        weight = code.emit(Instruction("state", (), i))
        for column, slope in row.items():
            totals[column] = code.add(totals[column], code.mul(slope, weight))
    used = tuple([column for column in range(columns) if totals[states + column] != code.zero])
    return code.routine(totals[:states]), code.routine([totals[states + column] for column in used]), used


def _read(routine: Routine) -> set[int]:
    return {i.value for i in routine.code if i.op == "input" and isinstance(i.value, int)}


def _with_inputs(routine: Routine, moved: Mapping[int, int]) -> Routine:
    code = [
        Instruction(op, args, moved[value])
        if op == "input" and isinstance(value, int)
        else Instruction(op, args, value)
        for op, args, value in routine.code
    ]
    return Routine(tuple(code), routine.operations, routine.names)


def _symbol(number: int) -> Symbol:
    return (f"recorded{number}",), 0


def _adjoint(symbol: Symbol) -> Symbol:
    return (f"adjoint({show_derivative(*symbol)})",), 0
