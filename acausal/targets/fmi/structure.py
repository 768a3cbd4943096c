"""Dependencies of outputs and derivatives on states, inputs and time, from the instructions alone.

What a block solves depends on all that enters it. A value that is frozen between events depends on what determines it
at an event.
"""

from collections.abc import Sequence

from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import Program
from acausal.simulate.system.state_transfer import shown_as_first

Known = tuple[str, int]
"""("state", i), ("input", i) by its position in u, or ("time", 0)."""


class Dependencies:
    """Of the values in an FMU, with any of its sets of states."""

    def __init__(self, sets: Sequence[Program]) -> None:
        self._of_sets = [_SetDependencies(program) for program in sets]
        self._shown = [shown_as_first(sets[0], program) for program in sets]

    def of(self, kind: str, position: int) -> list[Known]:
        """Of what is at this place of an FMU: what it depends on with one of the sets at least."""
        if kind == "rate":
            found = [one.of_derivative(position) for one in self._of_sets]
        elif kind == "stored":
            pairs = zip(self._of_sets, self._shown, strict=True)
            found = [one.of_known(shown[position][0]) for one, shown in pairs]
        else:
            found = [[(kind, position)] if kind in ("state", "time") else []]
        return list(dict.fromkeys([known for one in found for known in one]))


class _SetDependencies:
    """Of the results of one program; sets are numbers, a bit each for time, states, inputs and frozen values."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._frozen = self._of_frozen()
        self._rates = self._masks(program.derivatives, len(program.state_slots))
        self._stored = self._masks(program.variables, program.stored_size)

    def of_derivative(self, state: int) -> list[Known]:
        """Of the derivative of a state."""
        return self._known(self._rates[state])

    def of_known(self, position: int) -> list[Known]:
        """Of a value among results of `choices` and `variables`, parameters and time (`state_transfer`)."""
        stored = position - self._program.choice_table.results
        if 0 <= stored < self._program.stored_size:
            return self._known(self._stored[stored])
        is_time = stored == self._program.stored_size + self._program.parameter_size
        return [("time", 0)] if is_time else []

    def _known(self, mask: int) -> list[Known]:
        for i, more in enumerate(self._frozen):
            if mask >> self._at_input(i) & 1:
                mask |= more
        states, frozen = len(self._program.state_slots), len(self._program.table.frozen)
        found: list[Known] = []
        while mask:
            low = mask & -mask
            place = low.bit_length() - 1
            mask ^= low
            if place == 0:
                found.append(("time", 0))
            elif place <= states:
                found.append(("state", place - 1))
            elif place > states + frozen:
                found.append(("input", place - 1 - states))
        return found

    def _at_input(self, position: int) -> int:
        return 1 + len(self._program.state_slots) + position

    def _of_frozen(self) -> list[int]:
        """Dependencies of frozen values at an event, also through other frozen values."""
        table = self._program.table
        results = self._masks(self._program.events, table.results)
        direct = [results[slot.now] for slot in table.frozen]
        while True:
            more = list(direct)
            for i, mask in enumerate(direct):
                for k in range(len(direct)):
                    if mask >> self._at_input(k) & 1:
                        more[i] |= direct[k]
            if more == direct:
                return direct
            direct = more

    def _masks(self, routine: Routine, count: int) -> list[int]:
        found = [0] * count
        masks: list[int] = []
        for op, args, value in routine.code:
            mask = 0
            for arg in args:
                mask |= masks[arg]
            if op == "time":
                mask = 1
            elif op == "state" and isinstance(value, int):
                mask = 1 << (1 + value)
            elif op == "input" and isinstance(value, int):
                mask = 1 << self._at_input(value)
            elif op == "store" and isinstance(value, int):
                found[value] |= mask
            masks.append(mask)
        return found
