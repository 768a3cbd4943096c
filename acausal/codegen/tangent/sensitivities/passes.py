"""Routines with slopes: their own instructions, and behind them those of the slopes."""

from collections.abc import Sequence

from acausal.codegen.tangent.forward_mode import ForwardPass
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.operator_slopes import Slopes
from acausal.codegen.tangent.sensitivities.places import SlopePlaces
from acausal.codegen.tangent.sensitivities.unsupported import too_long
from acausal.ir.program.instructions import Instruction, Routine
from acausal.ir.program.program import Program


class SlopePass(ForwardPass):
    """One routine; `at_event` where time has slopes, too: those of the time of the event."""

    def __init__(self, places: SlopePlaces, most: int, at_event: bool = False) -> None:
        super().__init__(Code(), most)
        self._places, self._at_event = places, at_event

    def seed(self, op: str, position: int) -> Slopes:
        """The slopes of what is loaded are loaded, too."""
        places, code = self._places, self.code
        columns = range(places.count)
        if op == "state":
            return {k: self._load("state", places.state(position, k)) for k in columns}
        if op == "parameter":
            found = [(k, places.parameters.get((position, k))) for k in columns]
            return {k: self._load("parameter", at) for k, at in found if at is not None}
        if op == "time":
            first = places.time if self._at_event else None
            return {} if first is None else {k: self._load("input", first + k) for k in columns}
        if position in places.frozen:
            return {k: self._load("input", places.frozen[position] + k) for k in columns}
        if position not in places.inputs:
            return self._input_slopes(position)
        slopes = {k: self._load("input", places.inputs[position] + k) for k in columns}
        if position in places.rates:  # v(t - T): dv/dp - der(v) dT/dp
            rate = self._load("input", places.rates[position])
            for k in columns:
                length = places.parameters.get((places.lengths[position], k))
                if length is not None:
                    slopes[k] = code.sub(slopes[k], code.mul(rate, self._load("parameter", length)))
        return slopes

    def _input_slopes(self, position: int) -> Slopes:
        """An input u(t) changes with the time of the event."""
        rate, first = self._places.rates.get(position), self._places.time
        if rate is None or first is None or not self._at_event:
            return {}
        moving = self._load("input", rate)
        return {k: self.code.mul(moving, self._load("input", first + k)) for k in range(self._places.count)}

    def matrix_seed(self, position: int) -> Sequence[Slopes]:
        """The slopes of a factored matrix stand in p, too."""
        found = self._places.matrices.get(position, ())
        return [{k: self._load("parameter", at) for k, at in slopes.items()} for slopes in found]

    def _load(self, op: str, position: int) -> int:
        return self.code.emit(Instruction(op, (), position))  # type: ignore[arg-type]  # a load


def run_slopes(found: SlopePass, program: Program, routine: Routine) -> list[int]:
    """The registers of the results of a routine; LimitError L019 where it becomes too long."""
    stores = found.run(routine.code, {}, [])
    if stores is None:
        raise too_long(program)
    return [stores[i] for i in range(len(stores))]


def slopes_of(found: SlopePass, registers: Sequence[int], count: int) -> list[int]:
    """The registers of the slopes of others, parameter by parameter."""
    zero = found.code.zero
    return [found.slopes_of(register).get(k, zero) for k in range(count) for register in registers]


def with_slopes(found: ForwardPass, routine: Routine, results: list[int]) -> Routine:
    """The routine with these results, and what it keeps and calls by names."""
    names = tuple([(found.there[register], symbol) for register, symbol in routine.names])
    return found.code.routine(results, found.keeps, names)


def shifted(routine: Routine, first: int, shift: int) -> Routine:
    """The routine with the inputs from a position on behind further frozen values."""
    if not shift:
        return routine
    code = [
        Instruction(op, args, value + shift) if op == "input" and isinstance(value, int) and value >= first else i
        for i in routine.code
        for op, args, value in [i]
    ]
    return Routine(tuple(code), routine.operations, routine.names)
