"""The command `uncertainty`."""

from pathlib import Path
from typing import Annotated

from typer import Exit, Option

from acausal.base.diagnostics import Diagnostic, SimulationError, UsageError
from acausal.base.files.output_folder import require_folder
from acausal.cli.flags import flags
from acausal.cli.flags.flag_groups import RUN, RunFlags
from acausal.cli.flags.values import names, pairs
from acausal.cli.plots import PlotFlags, show_picture
from acausal.cli.process.session import Session
from acausal.render.progress import counting

Vary = Annotated[
    list[str] | None,
    Option(
        "--vary",
        metavar="P=DISTRIBUTION",
        help="an uncertain parameter: R.R=uniform(90,110), normal(MEAN,DEVIATION), loguniform, lognormal, triangular",
    ),
]
Outputs = Annotated[
    str | None,
    Option("--outputs", metavar="Q,R", help="quantities such as max(C.u),final(m.w); default: what `experiment` plots"),
]
Bands = Annotated[
    str | None, Option("--bands", metavar="X,Y", help="plot median and percentiles of these variables over time")
]
Number = Annotated[int, Option("-n", "--samples", metavar="N", help="number of points of the low-discrepancy sequence")]
Seed = Annotated[int, Option("--seed", metavar="K", help="the same seed gives the same result")]
Indices = Annotated[
    bool, Option("--indices", help="Sobol indices with confidence intervals; N*(parameters + 2) runs, N a power of two")
]
Output = Annotated[
    Path | None, Option("-o", "--output", metavar="FILE.csv", help="write parameters and outputs of all runs")
]


def uncertainty(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    vary: Vary = None,
    outputs: Outputs = None,
    bands: Bands = None,
    n: Number = 1024,
    seed: Seed = 1,
    indices: Indices = False,
    set_: flags.Set = None,
    run: RunFlags = RUN,
    output: Output = None,
    folder: flags.Folder = None,
    jobs: flags.Jobs = None,
    cluster: flags.Cluster = None,
    figure: flags.Figure = None,
) -> None:
    """Run a model with uncertain parameters: quantiles, bands over time, Sobol indices."""
    require_folder(output)
    if figure is not None and bands is None:
        raise UsageError(Diagnostic("F006", "--figure shows bands", help="name variables: --bands X,Y"))
    PlotFlags(names(bands), figure).check(session)
    given = pairs("--vary", vary)
    translation = run.translated(session, file, model, set_)
    with counting(f"running {translation.name}:", session.talks) as progress:
        found = translation.uncertainty(
            given,
            outputs=None if outputs is None else names(outputs),
            bands=names(bands),
            n=n,
            seed=seed,
            indices=indices,
            stop=run.stop,
            interval=run.interval,
            tolerance=run.tolerance,
            solver=run.solver,
            steady=run.steady,
            inputs=pairs("--input", run.input_),
            folder=folder,
            jobs=jobs,
            cluster=cluster,
            progress=progress,
        )
    if output is not None:
        found.write(output)
    if found.bands:
        show_picture(found.picture(), figure, session)
    written = session.written(output, figure)
    failures = list(found.failures.values())
    report = translation.report.with_(*found.notes, *failures[:3])
    data: dict[str, object] = {"uncertainty": found.data(), "written": written}
    if failures:
        if not session.json and session.format == "human":
            print(found)
        raise Exit(session.fail(report, SimulationError.exit_code, data))
    session.finish(str(found), data, report)
