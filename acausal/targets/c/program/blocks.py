"""Blocks of programs in C (`codegen/blocks/block_calls`)."""

from collections.abc import Callable, Sequence

from acausal.ir.program.instructions import LinearSolve, NewtonSolve
from acausal.runtime.blocks import newton
from acausal.runtime.blocks.singular_values import singular_values
from acausal.runtime.homotopy.solve_start import solve_start
from acausal.targets.c.program.lines import Lines
from acausal.targets.c.program.values import constant


class CBlocks:
    """Printer of blocks into the lines of a function; see `BlockPrinter`. Values are places in the work area."""

    def __init__(self, lines: Lines) -> None:
        self.memory = lines.memory
        self._lines = lines

    def fill(self, position: int, values: Sequence[str]) -> None:
        """Store values one behind the other."""
        self._lines.fill(position, values)

    def clear(self, count: int) -> None:
        """Store zeros at the beginning of the work area."""
        self._lines.add(f"memset({self.at(0)}, 0, {count} * sizeof(double));")

    def take(self, position: int, count: int) -> list[str]:
        """Values from there on."""
        return self._lines.take(position, count)

    def store_results(self, position: int, values: Sequence[str]) -> None:
        """Store values among the results of the routine."""
        for i, value in enumerate(values, position):
            self._lines.add(f"out[{i}] = {value};")

    def at(self, position: int) -> str:
        """The argument for a place."""
        return self._lines.place(position)

    def in_array(self, array: str, position: int) -> str:
        """The argument for a place in an array of the routine."""
        return f"{array} + {position}" if position else array

    def whole(self, number: int) -> str:
        """The argument for a whole number."""
        return str(number)

    def run(self, kernel: Callable[..., object], arguments: Sequence[str]) -> None:
        """Call a kernel; its status says nothing."""
        self._lines.add(f"{self._lines.used.kernel(kernel)}({', '.join(arguments)});")

    def unless_solved(self, kernel: Callable[..., object], arguments: Sequence[str], block: int) -> None:
        """Call a solver, and leave the function with the number of a block if it fails."""
        self._lines.unless_solved(kernel, ", ".join(arguments), block)

    def solve_newton(self, residuals: str, arguments: Sequence[str], strict: str, solve: NewtonSolve) -> None:
        """Call Newton's method, or leave the function; `arguments` are captured values, unknowns and the workspace."""
        captured, unknowns, work = arguments
        arrays = captured, unknowns, f"(double *){residuals}_nominals", work
        given = [self.whole(solve.size), residuals, *arrays, "NEWTON_ITERATIONS", strict]
        if solve.homotopy:
            self._with_integers(solve_start, given, "", solve.block)
        else:
            self.unless_solved(newton.solve_newton, given, solve.block)

    def solve_dense(self, values: Sequence[str], solve: LinearSolve) -> bool:  # noqa: ARG002 - there is no library
        """No."""
        return False

    def solve_least_norm(
        self,
        kernel: Callable[..., object],
        arguments: Sequence[str],
        kinds: Sequence[float],
        work: tuple[int, int],
        block: int,
    ) -> None:
        """Call a solver that decomposes matrices, or leave the function."""
        name = f"kinds_{block}"
        constants = f"static const double {name}[] = {{{', '.join([constant(kind).text for kind in kinds])}}};"
        given = [*arguments, f"(double *){name}", self.at(work[0])]
        self._with_integers(kernel, given, constants, block)

    def _with_integers(
        self, kernel: Callable[..., object], arguments: Sequence[str], constants: str, block: int
    ) -> None:
        """Call a solver that decomposes matrices, with constants and the workspace of whole numbers for that."""
        lines = self._lines
        lines.add("{")
        lines.level += 1
        if constants:
            lines.add(constants)
        lines.add("int integers[6];")
        svd = lines.used.kernel(singular_values)
        self.unless_solved(kernel, [*arguments, "integers", svd], block)
        lines.level -= 1
        lines.add("}")


def nominals(residuals: str, solve: NewtonSolve) -> str:
    """The constant array of nominal values."""
    values = ", ".join([constant(value).text for value in solve.nominals])
    return f"static const double {residuals}_nominals[] = {{{values}}};"
