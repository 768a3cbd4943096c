"""Runs with the derivatives of all variables."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.request import SensitivityRequest, sensitivity_request
from acausal.analyses.sensitivities.result import Sensitivities
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.begun_run import BegunRun

if TYPE_CHECKING:
    from acausal.results.result import Result


def run_with_sensitivities(
    begun: BegunRun, parameters: tuple[str, ...], whole: bool, run: Callable[[SensitivityRequest], Sensitivities]
) -> "Result":
    """The result, which has them as `sensitivity`; UsageError F006 for a run that is not `whole`."""
    if not whole:
        message = "sensitivities require a run from the start: they cannot be combined with start_from or checkpoint"
        raise UsageError(Diagnostic("F006", message, help="simulate from the start"))
    found = run(sensitivity_request(parameters, None, None))
    result = found.result
    result.sensitivity, result.again = found, begun.until
    return result
