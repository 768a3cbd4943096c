"""Blocks of programs in LLVM's language (`codegen/blocks/block_calls`)."""

from collections.abc import Callable, Sequence

from acausal.codegen.llvm.lines import Lines
from acausal.codegen.lower.workspace import USE_LAPACK
from acausal.ir.program.instructions import LinearSolve, NewtonSolve
from acausal.runtime.blocks import newton
from acausal.runtime.blocks.decomposition import Dgesvd
from acausal.runtime.blocks.linear import Dgesv, solve_by_lapack
from acausal.runtime.kernel.llvm.declarations import declaration, routine_declaration
from acausal.runtime.kernel.llvm.types import real_text


class LlvmBlocks:
    """Printer of blocks into the lines of a function; see `BlockPrinter`."""

    def __init__(self, lines: Lines) -> None:
        self.memory = lines.memory
        self._lines = lines

    def fill(self, position: int, values: Sequence[str]) -> None:
        """Store values one behind the other."""
        for i, value in enumerate(values, position):
            self._lines.fill(i, value)

    def clear(self, count: int) -> None:
        """Store zeros at the beginning of the work area."""
        lines = self._lines
        lines.used["declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"] = None
        lines.lines.append(f"  call void @llvm.memset.p0.i64({self.at(0)}, i8 0, i64 {8 * count}, i1 false)")

    def take(self, position: int, count: int) -> list[str]:
        """Values from there on."""
        return self._lines.take(position, count)

    def store_results(self, position: int, values: Sequence[str]) -> None:
        """Store values among the results of the routine."""
        for i, value in enumerate(values, position):
            self._lines.store("out", i, value)

    def at(self, position: int) -> str:
        """The argument for a place."""
        return f"ptr {self._lines.place(position)}"

    def in_array(self, array: str, position: int) -> str:
        """The argument for a place in an array of the routine."""
        if not position:
            return f"ptr %{array}"
        return f"ptr {self._lines.line(f'getelementptr double, ptr %{array}, i64 {position}')}"

    def whole(self, number: int) -> str:
        """The argument for a whole number."""
        return f"i64 {number}"

    def run(self, kernel: Callable[..., object], arguments: Sequence[str]) -> None:
        """Call a kernel; its status says nothing."""
        lines, declared = self._lines, declaration(kernel)
        lines.used[declared] = None
        if declared.startswith("declare void"):
            lines.lines.append(f"  call void @{kernel.__name__}({', '.join(arguments)})")
        else:
            lines.line(lines.kernel(kernel, ", ".join(arguments)))

    def unless_solved(self, kernel: Callable[..., object], arguments: Sequence[str], block: int) -> None:
        """Call a solver, and leave the function with the number of a block if it fails."""
        self._lines.unless_solved(kernel, ", ".join(arguments), block)

    def solve_newton(self, residuals: str, arguments: Sequence[str], strict: str, solve: NewtonSolve) -> None:
        """Call Newton's method, or leave the function; `arguments` are captured values, unknowns and the workspace."""
        captured, unknowns, work = arguments
        arrays = f"ptr @{residuals}", captured, unknowns, f"ptr @{residuals}_nominals", work
        numbers = self.whole(newton.ITERATIONS), f"double {strict}"
        self.unless_solved(newton.solve_newton, [self.whole(solve.size), *arrays, *numbers], solve.block)

    def solve_dense(self, values: Sequence[str], solve: LinearSolve) -> bool:
        """True if LAPACK solves these equations, which has matrices by columns."""
        n, lines = solve.size, self._lines
        if n < USE_LAPACK:
            return False
        for i in range(n):
            for j in range(n):
                lines.fill(j * n + i, values[i * n + j])
            lines.fill(n * n + i, values[n * n + i])
        lines.used[routine_declaration("dgesv", Dgesv)] = None
        places = [self.at(position) for position in (0, n * n, n * n + n)]
        self.unless_solved(solve_by_lapack, [self.whole(n), *places, "ptr @dgesv"], solve.block)
        return True

    def solve_least_norm(
        self,
        kernel: Callable[..., object],
        arguments: Sequence[str],
        kinds: Sequence[float],
        work: tuple[int, int],
        block: int,
    ) -> None:
        """Call a solver that decomposes matrices, or leave the function; whole numbers are behind its workspace."""
        lines, name = self._lines, f"@kinds_{''.join([f'{kind:g}' for kind in kinds])}"
        numbers = ", ".join([f"double {real_text(kind)}" for kind in kinds])
        lines.used[f"{name} = private constant [{len(kinds)} x double] [{numbers}]"] = None
        lines.used[routine_declaration("dgesvd", Dgesvd)] = None
        position, size = work
        room = [self.at(position), self.at(position + size)]
        self.unless_solved(kernel, [*arguments, f"ptr {name}", *room, "ptr @dgesvd"], block)


def nominals(residuals: str, solve: NewtonSolve) -> str:
    """The constant array of nominal values."""
    values = ", ".join(f"double {real_text(v)}" for v in solve.nominals)
    return f"@{residuals}_nominals = private constant [{solve.size} x double] [{values}]"
