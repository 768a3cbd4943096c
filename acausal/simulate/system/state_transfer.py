"""From one program of a model to another with other states: where its states and start values are, and its variables.

Found by name once, used by position.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from acausal.base.diagnostics import InternalError, SimulationError
from acausal.ir.names import Symbol
from acausal.ir.program.program import Program
from acausal.ir.program.slots import VariableSlot
from acausal.runtime.state_sets import StateTransfer, transfer_states
from acausal.simulate.failure.checked import state_choices
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from numpy import intp
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array, Executable

    Positions = NDArray[intp]

Place = tuple[int, float]
AGREEING = 1e-4
"""Difference of states that are the same, as a share: Newton's method and rounding give less than a millionth of it."""
SMALL_SHARE = 1e-3
"""A share of the largest state below which states count as small."""
GROWTH = 1e6
"""Growth of the largest state: where speeds grow more the old states do not move at all, and tell nothing."""
DETERMINED, LARGE_SHARE = 0.3, 0.1
"""Change of a motion, as a share, that errors of states may make; shares of the largest state count as its."""


class Columns(NamedTuple):
    """Columns stored by a program that are those of the first one, with factors; the `others` are not stored."""

    columns: "Positions"
    factors: "Array | None"
    others: tuple[tuple[int, float, VariableSlot], ...]


class StateTransfers:
    """State transfers between the programs of one translation; serves several threads."""

    def __init__(self) -> None:
        self._transfers: dict[tuple[int, int], StateTransfer] = {}
        self._columns: dict[tuple[int, int], Columns] = {}
        self._alive: list[tuple[Executable, Executable]] = []

    def pass_on(self, old: System, new: System, t: float, y: "Array") -> "Array":
        """States of the new system where the old one has y; its frozen and start values become those of the old one.

        A start value that cannot be computed stays as it is.
        """
        import numpy as np

        way = self._way(old, new)
        known = _known(old, t, y)
        new.frozen[:], new.next_sample[:] = old.frozen, old.next_sample
        new.forget_branches()
        after = np.empty(way.states)
        transfer_states(way, 0, known, after, new.memory)
        return after

    def agree(self, old: System, new: System, t: float, states: "tuple[Array, Array]", tolerance: float) -> bool:
        """True if both states, of the old system and of the new one, are one motion: those of the new one lead back.

        The new states are well chosen, so that this is well-conditioned where the way there may not be. Errors as large
        as the tolerance of one that moves blocks must not lead to another motion either.
        """
        import numpy as np

        before, after = states
        memory, largest = new.arrays[2].copy(), abs(before).max()
        back = self._led_back(old, new, t, after)
        size = np.maximum(abs(before), SMALL_SHARE * largest)
        found = bool((abs(back - before) <= AGREEING * size).all()) and bool(abs(after).max() <= GROWTH * largest)
        error, most = tolerance * min(largest, 1.0), DETERMINED * np.maximum(abs(before), LARGE_SHARE * largest)
        for position in [position for position, _ in new.program.moving]:
            for sign in (1.0, -1.0):
                moved = after.copy()
                moved[position] += sign * error
                new.arrays[2][:] = memory
                found = found and bool((abs(self._led_back(old, new, t, moved) - back) <= most).all())
        new.arrays[2][:] = memory
        return found

    def _led_back(self, old: System, new: System, t: float, after: "Array") -> "Array":
        """The states of the old system where the new one is; NaN where that has no solution."""
        import numpy as np

        way = self._way(new, old)
        back = np.full(way.states, np.nan)
        with suppress(SimulationError):
            transfer_states(way, 0, _known(new, t, after), back, old.memory.copy())
        return back

    def _way(self, old: System, new: System) -> StateTransfer:
        pair = id(old.executable), id(new.executable)
        way = self._transfers.get(pair)
        if way is None:
            self._alive.append((old.executable, new.executable))
            way = self._transfers[pair] = StateTransfer(**transfer_numbers([(old.program, new.program)]))
        return way

    def as_first(self, first: System, system: System, times: "Array", stored: "Array") -> "Array":
        """Rows that this system has stored, as the first one stores them."""
        pair = id(first.executable), id(system.executable)
        way = self._columns.get(pair)
        if way is None:
            self._alive.append((first.executable, system.executable))
            way = self._columns[pair] = _columns(first.program, system.program)
        rows: Array = stored[:, way.columns]
        if way.factors is not None:
            rows *= way.factors
        for position, sign, slot in way.others:
            value = system.parameter(slot.position) if slot.kind == "parameter" else slot.value
            rows[:, position] = sign * (times[: len(stored)] if slot.kind == "time" else value)
        return rows


