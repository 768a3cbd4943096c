"""The command `repl`."""

from pathlib import Path
from typing import Annotated

from typer import Argument

from acausal.cli.process.session import Session


def repl(
    session: Session,
    file: Annotated[Path | None, Argument(metavar="FILE", help="a model file to load", show_default=False)] = None,
) -> None:
    """Start an interactive session; commands may be piped in."""
    from acausal.cli.process.streams import restore_signals
    from acausal.repl import run

    restore_signals()
    run(file, path=session.path or ())
