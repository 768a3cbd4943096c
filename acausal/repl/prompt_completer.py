"""Completion in the form of prompt_toolkit."""

from collections.abc import Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from acausal.repl.commands import COMMANDS
from acausal.repl.completion import complete
from acausal.repl.model import Model


class PromptCompleter(Completer):
    """Words for the tab key, with what a command does."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:  # noqa: ARG002
        """The words that the one before the cursor may become."""
        text = document.text_before_cursor
        begun, words = complete(self._model, text)
        at_start = begun == text.lstrip()
        for word in words:
            about = COMMANDS[word].about if at_start and word in COMMANDS else None
            yield Completion(word, -len(begun), display_meta=about)
