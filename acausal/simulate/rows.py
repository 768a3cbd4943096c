"""The rows of a run as they come: time, states, held values, and where nonlinear blocks have their solutions."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Rows:
    """Rows in the order of time; at an event two of one time, before and after it. `last_time` is that of the last."""

    def __init__(self, states: int, held: int, memory: int) -> None:
        self._sizes = states, held, memory
        self._times: list[float] = []
        self._states: list[Array] = []
        self._held: list[Array] = []
        self._memory: list[Array] = []
        self._last_held: Array | None = None
        self._last_bytes = b""
        self.last_time = 0.0

    def add(self, t: float, y: "Array", held: "Array", memory: "Array") -> None:
        """One more row; `y` is kept as it is, `held` is copied where it has changed, `memory` always."""
        if self._last_held is None or held.tobytes() != self._last_bytes:
            self._last_held, self._last_bytes = held.copy(), held.tobytes()
        self.last_time = t
        self._times.append(t)
        self._states.append(y)
        self._held.append(self._last_held)
        self._memory.append(memory.copy() if self._sizes[2] else memory)

    def __len__(self) -> int:
        return len(self._times)

    def arrays(self) -> "tuple[Array, Array, Array, Array]":
        """Times, states, held values and memories of all rows."""
        import numpy as np

        shapes = [(len(self), size) for size in self._sizes]
        states, held, memory = [
            np.array(rows, dtype=np.float64).reshape(shape)
            for rows, shape in zip((self._states, self._held, self._memory), shapes, strict=True)
        ]
        return np.array(self._times, dtype=np.float64), states, held, memory
