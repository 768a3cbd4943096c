"""Jacobians of a whole model as straight code: derivatives and variables along states, inputs and parameters.

Row k is state k, row n + k the k-th variable asked for; column k is state k, others are as the seeds say.
"""

from collections.abc import Mapping, Sequence

from acausal.base.frozen import dataclass
from acausal.codegen.tangent.forward_mode import ForwardPass, Seeds, Tangent
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.setup_pass import SetupPass
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import Program


def model_jacobian(program: Program, seeds: Seeds, variables: Sequence[int], most: int) -> Tangent | None:
    """The entries that are not zero by their formula; None if this takes more than `most` instructions.

    `variables` are positions among the results of the routine `variables`. Where a block is singular the code has no
    solution (`Program.blocks`).
    """
    found = ForwardPass(Code(), most, seeds)
    rates = found.run(program.derivatives.code, {}, [])
    stored = found.run(program.variables.code, {}, []) if variables and rates is not None else {}
    if rates is None or stored is None:
        return None
    registers = [rates[k] for k in range(len(program.state_slots))] + [stored[k] for k in variables]
    return _entries(found, registers)


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
    return SetupTangent(_entries(found, registers), tuple(targets))


def _entries(found: ForwardPass, registers: Sequence[int]) -> Tangent:
    entries = [(row, column) for row, register in enumerate(registers) for column in sorted(found.slopes_of(register))]
    routine: Routine = found.code.routine([found.slopes_of(registers[row])[column] for row, column in entries])
    return Tangent(routine, tuple([r for r, _ in entries]), tuple([c for _, c in entries]))
