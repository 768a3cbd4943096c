"""The protocol between the run loop and a solver."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from acausal.base.frozen import record
from acausal.runtime.events.run_parts import RunParts
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array


@record(frozen=True, slots=True)
class Counts:
    """Steps, evaluations of the Jacobian, and how its matrix is stored and solved."""

    steps: int
    jacobians: int
    matrix: str = ""

    def with_all(self, counts: "list[Counts]") -> "Counts":
        """The sums of all solvers of a run; the matrix is that of this one, the present solver."""
        return replace(self, steps=sum([c.steps for c in counts]), jacobians=sum([c.jacobians for c in counts]))


@record(frozen=True, slots=True)
class StepResult:
    """Step result: `crossed` contains which crossings the solver found there, and whether they grow (1) or fall (-1).

    `judged` means that the choice of states is known to be a good one there.
    """

    t: float
    y: "Array"
    crossed: dict[int, int]
    judged: bool = False


@record(frozen=True, slots=True)
class EventBatch:
    """Events that the machine code has done, and the time of the next one that is known in advance.

    Frozen values on both sides of each (events, 2, frozen), and what was located (events, crossings), as CVODE has it.
    """

    times: "Array"
    frozen: "Array"
    roots: "NDArray[np.int32]"
    limit: float


class StuckError(Exception):
    """The solver failed at time `t` and states `y`."""

    def __init__(self, why: str, t: float, y: "Array") -> None:
        super().__init__(why)
        self.why = why
        self.t = t
        self.y = y


class CloseCrossingsError(Exception):
    """Something that crossed stays at zero: the solver must begin again `here`, None at the last row."""

    def __init__(self, here: "StepResult | None" = None) -> None:
        super().__init__()
        self.here = here


class Integrator(Protocol):
    """A solver under way."""

    @property
    def name(self) -> str:
        """Name in results."""
        ...

    @property
    def is_loop(self) -> bool:
        """True if it goes by the loop of kernels to single times, too, which skips ways too short and checks sines."""
        ...

    @property
    def batch(self) -> "BatchIntegrator | None":
        """Itself, if it can go through many output times at once."""
        ...

    def advance(self, t: float, limit: float) -> StepResult:
        """The states at t, which is later than before, or at the first crossing on the way there.

        No step goes beyond `limit`, but it may go beyond t. StuckError where it cannot go on.
        """
        ...

    def watched(self, t: float) -> "Array | None":
        """The root functions at t, where it is; None where it has not evaluated them there."""
        ...

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:
        """Goes on from other states at t; `first` is how long the first step may be, 0 where nothing is known."""
        ...

    def goes_on(self, t: float, limit: float) -> bool:
        """True if it goes on from an event at t, where it is, that left the motion as it was; no step beyond `limit`.

        Else it has to begin again.
        """
        ...

    def counts(self) -> Counts:
        """The cost up to now."""
        ...


class BatchIntegrator(Integrator, Protocol):
    """An integrator that goes through many output times at once, without Python in between."""

    def begin(self, settings: Settings, y: "Array") -> bool:
        """Begins another run of its system; False where that needs an integrator of its own."""
        ...

    def take_code(self) -> None:
        """Goes on with code that has been optimized, if there is any."""
        ...

    def begin_loop(self, settings: Settings, slopes: "FieldValues | None") -> None:
        """Makes ready for `through` in a run with these settings.

        `slopes` are fields for slopes at events (`Instant.slope_fields`); None leaves all events to Python.
        """
        ...

    @property
    def parts(self) -> RunParts:
        """The part of a run without events, at whose end it comes back to Python."""
        ...

    def through(
        self, times: "Array", known: float, here: float, rows: Rows, on_events: Callable[[EventBatch], None]
    ) -> StepResult:
        """Rows at these times and on both sides of events, from the time `here` on; it may stop before.

        `known` is the time of the next event that is known in advance; `on_events` gets the events. StuckError and
        CloseCrossingsError as from `advance`, behind that.
        """
        ...
