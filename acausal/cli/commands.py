"""The commands; what they do is imported only when one runs."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Exit, Option, Typer

from acausal.base.diagnostics import ModelError, Report, SimulationError
from acausal.base.options import SimulateOptions
from acausal.cli import flags
from acausal.cli.editor import editor, lsp
from acausal.cli.plain_values import PlainCommand, PlainGroup
from acausal.cli.plot import plot
from acausal.cli.reference import docs, examples, explain, list_, new
from acausal.cli.result_files import compare, view
from acausal.cli.session import Session, with_session
from acausal.cli.standard_input import source_of
from acausal.cli.sweep import sweep
from acausal.cli.translated import translated
from acausal.cli.values import limits, names, numbers, pairs
from acausal.render.progress import working
from acausal.render.table import table

if TYPE_CHECKING:
    from acausal.translation import Translation

EPILOG = (
    "Exit codes: 0 success, 1 error in the model, or results that differ, 2 error in the command, 3 the run failed or "
    "its result is not finite (rows are written), 4 limit reached, 70 internal error (a bug: please report it), "
    "130 interrupted."
)

app = Typer(
    name="acausal",
    cls=PlainGroup,
    help="Translate and simulate models written as equations and connections.",
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
command = partial(app.command, cls=PlainCommand)

Show = Literal["flat", "sorted", "solved", "latex", "statistics", "code", "graph"]
DEFAULTS = SimulateOptions()


def root_context() -> Any:  # noqa: ANN401  (its type differs from version to version of typer)
    """The context of the group of commands."""
    from typer.main import get_command

    return get_command(app).make_context("acausal", [], resilient_parsing=True)


def _show_version(wanted: bool) -> None:
    if wanted:
        from acausal.version import __version__

        print(f"acausal {__version__}")
        raise Exit


@app.callback()
def common(
    version: Annotated[
        bool, Option("--version", help="show the version and exit", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Translate and simulate models written as equations and connections."""


@command()
@with_session
def check(
    session: Session,
    files: flags.Files,
    model: flags.Model = None,
    limit: flags.Limit = None,
    numeric: Annotated[
        bool, Option("--numeric", help="also check derivatives given by hand at points of a short run")
    ] = False,
) -> None:
    """Check models for errors, without running them."""
    from acausal.checking import check as check_file

    most, path, report, code = limits(limit), session.path or (), Report(), 0
    for file in files:
        try:
            name, text = source_of(file, most)
            with working(f"checking {name}", session.talks):
                found = check_file(name, model=model, path=path, limits=most, numeric=numeric, text=text)
            code = max(code, ModelError.exit_code if found.errors else 0)
        except ModelError as error:
            found, code = error.report, max(code, error.exit_code)
        report = report.with_(*found.diagnostics)
        if not found.diagnostics:
            session.say(f"{name}: no errors found")
    session.finish(report=report, code=code)


@command()
@with_session
def translate(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    known: flags.Known = None,
    unknown: flags.Unknown = None,
    outputs: flags.Outputs = None,
    set_: flags.Set = None,
    limit: flags.Limit = None,
    show: Annotated[
        Show,
        Option(
            "--show",
            help="the output: equations of a stage, statistics, generated code, or graph: an SVG of submodels,"
            " connections and the structure of the equations",
        ),
    ] = "statistics",
    why: Annotated[
        str | None, Option("--why", metavar="X", help="trace X from the model text to the code instead")
    ] = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="OUT", help="write to this file")] = None,
) -> None:
    """Translate a model; show its equations, statistics or code."""
    translation = translated(
        session, file, model, (known, unknown, outputs), numbers("--set", set_), limits(limit), cache=False
    )
    data: dict[str, object]
    if why is not None:
        text = translation.why(why)
        data = {"why": text}
    elif show == "statistics":
        from acausal.causalize.explain.report import statistics_table

        data = dict(translation.statistics)
        text = table(statistics_table(data))
    else:
        text = _shown(translation, show, output)
        data = {show: text}
    if output is None:
        session.finish(text.rstrip("\n"), data, translation.report)
    else:
        from acausal.cli.formatting import write_text

        write_text(output, f"{text.rstrip()}\n")
        session.finish(data=data, report=translation.report)


def _shown(translation: "Translation", show: str, output: Path | None) -> str:
    if show == "graph":
        return translation.graph(None if output is None else output.parent)
    return translation.code() if show == "code" else translation.equations(show)


