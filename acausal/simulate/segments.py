"""The parts of a run: one after each change of states, each with a program of its own."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic
from acausal.ir.program import Program, Symbol, VariableSlot
from acausal.simulate.rows import Rows
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows of one system."""

    system: System
    rows: Rows


@dataclass(frozen=True, slots=True)
class Stored:
    """All rows, stored as the first program stores them; `failed` is the block that ended them early, else 0."""

    times: "Array"
    stored: "Array"
    failed: int
    last: "Array"
    system: System


def stored_rows(segments: list[Segment]) -> Stored:
    """The stored variables of all segments, as far as they can be computed."""
    import numpy as np

    first = segments[0].system.program
    times, parts = [], []
    for segment in segments:
        t, states, held, memory = segment.rows.arrays()
        stored, failed = segment.system.store(t, states, held, memory)
        program = segment.system.program
        parts.append(stored if program is first else _as_first(first, segment.system, t, stored))
        times.append(t)
        if failed:
            done = np.concatenate(times)
            return Stored(done, np.concatenate(parts), failed, states[len(stored)], segment.system)
    if len(parts) == 1:  # as they are: a copy would double the memory
        return Stored(times[0], parts[0], 0, np.empty(0), segments[-1].system)
    return Stored(np.concatenate(times), np.concatenate(parts), 0, np.empty(0), segments[-1].system)


def explain_not_finite(segments: list[Segment], stored: "Array") -> tuple[int, Diagnostic] | None:
    """The first row with a value that is no finite number, and why; None if there is none or nothing can be said."""
    import numpy as np

    finite = np.isfinite(stored)
    if finite.all() and np.isfinite(segments[0].system.arrays[1]).all():
        return None
    wrong = np.flatnonzero(~finite.all(axis=1))
    row = first = int(wrong[0]) if len(wrong) else 0
    for segment in segments:
        if row < len(segment.rows):
            break
        row -= len(segment.rows)
    times, states, held, _ = segment.rows.arrays()
    segment.system.held[:] = held[row]
    found = segment.system.explain("variables", 0, float(times[row]), states[row])
    return None if found is None else (first, found)


def values_at(system: System, t: float, y: "Array") -> dict[Symbol, float]:
    """Every variable at one point; empty where a block cannot be solved."""
    import numpy as np

    times, states, held = np.array([t]), y[np.newaxis], system.held[np.newaxis]
    stored, failed = system.store(times, states, held, system.memory[np.newaxis])
    if failed:
        return {}
    return {s.symbol: float(_values(s, system, times, stored)[0]) for s in system.program.variable_slots}


def _values(slot: VariableSlot, system: System, times: "Array", stored: "Array") -> "Array":
    import numpy as np

    if slot.kind == "stored":
        return slot.sign * stored[:, slot.position]
    if slot.kind == "time":
        return slot.sign * times[: len(stored)]
    value = system.parameter(slot.position) if slot.kind == "parameter" else slot.value
    return np.full(len(stored), slot.sign * value)


def _as_first(first: Program, system: System, times: "Array", stored: "Array") -> "Array":
    import numpy as np

    program = system.program
    slot_of = {s.symbol: s for s in program.variable_slots}
    result = np.empty((len(stored), first.stored_size))
    for slot in first.variable_slots:
        if slot.kind == "stored":
            result[:, slot.position] = slot.sign * _values(slot_of[slot.symbol], system, times, stored)
    for mine, other in zip(first.conditions, program.conditions, strict=True):
        result[:, mine.position] = stored[:, other.position]
    return result
