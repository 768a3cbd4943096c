"""The command `view`: result files as a web page to browse them."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.regular_files import is_folder
from acausal.cli.session import Session

PAGES = (".html", ".htm")

Files = Annotated[list[Path], Argument(metavar="RESULT", help="result files", show_default=False)]
Output = Annotated[
    Path | None,
    Option("-o", "--output", metavar="FILE.html", help="the page; default: RESULT.html, and it is opened"),
]


def view(session: Session, results: Files, output: Output = None) -> None:
    """Write a web page to browse results: the tree of submodels, values of parameters, curves of several runs."""
    from acausal.cli.plot import results_of
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
