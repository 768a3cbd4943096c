"""Checkpoints: a file with the state of a run and, beside it, its rows and events up to there.

Rows are appended and synchronized before the state replaces the previous one by a rename. Whenever the process is
killed, the file holds a state with all rows before it; numbers behind these are cut off by the run that continues.
"""

import json
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.output_folder import cannot_write
from acausal.simulate.state.npz_arrays import text_array, write_npz
from acausal.simulate.state.state_file import read_state, read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from acausal.codegen.executable import Array
    from acausal.simulate.state.state import State

MEMBER = "checkpoint"


def as_rows(times: "Array", stored: "Array") -> "Array":
    """Rows of a run as they are written: the time first."""
    import numpy as np

    return np.column_stack([times, stored])


class NumberFile:
    """Rows of numbers in a file, to which further ones are appended; `count` of them are valid."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count, self.width = 0, 0

    def read(self, count: int, width: int) -> "Array":
        """The first rows; those behind them are removed. ValueError where there are fewer."""
        import numpy as np

        self.count, self.width = count, width
        if not count:
            self.path.unlink(missing_ok=True)
            return np.empty((0, width))
        found = np.fromfile(self.path, dtype="<f8", count=count * width)
        if len(found) < count * width:
            raise ValueError(f"{self.path} is incomplete")
        os.truncate(self.path, count * width * 8)
        return found.reshape(count, width)

    def append(self, pieces: "Sequence[Array]") -> None:
        """More rows, which are on the disk when this returns."""
        import numpy as np

        rows = [piece for piece in pieces if len(piece)]
        if not rows:
            return
        with self.path.open("ab" if self.count else "wb") as file:
            for piece in rows:
                file.write(np.ascontiguousarray(piece, dtype="<f8").data)
            file.flush()
            os.fsync(file.fileno())
        self.count += sum(map(len, rows))
        self.width = rows[0].shape[1]


class CheckpointFile:
    """The checkpoint of the run that `key` stands for."""

    def __init__(self, path: Path, key: str) -> None:
        self.path, self._key = path, key
        self._rows = NumberFile(path.with_name(f"{path.name}.rows"))
        self._events = NumberFile(path.with_name(f"{path.name}.events"))

    def load(self) -> "tuple[State, Array, Array] | None":
        """The state with rows and events before it, None where there is none; UsageError A013 for another run's."""
        if not self.path.exists():
            return None
        state = read_state(self.path)
        try:
            about = json.loads(read_text(self.path, MEMBER))
            key, rows, events = str(about["key"]), list(map(int, about["rows"])), list(map(int, about["events"]))
        except (KeyError, ValueError, TypeError, OSError, zipfile.BadZipFile):
            raise self._other("it holds a state without rows") from None
        if key != self._key:
            raise self._other("model, parameters, inputs or options have changed")
        try:
            return state, self._rows.read(rows[0], rows[1]), self._events.read(events[0], events[1])
        except (OSError, ValueError) as error:
            raise self._other(str(error)) from None

    def _other(self, why: str) -> UsageError:
        hint = f"name another file, or remove {self.path} to simulate from the start"
        return UsageError(Diagnostic("A013", f"{self.path} is not a checkpoint of this run: {why}", help=hint))

    def save(self, state: "State", rows: "Sequence[Array]", events: "Sequence[Array]") -> None:
        """Append rows and events, then replace the state; UsageError F008 where they cannot be written."""
        try:
            self._rows.append(rows)
            self._events.append(events)
        except OSError as error:
            raise cannot_write(self.path, error) from None
        counts = {"rows": [self._rows.count, self._rows.width], "events": [self._events.count, self._events.width]}
        about = json.dumps({"key": self._key, **counts})
        write_npz(self.path, {MEMBER: text_array(about), **state.members()})

    def remove(self) -> None:
        """The run is complete."""
        for path in (self.path, self._rows.path, self._events.path):
            path.unlink(missing_ok=True)
