"""The routines of a program as functions of C, with the kernels around those that track branches."""

from collections.abc import Mapping

from acausal.codegen.optimize.loop_rerolling import is_long, reroll_loops
from acausal.ir.names import Symbol, show_derivative, show_name
from acausal.ir.origin import Origin
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import ROUTINES, Program, routine_of
from acausal.runtime.branches.tracked import tracked_routine, tracker
from acausal.runtime.kernel.c.layout import safe, wrapped
from acausal.runtime.kernel.c.types import path_of
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.types import RoutineType, Scalar
from acausal.targets.c.program.identifiers import identifier
from acausal.targets.c.program.lines import ARGUMENTS, Lines, Used
from acausal.targets.c.program.parts_text import PartsText
from acausal.targets.c.program.routine_text import Names, RoutineText

Origins = Mapping[Symbol, Origin]
"""The equation that each variable is computed from."""


def routines_text(program: Program, used: Used, origins: Origins, suffix: str = "") -> list[str]:
    """All routines that have code, with names that end so."""
    return [line for name in ROUTINES for line in _routine(program, name, used, origins, suffix)]


def _routine(program: Program, name: str, used: Used, origins: Origins, suffix: str) -> list[str]:
    routine = routine_of(program, name)
    if not routine.code:
        return []
    kernel, outer = tracker(program, name), f"{name}{suffix}"
    inner = outer if kernel is None else f"{outer}_untracked"
    lines = function_text(program, inner, routine, used, origins, in_place=name == "setup")
    if kernel is not None:
        lines += _tracked(program, name, used.kernel(kernel), outer, inner)
    return lines


def function_text(
    program: Program, name: str, routine: Routine, used: Used, origins: Origins, *, in_place: bool = False
) -> list[str]:
    """The functions of one routine; a long one is cut into parts."""
    names = _names(program, routine, origins)
    if not is_long(routine.code):
        text = RoutineText(name, program.work, used, names, in_place=in_place)
        text.add(routine.code)
        return text.function(ARGUMENTS)
    parts = reroll_loops(routine.code, in_place=in_place)
    places = program.work, program.work + program.workspace
    return PartsText(name, routine.code, parts, places, used, names).functions()


def _names(program: Program, routine: Routine, origins: Origins) -> Names:
    """Names of variables for registers, and the lines of the model that they are computed by."""
    found: dict[int, str] = {}
    notes: dict[int, str] = {}
    for register, symbol in routine.names:
        if register not in found:
            found[register] = show_derivative(*symbol)
            origin = origins.get(symbol)
            if origin is not None:
                notes[register] = place_of(origin)
    for register, (op, _, value) in enumerate(routine.code):
        if op == "parameter" and isinstance(value, int) and value < len(program.parameter_slots):
            found[register] = show_name(program.parameter_slots[value].name)
        elif op == "state" and isinstance(value, int):
            found[register] = show_derivative(*program.state_slots[value].symbol)
        elif op == "input" and isinstance(value, int) and routine is not program.setup:
            found[register] = input_name(program, value)
    blocks = {number: _block_note(program, number) for number in range(1, len(program.blocks) + 1)}
    return Names(found, notes, blocks)


def input_name(program: Program, position: int) -> str:
    """The name of a frozen value or an input."""
    frozen = program.table.frozen
    if position < len(frozen):
        slot = frozen[position]
        return f"is_{identifier(slot.text)[:40]}" if slot.internal or slot.kind == "relation" else show_name(slot.name)
    return show_derivative(*program.input_slots[position - len(frozen)])


def _block_note(program: Program, number: int) -> str:
    block = program.blocks[number - 1]
    targets = ", ".join([show_derivative(*target) for target in block.targets])
    places = ", ".join(dict.fromkeys([place_of(origin) for origin in block.origins]))
    return safe(f"{block.size} {block.kind} equations for {targets}: {places}")


def place_of(origin: Origin) -> str:
    """File and line."""
    span = origin.span
    name = span.file.name.replace("\\", "/").rpartition("/")[2]
    return safe(f"{name}:{span.line}")


def _tracked(program: Program, name: str, kernel: str, function: str, routine: str) -> list[str]:
    """A function that calls a kernel for the routine, of which it knows by a constant structure."""
    context = tracked_routine(program, name, routine)
    lines = _constant_structure(f"{function}_context", context)
    body = Lines(0, Used())
    arguments = "t, y, u, p, m, out"
    body.add(f"return {kernel}((acausal_TrackedRoutine *)&{function}_context, {arguments});")
    written = body.function(function)
    del written[-3]
    return [*lines, *written]


def _constant_structure(name: str, value: Struct) -> list[str]:
    """A structure that does not change; its arrays are lists, routines the names of functions."""
    lines, parts, struct = [], [], type(value)
    for field, (_, kind) in fields(struct).items():
        content = getattr(value, field)
        if kind is Scalar.INTS:
            numbers = ", ".join([str(number) for number in content]) or "0"
            lines.append(f"static const int64_t {name}_{field}[] = {{{numbers}}};")
            parts.append(f".{path_of(struct, field)} = (int64_t *){name}_{field}")
        else:
            assert isinstance(kind, RoutineType) or kind is Scalar.INT
            parts.append(f".{path_of(struct, field)} = {content}")
    return [*lines, wrapped(f"static const acausal_{struct.__name__} {name} = {{{', '.join(parts)}}};"), ""]
