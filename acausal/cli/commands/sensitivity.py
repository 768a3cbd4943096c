"""The command `sensitivity`."""

from pathlib import Path
from typing import Annotated

from typer import Option

from acausal.analyses.linear_systems.response_figures import check_figure
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.output_folder import require_folder
from acausal.cli.flags import flags
from acausal.cli.flags.flag_groups import RUN, RunFlags
from acausal.cli.flags.values import names, numbers, pairs
from acausal.cli.process.session import Session
from acausal.results.write import check_result

Parameters = Annotated[
    str | None, Option("--parameters", metavar="P,Q", help="parameters with respect to which derivatives are computed")
]
Outputs = Annotated[
    str | None, Option("--outputs", metavar="X,Y", help="variables; default: what `experiment` plots, or the states")
]
Gradient = Annotated[
    str | None,
    Option(
        "--objective",
        metavar="OBJECTIVE",
        help="differentiate an objective: final(x), integral(x^2), max(x), min(x), event(3)",
    ),
]
Method = Annotated[
    str,
    Option("--method", metavar="METHOD", help="method for the gradient of an objective: auto, forward or adjoint"),
]
Output = Annotated[
    Path | None,
    Option("-o", "--output", metavar="FILE", help="write values and derivatives: .csv, .npz, .mat, .parquet"),
]


def sensitivity(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    parameters: Parameters = None,
    outputs: Outputs = None,
    objective: Gradient = None,
    method: Method = "auto",
    set_: flags.Set = None,
    init: flags.Init = None,
    run: RunFlags = RUN,
    output: Output = None,
    figure: flags.Figure = None,
) -> None:
    """Derivatives of variables and event times with respect to parameters, over a run."""
    check_result(output)
    require_folder(figure)
    if figure is not None:
        check_figure(figure)
    if objective is not None and (output is not None or figure is not None or outputs is not None):
        raise UsageError(Diagnostic("F006", "an objective is one number", help="omit --outputs, -o and --figure"))
    translation = run.translated(session, file, model, set_)
    by, initial, inputs = names(parameters), numbers("--init", init), pairs("--input", run.input_)
    if objective is not None:
        value, slopes = translation.gradient(
            objective,
            by,
            stop=run.stop,
            tolerance=run.tolerance,
            solver=run.solver,
            inputs=inputs,
            initial=initial,
            steady=run.steady,
            method=method,
        )
        found = dict(zip(by, slopes.tolist(), strict=True))
        lines = [f"{objective} = {value:.10g}", *[f"  d/d({p}) = {d:.10g}" for p, d in found.items()]]
        data = {"objective": objective, "value": value, "gradient": found}
        session.finish("\n".join(lines), {"sensitivity": data}, translation.report)
        return
    made = translation.sensitivities(
        by,
        names(outputs) or translation.plotted_or_states,
        stop=run.stop,
        interval=run.interval,
        tolerance=run.tolerance,
        solver=run.solver,
        inputs=inputs,
        initial=initial,
        steady=run.steady,
    )
    if output is not None:
        made.table.write(output, ["*"])
    if figure is not None:
        made.figure(figure)
    written = session.written(output, figure)
    session.finish(str(made), {"sensitivity": made.data(), "written": written}, translation.report.with_(*made.notes))
