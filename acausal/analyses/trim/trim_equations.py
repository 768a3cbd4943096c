"""Equations and unknowns of a trim: residuals at given values of the unknowns."""

from collections.abc import Callable, Mapping
from math import inf
from typing import TYPE_CHECKING

from acausal.analyses.linearization.directions import Directions, output_slots
from acausal.analyses.linearization.matrices import PointJacobian
from acausal.analyses.trim.trim_request import TrimRequest
from acausal.analyses.trim.trim_result import Trim
from acausal.base.diagnostics import Diagnostic, ModelError
from acausal.ir.names import show_derivative, show_name
from acausal.results.formats.columns import VariableColumns
from acausal.simulate.inputs.inputs import InputValue, make_signals
from acausal.simulate.run.operating_point import OperatingPoint
from acausal.simulate.state.state import state_at
from acausal.simulate.system.parameters import Folded, parameter_values, places

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class TrimEquations:
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
        self._slopes = PointJacobian(self._directions(), output_slots(program, self._outputs))

    def _require_square(self) -> None:
        """ModelError A014 where there are not as many unknowns as equations."""
        unknowns = len(self._unknown) + len(self._free)
        count = len(self._rests) + len(self._fixed_rates) + len(self._outputs)
        if unknowns == count:
            return
        free, fixed = len(self._asked.free), len(self._asked.fixed)
        more = abs(unknowns - count)
        if unknowns > count:
            hint = f"give values to {more} more output{'s' * (more > 1)}, or free fewer"
        else:
            what = "inputs or parameters" if more > 1 else "input or parameter"
            hint = f"free {more} more {what}, or give fewer outputs values"
        message = f"{count} equations for {unknowns} unknowns: given values: {fixed}, free: {free}"
        note = f"states at rest: {len(self._rests)}" if self._asked.rests else "no state has to rest"
        raise ModelError(Diagnostic("A014", message, None, (), (note,), hint))

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

    def jacobian(self, z: "Array") -> "Array":
        """Slopes (equations, unknowns) of the residuals, exact but for rounding; SimulationError A002 where none."""
        import numpy as np

        self._set(z)
        found = self._slopes(self._point.at(self.states(z)))
        rows = [*self._rests, *self._fixed_rates, *range(len(self._states), found.shape[0])]
        columns = [*self._unknown, *range(len(self._states), found.shape[1])]
        return np.asarray(found.toarray()[np.ix_(rows, columns)])

    def _directions(self) -> Directions:
        """Columns: the states, then what is free."""
        program, n = self._program, len(self._states)
        first = len(program.table.frozen)
        column = {name: n + k for k, name in enumerate(self._free)}
        slots = {
            first + i: column[show_name(name)]
            for i, (name, order) in enumerate(program.input_slots)
            if order == 0 and show_name(name) in column
        }
        parameters = {self._parameters[name]: k for name, k in column.items() if name in self._parameters}
        given = tuple(places(program, tuple(self._given)))
        return Directions(tuple(self._states), (), tuple(self._free), slots, parameters, given)

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
        return {**self._given, **self._free_parameters(z)}

    def _free_parameters(self, z: "Array") -> dict[str, float]:
        return {name: x for name, x in self.free_values(z).items() if name in self._parameters}

    def _set(self, z: "Array") -> None:
        """Set free parameters and inputs."""
        system, t = self._point.system, self._point.t
        if any(name in self._parameters for name in self._free):
            p = parameter_values(system.executable, self.parameters(z))
            assert not isinstance(p, Folded)
            system.arrays[1][:] = p
        if system.inputs is not None:
            signals = make_signals(self._program, self.inputs(z), system.arrays[1], t, t)
            system.inputs.begin(signals, system.delays)

    def labels(self) -> list[str]:
        """Equations in words."""
        rest = [f"{self._rate_names[k]} = 0" for k in self._rests]
        rates = [self._rate_names[k] for k in self._fixed_rates]
        return rest + [f"{name} = {self._asked.fixed[name]:g}" for name in [*rates, *self._outputs]]

    def names(self) -> list[str]:
        """Names of the unknowns."""
        return [*[self._states[k] for k in self._unknown], *self._free]

    def change_relations(self, z: "Array") -> bool:
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

    def result(self, z: "Array", residuals: "Array", kept: Mapping[str, float]) -> Trim:
        """The operating point with names and units; `kept` are values of parameters for its state."""
        system, y = self._point.system, self.states(z)
        self._set(z)
        values = self.variables(y)
        columns = VariableColumns(self._program, system.arrays[1])
        units = {name: columns[name].unit for name in columns}
        units |= {show_name(s.name): s.unit for s in self._program.parameter_slots}
        inputs = {n: x for n, x in self.inputs(z).items() if isinstance(x, int | float)}
        state = state_at(system, self._point.t, y, {**kept, **self._free_parameters(z)}, inputs)
        outputs = {name: values(name) for name in self._outputs}
        outputs |= {self._rate_names[k]: self._asked.fixed[self._rate_names[k]] for k in self._fixed_rates}
        free = {n: float(state[n]) if n in self._states else self.free_values(z)[n] for n in self._asked.free}
        missed = dict(zip(self.labels(), residuals.tolist(), strict=True))
        return Trim(self._program.name, free, outputs, state, missed, units)
