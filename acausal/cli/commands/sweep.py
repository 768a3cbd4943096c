"""The command `sweep`: many runs of a model, as a table."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Context, Exit, Option

from acausal.base.diagnostics import Diagnostic, Report, SimulationError, UsageError
from acausal.base.files.output_folder import require_folder
from acausal.base.options import SimulateOptions
from acausal.cli.flags import flags
from acausal.cli.flags.sweep_flags import (
    DESIGN,
    SHARE,
    DesignFlags,
    ShareFlags,
    several_inputs,
    shard_of_flags,
    swept_values,
)
from acausal.cli.flags.translated import translated
from acausal.cli.flags.values import limits, names, pairs
from acausal.cli.plots import PlotFlags, show_picture
from acausal.cli.process.exit_codes import INTERRUPTED
from acausal.cli.process.session import Session
from acausal.render.progress import counting

if TYPE_CHECKING:
    from acausal.sweep.result import SweepResult

DEFAULTS = SimulateOptions()
REPORTED = 5
"""So many failed runs are explained, the others counted."""

Values = Annotated[
    list[str] | None,
    Option(
        "--set",
        metavar="P=VALUES",
        help="values of a parameter: 1,2,5 or FIRST:LAST:NUMBER or FIRST:LAST:NUMBER:log; several: all combinations",
    ),
]
Table = Annotated[
    Path | None,
    Option(
        "--runs", metavar="FILE.csv", help="a table of runs: a header row of parameter names, then a row for each run"
    ),
]
Final = Annotated[str | None, Option("--final", metavar="X,Y", help="report the final values of these variables")]
Min = Annotated[str | None, Option("--min", metavar="X,Y", help="report the minimum values of these variables")]
Max = Annotated[str | None, Option("--max", metavar="X,Y", help="report the maximum values of these variables")]
Output = Annotated[Path | None, Option("-o", "--output", metavar="FILE.csv", help="write the table: .csv, .npz")]
Trajectories = Annotated[
    str | None,
    Option(
        "--trajectories",
        metavar="KIND",
        help="also store the trajectories of each run in the folder: csv, npz, mat or parquet",
    ),
]
Inputs = Annotated[
    list[str] | None,
    Option(
        "--input",
        metavar="U=EXPR",
        help="the value of an input: an expression in time, a CSV file, or a number; several values, or a range "
        "0:10:5: a run for each",
    ),
]
Init = Annotated[
    list[str] | None,
    Option("--init", metavar="X=VALUES", help="initial values of a variable, written as the values of a parameter"),
]
FILE_HELP = "the model file; - reads the model from standard input"
Bands = Annotated[
    bool, Option("--bands", help="plot the median of all runs and bands of percentiles, not a curve for each run")
]


File = Annotated[Path | None, Argument(metavar="[FILE]", help=FILE_HELP, show_default=False)]


def sweep(
    session: Session,
    context: Context,
    file: File = None,
    model: flags.Model = None,
    set_: Values = None,
    runs: Table = None,
    final: Final = None,
    minimum: Min = None,
    maximum: Max = None,
    stop: flags.Stop = None,
    interval: flags.Interval = None,
    tolerance: flags.Tolerance = None,
    known: flags.Known = None,
    unknown: flags.Unknown = None,
    outputs: flags.Outputs = None,
    solver: flags.Solver = DEFAULTS.solver,
    input_: Inputs = None,
    init: Init = None,
    steady: flags.Steady = DEFAULTS.steady,
    limit: flags.Limit = None,
    points: DesignFlags = DESIGN,
    output: Output = None,
    folder: flags.Folder = None,
    trajectories: Trajectories = None,
    jobs: flags.Jobs = None,
    cluster: flags.Cluster = None,
    share: ShareFlags = SHARE,
    plot: flags.Plot = None,
    figure: flags.Figure = None,
    bands: Bands = False,
    x: flags.X = None,
    unit: flags.Unit = None,
    log: flags.Log = None,
    events: flags.Events = False,
) -> None:
    """Run a model for many values of its parameters and tabulate the results."""
    from acausal.sweep.result import SweepInterrupted

    if share.status is not None:
        from acausal.sweep.storage.status import sweep_status

        status = sweep_status(share.status)
        session.finish(str(status), {"status": status.data()})
        return
    if file is None:
        raise UsageError(Diagnostic("F006", "the model file is missing", help="acausal sweep FILE --set P=VALUES"))
    shard = shard_of_flags(share, folder, file)
    _writable(output)
    plotted = PlotFlags(names(plot), figure, x, names(unit), log, events, plot is not None)
    plotted.check(session, {"--bands": bands})
    fixed, swept = swept_values(set_)
    inputs, most = several_inputs(input_), limits(limit)
    translation = translated(session, file, model, (known, unknown, outputs), fixed, most)
    if plotted.plots:
        from acausal.results.result import Result

        plotted.variables(Result.before(translation.program))
    interrupted = False
    try:
        with counting(f"running {translation.name}:", session.talks) as progress:
            result = translation.sweep(
                swept,
                runs=runs,
                final=names(final),
                minimum=names(minimum),
                maximum=names(maximum),
                stop=stop,
                interval=interval,
                tolerance=tolerance,
                solver=solver,
                steady=steady,
                inputs=inputs,
                keep=plotted.plots,
                folder=folder,
                trajectories=trajectories,
                jobs=jobs,
                cluster=cluster,
                progress=progress,
                limit=most.runs,
                initial=pairs("--init", init),
                design=points.design,
                samples=points.samples,
                seed=points.seed,
                shard=shard,
                time_limit=share.time_limit,
            )
    except SweepInterrupted as stopped:
        result, interrupted = stopped.result, True
        again = (
            "the same command resumes the sweep" if folder else "with --folder the same command would resume the sweep"
        )
        session.say(f"interrupted; {again}")
    if share.slurm is not None and folder is not None:
        from acausal.sweep.storage.slurm import write_script

        script = write_script(translation.name, context.meta["arguments"], folder, share.slurm)
        session.finish(f"sbatch {script}", {"written": [str(script)]})
        return
    files = [str(path) for path in (output, figure) if path is not None]
    if plotted.plots:
        show_picture(result.picture(plotted.names, plotted.options, bands), figure, session)
    _finish(session, result, translation.report, output, files, interrupted)


def _writable(output: Path | None) -> None:
    """UsageError F008 before time is spent on runs."""
    require_folder(output)
    if output is not None and output.suffix.lower() not in (".csv", ".npz"):
        message = f"{output}: unknown table format {output.suffix or '(no extension)'}"
        raise UsageError(Diagnostic("F008", message, help="known formats: .csv, .npz"))


def _finish(
    session: Session,
    result: "SweepResult",
    report: Report,
    output: Path | None,
    files: list[str],
    interrupted: bool,
) -> None:
    """Writes the table, reports what failed, and ends with the exit code."""
    from acausal.sweep.table_text import shown_table

    if output is not None:
        result.write(output)
    failed = list(result.failures)
    shown = report.with_(*result.notes, *[_reported(result, index) for index in failed[:REPORTED]])
    session.say(result.summary + (f"; written: {', '.join(files)}" if files else ""))
    code = INTERRUPTED if interrupted else SimulationError.exit_code if failed else 0
    if not session.json and session.format == "human":
        print("\n".join(shown_table(result.table, len(result), result.status)))
    if len(failed) > REPORTED:
        session.say(f"{len(failed)} runs failed; details of the first {REPORTED} follow")
    data = _data(result, files)
    if code:
        raise Exit(session.fail(shown, code, data))
    session.finish(data=data, report=shown)


def _reported(result: "SweepResult", index: int) -> Diagnostic:
    from dataclasses import replace

    failure = result.failures[index]
    given = ", ".join(f"{name} = {value:g}" for name, value in result.given(index).items())
    return replace(failure, notes=(*failure.notes, f"run {index}: {given}"))


def _data(result: "SweepResult", files: list[str]) -> dict[str, object]:
    """The table and what failed, for programs."""
    from dataclasses import asdict

    table = {name: [None if isnan(x) else x for x in column.tolist()] for name, column in result.table.items()}
    failed = [
        {"run": index, "parameters": result.given(index), "code": failure.code, "message": failure.message}
        for index, failure in result.failures.items()
    ]
    return {
        "table": table,
        "failed": failed,
        "missing": sorted(result.missing),
        "stats": asdict(result.stats),
        "written": files,
    }
