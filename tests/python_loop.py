"""Runs whose output times and events are done one by one in Python: the reference of the batch loop."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from acausal.results.result import Result
from acausal.simulate.cvode.loop_integrator import LoopIntegrator
from acausal.translation import Translation


@contextmanager
def python_loop() -> Iterator[None]:
    """The solver returns to Python at every output time and event."""
    with patch.object(LoopIntegrator, "batch", None):
        yield


def simulate_in_python(model: Translation, **options: object) -> Result:
    """`Translation.simulate` in this way."""
    with python_loop():
        return model.simulate(**options)  # type: ignore[arg-type]  # options as they are
