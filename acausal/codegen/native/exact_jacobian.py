"""The exact Jacobian of a program as machine code, made when a solver first asks for it.

Differences are as good where the derivatives are formulas: the steps are the same, and the evaluations that they need,
a twentieth to a third of all, take less time than to compile formulas for them (`python -m tests.bench.jacobian`).
Where systems of equations are solved these leave errors, of rounding or of Newton's method, which differences magnify:
an operational amplifier takes 60 % more steps with them or does not end at all, and transistor circuits drift away from
their operating points. Exponentials need it, too: CVODE chooses the length of its differences by the size of the
derivatives; where a diode with a predicted voltage of 1.7 V carries 1e9 A this length is volts, and Newton's method
accepts that voltage.
So a Jacobian is wanted where the derivatives solve equations or contain exponentials, and generated up to a length of
code that takes a quarter of a second.

One direction a run of the code, coloured, would be shorter code. By operations it is never the cheaper way: it costs
1.3 to 5 times what all entries at once cost, which share what is common, and mostly more than differences.
"""

import ctypes
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.base.gc_pause import gc_paused
from acausal.cache.sources import source_digest
from acausal.codegen.llvm.kernel_code import load_plain, load_text
from acausal.ir.program.instructions import operators
from acausal.ir.program.program import Program

if TYPE_CHECKING:
    import numpy as np
    from llvmlite.binding import ExecutionEngine
    from numpy.typing import NDArray

    from acausal.codegen.tangent.seeds import Tangent

MOST = 20_000
"""Instructions: each takes some 10 microseconds, differentiation and compiling together."""


@dataclass(frozen=True, slots=True, eq=False)
class ExactJacobian:
    """Machine code `int32 f(t, y, u, p, m, out)`: entry k, that of `rows[k]` and `columns[k]`, is out[k].

    m has `memory_size` numbers, the start values of the program's m first. `engine` keeps the code alive.
    """

    address: int
    rows: "NDArray[np.int64]"
    columns: "NDArray[np.int64]"
    memory_size: int
    engine: "ExecutionEngine"


EXPONENTIALS = frozenset({"exp", "linexp", "sinh", "cosh"})
"""Operators whose slopes grow by orders of magnitude within a step."""

_SYSTEMS = ("linear_solve", "factored_solve", "newton_solve")


def is_wanted(program: Program) -> bool:
    """True where differences carry the errors of systems of equations, or step over the bend of an exponential.

    Differences do not serve for blocks of slopes, as these depend on the states.
    """
    if program.slopes:
        return True
    code = program.derivatives.code
    found = operators(code)
    if not found.isdisjoint(_SYSTEMS):
        return True
    if found.isdisjoint(EXPONENTIALS):  # most long programs have none
        return False
    of_states: list[bool] = []
    for op, args, _ in code:
        of_states.append(op == "state" or any(of_states[a] for a in args))
        if op in EXPONENTIALS and of_states[-1]:
            return True
    return False


def compile_exact(program: Program, digest: str) -> ExactJacobian | None:
    """None where its code would be too long; `digest` is that of the program's text.

    What is kept from an earlier run is not made again.
    """

    def text() -> str:
        from acausal.codegen.llvm.module_text import tangent_text
        from acausal.codegen.tangent.forward_mode import tangent
        from acausal.codegen.tangent.sensitivities.block_jacobian import block_tangent

        return tangent_text(program, (block_tangent if program.slopes else tangent)(program, MOST))

    with gc_paused():
        return _loaded(load_plain(f"tangent {MOST} {source_digest()} {digest}", text))


def compile_tangent(program: Program, made: "Tangent") -> ExactJacobian:
    """The machine code of a Jacobian along other directions, optimised: it is called often."""
    from acausal.codegen.llvm.module_text import tangent_text

    with gc_paused():
        found = _loaded(load_text(tangent_text(program, made)))
    assert found is not None
    return found


def _loaded(engine: "ExecutionEngine") -> ExactJacobian | None:
    import numpy as np

    def numbers(array: str, count: int) -> "NDArray[np.int64]":
        address = engine.get_global_value_address(f"tangent_{array}")
        return np.frombuffer(ctypes.string_at(address, 8 * count), dtype=np.int64).copy()

    count, memory_size = numbers("sizes", 2).tolist()
    if count < 0:
        return None
    address = int(engine.get_function_address("tangent"))
    return ExactJacobian(address, numbers("rows", count), numbers("columns", count), memory_size, engine)
