"""Matrices of a system whose loops are opened, from those of the closed system.

The connection u = v, where v may be the sum of other through variables, is opened as u = v + d
(`elaborate.connections.open_loops`). The closed system gives u = Cu x + Du w + Dd d; solved for
d = Dd^-1 (u - Cu x - Du w), its matrices have u as an input and v = u - d as an output. So the operating point is that
of the closed loop.
"""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, ModelError
from acausal.elaborate.connections.open_loops import OpenedLoop
from acausal.ir.names import listed, show_name
from acausal.ir.program.program import Program

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHOWN = 6
SINGULAR = 1e-12
"""Reciprocal condition number below which the variables at which loops are opened are not independent."""

Matrices = tuple["Array", "Array", "Array", "Array"]
Names = tuple[tuple[str, ...], tuple[str, ...]]


def require_no_derivatives(program: Program, loops: tuple[OpenedLoop, ...]) -> None:
    """ModelError A001 where the equations differentiate the variable at which a loop is opened."""
    for loop in loops:
        if any(name == loop.difference and order for name, order in program.input_slots):
            message = f"the loop cannot be opened at {show_name(loop.variable)}: the equations depend on its derivative"
            hint = "open it at a signal that is not differentiated"
            raise ModelError(Diagnostic("A001", message, help=hint))


def opened(
    matrices: Matrices, names: Names, values: "tuple[Array, Array]", loops: tuple[OpenedLoop, ...]
) -> "tuple[Matrices, Names, tuple[Array, Array]]":
    """Matrices, names and values with u in place of d (the last inputs) and v in place of u (the last outputs)."""
    if not loops:
        return matrices, names, values
    import numpy as np

    a, b, c, d = matrices
    m, p = b.shape[1] - len(loops), len(c) - len(loops)
    slopes = d[p:, m:]
    if not 1.0 / np.linalg.cond(slopes) > SINGULAR:
        texts = listed([show_name(loop.variable) for loop in loops], SHOWN)
        message = f"the loop cannot be opened at {texts}: the value does not follow from what it is connected to"
        others = dict.fromkeys(show_name(name) for loop in loops for name in loop.others)
        hint = "a state or a known value determines it"
        hint += f": open it at another variable of the connection, {listed(list(others), SHOWN)}" if others else ""
        raise ModelError(Diagnostic("A001", message, help=hint))
    solved = np.linalg.inv(slopes)
    from_x, from_w = -solved @ c[p:], -solved @ d[p:, :m]  # d of x, of w; of u it is `solved`
    from_u = np.hstack([from_w, solved])
    direct = np.hstack([d[:, :m], np.zeros((len(d), len(loops)))]) + d[:, m:] @ from_u
    outputs = c + d[:, m:] @ from_x
    returned = np.hstack([-from_w, np.eye(len(loops)) - solved])
    inputs = np.hstack([b[:, :m], np.zeros((len(b), len(loops)))]) + b[:, m:] @ from_u
    made = (_moved(a, b[:, m:], from_x), inputs, np.vstack([outputs[:p], -from_x]), np.vstack([direct[:p], returned]))
    at = values[1][p:]
    variables = tuple([show_name(loop.variable) for loop in loops])
    returns = tuple([show_name(loop.returned) for loop in loops])
    found = (*names[0][:m], *variables), (*names[1][:p], *returns)
    return made, found, (np.concatenate([values[0][:m], at]), np.concatenate([values[1][:p], at]))


def _moved(a: "Array", b: "Array", from_x: "Array") -> "Array":
    """A + B*F; sparse if A is."""
    from scipy.sparse import csc_array, issparse

    return a + (csc_array(b) @ csc_array(from_x) if issparse(a) else b @ from_x)
