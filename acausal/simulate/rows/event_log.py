"""The events of a run as they come: numbers, which become texts on demand."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from acausal.base.frozen import dataclass
from acausal.ir.names import show_name
from acausal.ir.program.slots import EventTable, FrozenSlot

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True)
class RunEvent:
    """An event of a run: its time in seconds, and what changed, as in `h < 0 is true` or `n = 3`."""

    time: float
    changes: tuple[str, ...]


class _Piece(NamedTuple):
    """Events of one program, with the frozen values on both sides (events, 2, frozen)."""

    table: EventTable
    times: "Sequence[float] | Array"
    frozen: "Array"


class EventLog:
    """Events in the order of time."""

    def __init__(self) -> None:
        self.pieces: list[_Piece] = []
        self._taken = 0

    def add(self, table: EventTable, times: "Sequence[float] | Array", frozen: "Array") -> None:
        """Some more; the arrays are kept as they are."""
        self.pieces.append(_Piece(table, times, frozen))

    def extend(self, other: "EventLog") -> None:
        """The events of the next part of a run."""
        self.pieces += other.pieces

    def taken_rows(self) -> "list[Array]":
        """Events since the last call as rows of numbers: time, and frozen values on both sides."""
        import numpy as np

        pieces, self._taken = self.pieces[self._taken :], len(self.pieces)
        return [np.column_stack([p.times, np.reshape(p.frozen, (len(p.times), -1))]) for p in pieces]

    def __len__(self) -> int:
        return sum([len(piece.times) for piece in self.pieces])

    def events(self) -> tuple[RunEvent, ...]:
        """All events in words."""
        return tuple([event for piece in self.pieces for event in _events_of(piece)])


def changes(table: EventTable, frozen: "Array") -> list[tuple[str, ...]]:
    """Changes of discrete values by each event, as text; `frozen` as in a log."""
    before, after = frozen[:, 0], frozen[:, 1]
    found: list[list[str]] = [[] for _ in frozen]
    words: dict[tuple[int, float], str] = {}
    for event, i in zip(*[a.tolist() for a in (before != after).nonzero()], strict=True):
        key = i, float(after[event, i])
        if key not in words:
            words[key] = _in_words(table.frozen[i], key[1])
        if words[key]:
            found[event].append(words[key])
    return [tuple(dict.fromkeys(changed)) for changed in found]


def _events_of(piece: _Piece) -> list[RunEvent]:
    changed = changes(piece.table, piece.frozen)
    return [RunEvent(float(t), change) for t, change in zip(piece.times, changed, strict=True)]


def _in_words(slot: FrozenSlot, value: float) -> str:
    """Text for a new discrete value; empty for one that the model does not name."""
    if slot.kind == "discrete" and not slot.internal:
        return f"{show_name(slot.name)} = {_shown(slot, value)}"
    if slot.kind != "relation" or not slot.text:
        return ""
    return f"{slot.text} switches" if slot.text.endswith(")") else f"{slot.text} is {_shown(slot, value)}"


def _shown(slot: FrozenSlot, value: float) -> str:
    if slot.type == "boolean":
        return "true" if value else "false"
    return f"{value + 0.0:g}"  # no negative zero
