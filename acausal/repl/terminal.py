"""The session on a terminal, with history, highlighting and completion; without one, a transcript."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from acausal.base.files.paths import cache_folder
from acausal.repl.interpreter import Interpreter, Reply
from acausal.repl.state import Translated
from acausal.repl.transcript import echo, joined

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings

Names = Iterable[str]
Paths = Iterable[str | Path]

GREETING = "acausal: `help` lists the commands, the tab key completes, Ctrl-D ends the session"


def run(file: Path | None, path: Paths = ()) -> None:
    """A session on standard input and output, beginning with `load FILE` if there is one; it ends with its input."""
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    color = on_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    interpreter = Interpreter(_translate, path, color=color, shown=on_terminal)
    first = [] if file is None else [f"load {file}"]
    if on_terminal:
        _talk(interpreter, first, color)
    else:
        transcribe(interpreter, first, sys.stdin, sys.stdout)


def _translate(
    file: Path, *, model: str | None, known: Names, unknown: Names, path: Paths, text: str | None
) -> Translated:
    """The pipeline, loaded when the first model is."""
    from acausal.pipeline import translate

    return translate(file, model=model, known=known, unknown=unknown, path=path, text=text)


def transcribe(interpreter: Interpreter, first: Iterable[str], lines: Iterable[str], out: TextIO) -> None:
    """Answer line by line; the lines are repeated, so that the whole can be read."""
    for source in (first, joined(lines)):
        for line in source:
            out.write(f"{echo(interpreter.prompt, line)}\n")
            reply = interpreter.execute(line)
            if reply.text:
                out.write(f"{reply.text}\n")
            out.flush()
            if reply.ended:
                return
    reply = interpreter.finish()
    out.write(f"{reply.text}\n" if reply.text else "")


def _talk(interpreter: Interpreter, first: Iterable[str], color: bool) -> None:
    session = _session(interpreter, color)
    print(GREETING)
    for line in first:
        _show(interpreter.execute(line), color)
    while True:
        try:
            line = session.prompt(lambda: interpreter.prompt)
        except KeyboardInterrupt:
            _show(interpreter.cancel(), color)
            continue
        except EOFError:
            if not interpreter.model.entering:
                return
            _show(interpreter.finish(), color)
            continue
        reply = interpreter.execute(line)
        _show(reply, color)
        if reply.ended:
            return


def _show(reply: Reply, color: bool) -> None:
    if reply.text:
        print(_highlighted(reply.text) if color and reply.listing and not reply.failed else reply.text)


def _highlighted(text: str) -> str:
    from pygments import highlight
    from pygments.formatters import TerminalFormatter

    from acausal.syntax.highlight import MdlLexer

    return str(highlight(text, MdlLexer(), TerminalFormatter())).rstrip("\n")


def _session(interpreter: Interpreter, color: bool) -> "PromptSession[str]":
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory
    from prompt_toolkit.lexers import PygmentsLexer
    from prompt_toolkit.output import ColorDepth

    from acausal.repl.highlight import SessionLexer
    from acausal.repl.prompt_completer import PromptCompleter

    history: History = InMemoryHistory()
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "history").touch()
        history = FileHistory(str(folder / "history"))
    except OSError:
        pass  # no place for it: then only for this session
    return PromptSession(
        history=history,
        completer=PromptCompleter(interpreter.model),
        complete_while_typing=False,
        lexer=PygmentsLexer(SessionLexer) if color else None,
        color_depth=None if color else ColorDepth.DEPTH_1_BIT,
        multiline=True,
        prompt_continuation="- ",
        key_bindings=_enter_key(interpreter),
    )


def _enter_key(interpreter: Interpreter) -> "KeyBindings":
    """The enter key begins a new line where the text goes on, and else ends the input."""
    from prompt_toolkit.filters import completion_is_selected, is_searching
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("enter", filter=~completion_is_selected & ~is_searching)
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if interpreter.is_complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.newline(copy_margin=False)

    return keys
