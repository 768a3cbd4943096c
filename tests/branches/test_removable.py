"""Derivatives next to dead centers: as exact as elsewhere, with machine code and with NumPy."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from acausal.codegen.executable import Executable
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.ir.program.program import Program
from acausal.runtime.branches.branch_points import activate
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import Signals
from acausal.simulate.system.initialization import initial_states
from acausal.simulate.system.parameters import parameter_values
from acausal.simulate.system.system import System
from tests.branches.mechanisms import G, parallelograms
from tests.branches.test_dead_centers import made

COMPILERS = (compile_llvm, compile_numpy)
SPEED = -3.0
CENTER = np.pi / 2


def running(executable: Executable) -> System:
    """A system at its first instant, as a run begins with it."""
    program = executable.program
    p = parameter_values(executable, {})
    assert isinstance(p, np.ndarray)
    system = System(executable, p, Signals(), Delays(program, 0.0, 1.0))
    initial_states(system, 0.0)
    activate(system.arrays[2], program.memory)
    return system


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("count", [1, 4])
def test_accelerations_of_parallelograms(count: int, compiler: Callable[[Program], Executable], tmp_path: Path) -> None:
    """A chain of them is a pendulum, whose acceleration is weight * sin(q) / mass, however near its dead center."""
    system = running(compiler(made(tmp_path, parallelograms(count)).program))
    mass, weight = (count + 1) / 3 + count, G * ((count + 1) / 2 + count)
    out = np.empty(2)

    def at(angle: float) -> None:
        assert not system.slope(angle / SPEED, np.array([angle, SPEED]), out)
        assert out[0] == SPEED
        assert out[1] == pytest.approx(weight * np.sin(angle) / mass, rel=1e-9)
        solved = system.arrays[2][: system.program.followed]
        assert np.abs(np.abs(solved) - abs(angle)).max() < 1e-9

    for angle in np.arange(0, -CENTER, -0.03):
        at(float(angle))
    for distance in (9e-3, 1e-3, 1e-5, 1e-8, 1e-12, 0.0):
        at(distance - CENTER)
    for distance in (1e-12, 1e-7, 1e-4, 1e-3, 9e-3, 0.02, 0.05):
        at(-distance - CENTER)
