"""Entries of the reference: libraries, classes and what they declare.

{ Capacitor: C*der(u) = i. Starts from (ic u=...). }
model class (twopin) capacitor            ClassSummary("capacitor", "electrical.lib", ...)
  parameter C (unit="F") "capacitance"    ValueEntry("C", "parameter", unit "F", default None, "capacitance")
"""

from pathlib import Path

from acausal.base.frozen import dataclass
from acausal.reference.comments import first_sentence


@dataclass(frozen=True, slots=True)
class ValueEntry:
    """A parameter or variable of a class.

    `unit` is the declared one, else the one that equations and connections determine (`inferred`), else None.
    `default` is the text of the value; `computed` if it depends on other parameters. `home` is the class that declares
    it; `order` is that of the derivative for a place of a ladder, of the variable `of`.
    """

    name: str
    kind: str
    type: str
    dimensions: str
    unit: str | None
    inferred: bool
    default: str | None
    computed: bool
    minimum: str | None
    maximum: str | None
    description: str
    home: str
    of: str | None = None
    order: int = 0


@dataclass(frozen=True, slots=True)
class CutEntry:
    """A cut: its text as declared, and the names of its across and through variables (none if hierarchical).

    `outward` are the through variables that count positive out of the class, `parts` the cuts of a hierarchical cut,
    `target` the cut of a submodel that this one exports.
    """

    name: str
    text: str
    main: bool
    across: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    outward: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    target: str = ""


@dataclass(frozen=True, slots=True)
class StatementEntry:
    """An equation or connect statement as written, and the class it stands in."""

    text: str
    home: str


@dataclass(frozen=True, slots=True)
class ExampleEntry:
    """A small model that runs: the text of `model` in the file of examples, with the includes that it needs."""

    name: str
    text: str
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """A class of a library: `also` are further libraries that define a class of this name.

    `comment` is what stands before the class, `summary` its first sentence; `file` and `line` are where it is written.
    """

    name: str
    library: str
    also: tuple[str, ...]
    file: Path
    line: int
    comment: str
    supers: tuple[str, ...]

    @property
    def summary(self) -> str:
        """The first sentence of the comment."""
        return first_sentence(self.comment)


@dataclass(frozen=True, slots=True)
class FunctionSummary:
    """A function of a library."""

    name: str
    arguments: tuple[str, ...]
    comment: str


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """A library file: its opening comment, the libraries that it includes, its classes and functions.

    `classes` are those that no library before it defines; the others it defines in place of those of `variant_of`.
    """

    name: str
    file: Path
    comment: str
    includes: tuple[str, ...]
    classes: tuple[ClassSummary, ...]
    functions: tuple[FunctionSummary, ...]
    variant_of: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """The first sentence of the comment."""
        return first_sentence(self.comment)


@dataclass(frozen=True, slots=True)
class ClassEntry:
    """All about one class, inherited items included.

    `ends` are the first and last cut of the main path. `states` are variables whose derivatives occur, with the order
    of the highest. `equations` counts scalar equations for the default sizes, `missing` those that neither the class
    nor its connections give: they come from a subclass or from the model around. Both are None for a superclass that
    means nothing by itself.
    """

    about: ClassSummary
    ancestors: tuple[str, ...]
    inherited_by: tuple[str, ...]
    cuts: tuple[CutEntry, ...]
    paths: tuple[str, ...]
    ends: tuple[str, ...]
    parameters: tuple[ValueEntry, ...]
    variables: tuple[ValueEntry, ...]
    submodels: tuple[StatementEntry, ...]
    statements: tuple[StatementEntry, ...]
    states: tuple[tuple[str, int], ...]
    equations: int | None
    missing: int | None
    example: ExampleEntry | None
