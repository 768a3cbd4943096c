"""The dialogue without a terminal: a line in, text out; a mistake is an answer like any other."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from acausal.base.diagnostics import InternalError, ModelError, Report
from acausal.render import render
from acausal.repl.commands import COMMANDS, show_value
from acausal.repl.model import Model, Translate

END = ("quit", "exit")


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer of the session; `failed` if the line was a mistake, `ended` if it was the last."""

    text: str = ""
    failed: bool = False
    ended: bool = False


class Interpreter:
    """One dialogue."""

    def __init__(self, translate: Translate, path: Iterable[str | Path] = (), color: bool = False) -> None:
        self.model = Model(translate, path)
        self._color = color

    def execute(self, line: str) -> Reply:
        """Do what one line says; nothing is raised."""
        text = line.strip()
        if text in END:
            return Reply(ended=True)
        if not text or (text.startswith("{") and text.endswith("}")):
            return Reply()
        try:
            return Reply(self._answer(text).rstrip("\n"))
        except ModelError as error:
            return Reply(render(self._report(text, error.report), color=self._color), failed=True)
        except KeyboardInterrupt as stop:
            return Reply(str(stop) or "interrupted", failed=True)
        except Exception as error:  # our own bugs must not end a dialogue either
            shown = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
            return Reply(
                f"internal error: {shown}\nThis is a bug in acausal: please report it with the model.", failed=True
            )

    def words(self) -> tuple[str, ...]:
        """All that can be completed: commands and names of the model."""
        names = self.model.names()
        return (*COMMANDS, *END, *names)

    def _answer(self, text: str) -> str:
        word, _, rest = text.partition(" ")
        command = COMMANDS.get(word)
        return show_value(self.model, text) if command is None else command.run(self.model, rest)

    def _report(self, text: str, report: Report) -> Report:
        """Report of an error; a misspelled command was taken for an expression at first.

        Too many or too few equations are often due to what the dialogue made known.
        """
        if self.model.roles:
            note = f"in this dialogue {self.model.roles}"
            noted = [replace(d, notes=(*d.notes, note)) if d.code[0] == "S" else d for d in report.diagnostics]
            report = Report(tuple(noted))
        word = text.split(maxsplit=1)[0]
        near = [] if word in COMMANDS else get_close_matches(word, [*COMMANDS, *END], 1, 0.75)
        if not near:
            return report
        return Report(tuple([replace(d, help=f"did you mean the command {near[0]}?") for d in report.diagnostics]))
