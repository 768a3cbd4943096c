"""The state of causalization between its passes."""

from dataclasses import dataclass, replace
from typing import TypeVar

from acausal.base.diagnostics import InternalError
from acausal.ir.dae import Dae, ReducedDae, SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Round:
    """A system `dae`, and what the passes of this round have made of it.

    `relieved`: redundant constraints have been looked for. `changed`: a pass has changed the system, and the passes
    begin again; `last` allows no further change. `most` limits the operations of index reduction.
    """

    flat: FlatModel
    outputs: tuple[Expr, ...]
    most: int
    dae: Dae
    relieved: bool = False
    changed: bool = False
    last: bool = False
    made: tuple[ReducedDae | None, StateSelection | None, SortedSystem | None] = (None, None, None)

    def begin(self, *, last: bool) -> "Round":
        """The same system before its first pass."""
        return replace(self, changed=False, last=last, made=(None, None, None))

    def change(self, dae: Dae | None) -> "Round":
        """Another system, with which the passes begin again; None leaves it as it is."""
        return self if dae is None or dae is self.dae else replace(self, dae=dae, changed=True)

    def with_reduced(self, reduced: ReducedDae) -> "Round":
        """After index reduction."""
        return replace(self, dae=reduced.dae, made=(reduced, None, None))

    def with_selection(self, selection: StateSelection) -> "Round":
        """After the selection of states."""
        return replace(self, dae=selection.reduced.dae, made=(self.reduced, selection, self.made[2]))

    def with_run(self, run: SortedSystem) -> "Round":
        """After sorting."""
        return replace(self, made=(self.reduced, self.selection, run))

    @property
    def reduced(self) -> ReducedDae:
        """The system with reduced index."""
        return _made(self.made[0], "reduce index")

    @property
    def selection(self) -> StateSelection:
        """The selection of states."""
        return _made(self.made[1], "select states")

    @property
    def run(self) -> SortedSystem:
        """The sorted system."""
        return _made(self.made[2], "sort")


def _made(value: T | None, stage: str) -> T:
    if value is None:
        raise InternalError("causalize", f"the pass '{stage}' has not run")
    return value
