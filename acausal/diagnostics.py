"""Errors and warnings as data: a code, labelled spans, notes and one hint.

Text is made from them in one place, `render.py`. The letter of a code names the
stage: F files and commands, P parsing, N names and classes, T types, shapes and
values, C cuts and connections, U units, B balance, S structure, I initial
values, R running, L limits, W sweeps.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from acausal.source import Span


class Severity(StrEnum):
    """How bad a diagnostic is; notes are information only."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """A place in the source and what is to be said of it."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake, told once.

    `code` is a key of `codes.CODES`; `message` one line in the user's words;
    `primary` the place of the mistake; `secondary` other places that matter;
    `notes` further facts; `help` one hint how to mend it.
    """

    code: str
    message: str
    primary: Label | None = None
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Report:
    """The diagnostics of one run, in the order in which they were found."""

    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Those that stop the run."""
        return tuple(d for d in self.diagnostics if d.severity is Severity.ERROR)

    def with_(self, *more: Diagnostic) -> "Report":
        """This report with further diagnostics at its end."""
        return replace(self, diagnostics=self.diagnostics + more)


class PicklableError(BaseException):
    """An exception that survives pickling and copying, whatever its constructor takes."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[BaseException], arguments: tuple[object, ...], attributes: dict[str, object]) -> BaseException:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(attributes)
    return error


class ModelError(PicklableError, Exception):
    """The model has mistakes: `report` says which (exit code 1)."""

    exit_code = 1

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(f"[{d.code}] {d.message}" for d in diagnostics))
        self.report = Report(diagnostics)


class UsageError(ModelError):
    """The command or call itself is wrong (exit code 2)."""

    exit_code = 2


class SimulationError(ModelError):
    """The run failed (exit code 3); what was computed is kept by the caller."""

    exit_code = 3


class LimitError(ModelError):
    """A limit was hit (exit code 4); the message names it and its option."""

    exit_code = 4


class InternalError(PicklableError, Exception):
    """Our own bug (exit code 70): the stage and what was not as promised."""

    exit_code = 70

    def __init__(self, stage: str, message: str) -> None:
        super().__init__(f"{stage}: {message}")
        self.stage = stage
