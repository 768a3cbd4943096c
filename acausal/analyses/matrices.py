"""The Jacobian of a model at an operating point, exact but for rounding."""

from typing import TYPE_CHECKING

from acausal.analyses.directions import Directions
from acausal.base.diagnostics import Diagnostic, Label, LimitError, SimulationError
from acausal.codegen.tangent.forward_mode import Seeds
from acausal.codegen.tangent.model_jacobian import model_jacobian, setup_jacobian
from acausal.ir.names import listed, show_derivative
from acausal.ir.program.program import Program
from acausal.ir.program.slots import VariableSlot
from acausal.simulate.failure.interpreter import Unsolved, interpret_tangent
from acausal.simulate.run.operating_point import OperatingPoint

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST = 5_000_000
"""Instructions of a Jacobian; each takes some microseconds."""
SHOWN = 6
SMOOTH = "the equations have no derivative here: choose a point beside this one"

Slopes = dict[int, dict[int, float]]


def jacobian(point: OperatingPoint, asked: Directions, outputs: tuple[VariableSlot, ...]) -> "Array":
    """Slopes of the derivatives of the states and of the outputs, a row each, along the columns of `asked`.

    SimulationError A002 where a system of equations is singular or a slope is not finite.
    """
    import numpy as np

    program, n = point.system.program, len(point.y)
    seeds = _seeds(point, asked)
    stored = [slot.position for slot in outputs if slot.kind == "stored"]
    made = model_jacobian(program, seeds, stored, MOST)
    if made is None:
        raise LimitError(Diagnostic("L019", f"the Jacobian of {program.name} has more than {MOST} operations"))
    u, p, m = point.system.arrays_at(point.t)
    values = interpret_tangent(made.routine, point.t, point.y, u, p, m, len(made.rows))
    if isinstance(values, Unsolved):
        raise _singular(program, values.block, point.t)
    found = np.zeros((n + len(outputs), len(asked.names) + len(asked.inputs)))
    places = {k: n + i for k, i in enumerate([i for i, slot in enumerate(outputs) if slot.kind == "stored"])}
    rows = [row if row < n else places[row - n] for row in made.rows]
    found[rows, list(made.columns)] = values
    for i, slot in enumerate(outputs):
        if slot.kind == "parameter":
            for column, slope in seeds.parameters.get(slot.position, {}).items():
                found[n + i, column] = slope
        found[n + i] *= slot.sign
    _require_finite(point, found, outputs)
    return found


def _seeds(point: OperatingPoint, asked: Directions) -> Seeds:
    """Inputs, and what `setup` computes from the parameters that are directions."""
    import numpy as np

    if not asked.parameters:
        return Seeds(asked.slots)
    program = point.system.program
    made = setup_jacobian(program, asked.parameters, MOST)
    if made is None:
        raise LimitError(Diagnostic("L019", f"the Jacobian of {program.name} has more than {MOST} operations"))
    given = np.zeros(len(program.parameter_slots))
    given[list(asked.parameters)] = 1.0
    _, p, m = point.system.arrays
    tangent = made.tangent
    values = interpret_tangent(tangent.routine, 0.0, point.y, given, p, m, len(tangent.rows))
    if isinstance(values, Unsolved):
        raise _singular(program, values.block, point.t)
    parameters: Slopes = {position: {column: 1.0} for position, column in asked.parameters.items()}
    elements: dict[int, dict[int, dict[int, float]]] = {}
    for row, column, value in zip(tangent.rows, tangent.columns, values.tolist(), strict=True):
        position, element = made.targets[row]
        if element is None:
            parameters.setdefault(position, {})[column] = value
        else:
            elements.setdefault(position, {}).setdefault(element, {})[column] = value
    sizes = {position: sum([1 for at, element in made.targets if at == position]) for position in elements}
    factors = {at: [found.get(k, {}) for k in range(sizes[at])] for at, found in elements.items()}
    return Seeds(asked.slots, parameters, factors)


def _singular(program: Program, number: int, t: float) -> SimulationError:
    block = program.blocks[number - 1]
    spans = list(dict.fromkeys([origin.span for origin in block.origins]))
    labels = [Label(span, "of this system") for span in spans[:SHOWN]]
    names = listed([show_derivative(*target) for target in block.targets], SHOWN)
    message = f"singular operating point at t = {t:g}: {block.size} equations for {names} are dependent here"
    return SimulationError(Diagnostic("A002", message, labels[0] if labels else None, tuple(labels[1:]), help=SMOOTH))


def _require_finite(point: OperatingPoint, found: "Array", outputs: tuple[VariableSlot, ...]) -> None:
    import numpy as np

    bad = np.flatnonzero(~np.isfinite(found).all(axis=1)).tolist()
    if not bad:
        return
    slots, n = point.system.program.state_slots, len(point.y)
    names = [
        show_derivative(slots[k].symbol[0], slots[k].symbol[1] + 1)
        if k < n
        else show_derivative(*outputs[k - n].symbol)
        for k in bad
    ]
    origin = slots[bad[0]].origin if bad[0] < n else None
    message = f"singular operating point at t = {point.t:g}: the slopes of {listed(names, SHOWN)} are not finite"
    raise SimulationError(
        Diagnostic("A002", message, None if origin is None else Label(origin.span, "differentiated here"), help=SMOOTH)
    )
