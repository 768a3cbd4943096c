"""Importance of errors of w: absolute tolerances of the adjoint equations.

The derivative by what a rate f_i depends on is w_i times the size of the terms of f_i, over the time of the run: y_i
itself, and J_ii y_i where that changes faster. So an error of w_i is weighed by y_i*max(1, time*J_ii).
"""

from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.adjoint.adjoint_model import AdjointModel
from acausal.simulate.inputs.recording import Recording

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

PROBES = 4
"""Vectors of signs: products of the Jacobian with them give its diagonal, but for what the others add."""


class Importance:
    """`sizes` (states,) are weights of the numbers w."""

    def __init__(self, model: AdjointModel, p: "Array", recording: Recording, states: "Array") -> None:
        """`states` are those at the end of the run."""
        import numpy as np

        self._own, self._moving, self._recording = model.own, model.moving, recording
        program = model.backward.program
        self._length = float(recording.ends[-1] - recording.ends[0])
        self._w, self._rates, self._u = np.zeros(model.states), np.zeros(model.states), np.zeros(program.input_size)
        whole, memory = np.append(p, np.ones(model.states)), np.zeros(program.memory_size)
        self._call = model.backward.bind("derivatives", self._w, self._u, whole, memory, self._rates)
        self.sizes = _largest(model, p, recording, states)
        signs = np.random.default_rng(0).choice([-1.0, 1.0], (PROBES, model.states))
        fastest = max([np.mean([abs(v * self._product(v, end)) for v in signs], axis=0) for end in (0, -1)], key=sum)
        self.sizes *= np.maximum(1.0, self._length * fastest)

    def largest(self, w: "Array") -> float:
        """The largest number along the states of the model itself: that of an integral is constant."""
        return float(abs((w * self.sizes)[..., : self._own]).max(initial=0.0))

    def expected(self, w: "Array") -> float:
        """The size that w grows to from zero: its rate at the end times the time in which this rate changes."""
        first = self._product(w, -1)
        first[self._own :] = 0.0
        rate, second = self.largest(first), self.largest(self._product(first, -1))
        grown = rate * min(self._length, rate / second) if second else rate * self._length
        return grown or float(abs(w * self.sizes).max())

    def _product(self, w: "Array", end: int) -> "Array":
        """f_y' w at the start (0) or end (-1) of the run."""
        self._u[: self._moving] = self._recording.nodes[end, end, : self._moving]
        self._w[:] = w
        self._call(0.0)
        return self._rates.copy()


def _largest(model: AdjointModel, p: "Array", recording: Recording, states: "Array") -> "Array":
    """Largest recorded values of the states, else those at the end, else nominal values."""
    import numpy as np

    nominals = [0.0 if s.nominal is None else abs(float(p[s.nominal])) for s in model.program.state_slots]
    found = abs(states)
    recorded = np.maximum(recording.nodes.max(axis=(0, 1)), -recording.nodes.min(axis=(0, 1)))
    for value, size in zip(model.values, recorded.tolist(), strict=True):
        if value.kind == "state":
            found[value.position] = max(size, found[value.position])
    return np.where(found > 0.0, found, [nominal or 1.0 for nominal in nominals])
