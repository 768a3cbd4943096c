"""CVODE that calls the machine code itself: no Python runs at a step."""

import ctypes
import threading
from ctypes import c_double, c_int32, c_void_p
from typing import TYPE_CHECKING

from acausal.simulate.cvode.instance import CvodeInstance
from acausal.simulate.cvode.loop_integrator import LoopIntegrator
from acausal.simulate.jacobian.exact_jacobian import matrix_text
from acausal.simulate.jacobian.sundials_library import Sundials
from acausal.simulate.solver.integrator import StepResult
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_ADVANCE = ctypes.CFUNCTYPE(c_int32, c_void_p, c_double)
_ONE_AT_A_TIME = threading.Lock()
"""SuperLU_MT works in variables that all its matrices share: two threads in it end the process."""


class DirectIntegrator(LoopIntegrator):
    """CVODE by pointer; see `Integrator`."""

    def __init__(self, system: System, y: "Array", settings: Settings, method: str, library: Sundials) -> None:
        self.cvode = CvodeInstance(system, y, settings, method, library)
        name = "cvode" if method == "BDF" else "adams"
        super().__init__(name, self.cvode, (system, y, settings), bool(system.program.delays))
        self._address = self.cvode.context.address
        self._reached = self.cvode.context.array("reached")
        self.matrix = self.cvode.matrix
        self.matrix_text = matrix_text(system.executable, self.matrix)
        if self.matrix.kind == "sparse":
            self.turn = _ONE_AT_A_TIME
        self._advance = _ADVANCE(system.address("cvode_advance") or 0)

    def advance(self, t: float, limit: float) -> StepResult:
        """The states at t, or at the first crossing before, or where many steps have been taken."""
        if self._by_loop:
            return super().advance(t, limit)
        if limit != self._limit:
            self.cvode.set_stop(limit)
            self._limit = limit
        with self.turn:
            status = self._advance(self._address, t)
        return self.stopped(status, float(self._reached[0]))
