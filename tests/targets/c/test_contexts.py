"""Structures of the run time in the memory of a model: kernels find all that they read."""

import acausal
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.kernel.c.types import path_of
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.types import Scalar
from acausal.targets.c.structures.contexts import add_contexts
from acausal.targets.c.structures.memory import Memory

ANGLE = """
model Angle
  local x(start=0, fixed=true), y(start=0.2, fixed=true), s
  discrete n(start=0)
  der(x) = 1 + y
  der(y) = -x
  s + 0.1*sin(s) = x
  when sin(3*s) > 0.5 then
    new(n) = n + 1
  endwhen
end
"""
ELSEWHERE = {
    "search",  # of Python
    *("restart_others", "restart_context", "restart_room"),  # of `init` of variables that are no states
    *("model_states", "model_slopes", "differences", "exact", "newton"),  # of CVODE
    *("inputs", "step_with_history", "delay_memory", "delayed_results"),  # of delays
    *("hidden_search", "search_step"),  # of hidden crossings, below
    *("slope_task", "slope_context"),  # of runs with slopes
    *("selections", "monitor", "predict"),  # of models with these
}


def test_every_address_is_set() -> None:
    program = acausal.translate(ANGLE)._model.program
    assert program.table.angles  # an angle that no formula gives is measured with `memory_aside`
    memory = Memory()
    add_contexts(memory, program)
    bound = {binding.split(" = ")[0] for binding in memory.bindings}
    places = {
        name: f"m->loop.{path_of(LoopContext, name)}"
        for name, (_, kind) in fields(LoopContext).items()
        if kind not in (Scalar.REAL, Scalar.INT)
    }
    assert {name for name, place in places.items() if place not in bound} <= ELSEWHERE
