"""A routine of a program run instruction by instruction in Python, where the machine code found no solution.

What the machine code only answers with a number is seen here: every value by its name, and the block that
failed with its matrix or its residuals. The arithmetic is that of the NumPy text. Blocks that damped Newton does
not solve are solved by homotopy.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.codegen.native.native_homotopy import native_homotopy
from acausal.codegen.numpy.numpy_homotopy import homotopy_solution
from acausal.codegen.numpy.numpy_solvers import (
    columns_solution,
    factored_solution,
    least_norm_slopes,
    least_norm_solution,
    linear_solution,
    newton_solution,
    refined_solution,
    storing,
)
from acausal.codegen.numpy.to_numpy import compile_residuals
from acausal.ir.names import Symbol
from acausal.ir.program.instructions import FactoredSolve, Instruction, LinearColumns, LinearSolve, NewtonSolve, Routine
from acausal.ir.program.program import Program, routine_of
from acausal.simulate.failure.operated import operated

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Numbers = Sequence[float]
WORK, LEAST = 20_000_000, 300
"""Instructions that a homotopy may cost (some seconds), and evaluations of the residuals that it may have anyway."""
LARGE = 32
"""Unknowns from which the homotopy of a block is compiled."""
VERIFICATION = 4
"""So often for each equation a solution is evaluated to verify it, or less."""


@dataclass(frozen=True, slots=True)
class Unsolved:
    """A block without solution: of a linear one `matrix` (row by row) and `right`, of a nonlinear one its residuals.

    `residuals` gives for values of the unknowns the residuals, then their Jacobian row by row, `values` all variables
    of the block by name; `start` is where Newton's method began.
    """

    block: int
    matrix: tuple[float, ...] = ()
    right: tuple[float, ...] = ()
    residuals: Callable[[Numbers], list[float]] | None = None
    values: Callable[[Numbers], dict[Symbol, float]] | None = None
    start: tuple[float, ...] = ()
    nominals: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Interpretation:
    """Computed values of a routine: its results, its memory, variables by name; `unsolved` is the block where it ended.

    `continued` are the solutions of the blocks that only the homotopy solved.
    """

    results: "Array"
    memory: "Array"
    values: dict[Symbol, float]
    unsolved: Unsolved | None
    continued: dict[int, tuple[float, ...]]


def interpret(
    program: Program, routine: str, t: float, y: "Array", u: "Array", p: "Array", m: "Array", failed: int = 0
) -> Interpretation:
    """The routine with these arrays, which stay as they are; block `failed` has had its damped Newton steps."""
    import numpy as np

    memory, results = m.copy(), np.zeros(program.result_size(routine))
    arrays: dict[str, Array | Numbers | list[float]] = {"state": y, "input": u, "parameter": p, "memory": memory}
    run = _Run(arrays | {"out": results}, t, failed)
    code = routine_of(program, routine)
    with np.errstate(all="ignore"):
        run.go(code)
    return Interpretation(results, memory, run.named(code), run.unsolved, run.continued)


def interpret_tangent(
    routine: Routine, t: float, y: "Array", u: "Array", p: "Array", m: "Array", count: int
) -> "Array | Unsolved":
    """The `count` results of the code of a Jacobian, or the block that has no slopes here."""
    import numpy as np

    results = np.zeros(count)
    run = _Run({"state": y, "input": u, "parameter": p, "memory": m.copy(), "out": results}, t)
    with np.errstate(all="ignore"):
        run.go(routine)
    return results if run.unsolved is None else run.unsolved


class _Run:
    """One pass through a routine."""

    def __init__(self, arrays: "dict[str, Array | Numbers | list[float]]", t: float, failed: int = 0) -> None:
        self._arrays = arrays
        self._t = t
        self._failed = failed
        self.registers: list[float] = []
        self.unsolved: Unsolved | None = None
        self.continued: dict[int, tuple[float, ...]] = {}

    def go(self, routine: Routine) -> None:
        """All instructions, or those before a block that cannot be solved."""
        solutions: dict[int, list[float]] = {}
        registers = self.registers
        for number, instruction in enumerate(routine.code):
            op, args, value = instruction
            given = [registers[a] for a in args]
            if isinstance(value, LinearSolve | FactoredSolve | NewtonSolve | LinearColumns):
                solution = self._solution(given, value)
                if solution is None:
                    return
                solutions[number] = solution
                registers.append(0.0)
            elif op == "extract":
                assert isinstance(value, int)
                registers.append(solutions[args[0]][value])
            elif op == "store" or op == "keep":
                self._arrays["out" if op == "store" else "memory"][value] = given[0]  # type: ignore[index]  # arrays of results can be written
                registers.append(0.0)
            else:
                registers.append(self._value(instruction, given))

    def named(self, routine: Routine) -> dict[Symbol, float]:
        """The variables that have a value by now."""
        return {symbol: float(self.registers[r]) for r, symbol in routine.names if r < len(self.registers)}

    def _value(self, instruction: Instruction, given: list[float]) -> float:
        import numpy as np

        op, _, value = instruction
        if op in self._arrays:
            assert isinstance(value, int)
            return np.float64(self._arrays[op][value])
        if op == "const" or op == "boolean":
            assert isinstance(value, float | bool)
            return np.float64(value) if op == "const" else value
        return np.float64(self._t) if op == "time" else operated(op, given)

    def _solution(
        self, given: list[float], solve: LinearSolve | FactoredSolve | NewtonSolve | LinearColumns
    ) -> list[float] | None:
        if isinstance(solve, NewtonSolve):
            return self._newton(given, solve)
        if not isinstance(solve, LinearColumns):
            return self._linear(given, solve)
        matrix, right = tuple(given[: solve.size**2]), tuple(given[solve.size**2 :])
        if solve.norm is None:
            solution = columns_solution(matrix, right, solve.size)
        else:
            solution = least_norm_slopes(matrix, right, solve.norm.reactions, solve.norm.measured)
        if solution is None:
            self.unsolved = Unsolved(solve.block, matrix, right)
        return solution

    def _linear(self, given: list[float], solve: LinearSolve | FactoredSolve) -> list[float] | None:
        if isinstance(solve, FactoredSolve):
            factors = self._arrays["parameter"][solve.position :]
            factored = factored_solution(factors, 0, given)
            if factored is None:
                self.unsolved = Unsolved(solve.block)
            return factored
        matrix, right = tuple(given[: -solve.size]), tuple(given[-solve.size :])
        if solve.refined:
            solution = refined_solution(matrix, right)
        elif solve.norm is None:
            solution = linear_solution(matrix, right)
        else:
            solution = least_norm_solution(matrix, right, solve.norm.reactions, solve.norm.measured)
        if solution is None:
            self.unsolved = Unsolved(solve.block, matrix, right)
        return solution

    def _newton(self, given: list[float], solve: NewtonSolve) -> list[float] | None:
        import numpy as np

        n = solve.size
        captured, start = given[:-n], given[-n:]

        function = cache(compile_residuals)  # which takes long for large blocks

        def residuals(x: Numbers) -> list[float]:
            found = np.zeros(n + n * n)
            function(solve.residuals)(captured, np.asarray(x, dtype=float), found)
            return list(found)

        def values(x: Numbers) -> dict[Symbol, float]:
            inside = _Run({"captured": captured, "unknown": x, "out": [0.0] * (n + n * n)}, self._t)
            inside.go(solve.residuals)
            return inside.named(solve.residuals)

        solution = None
        if solve.block != self._failed:
            solution = newton_solution(storing(residuals, n), captured, start, solve.nominals)
        if solution is None:
            most = max(LEAST + VERIFICATION * n, WORK // len(solve.residuals.code))
            if n < LARGE:
                solution = homotopy_solution(residuals, start, solve.nominals, most)
            else:
                solution = native_homotopy(solve, captured, start, most)
            if solution is not None:
                self.continued[solve.block] = tuple(solution)
        if solution is None:
            self.unsolved = Unsolved(
                solve.block, residuals=residuals, values=values, start=tuple(start), nominals=solve.nominals
            )
        return solution
