"""The exceptions that carry diagnostics, and what these are made of (`report`)."""

import os

from acausal.base.human_text import human
from acausal.base.report import Diagnostic, Edit, Label, Report, Severity

__all__ = [
    "Diagnostic",
    "Edit",
    "InternalError",
    "Label",
    "LimitError",
    "ModelError",
    "Report",
    "Severity",
    "SimulationError",
    "UsageError",
]


class PicklableError(BaseException):
    """An exception that survives pickling and copying, whatever its constructor takes."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[BaseException], arguments: tuple[object, ...], attributes: dict[str, object]) -> BaseException:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(attributes)
    return error


class ModelError(PicklableError, Exception):
    """The model has mistakes: `report` says which (exit code 1). Its text is that of the command line."""

    exit_code = 1

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.report = Report(diagnostics)

    def __str__(self) -> str:
        return human(self.report, color=False)

    def _render_traceback_(self) -> list[str]:
        """Lines that IPython and notebooks show in place of a traceback."""
        return human(self.report, color=not os.environ.get("NO_COLOR")).split("\n")


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
