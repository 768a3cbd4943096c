"""Slopes in the routine `setup`, along parameters that are given."""

from collections.abc import Mapping

from acausal.codegen.tangent.forward_mode import ForwardPass
from acausal.codegen.tangent.instruction_builder import Code
from acausal.codegen.tangent.seeds import Seeds
from acausal.ir.program.instructions import Instruction, LinearFactor


class SetupPass(ForwardPass):
    """Parameters that have been stored are read as they are then; `factored` are the matrices that are factored.

    `columns` are directions by positions in p. The code factors the matrices itself only where it `factors`.
    """

    def __init__(self, columns: Mapping[int, int], most: int, factors: bool) -> None:
        super().__init__(Code(), most, Seeds(parameters={at: {column: 1.0} for at, column in columns.items()}))
        self._factors = factors
        self.factored: dict[int, tuple[int, ...]] = {}

    def value_of(self, instruction: Instruction, stores: Mapping[int, int]) -> int:
        """The register of a value, with its slopes."""
        op, args, value = instruction
        if op == "parameter" and value in stores:
            assert isinstance(value, int)
            return stores[value]
        if isinstance(value, LinearFactor):
            self.factored[value.position] = args
            return self.code.emit(instruction) if self._factors else self.code.zero
        return super().value_of(instruction, stores)
