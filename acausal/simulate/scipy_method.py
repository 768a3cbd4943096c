"""SciPy's solvers: used where scikit-sundae is missing, and as a second opinion."""

from typing import TYPE_CHECKING

from acausal.simulate.integrator import Counts, StuckError
from acausal.simulate.settings import Settings
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SAFETY = 0.1
"""As for CVODE: the tolerance of a step is a tenth of what is asked."""
SMALLEST = 3e-14
"""SciPy takes no smaller relative tolerance than 100 rounding errors."""

SHORTEST = 1e-15
PATIENCE = 20
"""So many steps in a row may be shorter than this share of the time: LSODA would go on for ever."""


class ScipyIntegrator:
    """A class of `scipy.integrate` by its name: RK45, DOP853, Radau, BDF, LSODA; see `Integrator`."""

    def __init__(self, system: System, y: "Array", settings: Settings, method: str) -> None:
        import numpy as np
        from scipy import integrate

        def slope(t: float, y: "Array") -> "Array":
            out = np.empty_like(y)
            system.slope(t, y, out)
            return out

        self.name = f"scipy:{method}"
        self._steps = 0
        self._stalled = 0
        self._interpolant = None
        self._solver = getattr(integrate, method)(
            slope,
            settings.start,
            y,
            settings.stop,
            rtol=max(SAFETY * settings.tolerance, SMALLEST),
            atol=system.tolerances(SAFETY * settings.tolerance),
        )

    def advance(self, t: float) -> "Array":
        """The states at t."""
        solver = self._solver
        while solver.t < t:
            before = solver.t
            message = self._step()
            if solver.status == "failed":
                raise StuckError((message or "the solver gives up").rstrip("."), float(solver.t), solver.y.copy())
            self._stalled = self._stalled + 1 if solver.t - before < SHORTEST * abs(solver.t) else 0
            if self._stalled > PATIENCE:
                raise StuckError("its steps no longer change the time", float(solver.t), solver.y.copy())
            self._steps += 1
            self._interpolant = None
        if solver.t == t:
            return solver.y.copy()  # type: ignore[no-any-return]  # SciPy has no types
        if self._interpolant is None:
            self._interpolant = solver.dense_output()
        return self._interpolant(t)  # type: ignore[no-any-return, misc]  # SciPy has no types

    def _step(self) -> str | None:
        """One step; LSODA warns where the others tell."""
        import warnings

        import numpy as np

        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return self._solver.step()  # type: ignore[no-any-return]  # SciPy has no types

    def counts(self) -> Counts:
        """Steps taken and Jacobians made."""
        return Counts(self._steps, int(self._solver.njev))
