"""CVODE of SUNDIALS, called through scikit-sundae.

The solver takes its own steps and interpolates at the output times.
"""

from math import inf, nan
from typing import TYPE_CHECKING

from sksundae.cvode import CVODE

from acausal.runtime.context import SolverRecord
from acausal.runtime.cvode.callbacks import is_stalled
from acausal.runtime.kernel.signature import fields
from acausal.runtime.limits import SHORTEST
from acausal.runtime.step_limits import step_tolerance
from acausal.simulate.cvode.interpolation import Interpolation
from acausal.simulate.jacobian.exact_jacobian import exact_jacobian, matrix_text
from acausal.simulate.jacobian.exact_jacobian_python import ExactColumns
from acausal.simulate.jacobian.finite_differences import Differences
from acausal.simulate.jacobian.storage import NewtonMatrix, choose_matrix
from acausal.simulate.jacobian.sundials_library import silence, sundials_library, use_one_thread
from acausal.simulate.solver.cvode_settings import (
    AT_ONCE,
    CLOSE_CROSSINGS,
    CONVERGENCE_FAILURES,
    ROOT,
    TOO_MUCH_WORK,
    WHY,
)
from acausal.simulate.solver.foreign_warnings import without_foreign_warnings
from acausal.simulate.solver.hidden import Hidden, hidden_of
from acausal.simulate.solver.integrator import CloseCrossingsError, Counts, StepResult, StuckError
from acausal.simulate.solver.mode_tolerances import solver_tolerances
from acausal.simulate.system.finite import all_finite
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.step_limits import longest_step, longest_step_until
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class SundialsIntegrator:
    """CVODE with `method` BDF (stiff) or Adams; see `Integrator`."""

    is_loop = False
    batch = None

    def __init__(self, system: System, y: "Array", settings: Settings, method: str) -> None:
        self.name = "cvode" if method == "BDF" else "adams"
        self._jacobians = 0
        self.matrix = choose_matrix(system.executable, _has_sparse)
        self._matrix_text = matrix_text(system.executable, self.matrix)
        self._watched = _Watched(system, self.matrix)
        self._derivatives = _Derivatives(system, self.matrix)
        absolute = solver_tolerances(system, settings, y)
        self._solver = _solver(system, settings, absolute, method, self.matrix, self._derivatives, self._watched)
        self.restart(settings.start, y)

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:  # noqa: ARG002 - scikit-sundae takes it once
        """Begins again."""
        self._solver.init_step(t, y[self.matrix.order])
        self._watched.begin(silence(self._solver))

    def watched(self, t: float) -> "Array | None":
        """The root functions where CVODE has evaluated them last."""
        return self._watched.values if self._watched.time == t else None

    def goes_on(self, t: float, limit: float) -> bool:  # noqa: ARG002 - it knows where it is
        """True if no step may have gone beyond the limit."""
        return limit >= self._limit

    def advance(self, t: float, limit: float) -> StepResult:
        """The states at t, or at the first crossing before, or where many steps have been taken."""
        self._limit = limit
        try:
            reached = self._solver.step(t, "normal", limit)
        except _StalledError as stalled:
            raise StuckError(WHY[-6], stalled.t, stalled.y) from None
        self._jacobians = reached.njev
        y: Array = reached.y[self.matrix.place]
        if reached.status == CLOSE_CROSSINGS and self._watched.count:
            raise CloseCrossingsError
        if reached.status < 0 and reached.status != TOO_MUCH_WORK:
            raise StuckError(WHY.get(reached.status, reached.message.rstrip(".")), float(reached.t), y)
        crossed = self._watched.take() if reached.status == ROOT else {}
        return StepResult(float(reached.t), y, crossed)

    def counts(self) -> Counts:
        """scikit-sundae does not report CVODE's steps."""
        return Counts(None, self._jacobians, self._matrix_text)


class _StalledError(Exception):
    """CVODE evaluates the derivatives again and again at one time."""

    def __init__(self, t: float, y: "Array") -> None:
        super().__init__(t)
        self.t, self.y = t, y


class _Derivatives:
    """The derivatives with the states in the order of the matrix.

    CVODE has no status for derivatives that are not finite, and may then repeat steps too short to change the time
    forever (`runtime/cvode/callbacks.is_stalled`).
    """

    def __init__(self, system: System, matrix: NewtonMatrix) -> None:
        import numpy as np

        self._system, self._matrix = system, matrix
        self._plain = matrix.order.tolist() == list(range(matrix.size))
        self._record = SolverRecord(**dict.fromkeys(fields(SolverRecord), nan))
        self._slopes, self._finite = np.empty(matrix.size), np.empty(matrix.size)

    def __call__(self, t: float, y: "Array", out: "Array") -> None:
        """dy/dt into out; _StalledError with this time and the last states where they were finite."""
        import numpy as np

        if is_stalled(self._record, self._matrix.size, t):
            raise _StalledError(t, self._finite)
        if self._plain:
            self._system.slope(t, y, out)
        else:
            y = y[self._matrix.place]
            self._system.slope(t, y, self._slopes)
            np.take(self._slopes, self._matrix.order, out=out)
        if all_finite(out):
            self._finite[:] = y


