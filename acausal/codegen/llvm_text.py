"""The text of a program in LLVM's language: what a solver calls at every step, and the rest.

Written as text because building it from llvmlite's objects takes several times as long.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from acausal.codegen.llvm_parts import ARGUMENTS, PartsText
from acausal.codegen.llvm_routine import RoutineText
from acausal.codegen.order import in_order
from acausal.codegen.parts import cut, is_long, mostly_loops
from acausal.codegen.scratch import code_scratch
from acausal.diagnostics import InternalError
from acausal.ir.program import ROUTINES, Program
from acausal.ir.show_program import routine_of

if TYPE_CHECKING:
    from acausal.codegen.tangent import Tangent

AT_EVERY_STEP = ("derivatives", "crossings")

_MANY = """\
define void @memory_of_row(i64 %row, ptr %rows, ptr %m) {{
entry:
  %at = mul i64 %row, {memory}
  %new = getelementptr double, ptr %rows, i64 %at
  %old = getelementptr double, ptr %new, i64 -{memory}
  %first = icmp eq i64 %row, 0
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %kept ]
  %left = icmp slt i64 %i, {memory}
  br i1 %left, label %body, label %end
body:
  %xp = getelementptr double, ptr %new, i64 %i
  %x = load double, ptr %xp
  br i1 %first, label %take, label %compare
compare:
  %bp = getelementptr double, ptr %old, i64 %i
  %before = load double, ptr %bp
  %other = fcmp une double %x, %before
  br i1 %other, label %take, label %kept
take:
  %mp = getelementptr double, ptr %m, i64 %i
  store double %x, ptr %mp
  br label %kept
kept:
  %next = add i64 %i, 1
  br label %test
end:
  ret void
}}
define i32 @variables_many(i64 %count, ptr %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr %out, ptr %done, ptr %memory) {{
entry:
  %begin = load i64, ptr %done
  br label %test
test:
  %row = phi i64 [ %begin, %entry ], [ %next, %good ]
  store i64 %row, ptr %done
  %more = icmp slt i64 %row, %count
  br i1 %more, label %body, label %end
body:
  call void @memory_of_row(i64 %row, ptr %memory, ptr %m)
  %tp = getelementptr double, ptr %t, i64 %row
  %tv = load double, ptr %tp
  %yo = mul i64 %row, {states}
  %yp = getelementptr double, ptr %y, i64 %yo
  %uo = mul i64 %row, {inputs}
  %up = getelementptr double, ptr %u, i64 %uo
  %oo = mul i64 %row, {stored}
  %op = getelementptr double, ptr %out, i64 %oo
  %status = call i32 @variables(double %tv, ptr %yp, ptr %up, ptr %p, ptr %m, ptr %op)
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %good, label %bad
good:
  %next = add i64 %row, 1
  br label %test
bad:
  ret i32 %status
end:
  ret i32 0
}}"""

_DECLARATIONS = """\
declare i32 @acausal_solve(i64, ptr, ptr)
declare i32 @acausal_lapack(i64, ptr, ptr)
declare i32 @acausal_factor(i64, ptr)
declare i32 @acausal_substitute(i64, ptr, ptr)
declare i32 @acausal_newton(i64, ptr, ptr, ptr, ptr, ptr)
attributes #0 = { "tune-cpu"="generic" }"""
"""For its own sake LLVM schedules anew for some processors behind register allocation, in more than linear time."""


def step_text(program: Program) -> str:
    """A module with the routines that a solver calls at every step."""
    return _text(program, AT_EVERY_STEP, "")


def rest_text(program: Program) -> str:
    """A module with the other routines and `variables_many`."""
    states, memory = len(program.state_slots), program.memory
    many = _MANY.format(states=states, inputs=program.input_size, stored=program.stored_size, memory=memory)
    return _text(program, [name for name in ROUTINES if name not in AT_EVERY_STEP], many)


def tangent_text(program: Program, made: "Tangent | None") -> str:
    """A module with the routine `tangent`, how many entries and how much memory it has, and where the entries stand.

    Without it (None), a module that says -1 entries. It is cut into loops where the derivatives are: to look for some
    elsewhere takes longer than to compile what runs seldom.
    """
    if made is None:
        return _array("tangent_sizes", (-1, 0))
    code, used = made.routine.code, dict[str, None]()
    memory, frame = program.memory + code_scratch(code), 0
    if is_long(code) and mostly_loops(program.derivatives.code):
        parts = cut(code)
        frame = parts.frame
        lines = PartsText("tangent", code, parts, program.memory, memory, used).functions()
    else:
        text = RoutineText("tangent", program.memory, used)
        text.add(code)
        lines = text.function(ARGUMENTS)
    arrays = [_array(f"tangent_{name}", numbers) for name, numbers in (
        ("sizes", (len(made.rows), memory + frame)), ("rows", made.rows), ("columns", made.columns)
    )]  # fmt: skip
    return "\n".join([*lines, *arrays, _DECLARATIONS, *used, ""])


def _array(name: str, numbers: Sequence[int]) -> str:
    return f"@{name} = constant [{len(numbers)} x i64] [{', '.join([f'i64 {n}' for n in numbers])}]"


def _text(program: Program, routines: Iterable[str], more: str) -> str:
    used: dict[str, None] = {}
    functions = [line for name in routines for line in _routine(program, name, used)]
    return "\n".join([*functions, more, _DECLARATIONS, *used, ""])


def _routine(program: Program, name: str, used: dict[str, None]) -> list[str]:
    """The functions of a routine."""
    code = routine_of(program, name).code
    if not is_long(code):
        text = RoutineText(name, program.memory, used)
        text.add(in_order(code) if name in AT_EVERY_STEP else code)
        return text.function(ARGUMENTS)
    parts = cut(code, in_place=name == "setup")
    if parts.frame > program.frame:
        raise InternalError("llvm", f"the frame of {name} has no room")
    return PartsText(name, code, parts, program.memory, program.memory + program.scratch, used).functions()
