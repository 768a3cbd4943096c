"""Machine code of inputs: the kernels of `runtime/inputs`, compiled once for all programs, and expressions."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from acausal.base.caches import memoized, once
from acausal.codegen.llvm.loop_text import ARGUMENTS
from acausal.codegen.llvm.routine_text import RoutineText
from acausal.codegen.lower.lower_inputs import lower_inputs
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool

if TYPE_CHECKING:
    from llvmlite.binding import ExecutionEngine

_ATTRIBUTES = 'attributes #0 = { "tune-cpu"="generic" }'


@once
def input_addresses() -> dict[str, int]:
    """The addresses of `inputs.KERNELS` by their names."""
    from acausal.codegen.native.kernel_addresses import kernel_addresses
    from acausal.runtime.inputs import KERNELS

    return kernel_addresses([kernel.__name__ for kernel in KERNELS], lambda: KERNELS)


class InputCode:
    """A routine whose result i is expression i; it keeps its code alive."""

    def __init__(self, pool: Pool, expressions: Sequence[Expr], places: Mapping[Expr, int]) -> None:
        used: dict[str, None] = {}
        text = RoutineText("expressions", 0, used)
        text.add(lower_inputs(pool, expressions, places).code)
        self._engine = _loaded("\n".join([*text.function(ARGUMENTS), _ATTRIBUTES, *used, ""]))
        self.address = int(self._engine.get_function_address("expressions"))


@memoized(64)
def _loaded(text: str) -> "ExecutionEngine":
    from acausal.codegen.llvm.kernel_code import load_plain

    return load_plain(f"inputs {hashlib.sha256(text.encode()).hexdigest()}", lambda: text)
