"""Fields of `runtime/steps/followed_time` that a system gives: for kernels that Python runs, and for machine code."""

from typing import TYPE_CHECKING, Any

from acausal.codegen.context_memory import ContextMemory
from acausal.codegen.native.native_events import follow_addresses
from acausal.codegen.native.native_inputs import input_addresses
from acausal.runtime.context import SolverRecord
from acausal.runtime.kernel.signature import fields
from acausal.runtime.steps.followed_time import FollowedTime, begin_followed, follow_time
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def followed_in_python(system: System, y: "Array", record: SolverRecord) -> "dict[str, Any]":
    """Fields of `TimeSolver` for kernels that Python runs."""
    if not system.branches.count:
        return {"has_followed": 0, **dict.fromkeys(("followed", "begin_followed", "follow"))}

    def derivatives(t: float, *_: "Array") -> int:
        return system.evaluate("derivatives", t)

    def fill(_: object, t: float) -> int:
        system.fill_inputs(t)
        return 0

    u, p, m = system.arrays
    arrays = {"y": y, "u": u, "p": p, "m": m}
    followed = FollowedTime(**_room(system), **arrays, record=record, derivatives=derivatives, fill=fill, inputs=None)
    return {"has_followed": 1, "followed": followed, "begin_followed": begin_followed, "follow": follow_time}


def followed_native(
    system: System, plain: "dict[str, Any]", record: ContextMemory
) -> "tuple[dict[str, Any], ContextMemory | None]":
    """The same for machine code, and what has to stay alive; `plain` are fields of `LoopContext`."""
    if not system.branches.count:
        return {"has_followed": 0}, None
    routine = {name: plain[name] for name in ("derivatives", "u", "p", "m", "y")}
    inputs = {"fill": 0, "inputs": 0}
    if system.inputs is not None:
        inputs = {"fill": input_addresses()["acausal_evaluate_inputs"], "inputs": system.inputs.context}
    memory = ContextMemory(
        tuple(fields(FollowedTime)), {**_room(system), **routine, **inputs, "record": record.address}
    )
    code = follow_addresses()
    found = {"followed": memory.address, "begin_followed": code["begin_followed"], "follow": code["follow_time"]}
    return {"has_followed": 1, **found}, memory


def _room(system: System) -> "dict[str, Any]":
    import numpy as np

    given = system.arrays[0]
    return {
        **dict.fromkeys(("time", "step", "last", "shortest", "least"), 0.0),
        **dict.fromkeys(("begin", "end", "back_until", "longest_back"), 0.0),
        "out": np.zeros(0),
        "memory": system.program.memory,
        "followed": system.branches.count,
        "given": given,
        "given_before": np.zeros(len(given)),
        "given_count": len(given) if system.varying else 0,
    }
