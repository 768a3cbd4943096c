"""Machine code of `runtime/events`, compiled once for all programs."""

from acausal.base.caches import once
from acausal.codegen.native.kernel_addresses import kernel_addresses


def events_addresses() -> tuple[int, int, int]:
    """The addresses of functions of `event_loop`: the first instant, the beginning, and the run."""
    found = _addresses()
    return found["acausal_start_events"], found["acausal_begin_events"], found["acausal_run_events"]


def advance_address() -> int:
    """The address of the function that goes to one time."""
    return _addresses()["acausal_advance"]


def single_event_addresses() -> tuple[int, int]:
    """The addresses of functions of `single_event`: a task of an event, and the search for violated relations."""
    found = _addresses()
    return found["acausal_single_event"], found["acausal_find_violated"]


@once
def _addresses() -> dict[str, int]:
    from acausal.runtime.events import event_loop, single_event

    return kernel_addresses(
        (
            event_loop.acausal_start_events,
            event_loop.acausal_begin_events,
            event_loop.acausal_run_events,
            event_loop.acausal_advance,
            single_event.acausal_single_event,
            single_event.acausal_find_violated,
        )
    )
