"""Kinds that type checkers know are those of the tables of operators."""

from typing import get_args

import pytest

from acausal.ir import kinds
from acausal.ir.ops import ARRAY_OPS, EVENT_OPS, LEAVES, OPS
from acausal.ir.program.instructions import EFFECTS, LOADS


def members(kind: object) -> list[str]:
    """All words of a union of literals."""
    found: list[str] = []
    for part in get_args(kind):
        found += [part] if isinstance(part, str) else members(part)
    return found


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        (kinds.ScalarOp, OPS),
        (kinds.LeafOp, LEAVES),
        (kinds.EventOp, EVENT_OPS),
        (kinds.ArrayOp, ARRAY_OPS),
        (kinds.LoadOp, LOADS),
        (kinds.EffectOp, EFFECTS),
        (kinds.RelationOp, [row.name for row in OPS.values() if row.arity == 2 and row.boolean]),
    ],
    ids=lambda x: "",
)
def test_operators_are_those_of_the_tables(kind: object, table: dict[str, object]) -> None:
    assert members(kind) == list(table)