class _Watched:
    """The function whose changes of sign CVODE locates; scikit-sundae leaves what it found in its attributes."""

    def __init__(self, system: System, matrix: NewtonMatrix) -> None:
        import numpy as np

        self.count = system.program.table.crossings
        self.time = float("nan")
        self.values: Array = np.empty(self.count)
        self._system, self._matrix = system, matrix
        self._hidden = hidden_of(system)
        self._interpolation = None if self._hidden is None else Interpolation(matrix.size)

        def watch(t: float, y: "Array", out: "Array") -> None:
            system.crossings(t, y[matrix.place], out)
            if self._hidden is not None:
                self._search(self._hidden, t, out)
            self.time, self.values[:] = t, out

        self.function = watch

    def begin(self, solver: tuple[int, int] | None) -> None:
        """Begin with CVODE's memory and context."""
        if self._interpolation is not None:
            self._interpolation.begin(solver)

    def _search(self, hidden: Hidden, t: float, out: "Array") -> None:
        """Look for two crossings in the step up to t."""
        if t == self._system.starts[-1]:
            hidden.begin(t, out)
        else:
            hidden.find(self._watch_within, t, out)

    def _watch_within(self, t: float, factor: float) -> "Array":
        """Root functions within the step, NaN where there is none."""
        import numpy as np

        out = np.full(self.count, np.nan)
        y = None if self._interpolation is None else self._interpolation.states(t)
        if y is not None:
            self._system.crossings(t, y[self._matrix.place] * factor, out)
        return out

    def take(self) -> dict[int, int]:
        """The crossings found last; the lists would grow with every event."""
        lists = [getattr(self.function, name) for name in ("_i", "_t", "_y")]
        found = {i: int(d) for i, d in enumerate(lists[0][-1]) if d}
        for each in lists:
            each.clear()
        return found


def _solver(
    system: System,
    settings: Settings,
    absolute: "Array",
    method: str,
    matrix: NewtonMatrix,
    derivatives: _Derivatives,
    watched: _Watched,
) -> CVODE:
    relative = max(step_tolerance(settings.tolerance), 1e-15)
    shortest = SHORTEST * abs(settings.start)
    steps = {
        "max_num_steps": 1 if system.program.choice_table.slots else AT_ONCE,
        "max_conv_fails": CONVERGENCE_FAILURES,
        "min_step": shortest,
        "max_step": max(min(settings.stop - settings.start, _longest_step(system, settings)), shortest),
    }
    common = {"method": method, "rtol": relative, **steps}
    if watched.count:
        common |= {"eventsfn": watched.function, "num_events": watched.count}
    exact = exact_jacobian(system.executable)
    if exact is not None and matrix.kind != "sparse":
        common["jacfn"] = ExactColumns(system, exact, matrix).fill
    if matrix.kind == "dense":
        return CVODE(derivatives, atol=absolute, **common)
    if matrix.kind == "sparse":
        return _sparse(system, matrix, derivatives, {"atol": absolute, **common})
    width = {"linsolver": "band", "lband": matrix.lower, "uband": matrix.upper}
    return CVODE(derivatives, atol=absolute[matrix.order], **width, **common)


def _longest_step(system: System, settings: Settings) -> float:
    """The shortest that the run needs, as scikit-sundae takes it once."""
    t, longest = settings.start, inf
    while t < settings.stop:
        longest = min(longest, longest_step(system, t))
        t = longest_step_until(system, t)
    return longest


def _sparse(system: System, matrix: NewtonMatrix, derivatives: _Derivatives, options: dict[str, object]) -> CVODE:
    """With SuperLU; scikit-sundae warns that a pattern alone would do (its own differences cost more steps)."""
    use_one_thread()
    differences, exact = Differences(system, matrix), exact_jacobian(system.executable)
    fill = differences.fill if exact is None else ExactColumns(system, exact, matrix).fill
    with without_foreign_warnings():
        return CVODE(derivatives, linsolver="sparse", sparsity=differences.pattern, jacfn=fill, **options)


def _has_sparse() -> bool:
    library = sundials_library()
    return library is not None and library.superlu is not None
