"""From an executable to a result: what `Translation.simulate` calls."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, PicklableError, SimulationError
from acausal.base.options import SimulateOptions
from acausal.ir.names import Name
from acausal.results.result import Result
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.run.run import Progress
from acausal.simulate.run.simulate import simulate
from acausal.simulate.run.solver_pool import SolverPool
from acausal.simulate.run.variants import Variants
from acausal.simulate.state.run_part import WHOLE, Part
from acausal.simulate.system.parameters import Folded
from acausal.simulate.system.settings import settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.results.recorder import RunRecorder
    from acausal.simulate.failure.equations_behind import Equations


class RunError(SimulationError):
    """The run ended before its time, or a variable is no finite number; `result` holds what was computed up to then."""

    def __init__(self, diagnostic: Diagnostic, result: Result) -> None:
        super().__init__(diagnostic)
        self.result = result


def finite(result: Result) -> Result:
    """The result; RunError R004 with all of it if there are variables that are no finite numbers."""
    wrong = [note for note in result.notes if note.code == "R004"]
    if wrong:
        result.notes = tuple([note for note in result.notes if note.code != "R004"])
        raise RunError(wrong[0], result)
    return result


class RunInterrupted(PicklableError, KeyboardInterrupt):  # noqa: N818  (no error)
    """The user ended the run; `result` holds what was computed up to then."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"interrupted at t = {result.time[-1]:g}" if len(result.time) else "interrupted")
        self.result = result

    def _render_traceback_(self) -> list[str]:
        """Lines that IPython and notebooks show in place of a traceback."""
        return [str(self)]


class Runs:
    """All runs of one translation, whose `folded` parameters are part of the equations; for several threads."""

    def __init__(self, executable: "Executable", folded: Collection[Name]) -> None:
        self._pool = SolverPool(executable, folded)

    def parameters(self, given: Mapping[str, float]) -> "Array | Folded":
        """All parameters with these values; what must be translated again where these change a folded one."""
        return self._pool.parameters(given)

    def run(
        self,
        options: SimulateOptions,
        given: Mapping[str, float],
        inputs: Mapping[str, InputValue] | None,
        progress: Progress | None,
        variants: Variants | None,
        equations: "Equations | None",
        recorder: "RunRecorder | None" = None,
        part: Part = WHOLE,
    ) -> Result | Folded:
        """See `run`; what must be translated again where `given` changes a folded parameter."""
        pool = self._pool
        p = pool.parameters(given)
        if isinstance(p, Folded):
            return p
        return run(pool.executable, p, options, inputs, progress, variants, equations, pool, recorder, part)


def run(
    executable: "Executable",
    p: "Array",
    options: SimulateOptions,
    inputs: Mapping[str, InputValue] | None = None,
    progress: Progress | None = None,
    variants: Variants | None = None,
    equations: "Equations | None" = None,
    pool: SolverPool | None = None,
    recorder: "RunRecorder | None" = None,
    part: Part = WHOLE,
) -> Result:
    """Simulate with the parameters p (complete, from `parameter_values`).

    `inputs` adds to those of the options; `variants` gives the same model with the states
    that are good at a point, `equations` make messages clearer, `pool` is what earlier runs of the executable left,
    `recorder` takes the rows as they come and gives the result, `part` may begin with a state.
    Raises RunError or RunInterrupted with what there is of the result, SimulationError where not even the first
    instant could be computed, UsageError for inputs and options that do not fit.
    """
    chosen = settings(options, executable.program.experiment) if pool is None else pool.settings(options)
    given = {**dict(options.inputs), **(inputs or {})}
    outcome = simulate(executable, p, given, chosen, progress, variants, equations, part.halted, pool, recorder, part)
    result = Result.of(outcome) if recorder is None else recorder.result(outcome)
    result.end = outcome.state
    if outcome.interrupted:
        raise RunInterrupted(result)
    if outcome.failure is not None:
        raise RunError(outcome.failure, result)
    return result
