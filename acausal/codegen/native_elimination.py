"""Steps of elimination with partial pivoting as native code: what numpy_solvers.py says, loop by loop.

All work on a matrix of n rows, stored row by row.
"""

from llvmlite import ir

from acausal.codegen.native_function import INTEGER, REAL, Function, integer, real
from acausal.codegen.numpy_solvers import NOISE


class Elimination:
    """Elimination under construction in a function."""

    def __init__(self, f: Function, n: ir.Value, matrix: ir.Value) -> None:
        self.f, self.n, self.matrix = f, n, matrix
        self._best, self._largest, self._noise = f.place(INTEGER), f.place(REAL), f.place(REAL)

    def pivot_row(self, k: ir.Value) -> ir.Value:
        """The row of the largest entry of column k, from row k on."""
        f, b, n, matrix = self.f, self.f.b, self.n, self.matrix
        b.store(k, self._best)
        b.store(f.size_of(f.entry(matrix, n, k, k)), self._largest)
        with f.loop(b.add(k, integer(1)), n) as i:
            entry = f.size_of(f.entry(matrix, n, i, k))
            with b.if_then(b.fcmp_ordered(">", entry, b.load(self._largest, typ=REAL))):
                b.store(entry, self._largest)
                b.store(i, self._best)
        return b.load(self._best, typ=INTEGER)

    def exchange(self, k: ir.Value, row: ir.Value) -> None:
        """Exchanges two rows."""
        f, n = self.f, self.n
        with f.loop(integer(0), n) as j:
            f.swap(f.cell(self.matrix, n, k, j), f.cell(self.matrix, n, row, j))

    def pivot(self, k: ir.Value) -> ir.Value:
        """The pivot of column k; the function fails if it is nothing but rounding error."""
        f, b, n, matrix = self.f, self.f.b, self.n, self.matrix
        b.store(real(0.0), self._noise)
        with f.loop(integer(0), k) as j:
            f.raise_to(self._noise, f.size_of(b.fmul(f.entry(matrix, n, k, j), f.entry(matrix, n, j, k))))
        pivot = f.entry(matrix, n, k, k)
        limit = b.fmul(real(NOISE), b.load(self._noise, typ=REAL))
        f.fail_unless(b.fcmp_ordered(">", f.size_of(pivot), limit))
        return pivot

    def reduce(self, k: ir.Value, i: ir.Value, pivot: ir.Value) -> ir.Value:
        """Row i less a multiple of row k; the multiple, which is kept in the place of the entry that vanishes."""
        f, b, n, matrix = self.f, self.f.b, self.n, self.matrix
        quotient = b.fdiv(f.entry(matrix, n, i, k), pivot)
        b.store(quotient, f.cell(matrix, n, i, k))
        with f.loop(b.add(k, integer(1)), n) as j:
            product = b.fmul(quotient, f.entry(matrix, n, k, j))
            b.store(b.fsub(f.entry(matrix, n, i, j), product), f.cell(matrix, n, i, j))
        return quotient

    def substitute_back(self, right: ir.Value) -> None:
        """The solution of the upper triangle in the place of the right-hand side."""
        f, b, n, matrix = self.f, self.f.b, self.n, self.matrix
        with f.loop(integer(0), n) as done:
            k = b.sub(b.sub(n, done), integer(1))
            with f.loop(b.add(k, integer(1)), n) as j:
                f.put(right, k, b.fsub(f.get(right, k), b.fmul(f.entry(matrix, n, k, j), f.get(right, j))))
            f.put(right, k, b.fdiv(f.get(right, k), f.entry(matrix, n, k, k)))
