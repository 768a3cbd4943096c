"""The model as a page knows it: sizes of the arrays, experiment, parameters with their ranges, variables."""

from typing import TYPE_CHECKING

from acausal.base.options import SimulateOptions
from acausal.ir.names import Name, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.ir.program.slots import ParameterSlot
from acausal.results.result import Result
from acausal.results.view.tree import parts
from acausal.simulate.system.settings import settings
from acausal.targets.c.c_files import METHODS
from acausal.targets.html.driver import PREFIX

if TYPE_CHECKING:
    from collections.abc import Collection

    from acausal.targets.target_options import TargetOptions

TERMINATED = 2
"""The status of a run that the model has ended."""
SECONDS = 20.0
"""Halving of steps stops after this time."""


def page_model(
    program: Program, folded: "Collection[Name]", names: Result, options: "TargetOptions"
) -> dict[str, object]:
    """The model as data; `names` is a result without rows that has its variables."""
    return {
        "name": program.name,
        "prefix": PREFIX,
        "parameters": max(1, program.parameter_size),
        "inputs": len(program.input_slots),
        "variables": program.stored,
        "width": 1 + max(1, program.stored_size, program.choice_table.results),
        "terminated": TERMINATED,
        "states": _states(program),
        "experiment": _experiment(program, options),
        "methods": METHODS,
        "sliders": _sliders(program, set(folded)),
        "given": _inputs(program),
        "places": {show_name(slot.name): i for i, slot in enumerate(program.parameter_slots)},
        "columns": _columns(program),
        "visible": [name for name in names.visible if name != "time"],
    }


def _states(program: Program) -> list[int]:
    """Columns of the states in a row, behind that of time."""
    states = {slot.symbol for slot in program.state_slots}
    found = [slot for slot in program.variable_slots if slot.symbol in states and slot.kind == "stored"]
    return [1 + slot.position for slot in found]


def _experiment(program: Program, options: "TargetOptions") -> dict[str, object]:
    chosen = settings(SimulateOptions(), program.experiment)
    return {
        "start": chosen.start,
        "stop": chosen.stop,
        "interval": chosen.interval,
        "tolerance": chosen.tolerance,
        "method": options.method or "rk4",
        "step": options.step,
        "seconds": SECONDS,
    }


def _sliders(program: Program, folded: set[Name]) -> list[dict[str, object]]:
    """Parameters that can be set, in their order; those that are `fixed` are part of the equations."""
    slots = [(i, slot) for i, slot in enumerate(program.parameter_slots) if not slot.constant]
    return [_slider(i, slot, slot.name in folded) for i, slot in slots]


def _slider(position: int, slot: ParameterSlot, fixed: bool) -> dict[str, object]:
    name = show_name(slot.name)
    *path, _ = parts(name)
    low, high = range_of(slot)
    found = {"position": position, "name": name, "group": path[0] if path else "", "value": slot.value}
    found |= {"low": low, "high": high, "least": slot.low, "most": slot.high, "unit": slot.unit}
    found |= {"text": slot.description, "type": slot.type, "computed": slot.bound, "fixed": fixed}
    return {key: value for key, value in found.items() if value is not None and value is not False and value != ""}


def range_of(slot: ParameterSlot) -> tuple[float, float]:
    """The range of a slider: the declared limits, else from zero to twice the value."""
    value = slot.value if abs(slot.value) < float("inf") else 0.0
    low, high = (min(2 * value, 0.0), max(2 * value, 0.0)) if value else (-1.0, 1.0)
    low = slot.low if slot.low is not None else low
    high = slot.high if slot.high is not None else high
    return low, high if high > low else low + max(1.0, abs(low))


def _inputs(program: Program) -> list[dict[str, object]]:
    """Inputs that a user gives, constant over a run."""
    return [
        {"position": i, "name": name, "value": 0.0, "low": -1.0, "high": 1.0} for i, name in inputs_of_user(program)
    ]


def inputs_of_user(program: Program) -> list[tuple[int, str]]:
    """Positions and names of inputs that are neither derivatives nor delayed values."""
    delays = {slot.name for slot in program.delays}
    slots = enumerate(program.input_slots)
    return [(i, show_name(name)) for i, (name, order) in slots if order == 0 and name not in delays]


def _columns(program: Program) -> dict[str, list[object]]:
    """Where each variable has its values: kind, position, sign and constant value."""
    return {
        show_derivative(*slot.symbol): [slot.kind, slot.position, slot.sign, _finite(slot.value)]
        for slot in program.variable_slots
    }


def _finite(value: float) -> float | None:
    return value if value - value == 0.0 else None
