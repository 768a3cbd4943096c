"""State of an interactive session: immutable, so that `undo` returns to an earlier one."""

from collections.abc import Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from acausal.base.diagnostics import Diagnostic, Report, UsageError
from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from acausal.ir.program.program import Program
    from acausal.results.expressions import Values
    from acausal.results.result import Result
    from acausal.simulate.run.run import Progress


class Translated(Protocol):
    """A translated model, as far as the session needs it (`acausal.translation.Translation`)."""

    @property
    def name(self) -> str:
        """Name of the model."""
        ...

    @property
    def report(self) -> Report:
        """Warnings and notes."""
        ...

    @property
    def program(self) -> "Program":
        """The generated program."""
        ...

    @property
    def statistics(self) -> Mapping[str, object]:
        """Sizes by name."""
        ...

    def equations(self, stage: str) -> str:
        """The equations of a stage as text."""
        ...

    def graph(self, folder: Path | None = None) -> str:
        """Diagrams as SVG."""
        ...

    def why(self, name: str) -> str:
        """The way of a variable from the text to the code."""
        ...

    def code(self) -> str:
        """The program as text."""
        ...

    def export(self, target: str, path: Path) -> tuple[Path, ...]:
        """Write the files of a target; their paths."""
        ...

    def for_values(self, values: Mapping[str, float]) -> "Translated":
        """The same model translated with other values."""
        ...

    def simulate(
        self,
        *,
        stop: float | None = None,
        interval: float | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
        steady: bool = False,
        parameters: Mapping[str, float] | None = None,
        inputs: Mapping[str, str] | None = None,
        progress: "Progress | None" = None,
    ) -> "Result":
        """A run."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """A model in a file, or entered as `text`; `model` is its name where there are several."""

    file: Path
    text: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A value that was given a name, and the result from which it was computed."""

    value: "Values"
    result: "Result | None"


@dataclass(frozen=True, slots=True)
class Output:
    """File of `outfile`, and what was written to it."""

    file: Path
    text: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """The model, what was set, and the last result.

    `translation` is None where it must be made (again); `named` is the last one that succeeded, which has the names.
    """

    source: Source | None = None
    translation: Translated | None = None
    named: Translated | None = None
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    experiment: Mapping[str, float] = field(default_factory=dict)
    values: Mapping[str, Stored] = field(default_factory=dict)
    last: "Result | None" = None
    language: str = "python"
    output: Output | None = None

    @property
    def roles(self) -> str:
        """Variables made known and unknown in the session, as text; empty if none."""
        parts = [("known", self.known), ("unknown", self.unknown)]
        return "; ".join(f"{word}: {', '.join(names)}" for word, names in parts if names)


_DERIVED = ("translation", "named")


def differ(one: State, other: State) -> bool:
    """True if a command changed what the user has said or computed."""
    names = [f.name for f in fields(State) if f.name not in _DERIVED]
    return any(getattr(one, name) is not getattr(other, name) for name in names)


def misunderstood(message: str, hint: str | None) -> UsageError:
    """F010: the session cannot do what a line says."""
    return UsageError(Diagnostic("F010", message, help=hint))
