"""Results as an animation sees them: columns over time, and parameters."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from acausal.ir.program.slots import TextSlot
from acausal.results.formats.columns import Column

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Source(Protocol):
    """The variables of a run over time by their names."""

    name: str
    time: "Array"
    columns: Mapping[str, Column]
    parameters: Mapping[str, Column]
    texts: Mapping[str, TextSlot]

    def __getitem__(self, name: str, /) -> "Array":
        """The values of a variable or parameter at `time`."""

    def __contains__(self, name: object, /) -> bool:
        """True if there is a variable or parameter of this name."""

    def column(self, name: str) -> Column:
        """Column of a variable or parameter."""
