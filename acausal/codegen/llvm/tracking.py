"""Functions around routines with nonlinear blocks that track branches (`runtime/blocks/branch`), as LLVM."""

from acausal.codegen.llvm.lines import number
from acausal.codegen.llvm.loop_text import ARGUMENTS
from acausal.ir.program import Program
from acausal.runtime.blocks.pivots import BLOCK, NEAR, PIVOT
from acausal.runtime.blocks.removable import NODES
from acausal.runtime.blocks.tracked import first_block, least_direct

TRACKING_DECLARATIONS = """\
declare void @predict(ptr, i64, i64, double)
declare void @begin_slope(ptr, i64, i64, double)
declare void @end_slope(ptr, i64, i64, double)
declare i64 @slope_again(ptr, i64, i64)
declare void @back_to_last(ptr, i64, i64)
declare void @end_events(ptr, i64, i64)
declare void @begin_run(ptr, i64, i64)
declare void @begin_row(ptr, i64, i64)
declare void @end_row(ptr, i64, i64)
declare i32 @smooth_results(ptr, double, ptr, ptr, ptr, ptr, ptr, ptr, i64)
declare void @keep_start(ptr, i64, ptr)
declare i32 @interpolate_results(ptr, double, ptr, ptr, ptr, ptr, ptr, ptr, i64)"""

_SLOPE = """\
define i32 @derivatives({arguments}) {{
  call void @begin_slope(ptr %m, i64 {base}, i64 {n}, double %t)
  %status = call i32 @derivatives_once({given})
  %good = icmp eq i32 %status, 0
  br i1 %good, label %end, label %failed
failed:
  %again = call i64 @slope_again(ptr %m, i64 {base}, i64 {n})
  %free = icmp ne i64 %again, 0
  br i1 %free, label %second, label %end
second:
  %other = call i32 @derivatives_once({given})
  ret i32 %other
end:
  ret i32 %status
}}"""
_ONCE = """\
define i32 @derivatives_once({arguments}) {{
  %status = call i32 @derivatives_untracked({given})
  %good = icmp eq i32 %status, 0
  br i1 %good, label %done, label %end
done:
  call void @end_slope(ptr %m, i64 {base}, i64 {n}, double %t)
  ret i32 0
end:
  ret i32 %status
}}"""
_MOTION = """\
@{name}_positions = private constant [{moving} x i64] [{positions}]
@{name}_rates = private constant [{moving} x i64] [{rates}]
@{name}_motion = private constant {{ ptr, i64, i64, i64, i64, i64, ptr, ptr, i64, i64 }} {{ ptr @{name}_untracked,
  i64 {base}, i64 {n}, i64 {states}, i64 {results}, i64 {moving}, ptr @{name}_positions, ptr @{name}_rates,
  i64 {first}, i64 {is_row} }}"""
