"""The commands; what they do is imported only when one runs."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option, Typer

from acausal.cli import flags
from acausal.cli.plain_values import PlainCommand, PlainGroup
from acausal.cli.progress import working
from acausal.cli.session import Session, with_session
from acausal.cli.sweep import sweep
from acausal.cli.translated import translated
from acausal.cli.values import limits, names, numbers, pairs
from acausal.diagnostics import ModelError, Report
from acausal.options import SimulateOptions
from acausal.render.table import table

app = Typer(
    name="acausal",
    cls=PlainGroup,
    help="Translate and simulate models written as equations and connections.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
command = partial(app.command, cls=PlainCommand)

Show = Literal["flat", "sorted", "solved", "statistics", "code"]
DEFAULTS = SimulateOptions()


@command()
@with_session
def check(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    limit: flags.Limit = None,
    numeric: Annotated[bool, Option("--numeric", help="look at points of a run as well")] = False,
) -> None:
    """Look for mistakes, without running the model."""
    from acausal.pipeline import check as check_file

    with working(f"checking {file}", session.talks):
        report = check_file(file, model=model, path=session.path or (), limits=limits(limit), numeric=numeric)
    if not report.diagnostics:
        session.say(f"{file}: no mistakes found")
    session.finish(report=report, code=ModelError.exit_code if report.errors else 0)


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
    show: Annotated[Show, Option("--show", help="what to write")] = "statistics",
    why: Annotated[
        str | None, Option("--why", metavar="X", help="tell the way of X from the text to the code instead")
    ] = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="OUT", help="write it into this file")] = None,
) -> None:
    """Translate a model into sorted and solved equations and code."""
    translation = translated(
        session, file, model, (known, unknown, outputs), numbers("--set", set_), limits(limit), cache=False
    )
    data: dict[str, object]
    if why is not None:
        text = translation.why(why)
        data = {"why": text}
    elif show == "statistics":
        from acausal.causalize.report import statistics_table

        data = dict(translation.statistics)
        text = table(statistics_table(data))
    else:
        text = translation.code() if show == "code" else translation.equations(show)
        data = {show: text}
    if output is None:
        session.finish(text.rstrip("\n"), data, translation.report)
    else:
        from acausal.cli.formatting import write_text

        write_text(output, f"{text.rstrip()}\n")
        session.finish(data=data, report=translation.report)


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
    animate: flags.Animate = None,
) -> None:
    """Run a model; write, plot and animate its result."""
    from acausal.cli.runs import ALL, Wishes, run, unfinished

    written = ALL if all_ else names(write) if write else None
    wishes = Wishes(output, names(plot), figure, animate, written, units)
    wishes.check()
    inputs = pairs("--input", input_)
    translation = translated(
        session, file, model, (known, unknown, outputs), numbers("--set", set_), limits(limit), cache=not no_cache
    )
    if steady:
        translation = translation.at_rest
    translation.free()
    wishes.check_names(translation.program)
    with unfinished(session, wishes, translation.report):
        result = run(translation, SimulateOptions(stop, interval, tolerance, solver), inputs, session.talks)
    files = wishes.fulfil(result)
    session.say(f"{result.summary}{'; written: ' if files else ''}{', '.join(files)}")
    data: dict[str, object] = {"stats": dict(result.stats), "written": files}
    session.finish(data=data, report=translation.report.with_(*result.notes))


command()(with_session(sweep))


@command()
@with_session
def plot(
    session: Session,
    result: Annotated[Path, Argument(metavar="RESULT", help="a result written by simulate", show_default=False)],
    variables: Annotated[list[str], Argument(metavar="X Y ...", help="variables to plot", show_default=False)],
    figure: flags.Figure = None,
) -> None:
    """Plot variables of a result."""
    from acausal.cli.runs import Wishes
    from acausal.results.store import read

    wishes = Wishes(None, tuple(variables), figure)
    wishes.check()
    written = wishes.fulfil(read(result))
    if written:
        session.say(f"written: {written[0]}")
    session.finish(data={"written": written})


@command()
@with_session
def fmt(
    session: Session,
    files: Annotated[list[Path], Argument(metavar="FILE ...", help="model files", show_default=False)],
    check: Annotated[bool, Option("--check", help="change nothing; exit code 1 if a file would change")] = False,
    stdout: Annotated[bool, Option("--stdout", help="write to standard output, not into the files")] = False,
    limit: flags.Limit = None,
) -> None:
    """Put model files into regular form: indents and blanks, nothing else."""
    from acausal.cli.formatting import regular, write_text

    report, texts, changed = Report(), [], []
    for file in files:
        try:
            before, after = regular(file, limits(limit))
        except ModelError as error:
            report = report.with_(*error.report.diagnostics)
            continue
        texts.append(after)
        if before != after:
            changed.append(str(file))
            if not (check or stdout):
                write_text(file, after)
    for name in [] if stdout else changed:
        session.say(f"{name}: {'would change' if check else 'formatted'}")
    failed = bool(report.errors or (check and changed))
    text = "".join(texts).rstrip("\n") if stdout else ""
    session.finish(text, {"changed": changed}, report, ModelError.exit_code if failed else 0)


@command()
@with_session
def repl(
    session: Session,
    file: Annotated[Path | None, Argument(metavar="FILE", help="a model to begin with", show_default=False)] = None,
) -> None:
    """Work with models in a dialogue; a transcript may be piped in."""
    from acausal.repl import run

    run(file, path=session.path or ())


@command()
@with_session
def explain(
    session: Session,
    code: Annotated[
        str | None, Argument(metavar="CODE", help="as it stands in brackets: C004; without it all", show_default=False)
    ] = None,
) -> None:
    """Tell what the code of an error or warning means, and how to mend it."""
    from acausal.render.explain import all_titles
    from acausal.render.explain import explain as explain_code

    if code is None:
        titles = all_titles()
        session.finish(table(titles), {"codes": titles})
    else:
        text = explain_code(code)
        session.finish(text, {"code": code.upper(), "text": text})


@command()
@with_session
def doctor(
    session: Session,
    clear_cache: Annotated[bool, Option("--clear-cache", help="remove the translations that are kept")] = False,
) -> None:
    """Look whether this installation can do all it should."""
    from dataclasses import asdict

    from acausal.cache import store
    from acausal.diagnostics import InternalError
    from acausal.doctor import State, examine, show

    if clear_cache:
        session.say(f"{store.clear()} files removed")
    findings = examine()
    broken = any(finding.state is State.FAULT for finding in findings)
    data: dict[str, object] = {"findings": [asdict(finding) for finding in findings]}
    session.finish(show(findings), data, code=InternalError.exit_code if broken else 0)
