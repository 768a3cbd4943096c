"""Directions along which slopes are taken, and the code of a Jacobian."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from acausal.base.frozen import dataclass
from acausal.ir.program.instructions import Routine


@dataclass(frozen=True, slots=True)
class Seeds:
    """Directions besides those of the states: columns of inputs by position in u, slopes of p by position and column.

    `factors` are the slopes of matrices that `setup` has factored, by their position in p: row by row, by column.
    `time` is the column of time itself, None without.
    """

    inputs: Mapping[int, int] = field(default_factory=dict)
    parameters: Mapping[int, Mapping[int, float]] = field(default_factory=dict)
    factors: Mapping[int, Sequence[Mapping[int, float]]] = field(default_factory=dict)
    time: int | None = None


STATES_ALONE = Seeds()


@dataclass(frozen=True, slots=True)
class Tangent:
    """The routine stores the entries of the Jacobian, row by row: that of `rows[k]` and `columns[k]` is out[k]."""

    routine: Routine
    rows: tuple[int, ...]
    columns: tuple[int, ...]
