"""Columns of a sweep's table: final, minimum and maximum values of variables.

final(C.u)    in the last row of the run
min(C.u)      over all rows: output times and both sides of events
max(C.u)
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.ir.names import show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.runtime.sweep.sweep_context import FIXED, PARAMETER, STORED, TIME

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array

KINDS = FINAL, MIN, MAX = "final", "min", "max"
SHOWN = 12
"""Variables of which the last value is reported where nothing else is asked and the model plots nothing."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A column of the table; `kind` is final, min or max."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}({self.name})"


def choose_quantities(
    program: Program, final: Sequence[str], smallest: Sequence[str], largest: Sequence[str]
) -> tuple[Quantity, ...]:
    """The columns for names and patterns such as `*.phi`; UsageError F005 for what fits nothing.

    Without any: the last values of what the model's `experiment` plots, else of its states.
    """
    from acausal.results.result import Result

    known = Result.before(program)
    if not (final or smallest or largest):
        plotted = [show_name(name) for name in program.experiment.plot]
        states = [show_derivative(*slot.symbol) for slot in program.state_slots]
        final = [name for name in plotted if name in known] or states[:SHOWN] or known.names[:SHOWN]
    asked = (FINAL, final), (MIN, smallest), (MAX, largest)
    return tuple([Quantity(kind, name) for kind, patterns in asked for name in known.match(patterns)])


class Reader:
    """Reads the quantities from a run; one that the program does not have is nan."""

    def __init__(self, program: Program, quantities: Sequence[Quantity]) -> None:
        import numpy as np

        slots = {show_derivative(*slot.symbol): slot for slot in program.variable_slots}
        parameters = {show_name(slot.name): i for i, slot in enumerate(program.parameter_slots)}
        self._size = len(quantities)
        self._fixed = np.full(self._size, np.nan)
        self._parameters: list[tuple[int, int, float]] = []
        self._times: list[tuple[int, str, float]] = []
        self._entries: list[tuple[int, str, int, float]] = []
        for i, quantity in enumerate(quantities):
            slot = slots.get(quantity.name)
            if quantity.name == "time":
                self._times.append((i, quantity.kind, 1.0))
            elif slot is None and quantity.name in parameters:
                self._parameters.append((i, parameters[quantity.name], 1.0))
            elif slot is None:
                continue
            elif slot.kind == "stored":
                self._entries.append((i, quantity.kind, slot.position, slot.sign))
            elif slot.kind == "time":
                self._times.append((i, quantity.kind, slot.sign))
            elif slot.kind == "parameter":
                self._parameters.append((i, slot.position, slot.sign))
            else:
                self._fixed[i] = slot.sign * slot.value
        self._groups = [_Group(kind, [x for x in self._entries if x[1] == kind]) for kind in (FINAL, MIN, MAX)]

    def read(self, p: "Array", time: "Array", stored: "Array") -> tuple[float, ...]:
        """The values in the order of the quantities, from parameters and rows."""
        values = self._fixed.copy()
        for i, position, sign in self._parameters:
            values[i] = sign * p[position]
        for i, kind, sign in self._times:
            values[i] = _of(kind, sign * time[:, None])[0]
        for group in self._groups:
            if len(group.columns):
                found = stored[-1:] if group.kind == FINAL else stored
                values[group.places] = _of(group.kind, found[:, group.columns] * group.signs)
        return tuple(values.tolist())

    def fields(self) -> "FieldValues":
        """The fields of `SweepContext` for columns."""
        import numpy as np

        found = [(FIXED, i, FINAL, 1.0) for i in range(self._size)]
        for i, position, sign in self._parameters:
            found[i] = PARAMETER, position, FINAL, sign
        for i, kind, sign in self._times:
            found[i] = TIME, 0, kind, sign
        for i, kind, position, sign in self._entries:
            found[i] = STORED, position, kind, sign
        sources, positions, kinds, signs = zip(*found, strict=True) if found else ((),) * 4
        whole = {"source": sources, "position": positions, "kind": [KINDS.index(kind) for kind in kinds]}
        columns: FieldValues = {f"column_{name}": np.array(values, dtype=np.int64) for name, values in whole.items()}
        return {**columns, "column_sign": np.array(signs), "column_count": self._size, "fixed": self._fixed}


class _Group:
    """Stored variables of which the same is asked."""

    def __init__(self, kind: str, entries: list[tuple[int, str, int, float]]) -> None:
        import numpy as np

        self.kind = kind
        self.places = np.array([e[0] for e in entries], dtype=np.intp)
        self.columns = np.array([e[2] for e in entries], dtype=np.intp)
        self.signs = np.array([e[3] for e in entries])


def _of(kind: str, values: "Array") -> "Array":
    """One row of what is asked of each column."""
    import numpy as np

    if kind == FINAL:
        return np.asarray(values[-1])
    return np.asarray(values.min(axis=0) if kind == MIN else values.max(axis=0))
