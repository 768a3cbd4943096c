"""What is named when events do not end: what takes part in them at last, not what changed most often before."""

import numpy as np

from acausal.base.source import SourceFile, Span
from acausal.ir.origin import Origin
from acausal.ir.program.slots import EventTable, FrozenSlot
from acausal.runtime.limits import WITHOUT_END
from acausal.simulate.solver.zeno import ChatteringDetection, Seen

ORIGIN = Origin(Span(SourceFile("m.mdl", "model M\nend\n"), 0, 5), ())
TABLE = EventTable(
    tuple([FrozenSlot(("k", str(i)), "relation", "boolean", ORIGIN, i, "<", crossing=i, text=text)
           for i, text in enumerate(("time < 1", "early < 0", "stubborn < 0"))]),
)  # fmt: skip


def test_a_crossing_that_changes_nothing_is_named() -> None:
    watch, one, other = ChatteringDetection(TABLE, 10.0), np.array([0.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    for k in range(3 * WITHOUT_END):
        both = np.array([one, other] if k % 2 else [other, one])
        assert watch.seen(Seen(0.1 * k, both, {1: 1})) is None
    reports = [watch.seen(Seen(9 + 1e-13 * k, np.array([one, one]), {2: 1})) for k in range(WITHOUT_END)]
    assert reports[:-1] == [None] * (WITHOUT_END - 1)
    report = reports[-1]
    assert report is not None
    assert report.code == "E011"
    assert "stubborn < 0" in report.message
    assert "early" not in report.message
    assert "time < 1" not in report.message
