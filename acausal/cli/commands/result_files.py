"""The commands `compare` and `view`: result files against each other, and as a web page."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.regular_files import is_folder
from acausal.cli.session import Session

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
        help="allowed deviation as a share of a variable's range, and allowed shift as a share of the duration",
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

Files = Annotated[list[Path], Argument(metavar="RESULT", help="result files", show_default=False)]
Output = Annotated[
    Path | None,
    Option("-o", "--output", metavar="FILE.html", help="the page; default: RESULT.html, and it is opened"),
]


def view(session: Session, results: Files, output: Output = None) -> None:
    """Write a web page to browse results: the tree of submodels, values of parameters, curves of several runs."""
    from acausal.cli.commands.plot import results_of
    from acausal.results.view.page import write_view

    path = results[0].with_suffix(".html") if output is None else output
    if path.suffix.lower() not in PAGES:
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: a view is a web page", help="-o FILE.html"))
    if not is_folder(path.parent):
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: no folder {path.parent}"))
    found = results_of(list(dict.fromkeys(results)))
    write_view(found, ", ".join(found), path)
    session.say(f"written: {path}")
    if output is None and session.talks:
        _open(path)
    session.finish(data={"written": [str(path)]})


def _open(path: Path) -> None:
    """Open the page where there is a display."""
    import os
    import sys

    if sys.stdout.isatty() and (sys.platform != "linux" or os.environ.get("DISPLAY")):
        import webbrowser

        webbrowser.open(path.resolve().as_uri())
