"""CVODE of SUNDIALS, called through scikit-sundae.

The solver takes its own steps and interpolates at the output times.
"""

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING

from sksundae.cvode import CVODE

from acausal.runtime.limits import SHORTEST
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
    SAFETY,
    TOO_MUCH_WORK,
    WHY,
)
from acausal.simulate.solver.foreign_warnings import without_foreign_warnings
from acausal.simulate.solver.integrator import CloseCrossingsError, Counts, Reached, StuckError
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class SundialsIntegrator:
    """CVODE with `method` BDF (stiff) or Adams; see `Integrator`."""

    rusher = None

    def __init__(self, system: System, y: "Array", settings: Settings, method: str) -> None:
        self.name = "cvode" if method == "BDF" else "adams"
        self._jacobians = 0
        self.matrix = choose_matrix(system.executable, _has_sparse)
        self._told = matrix_text(system.executable, self.matrix)
        self._watched = _Watched(system, self.matrix)
        self._solver = _solver(system, settings, method, self.matrix, self._watched)
        self.restart(settings.start, y)

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:  # noqa: ARG002 - scikit-sundae takes it once
        """Begins again."""
        self._solver.init_step(t, y[self.matrix.order])
        silence(self._solver)

    def watched(self, t: float) -> "Array | None":
        """The root functions where CVODE has evaluated them last."""
        return self._watched.values if self._watched.time == t else None

    def goes_on(self, t: float, limit: float) -> bool:  # noqa: ARG002 - it knows where it is
        """Whether no step may have gone beyond the limit."""
        return limit >= self._limit

    def advance(self, t: float, limit: float) -> Reached:
        """The states at t, or at the first crossing before, or where many steps have been taken."""
        self._limit = limit
        reached = self._solver.step(t, "normal", limit)
        self._jacobians = reached.njev
        y: Array = reached.y[self.matrix.place]
        if reached.status == CLOSE_CROSSINGS and self._watched.count:
            raise CloseCrossingsError
        if reached.status < 0 and reached.status != TOO_MUCH_WORK:
            raise StuckError(WHY.get(reached.status, reached.message.rstrip(".")), float(reached.t), y)
        crossed = self._watched.take() if reached.status == ROOT else {}
        return Reached(float(reached.t), y, crossed)

    def counts(self) -> Counts:
        """CVODE's steps are not told by scikit-sundae."""
        return Counts(None, self._jacobians, self._told)


class _Watched:
    """The function whose changes of sign CVODE locates; scikit-sundae leaves what it found in its attributes."""

    def __init__(self, system: System, matrix: NewtonMatrix) -> None:
        import numpy as np

        self.count = system.program.table.crossings
        self.time = float("nan")
        self.values: Array = np.empty(self.count)

        def watch(t: float, y: "Array", out: "Array") -> None:
            system.crossings(t, y[matrix.place], out)
            self.time, self.values[:] = t, out

        self.function = watch

    def take(self) -> dict[int, int]:
        """The crossings found last; the lists would grow with every event."""
        lists = [getattr(self.function, name) for name in ("_i", "_t", "_y")]
        found = {i: int(d) for i, d in enumerate(lists[0][-1]) if d}
        for each in lists:
            each.clear()
        return found


def _solver(system: System, settings: Settings, method: str, matrix: NewtonMatrix, watched: _Watched) -> CVODE:
    absolute = system.tolerances(SAFETY * settings.tolerance)
    relative = max(SAFETY * settings.tolerance, 1e-15)
    shortest = SHORTEST * abs(settings.start)
    steps = {
        "max_num_steps": AT_ONCE,
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
        return CVODE(system.slope, atol=absolute, **common)
    if matrix.kind == "sparse":
        return _sparse(system, matrix, {"atol": absolute, **common})
    width = {"linsolver": "band", "lband": matrix.lower, "uband": matrix.upper}
    return CVODE(_reordered(system, matrix), atol=absolute[matrix.order], **width, **common)


def _longest_step(system: System, settings: Settings) -> float:
    """The shortest that the run needs, as scikit-sundae takes it once."""
    t, longest = settings.start, inf
    while t < settings.stop:
        longest = min(longest, system.longest_step(t))
        t = system.longest_step_until(t)
    return longest


def _sparse(system: System, matrix: NewtonMatrix, options: dict[str, object]) -> CVODE:
    """With SuperLU; scikit-sundae warns that a pattern alone would do (its own differences cost more steps)."""
    use_one_thread()
    differences, exact = Differences(system, matrix), exact_jacobian(system.executable)
    fill = differences.fill if exact is None else ExactColumns(system, exact, matrix).fill
    with without_foreign_warnings():
        return CVODE(system.slope, linsolver="sparse", sparsity=differences.pattern, jacfn=fill, **options)


def _has_sparse() -> bool:
    library = sundials_library()
    return library is not None and library.superlu is not None


def _reordered(system: System, band: NewtonMatrix) -> "Callable[[float, Array, Array], None]":
    """The derivatives with the states in the order of the band."""
    import numpy as np

    slopes = np.empty(len(band.order))

    def slope(t: float, y: "Array", out: "Array") -> None:
        system.slope(t, y[band.place], slopes)
        np.take(slopes, band.order, out=out)

    return slope
