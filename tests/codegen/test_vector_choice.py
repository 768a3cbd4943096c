"""Which derivatives are written for vectors, and when their code is optimized."""

from itertools import pairwise
from math import nan

import numpy as np
import pytest

from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.native import batch
from acausal.codegen.native.batch import Batch
from tests.codegen.plans import PlanMaker, lowered, run
from tests.codegen.test_batch import functions


def test_long_routines_are_optimized_after_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers stay the same to the last bit."""
    program = functions()
    executable = compile_llvm(program)
    chance = np.random.default_rng(7)
    y, u, t = chance.uniform(-2, 2, (40, len(program.state_slots))), chance.uniform(size=(40, 1)), np.zeros(40)
    p, found = run(executable, u=[0.0]).p[None], []
    asked: list[int] = []
    load_text = batch.load_text
    monkeypatch.setattr(batch, "load_text", lambda text, level: asked.append(level) or load_text(text, level))
    for at_once in (4000, 0):
        monkeypatch.setattr(batch, "AT_ONCE", at_once)
        monkeypatch.setattr(batch, "OFTEN", 80)
        many = Batch(executable)
        for _ in range(3):
            found.append(np.full(y.shape, nan))
            many.derivatives(t, y, u, p, np.zeros(0), found[-1])
    assert asked == [2, 0, 2]
    assert len({out.tobytes() for out in found}) == 1


def test_rows_that_are_moved_more_than_they_are_computed_have_no_vectors() -> None:
    """A chain of 100 sums and one of 10, which is compiled in no time."""
    for count, fits in ((100, False), (10, True)):
        m = PlanMaker()
        states = [m.state(f"x{i}") for i in range(count)]
        for state, other in pairwise((*states, states[0])):
            m.rate(state, m.pool.add(other, m.pool.neg(state)))
        assert (Batch(compile_llvm(lowered(m.plan()))).lanes > 1) == fits
