"""Jacobians of a whole model as straight code: derivatives and variables along states, inputs and parameters.

Row k is state k, row n + k the k-th variable asked for; column k is state k, others are as the seeds say.
"""

from collections.abc import Mapping, Sequence

from acausal.base.frozen import dataclass
from acausal.codegen.tangent.descriptor_pass import DescriptorPass
from acausal.codegen.tangent.forward_mode import ForwardPass
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.operator_slopes import Slopes
from acausal.codegen.tangent.seeds import Seeds, Tangent
from acausal.codegen.tangent.setup_pass import SetupPass
from acausal.ir.names import Symbol
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import Program


def model_jacobian(program: Program, seeds: Seeds, variables: Sequence[int], most: int) -> Tangent | None:
    """The entries that are not zero by their formula; None if this takes more than `most` instructions.

    `variables` are positions among the results of the routine `variables`. Where a block is singular the code has no
    solution (`Program.blocks`).
    """
    found = ForwardPass(Code(), most, seeds)
    rows = _rows(found, program, variables)
    return None if rows is None else _entries(found.code, rows)


@dataclass(frozen=True, slots=True)
class DescriptorTangent:
    """Slopes of a descriptor system: rows of the states, of the variables asked for, then of the equations of blocks.

    Their `unknowns` are further columns, here by name; None is one that only stands between others.
    """

    tangent: Tangent
    unknowns: tuple[Symbol | None, ...]


def descriptor_jacobian(
    program: Program, seeds: Seeds, variables: Sequence[int], first: int, most: int
) -> DescriptorTangent | None:
    """As `model_jacobian`, but blocks are not solved: their unknowns are the columns from `first` on."""
    found = DescriptorPass(most, seeds, first)
    named: dict[int, Symbol] = {}
    rows = _rows(found, program, variables, named)
    if rows is None:
        return None
    return DescriptorTangent(_entries(found.code, rows + found.rows), tuple([named.get(x) for x in found.unknowns]))


def _rows(
    found: ForwardPass, program: Program, variables: Sequence[int], named: dict[int, Symbol] | None = None
) -> list[Slopes] | None:
    """Slopes of the derivatives of the states, then of the variables; `named` takes the registers of all variables."""
    rates = found.run(program.derivatives.code, {}, [])
    if rates is None:
        return None
    _name(found, program.derivatives, named)
    stored = found.run(program.variables.code, {}, []) if variables else {}
    if stored is None:
        return None
    if variables:
        _name(found, program.variables, named)
    registers = [rates[k] for k in range(len(program.state_slots))] + [stored[k] for k in variables]
    return [found.slopes_of(register) for register in registers]


def _name(found: ForwardPass, routine: Routine, named: dict[int, Symbol] | None) -> None:
    if named is not None:
        for register, symbol in routine.names:
            named.setdefault(found.there[register], symbol)


def routine_jacobian(routine: Routine, results: Sequence[int], seeds: Seeds, most: int) -> Tangent | None:
    """Entries of these results of a routine, a row each; None if this takes more than `most` instructions."""
    found = ForwardPass(Code(), most, seeds)
    stored = found.run(routine.code, {}, [])
    return None if stored is None else _entries(found.code, [found.slopes_of(stored[k]) for k in results])


@dataclass(frozen=True, slots=True)
class SetupTangent:
    """Slopes of what `setup` computes: `rows` of the tangent are numbers of `targets`.

    A target is a position in p, or with a second number an element of the matrix that is factored there.
    """

    tangent: Tangent
    targets: tuple[tuple[int, int | None], ...]


def setup_jacobian(program: Program, columns: Mapping[int, int], most: int) -> SetupTangent | None:
    """Slopes of p along parameters that are given: `columns` by their positions."""
    found = SetupPass(columns, most, factors=False)
    stored = found.run(program.setup.code, {}, [])
    if stored is None:
        return None
    targets: list[tuple[int, int | None]] = [(k, None) for k in stored]
    registers = list(stored.values())
    for position, matrix in found.factored.items():
        targets += [(position, k) for k in range(len(matrix))]
        registers += matrix
    return SetupTangent(_entries(found.code, [found.slopes_of(x) for x in registers]), tuple(targets))


def _entries(code: Code, rows: Sequence[Slopes]) -> Tangent:
    entries = [(row, column) for row, slopes in enumerate(rows) for column in sorted(slopes)]
    routine = code.routine([rows[row][column] for row, column in entries])
    return Tangent(routine, tuple([r for r, _ in entries]), tuple([c for _, c in entries]))
