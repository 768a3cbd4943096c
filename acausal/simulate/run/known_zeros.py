"""Values of 0 that a symbol stands for, which the equations may divide by: i = u/R has no value at R = 0.

What fails with them is tried again with a translation in which they are known, and which has other formulas: u = 0.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, Self, TypeVar

from acausal.base.diagnostics import Diagnostic, ModelError, Severity
from acausal.ir.names import Name, listed, show_name

UNITS = (0.0, 1.0, -1.0)
"""The values that are part of the equations of a translation."""

MOST_NAMED = 4
"""So many parameters a note names."""
Pattern = tuple[float | None, ...]
"""Where values are UNITS: one translation serves all values of a pattern."""


class Translated(Protocol):
    """A translated model."""

    @property
    def folded(self) -> tuple[Name, ...]:
        """The parameters whose values are part of the equations."""
        ...

    def with_known_zeros(self, given: Mapping[str, float]) -> Self | None:
        """The same model translated with these values; None where they have no translation."""
        ...


M = TypeVar("M", bound=Translated)
T = TypeVar("T")


def pattern_of(values: Sequence[float]) -> Pattern:
    """The pattern of values."""
    return tuple([value if value in UNITS else None for value in values])


def zeros_of(folded: Collection[Name], given: Mapping[str, float]) -> tuple[str, ...]:
    """The given parameters with the value 0 that symbols stand for."""
    zeros = [name for name, value in given.items() if value == 0.0]
    known = set(map(show_name, folded)) if zeros else set()
    return tuple([name for name in zeros if name not in known])


def retranslated_for(zeros: Sequence[str]) -> Diagnostic:
    """The note R012 for these parameters."""
    message = f"retranslated for the value 0 of {listed(zeros, MOST_NAMED)}, which equations may divide by"
    return Diagnostic("R012", message, severity=Severity.NOTE)


def translated_for(values: Mapping[str, float], again: Callable[[Mapping[str, float]], T]) -> T | None:
    """The translation that `again` makes for these values; None where there is none."""
    try:
        return again(values)
    except ModelError:
        return None


def has_failed(notes: Sequence[Diagnostic]) -> bool:
    """True if these notes say that there are variables that are no finite numbers."""
    return bool(notes) and any(note.code == "R004" for note in notes)


def with_retry(model: M, given: Mapping[str, float], attempt: Callable[[M], T], has_failed: Callable[[T], bool]) -> T:
    """Attempt with the model or, where that fails, with one that knows the zeros among the given values.

    Where this fails, too, or there is no such translation, the first attempt counts, with its error.
    """
    try:
        found = attempt(model)
    except ModelError:
        better = _better(model, given, attempt, has_failed)
        if better is None:
            raise
        return better
    if not has_failed(found):
        return found
    better = _better(model, given, attempt, has_failed)
    return found if better is None else better


def _better(
    model: M, given: Mapping[str, float], attempt: Callable[[M], T], has_failed: Callable[[T], bool]
) -> T | None:
    known = model.with_known_zeros(given) if zeros_of(model.folded, given) else None
    if known is None:
        return None
    try:
        found = attempt(known)
    except ModelError:
        return None
    return None if has_failed(found) else found
