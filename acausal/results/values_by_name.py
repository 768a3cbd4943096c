"""Values of one instant by name, and the form of derivatives that a result may have."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class ValuesByName(dict[str, float]):
    """Values of variables at one instant; `unknown` is the error for a name that is none of them."""

    def __init__(self, values: Mapping[str, float], unknown: Callable[[str], Exception]) -> None:
        super().__init__(values)
        self._unknown = unknown

    def __missing__(self, name: str) -> float:
        raise self._unknown(name)

    def __reduce__(self) -> tuple[object, ...]:
        return dict, (dict(self),)


class Slopes(Protocol):
    """Derivatives of variables with respect to parameters (rows)."""

    def __getitem__(self, pair: tuple[str, str]) -> "Array":
        """Of a variable by a parameter."""
        ...
