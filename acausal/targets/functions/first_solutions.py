"""Solutions of nonlinear equations at the start of a model, from which functions of other libraries iterate."""

from typing import TYPE_CHECKING

import numpy as np

from acausal.simulate.inputs.inputs import need_no_units
from acausal.simulate.system.parameters import Folded, parameter_values

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel


def first_solutions(model: "CompiledModel") -> list[float]:
    """Solutions of nonlinear blocks at the first instant, with the model's own parameters; 0 where there are none.

    UsageError R041 for a model with FMUs, which run only in simulations.
    """
    program = model.program
    need_no_units(program)
    if not program.memory:
        return []
    p, m = parameter_values(model.executable, {}), np.zeros(program.memory_size)
    assert not isinstance(p, Folded)
    u, out = np.zeros(program.input_size), np.zeros(program.result_size("initial"))
    model.executable.initial(program.experiment.start, u, p, m, out)
    start = program.experiment.start
    model.executable.derivatives(
        start, out[: len(program.state_slots)], u, p, m, out[: len(program.state_slots)].copy()
    )
    found: list[float] = m[: program.memory].tolist()
    return found
