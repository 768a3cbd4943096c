"""Commands for editors: the language server, and grammars and extensions as files."""

import gc
import sys
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.cli.process.session import Session

Kind = Literal["vscode", "textmate", "tree-sitter"]


def lsp(
    session: Session,
    stdio: Annotated[bool, Option("--stdio", help="use standard input and output (always the case)")] = True,
) -> None:
    """Run the language server for editors."""
    del stdio
    from acausal.editor.checks.streams import own_output

    try:
        from acausal.editor.server.make_server import make_server
    except ImportError as error:
        if not (error.name or "").startswith(("pygls", "lsprotocol")):
            raise
        hint = "pip install 'acausal[lsp]'"
        raise UsageError(Diagnostic("F007", "the language server requires pygls", help=hint)) from None
    if sys.stdin.isatty():
        session.say("waiting for an editor on standard input; `acausal docs` has a page on how to set one up")
    gc.disable()  # the server collects garbage when nothing is typed
    make_server(tuple(map(str, session.path or ()))).start_io(sys.stdin.buffer, own_output())


def editor(
    session: Session,
    kind: Annotated[
        Kind,
        Argument(
            metavar="KIND",
            help="vscode: an extension; textmate: a grammar for highlighting; tree-sitter: a grammar for parsing",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        Option("-o", "--output", metavar="OUT", help="write to this file; tree-sitter: into this folder"),
    ] = None,
) -> None:
    """Write files for editors: an extension of VS Code, grammars."""
    from acausal.editor.grammars.textmate import textmate
    from acausal.editor.grammars.tree_sitter import tree_sitter
    from acausal.editor.grammars.vsix import vsix

    if kind == "textmate":
        text = textmate()
        if output is None:
            session.finish(text.rstrip("\n"), {"text": text})
            return
        _write(output, text.encode())
    elif output is None:
        example = "-o acausal.vsix" if kind == "vscode" else "-o tree-sitter-acausal"
        raise UsageError(Diagnostic("F006", f"`acausal editor {kind}` writes files", help=f"say where: {example}"))
    elif kind == "vscode":
        _write(output, vsix())
    else:
        for name, content in tree_sitter().items():
            _write(output / name, content)
    session.say(f"written: {output}")
    session.finish(data={"written": [str(output)]})


def _write(path: Path, content: bytes) -> None:
    """The file, replaced whole; F008 where it cannot be written."""
    from acausal.base.files.output_folder import cannot_write
    from acausal.base.files.writing import save_bytes

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None
    save_bytes(path, content)
