"""A task of a sweep, and a translation ready for its runs."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from acausal.base.diagnostics import ModelError, UsageError
from acausal.base.frozen import dataclass
from acausal.base.given_values import need_types
from acausal.base.options import SimulateOptions
from acausal.ir.experiment import AS_MODELED, Start
from acausal.ir.names import Name
from acausal.ir.program.program import Program
from acausal.simulate.inputs.inputs import InputValue, make_signals, without_units
from acausal.simulate.rows.divisors import divisors_of
from acausal.simulate.run.choose_solver import check_solver
from acausal.simulate.run.known_zeros import zeros_of
from acausal.simulate.run.method_choice import may_choose
from acausal.simulate.run.outcome import Outcome
from acausal.simulate.run.simulate import simulate
from acausal.simulate.run.solver_pool import SolverPool
from acausal.simulate.run.variants import Variants
from acausal.simulate.system.parameters import Folded, Setter, parameter_values
from acausal.simulate.system.settings import Settings, settings
from acausal.sweep.columns import FINAL, Quantity, Reader
from acausal.sweep.native_sweep import Done, NativeSweep, has_lasting_conditions, is_native, is_quiet
from acausal.sweep.points.points import Points
from acausal.sweep.runs.portion import PORTION, Portion, Run
from acausal.sweep.runs.time_limit import Deadline, timeout

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.failure.equations_behind import Equations

SHORT = 0.2
"""Seconds of a run that need not be interrupted."""
PATIENCE = 8
"""So many runs out of the ordinary for each other one do not matter."""


class Model(Protocol):
    """Protocol of a translation for a sweep."""

    @property
    def name(self) -> str:
        """Name of the model."""
        ...

    @property
    def program(self) -> Program:
        """The straight-line program."""
        ...

    @property
    def executable(self) -> "Executable":
        """The program as native code."""
        ...

    @property
    def folded(self) -> tuple[Name, ...]:
        """The parameters whose values are part of the equations."""
        ...

    def for_values(self, values: Mapping[str, float]) -> "Model":
        """The same model translated with these values."""
        ...

    def run_context(self, given: dict[str, float]) -> "tuple[Variants | None, Equations]":
        """The model with other states at a point, where that may be needed, and the equations for messages."""
        ...


@dataclass(frozen=True, slots=True)
class Task:
    """Task of a sweep: `keep` requests whole results besides the quantities."""

    points: Points
    options: SimulateOptions
    inputs: Mapping[str, InputValue]
    quantities: tuple[Quantity, ...]
    keep: bool = False
    time_limit: float | None = None
    """Seconds that a run may take."""
    start: Start = AS_MODELED
    """The first instant, with the variables whose initial values are among the parameters."""

    def all_inputs(self) -> Iterator[dict[str, InputValue]]:
        """Each value of each input at least once."""
        choices = self.points.inputs
        first = {name: next(iter(values.values())) for name, values in choices.items()}
        yield {**self.inputs, **first}
        for name, values in choices.items():
            yield from ({**self.inputs, **first, name: value} for value in list(values.values())[1:])


class Version:
    """A translation ready for the runs of a task."""

    def __init__(self, model: Model, task: Task) -> None:
        self._model = model
        self._task = task
        self._setter = Setter(model.executable, task.points.parameters, model.folded)
        self._settings = settings_of(model, task)
        alike = not task.keep and not task.points.inputs
        self._is_native = alike and is_native(model.executable, self._settings, task.inputs)
        self._patience = PATIENCE
        self._of_thread = threading.local()
        self._pool = SolverPool(model.executable, model.folded)
        self._reader = Reader(model.program, task.quantities)

    def check(self) -> None:
        """UsageError for values of another type, unknown inputs and solvers; R005 for an input without value."""
        program, chosen = self._model.program, self._settings
        points = self._task.points
        need_types(points.parameters, self._setter.types, list(map(points.values, range(len(points)))))
        p = parameter_values(self._model.executable, {})
        assert not isinstance(p, Folded)
        for inputs in self._task.all_inputs():
            make_signals(program, inputs, p, chosen.start, chosen.stop, without_units(program))
        check_solver(chosen.solver)

    @property
    def keeps(self) -> bool:
        """True if whole results stay in memory."""
        return self._task.keep

    def has_zero(self, index: int) -> bool:
        """True if a symbol stands for a value of 0 in this run, which its equations may divide by."""
        return bool(zeros_of(self._model.folded, self._task.points.given(index)))

    def runs(self, indices: Sequence[int], halted: Callable[[], bool] | None = None) -> Portion:
        """The first of these runs."""
        made: list[Run] = []
        due = monotonic() + PORTION
        while len(made) < len(indices) and (not made or monotonic() < due):
            left = indices[len(made) :]
            done = self._quickly(left)
            made += map(Run, left, done.numbers)
            if done.is_fallback:
                run = self.run(left[len(done.numbers)], halted)
                if run is None:
                    return Portion(made, is_halted=True)
                made.append(run)
        return Portion(made)

    def run(self, index: int, halted: Callable[[], bool] | None = None, *, whole: bool = False) -> Run | None:
        """One run, `whole` with all of its rows; None if it was halted before its end."""
        keep = whole or self._task.keep
        try:
            p = self._setter.values(self._task.points.values(index))
            if isinstance(p, Folded):
                return Run(index, (), changed=p.names)
            deadline = Deadline(self._task.time_limit, halted)
            outcome = self._outcome(index, p, deadline, whole)
        except UsageError:  # wrong for all runs alike
            raise
        except ModelError as error:
            return Run(index, (), error.report.diagnostics[0])
        if outcome.interrupted:
            limit = self._task.time_limit
            return timeout(index, limit) if limit is not None and deadline.has_passed else None
        if outcome.failure is not None:
            return Run(index, (), outcome.failure, outcome if keep else None)
        numbers = self._reader.read(outcome.parameters, outcome.time, outcome.stored)
        return Run(index, numbers, None, outcome if keep else None)

    def _quickly(self, indices: Sequence[int]) -> Done:
        """The numbers of runs that need no message; not where runs take long, or most are out of the ordinary."""
        if not self._is_native:
            return Done([], is_fallback=True)
        native: NativeSweep | None = getattr(self._of_thread, "native", None)
        if native is None:
            native = self._of_thread.native = NativeSweep(
                self._model.executable, self._settings, self._task.inputs, self._setter, self._reader,
                self._task.time_limit,
            )  # fmt: skip
        done = native.run(list(map(self._task.points.values, indices)))
        count = len(done.numbers)
        self._patience += PATIENCE * count - done.is_fallback
        self._is_native = self._patience > 0 and done.seconds <= SHORT * max(1, count)
        return done

    def serves(self, index: int) -> bool:
        """True if the equations have the values of a run."""
        try:
            return not isinstance(self._setter.values(self._task.points.values(index)), Folded)
        except ModelError:
            return True

    def _outcome(self, index: int, p: "Array", halted: Callable[[], bool], whole: bool) -> Outcome:
        model, chosen = self._model, self._settings
        if chosen.ends_only and (whole or may_choose(model.program, chosen)):
            chosen = replace(chosen, ends_only=False)
        run_context = model.run_context(self._task.points.given(index))
        inputs = {**self._task.inputs, **self._task.points.inputs_of(index)}
        return simulate(model.executable, p, inputs, chosen, None, *run_context, halted, self._pool)


def settings_of(model: Model, task: Task) -> Settings:
    """Rows in between are left out where they are neither stored nor checked, and no run may have to end there."""
    program = model.program
    found = settings(task.options, program.experiment)
    seen = task.keep or task.time_limit is not None or any(q.kind != FINAL for q in task.quantities)
    seen = seen or bool(divisors_of(model.executable).all)
    return replace(found, ends_only=not seen and is_quiet(program) and has_lasting_conditions(program))
