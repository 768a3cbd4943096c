"""Initial-state cache: values that follow from parameters and settings alone, for the next run with the same ones."""

from typing import TYPE_CHECKING, NamedTuple

from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Asked = tuple[bytes, float, float, float, int | None]
"""Parameters and settings on which the first instant depends."""


class InitialState(NamedTuple):
    """The first instant after its events: states, frozen values and memory, and the next event that is known.

    `memory` is that of the first row; `calls` are the evaluations of the derivatives that it took, for statistics.
    """

    asked: Asked
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


def _asked(system: System, settings: Settings) -> Asked:
    """Events are examined with the tolerance: offsets of root functions, how far apart crossings count as one."""
    p, s = system.arrays[1], settings
    return p.tobytes(), s.start, s.stop, s.tolerance, s.event_passes
