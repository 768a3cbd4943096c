"""The routine `setup` with slopes: those of bindings, hoisted values and factored matrices, behind all else in p."""

from collections.abc import Mapping
from dataclasses import replace

from acausal.base.frozen import dataclass
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.sensitivities.places import SlopePlaces
from acausal.codegen.tangent.sensitivities.unsupported import too_long
from acausal.codegen.tangent.setup_pass import SetupPass
from acausal.ir.program.instructions import Instruction, Routine
from acausal.ir.program.program import Program
from acausal.runtime.limits import SMALL


@dataclass(frozen=True, slots=True)
class SetupSlopes:
    """The routine, and where slopes are in p: `zero` is a number 0 and the last one of all.

    `scales` are positions of typical slopes of states, by the position of the nominal value of a state and the column.
    """

    routine: Routine
    places: SlopePlaces
    scales: Mapping[tuple[int | None, int], int]
    zero: int


class _Results:
    """The results: registers by positions in p."""

    def __init__(self, stores: Mapping[int, int], size: int) -> None:
        self.registers = dict(stores)
        self.size = size

    def put(self, register: int) -> int:
        """The position of one more."""
        self.registers[self.size] = register
        self.size += 1
        return self.size - 1


def augment_setup(base: Program, parameters: tuple[int, ...], places: SlopePlaces, most: int) -> SetupSlopes:
    """Slopes along parameters, by their positions in p."""
    columns = {position: k for k, position in enumerate(parameters)}
    found = SetupPass(columns, most, factors=True)
    stores = found.run(base.setup.code, {}, [])
    if stores is None:
        raise too_long(base)
    results = _Results(stores, base.parameter_size)
    at = {(position, k): results.put(found.code.one) for position, k in columns.items() if position not in stores}
    for position, register in stores.items():
        at |= {(position, k): results.put(slope) for k, slope in found.slopes_of(register).items()}
    matrices = {
        position: tuple([{k: results.put(s) for k, s in found.slopes_of(a).items()} for a in matrix])
        for position, matrix in found.factored.items()
        if any(found.slopes_of(a) for a in matrix)
    }
    nominals = dict.fromkeys([slot.nominal for slot in base.state_slots])
    scales = {
        (nominal, k): results.put(_scale(found.code, stores, nominal, position))
        for nominal in nominals
        for k, position in enumerate(parameters)
    }
    zero = results.put(found.code.zero)
    made = found.code.routine(list(results.registers.values()))
    routine = Routine(tuple(_stored_at(made.code, list(results.registers))), made.operations)
    return SetupSlopes(routine, replace(places, parameters=at, matrices=matrices), scales, zero)


def _scale(code: Code, stores: Mapping[int, int], nominal: int | None, position: int) -> int:
    """The nominal value of a state by the size of a parameter: slopes that are small against it need not be exact."""

    def value(at: int) -> int:
        known = stores.get(at)
        return code.emit(Instruction("parameter", (), at)) if known is None else known

    size = code.emit(Instruction("abs", (value(position),)))
    is_zero = code.emit(Instruction("==", (size, code.zero)))
    own = code.const(SMALL) if nominal is None else value(nominal)
    return code.div(own, code.emit(Instruction("if", (is_zero, code.one, size))))


def _stored_at(code: tuple[Instruction, ...], positions: list[int]) -> list[Instruction]:
    """The stores of results by number at their positions."""
    return [
        Instruction(op, args, positions[value])
        if op == "store" and isinstance(value, int)
        else Instruction(op, args, value)
        for op, args, value in code
    ]
