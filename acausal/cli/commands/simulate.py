"""The command `simulate`."""

from pathlib import Path
from typing import Annotated

from typer import Option

from acausal.base.diagnostics import Diagnostic, SimulationError, UsageError
from acausal.base.options import SimulateOptions
from acausal.cli.flags import flags
from acausal.cli.flags.translated import translated
from acausal.cli.flags.values import limits, names, need_check, numbers, pairs
from acausal.cli.process.session import Session
from acausal.ir.experiment import Start

DEFAULTS = SimulateOptions()


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
    free_initial: flags.FreeInitial = DEFAULTS.free_initial,
    init: flags.Init = None,
    from_: flags.From = None,
    checkpoint: flags.Checkpoint = None,
    checkpoint_interval: flags.CheckpointInterval = None,
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
    check: flags.Check = None,
) -> None:
    """Simulate a model; write, plot and animate the result."""
    from acausal.begun_run import begin_run
    from acausal.cli.plots import PlotFlags
    from acausal.cli.run_files import state_in
    from acausal.cli.runs import ALL, OutputRequest, recording, run
    from acausal.results.result import Result

    if all_ and write is not None:
        raise UsageError(Diagnostic("F006", "--all and --write are mutually exclusive", help="write with one of them"))
    need_check(check)
    written = ALL if all_ else None if write is None else names(write)
    plotted = PlotFlags(names(plot), figure, x, names(unit), log, events, plot is not None)
    requested = OutputRequest(output, plotted, animate, written, units, whole=check is not None)
    requested.check(session)
    inputs = pairs("--input", input_)
    translation = translated(
        session, file, model, (known, unknown, outputs), numbers("--set", set_), limits(limit), cache=not no_cache
    )
    kept = None
    if checkpoint is not None or checkpoint_interval is not None:
        from acausal.checkpointed_run import checkpoints_of

        kept = checkpoints_of(checkpoint, checkpoint_interval)
    options = SimulateOptions(stop, interval, tolerance, solver, event_passes=event_passes)
    start = Start(steady, free_initial)
    first, state = numbers("--init", init), state_in(translation, from_)
    given = {} if state is None else translation.set_values  # they replace those of the state
    begun = begin_run(translation, options, given, inputs, start, first, state)
    if check is None:
        begun.model.drop_stages()
    else:
        from acausal.mechanism.checks.run_check import need_checkable

        need_checkable(translation.stages.flat)
    requested.check_names(begun.model.program)
    with recording(session, requested, begun.report) as recorder:
        result = run(begun, recorder, session, output, kept)
        files = requested.write_outputs(result, recorder, session)
    session.say(f"{result.summary}{'; written: ' if files else ''}{', '.join(files)}")
    not_unique = Result.before(begun.model.program).not_unique if session.json else ()
    data: dict[str, object] = {"stats": dict(result.stats), "written": files, "not_unique": list(not_unique)}
    report = begun.report.with_(*result.notes)
    text, code = "", SimulationError.exit_code if report.errors else 0
    if check is not None:
        from acausal.mechanism.checks.texts import check_data, check_text

        found = translation.check_energy(result)
        text, data["energy_check"] = check_text(found, result.name), check_data(found)
        code = code or int(not found.holds)
    session.finish(text, data, report, code)
