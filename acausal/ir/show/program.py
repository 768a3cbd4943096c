"""Canonical text of a program."""

from acausal.ir.names import Symbol, show_derivative, show_name
from acausal.ir.program.instructions import (
    EFFECTS,
    LOADS,
    FactoredSolve,
    Instruction,
    LinearFactor,
    LinearSolve,
    NewtonSolve,
    Routine,
)
from acausal.ir.program.program import ROUTINES, Program, routine_of
from acausal.ir.program.slots import VariableSlot
from acausal.ir.show.expressions import show_number


def show_program(program: Program) -> str:
    """The tables of slots, then every routine, one line an instruction."""
    lines = [f"program {program.name}"]
    lines += [f"  parameter {i} {show_name(s.name)}" for i, s in enumerate(program.parameter_slots)]
    lines += [f"  state {i} {show_derivative(*s.symbol)}" for i, s in enumerate(program.state_slots)]
    first = len(program.table.frozen)
    lines += [f"  frozen {i} {show_name(s.name)}" for i, s in enumerate(program.table.frozen)]
    lines += [f"  input {i} {show_derivative(*s)}" for i, s in enumerate(program.input_slots, first)]
    lines += [f"  variable {show_derivative(*s.symbol)} {_place(s)}" for s in program.variable_slots]
    lines += [f"  condition {s.kind} stored {s.position}" for s in program.conditions]
    lines += [
        f"  block {i + 1} {b.kind} {b.routine}: {', '.join(show_derivative(*t) for t in b.targets)}"
        for i, b in enumerate(program.blocks)
    ]
    for name in ROUTINES:
        routine = routine_of(program, name)
        lines += _routine(name, routine, "") if routine.code or name in ROUTINES[:4] else []
    return "\n".join([*lines, "end", ""])


def names_of_registers(routine: Routine) -> dict[int, str]:
    """The variables that each named register holds, as text."""
    found: dict[int, list[Symbol]] = {}
    for register, symbol in routine.names:
        found.setdefault(register, []).append(symbol)
    return {register: ", ".join(show_derivative(*s) for s in symbols) for register, symbols in found.items()}


def _place(slot: VariableSlot) -> str:
    sign = "-" if slot.sign < 0 else ""
    if slot.kind == "constant":
        return sign + show_number(slot.value)
    return sign + (slot.kind if slot.kind == "time" else f"{slot.kind} {slot.position}")


def _routine(name: str, routine: Routine, indent: str) -> list[str]:
    o = routine.operations
    counts = f"{{ mul {o.mul}, add {o.add}, div {o.div}, neg {o.neg}, functions {o.functions} }}"
    lines = [f"{indent}routine {name} {counts}"]
    names = names_of_registers(routine)
    for register, instruction in enumerate(routine.code):
        lines += _instruction(register, instruction, names, indent + "  ")
    return lines


def _instruction(register: int, instruction: Instruction, names: dict[int, str], indent: str) -> list[str]:
    op, args, value = instruction
    registers = "".join(f" %{a}" for a in args)
    note = f"  {{ {names[register]} }}" if register in names else ""
    if isinstance(value, NewtonSolve):
        head = f"{indent}%{register} = {op} {value.size} block {value.block}{registers}"
        return [head, *_routine("residuals", value.residuals, indent + "  ")]
    if isinstance(value, LinearSolve):
        text = f" {value.size} block {value.block}"
    elif isinstance(value, FactoredSolve):
        text = f" {value.size} block {value.block} at {value.position}"
    elif isinstance(value, LinearFactor):
        text = f" {value.size} at {value.position}"
    elif isinstance(value, bool):
        text = " true" if value else " false"
    elif op == "const":
        text = f" {value!r}"
    else:
        text = f" {value}" if op in LOADS or op in EFFECTS or op == "extract" else ""
    target = "" if op in EFFECTS else f"%{register} = "
    return [f"{indent}{target}{op}{text}{registers}{note}"]
