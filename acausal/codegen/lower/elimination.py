"""Elimination with partial pivoting as instructions: small linear blocks in straight-line code.

Rows are exchanged without branches: each entry is chosen by a comparison. The arithmetic, and what counts as a pivot,
are those of the kernels for larger blocks (`runtime/blocks/linear`).
"""

from collections.abc import Sequence

from acausal.base.caches import memoized
from acausal.base.frozen import record
from acausal.ir.kinds import InstructionOp
from acausal.ir.program.instructions import Instruction
from acausal.runtime.blocks.linear import NOISE


@record(frozen=True, slots=True)
class Elimination:
    """Instructions behind the arguments, whose registers come first.

    Each of `pivots` is true unless the matrix is singular; `solutions` are the registers of the unknowns, right-hand
    side by right-hand side.
    """

    code: tuple[Instruction, ...]
    pivots: tuple[int, ...]
    solutions: tuple[int, ...]


@memoized(32)
def eliminate(size: int, columns: int) -> Elimination:
    """The solution by the matrix, row by row, and the right-hand sides, one behind the other."""
    code = _Code(size * (size + columns))
    square = size * size
    rows = [[*range(i * size, (i + 1) * size), *range(square + i, code.arguments, size)] for i in range(size)]
    pivots = []
    for k in range(size):
        for i in range(k + 1, size):
            _order_rows(code, rows, k, i)
        pivots.append(_exceeds_noise(code, rows, k))
        for i in range(k + 1, size):
            factor = rows[i][k] = code.add("div", rows[i][k], rows[k][k])
            for j in range(k + 1, size + columns):
                rows[i][j] = code.subtract(rows[i][j], factor, rows[k][j])
    solutions = [register for j in range(size, size + columns) for register in _substitute_back(code, rows, j)]
    return Elimination(tuple(code.code), tuple(pivots), tuple(solutions))


class _Code:
    """Instructions as they are made."""

    def __init__(self, arguments: int) -> None:
        self.arguments = arguments
        self.code: list[Instruction] = []

    def add(self, op: InstructionOp, *args: int, value: float | None = None) -> int:
        """The register of a further instruction."""
        self.code.append(Instruction(op, args, value))
        return self.arguments + len(self.code) - 1

    def subtract(self, a: int, b: int, c: int) -> int:
        """a - b*c."""
        return self.add("sub", a, self.add("mul", b, c))


def _order_rows(code: _Code, rows: list[list[int]], k: int, i: int) -> None:
    """Exchanges two rows if the lower one has the larger entry in column k."""
    upper, lower = code.add("abs", rows[k][k]), code.add("abs", rows[i][k])
    exchange = code.add(">", lower, upper)
    for j, (a, b) in enumerate(zip(rows[k], rows[i], strict=True)):
        rows[k][j] = code.add("if", exchange, b, a)
        rows[i][j] = code.add("if", exchange, a, b)


def _exceeds_noise(code: _Code, rows: Sequence[Sequence[int]], k: int) -> int:
    """True if the pivot of column k is more than rounding error."""
    noise = code.add("const", value=0.0)
    for j in range(k):
        product = code.add("abs", code.add("mul", rows[k][j], rows[j][k]))
        noise = code.add("max", noise, product)
    limit = code.add("mul", noise, code.add("const", value=NOISE)) if k else noise
    return code.add(">", code.add("abs", rows[k][k]), limit)


def _substitute_back(code: _Code, rows: Sequence[Sequence[int]], column: int) -> list[int]:
    """The unknowns by the upper triangle and the right-hand side in this column."""
    x = [row[column] for row in rows]
    for k in reversed(range(len(rows))):
        for j in range(k + 1, len(rows)):
            x[k] = code.subtract(x[k], rows[k][j], x[j])
        x[k] = code.add("div", x[k], rows[k][k])
    return x
