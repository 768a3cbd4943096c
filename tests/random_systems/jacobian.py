"""Exact Jacobians of random systems beside high-order differences of their derivatives."""

from random import Random

import numpy as np

from acausal.codegen.llvm.llvm_executable import LlvmExecutable
from tests.codegen.test_tangent import differences, exact, system_of
from tests.random_systems.check import BEFORE, made
from tests.random_systems.system import random_system

INSTANT = 0.4
WITHIN = 1e-5
"""Of the largest entry of a row."""
STEPS = (1e-3, 1e-2, 3e-3, 3e-2)
"""Short steps magnify what Newton's method leaves of the derivatives, and long ones leave out what bends: one of these
is neither too short nor too long."""


def differentiated(rng: Random) -> None:
    """All entries at one instant of the known solution."""
    system = random_system(rng, mild=True)
    executable = made(system).executable
    assert isinstance(executable, LlvmExecutable)
    program = executable.program
    if not program.state_slots:
        return
    run = system_of(executable)
    y = np.array([system.value(slot.symbol, INSTANT) for slot in program.state_slots])
    starts = [system.value(symbol, INSTANT - BEFORE) for symbol in program.memory_slots]
    run.memory[: len(starts)] = starts
    assert run.slope(INSTANT, y, np.empty_like(y)) == 0
    found = exact(run, y, INSTANT)
    off = [_off(found, differences(run, y, INSTANT, step)) for step in STEPS]
    assert min(off) < WITHIN, off


def _off(found: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference as a share of the largest entry of its row."""
    size = np.maximum(np.abs(expected).max(axis=1, keepdims=True), 1e-3)
    return float(np.max(np.abs(found - expected) / size))
