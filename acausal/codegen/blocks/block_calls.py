"""Blocks in programs, as their printers write them: arguments in the work area, the call of a kernel, the solution.

What is written, and in which order, is the same in all languages; a `BlockPrinter` knows how.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from acausal.codegen.lower.band import Band, find_band
from acausal.codegen.lower.workspace import factors_size, least_norm_slopes_work, least_norm_work
from acausal.ir.graph import LeastNorm
from acausal.ir.program.instructions import FactoredSolve, LinearColumns, LinearFactor, LinearSolve, NewtonSolve
from acausal.runtime.blocks.band import solve_band
from acausal.runtime.blocks.least_norm import kinds_of, solve_least_norm
from acausal.runtime.blocks.least_norm_slopes import solve_least_norm_slopes
from acausal.runtime.blocks.linear import factor_linear, solve_factored, solve_linear
from acausal.runtime.blocks.newton import factors_place
from acausal.runtime.blocks.pivots import PIVOTS, PivotRecord, note_pivots
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.kernel.signature import fields


class BlockPrinter(Protocol):
    """Printer of one function; values and arguments of calls are texts, positions are places in the work area."""

    memory: int
    """Where the work area begins in m."""

    def fill(self, position: int, values: Sequence[str]) -> None:
        """Store values one behind the other."""
        ...

    def clear(self, count: int) -> None:
        """Store zeros at the beginning of the work area."""
        ...

    def take(self, position: int, count: int) -> list[str]:
        """Values from there on."""
        ...

    def store_results(self, position: int, values: Sequence[str]) -> None:
        """Store values among the results of the routine."""
        ...

    def at(self, position: int) -> str:
        """The argument for a place."""
        ...

    def in_array(self, array: str, position: int) -> str:
        """The argument for a place in an array of the routine."""
        ...

    def whole(self, number: int) -> str:
        """The argument for a whole number."""
        ...

    def run(self, kernel: Callable[..., object], arguments: Sequence[str]) -> None:
        """Call a kernel; its status says nothing."""
        ...

    def unless_solved(self, kernel: Callable[..., object], arguments: Sequence[str], block: int) -> None:
        """Call a solver, and leave the function with the number of a block if it fails."""
        ...

    def solve_newton(self, residuals: str, arguments: Sequence[str], strict: str, solve: NewtonSolve) -> None:
        """Call Newton's method, or leave the function; `arguments` are captured values, unknowns and the workspace."""
        ...

    def solve_dense(self, values: Sequence[str], solve: LinearSolve) -> bool:
        """True if it has solved these equations in a way of its own, with the solution behind the matrix."""
        ...

    def solve_least_norm(
        self,
        kernel: Callable[..., object],
        arguments: Sequence[str],
        kinds: Sequence[float],
        work: tuple[int, int],
        block: int,
    ) -> None:
        """Call a solver that decomposes matrices, or leave the function.

        `kinds` are those of the unknowns, `work` are the position and the size of its workspace.
        """
        ...


def solve_block(
    printer: BlockPrinter,
    values: Sequence[str],
    zeros: Sequence[bool],
    solve: LinearSolve | LinearColumns | FactoredSolve,
) -> list[str]:
    """The solution of linear equations; `values` are the arguments of the instruction, some of them constant zeros."""
    if isinstance(solve, LinearSolve):
        return _linear(printer, values, zeros, solve)
    if isinstance(solve, LinearColumns):
        return _columns(printer, values, solve)
    printer.fill(0, values)
    arguments = [printer.whole(solve.size), printer.in_array("p", solve.position), printer.at(0)]
    printer.unless_solved(solve_factored, arguments, solve.block)
    return printer.take(0, solve.size)


