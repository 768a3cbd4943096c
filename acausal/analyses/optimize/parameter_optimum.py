"""Parameters that minimize an objective over a run, by SciPy's SLSQP with exact gradients of sensitivities."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.analyses.fitting.unknowns import Unknown
from acausal.analyses.optimize.first_order import ACTIVE, missed_descent
from acausal.analyses.optimize.functionals import Constraint, Functionals
from acausal.analyses.optimize.parameter_saddles import saddle
from acausal.analyses.optimize.trajectory_numbers import NumbersOfRuns, SlopesOfRun, TrajectoryNumbers, variables_of
from acausal.base.diagnostics import Diagnostic, ModelError, SimulationError, UsageError
from acausal.ir.expr import Expr
from acausal.ir.names import listed
from acausal.simulate.solver.foreign_warnings import without_foreign_warnings

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

    from acausal.codegen.executable import Array
    from acausal.results.drawing.picture import Picture
    from acausal.results.result import Result

TOLERANCE = 1e-9
"""Of SLSQP, for objectives in units of their start."""
STEEP = 1e-3
"""A slope against which the objective decreases, as a share of the largest at the start or of 1, that is no optimum."""
SHOWN = 6
"""Names that a message lists at most."""
BESIDE = 1e-4
"""Distance, in ranges of the parameters, at which the objective is compared where slopes do not vanish."""


class ParameterOptimum:
    """Parameters that are best: `values[name]`, the objective `value`, the run `result`, SciPy's `optimum`.

    `constraints[text]` are the values of the constrained expressions, `units` those of the parameters.
    """

    def __init__(
        self,
        name: str,
        objective: str,
        value: float,
        values: Mapping[str, float],
        constraints: Mapping[str, float],
        result: "Result",
        optimum: "OptimizeResult",
        units: Mapping[str, str | None],
    ) -> None:
        self.name, self.objective, self.value = name, objective, value
        self.values, self.constraints = dict(values), dict(constraints)
        self.result, self.optimum = result, optimum
        self.units = dict(units)

    def __getitem__(self, name: str) -> float:
        if name not in self.values:
            hint = f"optimized: {', '.join(self.values)}"
            raise UsageError(Diagnostic("F005", f"{name} was not optimized", help=hint))
        return self.values[name]

    def write(self, path: str | Path) -> None:
        """The run with these parameters as a file (`Result.write`)."""
        self.result.write(path)

    def picture(self, *names: str) -> "Picture":
        """A plot of the run as data; without names, of what the model's experiment plots."""
        from acausal.results.plot import PlotOptions, picture_of

        return picture_of({self.name: self.result}, names or self.result.plotted, PlotOptions())

    def data(self) -> dict[str, object]:
        """All as data."""
        return {
            "model": self.name,
            "objective": self.objective,
            "value": self.value,
            "values": self.values,
            "constraints": self.constraints,
            "iterations": int(self.optimum.nit),
            "units": {name: self.units.get(name) for name in self.values},
        }

    def __repr__(self) -> str:
        return f"<ParameterOptimum {self.name}: {self.objective} = {self.value:g}>"

    def __str__(self) -> str:
        lines = [
            f"optimum of {self.name} after {self.optimum.nit} iterations",
            f"  {self.objective} = {self.value:.8g}",
        ]
        for name, value in self.values.items():
            unit = self.units.get(name)
            lines.append(f"  {name} = {value:.8g}{f' {unit}' if unit else ''}")
        lines += [f"  {text}: {value:.6g}" for text, value in self.constraints.items()]
        return "\n".join(lines)


