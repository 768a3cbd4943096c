"""The exact Jacobian of the derivatives as straight code: each value's slopes along the states, zeros left out.

    %2 = mul %0 %1    { x*y }      slopes x: %1, y: %0
    %3 = sin %2                    slopes x: cos(%2)*%1, y: cos(%2)*%0
    store 0 %3                     entries (0, x) and (0, y)

Values and slopes are shared wherever they are equal. Blocks: A x = b gives A dx = db - dA x for all states that
enter it, with one factorization; residuals(x, c) = 0 gives J dx = -(their slopes with x held), where J is the exact
Jacobian that Newton's method has. (Forward accumulation: A. Griewank, A. Walther, Evaluating Derivatives, 2008,
chapter 3; implicit functions: chapter 15.)
"""

from collections.abc import Mapping, Sequence

from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.operator_slopes import OperatorSlopes, Slopes, together
from acausal.codegen.tangent.seeds import STATES_ALONE, Seeds, Tangent
from acausal.ir.graph import LeastNorm
from acausal.ir.ops import OPS
from acausal.ir.program.instructions import FactoredSolve, Instruction, LinearColumns, LinearSolve, NewtonSolve
from acausal.ir.program.program import Program


def tangent(program: Program, most: int) -> Tangent | None:
    """The entries that are not zero by their formula; None if this takes more than `most` instructions.

    None, too, where a block may be singular: there it has no derivative of its own.
    """
    if any(block.redundant for block in program.blocks):
        return None
    found = ForwardPass(Code(), most)
    stores = found.run(program.derivatives.code, {}, [])
    if stores is None:
        return None
    entries = [(row, column) for row in sorted(stores) for column in sorted(found.slopes_of(stores[row]))]
    routine = found.code.routine([found.slopes_of(stores[row])[column] for row, column in entries])
    return Tangent(routine, tuple([r for r, _ in entries]), tuple([c for _, c in entries]))


