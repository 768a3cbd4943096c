"""Model of an interactive session: a file, roles and values, and the last result."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from acausal.base.diagnostics import Diagnostic, Report, UsageError
from acausal.ir.names import show_derivative, show_name

if TYPE_CHECKING:
    from acausal.ir.program import Program
    from acausal.results.result import Result


class Translated(Protocol):
    """A translated model, as far as the dialogue needs it (`acausal.translation.Translation`)."""

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
        """The equations as text: flat, sorted or solved."""
        ...

    def why(self, name: str) -> str:
        """The way of a variable from the text to the code."""
        ...

    def code(self) -> str:
        """The program as text."""
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
    ) -> "Result":
        """A run."""
        ...


Translate = Callable[..., Translated]
"""`acausal.pipeline.translate`."""


class Model:
    """The file and the model in it; translated when it is first needed, and again after changes."""

    def __init__(self, translate: Translate, path: Iterable[str | Path]) -> None:
        self.file: Path | None = None
        self.known: list[str] = []
        self.unknown: list[str] = []
        self.parameters: dict[str, float] = {}
        self.inputs: dict[str, str] = {}
        self.last: Result | None = None
        self._name: str | None = None
        self._translate = translate
        self._path = tuple(path)
        self._translation: Translated | None = None
        self._named: Translated | None = None  # the last translation that succeeded has the names

    def load(self, file: Path, name: str | None) -> Translated:
        """Begin with another file; what was set before is forgotten."""
        self.file, self._name = file, name
        self.known, self.unknown, self.parameters, self.inputs = [], [], {}, {}
        self.last = self._named = None
        self.changed()
        return self.translation

    def changed(self) -> None:
        """The translation no longer fits."""
        self._translation = None

    @property
    def translation(self) -> Translated:
        """The model translated with what is known; UsageError F010 without a file."""
        if self.file is None:
            raise misunderstood("no model is loaded", "load FILE")
        if self._translation is None:
            known, unknown = tuple(self.known), tuple(self.unknown)
            self._translation = self._translate(
                self.file, model=self._name, known=known, unknown=unknown, path=self._path
            )
            self._named = self._translation
        return self._translation

    @property
    def result(self) -> "Result":
        """The last result; UsageError F010 before the first run."""
        if self.last is None:
            raise misunderstood("no result yet", "simulate")
        return self.last

    def role(self, name: str, known: bool) -> None:
        """Make a variable known or unknown; the opposite wish for it is dropped."""
        to, other = (self.known, self.unknown) if known else (self.unknown, self.known)
        if name in other:
            other.remove(name)
        elif name not in to:
            to.append(name)
        self.changed()

    @property
    def roles(self) -> str:
        """Variables made known and unknown in the session, as text; empty if none."""
        parts = [("known", self.known), ("unknown", self.unknown)]
        return "; ".join(f"{word}: {', '.join(names)}" for word, names in parts if names)

    @property
    def present_inputs(self) -> dict[str, str]:
        """The signals of what is an input at present: what was made unknown again keeps its signal for later."""
        inputs = [show_derivative(*symbol) for symbol in self.translation.program.input_slots]
        return {name: signal for name, signal in self.inputs.items() if name in inputs}

    def names(self) -> tuple[str, ...]:
        """Variables and parameters of the model, as far as it is translated."""
        return (*self.variable_names(), *self.parameter_names()) if self._named else ()

    def variable_names(self) -> tuple[str, ...]:
        """The variables, derivatives among them; UsageError F010 without a file."""
        program = (self._named or self.translation).program
        inputs = [show_derivative(*symbol) for symbol in program.input_slots]
        return tuple(dict.fromkeys([show_derivative(*slot.symbol) for slot in program.variable_slots] + inputs))

    def parameter_types(self) -> dict[str, str]:
        """The parameters that can be set, with their types; UsageError F010 without a file."""
        program = (self._named or self.translation).program
        return {show_name(s.name): s.type for s in program.parameter_slots if not s.constant}

    def parameter_names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.parameter_types())


def misunderstood(message: str, hint: str | None) -> UsageError:
    """F010: the dialogue cannot do what a line says."""
    return UsageError(Diagnostic("F010", message, help=hint))
