"""Results of `setup` that move with the parameters asked for: positions in p and elements of factored matrices.

These are the columns of the adjoint equations; derivatives by them become those by the parameters at the end.
"""

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from acausal.codegen.native.batch import call_by_rows
from acausal.codegen.native.exact_jacobian import ExactJacobian, compile_tangent
from acausal.codegen.tangent.model_jacobian import SetupTangent, setup_jacobian
from acausal.codegen.tangent.seeds import Seeds
from acausal.codegen.tangent.sensitivities.unsupported import too_long
from acausal.ir.program.program import Program
from acausal.simulate.system.parameters import places

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Target = tuple[int, int | None]
"""A position in p, or with a second number an element of the matrix that is factored there."""


class ParameterChain:
    """`parameters` are positions in p, `targets` what moves with them, in the order of the columns."""

    def __init__(self, program: Program, parameters: tuple[int, ...], setup: SetupTangent) -> None:
        self.parameters = parameters
        self._program, self._setup = program, setup
        own: list[Target] = [(position, None) for position in parameters]
        self._moved = [setup.targets[row] for row in setup.tangent.rows]
        self.targets = tuple(dict.fromkeys([*own, *self._moved]))

    def seeds(self, first: int) -> Seeds:
        """Each target is a direction; the columns begin at `first`."""
        places: dict[int, dict[int, float]] = {}
        elements: dict[int, dict[int, int]] = {}
        for column, (position, element) in enumerate(self.targets, first):
            if element is None:
                places[position] = {column: 1.0}
            else:
                elements.setdefault(position, {})[element] = column
        sizes = {at: sum([position == at and e is not None for position, e in self._setup.targets]) for at in elements}
        factors = {
            at: [{found[k]: 1.0} if k in found else {} for k in range(sizes[at])] for at, found in elements.items()
        }
        return Seeds(parameters=places, factors=factors)

    @cached_property
    def _native(self) -> ExactJacobian:
        return compile_tangent(self._program, self._setup.tangent)

    def by_parameters(self, p: "Array", slopes: "Array", own: Collection[str]) -> "Array":
        """Derivatives (parameters,) of a number whose derivatives (targets,) by the targets are `slopes`.

        Parameters with these names have values of their `own`: they move with no other parameter.
        """
        import numpy as np

        code, position = self._native, {target: k for k, target in enumerate(self.targets)}
        given = np.zeros((1, len(self._program.parameter_slots)))
        given[0, [*self.parameters, *places(self._program, tuple(own))]] = 1.0
        entries, none = np.zeros((1, len(code.rows))), np.zeros((1, 0))
        call_by_rows(code.address, code.memory_size, np.zeros(1), none, given, p[None], none[0], entries)
        moved = np.array([position[target] for target in self._moved], dtype=np.intp)
        found = slopes[: len(self.parameters)].copy()
        found[code.columns[moved == code.columns]] = 0.0  # `setup` has the values that are given, too
        np.add.at(found, code.columns, entries[0] * slopes[moved])
        return found


def parameter_chain(program: Program, parameters: tuple[int, ...], most: int) -> ParameterChain:
    """The chain of parameters at these positions in p; LimitError L019 where the code is too long."""
    made = setup_jacobian(program, {position: k for k, position in enumerate(parameters)}, most)
    if made is None:
        raise too_long(program)
    return ParameterChain(program, parameters, made)
