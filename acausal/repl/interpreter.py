"""The session without a terminal: a line in, text out; a mistake is an answer like any other."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from acausal.base.diagnostics import InternalError, ModelError, Report
from acausal.base.frozen import dataclass
from acausal.render import render
from acausal.repl.answers import answer
from acausal.repl.command import END, Command
from acausal.repl.commands import COMMANDS
from acausal.repl.entry import begins_model, goes_on, is_whole, model_file
from acausal.repl.model import Model, Translate
from acausal.repl.model_commands import enter_text, load
from acausal.repl.state import misunderstood
from acausal.repl.transcript import PROMPTS, commands_of, echo

MOST_FILES = 10
"""Files of commands that may run each other."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer of the session; `failed` if the line was a mistake, `ended` if it was the last.

    A `listing` is text of the language, which a terminal may highlight.
    """

    text: str = ""
    failed: bool = False
    ended: bool = False
    listing: bool = False


class Interpreter:
    """One session; `shown` if progress is displayed."""

    def __init__(
        self, translate: Translate, path: Iterable[str | Path] = (), color: bool = False, shown: bool = False
    ) -> None:
        self.model = Model(translate, path, shown, color)
        self.model.run_file = self._run_file
        self._entry: list[str] = []
        self._files = 0

    @property
    def prompt(self) -> str:
        """Prompt of the next line: another one within the text of a model."""
        return PROMPTS[self.model.entering]

    def is_complete(self, text: str) -> bool:
        """True if nothing of a line or of the text of a model is missing."""
        if self.model.entering or begins_model(text):
            return is_whole("\n".join([*self._entry, text]))
        command, _ = _split(text.strip())
        return (command is not None and command.takes_file) or not goes_on(text)

    def execute(self, line: str) -> Reply:
        """Do what one line says; nothing is raised."""
        text = line.strip()
        if self.model.entering or begins_model(text):
            return self._enter(line)
        if text in END:
            return Reply(ended=True)
        if not text or (text.startswith("{") and text.endswith("}")):
            return Reply()
        command, rest = _split(text)
        if command is None:
            return self._answered(text, lambda: answer(self.model, text, (*COMMANDS, *END)))
        return self._answered(text, lambda: command.run(self.model, rest), command.listing)

    def cancel(self) -> Reply:
        """Give up the text of a model that was begun."""
        entering, self.model.entering, self._entry = self.model.entering, False, []
        return Reply("the text was discarded" if entering else "")

    def finish(self) -> Reply:
        """The end of the input: the text of a model that was begun is taken as it is."""
        return self._entered() if self._entry else self.cancel()

    def _enter(self, text: str) -> Reply:
        """Lines of the text of a model."""
        self.model.entering = True
        self._entry += text.split("\n")
        return self._entered() if is_whole("\n".join(self._entry)) else Reply()

    def _entered(self) -> Reply:
        text = "\n".join(self._entry)
        self.cancel()
        if not text.strip():
            return Reply("no model was entered")
        file = model_file(text)
        first = text.strip().partition("\n")[0]
        return self._answered(first, lambda: load(self.model, file) if file else enter_text(self.model, f"{text}\n"))

    def _answered(self, text: str, work: Callable[[], str], listing: bool = False) -> Reply:
        before = self.model.state
        try:
            reply = Reply(work().rstrip("\n"), listing=listing)
        except ModelError as error:
            reply = Reply(render(self._report(error.report), color=self.model.color), failed=True)
        except KeyboardInterrupt as stop:
            reply = Reply(str(stop) or "interrupted", failed=True)
        except Exception as error:  # our own bugs must not end a session either
            shown = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
            reply = Reply(
                f"internal error: {shown}\nThis is a bug in acausal: please report it with the model.", failed=True
            )
        if text.split(maxsplit=1)[0] != "undo":
            self.model.remember(text, before)
        return reply

    def _run_file(self, file: Path) -> str:
        """The lines of a file and the answers to them, as in a transcript."""
        from acausal.syntax.read import read_source

        if self._files >= MOST_FILES:
            raise misunderstood(f"{file}: more than {MOST_FILES} files of commands run each other", None)
        shown: list[str] = []
        self._files += 1
        try:
            for line in commands_of(read_source(file).text):
                shown.append(echo(self.prompt, line))
                reply = self.execute(line)
                shown += [reply.text] if reply.text else []
                if reply.ended:
                    break
            shown += [text for text in [self.finish().text] if text]
        finally:
            self._files -= 1
        return "\n".join(shown)

    def _report(self, report: Report) -> Report:
        """Report of an error: too many or too few equations are often due to what the session made known."""
        roles = self.model.state.roles
        if not roles:
            return report
        note = f"in this session {roles}"
        return Report(
            tuple([replace(d, notes=(*d.notes, note)) if d.code[0] == "S" else d for d in report.diagnostics])
        )


def _split(text: str) -> tuple[Command | None, str]:
    """The command of a line and its arguments; None for an expression."""
    if text.startswith("@"):
        return COMMANDS["@"], text[1:]
    word, _, rest = text.partition(" ")
    command = COMMANDS.get(word)
    if rest.lstrip().startswith("=") and not rest.lstrip().startswith("=="):
        command = None  # `check = 3` gives a value a name
    return command, rest.replace("\n", " ")
