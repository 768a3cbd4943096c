"""The rows of a run as they come: time, states, frozen values, and where nonlinear blocks have their solutions."""

from typing import TYPE_CHECKING

from acausal.codegen.address import address_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

    Before = tuple[float, Array]

FOR_EVENTS = 16
"""Rows for which there is room besides those that are expected."""
MOST_AT_FIRST = 4096
"""A run may end long before its last output time: more room is made only when it is needed."""
SMALL = 2**23
"""Bytes of arrays that are kept for another run."""
GROWTH, LARGE = (4, 2), 2**28
"""Rooms grow by these factors, below `LARGE` bytes and above: copies cost more than room that stays unused."""


class Rows:
    """Rows in the order of time; at an event two of one time, before and after it. `last_time` is that of the last.

    `before` are the time and the memory of the last row that was taken elsewhere.

    They stand in arrays that grow; machine code fills them in place.
    """

    def __init__(self, states: int, frozen: int, memory: int, expected: int) -> None:
        self._sizes = states, frozen, memory
        self._count = self._room = 0
        self.last_time = 0.0
        self.before: Before | None = None
        self._make_room(min(expected, MOST_AT_FIRST) + FOR_EVENTS)

    @property
    def is_small(self) -> bool:
        """True if the arrays are worth keeping for another run."""
        return self._bytes_of(self._room) <= SMALL

    def clear(self) -> "Rows":
        """Itself without rows."""
        self._count, self.last_time, self.before = 0, 0.0, None
        return self

    def forget(self) -> None:
        """The rows have been taken elsewhere; the time and the memory of the last one stay."""
        if self._count:
            self.before = self.last_time, self._memory[self._count - 1].copy()
        self._count = 0

    def _bytes_of(self, rows: int) -> int:
        return 8 * (1 + sum(self._sizes)) * rows

    @property
    def _grown(self) -> int:
        """The rows for which room is to be made next, but for those that are asked for."""
        small, large = GROWTH
        return (small if self._bytes_of(small * self._count) <= LARGE else large) * self._count

    def _make_room(self, room: int) -> None:
        """Larger arrays with the rows that there are."""
        import numpy as np

        before = self.arrays() if self._count else ()
        self._room = room
        states, frozen, memory = self._sizes
        self._times, self._states = np.empty(room), np.empty((room, states))
        self._frozen, self._memory = np.empty((room, frozen)), np.empty((room, memory))
        for old, new in zip(before, (self._times, self._states, self._frozen, self._memory), strict=False):
            new[: self._count] = old
        first = address_of(self._times), address_of(self._states)
        self._addresses = *first, address_of(self._frozen), address_of(self._memory)

    def add(self, t: float, y: "Array", frozen: "Array", memory: "Array") -> None:
        """One more row, copied."""
        number = self._count
        if number == self._room:
            self._make_room(self._grown)
        self._times[number], self._states[number] = t, y
        self._frozen[number], self._memory[number] = frozen, memory
        self._count, self.last_time = number + 1, t

    def drop(self) -> None:
        """Without the last row."""
        self._count -= 1
        if self._count:
            self.last_time = float(self._times[self._count - 1])

    def ready(self, count: int) -> tuple[int, tuple[int, int, int, int]]:
        """For how many rows there is room now, at least `count`, and where: times, states, frozen values, memory."""
        number = self._count
        if number + count > self._room:
            self._make_room(self._grown + count)
        done, (states, frozen, memory) = 8 * number, self._sizes
        at_times, at_states, at_frozen, at_memory = self._addresses
        there = at_times + done, at_states + done * states, at_frozen + done * frozen, at_memory + done * memory
        return self._room - number, there

    def filled(self, count: int) -> None:
        """So many of them are filled in, with frozen values of their own."""
        if count:
            self._count += count
            self.last_time = float(self._times[self._count - 1])

    @property
    def last_states(self) -> "Array":
        """The states of the last row."""
        last: Array = self._states[self._count - 1]
        return last.copy()

    def __len__(self) -> int:
        return self._count

    @property
    def places(self) -> tuple[int, int, int, int]:
        """The addresses of times, states, frozen values and memories."""
        return self._addresses

    def arrays(self) -> "tuple[Array, Array, Array, Array]":
        """Times, states, frozen values and memories of all rows."""
        count = self._count
        return self._times[:count], self._states[:count], self._frozen[:count], self._memory[:count]
