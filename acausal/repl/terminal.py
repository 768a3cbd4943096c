"""The dialogue on a terminal, with history and completion; without one, a transcript."""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from acausal.base.paths import cache_folder
from acausal.repl.interpreter import Interpreter
from acausal.repl.model import Translated

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

Names = Iterable[str]
Paths = Iterable[str | Path]

PROMPT = "> "
NAME = re.compile(r"[A-Za-z_*][\w.\[\],]*")


def run(file: Path | None, path: Paths = ()) -> None:
    """A dialogue on standard input and output, beginning with `load FILE` if there is one; it ends with its input."""
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    color = on_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    interpreter = Interpreter(_translate, path, color=color)
    first = [] if file is None else [f"load {file}"]
    if on_terminal:
        _talk(interpreter, first)
    else:
        transcribe(interpreter, first, sys.stdin, sys.stdout)


def _translate(file: Path, *, model: str | None, known: Names, unknown: Names, path: Paths) -> Translated:
    """The pipeline, loaded when the first model is."""
    from acausal.pipeline import translate

    return translate(file, model=model, known=known, unknown=unknown, path=path)


def transcribe(interpreter: Interpreter, first: Iterable[str], lines: Iterable[str], out: TextIO) -> None:
    """Answer line by line; the lines are repeated, so that the whole can be read."""
    for source in (first, lines):
        for line in source:
            out.write(f"{PROMPT}{line.rstrip()}\n")
            reply = interpreter.execute(line)
            if reply.text:
                out.write(f"{reply.text}\n")
            out.flush()
            if reply.ended:
                return


def _talk(interpreter: Interpreter, first: Iterable[str]) -> None:
    session = _session(interpreter)
    for line in first:
        _answer(interpreter, line)
    while True:
        try:
            line = session.prompt(PROMPT)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if _answer(interpreter, line):
            return


def _answer(interpreter: Interpreter, line: str) -> bool:
    """Show the reply; whether it was the last."""
    reply = interpreter.execute(line)
    if reply.text:
        print(reply.text)
    return reply.ended


def _session(interpreter: Interpreter) -> "PromptSession[str]":
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import DynamicCompleter, WordCompleter
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory

    history: History = InMemoryHistory()
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "history").touch()
        history = FileHistory(str(folder / "history"))
    except OSError:
        pass  # no place for it: then only for this dialogue
    completer = DynamicCompleter(lambda: WordCompleter(list(interpreter.words()), pattern=NAME))
    return PromptSession(history=history, completer=completer, complete_while_typing=False)
