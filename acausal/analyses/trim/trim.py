"""Trim: an operating point at which outputs have given values, and inputs, parameters or states that make it so.

Unknowns are all states and what is `free`; the equations say that the states rest and that the outputs are as given.
The least-squares method of SciPy solves them, by their exact Jacobian, with the relations of the start; where these
would decide otherwise at the solution, they change and the equations are solved again.
"""

from collections.abc import Collection, Mapping
from math import inf, isfinite
from typing import TYPE_CHECKING

from acausal.analyses.trim.trim_equations import TrimEquations
from acausal.analyses.trim.trim_request import TrimRequest, require_known
from acausal.analyses.trim.trim_result import Trim
from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.base.options import SimulateOptions
from acausal.ir.names import Name, listed, show_name
from acausal.simulate.run.operating_point import OperatingPoint, operating_point
from acausal.simulate.run.variants import Variants
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.simulate.system.settings import settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.failure.equations_behind import Equations

SHOWN = 6
MOST_CHANGES = 20
"""So often relations may change."""
SOLVED = 1e-9
"""Residuals below this share of their terms are zero."""
SINGULAR = 1e-10
"""Singular values below this share of the largest one are zero."""


def trim(
    executable: "Executable",
    folded: Collection[Name],
    given: Mapping[str, float],
    kept: Mapping[str, float],
    asked: TrimRequest,
    variants: Variants | None,
    equations: "Equations | None",
) -> Trim:
    """The operating point, whose state has the values `kept` of parameters.

    ModelError A014 where counts do not fit, SimulationError A015, A016 where none is found.
    """
    require_known(executable.program, folded, asked)
    point = _start(executable, given, asked, variants, equations)
    search = _Search(TrimEquations(point, given, asked))
    z, residuals = search.solved()
    return search.equations.result(z, residuals, kept)


def _start(
    executable: "Executable",
    given: Mapping[str, float],
    asked: TrimRequest,
    variants: Variants | None,
    equations: "Equations | None",
) -> OperatingPoint:
    """The first instant, with free inputs at their values, or zero."""
    program = executable.program
    start = settings(asked.options, program.experiment).start
    chosen = settings(SimulateOptions(start, None, asked.options.tolerance), program.experiment)
    inputs = {show_name(name) for name, _ in program.input_slots}
    values = {**{name: 0.0 for name in asked.free if name in inputs}, **asked.values}
    p = parameter_values(executable, given)
    assert not isinstance(p, Folded)
    return operating_point(executable, p, values, chosen, variants, equations)


class _Search:
    """Search for a solution whose relations agree with it."""

    def __init__(self, equations: TrimEquations) -> None:
        self.equations = equations

    def solved(self) -> "tuple[Array, Array]":
        """Unknowns and residuals, with relations that agree with them."""
        z = self.equations.start()
        for _ in range(MOST_CHANGES):
            z, found = self._solve(z)
            if not self.equations.change_relations(z):
                return z, found
        message = "relations change with each solution: no operating point is consistent with them"
        raise SimulationError(
            Diagnostic("A016", message, help="start nearer to the point: give initial values and values of free inputs")
        )

    def _solve(self, z: "Array") -> "tuple[Array, Array]":
        import numpy as np
        from scipy.optimize import least_squares

        if not len(z):
            return z, self.equations.residuals(z)
        low, high = self.equations.bounds()
        begin = np.clip(z, low, high)
        if not np.isfinite(self.equations.residuals(begin)).all():
            raise _unsolvable("at the start of the search")
        options = {"x_scale": "jac", "xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15, "max_nfev": 200 * len(z)}
        try:
            equations = self.equations
            found = least_squares(equations.residuals, begin, equations.jacobian, bounds=(low, high), **options)
        except ValueError:  # residuals that are no numbers
            raise _unsolvable("where the search ended") from None
        scale = np.abs(found.jac) @ np.maximum(np.abs(found.x), 1.0)
        wrong = np.flatnonzero(~(np.abs(found.fun) <= SOLVED * np.maximum(scale, 1e-300)))
        if not len(wrong) and (np.abs(found.fun) > SOLVED).any():
            wrong = np.flatnonzero(np.abs(found.fun) > np.maximum(self._changes(found.x, found.fun), SOLVED))
        if np.isfinite(found.jac).all():
            self._require_regular(found.jac, len(wrong) > 0)
        if len(wrong):
            raise self._not_found(found.x, found.fun, wrong.tolist(), (low, high))
        return found.x, found.fun

    def _changes(self, z: "Array", residuals: "Array") -> "Array":
        """Changes of residuals where each unknown changes by a share SOLVED: slopes beside a pole do not give them."""
        import numpy as np

        low, high = self.equations.bounds()
        found = np.zeros(len(residuals))
        for j, size in enumerate(np.maximum(np.abs(z), 1.0).tolist()):
            beside = []
            for step in (SOLVED * size, -SOLVED * size):
                moved = z.copy()
                moved[j] = min(max(z[j] + step, low[j]), high[j])
                beside.append(
                    np.abs(np.nan_to_num(self.equations.residuals(moved) - residuals, posinf=0.0, neginf=0.0))
                )
            found += np.maximum(*beside)
        return found

    def _require_regular(self, jacobian: "Array", is_wrong: bool) -> None:
        """SimulationError A015 where unknowns are not determined, or equations contradict each other."""
        import numpy as np

        rows = np.abs(jacobian).max(axis=1)
        scaled = jacobian / np.where(rows > 0, rows, 1.0)[:, None]
        scale = np.abs(scaled).max(axis=0)
        scaled = scaled / np.where(scale > 0, scale, 1.0)
        left, values, right = np.linalg.svd(scaled)
        if not len(values) or values[-1] > SINGULAR * values[0]:
            return
        names = self.equations.names()
        unknown = [n for n, x in zip(names, np.abs(right[-1]), strict=True) if x > 0.1 * np.abs(right[-1]).max()]
        labels = self.equations.labels()
        dependent = [n for n, x in zip(labels, np.abs(left[:, -1]), strict=True) if x > 0.1 * np.abs(left[:, -1]).max()]
        what = "contradict each other or depend on each other" if is_wrong else "do not determine all unknowns"
        notes = (
            f"not determined: {listed(unknown, SHOWN)}",
            f"equations that depend on each other: {listed(dependent, SHOWN)}",
        )
        hint = "free other inputs or parameters, or let states move: --moving"
        raise SimulationError(Diagnostic("A015", f"the equations of the operating point {what}", None, (), notes, hint))

    def _not_found(
        self, z: "Array", residuals: "Array", wrong: list[int], bounds: "tuple[Array, Array]"
    ) -> SimulationError:
        labels, names = self.equations.labels(), self.equations.names()
        worst = sorted(wrong, key=lambda k: -abs(residuals[k]) if isfinite(residuals[k]) else -inf)
        notes = [f"{labels[k]} is violated by {residuals[k]:.4g}" for k in worst[:3]]
        at = [n for n, x, low, high in zip(names, z, *bounds, strict=True) if x - low < 1e-9 or high - x < 1e-9]
        if at:
            notes.append(f"at a bound: {listed(at, SHOWN)}")
        hint = "start nearer to the point with initial values and values of free inputs, or widen the bounds"
        return SimulationError(Diagnostic("A016", "no operating point was found", None, (), tuple(notes), hint))


def _unsolvable(where: str) -> SimulationError:
    message = f"the equations have no solution {where}"
    return SimulationError(Diagnostic("A016", message, help="give values near the point: --init, --input, --set"))
