"""Stability margins of a feedback loop."""

from math import isfinite, log10
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    import control


@dataclass(frozen=True, slots=True)
class Margins:
    """Margins of a loop; infinite where there is no crossing.

    `gain` is the factor and `phase` the angle in degrees that the loop tolerates before it becomes unstable, `modulus`
    the smallest distance of its Nyquist curve from -1. `gain_frequency`, `phase_frequency` and `modulus_frequency`
    are the angular frequencies in rad/s at which they occur.
    """

    gain: float
    phase: float
    modulus: float
    gain_frequency: float
    phase_frequency: float
    modulus_frequency: float

    def __str__(self) -> str:
        decibels = f" ({20 * log10(self.gain):.4g} dB)" if isfinite(self.gain) and self.gain > 0 else ""
        lines = (
            ("gain", f"{self.gain:.6g}{decibels}", self.gain_frequency),
            ("phase", f"{self.phase:.6g} deg", self.phase_frequency),
            ("modulus", f"{self.modulus:.6g}", self.modulus_frequency),
        )
        return "\n".join(f"{name} margin {text}{_at(omega)}" for name, text, omega in lines)


def _at(omega: float) -> str:
    return f" at {omega:.6g} rad/s" if isfinite(omega) else ""


def margins_of(loop: "control.StateSpace") -> Margins:
    """Margins of a loop transfer function L with the feedback -L, by `control.stability_margins`."""
    from control import stability_margins

    return Margins(*[float(x) for x in stability_margins(loop)])
