"""The command `optimize`."""

from pathlib import Path
from typing import Annotated

from typer import Option

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.output_folder import require_folder
from acausal.base.given_values import finite_number
from acausal.cli import flags
from acausal.cli.plots import PlotFlags, show_picture
from acausal.cli.session import Session
from acausal.cli.translated import translated
from acausal.cli.values import bounds, bounds_in, bounds_with_scale, limits, names, numbers, pairs

Minimize = Annotated[
    str | None, Option("--minimize", metavar="EXPR", help="objective: 'integral(u^2) + final(x)^2', 'final(time)'")
]
Maximize = Annotated[str | None, Option("--maximize", metavar="EXPR", help="objective, as of --minimize")]
SubjectTo = Annotated[
    list[str] | None,
    Option("--subject-to", metavar="EXPR", help="a constraint: 'final(x) = 1', or at every instant 'v <= 5'"),
]
Control = Annotated[
    list[str] | None, Option("--control", metavar="U=LOW:HIGH", help="an input to be found over time, with its bounds")
]
Vary = Annotated[
    list[str] | None,
    Option(
        "--vary", metavar="P=LOW:HIGH", help="a parameter to be found, with its bounds; :log for a logarithmic scale"
    ),
]
Stop = Annotated[
    str | None, Option("--stop", metavar="T", help="end time in seconds, or a range of free end times: 0.5:10")
]
Intervals = Annotated[int, Option("--intervals", metavar="N", help="number of intervals of the collocation")]
Interpolation = Annotated[
    str, Option("--interpolation", metavar="SHAPE", help="of controls on each interval: linear or constant")
]
Guess = Annotated[
    list[str] | None,
    Option("--guess", metavar="NAME=1", help="a control, or a state at the end, with which the search begins"),
]
Method = Annotated[str, Option("--method", metavar="NAME", help="ipopt, trust-constr or auto")]
Plot = Annotated[str | None, Option("--plot", metavar="X,Y", help="variables that --figure has; default: all")]
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
    intervals: Intervals = 50,
    interpolation: Interpolation = "linear",
    guess: Guess = None,
    method: Method = "auto",
    set_: flags.Set = None,
    init: flags.Init = None,
    input_: flags.Input = None,
    known: flags.Known = None,
    unknown: flags.Unknown = None,
    limit: flags.Limit = None,
    output: Output = None,
    plot: Plot = None,
    figure: flags.Figure = None,
) -> None:
    """Find controls over time, or parameters, that minimize an objective under constraints."""
    require_folder(output)
    PlotFlags(names(plot), figure).check(session)
    controls = dict([bounds("--control", text) for text in control or []])
    duration = None if stop is None else _stop(stop)
    translation = translated(session, file, model, (known, unknown, None), numbers("--set", set_), limits(limit))
    found = translation.optimize(
        minimize,
        maximize=maximize,
        subject_to=subject_to or [],
        controls=controls if control else None,
        parameters=dict([bounds_with_scale("--vary", text) for text in vary]) if vary else None,
        stop=duration,
        intervals=intervals,
        interpolation=interpolation,
        guess=numbers("--guess", guess),
        inputs=pairs("--input", input_) if vary else numbers("--input", input_),
        initial=numbers("--init", init),
        method=method,
    )
    if output is not None:
        found.write(output)
    if figure is not None or plot is not None:
        show_picture(found.picture(*names(plot)), figure, session)
    written = [str(path) for path in (output, figure) if path is not None]
    if written:
        session.say(f"written: {', '.join(written)}")
    session.finish(str(found), {"optimize": found.data(), "written": written}, translation.report)


def _stop(text: str) -> float | tuple[float, float]:
    if ":" in text:
        return bounds_in("--stop", text, text)
    found = finite_number(text)
    if found is None:
        raise UsageError(Diagnostic("F006", f"--stop {text}: it is a time or a range of times", help="--stop 0.5:10"))
    return found
