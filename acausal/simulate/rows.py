"""The rows of a run as they come: time, states, held values, and where nonlinear blocks have their solutions."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Rows:
    """Rows in the order of time; at an event two of one time, before and after it. `last_time` is that of the last."""

    def __init__(self, states: int, held: int, memory: int) -> None:
        self._sizes = 1, states, held, memory
        self._pieces: tuple[list[Array], ...] = ([], [], [], [])
        self._count = 0
        self._last_held: Array | None = None
        self._last_bytes = b""
        self.last_time = 0.0

    def add(self, t: float, y: "Array", held: "Array", memory: "Array") -> None:
        """One more row; `y` is kept as it is, `held` is copied where it has changed, `memory` always."""
        import numpy as np

        self._append(np.array([t]), y, self._kept(held), memory.copy() if self._sizes[3] else memory)

    def add_many(self, times: "Array", states: "Array", held: "Array", memory: "Array") -> None:
        """Rows of states and memory at increasing times, all with the same held values; they are kept as they are."""
        import numpy as np

        if len(times):
            same = np.broadcast_to(self._kept(held), (len(times), len(held)))
            self._append(times, states, same, memory)

    def _kept(self, held: "Array") -> "Array":
        if self._last_held is None or held.tobytes() != self._last_bytes:
            self._last_held, self._last_bytes = held.copy(), held.tobytes()
        return self._last_held

    def _append(self, times: "Array", states: "Array", held: "Array", memory: "Array") -> None:
        for pieces, piece in zip(self._pieces, (times, states, held, memory), strict=True):
            pieces.append(piece)
        self._count += len(times)
        self.last_time = float(times[-1])

    @property
    def last_states(self) -> "Array":
        """The states of the last row."""
        piece = self._pieces[1][-1]
        return piece if piece.ndim == 1 else piece[-1].copy()

    def __len__(self) -> int:
        return self._count

    def arrays(self) -> "tuple[Array, Array, Array, Array]":
        """Times, states, held values and memories of all rows."""
        import numpy as np

        times, states, held, memory = [
            np.concatenate([p.reshape(-1) for p in pieces] or [np.empty(0)]).reshape(self._count, size)
            for pieces, size in zip(self._pieces, self._sizes, strict=True)
        ]
        return times.reshape(self._count), states, held, memory
