"""From an executable to a result: what `Translation.simulate` calls."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic, SimulationError
from acausal.options import SimulateOptions
from acausal.results.result import Result
from acausal.simulate.loop import Progress, simulate
from acausal.simulate.settings import settings
from acausal.simulate.signals import InputValue, make_signals

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable


class RunError(SimulationError):
    """The run ended before its time; `result` holds what was computed up to then."""

    def __init__(self, diagnostic: Diagnostic, result: Result) -> None:
        super().__init__(diagnostic)
        self.result = result


class RunInterrupted(KeyboardInterrupt):
    """The user ended the run; `result` holds what was computed up to then."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"interrupted at t = {result.time[-1]:g}" if len(result.time) else "interrupted")
        self.result = result


def run(
    executable: "Executable",
    p: "Array",
    options: SimulateOptions,
    inputs: Mapping[str, InputValue] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Simulate with the parameters p (complete, from `parameter_values`).

    `inputs` adds to those of the options. Raises RunError or RunInterrupted with what there is
    of the result, SimulationError where not even the first instant could be computed, UsageError
    for inputs and options that do not fit.
    """
    program = executable.program
    chosen = settings(options, program.experiment)
    signals = make_signals(program, {**dict(options.inputs), **(inputs or {})}, p, chosen.start, chosen.stop)
    outcome = simulate(executable, p, signals, chosen, progress)
    result = Result.of(outcome)
    if outcome.interrupted:
        raise RunInterrupted(result)
    if outcome.failure is not None:
        raise RunError(outcome.failure, result)
    return result
