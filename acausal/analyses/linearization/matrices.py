"""The Jacobian of a model at an operating point, exact but for rounding."""

from typing import TYPE_CHECKING, Any

from acausal.analyses.linearization.directions import Directions
from acausal.base.diagnostics import Diagnostic, Label, LimitError, SimulationError
from acausal.codegen.tangent.model_jacobian import descriptor_jacobian, model_jacobian, setup_jacobian
from acausal.codegen.tangent.seeds import Seeds, Tangent
from acausal.ir.names import Symbol, listed, show_derivative
from acausal.ir.program.program import Program
from acausal.ir.program.slots import VariableSlot
from acausal.simulate.failure.interpreter import Unsolved, interpret_tangent
from acausal.simulate.run.operating_point import OperatingPoint

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST = 10_000_000
"""Instructions of a Jacobian; each takes about a microsecond."""
SHOWN = 6
SMOOTH = "the equations have no derivative here: choose a point near this one"

Slopes = dict[int, dict[int, float]]


def jacobian(point: OperatingPoint, asked: Directions, outputs: tuple[VariableSlot, ...]) -> Any:  # noqa: ANN401 - SciPy has no types
    """Slopes of the derivatives of the states and of the outputs, a row each, along the columns of `asked`.

    A sparse array (states + outputs, columns) in CSR format. SimulationError A002 where a system of equations is
    singular or a slope is not finite, LimitError L019 where the code becomes too long.
    """
    return PointJacobian(asked, outputs)(point)


class PointJacobian:
    """The same for points of one system; its code is made once where no parameter is a direction."""

    def __init__(self, asked: Directions, outputs: tuple[VariableSlot, ...]) -> None:
        self._asked, self._outputs = asked, outputs
        self._made: tuple[Seeds, Tangent] | None = None

    def __call__(self, point: OperatingPoint) -> Any:  # noqa: ANN401 - SciPy has no types
        """The sparse array at a point."""
        asked, outputs = self._asked, self._outputs
        seeds, made = self._made or self._code(point)
        if not asked.parameters:
            self._made = seeds, made
        shape = len(point.y) + len(outputs), len(asked.names) + len(asked.inputs)
        return _evaluated(point, made, seeds, outputs, shape)

    def _code(self, point: OperatingPoint) -> tuple[Seeds, Tangent]:
        seeds = _seeds(point, self._asked)
        made = model_jacobian(point.system.program, seeds, _stored(self._outputs), MOST)
        if made is None:
            raise _too_long(point)
        return seeds, made


def descriptor_slopes(
    point: OperatingPoint, asked: Directions, outputs: tuple[VariableSlot, ...]
) -> tuple[Any, tuple[Symbol | None, ...]]:
    """As `jacobian`, with the equations of blocks as last rows and their unknowns, which are named, as last columns."""
    seeds, first = _seeds(point, asked), len(asked.names) + len(asked.inputs)
    made = descriptor_jacobian(point.system.program, seeds, _stored(outputs), first, MOST)
    if made is None:
        raise _too_long(point)
    count = len(made.unknowns)
    shape = len(point.y) + len(outputs) + count, first + count
    return _evaluated(point, made.tangent, seeds, outputs, shape), made.unknowns


def _stored(outputs: tuple[VariableSlot, ...]) -> list[int]:
    return [slot.position for slot in outputs if slot.kind == "stored"]


def _too_long(point: OperatingPoint) -> LimitError:
    name = point.system.program.name
    return LimitError(Diagnostic("L019", f"the Jacobian of {name} has more than {MOST} operations"))


def _evaluated(
    point: OperatingPoint, made: Tangent, seeds: Seeds, outputs: tuple[VariableSlot, ...], shape: tuple[int, int]
) -> Any:  # noqa: ANN401 - SciPy has no types
    """The entries at the point; rows of variables are placed among those of all outputs."""
    import numpy as np
    from scipy.sparse import coo_array

    n = len(point.y)
    u, p, m = point.system.arrays_at(point.t)
    values = interpret_tangent(made.routine, point.t, point.y, u, p, m, len(made.rows))
    if isinstance(values, Unsolved):
        raise _singular(point.system.program, values.block, point.t)
    stored = [n + i for i, slot in enumerate(outputs) if slot.kind == "stored"]
    place = np.array([*range(n), *stored, *range(n + len(outputs), shape[0])], dtype=np.int64)
    given = [
        (n + i, column, slope)
        for i, slot in enumerate(outputs)
        if slot.kind == "parameter"
        for column, slope in seeds.parameters.get(slot.position, {}).items()
    ]
    rows = np.concatenate([place[list(made.rows)], np.array([row for row, _, _ in given], dtype=np.int64)])
    columns = np.array([*made.columns, *[column for _, column, _ in given]], dtype=np.int64)
    values = np.concatenate([values, [slope for _, _, slope in given]])
    signs = np.ones(shape[0])
    signs[n : n + len(outputs)] = [slot.sign for slot in outputs]
    _require_finite(point, rows[~np.isfinite(values)], outputs)
    return coo_array((values * signs[rows], (rows, columns)), shape=shape).tocsr()


def _seeds(point: OperatingPoint, asked: Directions) -> Seeds:
    """Inputs, and what `setup` computes from the parameters that are directions."""
    import numpy as np

    if not asked.parameters:
        return Seeds(asked.slots)
    program = point.system.program
    made = setup_jacobian(program, asked.parameters, MOST)
    if made is None:
        raise _too_long(point)
    given = np.zeros(len(program.parameter_slots))
    given[[*asked.parameters, *asked.given]] = 1.0
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


def _require_finite(point: OperatingPoint, rows: "Array", outputs: tuple[VariableSlot, ...]) -> None:
    """SimulationError A002 if there are `rows` with slopes that are not finite."""
    bad = sorted(set(rows.tolist()))
    if not bad:
        return
    slots, n = point.system.program.state_slots, len(point.y)
    rates = [(name, order + 1) for name, order in [slots[k].symbol for k in bad if k < n]]
    symbols = [*rates, *[outputs[k - n].symbol for k in bad if n <= k < n + len(outputs)]]
    named = listed([show_derivative(*symbol) for symbol in symbols], SHOWN) or "a system of equations"
    origin = slots[bad[0]].origin if bad[0] < n else None
    message = f"singular operating point at t = {point.t:g}: the derivatives of {named} are not finite"
    raise SimulationError(
        Diagnostic("A002", message, None if origin is None else Label(origin.span, "differentiated here"), help=SMOOTH)
    )
