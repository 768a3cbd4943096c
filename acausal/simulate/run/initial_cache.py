"""Initial-state cache: the values that follow from parameters and times alone, for the next run with the same ones."""

from typing import TYPE_CHECKING, NamedTuple

from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class InitialState(NamedTuple):
    """The first instant after its events: states, frozen values and memory, and the next event that is known.

    `memory` is that of the first row; `calls` are the evaluations of the derivatives that it took, for statistics.
    """

    asked: tuple[bytes, float, float]
    states: "Array"
    memory: "Array"
    numbers: "Array"
    calls: int
    known: float

    def serves(self, system: System, settings: Settings) -> bool:
        """True if the run of a system begins like this."""
        return not system.varying and self.asked == _asked(system, settings)

    def again(self, system: System) -> "Array":
        """The states; the system is as it was then."""
        system.numbers[:] = self.numbers
        system.rhs_calls = self.calls
        return self.states.copy()


def initial_state(system: System, settings: Settings, rows: Rows, known: float) -> InitialState | None:
    """Result of the first instant; None where it depends on more than numbers."""
    if system.varying or system.continued:
        return None
    _, states, _, memory = rows.arrays()
    first = states[0].copy(), memory[0].copy()
    return InitialState(_asked(system, settings), *first, system.numbers.copy(), system.rhs_calls, known)


def _asked(system: System, settings: Settings) -> tuple[bytes, float, float]:
    return system.arrays[1].tobytes(), settings.start, settings.stop
