"""A model description as data: what an importer needs of it."""

from acausal.base.frozen import record
from acausal.imports.fmu.units import Scale

SCALARS = {
    "Real": "real",
    "Float64": "real",
    "Float32": "real",
    "Integer": "integer",
    "Enumeration": "integer",
    **{f"{sign}Int{bits}": "integer" for sign in ("", "U") for bits in (8, 16, 32, 64)},
    "Boolean": "boolean",
}
"""Types of FMI whose values are numbers, and the types of the language."""
OTHERS = ("String", "Binary", "Clock")


@record(frozen=True, slots=True)
class FmuVariable:
    """A variable of a model description.

    `type` is that of FMI, `number` its place from 1, `starts` its start value, element by element, `clocked` is true if
    its values belong to clocks.
    """

    name: str
    number: int
    reference: int
    type: str
    causality: str
    variability: str
    initial: str
    shape: tuple[int, ...]
    starts: tuple[float, ...]
    scale: Scale | None
    minimum: float | None
    maximum: float | None
    nominal: float | None
    description: str
    derivative: int | None
    clocked: bool

    @property
    def size(self) -> int:
        """The number of elements."""
        count = 1
        for length in self.shape:
            count *= length
        return count


@record(frozen=True, slots=True)
class Unknown:
    """An output, derivative or initial unknown, and the variables that it depends on; None: all that are known."""

    variable: FmuVariable
    dependencies: tuple[FmuVariable, ...] | None


@record(frozen=True, slots=True)
class Interface:
    """Model Exchange or Co-Simulation: the name of the binary, and what it is capable of."""

    identifier: str
    has_state: bool
    """The state of the FMU can be read and set."""
    needs_steps: bool
    """Accepted steps of the solver have to be reported."""
    variable_step: bool
    needs_tool: bool
    has_derivatives: bool
    """Directional derivatives are offered."""


@record(frozen=True, slots=True)
class ModelDescription:
    """`states` are the derivatives of continuous states in their order, `indicators` counts event indicators.

    `platforms` are the folders of binaries in the archive.
    """

    version: int
    name: str
    description: str
    tool: str
    token: str
    exchange: Interface | None
    cosimulation: Interface | None
    variables: tuple[FmuVariable, ...]
    outputs: tuple[Unknown, ...]
    states: tuple[Unknown, ...]
    initial: tuple[Unknown, ...]
    indicators: int
    start: float | None
    stop: float | None
    step: float | None
    platforms: tuple[str, ...]

    def variable_at(self, number: int) -> FmuVariable:
        """The variable at a place from 1."""
        return self.variables[number - 1]

    def with_causality(self, *causalities: str) -> tuple[FmuVariable, ...]:
        """The variables of some causalities whose values are numbers."""
        return tuple([v for v in self.variables if v.causality in causalities and v.type in SCALARS])
