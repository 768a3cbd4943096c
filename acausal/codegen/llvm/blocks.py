"""Printer of blocks in programs: their arguments, the call of the kernel that solves them, and the solution."""

from collections.abc import Sequence

from acausal.codegen.llvm.lines import Lines
from acausal.codegen.lower.band import Band, find_band
from acausal.codegen.lower.workspace import USE_LAPACK, factors_size, least_norm_slopes_work, least_norm_work
from acausal.ir.graph import LeastNorm
from acausal.ir.program.instructions import (
    FactoredSolve,
    LinearColumns,
    LinearFactor,
    LinearSolve,
    NewtonSolve,
)
from acausal.runtime.blocks.band import solve_band
from acausal.runtime.blocks.decomposition import Dgesvd
from acausal.runtime.blocks.least_norm import kinds_of, solve_least_norm
from acausal.runtime.blocks.least_norm_slopes import solve_least_norm_slopes
from acausal.runtime.blocks.linear import Dgesv, factor_linear, solve_by_lapack, solve_factored, solve_linear
from acausal.runtime.blocks.newton import ITERATIONS, factors_place, solve_newton
from acausal.runtime.blocks.pivots import PIVOTS, PivotRecord, note_pivots
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.kernel.llvm.declarations import declaration, routine_declaration
from acausal.runtime.kernel.llvm.types import real_text
from acausal.runtime.kernel.signature import fields


def solve_block(
    lines: Lines, values: list[str], zeros: Sequence[bool], solve: LinearSolve | LinearColumns | FactoredSolve
) -> list[str]:
    """The solution of linear equations; `values` are the arguments of the instruction, some of them constant zeros."""
    if isinstance(solve, LinearSolve):
        return _linear(lines, values, zeros, solve)
    if isinstance(solve, LinearColumns):
        return _columns(lines, values, solve)
    return _factored(lines, values, solve)


def _linear(lines: Lines, values: list[str], zeros: Sequence[bool], solve: LinearSolve) -> list[str]:
    """The solution; `values` are A row by row, then b."""
    n = solve.size
    if solve.refined:
        return _solve_refined(lines, values, n, solve.block)
    if solve.norm is not None:
        return _solve_least_norm(lines, values, solve, solve.norm)
    band = find_band(zeros, n)
    if band is not None:
        return _solve_band(lines, values, zeros, solve, band)
    by_columns = n >= USE_LAPACK
    for i in range(n):
        for j in range(n):
            lines.fill(j * n + i if by_columns else i * n + j, values[i * n + j])
        lines.fill(n * n + i, values[n * n + i])
    arguments = f"i64 {n}, ptr {lines.place(0)}, ptr {lines.place(n * n)}"
    if by_columns:
        lines.used[routine_declaration("dgesv", Dgesv)] = None
        arguments += f", ptr {lines.place(n * n + n)}, ptr @dgesv"
    lines.unless_solved(solve_by_lapack if by_columns else solve_linear, arguments, solve.block)
    return lines.take(n * n, n)


def _solve_band(lines: Lines, values: list[str], zeros: Sequence[bool], solve: LinearSolve, band: Band) -> list[str]:
    n, length = solve.size, band.row_length
    matrix, right = lines.place(0), lines.place(n * length)
    lines.used["declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"] = None
    lines.lines.append(f"  call void @llvm.memset.p0.i64(ptr {matrix}, i8 0, i64 {8 * n * length}, i1 false)")
    for i, row in enumerate(band.rows):
        for j, column in enumerate(band.columns):
            if not zeros[i * n + j]:
                lines.fill(row * length + column - row + band.lower, values[i * n + j])
        lines.fill(n * length + row, values[n * n + i])
    arguments = f"i64 {n}, i64 {band.lower}, i64 {band.upper}, ptr {matrix}, ptr {right}"
    lines.unless_solved(solve_band, arguments, solve.block)
    return [lines.load("m", lines.memory + n * length + column) for column in band.columns]


def _solve_refined(lines: Lines, values: list[str], n: int, block: int) -> list[str]:
    for i, value in enumerate(values):
        lines.fill(i, value)
    a, b, work = [f"ptr {lines.place(position)}" for position in (0, n * n, n * n + n)]
    lines.unless_solved(solve_refined, f"i64 {n}, {a}, {b}, {work}", block)
    return lines.take(n * n, n)


def _solve_least_norm(lines: Lines, values: list[str], solve: LinearSolve, norm: LeastNorm) -> list[str]:
    n, kinds = solve.size, _kinds(lines, solve.size, norm)
    for i, value in enumerate(values):
        lines.fill(i, value)
    right, work = n * n, n * n + n
    places = [lines.place(p) for p in (0, right, work, work + least_norm_work(n))]
    a, b, workspace, integers = [f"ptr {place}" for place in places]
    lines.used[routine_declaration("dgesvd", Dgesvd)] = None
    arguments = f"i64 {n}, {a}, {b}, ptr {kinds}, {workspace}, {integers}, ptr @dgesvd"
    lines.unless_solved(solve_least_norm, arguments, solve.block)
    return lines.take(right, n)


