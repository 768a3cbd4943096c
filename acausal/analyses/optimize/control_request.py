"""Requests for optimal control from arguments of Python, and checks of the model."""

from collections.abc import Iterable, Mapping
from math import inf, isfinite
from numbers import Real

from acausal.analyses.optimize.functionals import Constraint, Functionals
from acausal.base.arguments import as_bounds, as_count, as_mapping, as_names, as_number, as_text, wrong_type
from acausal.base.diagnostics import Diagnostic, Label, ModelError, UsageError
from acausal.base.frozen import dataclass
from acausal.base.near_names import did_you_mean, unknown_name
from acausal.ir.expr import Expr
from acausal.ir.names import listed, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.results.trajectories import Trajectories
from acausal.simulate.inputs.inputs import InputValue

SHOWN = 6
METHODS = ("auto", "ipopt", "trust-constr")
SHAPES = ("linear", "constant")
INTERVALS = 50

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class ControlRequest:
    """Texts of the objective and of constraints, bounds of controls and of the duration, and ways to solve.

    `sign` is -1 where the objective is maximized. `guess` are values by name, or trajectories.
    """

    objective: str
    sign: float
    constraints: tuple[str, ...]
    controls: Mapping[str, Bounds]
    stop: float | Bounds | None
    intervals: int
    shape: str
    guess: Mapping[str, float] | Trajectories
    inputs: Mapping[str, InputValue]
    method: str
    tolerance: float
    iterations: int


def objective_of(minimize: object, maximize: object) -> tuple[str, float]:
    """The text and -1 for what is to be maximized; UsageError F006 unless there is exactly one."""
    if (minimize is None) == (maximize is None):
        hint = 'write minimize="final(time)", or maximize="final(h)"'
        raise UsageError(Diagnostic("F006", "an optimization requires exactly one objective", help=hint))
    return (as_text("minimize", minimize), 1.0) if maximize is None else (as_text("maximize", maximize), -1.0)


def bounds_of(what: str, given: object) -> dict[str, Bounds]:
    """Bounds by name, infinite where they are None; UsageError F006 for anything else."""
    return {name: _pair(f"{what}[{name!r}]", pair) for name, pair in as_mapping(what, given).items()}


def _pair(what: str, pair: object) -> Bounds:
    if pair is None:
        return -inf, inf
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise wrong_type(what, "a pair of bounds, (0, 10)", pair)
    return as_bounds(what, pair[0], pair[1])


def control_request(
    objective: tuple[str, float],
    subject_to: Iterable[str],
    controls: object,
    stop: object,
    numbers: tuple[object, object, object],
    shape: object,
    guess: object,
    inputs: Mapping[str, InputValue],
    method: object,
) -> ControlRequest:
    """The request; `numbers` are intervals, tolerance and iterations. UsageError F006 for arguments of another type."""
    duration = _pair("stop", stop) if isinstance(stop, tuple | list) else as_number("stop", stop)
    for name, value, known in (("method", method, METHODS), ("interpolation", shape, SHAPES)):
        if value not in known:
            raise UsageError(Diagnostic("F006", f"unknown {name} {value}", help=f"known: {', '.join(known)}"))
    tolerance = as_number("tolerance", numbers[1])
    for name, value in inputs.items():
        if not isinstance(value, Real):
            message = f"the input {name} varies with time: only numbers can be given beside controls"
            raise UsageError(Diagnostic("A031", message, help="give it a number, or make it part of the model"))
    return ControlRequest(
        *objective,
        as_names("subject_to", subject_to),
        bounds_of("controls", controls),
        duration,
        INTERVALS if numbers[0] is None else as_count("intervals", numbers[0]),
        str(shape),
        _guess(guess),
        inputs,
        str(method),
        1e-8 if tolerance is None else tolerance,
        as_count("iterations", numbers[2]),
    )


def _guess(guess: object) -> "Mapping[str, float] | Trajectories":
    """Numbers by name, or a run."""
    if isinstance(guess, Trajectories):
        return guess
    found: dict[str, float] = {}
    for name, value in as_mapping("guess", guess).items():
        number = as_number(name, value)
        if number is None:
            raise wrong_type(f"guess[{name!r}]", "a number", value)
        found[name] = number
    return found


