"""Errors and warnings as data: a code, labelled spans, notes and one hint.

Text is made from them in `text/` and `render/`. The letter of a code names the
stage: F files and commands, P parsing, N names and classes, T types, shapes and
values, C cuts and connections, U units, B balance, S structure, I initial
values, R running, L limits, W sweeps.
"""

from dataclasses import replace
from enum import StrEnum

from acausal.base.frozen import dataclass
from acausal.base.source import Span


class Severity(StrEnum):
    """Severity of a diagnostic; notes are information only."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """A place in the source and what is to be said of it."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A correction of the text: `text` in place of the characters of `span`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake, reported once.

    `code` is a key of `codes.CODES`; `message` one line in the user's words;
    `primary` the place of the mistake; `secondary` other places that matter;
    `notes` further facts; `help` one hint how to correct it. Where the correction is certain, `fix` says the same
    as edits of the text, for SARIF and editors.
    """

    code: str
    message: str
    primary: Label | None = None
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    severity: Severity = Severity.ERROR
    fix: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The diagnostics of one run, in the order in which they were found."""

    diagnostics: tuple[Diagnostic, ...] = ()

    def __repr__(self) -> str:
        counts = [(s.value, sum(d.severity is s for d in self.diagnostics)) for s in Severity]
        found = [f"{n} {name}{'s' if n > 1 else ''}" for name, n in counts if n]
        lines = [f"  {d.severity.value}[{d.code}]: {d.message}" for d in self.diagnostics]
        return "\n".join([f"<Report: {', '.join(found) or 'no errors or warnings'}>", *lines])

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Diagnostics that stop the run."""
        return tuple(d for d in self.diagnostics if d.severity is Severity.ERROR)

    def with_(self, *more: Diagnostic) -> "Report":
        """Copy of the report with further diagnostics appended."""
        return replace(self, diagnostics=self.diagnostics + more)
