"""Machine code of `runtime/events`, compiled once for all programs."""

from acausal.base.caches import once
from acausal.codegen.native.kernel_addresses import Kernels, kernel_addresses

_TIMES = ("acausal_run_times",)
_EVENTS = "acausal_run_events", "acausal_start_events", "acausal_advance"
_SINGLE = "acausal_single_event", "acausal_find_violated"


@once
def times_address() -> int:
    """The address of the run over output times where there are no events."""
    return kernel_addresses(_TIMES, _times)[_TIMES[0]]


def events_addresses() -> tuple[int, int, int]:
    """The addresses of the run over output times and events, of the first instant, and of the way to one time."""
    run, start, advance = [_addresses()[name] for name in _EVENTS]
    return run, start, advance


def single_event_addresses() -> tuple[int, int]:
    """The addresses of functions of `single_event`: a task of an event, and the search for violated relations."""
    event, violated = [_addresses()[name] for name in _SINGLE]
    return event, violated


@once
def _addresses() -> dict[str, int]:
    return kernel_addresses((*_EVENTS, *_SINGLE), _events)


def _times() -> Kernels:
    from acausal.runtime.events.between_events import acausal_run_times

    return (acausal_run_times,)


def _events() -> Kernels:
    from acausal.runtime.events import event_loop, single_event

    run = event_loop.acausal_run_events, event_loop.acausal_start_events, event_loop.acausal_advance
    return *run, single_event.acausal_single_event, single_event.acausal_find_violated
