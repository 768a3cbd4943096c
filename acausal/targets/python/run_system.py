"""The model of a run: its routines with their arrays, as the solver and the kernels of events call them."""

from math import inf, nan
from types import SimpleNamespace
from typing import TYPE_CHECKING

from acausal.runtime.branches.branch_results import predict
from acausal.runtime.branches.branch_slopes import end_step, is_rough
from acausal.runtime.branches.moved_routine import TrackedRoutine
from acausal.runtime.branches.tracked import TRACKERS, near_results
from acausal.runtime.limits import ILL_CONDITIONED, WELL_CONDITIONED
from acausal.runtime.state_selection import StateSelections, judge_selections
from acausal.simulate.system.branches import Branches
from acausal.simulate.system.followed_steps import FollowedSteps
from acausal.targets.python.run_delays import Delayed
from acausal.targets.python.run_values import SimulationError, input_functions

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.targets.python.run_values import Inputs

MOST_PASSES_AT_START = 200
"""So often the first instant is computed, until what is delayed agrees with itself."""


class ModelSystem:
    """States `y`, frozen values and inputs `u`, parameters `p`, memory `m` of blocks, and the routines on them."""

    def __init__(self, model: SimpleNamespace, p: "Array", inputs: "Inputs", stop: float) -> None:
        import numpy as np

        self.model, self.p = model, p
        self.y, self.u = np.zeros(len(model.states)), np.zeros(model.input_size)
        self.frozen = self.u[: len(model.frozen)]
        self.m, self._row_memory = np.zeros(model.memory_size), np.zeros(model.memory_size)
        self._row_solutions: Array | None = None
        self.results = {name: np.zeros(size) for name, size in model.result_sizes.items()}
        routines = model.routines
        self._trackers = {n: TrackedRoutine(routine=routines[n], **fields) for n, fields in model.tracked.items()}
        self._inputs = input_functions(model, inputs)
        self.delays = Delayed(model, stop) if model.delays else None
        self.solved = -inf
        self._branches: Branches | None = None
        self.steps: FollowedSteps | None = None
        if model.memory:
            kernels = {"end_step": self._end_step, "is_rough": self._is_rough, "predict": self._predict}
            executable = SimpleNamespace(program=model, **kernels)
            self._branches = Branches(executable, self.m)
            self.steps = FollowedSteps(self._branches, self.m, model.memory)
            self._branches.forget()
        self.selections = None if model.selections is None else self._state_selections()

    def evaluate(self, name: str, t: float, y: "Array") -> int:
        """Status of a routine; then its `results`."""
        return self._evaluate(name, t, y, self.m)

    def _evaluate(self, name: str, t: float, y: "Array", m: "Array") -> int:
        import numpy as np

        first = len(self.frozen)
        for k, function in enumerate(self._inputs):
            if isinstance(function, tuple):
                assert self.delays is not None
                self.u[first + k] = self.delays.value(*function, t)
            else:
                self.u[first + k] = function(t)
        tracker = self._trackers.get(name)
        arguments = np.float64(t), y, self.u, self.p, m, self.results[name]
        if tracker is None:
            return int(self.model.routines[name](*arguments))
        return int((TRACKERS.get(name) or near_results)(tracker, *arguments))

    def checked(self, name: str, t: float, y: "Array") -> "Array":
        """The results of a routine; SimulationError where a block cannot be solved, or a result is not finite."""
        import numpy as np

        self.must_be_solved(self.evaluate(name, t, y), t)
        if not np.isfinite(self.results[name]).all():
            raise SimulationError(f"at t = {t:.10g} a result of `{name}` is not a finite number")
        return self.results[name]

    def must_be_solved(self, status: int, t: float) -> None:
        """SimulationError where a status is that of a block."""
        if status:
            raise SimulationError(f"at t = {t:.10g} {self.model.blocks[status - 1]} cannot be solved")

    def slope(self, t: float, y: "Array") -> "Array":
        """dy/dt, NaN where a block cannot be solved."""
        status = self.evaluate("derivatives", t, y)
        if status and self.steps and self.steps.follow(t, y, lambda s, x: not self.evaluate("derivatives", s, x)):
            status = 0
        if status:
            return self.results["derivatives"] + nan
        self.solved = t
        return self.results["derivatives"].copy()

    def slope_into(self, t: float, y: "Array", out: "Array") -> int:
        """The same into an array; status."""
        import numpy as np

        out[:] = self.slope(t, y)
        return int(np.isnan(out).any())

    def first_states(self, t: float) -> "Array":
        """States of the first instant; with delays again until what is delayed agrees with itself."""
        for _ in range(MOST_PASSES_AT_START):
            y = self.checked("initial", t, self.y)[: len(self.y)].copy()
            if self.delays is None or self.delays.begin(self.checked("delayed", t, y)):
                return y
        raise SimulationError("delayed values before the start are not consistent")

    def delayed_results(self, t: float, y: "Array") -> "Array":
        """The results of the routine `delayed`, memory as it was."""
        memory = self.m.copy()
        found = self.checked("delayed", t, y).copy()
        self.m[:] = memory
        return found

    def row(self, t: float, y: "Array") -> "Array":
        """All stored variables."""
        model, m = self.model, self._row_memory
        n = model.memory
        if self._branches is not None:
            self._branches.predict(t)
        solutions = self.m[:n].copy()
        new = slice(None) if self._row_solutions is None else solutions != self._row_solutions
        m[:n][new] = solutions[new]
        self._row_solutions = solutions
        status = self._evaluate("variables", t, y, m)
        self.must_be_solved(status, t)
        return self.results["variables"].copy()

    def row_into(self, t: float, y: "Array", out: "Array") -> int:
        """The same into the beginning of an array; status."""
        values = self.row(t, y)
        out[: len(values)] = values
        return 0

    def verdict(self, t: float, y: "Array") -> int:
        """The verdict on the states: ILL_CONDITIONED where other variables must be the states."""
        if self.selections is None:
            return WELL_CONDITIONED
        if self.evaluate("choices", t, y):
            return ILL_CONDITIONED
        return int(judge_selections(self.results["choices"], self.selections))

    def _state_selections(self) -> StateSelections:
        import numpy as np

        numbers = dict(self.model.selections)
        numbers["vectors"] = np.zeros(numbers["vectors"])
        arrays = {name: np.array(numbers[name]) for name in ("dummies", "best", "weights")}
        return StateSelections(**{**numbers, **arrays})

    def _end_step(self, m: "Array", t: float) -> None:
        end_step(m, self.model.memory, self.model.followed, t)

    def _is_rough(self, m: "Array", t: float) -> bool:
        return bool(is_rough(m, self.model.memory, self.model.followed, t))

    def _predict(self, m: "Array", t: float) -> None:
        predict(m, self.model.memory, self.model.followed, t)
