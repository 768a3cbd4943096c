"""Guesses at misspelled names, and the error for an unknown one."""

import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from heapq import nlargest

from acausal.base.diagnostics import Diagnostic, Edit, UsageError
from acausal.base.source import Span

MOST_COMPARED = 20_000
"""Letters that are compared for a guess; of many names those that begin alike."""
SHOWN = 6
"""Names that a hint lists at most."""


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


def did_you_mean(name: str, known: Iterable[str]) -> Suggestion | None:
    """A hint for a misspelled name, if one of the known names is close."""
    near = near_name(name, known)
    return None if near is None else Suggestion.of(name, near)


def near_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that is close to a misspelled one, if there is one."""
    names = sorted(known)
    folded = {n.lower(): n for n in reversed(names)}
    if name.lower() in folded:
        return folded[name.lower()]
    letters = sorted(name.lower())
    exchanged = next((n for low, n in folded.items() if len(low) == len(letters) and sorted(low) == letters), None)
    if exchanged is not None and len(name) > 2:
        return exchanged
    if len(name) * len(names) > MOST_COMPARED:
        names = nlargest(MOST_COMPARED // len(name), names, key=lambda n: _alike(n, name))
    close = get_close_matches(name, names, 1)
    return close[0] if close else None


def unknown_name(what: str, name: str, known: Collection[str], otherwise: str | None = None) -> UsageError:
    """UsageError F005 for an unknown name: the one that is meant, else the hint `otherwise`, else the known names."""
    hint = array_elements(name, known) or did_you_mean(name, known) or otherwise or known_names(known)
    return UsageError(Diagnostic("F005", f"unknown {what} {name}", help=hint))


def with_elements(names: Iterable[str], known: Collection[str]) -> tuple[str, ...]:
    """The names, that of a whole array replaced by those of its elements in order."""
    found: list[str] = []
    for name in names:
        elements = [] if name in known else [other for other in known if _is_element(other, name)]
        found += elements or [name]
    return tuple(found)


def _is_element(other: str, array: str) -> bool:
    """True for u[1,2] of u."""
    indices = other.removeprefix(f"{array}[").removesuffix("]")
    return len(indices) == len(other) - len(array) - 2 and all(part.isdecimal() for part in indices.split(","))


def array_elements(name: str, known: Collection[str]) -> str | None:
    """A hint for the name of a whole array whose elements are known."""
    found = [other for other in known if other.startswith(f"{name}[")]
    shown = ", ".join([*found[:SHOWN], *(["..."] if len(found) > SHOWN else [])])
    return f"{name} is an array: name its elements, {shown}" if found else None


def known_names(known: Collection[str]) -> str | None:
    """A hint that lists the first of the known names; None if there are none."""
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return f"known: {', '.join(list(known)[:SHOWN])}{more}" if known else None


def _alike(first: str, second: str) -> int:
    """Length of the common prefix."""
    return next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), len(first))
