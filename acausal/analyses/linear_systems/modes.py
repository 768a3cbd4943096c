"""Modes of a linear system: eigenvalue, frequency, damping, and which components take part."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import inf, pi
from typing import TYPE_CHECKING

from acausal.analyses.linear_systems.text_tables import table
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.result import Result
    from acausal.simulate.run.operating_point import OperatingPoint

SHARES = 3
"""Components that a line of the table names."""


@dataclass(frozen=True)
class Mode:
    """One mode: exp(eigenvalue*t); of a conjugate pair the one with positive imaginary part.

    `shape` has the deviation of each state (complex), the largest 1; `by_state` the share of each state: the product
    of its entries in the right and left eigenvector (I. J. Perez-Arriaga, G. C. Verghese, F. C. Schweppe, IEEE
    Transactions on Power Apparatus and Systems 101, 1982).
    """

    number: int
    eigenvalue: complex
    shape: dict[str, complex]
    by_state: dict[str, float]
    model: str
    _point: "OperatingPoint | None"

    @property
    def is_oscillating(self) -> bool:
        """True for a conjugate pair."""
        return self.eigenvalue.imag != 0.0

    @property
    def frequency(self) -> float:
        """Frequency of the oscillation in Hz; 0 for a real eigenvalue."""
        return self.eigenvalue.imag / (2 * pi)

    @property
    def natural_frequency(self) -> float:
        """Undamped angular frequency in rad/s: the absolute value of the eigenvalue."""
        return abs(self.eigenvalue)

    @property
    def damping(self) -> float:
        """Damping ratio: 1 for a decaying real eigenvalue, 0 for an undamped one, negative where it grows."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size if size else 0.0

    @property
    def time_constant(self) -> float:
        """Time in which it decays to 1/e; negative where it grows."""
        return -1.0 / self.eigenvalue.real if self.eigenvalue.real else inf

    @cached_property
    def participation(self) -> dict[str, float]:
        """Share of each component (the submodel whose state it is), the largest first; together 1."""
        found: dict[str, float] = {}
        for state, share in self.by_state.items():
            component = component_of(state) or self.model
            found[component] = found.get(component, 0.0) + share
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def motion(self, amplitude: float | None = None, frames: int = 60) -> "Result":
        """All variables over one period of the mode, as a result: `motion().animate("mode.html")` shows its shape.

        States are moved along the shape and back; all other variables follow from the nonlinear equations.
        `amplitude` is the largest deviation of a state; without it the motion is a visible part of the mechanism's
        size.
        """
        from acausal.analyses.linear_systems.mode_motion import motion

        if self._point is None:
            message = "modes of a reduced system have no motion: its states are not variables of the model"
            raise UsageError(Diagnostic("F006", message))
        return motion(self._point, list(self.shape.values()), self.frequency, amplitude, frames)

    def data(self) -> dict[str, object]:
        """The mode as plain numbers, for JSON."""
        return {
            "eigenvalue": [self.eigenvalue.real, self.eigenvalue.imag],
            "frequency": self.frequency,
            "natural_frequency": self.natural_frequency,
            "damping": self.damping,
            "participation": self.participation,
            "shape": {name: [x.real, x.imag] for name, x in self.shape.items()},
        }


class Modes(Sequence[Mode]):
    """Modes in the order of their natural frequencies; as text a table."""

    def __init__(self, modes: Sequence[Mode]) -> None:
        self._modes = tuple(modes)

    def __getitem__(self, number: int) -> Mode:  # type: ignore[override]  # no slices
        if not -len(self._modes) <= number < len(self._modes):
            message = f"there is no mode {number}: the system has {len(self._modes)}, counted from 0"
            raise UsageError(Diagnostic("F006", message))
        return self._modes[number]

    def __iter__(self) -> Iterator[Mode]:
        return iter(self._modes)

    def __len__(self) -> int:
        return len(self._modes)

    def __str__(self) -> str:
        if not self._modes:
            return "no modes: the model has no states"
        rows = []
        for mode in self._modes:
            s = mode.eigenvalue
            value = f"{s.real:.6g} +- {s.imag:.6g}j" if mode.is_oscillating else f"{s.real:.6g}"
            shares = [f"{name} {100 * share:.0f} %" for name, share in list(mode.participation.items())[:SHARES]]
            rows.append([str(mode.number), value, f"{mode.frequency:.6g}", f"{mode.damping:.4g}", ", ".join(shares)])
        return "\n".join(table(["mode", "eigenvalue [1/s]", "f [Hz]", "damping", "participation"], rows))

    __repr__ = __str__


def component_of(state: str) -> str:
    """The submodel whose state it is, "" for one of the model itself: `arm.hinge` of `der(arm.hinge.q)`."""
    inner = state.removeprefix("der(").partition(",")[0].rstrip(")") if state.startswith("der(") else state
    return inner.rpartition(".")[0]


def modes_of(a: "Array", states: tuple[str, ...], model: str, point: "OperatingPoint | None") -> Modes:
    """The modes of a matrix."""
    import numpy as np
    from scipy.linalg import eig

    if not len(a):
        return Modes(())
    values, left, right = eig(a, left=True, right=True)
    chosen = [k for k in range(len(values)) if values[k].imag >= 0]
    chosen.sort(key=lambda k: (round(abs(values[k]), 12), values[k].real, values[k].imag))
    found = []
    for number, k in enumerate(chosen):
        shape = right[:, k] / right[int(np.abs(right[:, k]).argmax()), k]
        shares = np.abs(left[:, k] * right[:, k])
        shares = shares / shares.sum() if shares.sum() > 0 else shares
        names = zip(states, shape.tolist(), shares.tolist(), strict=True)
        entries = [(name, complex(x), share) for name, x, share in names]
        by_state = {name: share for name, _, share in entries}
        value = complex(values[k])
        found.append(Mode(number, value, {name: x for name, x, _ in entries}, by_state, model, point))
    return Modes(found)
