"""The Jacobian of a model as straight code that keeps the unknowns of its systems of equations.

    A x = b            columns x, rows A dx + dA x - db
    residuals(x) = 0   columns x, rows J dx + (their slopes with x held)

Where `forward_mode` solves for the slopes of x, which fills the matrices of large networks, the unknowns stay here and
their equations are further rows: the pencil of a descriptor system. Systems whose matrix `setup` has factored and those
of redundant equations are solved as there.
"""

from acausal.codegen.tangent.forward_mode import ForwardPass
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.operator_slopes import Slopes, together
from acausal.codegen.tangent.seeds import Seeds
from acausal.ir.program.instructions import FactoredSolve, LinearSolve, NewtonSolve


class DescriptorPass(ForwardPass):
    """Unknown k of all systems is column `first` + k; `unknowns` are its register, `rows` slopes of its equation."""

    def __init__(self, most: int, seeds: Seeds, first: int) -> None:
        super().__init__(Code(), most, seeds)
        self._first = first
        self.unknowns: list[int] = []
        self.rows: list[Slopes] = []

    def block(self, register: int, args: tuple[int, ...], solve: LinearSolve | FactoredSolve | NewtonSolve) -> None:
        """Columns and rows of a system whose solution moves."""
        solved = isinstance(solve, FactoredSolve) or (isinstance(solve, LinearSolve) and solve.norm is not None)
        if solved or not any(self.slopes_of(a) for a in args):
            super().block(register, args, solve)
            return
        solution = self.taken(register, solve.size)
        if isinstance(solve, NewtonSolve):
            found = self.residual_slopes(args, solve, solution)
            if found is None:
                return  # too long: the whole is given up
            matrix, others = found
        else:
            n = solve.size
            matrix = args[: n * n]
            right = self.beside_matrix(matrix, args[n * n :], solution)
            others = [{k: self.code.neg(s) for k, s in slopes.items()} for slopes in right]
        self._add(solution, matrix, others)

    def _add(self, solution: list[int], matrix: tuple[int, ...], others: list[Slopes]) -> None:
        n, zero = len(solution), self.code.zero
        columns = [self._first + len(self.unknowns) + k for k in range(n)]
        self.unknowns += solution
        for i, slopes in enumerate(others):
            entries = {columns[j]: matrix[i * n + j] for j in range(n) if matrix[i * n + j] != zero}
            self.rows.append(together(entries, slopes, zero, self.code.add))
        for column, x in zip(columns, solution, strict=True):
            self.set_slopes(x, {column: self.code.one})
