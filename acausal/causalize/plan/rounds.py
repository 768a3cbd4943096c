"""The state of causalization between its passes."""

from dataclasses import replace
from typing import TypeVar

from acausal.base.diagnostics import InternalError
from acausal.base.frozen import dataclass
from acausal.ir.dae import Dae, ReducedDae, SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Round:
    """A system `dae` and the results of the passes of this round: see `reduced`, `selection`, `run`.

    `relieved`: redundant constraints have been searched. `changed`: a pass has changed the system, and the passes
    begin again; `last` allows no further change. `most` limits the operations of index reduction.
    """

    flat: FlatModel
    outputs: tuple[Expr, ...]
    most: int
    dae: Dae
    relieved: bool = False
    changed: bool = False
    last: bool = False
    reduced_dae: ReducedDae | None = None
    state_selection: StateSelection | None = None
    sorted_system: SortedSystem | None = None

    def begin(self, *, last: bool) -> "Round":
        """The same system before its first pass."""
        return replace(self.without_results(), changed=False, last=last)

    def without_results(self) -> "Round":
        """The same system, no pass done."""
        return replace(self, reduced_dae=None, state_selection=None, sorted_system=None)

    def change(self, dae: Dae | None) -> "Round":
        """Another system, with which the passes begin again; None leaves it as it is."""
        return self if dae is None or dae is self.dae else replace(self, dae=dae, changed=True)

    def with_reduced(self, reduced: ReducedDae) -> "Round":
        """After index reduction."""
        return replace(self.without_results(), dae=reduced.dae, reduced_dae=reduced)

    def with_selection(self, selection: StateSelection) -> "Round":
        """After the selection of states."""
        return replace(self, dae=selection.reduced.dae, state_selection=selection)

    def with_run(self, run: SortedSystem) -> "Round":
        """After sorting."""
        return replace(self, sorted_system=run)

    @property
    def results(self) -> tuple[ReducedDae | StateSelection | SortedSystem, ...]:
        """Results of the passes done."""
        done = self.reduced_dae, self.state_selection, self.sorted_system
        return tuple([result for result in done if result is not None])

    @property
    def reduced(self) -> ReducedDae:
        """The system with reduced index."""
        return _done(self.reduced_dae, "reduce index")

    @property
    def selection(self) -> StateSelection:
        """The selection of states."""
        return _done(self.state_selection, "select states")

    @property
    def run(self) -> SortedSystem:
        """The sorted system."""
        return _done(self.sorted_system, "sort")


def _done(value: T | None, stage: str) -> T:
    if value is None:
        raise InternalError("causalize", f"the pass '{stage}' has not run")
    return value
