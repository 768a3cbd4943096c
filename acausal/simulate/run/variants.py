"""A translation with other states, for the parameter values of one run."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from acausal.ir.names import Symbol
from acausal.simulate.failure.recovery import EQUATIONS
from acausal.simulate.system.parameters import parameter_values

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.codegen.native.state_sets import Best, OtherStates
    from acausal.simulate.system.state_transfer import StateTransfers


class Variants(Protocol):
    """The same model with other states."""

    @property
    def transfers(self) -> "StateTransfers":
        """State transfers between its programs."""
        ...

    def good_at(
        self, executable: "Executable", best: "Best", values: Callable[[], Mapping[Symbol, float]]
    ) -> "Executable":
        """The code with the best dummies instead of those of this one; `values` are those of all variables."""
        ...

    def good_for(self, executable: "Executable", values: Mapping[Symbol, float]) -> "Executable":
        """The code for states that are good where variables have these values; maybe this one."""
        ...

    def parameters(self, executable: "Executable") -> "Array":
        """p for this code."""
        ...

    def dummies(self, executable: "Executable") -> tuple[str, ...]:
        """The dummy derivatives of this code by name."""
        ...

    def with_dummies(self, dummies: tuple[str, ...]) -> "Executable":
        """The code with these dummy derivatives."""
        ...


class ForValues:
    """The variants of one translation; `others` are made when a run first wants other states."""

    def __init__(
        self, others: "Callable[[], OtherStates]", transfers: "StateTransfers", given: Mapping[str, float]
    ) -> None:
        self.transfers = transfers
        self._others = others
        self._given = given

    def good_at(
        self, executable: "Executable", best: "Best", values: Callable[[], Mapping[Symbol, float]]
    ) -> "Executable":
        """The code with the best dummies instead of those of this one."""
        with EQUATIONS:
            return self._others().good_at(executable, best, values, self._given)

    def good_for(self, executable: "Executable", values: Mapping[Symbol, float]) -> "Executable":
        """The code for states that are good where variables have these values; maybe this one."""
        with EQUATIONS:
            return self._others().good_for(executable, values, self._given)

    def parameters(self, executable: "Executable") -> "Array":
        """p for this code."""
        return parameter_values(executable, self._given)  # type: ignore[return-value]  # nothing is folded again

    def dummies(self, executable: "Executable") -> tuple[str, ...]:
        """The dummy derivatives of this code by name."""
        return self._others().dummies(executable)

    def with_dummies(self, dummies: tuple[str, ...]) -> "Executable":
        """The code with these dummy derivatives."""
        with EQUATIONS:
            return self._others().with_dummies(dummies)