def require_only_parameters(beside: str, given: Mapping[str, bool]) -> None:
    """UsageError F006 where arguments or flags of optimal control are given `beside` parameters to be found."""
    for name in [name for name, present in given.items() if present]:
        hint = "parameters are optimized by runs of the model, starting from its values, with SLSQP of SciPy"
        raise UsageError(Diagnostic("F006", f"{name} applies to controls, not to {beside}", help=hint))


def require_smooth(program: Program) -> None:
    """ModelError A030 where the equations switch, are delayed, or choose their states."""
    hint = "write the equations without relations, or optimize parameters instead: parameters="
    if program.table.frozen:
        slot = program.table.frozen[0]
        message = f"optimal control needs smooth equations: `{slot.text or slot.kind}` changes at events"
        raise ModelError(Diagnostic("A030", message, Label(slot.origin.span, "decided here"), help=hint))
    if program.delays:
        origin = program.delays[0].origin
        raise ModelError(Diagnostic("A030", "optimal control of models with delays", Label(origin.span), help=hint))
    if program.choice_table.slots:
        names = listed([show_derivative(*s) for s in program.choice_table.values], SHOWN)
        message = f"the states of the model change during a run: {names}"
        raise ModelError(Diagnostic("A030", message, help="choose coordinates that are valid throughout the run"))


def require_controls(program: Program, asked: ControlRequest) -> None:
    """UsageError F005 for what is no input, ModelError A031 for inputs whose derivatives the equations need."""
    inputs = list(dict.fromkeys([show_name(name) for name, _ in program.input_slots]))
    for name in asked.controls:
        if name not in inputs:
            known = f"the inputs are {listed(inputs, SHOWN)}" if inputs else "the model has no inputs"
            raise unknown_name("control", name, inputs, known)
        highest = max([order for other, order in program.input_slots if show_name(other) == name])
        if highest:
            rate = show_derivative((name,), highest)
            hint = f"make {rate} an input of the model, and {name} a state"
            raise ModelError(Diagnostic("A031", f"the equations depend on {rate}: {name} cannot jump", help=hint))


def require_guess(program: Program, asked: ControlRequest) -> None:
    """UsageError F005 for a guess of what is neither a control nor a state."""
    if isinstance(asked.guess, Trajectories):
        return
    known = [*asked.controls, *[show_derivative(*slot.symbol) for slot in program.state_slots]]
    for name in asked.guess:
        if name not in known:
            hint = f"guesses are accepted for controls and states: {listed(known, SHOWN)}"
            raise UsageError(Diagnostic("F005", f"unknown control or state {name}", help=hint))


def functionals_of(
    program: Program, objective: tuple[str, float], constraints: Iterable[str]
) -> tuple[Functionals, Expr, tuple[Constraint, ...]]:
    """Objective and constraints as expressions; UsageError F005 for unknown names, F010 for what is none."""
    variables = [show_derivative(*slot.symbol) for slot in program.variable_slots]
    known = {"time", *variables, *[show_name(slot.name) for slot in program.parameter_slots]}

    def require(name: str, label: Label) -> None:
        if name not in known:
            hint = did_you_mean(name, known) or f"the variables are {listed(variables, SHOWN)}"
            raise UsageError(Diagnostic("F005", f"unknown variable {name}", label, help=hint))

    found = Functionals(require)
    made = found.objective(objective[0])
    if objective[1] < 0:
        made = found.pool.neg(made)
    return found, made, tuple([found.constraint(text) for text in constraints])


def duration_of(program: Program, asked: ControlRequest, start: float, default: float) -> tuple[Bounds, float]:
    """Bounds of the duration, and a guess."""
    stop = default if asked.stop is None else asked.stop
    if not isinstance(stop, tuple):
        if not stop > start:
            raise UsageError(Diagnostic("F006", f"stop={stop:g}: it must be after the start at {start:g}"))
        return (stop - start, stop - start), stop - start
    low, high = stop[0] - start, stop[1] - start
    if low < 0 or not isfinite(low):
        message = f"the run cannot stop before {start:g}"
        raise UsageError(Diagnostic("F006", message, help=f"give stop=({start + 0.1:g}, {start + 10:g})"))
    inside = low < default - start < high and program.experiment.stop is not None
    guess = default - start if inside else (low + high) / 2 if isfinite(high) else 2 * low or 1.0
    return (max(low, 1e-6 * guess), high), guess
