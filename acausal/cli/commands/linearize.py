"""The command `linearize`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.output_folder import require_folder
from acausal.base.options import SimulateOptions, TranslateOptions, help_of
from acausal.cli.flags import flags
from acausal.cli.flags.translated import translated
from acausal.cli.flags.values import limits, names, numbers, pairs
from acausal.cli.process.session import Session

if TYPE_CHECKING:
    from acausal.analyses.linearization.linear import Linear

DEFAULTS = SimulateOptions()

Inputs = Annotated[
    str | None,
    Option(
        "--inputs",
        metavar="U,V",
        help="inputs of the model, known variables or parameters, separated by commas; default: the model's inputs",
    ),
]
Outputs = Annotated[
    str | None,
    Option("--outputs", metavar="X,Y", help="variables, separated by commas; default: those of `experiment`"),
]
OpenAt = Annotated[
    str | None,
    Option("--open-at", metavar="U,V", help=help_of(TranslateOptions, "opened")),
]
At = Annotated[
    float | None, Option("--at", metavar="T", help="the operating point is that of a run at this time; default: start")
]
From = Annotated[
    str | None,
    Option("--from", metavar="FILE@T", help="the operating point is a state: of a result or of trim; default: start"),
]
AtSteady = Annotated[bool, Option("--steady", help="the operating point is where all derivatives are zero")]
Side = Annotated[str, Option("--side", metavar="SIDE", help="side of an event at this time: after or before")]
Bode = Annotated[Path | None, Option("--bode", metavar="FILE.png", help="write a Bode plot: .png, .svg, .pdf")]
Nyquist = Annotated[Path | None, Option("--nyquist", metavar="FILE.png", help="write a Nyquist plot: .png, .svg, .pdf")]
Step = Annotated[
    Path | None, Option("--step", metavar="FILE.png", help="write a plot of the step response: .png, .svg, .pdf")
]
MarginsOf = Annotated[
    bool,
    Option(
        "--margins", help="gain, phase and modulus margins of the opened loop, or of the loop with the output fed back"
    ),
]
Reduce = Annotated[
    int | None, Option("--reduce", metavar="N", help="reduce the system to N states by balanced truncation")
]
ToClass = Annotated[
    Path | None, Option("--to-class", metavar="NAME.lib", help="write the system as the class NAME of the language")
]
Mode = Annotated[int | None, Option("--mode", metavar="N", help="the mode that --animate shows, counted from 0")]
Animate = Annotated[
    Path | None,
    Option("--animate", metavar="FILE.html", help="write an animation of the mode: .html, .glb, .gif, .mp4"),
]


def linearize(
    session: Session,
    file: flags.File,
    model: flags.Model = None,
    inputs: Inputs = None,
    outputs: Outputs = None,
    open_at: OpenAt = None,
    at: At = None,
    from_: From = None,
    steady: AtSteady = False,
    side: Side = "after",
    set_: flags.Set = None,
    input_: flags.Input = None,
    known: flags.Known = None,
    unknown: flags.Unknown = None,
    tolerance: flags.Tolerance = None,
    solver: flags.Solver = DEFAULTS.solver,
    limit: flags.Limit = None,
    no_cache: flags.NoCache = False,
    reduce: Reduce = None,
    margins: MarginsOf = False,
    bode: Bode = None,
    nyquist: Nyquist = None,
    step: Step = None,
    to_class: ToClass = None,
    mode: Mode = None,
    animate: Animate = None,
) -> None:
    """Linearize a model at an operating point: matrices, modes, responses, margins."""
    plots = {"bode": bode, "nyquist": nyquist, "step": step}
    _check((at, from_, steady), plots, to_class, mode, animate)
    values = pairs("--input", input_)
    translation = translated(
        session, file, model, (known, unknown, None), numbers("--set", set_), limits(limit), cache=not no_cache
    )
    state = None
    if from_ is not None:
        from acausal.cli.run_files import state_in

        state = state_in(translation, from_)
    found = translation.linearize(
        None if inputs is None else names(inputs),
        None if outputs is None else names(outputs),
        "steady" if steady else at if state is None else state,
        open_at=() if open_at is None else names(open_at),
        side=side,
        input_values=values,
        tolerance=tolerance,
        solver=solver,
        parameters=None if state is None else translation.set_values,  # they replace those of the state
    )
    if reduce is not None:
        found = found.reduce(reduce)
    text, data = str(found), found.data()
    if margins:
        margin = found.margins()
        text, data = f"{text}\n\n{margin}", {**data, "margins": asdict(margin)}
    _write(found, plots, to_class, mode, animate)
    written = session.written(*plots.values(), to_class, animate)
    session.finish(text, {"linear": data, "written": written}, translation.report)


def _check(
    points: tuple[float | None, str | None, bool],
    plots: dict[str, Path | None],
    to_class: Path | None,
    mode: int | None,
    animate: Path | None,
) -> None:
    """UsageError for what cannot be done, before time is spent on a run."""
    flags_of = zip(("--at", "--from", "--steady"), points, strict=True)
    given = [flag for flag, value in flags_of if value is not None and value is not False]
    if len(given) > 1:
        hint = "--at simulates to a time, --from reads a state, --steady solves for the point where nothing changes"
        raise UsageError(Diagnostic("F006", f"{given[0]} and {given[1]} are mutually exclusive", help=hint))
    if (mode is None) != (animate is None):
        hint = "name both: --mode 0 --animate FILE.html"
        raise UsageError(Diagnostic("F006", "--mode is the mode that --animate shows", help=hint))
    for path in (*plots.values(), to_class, animate):
        require_folder(path)
    for path in plots.values():
        if path is not None:
            from acausal.analyses.linear_systems.response_figures import check_figure

            check_figure(path)
    if to_class is not None:
        from acausal.analyses.linear_systems.class_text import check_class_name

        check_class_name(to_class.stem)
    if animate is not None:
        from acausal.results.animation.write import check_extension

        check_extension(animate)


def _write(
    found: "Linear", plots: dict[str, Path | None], to_class: Path | None, mode: int | None, animate: Path | None
) -> None:
    for name, path in plots.items():
        if path is not None:
            getattr(found, name)(path)
    if to_class is not None:
        from acausal.base.files.atomic_write import write_text

        write_text(to_class, found.to_class(to_class.stem))
    if animate is not None and mode is not None:
        moved = found.modes[mode].motion()
        moved.animate(animate, curves=moved.experiment_plots or [name for name in found.states if name in moved])
