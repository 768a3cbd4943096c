"""Printer of blocks in programs: their arguments, the call of the kernel that solves them, and the solution."""

from collections.abc import Sequence

from acausal.codegen.lower.band import Band, find_band
from acausal.codegen.lower.workspace import factors_size
from acausal.ir.graph import LeastNorm
from acausal.ir.program.instructions import (
    FactoredSolve,
    LinearColumns,
    LinearFactor,
    LinearSolve,
    NewtonSolve,
)
from acausal.runtime.blocks.band import solve_band
from acausal.runtime.blocks.least_norm import kinds_of, solve_least_norm
from acausal.runtime.blocks.linear import factor_linear, solve_factored, solve_linear
from acausal.runtime.blocks.newton import factors_place, solve_newton
from acausal.runtime.blocks.pivots import PIVOTS, PivotRecord, note_pivots
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.blocks.singular_values import singular_values
from acausal.runtime.homotopy.solve_start import solve_start
from acausal.runtime.kernel.signature import fields
from acausal.targets.c.program.lines import Lines
from acausal.targets.c.program.values import constant


def solve_block(
    lines: Lines, values: list[str], zeros: Sequence[bool], solve: LinearSolve | LinearColumns | FactoredSolve
) -> list[str]:
    """Places of the solution of linear equations; `values` are the arguments, some of them constant zeros."""
    if isinstance(solve, LinearSolve):
        return _linear(lines, values, zeros, solve)
    if isinstance(solve, LinearColumns):
        return _columns(lines, values, solve)
    lines.fill(0, values)
    lines.unless_solved(solve_factored, f"{solve.size}, p + {solve.position}, {lines.place(0)}", solve.block)
    return lines.take(0, solve.size)


def _linear(lines: Lines, values: list[str], zeros: Sequence[bool], solve: LinearSolve) -> list[str]:
    n = solve.size
    norm = solve.norm
    band = None if solve.refined or norm is not None else find_band(zeros, n)
    if band is not None:
        return _solve_band(lines, values, zeros, solve, band)
    lines.fill(0, values)
    matrix, right, work = [lines.place(position) for position in (0, n * n, n * n + n)]
    if solve.refined:
        lines.unless_solved(solve_refined, f"{n}, {matrix}, {right}, {work}", solve.block)
    elif norm is not None:
        _solve_least_norm(lines, solve, norm)
    else:
        lines.unless_solved(solve_linear, f"{n}, {matrix}, {right}", solve.block)
    return lines.take(n * n, n)


def _solve_band(lines: Lines, values: list[str], zeros: Sequence[bool], solve: LinearSolve, band: Band) -> list[str]:
    n, length = solve.size, band.row_length
    matrix, right = lines.place(0), lines.place(n * length)
    lines.add(f"memset({matrix}, 0, {n * length} * sizeof(double));")
    for i, row in enumerate(band.rows):
        for j, column in enumerate(band.columns):
            if not zeros[i * n + j]:
                lines.fill(row * length + column - row + band.lower, [values[i * n + j]])
        lines.fill(n * length + row, [values[n * n + i]])
    lines.unless_solved(solve_band, f"{n}, {band.lower}, {band.upper}, {matrix}, {right}", solve.block)
    return [lines.take(n * length + column, 1)[0] for column in band.columns]


def _solve_least_norm(lines: Lines, solve: LinearSolve, norm: LeastNorm) -> None:
    n = solve.size
    found = kinds_of(n, norm.reactions, norm.measured)
    places = [lines.place(p) for p in (0, n * n, n * n + n)]
    name = f"kinds_{solve.block}"
    lines.add("{")
    lines.level += 1
    lines.add(f"static const double {name}[] = {{{', '.join([constant(kind).text for kind in found])}}};")
    lines.add("int integers[6];")
    svd = lines.used.kernel(singular_values)
    arguments = f"{n}, {places[0]}, {places[1]}, (double *){name}, {places[2]}, integers, {svd}"
    lines.unless_solved(solve_least_norm, arguments, solve.block)
    lines.level -= 1
    lines.add("}")


def _columns(lines: Lines, values: list[str], solve: LinearColumns) -> list[str]:
    n, square = solve.size, solve.size**2
    first, matrix = factors_size(n), lines.place(0)
    lines.fill(0, values[:square])
    lines.add(f"{lines.used.kernel(factor_linear)}({n}, {matrix});")
    lines.fill(first, values[square:])
    for column in range(solve.columns):
        lines.unless_solved(solve_factored, f"{n}, {matrix}, {lines.place(first + column * n)}", solve.block)
    return lines.take(first, n * solve.columns)


def store_factors(lines: Lines, values: list[str], factor: LinearFactor) -> None:
    """Factors the matrix of `values`, row by row, in its place in p; a singular one is marked there."""
    for i, value in enumerate(values, factor.position):
        lines.add(f"out[{i}] = {value};")
    lines.add(f"{lines.used.kernel(factor_linear)}({factor.size}, out + {factor.position});")


def solve_nonlinear(lines: Lines, residuals: str, values: list[str], solve: NewtonSolve) -> list[str]:
    """Places of the solution; `values` are what is captured, then the start values; `residuals` is the function."""
    n, captured = solve.size, len(values) - solve.size
    lines.fill(0, values)
    strict = lines.take(fields(PivotRecord)["strict"][0] - PIVOTS, 1)[0]
    places = [lines.place(position) for position in (0, captured, captured + n, captured + n + factors_place(n))]
    arrays = f"{places[0]}, {places[1]}, (double *){residuals}_nominals, {places[2]}"
    arguments = f"{n}, {residuals}, {arrays}, NEWTON_ITERATIONS, {strict}"
    if solve.homotopy:
        _solve_start(lines, arguments, solve.block)
    else:
        lines.unless_solved(solve_newton, arguments, solve.block)
    lines.add(f"{lines.used.kernel(note_pivots)}(m, {lines.memory}, {places[3]}, {n});")
    return lines.take(captured, n)


def _solve_start(lines: Lines, arguments: str, block: int) -> None:
    lines.add("{")
    lines.level += 1
    lines.add("int integers[6];")
    svd = lines.used.kernel(singular_values)
    lines.unless_solved(solve_start, f"{arguments}, integers, {svd}", block)
    lines.level -= 1
    lines.add("}")


def nominals(residuals: str, solve: NewtonSolve) -> str:
    """The constant array of nominal values."""
    values = ", ".join([constant(value).text for value in solve.nominals])
    return f"static const double {residuals}_nominals[] = {{{values}}};"
