"""The motion of a mode: states along its shape, other variables by the nonlinear equations."""

from collections.abc import Sequence
from math import pi
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, SimulationError, UsageError
from acausal.results.animation.build import variables
from acausal.results.result import Result
from acausal.simulate.run.outcome import Outcome, Stats

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.run.operating_point import OperatingPoint

VISIBLE = 0.15
"""Displacement as a part of the mechanism's size, and angle in rad, that a motion has by default."""
TRIAL = 1e-4
HALVINGS = 12


def motion(
    point: "OperatingPoint", entries: Sequence[complex], frequency: float, amplitude: float | None, frames: int
) -> Result:
    """One period of a mode in so many frames; `frequency` is 0 for one that does not oscillate.

    UsageError F006 for an amplitude that the equations do not admit.
    """
    import numpy as np

    if frames < 2:
        raise UsageError(Diagnostic("F006", f"a motion requires at least 2 frames, not {frames}"))
    shape = np.array(entries[: len(point.y)])
    if amplitude is not None:
        found = _result(point, frequency, amplitude * shape, frames)
        if found is None:
            message = f"the equations have no solution at the amplitude {amplitude:g}"
            raise UsageError(Diagnostic("F006", message, help="choose a smaller amplitude, or omit it"))
        return found
    size = _visible(point, frequency, shape)
    for _ in range(HALVINGS):
        found = _result(point, frequency, size * shape, frames)
        if found is not None:
            return found
        size /= 2
    raise UsageError(Diagnostic("F006", "the equations have no solution near this operating point"))


def _result(point: "OperatingPoint", frequency: float, amplitudes: "Array", frames: int) -> Result | None:
    """None where a point has no solution; solutions are followed from frame to frame."""
    import numpy as np

    system, period = point.system, 1.0 / frequency if frequency else 1.0
    memory, rows = system.memory.copy(), []
    phases = np.linspace(0.0, 2 * pi, frames)
    try:
        for phase in phases:
            moved = (amplitudes * np.exp(1j * phase)).imag if frequency else amplitudes.real * np.sin(phase)
            rows.append(point.at(point.y + moved).variables())
    except SimulationError:
        return None
    finally:
        system.memory[:] = memory
    stored = np.array(rows)
    if not np.isfinite(stored).all():
        return None
    time = phases / (2 * pi) * period
    outcome = Outcome(system.program, time, stored, system.arrays[1], Stats("mode", 0, 0, 0, 0.0))
    return Result.of(outcome)


def _visible(point: "OperatingPoint", frequency: float, shape: "Array") -> float:
    """The amplitude that moves or turns what is drawn visibly; TRIAL of a model without mechanism."""
    import numpy as np

    found = _result(point, frequency, TRIAL * shape, 9)
    if found is None:
        return TRIAL
    names = [name for name in variables(found) if name in found and np.ptp(found[name]) < np.inf]
    places = [found[name] for name in names if name.endswith("]") and "," not in name]
    turns = [found[name] for name in names if "," in name]
    size = max([float(np.ptp([p[0] for p in places])), 1e-9]) if places else 1.0
    moved = max([float(np.ptp(p)) for p in places], default=0.0) / (2 * size)
    turned = max([float(np.ptp(p)) for p in turns], default=0.0) / 2
    largest = max(moved, turned)
    return TRIAL * VISIBLE / largest if largest > 0 else 1.0
