"""Trim: an operating point at which outputs have given values, and inputs, parameters or states that make it so.

Unknowns are all states and what is `free`; the equations say that the states rest and that the outputs are as given.
The least-squares method of SciPy solves them with the relations of the start; where these would decide otherwise at the
solution, they change and the equations are solved again.
"""

from collections.abc import Callable, Collection, Mapping
from math import inf, isfinite
from typing import TYPE_CHECKING

from acausal.analyses.trim_request import TrimRequest, require_known
from acausal.analyses.trim_result import Trim
from acausal.base.diagnostics import Diagnostic, ModelError, SimulationError
from acausal.base.options import SimulateOptions
from acausal.ir.names import Name, listed, show_derivative, show_name
from acausal.results.formats.columns import VariableColumns
from acausal.simulate.inputs.inputs import InputValue, make_signals
from acausal.simulate.run.operating_point import OperatingPoint, operating_point
from acausal.simulate.run.variants import Variants
from acausal.simulate.state.state import state_at
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
    asked: TrimRequest,
    variants: Variants | None,
    equations: "Equations | None",
) -> Trim:
    """The operating point; ModelError A014 where counts do not fit, SimulationError A015, A016 where none is found."""
    require_known(executable.program, folded, asked)
    point = _start(executable, given, asked, variants, equations)
    problem = _Problem(point, given, asked)
    z, residuals = problem.solved()
    return problem.result(z, residuals)


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


