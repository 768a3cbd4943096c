"""The routine of input expressions: their values by time and parameters."""

from collections.abc import Mapping, Sequence

from acausal.codegen.lower.emitter import Emitter
from acausal.codegen.lower.operation_count import count
from acausal.codegen.optimize.liveness import all_uses
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.ir.program.instructions import Routine


def lower_inputs(pool: Pool, expressions: Sequence[Expr], places: Mapping[Expr, int]) -> Routine:
    """Result i is expression i; `places` are the positions of parameters in p."""

    def outer(emitter: Emitter, node: Expr) -> int | None:
        if node.op == "time":
            return emitter.emit("time")
        place = places.get(node)
        return None if place is None else emitter.load("parameter", place, boolean=False)

    emitter = Emitter(pool, all_uses(expressions), outer, hoists=False)
    for i, expression in enumerate(expressions):
        emitter.effect("store", emitter.register(expression), i)
    code = tuple(emitter.code)
    return Routine(code, count(code))
