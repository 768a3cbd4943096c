"""Values of divisors in rows, and their text."""

from collections.abc import Callable, Mapping, Sequence
from operator import add, mul, sub, truediv
from typing import TYPE_CHECKING, Any

from acausal.base.frozen import record
from acausal.ir.names import show_derivative, show_name
from acausal.ir.program.instructions import Instruction, LinearSolve
from acausal.ir.program.program import Program
from acausal.simulate.rows.divisors import Divisor, needed_for, solution_columns

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

LONGEST_TEXT = 40
"""Instructions of a divisor whose text is shown."""
_ARITHMETIC: "dict[str, Callable[[Any, Any], Any]]" = {"add": add, "sub": sub, "mul": mul, "div": truediv}
"""Most instructions; of numbers of NumPy and of columns of them."""
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "^"}


@record(frozen=True, slots=True)
class Points:
    """Times, states, frozen values with inputs, and stored variables, row by row."""

    times: "Array"
    states: "Array"
    inputs: "Array"
    stored: "Array"


def values_at(
    program: Program,
    divisors: Sequence[Divisor],
    needed: Sequence[int],
    columns: Mapping[int, tuple[int, float]],
    points: Points,
    p: "Array",
) -> "list[Array]":
    """The values of divisors at points; of matrices the signs of their determinants.

    `columns` are the stored variables that solutions of nonlinear blocks are taken from (`solution_columns`).
    """
    import numpy as np

    code = program.derivatives.code
    known: dict[int, Array] = {}
    solutions: dict[int, Array] = {}
    with np.errstate(all="ignore"):
        for number in needed:
            op, args, _ = code[number]
            function = _ARITHMETIC.get(op)
            if function is not None:
                known[number] = function(known[args[0]], known[args[1]])
            elif op == "linear_solve":
                solutions[number] = _solutions(code[number], known, len(points.times))
            elif number in columns:
                column, sign = columns[number]
                known[number] = sign * points.stored[:, column]
            else:
                known[number] = _value(code, number, known, solutions, points, p)
        return [
            np.linalg.slogdet(_matrices(code[d.register], known, len(points.times)))[0]
            if d.is_matrix
            else np.broadcast_to(known[d.register], points.times.shape)
            for d in divisors
        ]


def _value(
    code: Sequence[Instruction],
    number: int,
    known: "dict[int, Array]",
    solutions: "dict[int, Array]",
    points: Points,
    p: "Array",
) -> "Array":
    """The value of a register at all points, or of all points."""
    import numpy as np

    from acausal.simulate.failure.operated import operated

    op, args, value = code[number]
    if op == "time":
        return points.times
    if op == "const" or op == "boolean":
        return np.array(value)[()]  # a number, as parameters are
    if op == "extract":
        assert isinstance(value, int)
        return solutions[args[0]][:, value]
    if op == "if":
        return np.where(known[args[0]], known[args[1]], known[args[2]])
    if isinstance(value, int) and not args:
        if op == "parameter":
            return p[value]  # type: ignore[no-any-return]
        return (points.states if op == "state" else points.inputs)[:, value]
    return operated(op, [known[a] for a in args])  # type: ignore[misc,return-value]  # all rows at once


def _matrices(solve: Instruction, known: "dict[int, Array]", count: int) -> "Array":
    """The matrices of linear equations at all points; NaN becomes 0, which is no sign."""
    import numpy as np

    assert isinstance(solve.value, LinearSolve)
    n = solve.value.size
    found: Array = np.empty((count, n * n))
    for place, register in enumerate(solve.args[: n * n]):
        found[:, place] = known[register]
    found[~np.isfinite(found).all(axis=1)] = 0.0
    return found.reshape(count, n, n)


def _solutions(solve: Instruction, known: "dict[int, Array]", count: int) -> "Array":
    """The solutions at all points, NaN where there is none."""
    import numpy as np

    matrices = _matrices(solve, known, count)
    n = matrices.shape[1]
    right = np.empty((count, n, 1))
    for place, register in enumerate(solve.args[n * n :]):
        right[:, place, 0] = known[register]
    singular = np.linalg.slogdet(matrices)[0] == 0.0
    matrices[singular] = np.identity(n)
    right[singular] = np.nan
    solved: Array = np.asarray(np.linalg.solve(matrices, right)[:, :, 0], dtype=np.float64)
    return solved


def note_of(program: Program, divisor: Divisor) -> str | None:
    """The divisor by the names of the model; None of one that is too long."""
    code = program.derivatives.code
    solve = code[divisor.register].value
    if isinstance(solve, LinearSolve):
        names = ", ".join([show_derivative(*symbol) for symbol in program.blocks[solve.block - 1].targets])
        return f"the linear equations for {names} become singular"
    named = dict(program.derivatives.names).get(divisor.register)
    needed, solutions = needed_for(program, divisor), solution_columns(program)
    if len(needed) <= LONGEST_TEXT and all(code[r].op != "extract" or r in solutions for r in needed):
        return f"the divisor is {_text(program, divisor, needed)}"
    return None if named is None else f"the divisor is {show_derivative(*named)}"


def _text(program: Program, divisor: Divisor, needed: Sequence[int]) -> str:
    """A divisor as it is computed."""
    code = program.derivatives.code
    texts: dict[int, str] = {}
    names, solutions = dict(program.derivatives.names), solution_columns(program)
    named = {number: names[number] for number in solutions}
    for number in needed:
        if number in named:
            texts[number] = show_derivative(*named[number])
            continue
        given = [texts[a] for a in code[number].args]
        texts[number] = _text_of(program, code[number], given)
    text = texts[divisor.register]
    return text[1:-1] if text.startswith("(") else text


def _text_of(program: Program, instruction: Instruction, given: Sequence[str]) -> str:
    """The text of an instruction by those of its arguments."""
    op, args, value = instruction
    if op == "state" and isinstance(value, int):
        return show_derivative(*program.state_slots[value].symbol)
    if op == "parameter" and isinstance(value, int) and value < len(program.parameter_slots):
        return show_name(program.parameter_slots[value].name)
    first = len(program.table.frozen)
    if op == "input" and isinstance(value, int):
        if value >= first:
            return show_derivative(*program.input_slots[value - first])
        slot = program.table.frozen[value]
        return slot.text or show_name(slot.name)
    if op in _SIGNS:
        return f"({given[0]} {_SIGNS[op]} {given[1]})".replace("+ -", "- ")
    if op == "neg":
        return f"-{given[0]}"
    if op == "if":
        return f"(if {given[0]} then {given[1]} else {given[2]})"
    return f"{op}({', '.join(given)})" if args else "time" if op == "time" else f"{value:g}"
