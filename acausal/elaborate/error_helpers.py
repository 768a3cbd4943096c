"""Errors with a place, in the user's words, and guesses at misspelled names."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from heapq import nlargest
from typing import Protocol

from acausal.base.diagnostics import Diagnostic, Edit, Label, ModelError
from acausal.base.source import Span


class Suggestion(str):
    """The hint `did you mean RIGHT?` for the word `wrong`; `edits` is the correction that it stands for."""

    wrong: str
    right: str

    @classmethod
    def of(cls, wrong: str, right: str) -> "Suggestion":
        """The hint."""
        made = cls(f"did you mean {right}?")
        made.wrong, made.right = wrong, right
        return made

    def edits(self, span: Span) -> tuple[Edit, ...]:
        """The edit of the only occurrence of the wrong word in a place; none if there are several."""
        found = list(re.finditer(rf"(?<!\w){re.escape(self.wrong)}(?!\w)", span.text))
        if len(found) != 1:
            return ()
        start = span.start + found[0].start()
        return (Edit(Span(span.file, start, start + len(self.wrong)), self.right),)


MOST_COMPARED = 20_000
"""Letters that are compared for a guess; of many names those that begin alike."""


class Named(Protocol):
    """An item of a list with its name and place."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def span(self) -> Span:
        """Position of the token."""


def mistake(
    code: str,
    message: str,
    span: Span,
    text: str = "",
    *,
    others: Sequence[tuple[Span, str]] = (),
    notes: tuple[str, ...] = (),
    hint: str | None = None,
    fix: tuple[Edit, ...] = (),
) -> ModelError:
    """One error at `span`, where `text` is said; `others` are further places with what is said there."""
    secondary = tuple(Label(place, said) for place, said in others)
    if isinstance(hint, Suggestion):
        fix = hint.edits(span)
    return ModelError(Diagnostic(code, message, Label(span, text), secondary, notes, hint, fix=fix))


OWN_VALUES = ("time", "pi")
"""Values of the language itself, which no declaration can give another meaning."""


def need_free(name: str, span: Span) -> None:
    """N021 for a value, argument or loop variable with a name that means something in every expression."""
    if name in OWN_VALUES:
        what = "the time of the run" if name == "time" else "the number 3.14159..."
        raise mistake(
            "N021", f"`{name}` cannot be declared: it is {what}", span, hint=f"rename it, for example to `{name}1`"
        )


def need_distinct(given: Iterable[Named], what: str = "given") -> None:
    """N003 for a name that is given twice, as an attribute, an argument, or in a list of parameters."""
    first: dict[str, Span] = {}
    for item in given:
        known = first.setdefault(item.name, item.span)
        if known is not item.span:
            others = [(known, f"first {what} here")]
            message, hint = f"{item.name} is {what} twice", "remove one of them"
            raise mistake("N003", message, item.span, f"{what} again", others=others, hint=hint)


def did_you_mean(name: str, known: Iterable[str]) -> Suggestion | None:
    """A hint for a misspelled name, if one of the known names is close."""
    names = sorted(known)
    folded = {n.lower(): n for n in reversed(names)}
    if name.lower() in folded:
        return Suggestion.of(name, folded[name.lower()])
    letters = sorted(name.lower())
    exchanged = next((n for low, n in folded.items() if len(low) == len(letters) and sorted(low) == letters), None)
    if exchanged is not None and len(name) > 2:
        return Suggestion.of(name, exchanged)
    if len(name) * len(names) > MOST_COMPARED:
        names = nlargest(MOST_COMPARED // len(name), names, key=lambda n: _alike(n, name))
    close = get_close_matches(name, names, 1)
    return Suggestion.of(name, close[0]) if close else None


def _alike(first: str, second: str) -> int:
    """Length of the common prefix."""
    return next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), len(first))