_NEAR_SINGULAR = """\
{motion}
define i32 @{near}({arguments}) {{
  %place = getelementptr double, ptr %m, i64 {pivot}
  %block = getelementptr double, ptr %m, i64 {block}
  %work = getelementptr double, ptr %m, i64 {workspace}
  %start = getelementptr double, ptr %work, i64 {start}
  call void @keep_start(ptr %m, i64 {n}, ptr %start)
  store double 1.0, ptr %place
  store double {first}.0, ptr %block
  %status = call i32 @{name}_untracked({given})
  store double 0.0, ptr %block
  %pivot = load double, ptr %place
  %far = fcmp oge double %pivot, {limit}
  %solved = icmp eq i32 %status, 0
  %fine = and i1 %far, %solved
  br i1 %fine, label %done, label %singular
done:
  ret i32 0
singular:
  %direct = sext i32 %status to i64
  %found = call i32 @interpolate_results(ptr @{name}_motion, {given}, ptr %work, i64 %direct)
  ret i32 %found
}}"""
_SMOOTH = """\
{motion}
define i32 @derivatives_once({arguments}) {{
  %place = getelementptr double, ptr %m, i64 {pivot}
  %block = getelementptr double, ptr %m, i64 {block}
  store double 1.0, ptr %place
  store double 1.0, ptr %block
  %status = call i32 @derivatives_untracked({given})
  store double 0.0, ptr %block
  %solved = icmp eq i32 %status, 0
  br i1 %solved, label %good, label %singular
good:
  call void @end_slope(ptr %m, i64 {base}, i64 {n}, double %t)
  %pivot = load double, ptr %place
  %far = fcmp oge double %pivot, {near}
  br i1 %far, label %done, label %singular
done:
  ret i32 0
singular:
  %work = getelementptr double, ptr %m, i64 {workspace}
  %direct = sext i32 %status to i64
  %smoothed = call i32 @smooth_results(ptr @derivatives_motion, {given}, ptr %work, i64 %direct)
  ret i32 %smoothed
}}"""
_AROUND = """\
define i32 @{name}({arguments}) {{
entry:
{before}
  %first = call i32 @{inner}({given})
  %good = icmp eq i32 %first, 0
  br i1 %good, label %done, label %failed
failed:
  call void @back_to_last(ptr %m, i64 {base}, i64 {n})
  %second = call i32 @{inner}({given})
  br label %done
done:
  %status = phi i32 [ 0, %entry ], [ %second, %failed ]
{after}
  ret i32 %status
}}"""
_INITIAL = """\
define i32 @initial({arguments}) {{
{before}
  %status = call i32 @initial_untracked({given})
  ret i32 %status
}}"""
_GIVEN = "double %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr %out"
_PREDICT = "  call void @predict(ptr %m, i64 {base}, i64 {n}, double %t)"
_BEFORE = dict.fromkeys(("events", "crossings", "choices", "delayed"), _PREDICT)
_BEFORE["initial"] = "  call void @begin_run(ptr %m, i64 {base}, i64 {n})"
_AFTER = {"events": "  call void @end_events(ptr %m, i64 {base}, i64 {n})"}


_ROW = """\
define i32 @variables_of_row({arguments}) {{
  call void @begin_row(ptr %m, i64 {base}, i64 {n})
  %status = call i32 @variables({given})
  call void @end_row(ptr %m, i64 {base}, i64 {n})
  ret i32 %status
}}"""


def tracked_text(program: Program, name: str) -> list[str]:
    """The function around a routine, whose own name is then `NAME_untracked`; nothing where it needs none."""
    if not program.followed:
        return []
    if name == "derivatives":
        return [_smooth_text(program) if program.moving else _filled(program, _ONCE), _filled(program, _SLOPE)]
    near = name in program.near_singular
    if name not in _BEFORE:
        return [_near_text(program, name, name)] if near else []
    inner = f"{name}_near" if near else f"{name}_untracked"
    parts = {"inner": inner, "before": _filled(program, _BEFORE[name]), "after": _filled(program, _AFTER.get(name, ""))}
    around = _filled(program, _INITIAL if name == "initial" else _AROUND, name=name, **parts)
    return [_near_text(program, name, inner), around] if near else [around]


def _near_text(program: Program, name: str, near: str) -> str:
    return _filled(
        program,
        _NEAR_SINGULAR,
        name=name,
        near=near,
        motion=_motion_text(program, name),
        first=first_block(program, name),
        start=len(program.state_slots) + 2 * NODES * program.followed,
        limit=number(least_direct(name)),
        **_places(program),
    )


def _motion_text(program: Program, name: str) -> str:
    positions, rates = zip(*program.moving, strict=True)
    return _filled(
        program,
        _MOTION,
        name=name,
        positions=", ".join([f"i64 {i}" for i in positions]),
        rates=", ".join([f"i64 {i}" for i in rates]),
        moving=len(positions),
        states=len(program.state_slots),
        results=program.result_size(name),
        first=first_block(program, name),
        is_row=int(name != "derivatives"),
    )


def _places(program: Program) -> dict[str, int]:
    found = {"workspace": program.interpolation_start}
    return found | {"pivot": program.work - PIVOT, "block": program.work - BLOCK}


def _smooth_text(program: Program) -> str:
    motion = _motion_text(program, "derivatives")
    return _filled(program, _SMOOTH, motion=motion, near=number(NEAR), **_places(program))


def row_text(program: Program, name: str) -> list[str]:
    """`variables_of_row` behind the routine `variables`, where the derivatives do not solve all of its blocks."""
    return [_filled(program, _ROW)] if name == "variables" and program.follows_rows else []


def _filled(program: Program, text: str, **parts: object) -> str:
    return text.format(arguments=ARGUMENTS, given=_GIVEN, base=program.memory, n=program.followed, **parts)
