"""A routine with the operators of a library.

mul %3 %4     ->     algebra.call("mul", (register 3, register 4))
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from acausal.base.diagnostics import InternalError
from acausal.base.frozen import record
from acausal.ir.names import Name, show_derivative, show_name
from acausal.ir.program.instructions import FactoredSolve, LinearFactor, LinearSolve, NewtonSolve, Routine
from acausal.ir.program.program import Program
from acausal.targets.unsupported import unsupported

Value = Any
"""A number, or an expression of the library."""


class Algebra(Protocol):
    """Operators of a library."""

    name: str

    def call(self, op: str, arguments: Sequence[Value], /) -> Value:
        """An operator of `ir/ops`, `sub` or `div`."""
        ...

    def linear(self, matrix: Sequence[Value], right: Sequence[Value], /) -> Sequence[Value]:
        """The solution of linear equations, the matrix row by row."""
        ...

    def newton(
        self,
        residuals: Callable[[Sequence[Value], Sequence[Value]], list[Value]],
        captured: Sequence[Value],
        start: Sequence[Value],
        nominals: Sequence[float],
        /,
    ) -> Sequence[Value]:
        """The solution x of residuals(captured, x) = 0; `nominals` are sizes of x."""
        ...


@record(frozen=True, slots=True)
class Arguments:
    """Names of the arguments of functions, and the values of the model.

    `inputs` are values that only events change, then inputs; `parameters` those that can be chosen, with `values`;
    `variables` are the stored variables.
    """

    states: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    values: tuple[float, ...]
    variables: tuple[str, ...]
    places: tuple[int, ...]


def arguments_of(program: Program, folded: Sequence[Name]) -> Arguments:
    """The arguments of the functions of a program; `folded` parameters are part of its equations."""
    slots = program.parameter_slots
    free = [i for i, s in enumerate(slots) if not s.bound and not s.constant and s.name not in folded]
    frozen = [show_name(slot.name) for slot in program.table.frozen]
    stored = {s.position: show_derivative(*s.symbol) for s in reversed(program.variable_slots) if s.kind == "stored"}
    return Arguments(
        tuple([show_derivative(*slot.symbol) for slot in program.state_slots]),
        (*frozen, *[show_derivative(*symbol) for symbol in program.input_slots]),
        tuple([show_name(slots[i].name) for i in free]),
        tuple([float(slots[i].value) for i in free]),
        tuple([stored.get(k, f"result {k}") for k in range(program.stored)]),
        tuple(free),
    )


def complete(program: Program, arguments: Arguments, algebra: Algebra, chosen: Sequence[Value]) -> "Parameters":
    """All parameters and what is computed from them, by the chosen ones."""
    values: list[Value] = [float(s.value) for s in program.parameter_slots] + [0.0] * program.hoisted
    given = [0.0] * len(program.parameter_slots)
    for place, value in zip(arguments.places, chosen, strict=True):
        values[place], given[place] = value, 1.0
    found = Parameters(values, {})
    for k, value in evaluate_routine(
        program, program.setup, algebra, {"parameter": values, "input": given}, found
    ).items():
        values[k] = value
    return found


@record(frozen=True, slots=True)
class Parameters:
    """p; `factored` are matrices that `setup` would factor, by their place in p."""

    values: list[Value]
    factored: dict[int, list[Value]]


def evaluate_routine(
    program: Program,
    routine: Routine,
    algebra: Algebra,
    arrays: Mapping[str, Sequence[Value]],
    parameters: Parameters,
    time: Value = 0.0,
) -> dict[int, Value]:
    """The results of a routine by their places; `arrays` are what it loads from."""
    registers: list[Value] = []
    results: dict[int, Value] = {}
    for op, args, value in routine.code:
        given = [registers[a] for a in args]
        found: Value = None
        if op == "store":
            assert isinstance(value, int)
            results[value] = given[0]
            if routine is program.setup:  # bindings read what others have stored
                parameters.values[value] = given[0]
        elif op == "const" or op == "boolean":
            found = value
        elif op == "time":
            found = time
        elif op in arrays:
            assert isinstance(value, int)
            found = arrays[op][value]
        elif isinstance(value, LinearFactor):
            parameters.factored[value.position] = given
        elif isinstance(value, FactoredSolve | LinearSolve | NewtonSolve):
            found = _solution(program, value, algebra, given, parameters)
        elif op == "extract":
            assert isinstance(value, int)
            found = given[0][value]
        elif op != "keep":
            found = algebra.call(op, given)
        registers.append(found)
    return results


def _solution(
    program: Program,
    solve: FactoredSolve | LinearSolve | NewtonSolve,
    algebra: Algebra,
    given: list[Value],
    parameters: Parameters,
) -> Sequence[Value]:
    """The solution of a block."""
    n = solve.size
    if isinstance(solve, FactoredSolve):
        return algebra.linear(parameters.factored[solve.position], given)
    if isinstance(solve, NewtonSolve):
        return algebra.newton(_residuals(program, solve, algebra), given[:-n], given[-n:], solve.nominals)
    if solve.norm is not None:
        part, origin = "equations that are singular in some mode", program.blocks[solve.block - 1].origins[0]
        raise unsupported(algebra.name, part, origin, "remove redundant brakes or supports")
    return algebra.linear(given[:-n], given[-n:])


def _residuals(
    program: Program, solve: NewtonSolve, algebra: Algebra
) -> Callable[[Sequence[Value], Sequence[Value]], list[Value]]:
    def residuals(captured: Sequence[Value], unknowns: Sequence[Value]) -> list[Value]:
        arrays = {"captured": captured, "unknown": unknowns}
        found = evaluate_routine(program, solve.residuals, algebra, arrays, Parameters([], {}))
        return [found[k] for k in range(solve.size)]

    return residuals


def ordered(results: Mapping[int, Value], count: int) -> list[Value]:
    """Results one behind the other; those that the routine does not store are 0."""
    return [results.get(k, 0.0) for k in range(count)]


def start_values(program: Program, memory: Sequence[float]) -> list[float]:
    """Start values of nonlinear blocks as a routine loads them; InternalError where there are too few."""
    if len(memory) < program.memory:
        raise InternalError("start values", "start values are missing")
    return [float(value) for value in memory[: program.memory]]
