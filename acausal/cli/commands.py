"""The commands and their flags; what they do is imported only when one runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option, Typer

from acausal.cli.session import Session, with_session
from acausal.cli.values import limits, names, numbers, pairs
from acausal.diagnostics import Diagnostic, InternalError, ModelError, UsageError
from acausal.options import SimulateOptions, TranslateOptions, help_of

app = Typer(
    name="acausal",
    help="Translate and simulate models written as equations and connections.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


Show = Literal["flat", "sorted", "solved", "statistics", "code"]
DEFAULTS = SimulateOptions()


def _translating(name: str) -> str:
    return help_of(TranslateOptions, name)


def _simulating(name: str) -> str:
    return help_of(SimulateOptions, name)


File = Annotated[Path, Argument(metavar="FILE", help="the model file", show_default=False)]
Model = Annotated[str | None, Option("--model", metavar="M", help=_translating("model"))]
Known = Annotated[str | None, Option("--known", metavar="A,B", help=_translating("known"))]
Unknown = Annotated[str | None, Option("--unknown", metavar="C", help=_translating("unknown"))]
Outputs = Annotated[str | None, Option("--outputs", metavar="X,Y", help=_translating("outputs"))]
Set = Annotated[list[str] | None, Option("--set", metavar="P=1", help=_translating("parameters"))]
Limit = Annotated[list[str] | None, Option("--limit", metavar="NAME=N", help=_translating("limits"))]
Stop = Annotated[float | None, Option("--stop", metavar="T", help=_simulating("stop"))]
Interval = Annotated[float | None, Option("--interval", metavar="DT", help=_simulating("interval"))]
Tolerance = Annotated[float | None, Option("--tolerance", metavar="TOL", help=_simulating("tolerance"))]
Solver = Annotated[str, Option("--solver", metavar="NAME", help=_simulating("solver"))]
Input = Annotated[list[str] | None, Option("--input", metavar="U=EXPR", help=_simulating("inputs"))]
Figure = Annotated[Path | None, Option("--figure", metavar="FILE.png", help="write the plot into this file")]


@app.command()
@with_session
def check(session: Session, file: File, model: Model = None, limit: Limit = None) -> None:
    """Look for mistakes, without running the model."""
    from acausal.pipeline import check as check_file

    report = check_file(file, model=model, path=session.path or (), limits=limits(limit))
    if not report.diagnostics:
        session.say(f"{file}: no mistakes found")
    session.finish(report=report, code=ModelError.exit_code if report.errors else 0)


@app.command()
@with_session
def translate(
    session: Session,
    file: File,
    model: Model = None,
    known: Known = None,
    unknown: Unknown = None,
    outputs: Outputs = None,
    set_: Set = None,
    limit: Limit = None,
    show: Annotated[Show, Option("--show", help="what to write")] = "statistics",
    output: Annotated[Path | None, Option("-o", "--output", metavar="OUT", help="write it into this file")] = None,
) -> None:
    """Translate a model into sorted and solved equations and code."""
    from acausal.pipeline import translate as translate_file

    translation = translate_file(
        file,
        model=model,
        known=names(known),
        unknown=names(unknown),
        outputs=names(outputs),
        parameters=numbers("--set", set_),
        path=session.path or (),
        limits=limits(limit),
    )
    data: dict[str, object]
    if show == "statistics":
        data = dict(translation.statistics)
        text = _table(data)
    else:
        text = translation.code() if show == "code" else translation.equations(show)
        data = {show: text}
    if output is None:
        session.finish(text.rstrip("\n"), data, translation.report)
    else:
        _write(output, text)
        session.finish(data=data, report=translation.report)


@app.command()
@with_session
def simulate(
    session: Session,
    file: File,
    model: Model = None,
    stop: Stop = None,
    interval: Interval = None,
    tolerance: Tolerance = None,
    set_: Set = None,
    known: Known = None,
    unknown: Unknown = None,
    outputs: Outputs = None,
    solver: Solver = DEFAULTS.solver,
    input_: Input = None,
    limit: Limit = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="FILE.csv", help="write the result")] = None,
    plot: Annotated[str | None, Option("--plot", metavar="X,Y", help="variables to plot")] = None,
    figure: Figure = None,
) -> None:
    """Run a model; write and plot its result."""
    from acausal.pipeline import translate as translate_file

    translation = translate_file(
        file,
        model=model,
        known=names(known),
        unknown=names(unknown),
        outputs=names(outputs),
        parameters=numbers("--set", set_),
        path=session.path or (),
        limits=limits(limit),
    )
    result = translation.simulate(
        stop=stop, interval=interval, tolerance=tolerance, solver=solver, inputs=pairs("--input", input_)
    )
    if output is not None:
        result.write(output)
    if plot is not None or figure is not None:
        result.plot(*names(plot), figure=figure)
    written = [str(path) for path in (output, figure) if path is not None]
    session.say(f"{result.summary}{'; written: ' if written else ''}{', '.join(written)}")
    session.finish(data={"stats": dict(result.stats), "written": written}, report=translation.report)


@app.command()
@with_session
def plot(
    session: Session,
    result: Annotated[Path, Argument(metavar="RESULT", help="a result written by simulate", show_default=False)],
    variables: Annotated[list[str], Argument(metavar="X Y ...", help="variables to plot", show_default=False)],
    figure: Figure = None,
) -> None:
    """Plot variables of a result."""
    from acausal.results.store import read

    read(result).plot(*variables, figure=figure)
    session.finish(data={"written": [str(figure)] if figure else []})


@app.command()
@with_session
def repl(
    session: Session,
    file: Annotated[Path | None, Argument(metavar="FILE", help="a model to begin with", show_default=False)] = None,
) -> None:
    """Work with models in a dialogue; a transcript may be piped in."""
    from acausal.repl import run

    run(file, path=session.path or ())


@app.command()
@with_session
def explain(
    session: Session,
    code: Annotated[str, Argument(metavar="CODE", help="as it stands in brackets: C004", show_default=False)],
) -> None:
    """Tell what the code of an error or warning means, and how to mend it."""
    from acausal.render import explain as explain_code

    text = explain_code(code)
    session.finish(text, {"code": code.upper(), "text": text})


@app.command()
@with_session
def doctor(session: Session) -> None:
    """Look whether this installation can do all it should."""
    from dataclasses import asdict

    from acausal.doctor import State, examine, show

    findings = examine()
    broken = any(finding.state is State.FAULT for finding in findings)
    data: dict[str, object] = {"findings": [asdict(finding) for finding in findings]}
    session.finish(show(findings), data, code=InternalError.exit_code if broken else 0)


def _table(data: Mapping[str, object]) -> str:
    """A line for each name and value."""
    width = max(map(len, data), default=0)
    return "\n".join(f"{name:{width}}  {value}" for name, value in data.items())


def _write(path: Path, text: str) -> None:
    """Write a text file; UsageError F008 where that is not possible."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: {error.strerror}")) from None
