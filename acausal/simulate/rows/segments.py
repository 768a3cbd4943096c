"""The parts of a run: one after each change of states, each with a program of its own."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import record
from acausal.ir.names import Symbol
from acausal.ir.program.program import Program
from acausal.simulate.failure.checked import explain
from acausal.simulate.failure.messages import no_number, not_finite_symbols
from acausal.simulate.system.finite import all_finite
from acausal.simulate.system.row_store import store
from acausal.simulate.system.state_transfer import StateTransfers
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@record(frozen=True, slots=True)
class Segment:
    """Rows of one system from the `first` on, to those of its next segment; a system has all its rows in one place."""

    system: System
    rows: Rows
    first: int


@record(frozen=True, slots=True)
class Stored:
    """All rows, stored as the first program stores them; `failed` is the block that ended them early, else 0."""

    times: "Array"
    stored: "Array"
    failed: int
    last: "Array"
    system: System


def stored_rows(segments: list[Segment], transfers: StateTransfers | None, first: System) -> Stored:
    """The stored variables of all segments, as far as they can be computed, as the `first` system stores them."""
    if len(segments) == 1 and segments[0].system is first:  # as they are: a copy would double the memory
        return _of_system(segments[0])
    import numpy as np

    parts = {system: _of_system(segment) for system, segment in {s.system: s for s in segments}.items()}
    for system, part in parts.items():
        if system is not first and transfers is not None:
            parts[system] = replace(part, stored=transfers.as_first(first, system, part.times, part.stored))
    times, stored = [], []
    for segment, end in zip(segments, ends_of(segments), strict=True):
        part = parts[segment.system]
        times.append(part.times[segment.first : end])
        stored.append(part.stored[segment.first : end])
        if part.failed and end > len(part.stored):
            return replace(part, times=np.concatenate(times), stored=np.concatenate(stored))
    return Stored(np.concatenate(times), np.concatenate(stored), 0, np.empty(0), segments[-1].system)


def _of_system(segment: Segment) -> Stored:
    """All rows of its system."""
    rows = segment.rows
    times, states, frozen, memory = rows.arrays()
    stored, failed = store(segment.system, times, states, frozen, memory, rows.before, rows.places)
    last = states[len(stored)] if failed else states[:0]
    return Stored(times, stored, failed, last, segment.system)


def ends_of(segments: Sequence[Segment]) -> list[int]:
    """End of the rows of each segment among those of its system."""
    following: dict[System, int] = {}
    ends = []
    for segment in reversed(segments):
        ends.append(following.get(segment.system, len(segment.rows)))
        following[segment.system] = segment.first
    return ends[::-1]


def explain_not_finite(segments: list[Segment], stored: "Array") -> tuple[int, Diagnostic] | None:
    """The first row with a value that is no finite number, and why; None if there is none or nothing can be said."""
    system = segments[0].system
    p = system.arrays[1]
    constant = all_finite(p) and system.constants_are_finite
    if all_finite(stored) and (constant or not not_finite_symbols(system.program, p, {})):
        return None
    import numpy as np

    wrong = np.flatnonzero(~np.isfinite(stored).all(axis=1))
    row = first = int(wrong[0]) if len(wrong) else 0
    for segment, end in zip(segments, ends_of(segments), strict=True):
        if row < end - segment.first:
            break
        row -= end - segment.first
    row += segment.first
    times, states, frozen, _ = segment.rows.arrays()
    segment.system.frozen[:] = frozen[row]
    t = float(times[row])
    found = explain(segment.system, "variables", 0, t, states[row])
    found = found or _not_finite(system.program, t, stored[first])  # what only events set
    return None if found is None else (first, found)


def _not_finite(program: Program, t: float, stored: "Array") -> Diagnostic | None:
    """R004 for the variables of a row that are no finite numbers."""
    numbers = stored.tolist()
    slots = [s for s in program.variable_slots if s.kind == "stored" and not isfinite(numbers[s.position])]
    return no_number(t, [s.symbol for s in slots], first=False) if slots else None


def not_finite_rows(program: Program, rows: "Array") -> tuple[Diagnostic, ...]:
    """R004 for the first of rows (time, then stored variables) with a value that is no finite number."""
    import numpy as np

    wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    found = _not_finite(program, float(rows[wrong[0], 0]), rows[wrong[0], 1:]) if len(wrong) else None
    return () if found is None else (found,)


def without_unfinished(stored: "Array") -> "Array":
    """The rows of a run that failed, without those at its end where a value has ceased to be finite."""
    import numpy as np

    if all_finite(stored):
        return stored
    finite = np.isfinite(stored)
    end = len(stored)
    while end > 1 and (finite[end - 2] & ~finite[end - 1]).any():
        end -= 1
    return stored[:end]


def values_at(system: System, t: float, y: "Array") -> dict[Symbol, float]:
    """Every variable at one point; empty where a block cannot be solved."""
    import numpy as np

    times, states, frozen = np.array([t]), y[np.newaxis], system.frozen[np.newaxis]
    stored, failed = store(system, times, states, frozen, system.memory[np.newaxis])
    if failed:
        return {}
    found: dict[Symbol, float] = {}
    for slot in system.program.variable_slots:
        if slot.kind == "stored":
            value = float(stored[0, slot.position])
        elif slot.kind == "time":
            value = t
        else:
            value = system.parameter(slot.position) if slot.kind == "parameter" else slot.value
        found[slot.symbol] = slot.sign * value
    return found
