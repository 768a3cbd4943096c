"""The verifier of programs: run after every pass in the tests."""

from collections.abc import Iterator

from acausal.base.frozen import record
from acausal.ir.ops import OPS
from acausal.ir.program.instructions import (
    EFFECTS,
    LOADS,
    FactoredSolve,
    Instruction,
    LinearColumns,
    LinearFactor,
    LinearSolve,
    NewtonSolve,
    Routine,
)
from acausal.ir.program.program import ROUTINES, Program, routine_of

BINARY = ("add", "sub", "mul", "div")
_REAL, _BOOLEAN, _SOLUTION, _NOTHING = "real", "boolean", "solution", "nothing"


@record(frozen=True, slots=True)
class _Bounds:
    """Number of slots of each load and effect in a routine."""

    limits: dict[str, int]
    must_store: int


def check_program(program: Program) -> tuple[str, ...]:
    """Check a program; faults with routine and register, empty without faults."""
    return tuple(_faults(program))


def _faults(program: Program) -> Iterator[str]:
    for name in ROUTINES:
        yield from _routine_faults(name, routine_of(program, name), _bounds(program, name), len(program.blocks))
    if program.variables.code[: program.shared] != program.derivatives.code[: program.shared]:
        yield "variables does not begin as derivatives"
    for slot in program.variable_slots:
        limit = {"stored": program.stored, "parameter": program.parameter_size}.get(slot.kind, 1)
        if not 0 <= slot.position < limit:
            yield f"variable {slot.symbol}: {slot.kind} {slot.position} is out of range"
    for state in program.state_slots:
        if state.nominal is not None and not 0 <= state.nominal < program.parameter_size:
            yield f"state {state.symbol}: nominal {state.nominal} is out of range"


def _bounds(program: Program, name: str) -> _Bounds:
    states, inputs, size = len(program.state_slots), program.input_size, program.parameter_size
    results = program.result_size(name)
    limits = {
        "state": 0 if name in ("setup", "initial") else states,
        "input": len(program.parameter_slots) if name == "setup" else inputs,
        "parameter": len(program.parameter_slots) if name == "setup" else size,
        "memory": program.memory,
        "keep": program.memory,
        "store": results,
    }
    return _Bounds(limits, 0 if name == "setup" else results)


def _routine_faults(where: str, routine: Routine, bounds: _Bounds, blocks: int) -> Iterator[str]:
    types: list[str] = []
    stored: set[int] = set()
    for register, instruction in enumerate(routine.code):
        place = f"{where} %{register} {instruction.op}"
        if any(not 0 <= a < register for a in instruction.args):
            yield f"{place}: reads a register that has no value yet"
            return
        yield from (f"{place}: {fault}" for fault in _instruction_faults(instruction, types, bounds))
        if instruction.op == "store":
            if instruction.value in stored:
                yield f"{place}: stores {instruction.value} twice"
            assert isinstance(instruction.value, int)
            stored.add(instruction.value)
        solve = instruction.value
        if (
            isinstance(solve, LinearSolve | LinearColumns | FactoredSolve | NewtonSolve)
            and not 1 <= solve.block <= blocks
        ):
            yield f"{place}: block {solve.block} is not in the table"
        if isinstance(solve, LinearFactor) and where != "setup":
            yield f"{place}: matrices are factored in setup"
        if isinstance(instruction.value, NewtonSolve):
            yield from _newton_faults(place, instruction, instruction.value)
        types.append(_type_of(instruction, types))
    missing = [i for i in range(bounds.must_store) if i not in stored]
    if missing:
        yield f"{where}: result {missing[0]} is not stored"


def _newton_faults(place: str, instruction: Instruction, solve: NewtonSolve) -> Iterator[str]:
    size = solve.size
    captured = len(instruction.args) - size
    if len(solve.nominals) != size or captured < 0:
        yield f"{place}: wrong number of start or nominal values"
    bounds = _Bounds({"captured": captured, "unknown": size, "store": size + size * size}, size + size * size)
    yield from _routine_faults(f"{place} residuals", solve.residuals, bounds, 0)


def _instruction_faults(instruction: Instruction, types: list[str], bounds: _Bounds) -> Iterator[str]:
    op, args, value = instruction
    given = [types[a] for a in args]
    if op in LOADS or op in EFFECTS:
        if not isinstance(value, int) or not 0 <= value < bounds.limits.get(op, 0):
            yield f"position {value} is out of range"
        expected = [given[0] if given and given[0] == _BOOLEAN else _REAL] if op in EFFECTS else []
    elif op == "const":
        expected = []
        if not isinstance(value, float):
            yield "its value is not a number"
    elif op in ("time", "boolean"):
        expected = []
    elif op == "extract":
        expected = [_SOLUTION]
    elif isinstance(value, LinearSolve | LinearColumns | LinearFactor | FactoredSolve):
        expected = [_REAL] * _entries(value)
    elif isinstance(value, NewtonSolve):
        expected = [t if t == _BOOLEAN else _REAL for t in given]
    else:
        yield from _operator_faults(op, given)
        return
    if given != expected:
        yield f"arguments are {given}, not {expected}"


def _entries(solve: LinearSolve | LinearColumns | LinearFactor | FactoredSolve) -> int:
    """So many arguments a linear system has: the matrix, right sides, or both."""
    matrix = 0 if isinstance(solve, FactoredSolve) else solve.size * solve.size
    columns = 0 if isinstance(solve, LinearFactor) else solve.columns if isinstance(solve, LinearColumns) else 1
    if isinstance(solve, LinearColumns) and solve.norm is not None:
        return matrix + solve.size + columns * (matrix + solve.size)
    return matrix + solve.size * columns


_LEAST = 2
"""Arguments that say which function of which unit."""


def _operator_faults(op: str, given: list[str]) -> Iterator[str]:
    if op == "if":
        good = len(given) == 3 and given[0] == _BOOLEAN and given[1] == given[2]
    elif op in ("and", "or", "not"):
        good = given == [_BOOLEAN] * (1 if op == "not" else 2)
    elif op == "external":
        good = len(given) >= _LEAST and given == [_REAL] * len(given)
    elif op in BINARY:
        good = given == [_REAL] * 2
    elif op in OPS and op not in ("mod", "noevent", "linexp", "linlog"):
        good = given == [_REAL] * (OPS[op].arity or 0)
    else:
        yield "no such operation"
        return
    if not good:
        yield f"cannot take {given}"


def _type_of(instruction: Instruction, types: list[str]) -> str:
    op, args, _ = instruction
    if op in EFFECTS or op == "linear_factor":
        return _NOTHING
    if op in ("linear_solve", "linear_columns", "factored_solve", "newton_solve"):
        return _SOLUTION
    if op == "if":
        return types[args[1]]
    row = OPS.get(op)
    return _BOOLEAN if op == "boolean" or (row is not None and row.boolean) else _REAL
