"""Optimal control of a model: transcription, solution, and a run with the controls that were found."""

from collections.abc import Callable, Mapping
from math import inf, isfinite
from typing import TYPE_CHECKING

from acausal.analyses.optimize.control_problem import Grid, Problem
from acausal.analyses.optimize.control_request import (
    ControlRequest,
    duration_of,
    functionals_of,
    require_controls,
    require_guess,
    require_smooth,
)
from acausal.analyses.optimize.control_result import OptimalControl
from acausal.analyses.optimize.found import Found
from acausal.analyses.optimize.functionals import Constraint, Functionals
from acausal.analyses.optimize.minimum import minimum
from acausal.analyses.optimize.node_functions import Expressions, NodeFunctions
from acausal.analyses.optimize.trajectory_numbers import TrajectoryNumbers
from acausal.analyses.optimize.transcription import Transcription
from acausal.base.diagnostics import Diagnostic, ModelError
from acausal.base.options import SimulateOptions
from acausal.ir.expr import Expr
from acausal.ir.names import show_derivative
from acausal.ir.program.program import Program
from acausal.results.result import Result
from acausal.results.trajectories import Trajectories
from acausal.simulate.inputs.csv_input import Table
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.run.operating_point import OperatingPoint, operating_point
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.simulate.system.settings import settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.failure.equations_behind import Equations

Simulate = Callable[[SimulateOptions, Mapping[str, InputValue]], Result]
ROWS = 10
"""Rows of the run with the optimal controls in each interval."""
TOLERANCE = 1e-9
"""Of the run with the optimal controls: its errors are small beside those of the collocation."""


def optimal_control(
    executable: "Executable",
    given: Mapping[str, float],
    asked: ControlRequest,
    equations: "Equations | None",
    simulate: Simulate,
) -> OptimalControl:
    """The optimum; SimulationError A032 where none is found, with the constraints that are missed."""
    program = executable.program
    require_smooth(program)
    require_controls(program, asked)
    require_guess(program, asked)
    parts = functionals_of(program, (asked.objective, asked.sign), asked.constraints)
    point = _start(executable, given, asked, equations)
    default = settings(SimulateOptions(), program.experiment).stop
    bounds, guess = duration_of(program, asked, point.t, default)
    made = _transcription(point, asked, parts, bounds)
    states, controls = _guess(point, asked, parts, made, guess, simulate)
    transcription = made.scaled_by(states, controls, guess)
    found = minimum(transcription, transcription.unknowns(states, controls, guess), asked, parts[2])
    return _result(transcription, found, point, asked, parts, simulate)


def _start(
    executable: "Executable", given: Mapping[str, float], asked: ControlRequest, equations: "Equations | None"
) -> OperatingPoint:
    """The first instant, with controls at their guesses, or in the middle of their bounds."""
    program = executable.program
    p = parameter_values(executable, given)
    assert not isinstance(p, Folded)
    start = settings(SimulateOptions(), program.experiment).start
    chosen = settings(SimulateOptions(start), program.experiment)
    return operating_point(executable, p, {**asked.inputs, **_middles(asked)}, chosen, None, equations)


def _middles(asked: ControlRequest) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, (low, high) in asked.controls.items():
        middle = (low + high) / 2 if isfinite(low + high) else low if isfinite(low) else high if isfinite(high) else 0.0
        known = None if isinstance(asked.guess, Trajectories) else asked.guess.get(name)
        found[name] = middle if known is None else float(known)
    return found


def _states(program: Program) -> list[str]:
    return [show_derivative(*slot.symbol) for slot in program.state_slots]


def _transcription(
    point: OperatingPoint,
    asked: ControlRequest,
    parts: tuple[Functionals, Expr, tuple[Constraint, ...]],
    duration: tuple[float, float],
) -> Transcription:
    """The program for numbers that are not scaled yet."""
    import numpy as np

    functionals, objective, constraints = parts
    names = _states(point.system.program)
    bounds = np.array([[-inf, inf]] * len(names)).reshape(-1, 2)
    paths = []
    for constraint in constraints:
        state = next((n for n, leaf in functionals.variables.items() if leaf is constraint.expr and n in names), None)
        if state is None:
            paths += [constraint] if constraint.is_path else []
            continue
        k = names.index(state)
        bounds[k] = max(bounds[k, 0], constraint.low), min(bounds[k, 1], constraint.high)
        if not constraint.low <= point.y[k] <= constraint.high:
            message = f"{constraint.text} does not hold at the start, where {state} = {point.y[k]:g}"
            raise ModelError(
                Diagnostic("A033", message, help=f"change the bound or the start: initial={{'{state}': ...}}")
            )
    leaves, made = tuple(functionals.found), tuple(functionals.found.values())
    integrands = [f.inner for f in made if f.kind == "integral"]
    others = [f.inner for f in made if f.kind != "integral"]
    first = len(names)
    places = {"integral": iter(range(first, first + len(integrands)))}
    rest = iter(range(first + len(integrands), first + len(made)))
    rows = tuple([next(places.get(f.kind, rest)) for f in made])
    expressions = Expressions(
        functionals.pool, functionals.variables, tuple(integrands), (*others, *[c.expr for c in paths])
    )
    problem = Problem(
        functionals.pool, objective, tuple([c for c in constraints if not c.is_path]), tuple(paths), leaves, made, rows
    )
    controls = np.array(list(asked.controls.values())).reshape(-1, 2)
    grid = Grid(point.y, asked.intervals, asked.shape == "linear", controls, bounds, duration)
    functions = NodeFunctions(point, list(asked.controls), expressions)
    return Transcription(functions, grid, problem, np.ones(functions.size))


