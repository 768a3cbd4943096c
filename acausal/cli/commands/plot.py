"""The command `plot`: quantities of one or several result files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.regular_files import is_file
from acausal.cli.flags import flags
from acausal.cli.flags.values import names
from acausal.cli.plots import PlotFlags, show_picture
from acausal.cli.process.session import Session

if TYPE_CHECKING:
    from acausal.results.result import Result

Arguments = Annotated[
    list[str],
    Argument(
        metavar="RESULT X Y",
        help="result files, then variables, patterns and expressions; default: those of the model's experiment",
        show_default=False,
    ),
]


def plot(
    session: Session,
    arguments: Arguments,
    figure: flags.Figure = None,
    x: flags.X = None,
    unit: flags.Unit = None,
    log: flags.Log = None,
    events: flags.Events = False,
) -> None:
    """Plot variables and expressions of one or several result files."""
    from acausal.results.drawing.picture import Picture
    from acausal.results.formats.kinds import READERS
    from acausal.results.plot import picture_of
    from acausal.results.read import read

    files, quantities = _separated(arguments)
    if files[0].suffix.lower() in (".mdl", ".lib"):
        hint = f"run it: acausal simulate {files[0]} --plot {','.join(quantities) or 'X,Y'}"
        raise UsageError(Diagnostic("F001", f"{files[0]} is a model, not a result", help=hint))
    asked = PlotFlags(quantities, figure, x, names(unit), log, events)
    asked.check(session)
    runs = results_of(files)
    for word in quantities:
        if Path(word).suffix.lower() in READERS and not any(word in result for result in runs.values()):
            read(Path(word))  # raises: it cannot be read
    if not quantities:
        _say_default(session, files[0], next(iter(runs.values())))
    picture: Picture = picture_of(runs, quantities, asked.options)
    show_picture(picture, figure, session)
    written = [] if figure is None else [str(figure)]
    if written:
        session.say(f"written: {written[0]}")
    session.finish(data={"written": written})


def results_of(files: list[Path]) -> "dict[str, Result]":
    """Results by the names of their files; where these are equal, by as much of their paths as tells them apart."""
    from acausal.results.read import read

    labels = [file.stem for file in files]
    if len(set(labels)) < len(labels):
        labels = [file.name for file in files]
    if len(set(labels)) < len(labels):
        labels = [str(file) for file in files]
    return {label: read(file) for label, file in zip(labels, files, strict=True)}


def _separated(arguments: list[str]) -> tuple[list[Path], tuple[str, ...]]:
    """Files and quantities: an argument that ends as a result file does is one, unless a variable has such a name."""
    from acausal.results.formats.kinds import READERS

    files = [Path(arguments[0])]
    rest = arguments[1:]
    while rest and Path(rest[0]).suffix.lower() in READERS and (is_file(Path(rest[0])) or "/" in rest[0]):
        files.append(Path(rest.pop(0)))
    wrong = next((word for word in rest if Path(word).suffix.lower() in READERS and is_file(Path(word))), None)
    if wrong is not None:
        hint = f"write result files first: acausal plot {files[0]} {wrong} ..."
        raise UsageError(Diagnostic("F006", f"the result file {wrong} follows a variable", help=hint))
    return list(dict.fromkeys(files)), tuple(rest)


def _say_default(session: Session, file: Path, result: "Result") -> None:
    """Say what is plotted where a file does not name the variables of the experiment."""
    if not result.experiment_plots:
        count = len(result.plotted)
        shown = f"the first {count} of {len(result.names)} variables are plotted"
        kinds = "CSV files do so with --units, .npz, .mat and .parquet always"
        session.say(f"{file} does not say what the experiment plots ({kinds}): {shown}")