class ForwardPass(OperatorSlopes):
    """Instructions one after the other; `run` gives the registers of what is stored.

    `keeps` are those of what the routine that was run last keeps in m, `there` those of all its instructions.
    """

    def __init__(self, code: Code, most: int, seeds: Seeds = STATES_ALONE) -> None:
        super().__init__(code)
        self._most = most
        self._seeds = seeds
        self._solutions: dict[int, list[int]] = {}
        self.keeps: dict[int, int] = {}
        self.there: list[int] = []
        self._values: dict[int, None] = {}
        self._truths: set[int] = set()

    def run(
        self, routine: tuple[Instruction, ...], captured: dict[int, int], unknown: list[int]
    ) -> dict[int, int] | None:
        """The registers of results by their position; None if the code becomes too long."""
        code = self.code
        stores: dict[int, int] = {}
        there: list[int] = []
        keeps: dict[int, int] = {}
        for op, args, value in routine:
            given = tuple([there[a] for a in args])
            if op == "store" or op == "keep":
                assert isinstance(value, int)
                (stores if op == "store" else keeps)[value] = given[0]
                there.append(code.zero)
            elif op == "captured" or op == "unknown":
                assert isinstance(value, int)
                there.append(captured[value] if op == "captured" else unknown[value])
            elif op == "extract":
                assert isinstance(value, int)
                there.append(self._solutions[given[0]][value])
            else:
                there.append(self.value_of(Instruction(op, given, value), stores))
            if len(code.code) > self._most:
                return None
        self.keeps, self.there = keeps, there
        return stores

    def value_of(self, instruction: Instruction, stores: Mapping[int, int]) -> int:  # noqa: ARG002 - of `setup`
        """The register of a value, with its slopes; `stores` are the results up to here."""
        op, args, value = instruction
        register = self.code.emit(instruction)
        if register in self._values:
            return register
        self._values[register] = None
        if op == "boolean" or (op in OPS and OPS[op].boolean) or (op == "if" and args[1] in self._truths):
            self._truths.add(register)
        elif op in ("state", "input", "parameter", "time"):
            seed = self.seed(op, value if isinstance(value, int) else 0)
            if seed:
                self._slopes[register] = seed
        elif isinstance(value, LinearColumns):
            self._several(register, args, value)
        elif isinstance(value, LinearSolve | FactoredSolve | NewtonSolve):
            self.block(register, args, value)
        elif any(a in self._slopes for a in args):
            slopes = self.operator_slopes(op, args, register)
            slopes = {k: s for k, s in slopes.items() if s != self.code.zero}
            if slopes:
                self._slopes[register] = slopes
        return register

    def seed(self, op: str, position: int) -> Slopes:
        """The slopes of what is loaded: each state is a direction, inputs and parameters where the seeds say so."""
        if op == "state":
            return {position: self.code.one}
        if op == "time":
            return {} if self._seeds.time is None else {self._seeds.time: self.code.one}
        if op == "input" and position in self._seeds.inputs:
            return {self._seeds.inputs[position]: self.code.one}
        return self._constants(self._seeds.parameters.get(position, {})) if op == "parameter" else {}

    def matrix_seed(self, position: int) -> Sequence[Slopes]:
        """The slopes of a matrix that `setup` has factored, row by row; none where it does not change."""
        return [self._constants(slopes) for slopes in self._seeds.factors.get(position, ())]

    def _constants(self, slopes: Mapping[int, float]) -> Slopes:
        return {column: self.code.const(slope) for column, slope in slopes.items() if slope != 0.0}

    # ------------------------------------------------------- blocks

    def block(self, register: int, args: tuple[int, ...], solve: LinearSolve | FactoredSolve | NewtonSolve) -> None:
        """The solution taken apart, with its slopes."""
        solution = self.taken(register, solve.size)
        is_moved = isinstance(solve, FactoredSolve) and bool(self.matrix_seed(solve.position))
        if not is_moved and not any(a in self._slopes for a in args):
            return
        if isinstance(solve, NewtonSolve):
            slopes = self._implicit(args, solve, solution)
        elif isinstance(solve, FactoredSolve):
            slopes = self._with_factors(self._beside_factors(args, solve, solution), solve)
        else:
            n = solve.size
            right = self.beside_matrix(args[: n * n], args[n * n :], solution)
            if solve.norm is None:
                slopes = self._columns(args[: n * n], right, solve.block)
            else:
                slopes = self._least_norm_columns(args[: n * n], right, solution, solve.block, solve.norm)
        self._slopes.update(zip(solution, slopes, strict=True))

    def _several(self, register: int, args: tuple[int, ...], solve: LinearColumns) -> None:
        """A X = B: A dX = dB - dA X, column by column."""
        n = solve.size
        found = self.taken(register, n * solve.columns)
        if not any(a in self._slopes for a in args):
            return
        matrix = args[: n * n]
        for first in range(0, n * solve.columns, n):
            solution = found[first : first + n]
            right = self.beside_matrix(matrix, args[n * n + first : n * n + first + n], solution)
            self._slopes.update(zip(solution, self._columns(matrix, right, solve.block), strict=True))

    def beside_matrix(self, matrix: tuple[int, ...], right_side: tuple[int, ...], solution: list[int]) -> list[Slopes]:
        """db - dA x."""
        n = len(right_side)
        right = [self.slopes_of(a) for a in right_side]
        for i in range(n):
            for j in range(n):
                taken = {k: self.code.mul(s, solution[j]) for k, s in self.slopes_of(matrix[i * n + j]).items()}
                right[i] = together(right[i], taken, self.code.zero, self.code.sub)
        return right

    def taken(self, register: int, count: int) -> list[int]:
        """The registers of the elements of a solution."""
        found = [self.code.emit(Instruction("extract", (register,), i)) for i in range(count)]
        self._solutions[register] = found
        return found

    def _columns(self, matrix: tuple[int, ...], right: list[Slopes], block: int) -> list[Slopes]:
        """The slopes of the unknowns of a linear system with these slopes of its right-hand sides."""
        code, n = self.code, len(right)
        states = list(dict.fromkeys(k for slopes in right for k in slopes))
        columns = [slopes.get(k, code.zero) for k in states for slopes in right]
        solve = LinearColumns(n, block, len(states))
        register = code.emit(Instruction("linear_columns", (*matrix, *columns), solve))
        found = self.taken(register, n * len(states))
        return [{k: found[c * n + i] for c, k in enumerate(states)} for i in range(n)]

    def _least_norm_columns(
        self, matrix: tuple[int, ...], right: list[Slopes], solution: list[int], block: int, norm: LeastNorm
    ) -> list[Slopes]:
        """The same where the solution has minimum norm: its null vectors move, too."""
        code, n = self.code, len(right)
        changes = [self.slopes_of(a) for a in matrix]
        states = list(dict.fromkeys(k for slopes in (*changes, *right) for k in slopes))
        parts = [slopes.get(k, code.zero) for k in states for slopes in (*changes, *right)]
        solve = LinearColumns(n, block, len(states), norm)
        register = code.emit(Instruction("linear_columns", (*matrix, *solution, *parts), solve))
        found = self.taken(register, n * len(states))
        return [{k: found[c * n + i] for c, k in enumerate(states)} for i in range(n)]

    def _beside_factors(self, args: tuple[int, ...], solve: FactoredSolve, solution: list[int]) -> list[Slopes]:
        """db - dA x, where the matrix in p has slopes."""
        right, code = [self.slopes_of(a) for a in args], self.code
        for number, slopes in enumerate(self.matrix_seed(solve.position)):
            i, j = divmod(number, solve.size)
            taken = {k: code.mul(s, solution[j]) for k, s in slopes.items()}
            right[i] = together(right[i], taken, code.zero, code.sub)
        return right

    def _with_factors(self, right: list[Slopes], solve: FactoredSolve) -> list[Slopes]:
        """The same where `setup` has factored the matrix."""
        found: list[Slopes] = [{} for _ in right]
        for k in dict.fromkeys(k for slopes in right for k in slopes):
            args = tuple([slopes.get(k, self.code.zero) for slopes in right])
            register = self.code.emit(Instruction("factored_solve", args, solve))
            for slopes, taken in zip(found, self.taken(register, solve.size), strict=True):
                slopes[k] = taken
        return found

    def _implicit(self, args: tuple[int, ...], solve: NewtonSolve, solution: list[int]) -> list[Slopes]:
        """J dx = -(slopes of the residuals)."""
        found = self.residual_slopes(args, solve, solution)
        if found is None:
            return [{} for _ in solution]  # too long: the whole is given up
        matrix, slopes = found
        return self._columns(matrix, [{k: self.code.neg(s) for k, s in row.items()} for row in slopes], solve.block)

    def residual_slopes(
        self, args: tuple[int, ...], solve: NewtonSolve, solution: list[int]
    ) -> tuple[tuple[int, ...], list[Slopes]] | None:
        """J row by row, and slopes of the residuals with the solution held; None if this becomes too long.

        The residuals once more at the solution: what depends on it has other slopes outside.
        """
        n = solve.size
        captured = {i: self._real(a) for i, a in enumerate(args[:-n])}
        before = len(self._values)
        stores = self.run(solve.residuals.code, captured, solution)
        if stores is None:
            return None
        found = [self.slopes_of(stores[i]) for i in range(n)]
        while len(self._values) > before:
            self._slopes.pop(self._values.popitem()[0], None)
        return tuple([stores[n + i] for i in range(n * n)]), found

    def _real(self, register: int) -> int:
        """Truth values are captured as numbers."""
        code = self.code
        truth = register in self._truths
        return code.emit(Instruction("if", (register, code.one, code.zero))) if truth else register
