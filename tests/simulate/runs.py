"""Runs of executables in one call."""

from collections.abc import Mapping

from acausal.base.options import SimulateOptions
from acausal.codegen.executable import Executable
from acausal.results.result import Result
from acausal.runs import run
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.system.parameters import Folded, parameter_values


def go(
    executable: Executable,
    parameters: Mapping[str, float] | None = None,
    inputs: Mapping[str, InputValue] | None = None,
    **options: float | str,
) -> Result:
    """A run with the options of `SimulateOptions` by keyword."""
    p = parameter_values(executable, parameters or {})
    assert not isinstance(p, Folded)
    return run(executable, p, SimulateOptions(**options), inputs)  # type: ignore[arg-type]  # names and values as typed
