"""Beginning of a run: complete parameters, functions for inputs, output times."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

    Inputs = Mapping[str, Callable[[float], float] | float]
    """Numbers or functions of time by name."""


class SimulationError(Exception):
    """A run cannot go on."""


def complete_parameters(model: SimpleNamespace, given: Mapping[str, float]) -> "Array":
    """p: values of the parameters, those that are computed from them, and what the routines need of both."""
    import numpy as np

    names = list(model.parameters)
    p, flags = np.zeros(model.parameter_size), np.zeros(len(names))
    p[: len(names)] = list(model.parameters.values())
    for name, value in given.items():
        if name not in model.parameters or name in model.fixed:
            near = get_close_matches(name, [n for n in names if n not in model.fixed], 1)
            why = "cannot be changed in this module" if name in model.fixed else "is not a parameter"
            raise ValueError(f"{name} {why}" + (f"; did you mean {near[0]}?" if near and near[0] != name else ""))
        p[names.index(name)], flags[names.index(name)] = float(value), 1.0
    status = model.routines["setup"](0.0, None, flags, p, None, p)
    for name, (low, high) in model.limits.items():
        if not low <= p[names.index(name)] <= high:
            raise ValueError(f"{name} = {p[names.index(name)]:g} lies outside of {low:g} to {high:g}")
    if status:
        raise SimulationError(f"{model.blocks[status - 1]} cannot be solved for these parameters")
    return p


def input_functions(model: SimpleNamespace, given: "Inputs") -> "list[Callable[[float], float] | tuple[int, int]]":
    """Functions of time for all inputs; number and order of derivative for those that are delayed expressions."""
    wanted = [name for name in model.inputs if isinstance(name, str)]
    for name in given:
        if name not in wanted:
            raise ValueError(f"{name} is not an input; inputs: {', '.join(wanted) or 'none'}")
    missing = [name for name in wanted if name not in given]
    if missing:
        raise ValueError(f"values of inputs are missing: {', '.join(missing)}")
    return [input_function(given[name]) if isinstance(name, str) else name for name in model.inputs]


def input_function(value: "Callable[[float], float] | float") -> Callable[[float], float]:
    """A function of time, also for a number."""
    if callable(value):
        return value
    number = float(value)
    return lambda _t: number


def output_times(start: float, stop: float, interval: float) -> "Array":
    """The output times: start, start + interval, ... and stop."""
    import numpy as np

    if not stop > start:
        return np.array([start])
    count = int((stop - start) / interval + 1e-9)
    times = start + interval * np.arange(count + 2, dtype=np.float64)
    last = count if stop - times[count] <= 1e-6 * interval else count + 1
    times[last] = stop
    return times[: last + 1]
