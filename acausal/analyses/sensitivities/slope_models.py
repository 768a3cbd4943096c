"""The models with slopes of a translation, made once for each choice of parameters and variables."""

import threading
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from acausal.analyses.sensitivities.request import SensitivityRequest, parameter_places
from acausal.analyses.sensitivities.slope_model import SlopeModel, folded_among, structural
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


class SlopeModels(Generic[T]):
    """Serves several threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._models: dict[tuple[tuple[str, ...] | None, ...], SlopeModel | T] = {}

    def model(self, translation: T, asked: SensitivityRequest) -> SlopeModel | T:
        """The model, or the translation that has it: without parameters that are part of the equations.

        ModelError A020 for a parameter that determines the structure, UsageError F005 for unknown names.
        """
        key = asked.parameters, asked.variables, asked.integrals
        with self._lock:
            found = self._models.get(key)
            if found is None:
                found = self._made(translation, asked)
                while len(self._models) >= MOST:
                    del self._models[next(iter(self._models))]
                self._models[key] = found
            return found

    def _made(self, translation: T, asked: SensitivityRequest) -> "SlopeModel | T":
        parameter_places(translation.executable.program, asked.parameters)
        model = SlopeModel(translation.executable, asked)
        folded = folded_among(model.first, translation.folded)
        if not folded:
            return model
        if translation.origin is None or set(asked.parameters) <= set(translation.origin.options.tunable):
            raise structural(folded)
        return translation.with_tunable(asked.parameters)
