"""CVODE of SUNDIALS, called through scikit-sundae.

The solver takes its own steps and interpolates at the output times.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sksundae.cvode import CVODE

from acausal.simulate.bandwidth import Band, find_band
from acausal.simulate.cvode import CLOSE_CROSSINGS, MOST_STEPS, ROOT, SAFETY, SHORTEST, WHY
from acausal.simulate.integrator import CloseCrossingsError, Counts, Reached, StuckError
from acausal.simulate.quiet import QUIET
from acausal.simulate.settings import Settings
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class SundialsIntegrator:
    """CVODE with `method` BDF (stiff) or Adams; see `Integrator`."""

    def __init__(self, system: System, y: "Array", settings: Settings, method: str) -> None:
        self.name = "cvode" if method == "BDF" else "adams"
        self._jacobians = 0
        self._band = find_band(system.program) if method == "BDF" else None
        self._watched = _Watched(system, self._band)
        self._solver = _solver(system, settings, method, self._band, self._watched)
        self.restart(settings.start, y)

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:  # noqa: ARG002 - scikit-sundae takes it once
        """Begins again."""
        self._solver.init_step(t, y if self._band is None else y[self._band.order])

    def advance(self, t: float, limit: float) -> Reached:
        """The states at t, or at the first crossing before."""
        with QUIET:
            reached = self._solver.step(t, "normal", limit)
        self._jacobians = reached.njev
        y: Array = reached.y if self._band is None else reached.y[self._band.place]
        if reached.status == CLOSE_CROSSINGS and self._watched.count:
            raise CloseCrossingsError
        if reached.status < 0:
            raise StuckError(WHY.get(reached.status, reached.message.rstrip(".")), float(reached.t), y)
        crossed = self._watched.take() if reached.status == ROOT else {}
        return Reached(float(reached.t), y, crossed)

    def counts(self) -> Counts:
        """CVODE's steps are not told by scikit-sundae."""
        return Counts(None, self._jacobians)


class _Watched:
    """The function whose changes of sign CVODE locates; scikit-sundae leaves what it found in its attributes."""

    def __init__(self, system: System, band: Band | None) -> None:
        self.count = system.program.table.crossings

        def watch(t: float, y: "Array", out: "Array") -> None:
            system.crossings(t, y if band is None else y[band.place], out)

        self.function = watch

    def take(self) -> dict[int, int]:
        """The crossings found last; the lists would grow with every event."""
        lists = [getattr(self.function, name) for name in ("_i", "_t", "_y")]
        found = {i: int(d) for i, d in enumerate(lists[0][-1]) if d}
        for each in lists:
            each.clear()
        return found


def _solver(system: System, settings: Settings, method: str, band: Band | None, watched: _Watched) -> CVODE:
    absolute = system.tolerances(SAFETY * settings.tolerance)
    relative = max(SAFETY * settings.tolerance, 1e-15)
    shortest = SHORTEST * abs(settings.start)
    steps = {
        "max_num_steps": MOST_STEPS,
        "min_step": shortest,
        "max_step": max(min(settings.stop - settings.start, system.longest_step), shortest),
    }
    common = {"method": method, "rtol": relative, **steps}
    if watched.count:
        common |= {"eventsfn": watched.function, "num_events": watched.count}
    if band is None:
        return CVODE(system.slope, atol=absolute, **common)
    width = {"linsolver": "band", "lband": band.lower, "uband": band.upper}
    return CVODE(_reordered(system, band), atol=absolute[band.order], **width, **common)


def _reordered(system: System, band: Band) -> "Callable[[float, Array, Array], None]":
    """The derivatives with the states in the order of the band."""
    import numpy as np

    slopes = np.empty(len(band.order))

    def slope(t: float, y: "Array", out: "Array") -> None:
        system.slope(t, y[band.place], slopes)
        np.take(slopes, band.order, out=out)

    return slope
