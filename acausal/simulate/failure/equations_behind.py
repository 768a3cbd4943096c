"""The equations behind a program: for messages about runs that fail."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.base.frozen import record
from acausal.ir.experiment import AS_MODELED, Start

if TYPE_CHECKING:
    from acausal.ir.dae import ReducedDae
    from acausal.ir.flat import FlatModel


@record(frozen=True, slots=True)
class Equations:
    """Equations of a translation, loaded when a message needs them; `start`: the first instant."""

    source: "Callable[[], ReducedDae]"
    start: Start = AS_MODELED
    written: "Callable[[], FlatModel] | None" = None

    @property
    def reduced(self) -> "ReducedDae":
        """The equations."""
        return self.source()

    @property
    def flat(self) -> "FlatModel | None":
        """The model before its equations were reduced, where it is known."""
        return None if self.written is None else self.written()