class _Problem:
    """Equations and unknowns at a point; `z` are the unknown states, then what is free."""

    def __init__(self, point: OperatingPoint, given: Mapping[str, float], asked: TrimRequest) -> None:
        self._point, self._asked, self._given = point, asked, dict(given)
        self._program = program = point.system.program
        self._states = [show_derivative(*slot.symbol) for slot in program.state_slots]
        rates = [show_derivative(s.symbol[0], s.symbol[1] + 1) for s in program.state_slots]
        self._inputs = tuple(dict.fromkeys([show_name(name) for name, _ in program.input_slots]))
        self._parameters = {show_name(s.name): i for i, s in enumerate(program.parameter_slots) if not s.constant}
        resting = [k for k, n in enumerate(self._states) if n not in asked.moving] if asked.rests else []
        self._rests = [k for k in resting if rates[k] not in asked.fixed]
        free_states = [k for k, name in enumerate(self._states) if name in asked.free]
        self._unknown = resting if asked.rests else free_states
        self._free = [name for name in asked.free if name not in self._states]
        self._rate_names = rates
        self._outputs = [name for name in asked.fixed if name not in rates]
        self._fixed_rates = [k for k, rate in enumerate(rates) if rate in asked.fixed]
        self._require_square()

    def _require_square(self) -> None:
        """ModelError A014 where there are not as many unknowns as equations."""
        unknowns = len(self._unknown) + len(self._free)
        count = len(self._rests) + len(self._fixed_rates) + len(self._outputs)
        if unknowns == count:
            return
        free, fixed = len(self._asked.free), len(self._asked.fixed)
        if unknowns > count:
            hint = f"give values to {unknowns - count} more outputs, or free fewer"
        else:
            hint = f"free {count - unknowns} more inputs or parameters, or give fewer outputs values"
        message = f"{count} equations for {unknowns} unknowns: given values: {fixed}, free: {free}"
        note = f"states at rest: {len(self._rests)}" if self._asked.rests else "no state has to rest"
        raise ModelError(Diagnostic("A014", message, None, (), (note,), hint))

    # ------------------------------------------------------------ equations

    def start(self) -> "Array":
        """Unknowns at the start."""
        import numpy as np

        values = [float(self._point.y[k]) for k in self._unknown]
        for name in self._free:
            place = self._parameters.get(name)
            guess = self._asked.values.get(name, 0.0)
            number = float(guess) if isinstance(guess, int | float) else 0.0
            values.append(number if place is None else float(self._point.system.arrays[1][place]))
        return np.array(values)

    def bounds(self) -> "tuple[Array, Array]":
        """Least and greatest values of the unknowns."""
        import numpy as np

        slots = self._program.parameter_slots
        pairs = [(-inf, inf)] * len(self._unknown)
        for name in self._free:
            low, high = self._asked.free[name]
            slot = slots[self._parameters[name]] if name in self._parameters else None
            if slot is not None:
                low = max(low, -inf if slot.low is None else slot.low)
                high = min(high, inf if slot.high is None else slot.high)
            pairs.append((low, high))
        return np.array([low for low, _ in pairs]), np.array([high for _, high in pairs])

    def residuals(self, z: "Array") -> "Array":
        """Residuals of all equations; NaN where a system of equations has no solution."""
        import numpy as np

        system, t = self._point.system, self._point.t
        y = self.states(z)
        self._set(z)
        if system.evaluate("derivatives", t, y):
            return np.full(len(z), np.nan)
        rates = system.results("derivatives").copy()
        found = [float(rates[k]) for k in self._rests]
        found += [float(rates[k]) - self._asked.fixed[self._rate_names[k]] for k in self._fixed_rates]
        if self._outputs:
            values = self.variables(y)
            found += [values(name) - self._asked.fixed[name] for name in self._outputs]
        return np.array(found)

    def variables(self, y: "Array") -> "Callable[[str], float]":
        """Values of variables at these states."""
        import numpy as np

        system, t = self._point.system, self._point.t
        stored = system.variables(t, y).copy()[None]
        columns = VariableColumns(self._program, system.arrays[1])
        return lambda name: float(columns[name].values(np.array([t]), stored)[0])

    def states(self, z: "Array") -> "Array":
        """All states."""
        y = self._point.y.copy()
        y[self._unknown] = z[: len(self._unknown)]
        return y

    def free_values(self, z: "Array") -> dict[str, float]:
        """Values of the free inputs and parameters."""
        return dict(zip(self._free, z[len(self._unknown) :].tolist(), strict=True))

    def inputs(self, z: "Array") -> dict[str, InputValue]:
        """Values of all inputs."""
        free = {name: x for name, x in self.free_values(z).items() if name in self._inputs}
        return {**self._asked.values, **free}

    def parameters(self, z: "Array") -> dict[str, float]:
        """Values given for parameters."""
        return {**self._given, **{n: x for n, x in self.free_values(z).items() if n in self._parameters}}

    def _set(self, z: "Array") -> None:
        system, t = self._point.system, self._point.t
        if any(name in self._parameters for name in self._free):
            p = parameter_values(system.executable, self.parameters(z))
            assert not isinstance(p, Folded)
            system.arrays[1][:] = p
        if system.inputs is not None:
            signals = make_signals(self._program, self.inputs(z), system.arrays[1], t, t)
            system.inputs.begin(signals, system.delays)

    # ------------------------------------------------------------ solution

    def solved(self) -> "tuple[Array, Array]":
        """Unknowns and residuals, with relations that agree with them."""
        z = self.start()
        for _ in range(MOST_CHANGES):
            z, found = self._solve(z)
            if not self._change_relations(z):
                return z, found
        message = "relations change at each solution: no operating point agrees with them"
        raise SimulationError(Diagnostic("A016", message, help="begin nearer: initial values, values of free inputs"))

    def _solve(self, z: "Array") -> "tuple[Array, Array]":
        import numpy as np
        from scipy.optimize import least_squares

        if not len(z):
            return z, self.residuals(z)
        low, high = self.bounds()
        begin = np.clip(z, low, high)
        if not np.isfinite(self.residuals(begin)).all():
            raise _unsolvable("at the start of the search")
        options = {"x_scale": "jac", "xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15, "max_nfev": 200 * len(z)}
        try:
            found = least_squares(self.residuals, begin, jac="3-point", bounds=(low, high), **options)
        except ValueError:  # differences that are no numbers
            raise _unsolvable("where the search has come to") from None
        scale = np.abs(found.jac) @ np.maximum(np.abs(found.x), 1.0)
        wrong = np.flatnonzero(~(np.abs(found.fun) <= SOLVED * np.maximum(scale, 1e-300)))
        if np.isfinite(found.jac).all():
            self._require_regular(found.jac, len(wrong) > 0)
        if len(wrong):
            raise self._not_found(found.x, found.fun, wrong.tolist(), (low, high))
        return found.x, found.fun

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
        names = [*[self._states[k] for k in self._unknown], *self._free]
        unknown = [n for n, x in zip(names, np.abs(right[-1]), strict=True) if x > 0.1 * np.abs(right[-1]).max()]
        labels = self.labels()
        dependent = [n for n, x in zip(labels, np.abs(left[:, -1]), strict=True) if x > 0.1 * np.abs(left[:, -1]).max()]
        what = "contradict each other or depend on each other" if is_wrong else "do not determine all unknowns"
        notes = (
            f"not determined: {listed(unknown, SHOWN)}",
            f"equations that depend on each other: {listed(dependent, SHOWN)}",
        )
        hint = "free other inputs or parameters, or let states move: --moving"
        raise SimulationError(Diagnostic("A015", f"the equations of the operating point {what}", None, (), notes, hint))

    def labels(self) -> list[str]:
        """Equations in words."""
        rest = [f"{self._rate_names[k]} = 0" for k in self._rests]
        rates = [self._rate_names[k] for k in self._fixed_rates]
        return rest + [f"{name} = {self._asked.fixed[name]:g}" for name in [*rates, *self._outputs]]

    def _not_found(
        self, z: "Array", residuals: "Array", wrong: list[int], bounds: "tuple[Array, Array]"
    ) -> SimulationError:
        labels, names = self.labels(), [*[self._states[k] for k in self._unknown], *self._free]
        worst = sorted(wrong, key=lambda k: -abs(residuals[k]) if isfinite(residuals[k]) else -inf)
        notes = [f"{labels[k]} is missed by {residuals[k]:.4g}" for k in worst[:3]]
        at = [n for n, x, low, high in zip(names, z, *bounds, strict=True) if x - low < 1e-9 or high - x < 1e-9]
        if at:
            notes.append(f"at a bound: {listed(at, SHOWN)}")
        hint = "begin nearer: initial values, values of free inputs; or widen the bounds"
        return SimulationError(Diagnostic("A016", "no operating point was found", None, (), tuple(notes), hint))

    def _change_relations(self, z: "Array") -> bool:
        """Relations that would decide otherwise do so; whether there are any."""
        system = self._point.system
        violated = set(self._point.at(self.states(z)).violated)
        changed = False
        for i, slot in enumerate(self._program.table.frozen):
            if slot.crossing in violated and slot.kind == "relation":
                system.frozen[i] = 1.0 - system.frozen[i]
                system.sides[slot.crossing] *= -1.0
                changed = True
        return changed

    def result(self, z: "Array", residuals: "Array") -> Trim:
        """The operating point with names and units."""
        system, y = self._point.system, self.states(z)
        self._set(z)
        values = self.variables(y)
        columns = VariableColumns(self._program, system.arrays[1])
        units = {name: columns[name].unit for name in columns}
        units |= {show_name(s.name): s.unit for s in self._program.parameter_slots}
        inputs = {n: x for n, x in self.inputs(z).items() if isinstance(x, int | float)}
        state = state_at(system, self._point.t, y, self.parameters(z), inputs)
        outputs = {name: values(name) for name in self._outputs}
        outputs |= {self._rate_names[k]: self._asked.fixed[self._rate_names[k]] for k in self._fixed_rates}
        free = {n: float(state[n]) if n in self._states else self.free_values(z)[n] for n in self._asked.free}
        missed = dict(zip(self.labels(), residuals.tolist(), strict=True))
        return Trim(self._program.name, free, outputs, state, missed, units)


def _unsolvable(where: str) -> SimulationError:
    message = f"the equations have no solution {where}"
    return SimulationError(Diagnostic("A016", message, help="give values near the point: --init, --input, --set"))
