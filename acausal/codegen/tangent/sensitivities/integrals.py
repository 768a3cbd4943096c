"""Integrals of variables over the run as further states of a program.

integral(x)        der(integral(x)) = x, from 0 on
"""

from collections.abc import Sequence
from dataclasses import replace

from acausal.codegen.tangent.forward_mode import ForwardPass
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.operator_slopes import Slopes
from acausal.codegen.tangent.sensitivities.unsupported import too_long
from acausal.ir.names import Symbol, show_derivative
from acausal.ir.program.instructions import Instruction, Routine
from acausal.ir.program.program import Program
from acausal.ir.program.slots import StateSlot, VariableSlot


class Copy(ForwardPass):
    """The instructions of routines without any slopes."""

    def seed(self, op: str, position: int) -> Slopes:  # noqa: ARG002 - as with slopes
        """None."""
        return {}


def integral_symbol(symbol: Symbol) -> Symbol:
    """The symbol of an integral."""
    return (f"integral({show_derivative(*symbol)})",), 0


def with_integrals(program: Program, symbols: Sequence[Symbol], most: int) -> Program:
    """The program with the integrals of these variables."""
    if not symbols:
        return program
    first, count = len(program.state_slots), len(symbols)
    slot_of = {slot.symbol: slot for slot in program.variable_slots}
    found = Copy(Code(), most)
    rates = results_of(found, program, program.derivatives)
    stored, keeps = results_of(found, program, program.variables), found.keeps
    registers = [register_of(found, slot_of[symbol], stored) for symbol in symbols]
    derivatives = found.code.routine([*rates, *registers], keeps)
    made = [integral_symbol(symbol) for symbol in symbols]
    slots = [VariableSlot(symbol, "stored", program.stored + k) for k, symbol in enumerate(made)]
    table = program.choice_table
    values = len(table.values)
    if table.slots:
        moved = tuple([replace(slot, position=slot.position + count) for slot in table.slots])
        table = replace(table, slots=moved, values=(*table.values, *made), results=table.results + count)
    return replace(
        program,
        state_slots=(*program.state_slots, *[StateSlot(symbol) for symbol in made]),
        variable_slots=(*program.variable_slots, *slots),
        conditions=tuple([replace(c, position=c.position + count) for c in program.conditions]),
        stored=program.stored + count,
        shared=0,
        initial=_with_loads(program, program.initial, (first, first + values if values else None), first, count),
        derivatives=derivatives,
        variables=_with_loads(program, program.variables, (program.stored, None), first, count),
        choices=_with_loads(program, program.choices, (values, None), first, count) if values else program.choices,
        choice_table=table,
    )


def results_of(found: Copy, program: Program, routine: Routine) -> list[int]:
    """The registers of the results of a routine, whose instructions are copied."""
    stores = found.run(routine.code, {}, [])
    if stores is None:
        raise too_long(program)
    return [stores[i] for i in range(len(stores))]


def register_of(found: Copy, slot: VariableSlot, stored: list[int]) -> int:
    """The register of a variable."""
    code = found.code
    if slot.kind == "stored":
        register = stored[slot.position]
    elif slot.kind == "parameter":
        register = code.emit(Instruction("parameter", (), slot.position))
    else:
        register = code.emit(Instruction("time")) if slot.kind == "time" else code.const(slot.value)
    return code.neg(register) if slot.sign < 0 else register


def _with_loads(program: Program, routine: Routine, places: tuple[int, int | None], first: int, count: int) -> Routine:
    """The routine with the integrals among its results at the places: at the first instant they are zero."""
    found = Copy(Code(), 1 << 60)
    results = results_of(found, program, routine)
    is_first = routine is program.initial
    loads = [
        found.code.zero if is_first else found.code.emit(Instruction("state", (), first + k)) for k in range(count)
    ]
    for place in sorted([at for at in places if at is not None], reverse=True):
        results[place:place] = loads
    names = tuple([(found.there[register], symbol) for register, symbol in routine.names])
    return found.code.routine(results, found.keeps, names)
