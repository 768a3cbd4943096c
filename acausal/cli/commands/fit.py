"""The command `fit`."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from acausal.cli.flags import flags
from acausal.cli.flags.translated import translated
from acausal.cli.flags.values import bounds_with_scale, each_once, limits, numbers, pairs
from acausal.cli.plots import PlotFlags, show_picture
from acausal.cli.process.session import Session

Data = Annotated[Path, Argument(metavar="DATA.csv", help="measured data: a column time, and columns of values")]
Vary = Annotated[
    list[str] | None,
    Option(
        "--vary",
        metavar="P=LOW:HIGH",
        help="a parameter to fit, with its bounds; R.R=1:1e4:log for a logarithmic scale",
    ),
]
Measured = Annotated[
    list[str] | None,
    Option(
        "--measured",
        metavar="X=COLUMN",
        help="the column that measures a variable; default: columns named like a variable",
    ),
]
Sigma = Annotated[
    list[str] | None,
    Option(
        "--sigma", metavar="X=0.1", help="standard deviation of a measured variable; default: that of the residuals"
    ),
]
Loss = Annotated[
    str, Option("--loss", metavar="NAME", help="linear, soft_l1, huber, cauchy or arctan: outliers count less")
]
Starts = Annotated[
    int, Option("--starts", metavar="N", help="number of starting points between the bounds; the best fit is kept")
]
Seed = Annotated[int, Option("--seed", metavar="K", help="the same seed gives the same starts")]
Jobs = Annotated[
    int | None, Option("--jobs", metavar="N", help="number of parallel starts; default: number of processors")
]


def fit(
    session: Session,
    file: flags.File,
    data: Data,
    model: flags.Model = None,
    vary: Vary = None,
    measured: Measured = None,
    sigma: Sigma = None,
    loss: Loss = "linear",
    starts: Starts = 1,
    seed: Seed = 1,
    jobs: Jobs = None,
    cluster: flags.Cluster = None,
    set_: flags.Set = None,
    init: flags.Init = None,
    input_: flags.Input = None,
    tolerance: flags.Tolerance = None,
    known: flags.Known = None,
    unknown: flags.Unknown = None,
    limit: flags.Limit = None,
    figure: flags.Figure = None,
) -> None:
    """Find parameters with which a model agrees best with measured data."""
    PlotFlags((), figure).check(session)
    varied = each_once("--vary", vary, bounds_with_scale)
    values = numbers("--set", set_)
    translation = translated(session, file, model, (known, unknown, None), {}, limits(limit))
    found = translation.fit(
        data,
        varied,
        measured=pairs("--measured", measured) or None,
        sigma=translation.in_units_of_variables(numbers("--sigma", sigma), differences=True) or None,
        loss=loss,
        starts=starts,
        seed=seed,
        jobs=jobs,
        cluster=cluster,
        values=values,
        inputs=pairs("--input", input_),
        initial=numbers("--init", init),
        tolerance=tolerance,
    )
    if figure is not None:
        show_picture(found.picture(), figure, session)
    written = session.written(figure)
    report = translation.report.with_(*found.notes)
    session.finish(str(found), {"fit": found.data(), "written": written}, report)