def _kinds(lines: Lines, n: int, norm: LeastNorm) -> str:
    """The constant array of the kinds of unknowns."""
    found = kinds_of(n, norm.reactions, norm.measured)
    kinds = f"@kinds_{''.join([f'{kind:g}' for kind in found])}"
    numbers = ", ".join([f"double {real_text(kind)}" for kind in found])
    lines.used[f"{kinds} = private constant [{n} x double] [{numbers}]"] = None
    return kinds


def _least_norm_columns(lines: Lines, values: list[str], solve: LinearColumns, norm: LeastNorm) -> list[str]:
    """The slopes of a solution of minimum norm, column by column."""
    n, kinds = solve.size, _kinds(lines, solve.size, norm)
    for i, value in enumerate(values):
        lines.fill(i, value)
    parts, part = n * n + n, n * n + n
    places = (0, n * n, parts, len(values), len(values) + least_norm_slopes_work(n))
    a, x, right, workspace, integers = [f"ptr {lines.place(p)}" for p in places]
    lines.used[routine_declaration("dgesvd", Dgesvd)] = None
    arguments = f"i64 {n}, i64 {solve.columns}, {a}, {x}, {right}, ptr {kinds}, {workspace}, {integers}, ptr @dgesvd"
    lines.unless_solved(solve_least_norm_slopes, arguments, solve.block)
    return [x for k in range(solve.columns) for x in lines.take(parts + k * part + n * n, n)]


def _columns(lines: Lines, values: list[str], solve: LinearColumns) -> list[str]:
    """The solutions, column by column; `values` are A row by row, then B column by column."""
    if solve.norm is not None:
        return _least_norm_columns(lines, values, solve, solve.norm)
    n, square = solve.size, solve.size**2
    for i, value in enumerate(values[:square]):
        lines.fill(i, value)
    first = factors_size(n)
    matrix, size = lines.place(0), n * solve.columns
    lines.line(lines.kernel(factor_linear, f"i64 {n}, ptr {matrix}"))
    for i, value in enumerate(values[square:]):
        lines.fill(first + i, value)
    for column in range(solve.columns):
        right = lines.place(first + column * n)
        lines.unless_solved(solve_factored, f"i64 {n}, ptr {matrix}, ptr {right}", solve.block)
    return lines.take(first, size)


def store_factors(lines: Lines, values: list[str], factor: LinearFactor) -> None:
    """Factors the matrix of `values`, row by row, in its place in p; a singular one is marked there."""
    for i, value in enumerate(values):
        lines.store("out", factor.position + i, value)
    place = lines.line(f"getelementptr double, ptr %out, i64 {factor.position}")
    lines.line(lines.kernel(factor_linear, f"i64 {factor.size}, ptr {place}"))


def _factored(lines: Lines, values: list[str], solve: FactoredSolve) -> list[str]:
    """The solution; `values` are b."""
    for i, value in enumerate(values):
        lines.fill(i, value)
    factors = lines.line(f"getelementptr double, ptr %p, i64 {solve.position}")
    arguments = f"i64 {solve.size}, ptr {factors}, ptr {lines.place(0)}"
    lines.unless_solved(solve_factored, arguments, solve.block)
    return lines.take(0, solve.size)


def solve_nonlinear(lines: Lines, residuals: str, values: list[str], solve: NewtonSolve) -> list[str]:
    """The solution; `values` are what is captured, then the start values; `residuals` is the function's name."""
    n = solve.size
    captured = len(values) - n
    for i, value in enumerate(values):
        lines.fill(i, value)
    c, x, work = lines.place(0), lines.place(captured), lines.place(captured + n)
    strict = lines.get(lines.place(fields(PivotRecord)["strict"][0] - PIVOTS))
    arrays = f"ptr {c}, ptr {x}, ptr @{residuals}_nominals, ptr {work}"
    arguments = f"i64 {n}, ptr @{residuals}, {arrays}, i64 {ITERATIONS}, double {strict}"
    lines.unless_solved(solve_newton, arguments, solve.block)
    factors = lines.place(captured + n + factors_place(n))
    lines.used[declaration(note_pivots)] = None
    lines.lines.append(f"  call void @note_pivots(ptr %m, i64 {lines.memory}, ptr {factors}, i64 {n})")
    return lines.take(captured, n)


def nominals(residuals: str, solve: NewtonSolve) -> str:
    """The constant array of nominal values."""
    values = ", ".join(f"double {real_text(v)}" for v in solve.nominals)
    return f"@{residuals}_nominals = private constant [{solve.size} x double] [{values}]"