def _guess(
    point: OperatingPoint,
    asked: ControlRequest,
    parts: tuple[Functionals, Expr, tuple[Constraint, ...]],
    made: Transcription,
    duration: float,
    simulate: Simulate,
) -> "tuple[Array, Array]":
    """States (nodes, states) and controls (intervals, 2, controls) where the search begins.

    Of states without a guess, those with a given value at the end go there straight, others stay.
    """
    import numpy as np

    names, tau, known = _states(point.system.program), made.tau, asked.guess
    edges = np.linspace(0.0, 1.0, asked.intervals + 1)
    middles = _middles(asked)
    if isinstance(known, Trajectories):
        return _guess_of_run(known, names, asked, tau, edges)
    controls = np.tile(np.array(list(middles.values())), (asked.intervals, 2, 1))
    if asked.controls and set(known) >= set(asked.controls) and not set(known) & set(names):
        options = SimulateOptions(point.t + duration, duration / (ROWS * asked.intervals))
        run = simulate(options, {**asked.inputs, **middles})
        return _guess_of_run(run, names, asked, tau, edges)[0], controls
    targets = dict(known)
    functionals, _, constraints = parts
    leaves = {leaf: name for name, leaf in functionals.variables.items()}
    for constraint in constraints:
        functional = functionals.found.get(constraint.expr)
        if functional is not None and functional.kind == "final" and functional.inner in leaves:
            ends = [x for x in (constraint.low, constraint.high) if isfinite(x)]
            targets.setdefault(leaves[functional.inner], sum(ends) / len(ends))
    last = np.array([targets.get(name, point.y[k]) for k, name in enumerate(names)])
    return point.y + tau[:, None] * (last - point.y), controls


def _guess_of_run(
    run: Trajectories, names: list[str], asked: ControlRequest, tau: "Array", edges: "Array"
) -> "tuple[Array, Array]":
    """Values of a run at the nodes, whatever its duration was."""
    import numpy as np

    at = (run.time - run.time[0]) / (run.time[-1] - run.time[0] or 1.0)
    states = np.array([np.interp(tau, at, run[name]) for name in names]).T.reshape(len(tau), len(names))
    sampled = [np.interp(edges, at, run[name]) for name in asked.controls]
    controls = np.array([[c[:-1], c[1:]] for c in sampled]).reshape(len(sampled), 2, -1)
    return states, controls.transpose(2, 1, 0)


def _result(
    problem: Transcription,
    found: Found,
    point: OperatingPoint,
    asked: ControlRequest,
    parts: tuple[Functionals, Expr, tuple[Constraint, ...]],
    simulate: Simulate,
) -> OptimalControl:
    """The run with the controls that were found, and its gap to the collocation."""
    import numpy as np

    program, duration = point.system.program, problem.duration(found.y)
    ends = problem.control_values(found.y)
    edges = point.t + duration * np.linspace(0.0, 1.0, asked.intervals + 1)
    times = np.repeat(edges, 2)[1:-1]
    tables = {name: Table(times, ends[:, :, k].ravel()) for k, name in enumerate(asked.controls)}
    options = SimulateOptions(float(edges[-1]), duration / (ROWS * asked.intervals), TOLERANCE)
    run = simulate(options, {**asked.inputs, **tables})
    nodes, names = problem.nodes(found.y), _states(program)
    last = {name: nodes[:, k] for k, name in enumerate(names)}
    at = point.t + duration * problem.tau
    marks = range(0, len(at), 3)
    gaps = {
        name: float(np.abs(np.interp(at[marks], run.time, run[name]) - values[marks]).max())
        for name, values in last.items()
    }
    units = {show_derivative(*s.symbol): s.unit for s in program.variable_slots}
    value = asked.sign * problem.objective(found.y)
    simulated = asked.sign * float(TrajectoryNumbers(parts[0], [parts[1]]).values(run.time, run.__getitem__)[0])
    return OptimalControl(
        program.name, asked.objective, value, simulated, duration, tables, (at, last),
        gaps, run, found, units,
    )  # fmt: skip