def _linear(printer: BlockPrinter, values: Sequence[str], zeros: Sequence[bool], solve: LinearSolve) -> list[str]:
    """The solution; `values` are A row by row, then b."""
    n = solve.size
    band = None if solve.refined or solve.norm is not None else find_band(zeros, n)
    if band is not None:
        return _solve_band(printer, values, zeros, solve, band)
    if solve.refined or solve.norm is not None or not printer.solve_dense(values, solve):
        printer.fill(0, values)
        if solve.norm is not None and not solve.refined:
            arguments, work = [printer.whole(n), printer.at(0), printer.at(n * n)], (n * n + n, least_norm_work(n))
            kinds = kinds_of(n, solve.norm.reactions, solve.norm.measured)
            printer.solve_least_norm(solve_least_norm, arguments, kinds, work, solve.block)
        else:
            arguments = [printer.whole(n), printer.at(0), printer.at(n * n)]
            if solve.refined:
                printer.unless_solved(solve_refined, [*arguments, printer.at(n * n + n)], solve.block)
            else:
                printer.unless_solved(solve_linear, arguments, solve.block)
    return printer.take(n * n, n)


def _solve_band(
    printer: BlockPrinter, values: Sequence[str], zeros: Sequence[bool], solve: LinearSolve, band: Band
) -> list[str]:
    n, length = solve.size, band.row_length
    printer.clear(n * length)
    for i, row in enumerate(band.rows):
        for j, column in enumerate(band.columns):
            if not zeros[i * n + j]:
                printer.fill(row * length + column - row + band.lower, [values[i * n + j]])
        printer.fill(n * length + row, [values[n * n + i]])
    numbers = [printer.whole(number) for number in (n, band.lower, band.upper)]
    printer.unless_solved(solve_band, [*numbers, printer.at(0), printer.at(n * length)], solve.block)
    return [printer.take(n * length + column, 1)[0] for column in band.columns]


def _columns(printer: BlockPrinter, values: Sequence[str], solve: LinearColumns) -> list[str]:
    """The solutions, column by column; `values` are A row by row, then B column by column."""
    if solve.norm is not None:
        return _least_norm_columns(printer, values, solve, solve.norm)
    n, square, first = solve.size, solve.size**2, factors_size(solve.size)
    printer.fill(0, values[:square])
    printer.run(factor_linear, [printer.whole(n), printer.at(0)])
    printer.fill(first, values[square:])
    for column in range(solve.columns):
        arguments = [printer.whole(n), printer.at(0), printer.at(first + column * n)]
        printer.unless_solved(solve_factored, arguments, solve.block)
    return printer.take(first, n * solve.columns)


def _least_norm_columns(
    printer: BlockPrinter, values: Sequence[str], solve: LinearColumns, norm: LeastNorm
) -> list[str]:
    """The slopes of a solution of minimum norm, column by column."""
    n, part = solve.size, solve.size**2 + solve.size
    printer.fill(0, values)
    arguments = [printer.whole(n), printer.whole(solve.columns), *[printer.at(p) for p in (0, n * n, part)]]
    kinds, work = kinds_of(n, norm.reactions, norm.measured), (len(values), least_norm_slopes_work(n))
    printer.solve_least_norm(solve_least_norm_slopes, arguments, kinds, work, solve.block)
    return [x for k in range(solve.columns) for x in printer.take(part + k * part + n * n, n)]


def store_factors(printer: BlockPrinter, values: Sequence[str], factor: LinearFactor) -> None:
    """Factors the matrix of `values`, row by row, in its place in p; a singular one is marked there."""
    printer.store_results(factor.position, values)
    printer.run(factor_linear, [printer.whole(factor.size), printer.in_array("out", factor.position)])


def solve_nonlinear(printer: BlockPrinter, residuals: str, values: Sequence[str], solve: NewtonSolve) -> list[str]:
    """The solution; `values` are what is captured, then the start values; `residuals` is the function's name."""
    n, captured = solve.size, len(values) - solve.size
    printer.fill(0, values)
    strict = printer.take(fields(PivotRecord)["strict"][0] - PIVOTS, 1)[0]
    arguments = [printer.at(position) for position in (0, captured, captured + n)]
    printer.solve_newton(residuals, arguments, strict, solve)
    factors = printer.at(captured + n + factors_place(n))
    printer.run(note_pivots, [printer.in_array("m", 0), printer.whole(printer.memory), factors, printer.whole(n)])
    return printer.take(captured, n)
