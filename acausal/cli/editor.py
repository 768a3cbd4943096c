"""Commands for editors: the language server."""

import sys
from typing import Annotated

from typer import Option

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.cli.session import Session


def lsp(
    session: Session,
    stdio: Annotated[bool, Option("--stdio", help="talk over standard input and output; always so")] = True,
) -> None:
    """Run the language server for editors."""
    del stdio
    from acausal.editor.streams import own_output

    try:
        from acausal.editor.server import make_server
    except ImportError as error:
        if not (error.name or "").startswith(("pygls", "lsprotocol")):
            raise
        hint = "pip install 'acausal[lsp]'"
        raise UsageError(Diagnostic("F007", "the language server requires pygls", help=hint)) from None
    if sys.stdin.isatty():
        session.say("waiting for an editor on standard input; `acausal docs` has a page on how to set one up")
    make_server(tuple(map(str, session.path or ()))).start_io(sys.stdin.buffer, own_output())
