"""The models with slopes of a translation, made once for each choice of parameters and variables."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from acausal.analyses.sensitivities.request import SensitivityRequest, parameter_places
from acausal.analyses.sensitivities.slope_model import SlopeModel, folded_among, structural
from acausal.base.bounded_cache import BoundedCache
from acausal.ir.names import Name

if TYPE_CHECKING:
    from acausal.codegen.executable import Executable
    from acausal.sweep.origin import Origin

MOST = 16
"""So many models with slopes are kept."""


class Tunable(Protocol):
    """A translation."""

    origin: "Origin | None"

    @property
    def executable(self) -> "Executable":
        """The program."""
        ...

    @property
    def folded(self) -> tuple[Name, ...]:
        """Parameters that are part of the equations."""
        ...

    def with_tunable(self: "T", names: tuple[str, ...]) -> "T":
        """The translation where these are not."""
        ...


T = TypeVar("T", bound=Tunable)
M = TypeVar("M")


class TunableModels(Generic[T, M]):
    """Models by what is asked for, made once; serves several threads."""

    def __init__(self) -> None:
        self._models: BoundedCache[M | T] = BoundedCache(MOST)

    def kept(self, key: object, make: Callable[[], M | T]) -> M | T:
        """The model of a key."""
        return self._models.get(key, make)

    def tunable(self, translation: T, parameters: tuple[str, ...], folded: tuple[str, ...]) -> T | None:
        """The translation where the `folded` parameters are not part of the equations; None where there are none.

        ModelError A020 for a parameter that determines the structure.
        """
        if not folded:
            return None
        if translation.origin is None or set(parameters) <= set(translation.origin.options.tunable):
            raise structural(folded)
        return translation.with_tunable(parameters)


class SlopeModels(TunableModels[T, SlopeModel]):
    """Models with slopes."""

    def model(self, translation: T, asked: SensitivityRequest) -> SlopeModel | T:
        """The model, or the translation that has it: without parameters that are part of the equations.

        ModelError A020 for a parameter that determines the structure, UsageError F005 for unknown names.
        """

        def made() -> SlopeModel | T:
            parameter_places(translation.executable.program, asked.parameters)
            model = SlopeModel(translation.executable, asked)
            return self.tunable(translation, asked.parameters, folded_among(model.first, translation.folded)) or model

        return self.kept((asked.parameters, asked.variables, asked.integrals), made)
