"""Runs with slopes that need no Python: one call of machine code each, as those of sweeps.

What is out of the ordinary is left to `forward`, which repeats such a run: the numbers are the same to the last bit.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.ir.program.slots import VariableSlot
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.sensitivities.native_slopes import NativeSlopes, may_be_native
from acausal.simulate.system.parameters import Setter
from acausal.simulate.system.settings import Settings
from acausal.sweep.columns import Reader
from acausal.sweep.native_sweep import NativeSweep, is_native

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array, Executable

SHORT = 0.2
"""Seconds of a run that need not be interrupted."""
PATIENCE = 4
"""So many runs in a row may be out of the ordinary."""


@dataclass(frozen=True, slots=True, eq=False)
class PlainSlots:
    """Numbers that are stored or constant: `positions`, `signs` and, for constant ones, `fixed` values (slots,).

    `is_simple` where all are stored as they are.
    """

    positions: "NDArray[np.intp]"
    signs: "Array"
    fixed: "Array"
    is_simple: bool

    def of(self, stored: "Array") -> "Array":
        """The numbers (rows, slots) in rows of stored ones."""
        found = stored.take(self.positions, 1)
        return found if self.is_simple else found * self.signs + self.fixed


def plain_slots(slots: Sequence[VariableSlot]) -> PlainSlots | None:
    """None where others are among the slots, or none is stored."""
    import numpy as np

    kinds = {slot.kind for slot in slots}
    if "stored" not in kinds or not kinds <= {"stored", "constant"}:
        return None
    is_stored = np.array([slot.kind == "stored" for slot in slots])
    positions, signs = np.array([slot.position for slot in slots]), np.array([float(slot.sign) for slot in slots])
    values = np.array([slot.value for slot in slots], dtype=np.float64)
    is_simple = bool(is_stored.all() and (signs == 1.0).all())
    return PlainSlots(positions * is_stored, signs * is_stored, signs * values * ~is_stored, is_simple)


class NativeRuns:
    """Runs with the same settings and inputs, but other values of the same parameters.

    Serves several threads: each run takes a solver, or makes its own, and gives it back.
    """

    def __init__(
        self,
        executable: "Executable",
        augmented: Augmented,
        settings: Settings,
        names: tuple[str, ...],
        inputs: Mapping[str, InputValue],
    ) -> None:
        self._executable, self._augmented = executable, augmented
        self._settings, self._names, self._inputs = settings, names, inputs
        is_alone = not executable.program.table.frozen or may_be_native(augmented)
        serves = is_alone and is_native(executable, settings, inputs)
        self._patience = PATIENCE if serves else 0
        self._free: list[_Solver] = []

    def rows(self, values: Sequence[float], times: "Array") -> "Array | None":
        """The stored variables (times, variables) with these values of the parameters; None where Python is to run."""
        if self._patience <= 0:
            return None
        try:
            solver = self._free.pop()
        except IndexError:
            solver = _Solver(self._executable, self._augmented, self._settings, self._names, self._inputs)
        done = solver.runs.run([values])
        if done.is_fallback:
            self._patience -= 1
        elif self._patience > 0:
            self._patience = PATIENCE
        if done.seconds > SHORT:
            self._patience = 0
        if done.is_fallback:
            return None
        time, stored = solver.runs.rows()
        found = stored.take(time.searchsorted(times, "right") - 1, 0)
        self._free.append(solver)
        return found


class _Solver:
    """A solver with the memory of its events."""

    def __init__(
        self,
        executable: "Executable",
        augmented: Augmented,
        settings: Settings,
        names: tuple[str, ...],
        inputs: Mapping[str, InputValue],
    ) -> None:
        has_events = bool(executable.program.table.frozen)
        self._slopes = NativeSlopes(settings, augmented) if has_events else None
        fields = None if self._slopes is None else self._slopes.fields
        setter, reader = Setter(executable, names), Reader(executable.program, ())
        self.runs = NativeSweep(executable, settings, inputs, setter, reader, more=fields)
