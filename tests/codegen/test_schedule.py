"""The order of instructions: nothing is used before it is there, and the longest way begins first."""

from collections import Counter

import numpy as np
import pytest

from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.codegen.optimize import schedule as order
from acausal.codegen.optimize.schedule import schedule
from acausal.ir.program.instructions import Instruction, LinearSolve
from tests.codegen.plans import run
from tests.codegen.test_batch import functions
from tests.codegen.test_loop_rerolling import ladder


def test_the_longest_way_goes_first() -> None:
    code = (
        Instruction("state", (), 0),
        Instruction("add", (0, 0)),
        Instruction("store", (1,), 0),
        Instruction("state", (), 1),
        Instruction("sin", (3,)),
        Instruction("mul", (4, 4)),
        Instruction("store", (5,), 1),
    )
    assert [i.op for i in schedule(code)] == ["state", "sin", "state", "add", "mul", "store", "store"]
    assert schedule(code)[0].value == 1


@pytest.mark.parametrize("window", [1, 4, 1000])
def test_nothing_is_used_before_it_is_there(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "WINDOW", window)
    code = functions().derivatives.code
    found = schedule(code)
    assert all(a < k for k, i in enumerate(found) for a in i.args)
    assert Counter((i.op, i.value) for i in found) == Counter((i.op, i.value) for i in code)
    assert (found == code) == (window == 1)


def test_blocks_stay_where_they_are() -> None:
    code = (Instruction("state", (), 0), Instruction("linear_solve", (0, 0), LinearSolve(1, 1)))
    assert schedule(code) is code


def test_results_are_the_same_to_the_bit() -> None:
    program = ladder(30)
    assert schedule(program.derivatives.code) != program.derivatives.code
    y = np.random.default_rng(11).uniform(-1, 1, 30)
    one, two = (run(compile_(program), y=y, u=[0.5]).rates for compile_ in (compile_llvm, compile_numpy))
    assert one.tobytes() == two.tobytes()
