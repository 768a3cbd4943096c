"""Slopes of states behind an `init` of variables that are no states.

`runtime/events/restart_others` moves states by steps J+ r, where r is by how much the variables are off their values,
and J+ the pseudo-inverse of their derivatives along the states that may change. The slopes of such a step are

    d(J+ r) = -J+ dJ J+ r + (1 - J+ J) dJ' J+' J+ r + J+ J+' dJ' (1 - J J+) r + J+ dr

as long as the rank of J does not change. (G. H. Golub, V. Pereyra, SIAM J. Numer. Anal. 10, 1973, pages 413-432.)
"""

from typing import TYPE_CHECKING, Any
from weakref import ref

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.runtime.context import DONE, EventContext
from acausal.runtime.events.restart_others import MOST_ITERATIONS, NOISE, REACHED
from acausal.simulate.sensitivities.event_time import EventFunctions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

AGREE = 1e-6
"""States are those of the run, to this."""


class RestartSlopes:
    """Restarts of the runs with a context, which they take the place of `restart_others` in."""

    def __init__(self, augmented: Augmented, functions: EventFunctions, context: EventContext) -> None:
        self._augmented, self._functions = augmented, functions
        self._plain, self._context = context.restart_others, ref(context)  # which holds this

    def __call__(self, address: int, t: float) -> int:
        """States `moved` and their slopes; the status of `restart_others`."""
        import numpy as np

        e: Any = self._context()  # with arrays of NumPy
        n = self._augmented.places.states
        results, begin = np.array(e.results), np.array(e.moved)
        e.taken[n:] = 1.0  # slopes change no value
        status = self._plain(address, t)
        if status == DONE:
            positions = np.array(e.restart_room.positions[:n], dtype=bool)
            after = np.array(e.moved[:n])
            moves_positions = bool((after != begin[:n])[positions].any())
            free = np.flatnonzero((np.array(e.taken[:n]) == 0.0) & (moves_positions | np.logical_not(positions)))
            e.moved[n:] = self._slopes_after(t, results, begin, after, free)
        return status

    def _slopes_after(
        self, t: float, results: "Array", begin: "Array", after: "Array", free: "NDArray[np.intp]"
    ) -> "Array":
        """The slopes of all states, parameter by parameter; `results` are those of `events` before."""
        import numpy as np

        augmented, n, count = self._augmented, self._augmented.places.states, self._augmented.places.count
        events, slots = augmented.events, augmented.base.table.restarts
        fired = [number for number in events.restarts if results[slots[number].position] != 0.0]
        wanted = np.array([results[slots[number].position + 1] for number in fired])
        slopes = np.array([results[events.restarts[number] :][:count] for number in fired])
        y, is_reached = begin.copy(), False
        for _ in range(MOST_ITERATIONS):
            results = self._functions.at(t, y)
            missed = wanted - np.array([results[slots[number].position + 2] for number in fired])
            now = np.array([results[events.restarts[number] + count :][:count] for number in fired])
            rows = np.array([results[events.rows[number] :][: n * (1 + count)] for number in fired])
            jacobians = rows.reshape(len(fired), n, 1 + count)[:, free]
            step, moves = _step(jacobians, missed, slopes - now)
            y[free] += step
            y[n:].reshape(count, n)[:, free] += moves.T
            if is_reached:
                break
            is_reached = bool((np.abs(missed) <= REACHED * (1.0 + np.abs(wanted))).all())
        if not (np.abs(y[:n] - after) <= AGREE * (1.0 + np.abs(after))).all():
            texts = ", ".join([slots[number].text for number in fired])
            message = f"at t = {t:.10g} the states that init({texts}) moves have no derivatives"
            hint = "declare the variable with (state=true)"
            raise SimulationError(Diagnostic("A020", message, Label(slots[fired[0]].origin.span), help=hint))
        return y[n:]


def _step(jacobians: "Array", missed: "Array", slopes: "Array") -> "tuple[Array, Array]":
    """The shortest step (states,) and its slopes (states, parameters).

    `jacobians` (variables, states, 1 + parameters) are J and its slopes, `missed` (variables,) what is r, and `slopes`
    (variables, parameters) its own.
    """
    import numpy as np

    jacobian, changes = jacobians[:, :, 0], jacobians[:, :, 1:]
    inverse = np.linalg.pinv(jacobian, rcond=NOISE)
    step = inverse @ missed
    left = missed - jacobian @ step
    across = np.einsum("ijk,i->jk", changes, inverse.T @ step)
    moves = inverse @ (slopes - np.einsum("ijk,j->ik", changes, step))
    moves += across - inverse @ (jacobian @ across)
    moves += inverse @ (inverse.T @ np.einsum("ijk,i->jk", changes, left))
    return step, moves