def parameter_optimum(
    unknowns: Sequence[Unknown],
    parts: tuple[Functionals, Expr, tuple[Constraint, ...]],
    run: Callable[[tuple[str, ...], dict[str, float]], SlopesOfRun],
    iterations: int,
) -> "tuple[OptimizeResult, dict[str, float], Array]":
    """SciPy's result, the values of the parameters, those of objective and constraints.

    UsageError F010 for constraints on trajectories, ModelError A041 for parameters without influence, SimulationError
    A032 where no optimum is found.
    """
    import numpy as np
    from scipy.optimize import Bounds, minimize

    functionals, objective, constraints = parts
    for constraint in constraints:
        if constraint.is_path:
            hint = "write max(v) <= 5 for v <= 5"
            raise UsageError(Diagnostic("F010", f"{constraint.text} is a constraint on a trajectory", help=hint))
    numbers = TrajectoryNumbers(functionals, [objective, *[c.expr for c in constraints]])
    variables = variables_of(numbers, unknowns)
    point = NumbersOfRuns(numbers, unknowns, lambda values: run(variables, values))
    start = np.array([u.number(u.start) for u in unknowns])
    low, high = (np.array([u.number(getattr(u, side)) for u in unknowns]) for side in ("low", "high"))
    size = np.where(np.isfinite(high - low), high - low, np.maximum(np.abs(start), 1.0))
    first = abs(float(point(start)[0][0])) or 1.0
    if point.without:
        verb = "has" if len(point.without) == 1 else "have"
        message = f"{listed(point.without, SHOWN)} {verb} no influence on the objective and constraints"
        raise ModelError(Diagnostic("A041", message, help="do not vary it, or start from other values"))
    rows = [(k, c.low, c.high) for k, c in enumerate(constraints, 1)]
    sides = [
        (k, sign, bound) for k, a, b in rows if a != b for sign, bound in ((1.0, a), (-1.0, b)) if np.isfinite(bound)
    ]
    equal = [(k, 1.0, a) for k, a, b in rows if a == b]

    def constraint_of(kind: str, chosen: list[tuple[int, float, float]]) -> dict[str, object]:
        at = [k for k, _, _ in chosen]
        signs, bounds = (np.array([c[i] for c in chosen]) for i in (1, 2))
        return {
            "type": kind,
            "fun": lambda z: signs * (point(z * size)[0][at] - bounds),
            "jac": lambda z: signs[:, None] * point(z * size)[1][at] * size,
        }

    with without_foreign_warnings():  # SciPy 1.15 warns where rounding carries a step over a bound, and clips it
        found = minimize(
            lambda z: float(point(z * size)[0][0]) / first,
            start / size,
            jac=lambda z: point(z * size)[1][0] * size / first,
            bounds=Bounds(low / size, high / size),
            constraints=[constraint_of(kind, c) for kind, c in (("eq", equal), ("ineq", sides)) if c],
            method="SLSQP",
            options={"maxiter": iterations, "ftol": TOLERANCE},
        )
    values, slopes = (array.copy() for array in point(found.x * size))
    at_start = np.abs(point(start)[1][0] * size / first)
    active = [c for c in sides if c[1] * (values[c[0]] - c[2]) <= ACTIVE * max(1.0, abs(c[2]))]
    on_equal, on_active = (
        np.array([s * slopes[k] * size for k, s, _ in chosen]).reshape(-1, len(size)) for chosen in (equal, active)
    )
    lower, upper = low / size, high / size
    missed = missed_descent(slopes[0] * size / first, on_equal, on_active, found.x - lower, upper - found.x)
    steepest = float(np.abs(missed).max(initial=0.0))
    if found.success and not steepest <= STEEP * max(1.0, float(at_start.max(initial=0.0))):
        beside = [np.clip(found.x + sign * BESIDE * missed / steepest, lower, upper) for sign in (1.0, -1.0)]
        least = min(float(point(z * size)[0][0]) for z in beside)
        if not least >= values[0] - TOLERANCE * first:  # else it is the minimum at a kink
            found.success = False
            name = unknowns[int(np.abs(missed).argmax())].name
            found.message = f"SLSQP stops where the objective still decreases with {name}"
    if found.success:
        along = saddle(point, found.x, (size, first), (*equal, *active), np.minimum(found.x - lower, upper - found.x))
        if along is not None:
            found.success = False
            name = unknowns[int(np.abs(along).argmax())].name
            found.message = f"SLSQP stops where the objective decreases with {name} on both sides"
    if not found.success:
        notes = [f"{c.text}: {value:.6g}" for c, value in zip(constraints, values[1:].tolist(), strict=True)]
        hint = "start from other values (values=, --set), or widen the bounds"
        raise SimulationError(
            Diagnostic("A032", f"no optimum was found: {found.message}", None, (), tuple(notes), hint)
        )
    return found, point.values(found.x * size), values
