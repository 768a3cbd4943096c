"""Translations that are made again: with other values and the same first instant, or from a pickle."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.experiment import Start
from acausal.ir.names import show_name
from acausal.stages import Stages

if TYPE_CHECKING:
    from acausal.ir.program.program import Program

Values = Mapping[str, float]


class Model(Protocol):
    """A translated model."""

    @property
    def stages(self) -> Stages:
        """Results of the stages."""
        ...

    @property
    def program(self) -> "Program":
        """The straight-line program."""
        ...

    def started(self, start: Start) -> Self:
        """The model with another first instant."""
        ...


M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class StartedAgain(Generic[M]):
    """Translates a model with other parameter values and the same first instant."""

    again: Callable[[Values], M]
    start: Start

    def __call__(self, values: Values) -> M:
        """The translation for these values; those of the first instant are none of the model's."""
        own = set(map(show_name, self.start.parameters))
        return self.again({name: x for name, x in values.items() if name not in own}).started(self.start)


@dataclass(frozen=True, slots=True)
class StagesAgain:
    """Translates a model again that has come from a pickle; UsageError F014 where its files say something else now."""

    again: Callable[[Values], Model]
    program: "Program"

    def __call__(self) -> Stages:
        """The stages."""
        from acausal.ir.show.program import show_program

        made = self.again({})
        if show_program(made.program) != show_program(self.program):
            raise UsageError(Diagnostic("F014", f"{self.program.name} has changed since it was translated"))
        return made.stages
