"""Machine code of `runtime/events/event_loop`, compiled once for all programs."""

from acausal.base.caches import once
from acausal.codegen.native.kernel_addresses import kernel_addresses


@once
def events_addresses() -> tuple[int, int, int]:
    """The addresses of three of its functions: the first instant, the beginning, and the run."""
    start, begin, run, _ = _addresses()
    return start, begin, run


def advance_address() -> int:
    """The address of the function that goes to one time."""
    return _addresses()[3]


@once
def _addresses() -> tuple[int, int, int, int]:
    from acausal.runtime.events import event_loop

    run = event_loop.acausal_run_events, event_loop.acausal_advance
    start, begin, *others = kernel_addresses(
        (event_loop.acausal_start_events, event_loop.acausal_begin_events, *run)
    ).values()
    return start, begin, others[0], others[1]
