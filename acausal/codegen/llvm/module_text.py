"""Printer of programs in LLVM's language: what a solver calls at every step, and the rest.

Written as text because building it from llvmlite's objects takes several times as long.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from acausal.base.diagnostics import InternalError
from acausal.codegen.default_parameters import is_plain
from acausal.codegen.llvm.loop_text import ARGUMENTS, PartsText
from acausal.codegen.llvm.routine_text import OF_RESIDUALS, RoutineText
from acausal.codegen.llvm.step_routines import AT_EVERY_STEP, SHORT, step_size
from acausal.codegen.llvm.tracking import tracked_text
from acausal.codegen.lower.workspace import code_workspace
from acausal.codegen.optimize.loop_rerolling import is_long, mostly_loops, reroll_loops
from acausal.codegen.optimize.schedule import schedule
from acausal.ir.program.instructions import NewtonSolve
from acausal.ir.program.program import ROUTINES, Program, routine_of

if TYPE_CHECKING:
    from acausal.codegen.tangent.seeds import Tangent

_ATTRIBUTES = 'attributes #0 = { "tune-cpu"="generic" }'
"""LLVM schedules again for some processors behind register allocation, in more than linear time."""


def module_texts(program: Program) -> tuple[str, ...]:
    """The modules of a program: what a solver calls at every step, and the rest; one where that is short.

    The routine `setup` has one of its own (`setup_text`), where most runs need none.
    """
    routines = [name for name in ROUTINES if name != "setup" or not is_plain(program.setup)]
    if step_size(program) < SHORT:
        return (_text(program, routines, ordered=()),)
    rest = [name for name in routines if name not in AT_EVERY_STEP]
    return step_text(program), _text(program, rest, ordered=())


def setup_text(program: Program) -> str:
    """A module with the routine `setup`."""
    return _text(program, ("setup",), ordered=())


def step_text(program: Program) -> str:
    """A module with the routines that a solver calls at every step."""
    return _text(program, AT_EVERY_STEP, ordered=AT_EVERY_STEP)


def tangent_text(program: Program, made: "Tangent | None") -> str:
    """A module with the routine `tangent`, how many entries and how much memory it has, and where the entries stand.

    Without it (None), a module that says -1 entries. It is cut into loops where the derivatives are: to look for some
    elsewhere takes longer than to compile what runs seldom.
    """
    if made is None:
        return _array("tangent_sizes", (-1, 0))
    code, used = made.routine.code, dict[str, None]()
    memory, frame = program.work + code_workspace(code), 0
    if is_long(code) and mostly_loops(program.derivatives.code):
        parts = reroll_loops(code)
        frame = parts.frame
        lines = PartsText("tangent", code, parts, program.work, memory, used).functions()
    else:
        text = RoutineText("tangent", program.work, used)
        text.add(code)
        lines = text.function(ARGUMENTS)
    arrays = [_array(f"tangent_{name}", numbers) for name, numbers in (
        ("sizes", (len(made.rows), memory + frame)), ("rows", made.rows), ("columns", made.columns)
    )]  # fmt: skip
    return "\n".join([*lines, *arrays, _ATTRIBUTES, *used, ""])


def residuals_text(solve: NewtonSolve) -> str:
    """A module with the residuals and the Jacobian of one nonlinear block."""
    used: dict[str, None] = {}
    text = RoutineText("residuals", 0, used)
    text.add(solve.residuals.code)
    return "\n".join([*text.function(OF_RESIDUALS, "void", "void"), _ATTRIBUTES, *used, ""])


def _array(name: str, numbers: Sequence[int]) -> str:
    return f"@{name} = constant [{len(numbers)} x i64] [{', '.join([f'i64 {n}' for n in numbers])}]"


def _text(program: Program, routines: Iterable[str], ordered: Sequence[str]) -> str:
    """A module with those that have code; `ordered` are to be in order."""
    used: dict[str, None] = {}
    functions = [line for name in routines for line in _routine(program, name, name in ordered, used)]
    return "\n".join([*functions, _ATTRIBUTES, *used, ""])


def _routine(program: Program, name: str, ordered: bool, used: dict[str, None]) -> list[str]:
    """The functions of a routine; where it solves nonlinear blocks, one around it tracks their branches."""
    code = routine_of(program, name).code
    if not code:
        return []
    tracked = tracked_text(program, name, used)
    inner = f"{name}_untracked" if tracked else name
    if not is_long(code):
        text = RoutineText(inner, program.work, used)
        text.add(schedule(code) if ordered else code)
        return [*text.function(ARGUMENTS), *tracked]
    parts = reroll_loops(code, in_place=name == "setup")
    if parts.frame > program.frame:
        raise InternalError("llvm", f"the frame of {name} has no room")
    return [*PartsText(inner, code, parts, program.work, program.work + program.workspace, used).functions(), *tracked]
