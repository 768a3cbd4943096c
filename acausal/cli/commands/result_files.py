"""The commands `compare`, `view` and `animate`: result files against each other, as a web page, and moving."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from acausal.base.diagnostics import Diagnostic, Report, UsageError
from acausal.base.files.output_folder import require_folder
from acausal.cli.flags.values import names
from acausal.cli.process.session import Session

DIFFERENT = 1
"""Exit code for results that differ."""
TOLERANCE = 1e-3

Reference = Annotated[Path, Argument(metavar="A", help="the result file taken as reference", show_default=False)]
Other = Annotated[Path, Argument(metavar="B", help="the result file to compare with it", show_default=False)]
Variables = Annotated[
    list[str] | None,
    Argument(metavar="X Y", help="variables to compare, or patterns; default: all of A", show_default=False),
]
Relative = Annotated[
    float,
    Option(
        "--tolerance",
        metavar="REL",
        help="allowed deviation relative to a variable's range, and allowed shift relative to the duration",
    ),
]
Absolute = Annotated[float, Option("--abs", metavar="TOL", help="further allowed deviation, in the variable's unit")]


def compare(
    session: Session,
    reference: Reference,
    other: Other,
    variables: Variables = None,
    tolerance: Relative = TOLERANCE,
    absolute: Absolute = 0.0,
) -> None:
    """Compare two result files: every variable of A within a tube; exit code 0 if they agree, 1 if they differ."""
    from acausal.results.compare import compare as compare_results
    from acausal.results.read import read

    found = compare_results(read(reference), read(other), tolerance, absolute, tuple(variables or ()))
    session.finish(str(found), found.data(), code=0 if found.equal else DIFFERENT)


PAGES = (".html", ".htm")
MODELS = (".mdl", ".lib")

Files = Annotated[list[Path], Argument(metavar="RESULT", help="result files", show_default=False)]
Output = Annotated[
    Path | None,
    Option("-o", "--output", metavar="FILE.html", help="the page; default: RESULT.html, and it is opened"),
]


Animation = Annotated[
    Path | None,
    Option(
        "-o",
        "--output",
        metavar="FILE.html",
        help="the animation: .html, .glb, .gif or .mp4; default: RESULT.html, and it is opened",
    ),
]
Curves = Annotated[
    str | None,
    Option(
        "--curves", metavar="X,Y", help="variables or patterns to plot below; default: those of the model's experiment"
    ),
]


def view(session: Session, results: Files, output: Output = None) -> None:
    """Write a web page to browse results: the tree of submodels, values of parameters, curves of several runs."""
    from acausal.cli.commands.plot import results_of
    from acausal.results.view.page import write_view

    path = results[0].with_suffix(".html") if output is None else output
    if path.suffix.lower() not in PAGES:
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: a view is a web page", help="-o FILE.html"))
    require_folder(path)
    found = results_of(list(dict.fromkeys(results)))
    write_view(found, ", ".join(found), path)
    session.say(f"written: {path}")
    if output is None and session.talks:
        _open(path)
    session.finish(data={"written": [str(path)]})


def animate(session: Session, results: Files, output: Animation = None, curves: Curves = None) -> None:
    """Animate the mechanism of one or several result files, which were written with --all."""
    from acausal.cli.commands.plot import results_of
    from acausal.results.animation.build import scene_of
    from acausal.results.animation.write import check_extension, write_animation

    path = results[0].with_suffix(".html") if output is None else output
    check_extension(path)
    require_folder(path)
    for file in results:
        if file.suffix.lower() in MODELS:
            hint = f"acausal simulate {file} --animate {path}, or --all -o RESULT.npz and then animate RESULT.npz"
            raise UsageError(Diagnostic("F001", f"{file} is a model, not a result", help=hint))
    found = results_of(list(dict.fromkeys(results)))
    first = next(iter(found.values()))
    shown = first.plotted if curves is None else first.match(names(curves))
    try:
        scene = scene_of(found, shown)
    except UsageError as error:
        raise UsageError(*[_with_hint(d) for d in error.report.diagnostics]) from None
    write_animation(scene, path)
    session.say(f"written: {path}")
    if output is None and session.talks:
        _open(path)
    session.finish(data={"written": [str(path)]}, report=Report(scene.notes))


def _with_hint(found: Diagnostic) -> Diagnostic:
    """The diagnostic with a hint for files, most of which hold only the variables that plots need."""
    hint = f"result files need all variables of a mechanism: acausal simulate FILE --all -o RESULT.npz; {found.help}"
    return replace(found, help=hint) if found.code == "F015" else found


def _open(path: Path) -> None:
    """Open the page where there is a display."""
    import os
    import sys

    if sys.stdout.isatty() and (sys.platform != "linux" or os.environ.get("DISPLAY")):
        import webbrowser

        webbrowser.open(path.resolve().as_uri())
