"""The descriptor system of a model: the unknowns of its systems of equations stay beside the states."""

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from acausal.analyses.linear_systems.frequency import as_frequencies, poles
from acausal.analyses.linear_systems.sparse_systems import dense, sparse_response
from acausal.analyses.linearization.directions import Directions, chains
from acausal.analyses.linearization.matrices import descriptor_slopes
from acausal.analyses.linearization.opened import names_of
from acausal.elaborate.connections.open_loops import OpenedLoop
from acausal.ir.names import show_derivative, show_name
from acausal.ir.program.slots import VariableSlot
from acausal.simulate.run.operating_point import OperatingPoint

if TYPE_CHECKING:
    from acausal.analyses.linear_systems.sparse_systems import ComplexArray
    from acausal.codegen.executable import Array

Matrices = tuple[Any, "Array", "Array", "Array"]
"""A (sparse), B, C, D."""
Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Of states, algebraic unknowns, inputs and outputs."""


class Descriptor:
    """E dx/dt = A x + B u, y = C x + D u: the pencil s E - A has not been solved for the unknowns of blocks.

    x are the `states`, for which E is the identity, then the unknowns `algebraic`, whose rows of E are zero. E and A
    are sparse arrays (CSC) of n = states + algebraic rows; B (n, m), C (p, n) and D (p, m) are NumPy arrays. Blocks
    whose matrix is constant, and those of redundant equations, are solved. (V. Mehrmann, T. Stykel, in Dimension
    Reduction of Large-Scale Systems, 2005, section 1.)
    """

    def __init__(
        self,
        matrices: tuple[Any, Any, "Array", "Array", "Array"],
        names: Names,
    ) -> None:
        self.E, self.A, self.B, self.C, self.D = matrices
        self.states, self.algebraic, self.inputs, self.outputs = names

    def frequency_response(self, omega: "Iterable[float] | Array") -> "ComplexArray":
        """C (j omega E - A)^-1 B + D at angular frequencies in rad/s, complex (frequencies, outputs, inputs)."""
        return sparse_response(self.E, self.A, self.B, self.C, self.D, as_frequencies(omega))

    @cached_property
    def poles(self) -> "ComplexArray":
        """Finite generalized eigenvalues of A and E, sorted by their absolute value (complex).

        The rows without derivatives determine the algebraic unknowns, so they are those of the Schur complement.
        """
        import numpy as np

        n = len(self.states)
        a = dense(self.A, "the poles")
        return poles(a[:n, :n] - a[:n, n:] @ np.linalg.solve(a[n:, n:], a[n:, :n]))

    def __repr__(self) -> str:
        sizes = f"{len(self.states)} states, {len(self.algebraic)} algebraic unknowns"
        return f"<Descriptor {sizes}, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"


def descriptor(
    point: OperatingPoint,
    columns: Directions,
    outputs: tuple[VariableSlot, ...],
    loops: tuple[OpenedLoop, ...],
    is_back: tuple[bool, ...],
) -> Descriptor:
    """The descriptor system at a point; SimulationError A002 where a slope is not finite.

    A connection u = v that is opened as u = v + d (`opened`) makes d a further unknown, u an input and v = u - d an
    output; where it goes the other way v is the input and u = v + d the output.
    """
    from scipy.sparse import csc_array, vstack

    found, symbols = descriptor_slopes(point, columns, outputs)
    n, m, states = len(columns.names), len(columns.inputs), len(point.y)
    rates = vstack([found[:states], chains(columns)]) if columns.lower else found[:states]
    variables, equations = found[states : states + len(outputs)], found[states + len(outputs) :]
    every = vstack([rates, equations, variables]).tocsc()
    count = len(symbols)
    rows = n + count
    order = [*range(n), *range(n + m, n + m + count), *range(n, n + m)]
    every = every[:, order]
    a, b = every[:rows, : n + count], every[:rows, n + count :].toarray()
    c, d = every[rows:, : n + count].toarray(), every[rows:, n + count :].toarray()
    algebraic = tuple([f"unknown[{k}]" if x is None else show_derivative(*x) for k, x in enumerate(symbols, 1)])
    names = (columns.names, algebraic, columns.inputs, tuple([show_derivative(*slot.symbol) for slot in outputs]))
    if loops:
        (a, b, c, d), names = _opened((a, b, c, d), names, loops, is_back)
    e = csc_array(([1.0] * n, (range(n), range(n))), shape=a.shape)
    return Descriptor((e, a, b, c, d), names)


def _opened(
    matrices: Matrices, names: Names, loops: tuple[OpenedLoop, ...], is_back: tuple[bool, ...]
) -> tuple[Matrices, Names]:
    """The matrices with d and its equation 0 = Cu x + Du w + Dd d - u, for the last inputs d and the last outputs u.

    Where a loop goes the other way it is 0 = Cu x + Du w + (Dd - 1) d - v.
    """
    import numpy as np
    from scipy.sparse import block_array, csc_array

    a, b, c, d = matrices
    count, n = len(loops), a.shape[0]
    m, p, unit = b.shape[1] - count, len(c) - count, np.eye(count)
    back = np.diag([float(x) for x in is_back])
    opened_a = block_array([[a, csc_array(b[:, m:])], [csc_array(c[p:]), csc_array(d[p:, m:] - back)]]).tocsc()
    opened_b = np.block([[b[:, :m], np.zeros((n, count))], [d[p:, :m], -unit]])
    opened_c = np.block([[c[:p], d[:p, m:]], [np.zeros((count, n)), 2.0 * back - unit]])
    opened_d = np.block([[d[:p, :m], np.zeros((p, count))], [np.zeros((count, m)), unit]])
    states, algebraic, inputs, outputs = names
    differences = [f"{show_name(loop.variable)} - ({loop.returns})" for loop in loops]
    pairs = names_of(loops, is_back)
    found = (
        states,
        (*algebraic, *differences),
        (*inputs[:m], *[u for u, _ in pairs]),
        (*outputs[:p], *[v for _, v in pairs]),
    )
    return (opened_a, opened_b, opened_c, opened_d), found
