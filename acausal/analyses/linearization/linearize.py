"""From a model and names to a `Linear`."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from acausal.analyses.linear_systems.sparse_systems import dense_or_sparse
from acausal.analyses.linear_systems.state_space import Matrices
from acausal.analyses.linearization.descriptor import Descriptor, descriptor
from acausal.analyses.linearization.directions import Directions, chains, directions, output_slots
from acausal.analyses.linearization.linear import Linear
from acausal.analyses.linearization.matrices import jacobian
from acausal.analyses.linearization.opened import names_of, opened, require_no_derivatives
from acausal.base.diagnostics import Diagnostic, Label, ModelError, SimulationError, UsageError
from acausal.base.frozen import dataclass
from acausal.base.options import SimulateOptions
from acausal.elaborate.connections.open_loops import OpenedLoop, differences_of
from acausal.ir.names import Name, listed, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.results.formats.columns import ParameterColumns, VariableColumns
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.run.operating_point import OperatingPoint, Side, operating_point
from acausal.simulate.run.variants import Variants
from acausal.simulate.state.state import State
from acausal.simulate.system.settings import require_within, settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.ir.flat_connections import CutTerminal
    from acausal.simulate.failure.equations_behind import Equations

SHOWN = 6


@dataclass(frozen=True, slots=True)
class LinearizeRequest:
    """Names of inputs and outputs (None: those of the model), values of inputs, and the point.

    `loops` are those that the translation has opened; `at` is a time (None: the first instant), a
    state of a run, or values of states by name at the first instant. `given` are parameters that were given values.
    """

    inputs: tuple[str, ...] | None
    outputs: tuple[str, ...] | None
    at: float | State | Mapping[str, float] | None
    side: Side
    values: Mapping[str, InputValue]
    options: SimulateOptions
    loops: tuple[OpenedLoop, ...] = ()
    given: tuple[str, ...] = ()


def linearize(
    executable: "Executable",
    folded: Collection[Name],
    p: "Array",
    asked: LinearizeRequest,
    variants: Variants | None,
    equations: "Equations | None",
    terminals: "Callable[[], tuple[CutTerminal, ...]]",
) -> Linear:
    """The linear system at the point; `p` is complete, `folded` parameters are part of the equations."""
    import numpy as np

    _require_no_delays(executable.program)
    require_no_derivatives(executable.program, asked.loops)
    first = executable.program
    directions(first, folded, _inputs(first, asked))  # errors before a run
    output_slots(first, _outputs(first, asked))
    point = _point(executable, p, asked, variants, equations)
    if point.slides:
        hint = "choose a time at which it does not slide, or linearize a model without the switch"
        raise SimulationError(
            Diagnostic("A003", f"at t = {point.t:g} the motion slides along a switching relation", help=hint)
        )
    program = point.system.program
    inputs, outputs = _inputs(program, asked), _outputs(program, asked)
    columns, slots = directions(program, folded, inputs, asked.given), output_slots(program, outputs)
    stored = point.variables()
    a, b, c, d = _split(len(point.y), jacobian(point, columns, slots), columns)
    x = np.concatenate([point.y, _lower(point, columns.lower)])
    u = np.array([_value(point, p, name) for name in inputs])
    y = np.array([float(VariableColumns(program, p)[name].values(_row(point.t), stored[None])[0]) for name in outputs])
    matrices, (inputs, outputs), (u, y), is_back = opened((a, b, c, d), (inputs, outputs), (u, y), asked.loops)
    units = _units(program, p, (*columns.names, *inputs, *outputs))
    names = (columns.names, inputs, outputs)
    loops = names_of(asked.loops, is_back)
    values = (x, u, y, _rates(point, p, columns))

    def pencil() -> Descriptor:
        return descriptor(point, columns, slots, asked.loops, is_back)

    return Linear(program.name, matrices, names, units, values, (point.t, point), loops, terminals, pencil)


def _row(t: float) -> "Array":
    import numpy as np

    return np.array([t])


def _split(states: int, found: Any, columns: Directions) -> Matrices:  # noqa: ANN401 - SciPy has no types
    """A, B, C, D; A is sparse where that is less to store and to factor."""
    from scipy.sparse import vstack

    n = len(columns.names)
    rates = vstack([found[:states], chains(columns)]) if columns.lower else found[:states]
    rows = found[states:]
    return dense_or_sparse(rates[:, :n]), rates[:, n:].toarray(), rows[:, :n].toarray(), rows[:, n:].toarray()


def _lower(point: OperatingPoint, lower: tuple[tuple[Name, int], ...]) -> "Array":
    import numpy as np

    program, u = point.system.program, point.system.arrays_at(point.t)[0]
    first = len(program.table.frozen)
    slots = program.input_slots
    return np.array([u[first + slots.index(symbol)] if symbol in slots else np.nan for symbol in lower])


def _rates(point: OperatingPoint, p: "Array", columns: Directions) -> "Array":
    """Derivatives of all states at the point."""
    import numpy as np

    lower = [_value(point, p, show_derivative(name, order + 1)) for name, order in columns.lower]
    return np.concatenate([point.derivatives(), lower])


def _value(point: OperatingPoint, p: "Array", name: str) -> float:
    """The value of an input or parameter at the point."""
    program, u = point.system.program, point.system.arrays_at(point.t)[0]
    for k, symbol in enumerate(program.input_slots):
        if show_derivative(*symbol) == name:
            return float(u[len(program.table.frozen) + k])
    return ParameterColumns(program, p)[name].value


def _units(program: Program, p: "Array", names: tuple[str, ...]) -> dict[str, str | None]:
    variables, parameters = VariableColumns(program, p), ParameterColumns(program, p)
    found: dict[str, str | None] = {}
    for name in names:
        column = variables.get(name) or parameters.get(name)
        found[name] = None if column is None else column.unit
    return found


def _inputs(program: Program, asked: LinearizeRequest) -> tuple[str, ...]:
    """The names, or the inputs of the model with the highest derivative that the equations need."""
    differences = [loop.difference for loop in asked.loops]
    opened = [show_name(name) for name in differences]
    if asked.inputs is not None:
        return (*asked.inputs, *opened)
    highest: dict[Name, int] = {}
    added = differences_of(asked.loops)
    for name, order in program.input_slots:
        if name not in added:
            highest[name] = max(order, highest.get(name, 0))
    return (*[show_derivative(*symbol) for symbol in highest.items()], *opened)


def _outputs(program: Program, asked: LinearizeRequest) -> tuple[str, ...]:
    """The names, or what the experiment plots."""
    variables = [show_name(loop.variable) for loop in asked.loops]
    if asked.outputs is not None:
        return (*asked.outputs, *variables)
    known = {show_derivative(*slot.symbol) for slot in program.variable_slots}
    return (*[name for name in _plotted(program) if name in known and not asked.loops], *variables)


def _plotted(program: Program) -> tuple[str, ...]:
    from acausal.results.result import Result

    return Result.before(program).experiment_plots


def _point(
    executable: "Executable",
    p: "Array",
    asked: LinearizeRequest,
    variants: Variants | None,
    equations: "Equations | None",
) -> OperatingPoint:
    chosen = settings(asked.options, executable.program.experiment)
    at = asked.at
    state = at if isinstance(at, State) else None
    if isinstance(at, float):
        require_within(at, chosen.start)
    stop = at.time if isinstance(at, State) else at if isinstance(at, float) else chosen.start
    options = replace(asked.options, stop=stop)
    chosen = settings(options, executable.program.experiment)
    point = operating_point(executable, p, asked.values, chosen, variants, equations, asked.side, state)
    return _with_states(point, at) if isinstance(at, Mapping) and state is None else point


def _with_states(point: OperatingPoint, given: Mapping[str, float]) -> OperatingPoint:
    """The point with these states; relations decide as they did, which must agree."""
    program, y = point.system.program, point.y.copy()
    places = {show_derivative(*slot.symbol): k for k, slot in enumerate(program.state_slots)}
    for name, value in given.items():
        if name not in places:
            hint = f"the states are {listed(places, SHOWN)}"
            raise UsageError(Diagnostic("F005", f"unknown state {name}", help=hint))
        y[places[name]] = value
    moved = point.at(y)
    violated = moved.violated
    if violated:
        slots = [slot for slot in program.table.frozen if slot.crossing in violated]
        texts = listed([slot.text for slot in slots], SHOWN)
        label = Label(slots[0].origin.span, "decided here") if slots else None
        message = f"with these states, relations have other values than at the start: {texts}"
        raise ModelError(
            Diagnostic("A001", message, label, help="choose initial values with which the run starts there")
        )
    return moved


def _require_no_delays(program: Program) -> None:
    if program.delays:
        label = Label(program.delays[0].origin.span, "delayed here")
        hint = "replace the delay by a rational approximation, as a chain of first-order lags"
        message = f"{program.name} contains delays: it has no state-space form of finite order"
        raise ModelError(Diagnostic("A001", message, label, help=hint))
