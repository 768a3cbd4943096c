"""The command `optimize`."""

from pathlib import Path
from typing import Annotated

from typer import Option

from acausal.analyses.optimize.control_request import require_only_parameters
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.given_values import finite_number
from acausal.cli.flags import flags
from acausal.cli.flags.flag_groups import START, StartFlags
from acausal.cli.flags.values import bounds, bounds_in, bounds_with_scale, each_once, names, numbers, pairs
from acausal.cli.plots import PlotFlags, show_picture
from acausal.cli.process.session import Session
from acausal.results.write import check_result

Minimize = Annotated[
    str | None, Option("--minimize", metavar="EXPR", help="objective: 'integral(u^2) + final(x)^2', 'final(time)'")
]
Maximize = Annotated[
    str | None, Option("--maximize", metavar="EXPR", help="objective to maximize, written as for --minimize")
]
SubjectTo = Annotated[
    list[str] | None,
    Option("--subject-to", metavar="EXPR", help="a constraint: 'final(x) = 1', or at every instant 'v <= 5'"),
]
Control = Annotated[
    list[str] | None, Option("--control", metavar="U=LOW:HIGH", help="an input to optimize over time, with its bounds")
]
Vary = Annotated[
    list[str] | None,
    Option(
        "--vary", metavar="P=LOW:HIGH", help="a parameter to optimize, with its bounds; :log for a logarithmic scale"
    ),
]
Stop = Annotated[
    str | None, Option("--stop", metavar="T", help="end time in seconds, or a range of free end times: 0.5:10")
]
Intervals = Annotated[
    int | None, Option("--intervals", metavar="N", help="number of intervals of the collocation; default: 50")
]
Interpolation = Annotated[
    str, Option("--interpolation", metavar="SHAPE", help="shape of the controls on each interval: linear or constant")
]
Guess = Annotated[
    list[str] | None,
    Option("--guess", metavar="NAME=1", help="initial guess of a control, or of a state at the end"),
]
Method = Annotated[str, Option("--method", metavar="NAME", help="ipopt, trust-constr or auto")]
Plot = Annotated[str | None, Option("--plot", metavar="X,Y", help="variables plotted by --figure; default: all")]
Output = Annotated[
    Path | None, Option("-o", "--output", metavar="FILE", help="write the run with the optimal controls: .csv, .npz")
]


def optimize(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    minimize: Minimize = None,
    maximize: Maximize = None,
    subject_to: SubjectTo = None,
    control: Control = None,
    vary: Vary = None,
    stop: Stop = None,
    intervals: Intervals = None,
    interpolation: Interpolation = "linear",
    guess: Guess = None,
    method: Method = "auto",
    start: StartFlags = START,
    output: Output = None,
    plot: Plot = None,
    figure: flags.Figure = None,
) -> None:
    """Find controls over time, or parameters, that minimize an objective under constraints."""
    check_result(output)
    plotted = PlotFlags(names(plot), figure)
    plotted.check(session)
    controls = each_once("--control", control, bounds)
    varied = each_once("--vary", vary, bounds_with_scale)
    if bool(controls) == bool(varied):
        hint = "name one kind: --control u=-1:1 for an input over time, or --vary R.R=1:1e4 for a parameter"
        raise UsageError(Diagnostic("F006", "an optimization finds controls or parameters", help=hint))
    duration = None if stop is None else _stop(stop)
    if varied:
        require_only_parameters(
            "--vary",
            {
                "--guess": bool(guess),
                "--intervals": intervals is not None,
                "--interpolation": interpolation != "linear",
                "--method": method != "auto",
                "a free end time": isinstance(duration, tuple),
            },
        )
    translation = start.translated(session, file, model)
    if plotted.names:
        from acausal.results.result import Result

        plotted.variables(Result.before(translation.program))
    of_variables = translation.in_units_of_variables
    inputs = pairs("--input", start.input_) if varied else of_variables(numbers("--input", start.input_))
    found = translation.optimize(
        minimize,
        maximize=maximize,
        subject_to=subject_to or [],
        controls=translation.bounds_in_units(controls) or None,
        parameters=varied or None,
        stop=duration,
        intervals=intervals,
        interpolation=interpolation,
        guess=of_variables(numbers("--guess", guess)),
        inputs=inputs,
        initial=numbers("--init", start.init),
        method=method,
    )
    if output is not None:
        found.write(output)
    if figure is not None or plot is not None:
        show_picture(found.picture(*names(plot)), figure, session)
    written = session.written(output, figure)
    session.finish(str(found), {"optimize": found.data(), "written": written}, translation.report)


def _stop(text: str) -> float | tuple[float, float]:
    if ":" in text:
        return bounds_in("--stop", text, text)
    found = finite_number(text)
    if found is None:
        raise UsageError(Diagnostic("F006", f"--stop {text}: it is a time or a range of times", help="--stop 0.5:10"))
    return found