def _known(system: System, t: float, y: "Array") -> list[float]:
    """The values among which `StateTransfer` finds states."""
    import numpy as np

    found = np.concatenate([state_choices(system, t, y), system.variables(t, y), system.arrays[1], [t, 1.0]])
    return found.tolist()  # type: ignore[no-any-return]


def transfer_numbers(pairs: Sequence[tuple[Program, Program] | None]) -> dict[str, int | list[int] | list[float]]:
    """The fields of `StateTransfer` for pairs of the old program and the new one; None has no transfer.

    Every state of the new program is a variable of the old one.
    """
    count = max([len(new.state_slots) for _, new in filter(None, pairs)])
    states: list[Place] = []
    starts: list[tuple[int, float, int]] = []
    first_start = [0]
    for pair in pairs:
        if pair is None:
            states += [(0, 0.0)] * count
        else:
            places, new = _places_of(pair[0]), pair[1]
            missing = [slot.symbol for slot in new.state_slots if slot.symbol not in places]
            if missing:
                raise InternalError("run", f"the value of {missing[0]} is not known")
            states += [places[slot.symbol] for slot in new.state_slots]
            starts += [(*places[s], i) for i, s in enumerate(new.memory_slots) if s in places]
        first_start.append(len(starts))
    return {
        "states": count,
        "places": [at for at, _ in states],
        "factors": [factor for _, factor in states],
        "first_start": first_start,
        "start_places": [at for at, _, _ in starts],
        "start_factors": [factor for _, factor, _ in starts],
        "targets": [target for _, _, target in starts],
    }


def shown_as_first(first: Program, other: Program) -> list[Place]:
    """For each variable and condition that the first program stores its place and factor in another one."""
    places = _variable_places(other)
    found = [(0, 0.0)] * first.stored_size
    for slot in first.variable_slots:
        if slot.kind == "stored":
            at, factor = places[slot.symbol]
            found[slot.position] = at, slot.sign * factor
    for condition, same in zip(first.conditions, other.conditions, strict=True):
        found[condition.position] = other.choice_table.results + same.position, 1.0
    return found


def _places_of(program: Program) -> dict[Symbol, Place]:
    """Places of its variables among the results of `choices` and `variables`, parameters, time and 1."""
    return _variable_places(program) | {symbol: (i, 1.0) for i, symbol in enumerate(program.choice_table.values)}


def _variable_places(program: Program) -> dict[Symbol, Place]:
    """The same, without the results of `choices`."""
    stored = program.choice_table.results
    parameters = stored + program.stored_size
    time = parameters + program.parameter_size
    begins = {"stored": stored, "parameter": parameters, "time": time, "constant": time + 1}
    return {
        s.symbol: (begins[s.kind] + s.position, s.sign * (s.value if s.kind == "constant" else 1.0))
        for s in program.variable_slots
    }


def _columns(first: Program, other: Program) -> Columns:
    import numpy as np

    slots = {s.symbol: s for s in other.variable_slots}
    columns, factors, others = [0] * first.stored_size, [1.0] * first.stored_size, []
    for mine in first.variable_slots:
        slot = slots[mine.symbol]
        if mine.kind == "stored" and slot.kind == "stored":
            columns[mine.position], factors[mine.position] = slot.position, mine.sign * slot.sign
        elif mine.kind == "stored":
            others.append((mine.position, mine.sign * slot.sign, slot))
    for condition, same in zip(first.conditions, other.conditions, strict=True):
        columns[condition.position] = same.position
    signs = None if all(factor == 1.0 for factor in factors) else np.array(factors)
    return Columns(np.array(columns, dtype=np.intp), signs, tuple(others))