@command()
@with_session
def simulate(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    stop: flags.Stop = None,
    interval: flags.Interval = None,
    tolerance: flags.Tolerance = None,
    set_: flags.Set = None,
    known: flags.Known = None,
    unknown: flags.Unknown = None,
    outputs: flags.Outputs = None,
    solver: flags.Solver = DEFAULTS.solver,
    input_: flags.Input = None,
    steady: flags.Steady = DEFAULTS.steady,
    event_passes: flags.EventPasses = None,
    limit: flags.Limit = None,
    no_cache: flags.NoCache = False,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="FILE.csv", help="write the result: .csv, .npz, .mat, .parquet")
    ] = None,
    write: flags.Write = None,
    all_: flags.All = False,
    units: flags.Units = False,
    plot: flags.Plot = None,
    figure: flags.Figure = None,
    x: flags.X = None,
    unit: flags.Unit = None,
    log: flags.Log = None,
    events: flags.Events = False,
    animate: flags.Animate = None,
) -> None:
    """Simulate a model; write, plot and animate the result."""
    from acausal.cli.plots import PlotFlags
    from acausal.cli.runs import ALL, OutputRequest, recording, run

    written = ALL if all_ else names(write) if write else None
    plotted = PlotFlags(names(plot), figure, x, names(unit), log, events, plot is not None)
    requested = OutputRequest(output, plotted, animate, written, units)
    requested.check(session)
    inputs = pairs("--input", input_)
    translation = translated(
        session, file, model, (known, unknown, outputs), numbers("--set", set_), limits(limit), cache=not no_cache
    )
    if steady:
        translation = translation.steady_state
    translation.drop_stages()
    requested.check_names(translation.program)
    with recording(session, requested, translation.report) as recorder:
        options = SimulateOptions(stop, interval, tolerance, solver, event_passes=event_passes)
        result = run(translation, options, inputs, recorder, session.talks)
        files = requested.write_outputs(result, recorder, session)
    session.say(f"{result.summary}{'; written: ' if files else ''}{', '.join(files)}")
    data: dict[str, object] = {"stats": dict(result.stats), "written": files}
    report = translation.report.with_(*result.notes)
    session.finish(data=data, report=report, code=SimulationError.exit_code if report.errors else 0)


command()(with_session(sweep))


command()(with_session(plot))
command()(with_session(compare))
command()(with_session(view))


@command()
@with_session
def fmt(
    session: Session,
    files: flags.Files,
    check: Annotated[bool, Option("--check", help="do not change files; exit code 1 if one would change")] = False,
    stdout: Annotated[bool, Option("--stdout", help="write to standard output instead of the files")] = False,
    limit: flags.Limit = None,
) -> None:
    """Format model files."""
    from acausal.cli.formatting import formatted, write_text
    from acausal.cli.standard_input import DASH

    report, texts, changed = Report(), [], []
    for file in files:
        try:
            before, after = formatted(file, limits(limit))
        except ModelError as error:
            report = report.with_(*error.report.diagnostics)
            continue
        texts.append(after)
        if before != after:
            changed.append(str(file))
            if not (check or stdout or str(file) == DASH):
                write_text(file, after)
    stdout = stdout or (DASH in map(str, files) and not check)
    for name in [] if stdout else changed:
        session.say(f"{name}: {'would change' if check else 'formatted'}")
    failed = bool(report.errors or (check and changed))
    text = "".join(texts).rstrip("\n") if stdout else ""
    session.finish(text, {"changed": changed}, report, ModelError.exit_code if failed else 0)


@command()
@with_session
def repl(
    session: Session,
    file: Annotated[Path | None, Argument(metavar="FILE", help="a model file to load", show_default=False)] = None,
) -> None:
    """Start an interactive session; commands may be piped in."""
    from acausal.cli.streams import restore_signals
    from acausal.repl import run

    restore_signals()
    run(file, path=session.path or ())


command()(with_session(explain))


@command()
@with_session
def doctor(
    session: Session,
    clear_cache: Annotated[bool, Option("--clear-cache", help="empty the translation cache")] = False,
) -> None:
    """Check the installation."""
    from dataclasses import asdict

    from acausal.base.diagnostics import InternalError
    from acausal.cache import store
    from acausal.doctor import State, examine, show

    if clear_cache:
        session.say(f"{store.clear()} files removed")
    findings = examine()
    broken = any(finding.state is State.FAULT for finding in findings)
    data: dict[str, object] = {"findings": [asdict(finding) for finding in findings]}
    session.finish(show(findings), data, code=InternalError.exit_code if broken else 0)


command("list")(with_session(list_))
command()(with_session(lsp))
command()(with_session(editor))
command()(with_session(docs))
command()(with_session(new))
command()(with_session(examples))
