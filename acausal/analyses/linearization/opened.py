"""Matrices of a system whose loops are opened, from those of the closed system.

The connection u = v, where v may be the sum of other through variables, is opened as u = v + d
(`elaborate.connections.open_loops`). The closed system gives u = Cu x + Du w + Dd d; solved for
d = Dd^-1 (u - Cu x - Du w), its matrices have u as an input and v = u - d as an output. So the operating point is that
of the closed loop. Where a state or a known value determines u whatever d is, the signal goes the other way: v, which
follows from u, becomes the input and u the output.
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
            hint = "open it at a through variable of the connection, or at a signal that is not differentiated"
            raise ModelError(Diagnostic("A001", message, help=hint))


def are_reversed(slopes: "Array") -> tuple[bool, ...]:
    """True for loops that go the other way, by slopes (loops, loops) of the variables u along d."""
    import numpy as np

    return tuple([bool(row.max() <= SINGULAR) for row in np.abs(slopes)])


def names_of(loops: tuple[OpenedLoop, ...], is_back: tuple[bool, ...]) -> tuple[tuple[str, str], ...]:
    """Input and output of each loop."""
    pairs = [(show_name(loop.variable), loop.returns) for loop in loops]
    return tuple([(v, u) if back else (u, v) for (u, v), back in zip(pairs, is_back, strict=True)])


def opened(
    matrices: Matrices, names: Names, values: "tuple[Array, Array]", loops: tuple[OpenedLoop, ...]
) -> "tuple[Matrices, Names, tuple[Array, Array], tuple[bool, ...]]":
    """Matrices, names and values with u in place of d (the last inputs) and v in place of u (the last outputs).

    And which of the loops go the other way: v is the input, u the output.
    """
    if not loops:
        return matrices, names, values, ()
    import numpy as np

    a, b, c, d = matrices
    m, p = b.shape[1] - len(loops), len(c) - len(loops)
    is_back = are_reversed(d[p:, m:])
    unit, back = np.eye(len(loops)), np.diag([float(x) for x in is_back])
    slopes = d[p:, m:] - back  # of the inputs along d
    if not 1.0 / np.linalg.cond(slopes) > SINGULAR:
        raise _dependent(loops)
    solved = np.linalg.inv(slopes)
    from_x, from_w = -solved @ c[p:], -solved @ d[p:, :m]  # d of x, of w; of the inputs it is `solved`
    from_u = np.hstack([from_w, solved])
    direct = np.hstack([d[:, :m], np.zeros((len(d), len(loops)))]) + d[:, m:] @ from_u
    outputs = c + d[:, m:] @ from_x
    sign = unit - 2.0 * back  # of d in what comes back: input - d, or input + d
    returned = np.hstack([-sign @ from_w, unit - sign @ solved])
    inputs = np.hstack([b[:, :m], np.zeros((len(b), len(loops)))]) + b[:, m:] @ from_u
    comes_back = np.vstack([outputs[:p], -sign @ from_x])
    made = (_moved(a, b[:, m:], from_x), inputs, comes_back, np.vstack([direct[:p], returned]))
    at = values[1][p:]
    pairs = names_of(loops, is_back)
    found = (*names[0][:m], *[u for u, _ in pairs]), (*names[1][:p], *[v for _, v in pairs])
    return made, found, (np.concatenate([values[0][:m], at]), np.concatenate([values[1][:p], at])), is_back


def _dependent(loops: tuple[OpenedLoop, ...]) -> ModelError:
    """A001 for loops whose variables depend on each other."""
    texts = listed([show_name(loop.variable) for loop in loops], SHOWN)
    message = f"the loops cannot be opened at {texts} together: the values depend on each other"
    others = dict.fromkeys(show_name(name) for loop in loops for name in loop.others)
    hint = f"open one of them, or other variables: {listed(list(others), SHOWN)}"
    return ModelError(Diagnostic("A001", message, help=hint))


def _moved(a: "Array", b: "Array", from_x: "Array") -> "Array":
    """A + B*F; sparse if A is."""
    from scipy.sparse import csc_array, issparse

    return a + (csc_array(b) @ csc_array(from_x) if issparse(a) else b @ from_x)
