"""Sources of inputs as fields of : constants, tables, delays, recordings, functions, expressions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from acausal.runtime.inputs import (
    CONSTANT,
    DELAY,
    EXPRESSION,
    FUNCTION,
    RECORDED,
    TABLE,
)
from acausal.simulate.inputs.inputs import DelayInput, RecordedInput, TableInput

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array


def described_sources(sources: Sequence[object]) -> "dict[str, Any]":
    """The fields of the sources, in their order."""
    import numpy as np

    numbers = dict.fromkeys((EXPRESSION, TABLE, FUNCTION), 0)
    tables: list[TableInput] = []
    rows: list[tuple[int, int, int, float]] = []
    for source in sources:
        kind, order, constant = _kind(source), 0, 0.0
        if isinstance(source, float):
            constant = source
        if isinstance(source, TableInput | DelayInput | RecordedInput):
            order = source.order
        if isinstance(source, TableInput):
            tables.append(source)
        number = numbers.get(kind, 0)
        if isinstance(source, DelayInput | RecordedInput):
            number = source.delay if isinstance(source, DelayInput) else source.number
        rows.append((kind, number, order, constant))
        if kind in numbers:
            numbers[kind] += 1
    lengths = [len(s.table.times) for s in tables]

    def whole(column: int) -> "NDArray[np.int64]":
        return np.array([row[column] for row in rows], dtype=np.int64)

    return {
        "kind": whole(0),
        "number": whole(1),
        "order": whole(2),
        "constant": np.array([row[3] for row in rows], dtype=np.float64),
        "expression_count": numbers[EXPRESSION],
        "expression_values": np.zeros(numbers[EXPRESSION]),
        "function_count": numbers[FUNCTION],
        "function_values": np.zeros(numbers[FUNCTION]),
        "table_first": np.cumsum([0, *lengths]),
        "table_times": _joined([s.table.times for s in tables]),
        "table_values": _joined([s.table.values for s in tables]),
        "table_segment": np.cumsum([0, *lengths])[:-1] + 1,
    }


def _joined(columns: "Sequence[Array]") -> "Array":
    import numpy as np

    return np.concatenate([np.zeros(0), *columns])


def _kind(source: object) -> int:
    if isinstance(source, float):
        return CONSTANT
    if isinstance(source, TableInput):
        return TABLE
    if isinstance(source, DelayInput):
        return DELAY
    if isinstance(source, RecordedInput):
        return RECORDED
    return FUNCTION if callable(source) else EXPRESSION
